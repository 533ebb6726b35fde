"""Estimates over cases and seeds, each with an interval of 95 %.

Scores are a list of arrays, one for each case, with a number for each seed. The interquartile mean
is that of all runs together (Agarwal et al., Deep RL at the Edge of the Statistical Precipice,
2021): the mean without the lowest and the highest quarter. Intervals come from a bootstrap that
draws seeds within each case, since cases are chosen and only seeds are chance. They speak of these
cases and of no others. `sample_interval` takes cases for chance, too, and speaks of others like them.

Of few seeds a bootstrap is too sure of itself: it sees the spread divided by n instead of n - 1,
and takes the normal's tails for Student's. `widening` makes up for both; `coverage.py` measures
what that gives. Where nearly every pair is won a bootstrap sees hardly any spread: there the
probability of improvement has at least Wilson's interval of a share (1927). Nothing makes up for what
no seed has shown: where one search in ten fails, three seeds of six cases mostly know nothing of it.
"""
from __future__ import annotations

import dataclasses
import functools
from collections.abc import Sequence

import numpy as np
from scipy import stats

from schedulegym.studies.curves import Array

LEVEL = 0.95
DRAWS = 2000
SAMPLE_DRAWS = 10000  # of cases
# Widens the interval where seeds are skewed, as those of searches are; the value is from coverage.py.
_SKEWNESS = 0.3
# With at least this many wins and losses a bootstrap's interval needs no widening.
_ENOUGH = 5


@dataclasses.dataclass(frozen=True)
class Estimate:
    """A number and where it may truly lie; no interval where there is but one seed."""

    value: float
    low: float | None
    high: float | None


def interquartile_mean(scores: Array) -> Array:
    """Along the last axis, without a quarter (rounded down) at each end."""
    count = scores.shape[-1]
    cut = count // 4
    middle = np.sort(scores, axis=-1)[..., cut:count - cut]
    return np.asarray(middle.mean(axis=-1))


def widening(seeds: int, cases: int) -> float:
    """By how much a bootstrap's interval must grow about its estimate."""
    freedom = cases * (seeds - 1)
    skewed = 1 + _SKEWNESS / seeds
    tails = stats.t.ppf((1 + LEVEL) / 2, freedom) / stats.norm.ppf((1 + LEVEL) / 2)
    return float(np.sqrt(seeds / (seeds - 1)) * tails * skewed)


def interquartile_estimate(scores: Sequence[Array], rng: np.random.Generator,
                           draws: int = DRAWS, widened: bool = True) -> Estimate:
    """The interquartile mean of all runs; at least one case, each with a seed."""
    return curve_estimate([case[:, None] for case in scores], rng, draws, widened)[0]


def curve_estimate(curves: Sequence[Array], rng: np.random.Generator, draws: int = DRAWS,
                   widened: bool = True) -> list[Estimate]:
    """Of curves, an array of seeds by points for each case: the estimate at each point.

    All points see the same draws of seeds.
    """
    picks = [_picks(len(case), draws, rng) for case in curves]
    estimates = []
    for point in range(curves[0].shape[1]):
        columns = [case[:, point] for case in curves]
        drawn = np.concatenate([column[pick] for column, pick in zip(columns, picks)], axis=1)
        value = float(interquartile_mean(np.concatenate(columns)))
        estimates.append(_estimate(value, interquartile_mean(drawn), curves, widened))
    return estimates


def improvement_estimate(ours: Sequence[Array], theirs: Sequence[Array],
                         rng: np.random.Generator, draws: int = DRAWS,
                         widened: bool = True) -> Estimate:
    """How probable it is that a run of ours beats one of theirs, in the mean over the cases.

    A tie counts half (Mann and Whitney's statistic over the number of pairs). Of these pairs only
    as many are independent as there are seeds, of the arm that has fewer, in all cases together.
    """
    value = float(np.mean([_wins(a, b).mean() for a, b in zip(ours, theirs)]))
    drawn = np.zeros(draws)
    for a, b in zip(ours, theirs):
        rows, columns = (_counts(_picks(len(one), draws, rng)) for one in (a, b))
        drawn += (rows @ _wins(a, b) * columns).sum(axis=1) / (len(a) * len(b)) / len(ours)
    estimate = _estimate(value, drawn, [*ours, *theirs], widened, len(ours))
    if estimate.low is None or estimate.high is None:
        return estimate
    low, high = max(0.0, estimate.low), min(1.0, estimate.high)
    independent = sum(min(len(a), len(b)) for a, b in zip(ours, theirs))
    if widened and min(value, 1 - value) * independent < _ENOUGH:
        ends = wilson_interval(value, independent)
        low, high = min(low, ends[0]), max(high, ends[1])
    return Estimate(value, low, high)


