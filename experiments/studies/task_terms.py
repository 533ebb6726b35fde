"""Intervals of a cost model's metrics, by a percentile bootstrap over tasks and over trainings.

A metric is a ratio of sums over tasks (`rmse` is the root of one), averaged over trainings. A resample
draws as many tasks as there are, with replacement, and n - 1 of n trainings: so the spread of a mean of n
is neither under- nor overestimated (McCarthy and Snowden, 1985). With one training the interval is over
tasks only. Two models are compared on the same draws of tasks and on separate draws of trainings: the
effect of a hard task on both does not widen the interval of their difference.
Cost: O(resamples * trainings * tasks).
"""
from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence

import numpy as np

from schedulegym.studies.curves import Array
from schedulegym.studies.faults import StudyError

RESAMPLES, LEVEL = 2000, 0.95
_ROOTS = ("rmse",)


@dataclasses.dataclass(frozen=True)
class Sample:
    """Numerators and denominators of a metric; each array is (trainings, tasks)."""

    numerators: Array
    denominators: Array
    is_root: bool = False

    @property
    def value(self) -> float:
        """The mean over trainings."""
        return float(self._values(np.arange(self.tasks)[None, :]).mean())

    @property
    def tasks(self) -> int:
        """The number of tasks."""
        return int(self.numerators.shape[1])

    def means(self, tasks: Array, rng: np.random.Generator) -> Array:
        """Returns means for each draw of tasks, a row of `tasks`, with a separate draw of trainings."""
        values = self._values(tasks)
        trainings, draws = values.shape
        drawn = rng.integers(trainings, size=(max(1, trainings - 1), draws))
        return np.asarray(values[drawn, np.arange(draws)].mean(axis=0))

    def _values(self, tasks: Array) -> Array:
        """Returns values by training and draw."""
        sums = self.denominators[:, tasks].sum(axis=2)
        ratios = np.divide(self.numerators[:, tasks].sum(axis=2), sums, out=np.zeros_like(sums),
                           where=sums != 0)
        return np.sqrt(ratios) if self.is_root else np.asarray(ratios)


@dataclasses.dataclass(frozen=True)
class Interval:
    """A value and its 95 % interval."""

    value: float
    low: float
    high: float


def sample_of(metric: str, trainings: Sequence[Sequence[Sequence[float]]]) -> Sample:
    """Makes a sample from each training's pairs of numerator and denominator, one per task.

    Raises:
        StudyError: trainings have different numbers of tasks, or none.
    """
    if len({len(terms) for terms in trainings}) != 1 or not trainings[0]:
        raise StudyError(f"{metric}: found trainings with {', '.join(str(len(one)) for one in trainings)} "
                         "tasks, expected equal numbers")
    pairs = np.asarray(trainings, dtype=float)
    return Sample(pairs[:, :, 0], pairs[:, :, 1], metric in _ROOTS)


def interval_of(one: Sample) -> Interval:
    """Returns the interval of a model's metric."""
    return _interval(lambda value: value, one)


def difference_of(one: Sample, other: Sample) -> Interval:
    """Returns the interval of one - other, paired by task."""
    return _interval(lambda value, beside: value - beside, one, other)


def share_of(one: Sample, other: Sample) -> Interval:
    """Returns the interval of one / other, paired by task."""
    return _interval(lambda value, beside: value / beside, one, other)


def _interval(of: Callable[..., Array], *samples: Sample) -> Interval:
    """Returns the interval of a function of the means of samples that have the same tasks."""
    counts = {sample.tasks for sample in samples}
    if len(counts) != 1:
        raise StudyError(f"tasks: found {' and '.join(map(str, sorted(counts)))}, expected equal numbers")
    rng = np.random.default_rng(1)
    count = counts.pop()
    tasks = rng.integers(count, size=(RESAMPLES, count))
    drawn = of(*(sample.means(tasks, rng) for sample in samples))
    tail = (1 - LEVEL) / 2
    low, high = np.quantile(drawn, [tail, 1 - tail])
    return Interval(float(of(*(sample.value for sample in samples))), float(low), float(high))
