"""Estimates over cases and seeds, each with a 95 % interval.

Scores are a list of arrays, one for each case, with a number for each seed. The interquartile mean is that
of all runs together (Agarwal et al., Deep RL at the Edge of the Statistical Precipice, 2021): the mean
without the lowest and the highest quarter. Intervals come from a bootstrap that draws seeds within each
case, since cases are fixed and only seeds are random. They hold for these cases only. `sample_interval`
also draws cases at random and holds for similar cases.

With few seeds a bootstrap's interval is too narrow: its variance has n in place of n - 1, and its tails are
the normal's in place of Student's. `widening` corrects both; `coverage.py` measures the result. If nearly
every pair is won a bootstrap sees hardly any spread: the probability of improvement then has at least
Wilson's interval of a share (1927). No correction covers outcomes that no seed has shown: if one search in
ten fails, three seeds of six cases mostly miss it.
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
# Widens the interval for skewed seeds, which searches have; the value is from coverage.py.
_SKEWNESS = 0.3
# With at least this many wins and losses a bootstrap's interval needs no widening.
_ENOUGH = 5


@dataclasses.dataclass(frozen=True)
class Estimate:
    """A number and its interval; no interval with a single seed."""

    value: float
    low: float | None
    high: float | None


def interquartile_mean(scores: Array) -> Array:
    """Computes the mean along the last axis, without a quarter (rounded down) at each end."""
    count = scores.shape[-1]
    cut = count // 4
    middle = np.sort(scores, axis=-1)[..., cut:count - cut]
    return np.asarray(middle.mean(axis=-1))


def widening(seeds: int, cases: int) -> float:
    """Returns the factor by which a bootstrap's interval must grow about its estimate."""
    freedom = cases * (seeds - 1)
    skewed = 1 + _SKEWNESS / seeds
    tails = stats.t.ppf((1 + LEVEL) / 2, freedom) / stats.norm.ppf((1 + LEVEL) / 2)
    return float(np.sqrt(seeds / (seeds - 1)) * tails * skewed)


def interquartile_estimate(scores: Sequence[Array], rng: np.random.Generator,
                           draws: int = DRAWS, widened: bool = True) -> Estimate:
    """Estimates the interquartile mean of all runs; at least one case, each with a seed."""
    return curve_estimate([case[:, None] for case in scores], rng, draws, widened)[0]


def curve_estimate(curves: Sequence[Array], rng: np.random.Generator, draws: int = DRAWS,
                   widened: bool = True) -> list[Estimate]:
    """Estimates each point of curves, which are arrays of shape [seeds, points], one per case.

    All points use the same draws of seeds.
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
    """Estimates the probability that a run of `ours` beats one of `theirs`, in the mean over the cases.

    A tie counts half (Mann and Whitney's statistic over the number of pairs). The number of independent
    pairs is that of the seeds of the arm that has fewer, in all cases together.
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
    """Returns the interval of a probability after `count` independent trials with the given `share`."""
    square = float(stats.norm.ppf((1 + LEVEL) / 2))**2 / count
    middle = (share + square / 2) / (1 + square)
    half = float(np.sqrt(square * (share * (1 - share) + square / 4))) / (1 + square)
    return max(0.0, middle - half), min(1.0, middle + half)


def mean_estimate(scores: Sequence[Array], rng: np.random.Generator,
                  draws: int = DRAWS) -> Estimate:
    """Estimates the mean over cases, equally weighted, of the mean over the seeds of each."""
    means = np.mean([case[_picks(len(case), draws, rng)].mean(axis=1) for case in scores], axis=0)
    value = float(np.mean([case.mean() for case in scores]))
    return _estimate(value, means, scores, True)


def sample_interval(means: Array) -> tuple[float, float] | None:
    """Returns the interval of the mean over all cases, of which the given ones are a sample.

    A bootstrap draws whole cases. Its interval is widened like those over seeds, and is at least
    Student's, which also holds for few cases.

    Args:
        means: mean over the seeds of each case, of shape [cases].

    Returns:
        Both ends of a 95 % interval; None for one case, which does not show how cases vary.
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
    """Returns the weight of each case in each draw of cases, of shape [draws, cases]."""
    picks = np.random.default_rng(count).integers(count, size=(SAMPLE_DRAWS, count))
    return _counts(picks) / count


def geometric_estimate(logs: Sequence[Array], rng: np.random.Generator,
                       draws: int = DRAWS) -> Estimate:
    """Estimates the geometric mean over cases and seeds; `logs` are logarithms."""
    estimate = mean_estimate(logs, rng, draws)
    return Estimate(*(None if end is None else float(np.exp(end))
                      for end in dataclasses.astuple(estimate)))  # type: ignore[arg-type]


def _picks(seeds: int, draws: int, rng: np.random.Generator) -> np.ndarray[
        tuple[int, int], np.dtype[np.int64]]:
    return rng.integers(seeds, size=(draws, seeds))


def _counts(picks: np.ndarray[tuple[int, int], np.dtype[np.int64]]) -> Array:
    """Counts each seed in each draw."""
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
