"""Measured environments beside searches: trials a second of each, in one run.

    python experiments/bench/environments/measured_benchmark.py [--trials 256] [--workload SPEC] [--target SPEC]

A vector of 16 environments under a random policy, by send and recv and in step, against
tune(agent="random"), and against a search that proposes the very schedules at which the
environments end: what a trial takes depends on how slow its schedule is, and a random walk does not
end where random samples lie. Each side is run in two halves, in the order there and back, so that a drift of
the machine falls on all alike; each half begins anew, workers and reference included. Exit code 1
where send and recv reach less than 0.9 of the search of the same schedules.
"""
from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable

import numpy as np

import schedulegym

COUNT = 16
BAR = 0.9
SPACE = "ansor"


class Policy:
    """Legal actions, all as likely; each environment's are its own, whenever it is asked for."""

    def __init__(self, seed: int) -> None:
        self._rngs = [np.random.default_rng([seed, i]) for i in range(COUNT)]

    def __call__(self, ids: np.ndarray, masks: np.ndarray) -> np.ndarray:
        return np.array([self._rngs[i].choice(np.flatnonzero(mask)) for i, mask in zip(ids, masks)])


class Given(schedulegym.Agent):
    """Proposes given schedules, in order."""

    def __init__(self, states: list[schedulegym.ScheduleState]) -> None:
        self._left = list(states)

    def propose(self, task: schedulegym.Task, count: int) -> list[schedulegym.ScheduleState]:
        """The next of them."""
        some, self._left = self._left[:count], self._left[count:]
        return some


def vector_of(arguments: argparse.Namespace, source: str,
              batch: int) -> schedulegym.ScheduleVectorEnv:
    return schedulegym.ScheduleVectorEnv(
        COUNT, arguments.workload, target=arguments.target, actions="modify", source=source,
        space=SPACE, batch_size=batch)


def ends_of(vector: schedulegym.ScheduleVectorEnv, share: int, seed: int
            ) -> list[schedulegym.ScheduleState]:
    """Where the episodes end, so many of each environment."""
    policy, episodes = Policy(seed), np.zeros(COUNT, np.int64)
    ends = []
    vector.async_reset(seed=seed)
    while vector.in_flight:
        _, _, terminated, _, infos = vector.recv()
        ids = infos["env_id"]
        ends += [vector.state(i) for i in ids[terminated]]
        episodes[ids[terminated]] += 1
        on = episodes[ids] < share
        if on.any():
            vector.send(policy(ids[on], infos["action_mask"][on]), ids[on])
    vector.close()
    return ends


def by_send(arguments: argparse.Namespace, trials: int, seed: int) -> int:
    """Trials of send() and recv()."""
    return len(ends_of(vector_of(arguments, "measured", 4), trials // COUNT, seed))


def in_step(arguments: argparse.Namespace, trials: int, seed: int) -> int:
    """Trials of step(), a few more where several episodes end at once."""
    vector, policy = vector_of(arguments, "measured", COUNT), Policy(seed)
    infos = vector.reset(seed=seed)[1]
    done = 0
    while done < trials:
        _, _, terminated, _, infos = vector.step(policy(np.arange(COUNT), infos["action_mask"]))
        done += int(terminated.sum())
    vector.close()
    return done


def by_search(arguments: argparse.Namespace, trials: int, seed: int) -> int:
    """Trials of a random search."""
    return tuned(arguments, "random", trials, seed)


def of_same(arguments: argparse.Namespace, trials: int, seed: int) -> int:
    """Trials of a search that proposes what by_send measures."""
    ends = ends_of(vector_of(arguments, "model", COUNT), trials // COUNT, seed)
    return tuned(arguments, Given(ends), trials, seed)


def tuned(arguments: argparse.Namespace, agent: str | Given, trials: int, seed: int) -> int:
    return schedulegym.tune(arguments.workload, target=arguments.target, agent=agent, space=SPACE,
                            trials=trials, seed=seed, store=None, finalists=0).trials


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
        "random search": by_search, "step": in_step, "same search": of_same, "send": by_send}
    seconds, trials = dict.fromkeys(sides, 0.0), dict.fromkeys(sides, 0)
    for half, names in enumerate((list(sides), list(reversed(sides)))):
        for name in names:
            begin = time.perf_counter()
            done = sides[name](arguments, arguments.trials // 2, half)
            spent = time.perf_counter() - begin
            seconds[name] += spent
            trials[name] += done
            print(f"{name}, half {half + 1}: {done} trials in {spent:.2f} s", flush=True)
    rates = {name: trials[name] / seconds[name] for name in sides}
    for name, rate in rates.items():
        print(f"{name}: {rate:.2f} trials/s, {rate / rates['random search']:.2f} of the random "
              f"search, {rate / rates['same search']:.2f} of that of the same schedules")
    return 0 if rates["send"] >= BAR * rates["same search"] else 1


if __name__ == "__main__":
    sys.exit(main())
