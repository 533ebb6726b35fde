"""Specs as text: `name(key=value, ...)`, parsed as far as studies change them."""
from __future__ import annotations

import dataclasses
import re

from schedulegym.studies.faults import StudyError

_WORD = re.compile(r"[\w./+~-]+\Z")


@dataclasses.dataclass(frozen=True)
class Spec:
    """A name and its options in order; values stay text."""

    name: str
    options: tuple[tuple[str, str], ...] = ()

    @property
    def text(self) -> str:
        """Returns the spec as text, which parses to an equal spec."""
        inside = ", ".join(f"{key}={value}" for key, value in self.options)
        return f"{self.name}({inside})" if inside else self.name

    def value(self, key: str) -> str | None:
        """Returns an option's value, or None."""
        return dict(self.options).get(key)

    def with_value(self, key: str, value: str) -> Spec:
        """Returns a copy with that option, at its position if it existed."""
        options = dict(self.options)
        options[key] = value
        return Spec(self.name, tuple(options.items()))

    def as_meant(self, usual: Spec) -> Spec:
        """Returns the canonical form: options sorted by name, without those of the default."""
        told = sorted(pair for pair in self.options if pair not in usual.options)
        return Spec(self.name, tuple(told))

    def without(self, key: str) -> Spec:
        """Returns a copy without that option."""
        return Spec(self.name, tuple(pair for pair in self.options if pair[0] != key))


def parse_spec(text: str) -> Spec:
    """Parses a spec; raises StudyError if the text is not one."""
    name, bracket, rest = text.strip().partition("(")
    name = name.strip()
    if not _WORD.match(name) or bracket and not rest.endswith(")"):
        raise StudyError(f"found '{text}', expected a spec: name(key=value, ...)")
    options: dict[str, str] = {}
    for part in _split(rest[:-1] if bracket else "", text):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or not key or not value or key in options:
            raise StudyError(f"found '{part.strip()}' in '{text}', expected key=value, each once")
        options[key] = value
    return Spec(name, tuple(options.items()))


def value_text(value: object) -> str:
    """Returns a level of a study's file as text of a spec."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, str):
        try:
            return parse_spec(value).text
        except StudyError:
            return in_quotes(value)
    raise StudyError(f"found {value!r}, expected a number, a word, true or false")


def in_quotes(text: str) -> str:
    """Quotes text as a value of a spec, which may contain any letters."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def plain_text(value: str) -> str:
    """Returns a value of a spec without its quotes."""
    if len(value) < 2 or value[0] != '"' or value[-1] != '"':
        return value
    return re.sub(r"\\(.)", r"\1", value[1:-1])


def _split(inside: str, whole: str) -> list[str]:
    """Splits at the commas outside brackets and quotes."""
    parts, depth, quoted, begin = [], 0, False, 0
    for place, letter in enumerate(inside):
        if letter == '"' and inside[place - 1:place] != "\\":
            quoted = not quoted
        elif not quoted:
            depth += (letter == "(") - (letter == ")")
            if letter == "," and depth == 0:
                parts.append(inside[begin:place])
                begin = place + 1
        if depth < 0:
            break
    if depth or quoted:
        raise StudyError(f"found '{whole}', expected brackets and quotes in pairs")
    return [*parts, inside[begin:]] if inside.strip() else []
