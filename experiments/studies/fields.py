"""Fields of a study's file, each read by its type; unknown names are errors."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from schedulegym.studies.faults import StudyError, unknown_name


class Fields:
    """A TOML table; `where` names it in messages."""

    def __init__(self, values: Mapping[str, Any], where: str, known: Sequence[str]) -> None:
        """Raises StudyError for a key that is not one of `known`."""
        self.where = where
        self._values = values
        for key in values:
            if key not in known:
                raise unknown_name(f"key of {where}", key, known)

    def text(self, key: str, default: str | None = None) -> str | None:
        """Returns a non-empty string."""
        value = self._values.get(key)
        if value is None:
            return default
        if not isinstance(value, str) or not value.strip():
            raise self.wrong(key, value, "a text")
        return value

    def flag(self, key: str, default: bool = False) -> bool:
        """Returns true or false."""
        value = self._values.get(key)
        if value is not None and not isinstance(value, bool):
            raise self.wrong(key, value, "true or false")
        return default if value is None else value

    def whole(self, key: str, low: int) -> int | None:
        """Returns a whole number of at least `low`; None if the key is missing."""
        value = self._values.get(key)
        if value is not None and (not isinstance(value, int) or isinstance(value, bool) or
                                  value < low):
            raise self.wrong(key, value, f"a whole number of at least {low}")
        return value

    def number(self, key: str) -> float | None:
        """Returns a number above zero; None if the key is missing."""
        value = self._values.get(key)
        if value is None:
            return None
        if not isinstance(value, (int, float)) or isinstance(value, bool) or not (
                0 < value < float("inf")):
            raise self.wrong(key, value, "a number above 0")
        return float(value)

    def choice(self, key: str, choices: Sequence[str]) -> str:
        """Returns one of `choices`; the first if the key is missing."""
        value = self.text(key, choices[0])
        if value not in choices:
            raise unknown_name(f"{key} of {self.where}", str(value), choices)
        return str(value)

    def any(self, key: str) -> Any:
        """Returns the value unchanged; None if the key is missing."""
        return self._values.get(key)

    def wrong(self, key: str, value: object, expected: str) -> StudyError:
        """Returns an error about the value of `key`."""
        return StudyError(f"{key} of {self.where}: found {value!r}, expected {expected}")
