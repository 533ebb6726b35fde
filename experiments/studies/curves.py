"""Best so far: speed of the best schedule after a number of trials or seconds.

A speed is a ratio, higher is faster: to the reference schedule, or to the best known of the case.
Before the first success it is 0. With noisy readings the best is the trial with the best reading, and the
curve shows its true speed; such a curve may fall.
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[np.float64]]

TRIALS = (1, 2, 4, 8, 16, 32, 64, 128, 200, 300, 500, 1000)
SECONDS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1000)
TARGETS = (0.9, 0.95, 0.98, 1.0)  # shares of the best known speed


def trial_grid(last: int) -> list[int]:
    """Returns the trial counts at which tables show curves, `last` among them."""
    return sorted({*(point for point in TRIALS if point < last), last})


def best_so_far(speeds: Sequence[float | None] | Array,
                truths: Sequence[float | None] | None = None) -> Array:
    """Returns the running maximum; None and NaN are failures and do not change it.

    With `truths`: the true speed of the trial with the best reading, the first of equal ones.
    """
    best = np.maximum.accumulate(np.nan_to_num(np.asarray(speeds, float), nan=0.0))
    if truths is None:
        return best
    trials = np.where(np.diff(best, prepend=0.0) > 0, np.arange(len(best)) + 1, 0)
    told = np.nan_to_num(np.asarray([None, *truths], float), nan=0.0)
    return np.asarray(told[np.maximum.accumulate(trials)])


def at_trials(best: Array, grid: Sequence[int], ended: bool) -> Array:
    """Returns the best after each count of `grid`.

    NaN past the last trial, unless the search had `ended` by itself: then more trials would have changed
    nothing.
    """
    counts = np.asarray(grid)
    if not len(best):
        return np.full(len(counts), 0.0 if ended else np.nan)
    told = best[np.clip(counts, 1, len(best)) - 1]
    return np.where((counts <= len(best)) | ended, told, np.nan)


def at_seconds(best: Array, elapsed: Sequence[float] | Array, total: float,
               grid: Sequence[float], ended: bool) -> Array:
    """Returns the best at each moment of `grid`; `elapsed` is the end of each trial in seconds.

    NaN past `total`, when the search was over, unless it had `ended` by itself.
    """
    moments = np.asarray(grid, float)
    count = np.searchsorted(np.asarray(elapsed, float), moments, side="right")
    told = np.concatenate([[0.0], best])[count]
    return np.where((moments <= total) | ended, told, np.nan)


def trials_to(best: Array, target: float) -> int | None:
    """Returns the number of trials until the speed `target` was first reached; None if never."""
    reached = np.flatnonzero(best >= target)
    return int(reached[0]) + 1 if len(reached) else None


def seconds_to(best: Array, elapsed: Sequence[float] | Array, target: float) -> float | None:
    """Returns the time at which the speed `target` was first reached; None if never."""
    trials = trials_to(best, target)
    return None if trials is None else float(elapsed[trials - 1])


def typical_effort(efforts: Sequence[float | None]) -> float | None:
    """Returns the median cost of reaching a target; None in `efforts` is a run that never reached it.

    Such runs count as costlier than all others, so the median is None if half did not reach it.
    """
    if not efforts:
        return None
    middle = float(np.median([np.inf if effort is None else effort for effort in efforts]))
    return middle if np.isfinite(middle) else None


def expected_effort(efforts: Sequence[float | None], spent: Sequence[float]) -> float | None:
    """Returns the cost of all runs, successful or not, divided by the number that reached the target.

    This estimates the cost of a search restarted until it succeeds (COCO's expected running time).
    """
    reached = sum(effort is not None for effort in efforts)
    total = sum(cost if effort is None else effort for effort, cost in zip(efforts, spent))
    return total / reached if reached else None
