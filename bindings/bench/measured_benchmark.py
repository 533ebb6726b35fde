"""Measured environments beside a search: trials a second of both, over as many trials, in one run.

    python bindings/bench/measured_benchmark.py [--trials 64] [--workload SPEC] [--target SPEC]

A vector of 16 environments under a random policy, once in step and once by send and recv, against
tune(agent="random"). Each side is run in two halves, in the order there and back, so that a drift
of the machine falls on all alike; each half begins anew, workers and reference included. Exit code
1 where send and recv reach less than 0.9 of the search.
"""
from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable

import gymnasium
import numpy as np

import schedulegym

COUNT = 16
BAR = 0.9
SPACE = "ansor"


def draw(masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A legal action of each row, all as likely."""
    chances = rng.random(masks.shape, np.float32)
    return np.where(masks != 0, chances, -1).argmax(axis=1)


def vector_of(arguments: argparse.Namespace, batch: int) -> gymnasium.vector.VectorEnv:
    return gymnasium.make_vec("ScheduleGym/Modify-v0", COUNT, workload=arguments.workload,
                              target=arguments.target, space=SPACE, batch_size=batch)


def in_step(arguments: argparse.Namespace, trials: int, seed: int) -> int:
    """Failed ones among so many trials of step()."""
    vector, rng = vector_of(arguments, COUNT), np.random.default_rng(seed)
    infos = vector.reset(seed=seed)[1]
    done = failed = 0
    while done < trials:
        _, _, terminated, _, infos = vector.step(draw(infos["action_mask"], rng))
        done += int(terminated.sum())
        failed += failures(infos)
    vector.close()
    return failed


def by_send(arguments: argparse.Namespace, trials: int, seed: int) -> int:
    """Failed ones among so many trials of send() and recv()."""
    vector, rng = vector_of(arguments, 4), np.random.default_rng(seed)
    vector.async_reset(seed=seed)
    done = failed = 0
    while done < trials:
        _, _, terminated, _, infos = vector.recv()
        done += int(terminated.sum())
        failed += failures(infos)
        vector.send(draw(infos["action_mask"], rng), infos["env_id"])
    vector.close()
    return failed


def by_tune(arguments: argparse.Namespace, trials: int, seed: int) -> int:
    """Failed ones among so many trials of a search."""
    result = schedulegym.tune(arguments.workload, target=arguments.target, agent="random",
                              space=SPACE, trials=trials, seed=seed, store=None, finalists=0)
    return trials - result.ok


def failures(infos: dict) -> int:
    """How many of those that were judged failed."""
    if "outcome" not in infos:
        return 0
    return sum(outcome is not None and outcome != "ok" for outcome in infos["outcome"])


def main() -> int:
    """Prints a line for each half, then the sides and their ratios."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trials", type=int, default=256, help="of each side")
    parser.add_argument("--workload", default="matmul(m=512,n=512,k=512)")
    parser.add_argument("--target", default="llvm(cores=1)")
    arguments = parser.parse_args()
    if arguments.trials < 2 * COUNT or arguments.trials % (2 * COUNT):
        parser.error(f"--trials: found {arguments.trials}, expected a multiple of {2 * COUNT}")
    sides: dict[str, Callable[[argparse.Namespace, int, int], int]] = {
        "tune": by_tune, "step": in_step, "send": by_send}
    seconds = dict.fromkeys(sides, 0.0)
    for half, names in enumerate((list(sides), list(reversed(sides)))):
        for name in names:
            begin = time.perf_counter()
            failed = sides[name](arguments, arguments.trials // 2, half)
            spent = time.perf_counter() - begin
            seconds[name] += spent
            print(f"{name} half {half + 1}: {arguments.trials // 2} trials in {spent:.2f} s, "
                  f"{failed} failed", flush=True)
    for name, spent in seconds.items():
        print(f"{name}: {arguments.trials / spent:.2f} trials/s, "
              f"{seconds['tune'] / spent:.2f} of tune")
    return 0 if seconds["tune"] / seconds["send"] >= BAR else 1


if __name__ == "__main__":
    sys.exit(main())
