"""Effects: how a change of a search affects its speed, paired by case and seed, and the verdict.

A difference is that of two logarithms of speeds, for runs of the same case and seed. The effect is its
mean over cases and seeds: 0.03 means 3 % faster. Cases are fixed and have equal weights. Each case has its
own spread over the seeds; the degrees of freedom are Satterthwaite's. For k comparisons the p-values are
corrected by Holm's method, the intervals by Bonferroni's.
"""
from __future__ import annotations

import dataclasses
import enum
import math
from collections.abc import Sequence

import numpy as np
from scipy import stats
from statsmodels.stats import multitest

from schedulegym.studies.curves import Array

ERROR = 0.05  # family-wise error of all comparisons
POWER = 0.8  # power of the proposed number of seeds
MOST_SEEDS = 1000
LOSS = 0.02  # loss of speed that "no worse" allows


class Verdict(enum.Enum):
    """Conclusion about an effect."""

    BETTER = "better"
    WORSE = "worse"
    EQUAL = "no difference"  # no difference as large as the smallest that matters
    OPEN = "not decidable with these seeds"
    UNKNOWN = "-"  # no pair was measured

    def text(self, smallest: str) -> str:
        """Returns the words of results and pages; `smallest` is the smallest relevant difference ('1 %')."""
        return f"no difference larger than {smallest}" if self is Verdict.EQUAL else str(self.value)


@dataclasses.dataclass(frozen=True)
class Effect:
    """A mean difference of logarithms and its uncertainty."""

    mean: float
    error: float  # its standard error
    freedom: float
    cases: int
    seeds: int  # pairs of the case with the fewest pairs
    deviation: float  # of one pair: root mean square over the cases

    def p_value(self) -> float:
        """Returns the two-sided p-value of the hypothesis of no effect."""
        return float(2 * stats.t.sf(self._distance(self.mean), self.freedom))

    def p_beyond(self, margin: float) -> float:
        """Returns the p-value of an effect of at least `margin`, on the likelier side (TOST)."""
        if abs(self.mean) >= margin:
            return 1.0
        return float(stats.t.sf(self._distance(margin - abs(self.mean)), self.freedom))

    def interval(self, error: float) -> tuple[float, float]:
        """Returns the interval that contains the effect with probability 1 - `error`."""
        reach = float(stats.t.isf(error / 2, self.freedom)) * self.error
        return self.mean - reach, self.mean + reach

    def _distance(self, length: float) -> float:
        return abs(length) / self.error if self.error else math.inf if length else 0.0


@dataclasses.dataclass(frozen=True)
class Judged:
    """An effect among several: interval and p-value are corrected for their number."""

    effect: Effect | None
    low: float | None
    high: float | None
    p: float | None
    verdict: Verdict
    seeds_needed: int | None  # seeds that would decide an open one; None where MOST_SEEDS would not


def effect_of(differences: Sequence[Array]) -> Effect | None:
    """Computes the effect from paired differences, an array per case; None if no case has two pairs."""
    cases = [case for case in differences if len(case) >= 2]
    if not cases:
        return None
    variances = np.array([case.var(ddof=1) for case in cases])
    counts = np.array([len(case) for case in cases])
    parts = variances / counts / len(cases) ** 2
    total = parts.sum()
    freedom = total**2 / (parts**2 / (counts - 1)).sum() if total else float((counts - 1).sum())
    return Effect(mean=float(np.mean([case.mean() for case in cases])),
                  error=math.sqrt(total), freedom=float(freedom), cases=len(cases),
                  seeds=int(counts.min()), deviation=math.sqrt(variances.mean()))


def judge(effects: Sequence[Effect | None], margin: float) -> list[Judged]:
    """Returns a verdict for each; `margin` is d, the smallest difference that matters, as a logarithm.

    An effect certainly within d is no difference, even if it is certainly not zero. An effect that
    looks smaller than d is neither better nor worse: more seeds would show that it is no difference.
    """
    known = [effect for effect in effects if effect is not None]
    if not known:
        return [_UNKNOWN for _ in effects]
    different = holm([effect.p_value() for effect in known])
    within = holm([effect.p_beyond(margin) for effect in known])
    judged = iter([_judge(effect, p, q, margin, len(known))
                   for effect, p, q in zip(known, different, within)])
    return [_UNKNOWN if effect is None else next(judged) for effect in effects]


def seeds_needed(effect: Effect, margin: float, comparisons: int) -> int | None:
    """Returns the number of seeds at which to expect a verdict if the effect is as estimated now."""
    error = ERROR / comparisons
    seeds = np.arange(effect.seeds + 1, MOST_SEEDS + 1)
    freedom = effect.freedom * (seeds - 1) / (effect.seeds - 1)
    size = effect.deviation / np.sqrt(effect.cases * seeds)
    power = stats.t.ppf(POWER, freedom)
    apart = abs(effect.mean) >= np.maximum((stats.t.isf(error / 2, freedom) + power) * size, margin)
    inside = margin - abs(effect.mean) >= (stats.t.isf(error, freedom) + power) * size
    enough = np.flatnonzero(apart | inside)
    return int(seeds[enough[0]]) if len(enough) else None


def shown(low: float | None, high: float | None, seeds: int | None) -> str:
    """Describes the interval of a gain (0.03 is 3 % faster); `seeds` would decide.

    A verdict is about relevance. This is about the side of 1 and of 0.98 on which the interval lies.
    """
    if low is None or high is None:
        return "-"
    if low > 0:
        return "better, shown"
    if high < 0:
        return "worse, shown"
    if low >= -LOSS:
        return f"no worse than {100 * LOSS:g} %, shown"
    return f"undecided: {seeds} seeds would" if seeds else f"undecided, as with {MOST_SEEDS} seeds"


_UNKNOWN = Judged(None, None, None, None, Verdict.UNKNOWN, None)


def holm(p_values: Sequence[float]) -> list[float]:
    """Corrects p-values for the number of tests by Holm's method."""
    if len(p_values) == 1:  # no correction needed, and the library collects garbage in each call
        return list(p_values)
    return [float(p) for p in multitest.multipletests(p_values, ERROR, method="holm")[1]]


def _judge(effect: Effect, p: float, beyond: float, margin: float, comparisons: int) -> Judged:
    low, high = effect.interval(ERROR / comparisons)
    is_apart = p < ERROR and abs(effect.mean) >= margin
    verdict = (Verdict.EQUAL if beyond < ERROR else Verdict.OPEN if not is_apart else
               Verdict.BETTER if effect.mean > 0 else Verdict.WORSE)
    needed = seeds_needed(effect, margin, comparisons) if verdict is Verdict.OPEN else None
    return Judged(effect, low, high, p, verdict, needed)
