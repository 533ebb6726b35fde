"""Power: whether studies detect planted effects and no others, on synthetic runs with this machine's noise.

    python -m schedulegym.studies.power [--studies N] [--seed N] [--smoke]

A study has two arms, six cases and ten seeds. In half of the studies one arm is truly 3 % better, in the
other half both are equal. The spread of a case's seeds is drawn for each case from the spreads of three
searches of 1000 trials each on nine workloads (README's table of three seeds, 2026-11-23). Each reading
adds a deviation of 1 %.
"""
from __future__ import annotations

import argparse
import dataclasses
import math
import sys
from collections.abc import Callable

import numpy as np

from schedulegym.studies import effects
from schedulegym.studies.curves import Array

CASES, SEEDS = 6, 10
PLANTED = 0.03
MARGIN = 0.01
READING = 0.01
LEAST_FOUND, MOST_FALSE = 0.9, 0.05  # the bar
# Ratios to the best peer for the seeds 0, 1 and 2, without `norm`, whose peer is not reproducible.
MEASURED = np.array([
    [1.066, 0.958, 1.035], [1.024, 1.019, 1.019], [0.959, 1.035, 0.874], [1.031, 1.029, 1.032],
    [1.010, 1.025, 1.028], [0.897, 1.013, 0.996], [1.286, 1.320, 1.422], [1.726, 1.693, 1.670],
    [0.994, 0.978, 0.927]])
DEVIATIONS = np.log(MEASURED).std(axis=1, ddof=1)


@dataclasses.dataclass(frozen=True)
class Found:
    """The shares of studies with these verdicts."""

    planted: float  # better, if planted
    false: float  # better or worse, if equal

    @property
    def passed(self) -> bool:
        """Whether both shares meet the bar."""
        return self.planted >= LEAST_FOUND and self.false <= MOST_FALSE


def try_studies(studies: int, rng: np.random.Generator) -> Found:
    """Runs `studies` studies with the effect and as many without."""
    def share(better: float, wanted: set[effects.Verdict]) -> float:
        return float(np.mean([_verdict(better, rng) in wanted for _ in range(studies)]))

    return Found(share(math.log1p(PLANTED), {effects.Verdict.BETTER}),
                 share(0.0, {effects.Verdict.BETTER, effects.Verdict.WORSE}))


def _verdict(better: float, rng: np.random.Generator) -> effects.Verdict:
    deviations = rng.choice(DEVIATIONS, CASES)

    def arm(shift: float) -> list[Array]:
        return [shift + rng.normal(0, math.hypot(deviation, READING), SEEDS)
                for deviation in deviations]

    pairs = [ours - theirs for ours, theirs in zip(arm(better), arm(0.0))]
    return effects.judge([effects.effect_of(pairs)], math.log1p(MARGIN))[0].verdict


def main(words: list[str] | None = None, say: Callable[[str], None] = print) -> int:
    """Returns the exit code, 1 if the bar is missed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--studies", type=int, default=200, help="of each kind (default 200)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--smoke", action="store_true", help="forty of each kind")
    given = parser.parse_args(words)
    studies = 40 if given.smoke else given.studies
    found = try_studies(studies, np.random.default_rng(given.seed))
    say(f"{studies} studies of {CASES} cases x {SEEDS} seeds, deviation between seeds "
        f"{100 * math.sqrt(np.mean(DEVIATIONS**2)):.1f} % and of a reading {100 * READING:g} %")
    say(f"{100 * PLANTED:g} % better, found: {100 * found.planted:.1f} % "
        f"(bar {100 * LEAST_FOUND:g} %)")
    say(f"no difference, found all the same: {100 * found.false:.1f} % "
        f"(bar {100 * MOST_FALSE:g} %)")
    return 0 if found.passed else 1


if __name__ == "__main__":
    sys.exit(main())
