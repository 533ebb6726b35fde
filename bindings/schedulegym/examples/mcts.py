"""Tree search by upper confidence bounds in twenty lines: each node is a fork of an environment.

The model values a place at once, so nothing is rolled out; what is sought is one fast schedule, so a
node's value is the best score below it, not the mean.
"""
from __future__ import annotations

import argparse
import math
import pathlib

import numpy as np
from curve import Curve

import schedulegym


class Node:
    """A place, the actions that were not tried there yet, and the best score below it."""

    def __init__(self, env: schedulegym.ScheduleEnv, rng: np.random.Generator) -> None:
        self.env, self.visits, self.best = env, 0, -math.inf
        self.untried = [] if env.ended else list(rng.permutation(env.legal_actions()))
        self.children: list[Node] = []

    def best_child(self, weight: float) -> Node:
        """By upper confidence bound."""
        return max(self.children, key=lambda child: child.best + weight * math.sqrt(
            math.log(self.visits) / child.visits))


def search(env: schedulegym.ScheduleEnv, rounds: int, rng: np.random.Generator,
           curve: Curve) -> tuple[float, str]:
    """The best score that it came by, and its trace."""
    env.reset()
    root, best = Node(env, rng), (-math.inf, "")
    for number in range(rounds):
        path = [root]
        while not path[-1].untried and path[-1].children:
            path.append(path[-1].best_child(weight=0.1))
        if path[-1].untried:
            fork = path[-1].env.fork()
            fork.step(path[-1].untried.pop())
            path[-1].children.append(Node(fork, rng))
            path.append(path[-1].children[-1])
        place = path[-1].env
        score = math.log(place.evaluations[-1]["speed"])
        best = max(best, (score, place.trace))
        curve.add(score)
        curve.tell(number + 1)
        for node in path:
            node.visits, node.best = node.visits + 1, max(node.best, score)
    return best


def main() -> None:
    """Prints the schedule found, and how fast it is said to be."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workload", default="matmul(m=512,n=512,k=512)")
    parser.add_argument("--rounds", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--curve", type=pathlib.Path, help="file of how far it came by when")
    options = parser.parse_args()
    env = schedulegym.ScheduleEnv(options.workload, actions="modify", reward="difference",
                                  start="origin")
    curve = Curve(options.curve, options.rounds)
    score, trace = search(env, options.rounds, np.random.default_rng(options.seed), curve)
    print(trace)
    print(f"# {math.exp(score):.3f} times as fast as the reference, by the model")


if __name__ == "__main__":
    main()
