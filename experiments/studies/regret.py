"""The gap: regret of a search against the best known, split in three.

    space        the best known of its space over the best known of all
    exploration  the best speed that it truly measured over the best known of its space
    selection    the chosen speed over the best speed that it truly measured

Their product is the chosen speed over the best known of all. Each is at most 1 for true speeds; an unknown
part is None. Live searches have the true speed of the chosen schedule only: of the last two parts only the
product is known, the share that was found.
"""
from __future__ import annotations

import dataclasses


PARTS = ("space", "exploration", "selection", "found", "whole")


@dataclasses.dataclass(frozen=True)
class Gap:
    """The three parts of one run as ratios of speeds, and the products that may be known without them."""

    space: float | None
    exploration: float | None
    selection: float | None
    found: float | None  # the sum of exploration and selection
    whole: float | None  # the chosen speed over the best known of all


def split_gap(chosen: float | None, measured: float | None, best_of_space: float | None,
              best_of_all: float | None) -> Gap:
    """Computes the parts from true speeds; a part is None if one of its speeds is unknown."""
    return Gap(_ratio(best_of_space, best_of_all), _ratio(measured, best_of_space),
               _ratio(chosen, measured), _ratio(chosen, best_of_space),
               _ratio(chosen, best_of_all))


def _ratio(speed: float | None, beside: float | None) -> float | None:
    return speed / beside if speed is not None and beside else None
