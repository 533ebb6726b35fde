"""Foresight: the gap above random search, and the least effect that a study can detect, before it runs.

The gap of a case is that between its best schedule and the expected best of random search within the
study's trials. Both depend on how the case is evaluated:

    a recorded table    every schedule is known
    the model           the best of `[best_known]` and of a sample of random schedules; random from the sample
    the machine         runs of the arm `random` in the folder, and the best of all its runs

Searches are assumed to scatter as random search does: two of them then differ by a deviation of sqrt(2 v),
v the variance of the logarithm of random's best, mean over the cases. Over C cases x S seeds an effect of

    (t(1 - ERROR / 2k) + t(POWER)) sqrt(2 v / (C S)),   C (S - 1) degrees of freedom,

is found with probability POWER, where k comparisons are corrected for (Bonferroni).
"""
from __future__ import annotations

import dataclasses
import math
import pathlib
from collections.abc import Mapping, Sequence

import numpy as np
from scipy import stats

import schedulegym
from schedulegym.studies.effects import ERROR, POWER
from schedulegym.studies.outcome import Outcome
from schedulegym.studies.random_baseline import Array, first_of_distinct, times_of
from schedulegym.studies.recorded import read_recorded
from schedulegym.studies.study import Case, Study

SAMPLE = 256  # random schedules per case that a model evaluates, at most _A_TRIAL for each trial
_A_TRIAL = 4
_FEW_RUNS = 3  # random runs, below which a live case gives no estimate

Outcomes = Mapping[tuple[str, str, int], Outcome]
Prospect = tuple[float, float]  # expected gap between random search and the best, and its variance


@dataclasses.dataclass(frozen=True)
class Foresight:
    """Logarithms of ratios of speeds, means over the cases with data."""

    headroom: float | None  # None where no case is known
    least_effect: float | None  # None with one seed
    comparisons: int
    unknown: tuple[str, ...] = ()  # cases that were never measured

    @property
    def is_blunt(self) -> bool:
        """Whether an effect of half the headroom would not be detected."""
        return self.headroom is not None and (
            self.least_effect is None or self.least_effect > self.headroom / 2)

    def text(self) -> str:
        """Returns one line."""
        if self.headroom is None:
            return ("headroom and least effect: not known, nothing was measured yet of " +
                    ", ".join(self.unknown))
        text = f"chance ends {_percent(self.headroom)} under the best known of the cases"
        if self.least_effect is None:
            text += "; with one seed no effect shows"
        else:
            text += (f"; an effect of {_percent(self.least_effect)} shows with probability {POWER:g} "
                     f"among {self.comparisons} comparison{'s' if self.comparisons > 1 else ''}")
        return text + (f"; not known of {', '.join(self.unknown)}" if self.unknown else "")


def foresight_of(study: Study, found: Outcomes | None = None) -> Foresight | None:
    """Computes the foresight; `found` are finished runs. None if there are fewer than two arms."""
    if len(study.arms) < 2:
        return None
    told = {case.name: _prospect(case, study, found or {}) for case in study.cases}
    known = [one for one in told.values() if one is not None]
    unknown = tuple(name for name, one in told.items() if one is None)
    return dataclasses.replace(_foreseen(known, len(study.seeds), len(study.arms) - 1), unknown=unknown)


def foresee(cases: Sequence[Array], trials: int, seeds: int, comparisons: int) -> Foresight:
    """Computes the foresight from `cases`, the logarithms of all times of each, ascending."""
    return _foreseen([_chance(times, trials) for times in cases], seeds, comparisons)


def foreseen_of_sample(times: Array, best: float | None, trials: int) -> Prospect:
    """`times` are logarithms of times of random schedules, ascending; `best` is the best known speed."""
    edges = (1 - np.arange(len(times) + 1) / len(times)) ** trials
    weights = -np.diff(edges)  # of each to be the first of `trials` draws
    mean = float(times @ weights)
    optimum = min(float(times[0]), math.inf if best is None else -math.log(best))
    return mean - optimum, float((times - mean) ** 2 @ weights)


def _foreseen(cases: Sequence[Prospect], seeds: int, comparisons: int) -> Foresight:
    if not cases:
        return Foresight(None, None, comparisons)
    rooms, variances = zip(*cases)
    least = None
    if seeds > 1:
        freedom = len(cases) * (seeds - 1)
        reach = stats.t.isf(ERROR / comparisons / 2, freedom) + stats.t.ppf(POWER, freedom)
        least = float(reach * math.sqrt(2 * np.mean(variances) / (len(cases) * seeds)))
    return Foresight(float(np.mean(rooms)), least, comparisons)


def _prospect(case: Case, study: Study, found: Outcomes) -> Prospect | None:
    """Returns the prospect of a case; None if there are no data."""
    best = dict(study.best_known).get(case.name)
    if case.file:
        table = read_recorded(pathlib.Path(case.file))
        return _chance(times_of(list(table.speeds.values()), table.failed), study.trials)
    if case.kind == "host" or case.is_network:
        return _of_runs(case, best, found)
    speeds = _sampled(case, study)
    good = [speed for speed in speeds if speed]
    if not good:
        return None
    return foreseen_of_sample(times_of(good, len(speeds) - len(good)), best, study.trials)


def _sampled(case: Case, study: Study) -> list[float | None]:
    """Returns model speeds of random schedules in the baseline's space; None for a failure."""
    space = study.arm(study.baseline).space
    found = schedulegym.tune(
        case.workload, target=study.target, agent="random", seed=0, measure=case.measurer(), store=None,
        trials=min(SAMPLE, _A_TRIAL * study.trials), finalists=0, **({"space": space} if space else {}))
    return [trial.ratio for trial in found.history]


def _of_runs(case: Case, best: float | None, found: Outcomes) -> Prospect | None:
    """Computes the prospect from finished random runs and the best speed of any run."""
    chance = [outcome.chosen for place, outcome in found.items() if place[:2] == (case.name, "random")]
    ends = [-math.log(speed) for speed in chance if speed]
    if len(ends) < _FEW_RUNS:
        return None
    chosen = [outcome.chosen for place, outcome in found.items() if place[0] == case.name]
    fastest = max([speed for speed in chosen if speed] + ([best] if best else []))
    return float(np.mean(ends)) + math.log(fastest), float(np.var(ends, ddof=1))


def _chance(times: Array, trials: int) -> Prospect:
    """Computes the prospect from the times of all schedules, drawn without replacement."""
    weights = first_of_distinct(len(times), min(trials, len(times)))
    mean = float(times @ weights)
    return mean - float(times[0]), float((times - mean) ** 2 @ weights)


def _percent(log: float) -> str:
    return f"{100 * math.expm1(log):.2g} %"
