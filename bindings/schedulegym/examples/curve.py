"""What the examples share: how far learning has come, as lines of JSON and of progress."""
from __future__ import annotations

import json
import pathlib
import sys
import time


class Curve:
    """The score of ended episodes: log of how many times as fast as the reference they ended."""

    def __init__(self, path: pathlib.Path | None, steps: int, points: int = 50) -> None:
        """A line in the file, and one on stderr, for each of so many parts of all steps."""
        self._file = path.open("w") if path else None
        self._steps, self._every = steps, max(1, steps // points)
        self._scores: list[float] = []
        self._best = float("-inf")
        self._next, self._begin = self._every, time.perf_counter()

    def add(self, score: float) -> None:
        """The score of an episode that has ended."""
        self._scores.append(score)
        self._best = max(self._best, score)

    def tell(self, step: int) -> None:
        """So many steps were taken, over all environments."""
        if step < self._next or not self._scores:
            return
        self._next = step + self._every
        rate = step / (time.perf_counter() - self._begin)
        point = {"step": step, "mean": sum(self._scores) / len(self._scores), "best": self._best,
                 "episodes": len(self._scores), "steps_per_second": rate}
        self._scores = []
        left = (self._steps - step) / rate
        print(f"{step}/{self._steps} steps, {rate:.0f}/s, mean {point['mean']:.3f}, best "
              f"{self._best:.3f}, {max(0.0, left):.0f} s left", file=sys.stderr, flush=True)
        if self._file:
            print(json.dumps(point), file=self._file, flush=True)
