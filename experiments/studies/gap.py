"""The gap: how far a search ended from the best known, split in three.

    space        the best known of its space over the best known of all
    exploration  the best that it truly measured over the best known of its space
    selection    what it chose over the best that it truly measured

Their product is what it chose over the best known of all. Each is at most 1 where speeds are true
ones; a part that nobody knows is None.
"""
from __future__ import annotations

import dataclasses


@dataclasses.dataclass(frozen=True)
class Gap:
    """The three parts of one run, as ratios of speeds."""

    space: float | None
    exploration: float | None
    selection: float | None

    @property
    def whole(self) -> float | None:
        """What was chosen over the best known of all."""
        if self.space is None or self.exploration is None or self.selection is None:
            return None
        return self.space * self.exploration * self.selection


def split_gap(chosen: float | None, measured: float | None, best_of_space: float | None,
              best_of_all: float | None) -> Gap:
    """From true speeds; None where one is not known."""
    return Gap(_ratio(best_of_space, best_of_all), _ratio(measured, best_of_space),
               _ratio(chosen, measured))


def _ratio(speed: float | None, beside: float | None) -> float | None:
    return speed / beside if speed is not None and beside else None
