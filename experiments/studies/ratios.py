"""Ratios of speeds of a study's arms: their spread over cases, and two intervals.

A ratio is a geometric mean over cases of the mean over seeds, paired by both: 1.03 means 3 % faster. Both
intervals are 95 % intervals. One takes the cases as fixed and only seeds as random. It holds for these
cases and is corrected for the number of arms (Bonferroni). The other takes the cases as a sample and holds
for cases of their kind. It is not corrected, and it is wide for few cases.
"""
from __future__ import annotations

import dataclasses
import enum
import math
import pathlib
from collections.abc import Mapping, Sequence

import numpy as np

from schedulegym.studies import effects, estimates
from schedulegym.studies.curves import Array
from schedulegym.studies.pairs import END, differences_of

Interval = tuple[float, float]


class Shown(enum.Enum):
    """The cases for which a difference is shown."""

    SUCH = "such cases"
    THESE = "these cases"
    NOTHING = "not shown"


@dataclasses.dataclass(frozen=True)
class CaseRatios:
    """The ratio of one arm to another."""

    mean: float
    cases: dict[str, float]  # by case
    fixed: Interval | None  # interval for these cases; None where a case has one seed
    sample: Interval | None  # interval for cases of this kind; None for one case

    @property
    def least(self) -> float:
        return min(self.cases.values())

    @property
    def most(self) -> float:
        return max(self.cases.values())

    @property
    def shown(self) -> Shown:
        """Whether an interval excludes 1; for cases of this kind both must."""
        these, such = (interval is not None and not interval[0] <= 1 <= interval[1]
                       for interval in (self.fixed, self.sample))
        if such and (these or self.fixed is None):
            return Shown.SUCH
        return Shown.THESE if these else Shown.NOTHING


def ratios_over(files: Sequence[pathlib.Path], over: str, point: str = END,
                known: Sequence[pathlib.Path] = ()) -> dict[str, CaseRatios]:
    """Returns ratios by arm, without arms that share no run with `over`.

    Args:
        files: `results.csv` of a study, or its folder.
        over: the arm to compare with, or `best known`.
        point: a number of trials, or `end` for the schedule that a run chose.
        known: results of other studies that may hold the best known.
    """
    (by_arm,) = differences_of(files, over, [point], known)
    by_arm = {arm: cases for arm, cases in by_arm.items() if cases}
    fixed = _fixed(by_arm)
    return {arm: _ratios_of(cases, fixed[arm]) for arm, cases in by_arm.items()}


def _fixed(by_arm: Mapping[str, Mapping[str, Array]]) -> dict[str, Interval | None]:
    """Returns intervals by arm, corrected for the number of arms that have one."""
    found = {arm: effects.effect_of(list(cases.values())) for arm, cases in by_arm.items()}
    known = sum(effect is not None for effect in found.values())

    def ends(effect: effects.Effect) -> Interval:
        low, high = effect.interval(effects.ERROR / known)
        return math.exp(low), math.exp(high)

    return {arm: None if effect is None else ends(effect) for arm, effect in found.items()}


def _ratios_of(cases: Mapping[str, Array], fixed: Interval | None) -> CaseRatios:
    means = np.array([differences.mean() for differences in cases.values()])
    sample = estimates.sample_interval(means)
    return CaseRatios(mean=float(np.exp(means.mean())),
                      cases={case: float(np.exp(mean)) for case, mean in zip(cases, means)},
                      fixed=fixed,
                      sample=sample and (math.exp(sample[0]), math.exp(sample[1])))
