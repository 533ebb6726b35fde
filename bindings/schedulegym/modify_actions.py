"""ModifyActions: which action of one environment of `modify` is which of another's."""
from __future__ import annotations

import dataclasses
import re

_FIRST = 2  # the first action after stop and next sketch
_TILE = re.compile(r"^(\d+)\.\.(\d+): tile \d+: one of (\d+) primes from one of (\d+) levels", re.M)
_KNOBS = re.compile(r"^(\d+)\.\.(\d+): each other knob", re.M)


@dataclasses.dataclass(frozen=True)
class ModifyActions:
    """What an environment of `modify` has actions for.

    Attributes:
        tiles: How many tiles.
        primes: Primes that a factor of a tile may be moved by.
        levels: Of each tile.
        knobs: Other knobs, each with two actions.
    """

    tiles: int
    primes: int
    levels: int
    knobs: int

    @classmethod
    def of(cls, menu: str) -> ModifyActions:
        """Reads an environment's `menu`.

        Args:
            menu: Its lines.

        Returns:
            What it has actions for.

        Raises:
            ValueError: It is no menu of modify.
        """
        tiles, knobs = _TILE.findall(menu), _KNOBS.search(menu)
        primes, levels = (int(tiles[0][2]), int(tiles[0][3])) if tiles else (0, 1)
        last = int(knobs[2]) - int(knobs[1]) + 1 if knobs else 0
        if not tiles and not knobs:
            raise ValueError("found no tile and no knob as actions, expected those of modify")
        return cls(len(tiles), primes, levels, last // 2)

    @property
    def count(self) -> int:
        """Of all actions, stop and next sketch too."""
        return _FIRST + self.tiles * self._tile + 2 * self.knobs

    @property
    def _tile(self) -> int:
        return self.primes * self.levels * (self.levels - 1)

    def holds(self, other: ModifyActions) -> bool:
        """Whether each action of another environment is one of these.

        Args:
            other: The other's actions.

        Returns:
            True where it is.
        """
        return (other.tiles <= self.tiles and other.levels <= self.levels and
                other.knobs <= self.knobs and (not other.tiles or other.primes == self.primes))

    def numbers_of(self, other: ModifyActions) -> list[int]:
        """Which actions are those of another environment.

        Args:
            other: The other's actions, which these hold.

        Returns:
            For each action of the other its number here.
        """
        numbers = list(range(_FIRST))
        for tile in range(other.tiles):
            numbers += [_FIRST + tile * self._tile + self._pair(start, end) * self.primes + prime
                        for start in range(other.levels) for end in range(other.levels)
                        if start != end for prime in range(other.primes)]
        knobs = _FIRST + self.tiles * self._tile
        return numbers + list(range(knobs, knobs + 2 * other.knobs))

    def _pair(self, start: int, end: int) -> int:
        return start * (self.levels - 1) + (end - 1 if end > start else end)
