"""Runner: the port through which a study's runs are made; the engine knows nothing else of them."""
from __future__ import annotations

import pathlib
from typing import Protocol

from schedulegym.studies.outcome import Outcome, Timing
from schedulegym.studies.study import Run


class Runner(Protocol):
    """Travels to worker processes by pickle. Chance comes from the run's seed alone."""

    def check(self, run: Run) -> list[str]:
        """Returns the warnings of a run, such as a donor near a test task. Raises ValueError, in one
        line, if the run cannot be made. Nothing is measured."""

    def expected_seconds(self, run: Run) -> float:
        """A guess, for what is said before the first run."""

    def verify(self, run: Run, store: pathlib.Path) -> bool:
        """Whether the reference of a live run's case is right; that is then kept in `store`, for all
        runs of the case to begin with."""

    def make(self, run: Run, store: pathlib.Path) -> tuple[Outcome, Timing]:
        """The whole search; a live one keeps its records in `store`, where at most the fact stands
        that its reference was verified."""
