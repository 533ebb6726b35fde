"""Scores of one run beside chance: how much better it was at each budget, and how soon.

At a budget a score is (chance - run) / (chance - optimum) in logarithms of times, and a run's score is
its mean over the budgets of the case's window: 1 is the optimum at once, and 0 is what runs of chance
have in the mean. A run that found nothing yet counts as the slowest schedule.
"""
from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from schedulegym.studies import curves
from schedulegym.studies.outcome import Outcome
from schedulegym.studies.random_baseline import Array, Chance

TARGETS = (0.5, 0.8, 0.9, 0.95, 0.99)  # shares of the way from the median to the optimum
_ROUNDING = 1e-9


@dataclasses.dataclass(frozen=True)
class Scores:
    """Of one run; trials and seconds are never mixed."""

    by_trials: float
    by_seconds: float | None  # None where the cost of measuring is unknown
    reached: tuple[int | None, ...]  # trials until each of TARGETS
    counted: tuple[bool, ...]  # which of TARGETS are below the noise ceiling of the case's table


def scores_of(outcome: Outcome, chance: Chance) -> Scores:
    """A run keeps its best until the end of the budget, whatever stopped it."""
    best = curves.best_so_far(outcome.speeds)
    first, last = chance.window
    budgets = np.arange(first, last + 1)
    expected = chance.best[first - 1:last]
    found = curves.at_trials(best, list(budgets), ended=True)
    by_seconds = None
    if chance.cost is not None:
        moments = list(budgets * chance.cost)
        then = curves.at_seconds(best, outcome.elapsed, outcome.total, moments, ended=True)
        by_seconds = _mean_score(then, expected, chance)
    return Scores(_mean_score(found, expected, chance), by_seconds, _reached(best, chance),
                  tuple(map(chance.can_judge, TARGETS)))


def _mean_score(speeds: Array, expected: Array, chance: Chance) -> float:
    room = expected - chance.optimum
    if not np.all(room > _ROUNDING):  # random search finds the best: no score is possible
        return 0.0
    return float(np.mean((expected - _times(speeds, chance)) / room))


def _times(speeds: Array, chance: Chance) -> Array:
    times = np.full(len(speeds), chance.slowest)
    times[speeds > 0] = -np.log(speeds[speeds > 0])
    return times


def _reached(best: Array, chance: Chance) -> tuple[int | None, ...]:
    progress = [chance.progress(time) if speed > 0 else -np.inf
                for speed, time in zip(best, _times(best, chance))]
    return tuple(next((trial for trial, share in enumerate(progress, 1)
                       if share >= target - _ROUNDING), None) for target in TARGETS)


def ecdf(reached: Sequence[Sequence[int | None]], budgets: Sequence[int]) -> list[float]:
    """Of all pairs of a run and a target, the share that was reached within each budget (COCO)."""
    pairs = [trials for run in reached for trials in run]
    return [sum(trials is not None and trials <= budget for trials in pairs) / len(pairs)
            if pairs else 0.0 for budget in budgets]
