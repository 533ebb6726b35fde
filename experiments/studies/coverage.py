"""Coverage of nominal 95 % intervals, on synthetic studies whose true value is known.

    python -m schedulegym.studies.coverage [--studies N] [--seed N]

Each study has six cases of different levels. Seeds scatter in three ways: evenly on a log scale, towards
the worse (searches that get stuck), and seldom but far (one search in ten finds little). The true value is
the limit of the estimate for many seeds. Cases are alike or apart: in their levels or, where arms are
compared, in the gain of the better arm.

Results: docs/results/intervals.md.
"""
from __future__ import annotations

import argparse
import dataclasses
import functools
from collections.abc import Callable, Sequence

import numpy as np

from schedulegym.studies import effects, estimates
from schedulegym.studies.curves import Array

SEEDS = (3, 5, 10, 20)
CASES = 6
_DRAWS = 500  # draws of each bootstrap
_MANY = 20000  # seeds that approximate infinitely many


def _even(rng: np.random.Generator, shape: tuple[int, int]) -> Array:
    return rng.normal(0, 0.05, shape)


def _stuck(rng: np.random.Generator, shape: tuple[int, int]) -> Array:
    return -rng.exponential(0.08, shape)


def _seldom(rng: np.random.Generator, shape: tuple[int, int]) -> Array:
    return rng.normal(0, 0.02, shape) - 0.5 * (rng.random(shape) < 0.1)


SCATTERS: dict[str, Callable[[np.random.Generator, tuple[int, int]], Array]] = {
    "even": _even, "stuck": _stuck, "seldom": _seldom}
# The difference of two successive cases, as a logarithm: small, or large.
LEVELS = {"alike": 0.0, "apart": 0.1}


@dataclasses.dataclass(frozen=True)
class Coverage:
    """The shares of intervals that contained the true value."""

    estimate: str
    scatter: str
    levels: str
    seeds: int
    plain: float | None  # of the bootstrap's intervals
    told: float  # of the widened intervals, which studies print

    def line(self) -> str:
        """Returns a line of the printed table."""
        plain = "-" if self.plain is None else f"{100 * self.plain:.1f}"
        return (f"{self.estimate:<26} {self.scatter:<7} {self.levels:<6} {self.seeds:>3} "
                f"{plain:>6} {100 * self.told:>6.1f}")


def _runs(rng: np.random.Generator, scatter: str, levels: str, seeds: int,
          better: float | Array = 0.0) -> Array:
    """Draws speeds, a row for each case."""
    steps = LEVELS[levels] * np.arange(CASES)[:, None]
    return np.asarray(np.exp(better - steps + SCATTERS[scatter](rng, (CASES, seeds))))


def interquartile_coverage(scatter: str, levels: str, seeds: int, studies: int,
                           rng: np.random.Generator) -> Coverage:
    """Coverage of the interquartile mean over six cases."""
    truth = float(estimates.interquartile_mean(_runs(rng, scatter, levels, _MANY).ravel()))

    def interval(widened: bool) -> estimates.Estimate:
        return estimates.interquartile_estimate(list(_runs(rng, scatter, levels, seeds)), rng,
                                                _DRAWS, widened)

    return Coverage("interquartile mean", scatter, levels, seeds,
                    _held(lambda: interval(False), truth, studies),
                    _held(lambda: interval(True), truth, studies))


def geometric_coverage(scatter: str, levels: str, seeds: int, studies: int,
                       rng: np.random.Generator) -> Coverage:
    """Coverage of the geometric mean, which parts of the gap use."""
    truth = float(np.exp(np.log(_runs(rng, scatter, levels, _MANY)).mean()))

    def interval() -> estimates.Estimate:
        return estimates.geometric_estimate(list(np.log(_runs(rng, scatter, levels, seeds))), rng,
                                            _DRAWS)

    return Coverage("geometric mean", scatter, levels, seeds, None, _held(interval, truth, studies))


def improvement_coverage(better: float, scatter: str, levels: str, seeds: int, studies: int,
                         rng: np.random.Generator) -> Coverage:
    """Coverage of the probability of improvement; an arm is faster by `better` in the mean of the cases."""
    centre = (CASES - 1) / 2
    gains = better + LEVELS[levels] * (np.arange(CASES)[:, None] - centre)
    ours = np.sort(_runs(rng, scatter, "alike", _MANY, gains))
    theirs = np.sort(_runs(rng, scatter, "alike", _MANY))
    truth = float(np.mean([np.searchsorted(b, a).mean() / _MANY for a, b in zip(ours, theirs)]))

    def interval(widened: bool) -> estimates.Estimate:
        return estimates.improvement_estimate(
            list(_runs(rng, scatter, "alike", seeds, gains)),
            list(_runs(rng, scatter, "alike", seeds)), rng, _DRAWS, widened)

    return Coverage(f"improvement of {100 * better:g} %", scatter, levels, seeds,
                    _held(lambda: interval(False), truth, studies),
                    _held(lambda: interval(True), truth, studies))


def effect_coverage(scatter: str, levels: str, seeds: int, studies: int,
                    rng: np.random.Generator) -> Coverage:
    """Coverage of a paired effect of 3 %."""
    def interval() -> estimates.Estimate:
        pairs = (np.log(_runs(rng, scatter, levels, seeds, 0.03)) -
                 np.log(_runs(rng, scatter, levels, seeds)))
        effect = effects.effect_of(list(pairs))
        assert effect is not None
        return estimates.Estimate(effect.mean, *effect.interval(1 - estimates.LEVEL))

    return Coverage("paired effect", scatter, levels, seeds, None, _held(interval, 0.03, studies))


def _held(interval: Callable[[], estimates.Estimate], truth: float, studies: int) -> float:
    found = [interval() for _ in range(studies)]
    return float(np.mean([one.low is not None and one.high is not None and
                          one.low <= truth <= one.high for one in found]))


_Measure = Callable[[str, str, int, int, np.random.Generator], Coverage]
MEASURES: Sequence[tuple[_Measure, Sequence[str]]] = (
    (interquartile_coverage, list(LEVELS)),
    (functools.partial(improvement_coverage, 0.03), list(LEVELS)),
    (functools.partial(improvement_coverage, 0.2), list(LEVELS)),  # nearly every pair is won
    (effect_coverage, ["alike"]),
    (geometric_coverage, list(LEVELS)))


def main(words: list[str] | None = None) -> None:
    """Prints a line for each estimate, scatter and number of seeds."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--studies", type=int, default=1000, help="of each kind (default 1000)")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args(words)
    rng = np.random.default_rng(given.seed)
    print(f"{'estimate':<26} {'scatter':<7} {'cases':<6} seeds  plain   told")
    for measure, all_levels in MEASURES:
        for scatter in SCATTERS:
            for levels in all_levels:
                for seeds in SEEDS:
                    print(measure(scatter, levels, seeds, given.studies, rng).line(), flush=True)


if __name__ == "__main__":
    main()