def wilson_interval(share: float, count: int) -> tuple[float, float]:
    """Where a probability may lie of which `count` independent trials have shown `share`."""
    square = float(stats.norm.ppf((1 + LEVEL) / 2))**2 / count
    middle = (share + square / 2) / (1 + square)
    half = float(np.sqrt(square * (share * (1 - share) + square / 4))) / (1 + square)
    return max(0.0, middle - half), min(1.0, middle + half)


def mean_estimate(scores: Sequence[Array], rng: np.random.Generator,
                  draws: int = DRAWS) -> Estimate:
    """The mean over cases, which weigh the same, of the mean over the seeds of each."""
    means = np.mean([case[_picks(len(case), draws, rng)].mean(axis=1) for case in scores], axis=0)
    value = float(np.mean([case.mean() for case in scores]))
    return _estimate(value, means, scores, True)


def sample_interval(means: Array) -> tuple[float, float] | None:
    """Where the mean over all cases may lie of which the given ones are a sample.

    A bootstrap draws whole cases. Its interval is widened as those over seeds are, and is at least
    Student's, which holds for few cases, too.

    Args:
        means: of each case the mean over its seeds, of shape [cases].

    Returns:
        Both ends of an interval of 95 %; None for one case, which tells nothing of others.
    """
    count = len(means)
    if count < 2:
        return None
    value = float(means.mean())
    drawn = _case_weights(count) @ means
    low, high = np.quantile(drawn, [(1 - LEVEL) / 2, (1 + LEVEL) / 2]) - value
    factor = widening(count, 1)
    reach = float(stats.t.ppf((1 + LEVEL) / 2, count - 1) * means.std(ddof=1) / np.sqrt(count))
    return value + min(factor * float(low), -reach), value + max(factor * float(high), reach)


@functools.lru_cache(maxsize=None)
def _case_weights(count: int) -> Array:
    """Of each draw of cases the weight that each case has, of shape [draws, cases]."""
    picks = np.random.default_rng(count).integers(count, size=(SAMPLE_DRAWS, count))
    return _counts(picks) / count


def geometric_estimate(logs: Sequence[Array], rng: np.random.Generator,
                       draws: int = DRAWS) -> Estimate:
    """The geometric mean over cases and seeds of what `logs` are the logarithms of."""
    estimate = mean_estimate(logs, rng, draws)
    return Estimate(*(None if end is None else float(np.exp(end))
                      for end in dataclasses.astuple(estimate)))  # type: ignore[arg-type]


def _picks(seeds: int, draws: int, rng: np.random.Generator) -> np.ndarray[
        tuple[int, int], np.dtype[np.int64]]:
    return rng.integers(seeds, size=(draws, seeds))


def _counts(picks: np.ndarray[tuple[int, int], np.dtype[np.int64]]) -> Array:
    """How often each seed is in each draw."""
    draws, seeds = picks.shape
    places = (picks + seeds * np.arange(draws)[:, None]).ravel()
    return np.bincount(places, minlength=draws * seeds).reshape(draws, seeds).astype(float)


def _wins(ours: Array, theirs: Array) -> Array:
    difference = ours[:, None] - theirs[None, :]
    return np.asarray((difference > 0) + 0.5 * (difference == 0))


def _estimate(value: float, drawn: Array, groups: Sequence[Array], widened: bool,
              cases: int | None = None) -> Estimate:
    seeds = min(len(group) for group in groups)
    if seeds < 2:
        return Estimate(value, None, None)
    low, high = np.quantile(drawn, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    factor = widening(seeds, cases or len(groups)) if widened else 1.0
    return Estimate(value, value + factor * min(0.0, low - value),
                    value + factor * max(0.0, high - value))
