"""What a study can show before it runs: the room above chance, and the least effect that would show.

Of its recorded cases alone, whose every schedule is known. The room is that between the best schedule
and the one that chance is expected to find within the study's trials. Searches are taken to scatter
as chance does: then two of them differ by a deviation of sqrt(2 v), v the variance of the logarithm
of chance's best, mean over the cases, and over C cases x S seeds an effect of

    (t(1 - ERROR / 2k) + t(POWER)) sqrt(2 v / (C S)),   C (S - 1) degrees of freedom,

is found with probability POWER, where k comparisons are corrected for (Bonferroni).
"""
from __future__ import annotations

import dataclasses
import math
import pathlib
from collections.abc import Sequence

import numpy as np
from scipy import stats

from schedulegym.studies.effects import ERROR, POWER
from schedulegym.studies.random_baseline import Array, first_of_distinct, times_of
from schedulegym.studies.recorded import read_recorded
from schedulegym.studies.study import Study


@dataclasses.dataclass(frozen=True)
class Foresight:
    """Logarithms of ratios of speeds, means over the recorded cases."""

    headroom: float
    least_effect: float | None  # none of one seed
    comparisons: int

    @property
    def is_blunt(self) -> bool:
        """Whether half of all that can be won would not show."""
        return self.least_effect is None or self.least_effect > self.headroom / 2

    def text(self) -> str:
        """One line."""
        room = f"chance ends {_percent(self.headroom)} under the best of its recorded cases"
        if self.least_effect is None:
            return f"{room}; with one seed no effect shows"
        return (f"{room}; an effect of {_percent(self.least_effect)} shows with probability {POWER:g} "
                f"among {self.comparisons} comparison{'s' if self.comparisons > 1 else ''}")


def foresight_of(study: Study) -> Foresight | None:
    """None where it has no recorded case, or nothing to compare."""
    tables = [read_recorded(pathlib.Path(case.file)) for case in study.cases if case.file]
    if not tables or len(study.arms) < 2:
        return None
    times = [times_of(list(table.speeds.values()), table.failed) for table in tables]
    return foresee(times, study.trials, len(study.seeds), len(study.arms) - 1)


def foresee(cases: Sequence[Array], trials: int, seeds: int, comparisons: int) -> Foresight:
    """`cases` are logarithms of all times of each, ascending."""
    rooms, variances = zip(*(_chance(times, trials) for times in cases))
    least = None
    if seeds > 1:
        freedom = len(cases) * (seeds - 1)
        reach = stats.t.isf(ERROR / comparisons / 2, freedom) + stats.t.ppf(POWER, freedom)
        least = float(reach * math.sqrt(2 * np.mean(variances) / (len(cases) * seeds)))
    return Foresight(float(np.mean(rooms)), least, comparisons)


def _chance(times: Array, trials: int) -> tuple[float, float]:
    """How far under the best chance is expected to end, and the variance of that."""
    weights = first_of_distinct(len(times), min(trials, len(times)))
    mean = float(times @ weights)
    return mean - float(times[0]), float((times - mean) ** 2 @ weights)


def _percent(log: float) -> str:
    return f"{100 * math.expm1(log):.2g} %"
