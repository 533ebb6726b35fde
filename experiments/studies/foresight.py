"""What a study can show before it runs: the room above chance, and the least effect that would show.

The room of a case is that between its best schedule and the one that chance is expected to find
within the study's trials. What both are depends on how the case is judged:

    a recorded table    every schedule is known
    the model           the best of `[best_known]` and of a sample of random schedules; chance by the sample
    the machine         runs of the arm `random` that the folder holds, beside the best of all its runs

Searches are taken to scatter as chance does: then two of them differ by a deviation of sqrt(2 v), v the
variance of the logarithm of chance's best, mean over the cases, and over C cases x S seeds an effect of

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

SAMPLE = 256  # random schedules of a case that a model judges, but at most _A_TRIAL for each trial
_A_TRIAL = 4
_FEW_RUNS = 3  # random runs, below which a live case gives no estimate

Outcomes = Mapping[tuple[str, str, int], Outcome]
Prospect = tuple[float, float]  # expected gap between random search and the best, and its variance


@dataclasses.dataclass(frozen=True)
class Foresight:
    """Logarithms of ratios of speeds, means over the cases that are known."""

    headroom: float | None  # None where no case is known
    least_effect: float | None  # None with one seed
    comparisons: int
    unknown: tuple[str, ...] = ()  # cases that were never measured

    @property
    def is_blunt(self) -> bool:
        """Whether half of all that can be won would not show."""
        return self.headroom is not None and (
            self.least_effect is None or self.least_effect > self.headroom / 2)

    def text(self) -> str:
        """One line."""
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
    """`found` are runs that are there. None where there is nothing to compare."""
    if len(study.arms) < 2:
        return None
    told = {case.name: _prospect(case, study, found or {}) for case in study.cases}
    known = [one for one in told.values() if one is not None]
    unknown = tuple(name for name, one in told.items() if one is None)
    return dataclasses.replace(_foreseen(known, len(study.seeds), len(study.arms) - 1), unknown=unknown)


def foresee(cases: Sequence[Array], trials: int, seeds: int, comparisons: int) -> Foresight:
    """`cases` are logarithms of all times of each, ascending."""
    return _foreseen([_chance(times, trials) for times in cases], seeds, comparisons)


def foreseen_of_sample(times: Array, best: float | None, trials: int) -> Prospect:
    """By logarithms of times of random schedules, ascending; `best` is a speed that is known."""
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
    """None where nothing is known of the case."""
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
    """Speeds of random schedules by the model, in the space of the baseline; None for a failure."""
    space = study.arm(study.baseline).space
    found = schedulegym.tune(
        case.workload, target=study.target, agent="random", seed=0, measure=case.measurer(), store=None,
        trials=min(SAMPLE, _A_TRIAL * study.trials), finalists=0, **({"space": space} if space else {}))
    return [trial.ratio for trial in found.history]


def _of_runs(case: Case, best: float | None, found: Outcomes) -> Prospect | None:
    """By runs of chance that are there, and the best that any run came to."""
    chance = [outcome.chosen for place, outcome in found.items() if place[:2] == (case.name, "random")]
    ends = [-math.log(speed) for speed in chance if speed]
    if len(ends) < _FEW_RUNS:
        return None
    chosen = [outcome.chosen for place, outcome in found.items() if place[0] == case.name]
    fastest = max([speed for speed in chosen if speed] + ([best] if best else []))
    return float(np.mean(ends)) + math.log(fastest), float(np.var(ends, ddof=1))


def _chance(times: Array, trials: int) -> Prospect:
    """Of all that there are; nothing is drawn twice."""
    weights = first_of_distinct(len(times), min(trials, len(times)))
    mean = float(times @ weights)
    return mean - float(times[0]), float((times - mean) ** 2 @ weights)


def _percent(log: float) -> str:
    return f"{100 * math.expm1(log):.2g} %"
