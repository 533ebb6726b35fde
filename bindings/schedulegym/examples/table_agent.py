"""Q-learning in NumPy alone on a table that comes with the package: real speeds, nothing is run.

    python table_agent.py --steps 50000 --curve curve.jsonl
"""
from __future__ import annotations

import argparse
import math
import pathlib

import gymnasium
import numpy as np
from curve import Curve

import schedulegym


class Agent:
    """What each action was worth at each place so far, and how often it was taken there."""

    def __init__(self, actions: int, seed: int, discount: float = 0.95) -> None:
        self._worth: dict[bytes, np.ndarray] = {}
        self._taken: dict[bytes, np.ndarray] = {}
        self._actions, self._discount = actions, discount
        self._rng = np.random.default_rng(seed)

    def act(self, place: bytes, mask: np.ndarray, curiosity: float) -> int:
        """A legal action: with this chance any, else the best known; what is not known is 0."""
        legal = np.flatnonzero(mask)
        if self._rng.random() < curiosity:
            return int(self._rng.choice(legal))
        worth = self._at(self._worth, place)[legal]
        return int(self._rng.choice(legal[worth == worth.max()]))

    def learn(self, place: bytes, action: int, reward: float, follows: bytes | None,
              mask: np.ndarray) -> None:
        """Moves the action's worth to what it paid and what the best action after it pays."""
        after = 0.0
        if follows is not None:
            after = float(self._at(self._worth, follows)[np.flatnonzero(mask)].max())
        taken = self._at(self._taken, place)
        taken[action] += 1
        worth = self._at(self._worth, place)
        rate = max(0.1, 1 / taken[action])
        worth[action] += rate * (reward + self._discount * after - worth[action])

    def _at(self, table: dict[bytes, np.ndarray], place: bytes) -> np.ndarray:
        return table.setdefault(place, np.zeros(self._actions))


def main() -> None:
    """Learns, and prints how fast the episodes of a greedy policy end."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--table", default="matmul", help="a file, or one that comes along")
    parser.add_argument("--steps", type=int, default=50_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--curve", type=pathlib.Path, help="file of the learning curve")
    options = parser.parse_args()
    env = gymnasium.make("ScheduleGym/ModifyTable-v0", table=options.table, steps=16,
                         reward="difference").unwrapped
    assert isinstance(env, schedulegym.ScheduleEnv)
    _, info = env.reset(seed=options.seed)
    agent = Agent(len(info["action_mask"]), options.seed)
    curve = Curve(options.curve, options.steps)

    for step in range(1, options.steps + 1):
        place = env.trace.encode()
        action = agent.act(place, info["action_mask"], 1 - step / options.steps)
        _, reward, ended, _, info = env.step(action)
        agent.learn(place, action, reward, None if ended else env.trace.encode(),
                    info["action_mask"])
        if ended:
            if info["outcome"] == "ok":
                curve.add(math.log(info["speed"]))
            _, info = env.reset()
        curve.tell(step)
    print(f"{env.clock:.0f} s of measuring for {options.steps} steps, had they been measured")


if __name__ == "__main__":
    main()
