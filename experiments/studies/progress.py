"""Progress: how many runs are made, at what rate, and how long the rest should take."""
from __future__ import annotations

import contextlib
import json
import sys
import time
from collections.abc import Callable, Mapping
from typing import TextIO

from schedulegym.studies import standard_output
from schedulegym.studies.outcome import Outcome, Timing
from schedulegym.studies.study import Run


class Progress:
    """Tells of each run: a line that is written over on a terminal, else plain lines, at most one
    a second; with `json` an object a line on `out`. `expected`: seconds of each run that is left, by
    which the time left is told; without, all are taken to be alike."""

    def __init__(self, planned: int, made: int, *, as_json: bool = False, quiet: bool = False,
                 expected: Mapping[tuple[str, str, int], float] | None = None,
                 out: TextIO = sys.stdout, err: TextIO = sys.stderr,
                 clock: Callable[[], float] = time.monotonic) -> None:
        self._planned, self._made, self._now = planned, made, 0
        self._json, self._quiet = as_json, quiet
        self._out, self._err, self._clock = out, err, clock
        self._expected = dict(expected or {})
        self._done = 0.0  # of what was expected
        self._began = clock()
        self._said = -1.0

    def event(self, name: str, **fields: object) -> None:
        """An object a line, where that was asked for."""
        if self._json:
            standard_output.tell(json.dumps({"event": name, **fields}) + "\n", self._out)

    def say(self, text: str) -> None:
        """A line for people."""
        if not self._quiet:
            self._note(f"schedulegym: {text}\n")

    def run(self, run: Run, outcome: Outcome, timing: Timing) -> None:
        """One more is made."""
        self._made += 1
        self._now += 1
        case, arm, seed = run.place
        self._done += self._expected.pop(run.place, 0.0)
        elapsed = self._clock() - self._began
        self.event("run", case=case, arm=arm, seed=seed, trials=len(outcome.speeds),
                   speed=outcome.chosen, stopped=outcome.stopped, seconds=timing.wall,
                   made=self._made, planned=self._planned, left=self._left(elapsed))
        terminal = self._err.isatty()
        if self._quiet or (not terminal and self._made < self._planned and
                           0 <= elapsed - self._said < 1 and self._said >= 0):
            return
        self._said = elapsed
        line = (f"study: {self._made} of {self._planned} runs, "
                f"{60 * self._now / max(elapsed, 1e-9):.3g} a minute, "
                f"{duration(self._left(elapsed))} left; {case}, {arm}, seed {seed}")
        self._note(f"\r\x1b[K{line[:150]}" if terminal else line + "\n")

    def end(self) -> None:
        """Leaves the line standing."""
        if self._now and self._err.isatty() and not self._quiet:
            self._note("\n")

    def _note(self, text: str) -> None:
        """For people; where nobody can read it the work goes on."""
        with contextlib.suppress(OSError):
            self._err.write(text)
            self._err.flush()

    def _left(self, elapsed: float) -> float:
        if self._done and self._expected:
            return elapsed / self._done * sum(self._expected.values())
        return elapsed / self._now * (self._planned - self._made)


def duration(seconds: float) -> str:
    """For people."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
