"""Runner: the interface through which the engine makes a study's runs."""
from __future__ import annotations

import pathlib
from typing import Protocol

from schedulegym.studies.outcome import Outcome, Timing
from schedulegym.studies.study import Run


class Runner(Protocol):
    """Sent to worker processes by pickle. The run's seed is the only source of randomness."""

    def check(self, run: Run) -> list[str]:
        """Returns the warnings of a run, such as a donor near a test task. Raises ValueError, in one
        line, if the run cannot be made. Nothing is measured."""

    def expected_seconds(self, run: Run) -> float:
        """Returns an estimate, used before the first run."""

    def verify(self, run: Run, store: pathlib.Path) -> bool:
        """Returns whether the reference of a live run's case is correct. If so, `store` keeps this fact for
        all runs of the case."""

    def make(self, run: Run, store: pathlib.Path) -> tuple[Outcome, Timing]:
        """Runs the whole search; a live one keeps its records in `store`, which contains at most the fact
        that its reference was verified."""
