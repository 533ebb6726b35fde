"""Random baseline: the expected best of q random schedules, computed without drawing any.

Times are logarithms of a call's time over the reference's, so half as fast and twice as fast are equally
far. The baseline is that of Willemsen et al., A methodology for comparing optimization algorithms for
auto-tuning, 2024: the expected best of random search, without replacement if the space is known, between
the budgets at which it has covered 0.5 and 0.96 of the way from the median to the optimum.
"""
from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[np.float64]]

FROM, TO = 0.5, 0.96  # Willemsen et al., evaluation


@dataclasses.dataclass(frozen=True)
class Chance:
    """Baseline of one case for all budgets up to the board's; all times are logarithms."""

    best: Array  # expected seconds of the best after 1, 2, ... draws
    median: float
    optimum: float
    slowest: float
    cost: float | None  # mean seconds of measuring a schedule, where known
    ceiling: float | None = None  # noise ceiling of the table, as a share of the best speed, where known

    @property
    def window(self) -> tuple[int, int]:
        """The first and the last budget, in trials, at which scores are taken."""
        first = self._first(FROM)
        return first, max(first, self._first(TO))

    def progress(self, time: float) -> float:
        """Returns the position of a time between the median (0) and the optimum (1)."""
        whole = self.median - self.optimum
        return (self.median - time) / whole if whole > 0 else 1.0

    def can_judge(self, target: float) -> bool:
        """Whether a share of the way from the median to the optimum lies below the noise ceiling."""
        share = float(np.exp((target - 1) * (self.median - self.optimum)))  # of the best speed
        return self.ceiling is None or share <= self.ceiling

    def fields(self) -> dict[str, Any]:
        """Returns JSON values."""
        return {**dataclasses.asdict(self), "best": [float(time) for time in self.best]}

    def _first(self, share: float) -> int:
        """Returns the first budget at which random search reaches `share`; the last one if it never does."""
        target = self.median - share * (self.median - self.optimum)
        reached = np.flatnonzero(self.best <= target)
        return int(reached[0]) + 1 if len(reached) else len(self.best)


def read_chance(fields: dict[str, Any]) -> Chance:
    """Reads the values of Chance.fields()."""
    return Chance(**{**fields, "best": np.array(fields["best"])})


def chance_of_all(speeds: Sequence[float], failed: int, costs: Sequence[float],
                  budget: int) -> Chance:
    """Computes the baseline of a space whose every schedule is known, drawn without replacement;
    `failed` schedules have no speed."""
    times = times_of(speeds, failed)
    count = len(times)
    best = [float(times @ first_of_distinct(count, min(draws, count)))
            for draws in range(1, budget + 1)]
    return Chance(np.array(best), float(np.median(times)), float(times[0]), float(times[-1]),
                  float(np.mean(costs)) if len(costs) else None)


def chance_of_sample(speeds: Sequence[float], failed: int, best_known: float, cost: float | None,
                     budget: int) -> Chance:
    """Computes the baseline of a space from a random sample of schedules; `best_known` is a speed."""
    times = times_of(speeds, failed)
    edges = 1 - np.arange(len(times) + 1) / len(times)
    best = [float(times @ -np.diff(edges**draws)) for draws in range(1, budget + 1)]
    return Chance(np.array(best), float(np.median(times)),
                  min(float(times[0]), -float(np.log(best_known))), float(times[-1]), cost)


def times_of(speeds: Sequence[float], failed: int) -> Array:
    """Returns logarithms of times, ascending; a failure is as slow as the slowest success."""
    found = np.sort(-np.log(np.asarray(speeds, float)))
    return np.concatenate([found, np.full(failed, found[-1])])


def first_of_distinct(count: int, draws: int) -> Array:
    """Returns the probability of each of `count`, in order, to be the first of `draws` distinct ones.

    The i-th from 0 is the first if it is drawn and none before it: C(count - 1 - i, draws - 1) over
    C(count, draws).
    """
    places = np.arange(count - draws)
    steps = (count - draws - places) / (count - 1 - places)
    chances = draws / count * np.concatenate([[1.0], np.cumprod(steps)])
    return np.concatenate([chances, np.zeros(count - len(chances))])
