"""Beam search in twenty lines: forks of an environment, the best of them kept at each step."""
from __future__ import annotations

import argparse
import math
import pathlib

import numpy as np
from curve import Curve

import schedulegym

DEPTH = 31


def search(env: schedulegym.ScheduleEnv, width: int, tries: int, rng: np.random.Generator,
           curve: Curve) -> schedulegym.ScheduleEnv:
    """The fastest place that a beam of `width` comes by; each is tried in `tries` ways a step."""
    env.reset()
    steps = 0
    beam, best = [(score(env), env)], (score(env), env)
    for _ in range(DEPTH):
        found: dict[schedulegym.ScheduleState, tuple[float, schedulegym.ScheduleEnv]] = {}
        for _, place in beam:
            legal = place.legal_actions()[1:]
            for action in rng.choice(legal, min(tries, len(legal)), replace=False):
                fork = place.fork()
                fork.step(action)
                value = score(fork)
                found.setdefault(fork.state, (value, fork))
                if math.isfinite(value):
                    curve.add(value)
                curve.tell(steps := steps + 1)
        beam = sorted(found.values(), key=lambda entry: -entry[0])[:width]
        best = max(best, beam[0], key=lambda entry: entry[0])
    return best[1]


def score(env: schedulegym.ScheduleEnv) -> float:
    """The logarithm of how many times as fast as the reference the place is.

    Minus infinity where it cannot be built.
    """
    speed = env.evaluations[-1]["speed"]
    return -math.inf if speed is None else math.log(speed)


def main() -> None:
    """Prints the schedule found, and how fast it is said to be."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workload", default="matmul(m=512,n=512,k=512)")
    parser.add_argument("--width", type=int, default=8)
    parser.add_argument("--tries", type=int, default=24)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--curve", type=pathlib.Path, help="file of how far it came by when")
    options = parser.parse_args()
    env = schedulegym.ScheduleEnv(options.workload, actions="modify", reward="difference",
                                  start="origin")
    curve = Curve(options.curve, DEPTH * options.width * options.tries)
    found = search(env, options.width, options.tries, np.random.default_rng(options.seed), curve)
    print(found.trace)
    print(f"# {math.exp(score(found)):.3f} times as fast as the reference, by the model")


if __name__ == "__main__":
    main()
