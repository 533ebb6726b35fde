"""Progress: number of finished runs, their rate, and the expected time of the rest."""
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
    """Reports each run: on a terminal as one line that is overwritten, else as plain lines, at most one
    a second; with `json` as an object per line on `out`. `expected`: seconds of each remaining run, from
    which the time left is computed; without it all runs are assumed equal."""

    def __init__(self, planned: int, made: int, *, as_json: bool = False, quiet: bool = False,
                 expected: Mapping[tuple[str, str, int], float] | None = None,
                 out: TextIO = sys.stdout, err: TextIO = sys.stderr,
                 clock: Callable[[], float] = time.monotonic) -> None:
        self._planned, self._made, self._now = planned, made, 0
        self._json, self._quiet = as_json, quiet
        self._out, self._err, self._clock = out, err, clock
        self._expected = dict(expected or {})
        self._done = 0.0  # expected seconds of finished runs
        self._began = clock()
        self._said = -1.0

    def event(self, name: str, **fields: object) -> None:
        """Writes an object on one line, with `json` only."""
        if self._json:
            standard_output.tell(json.dumps({"event": name, **fields}) + "\n", self._out)

    def say(self, text: str) -> None:
        """Prints a line for the user."""
        if not self._quiet:
            self._note(f"schedulegym: {text}\n")

    def run(self, run: Run, outcome: Outcome, timing: Timing) -> None:
        """Reports one finished run."""
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
        """Ends the line, so that it stays visible."""
        if self._now and self._err.isatty() and not self._quiet:
            self._note("\n")

    def _note(self, text: str) -> None:
        """Writes to stderr; errors are ignored, so that the work continues."""
        with contextlib.suppress(OSError):
            self._err.write(text)
            self._err.flush()

    def _left(self, elapsed: float) -> float:
        if self._done and self._expected:
            return elapsed / self._done * sum(self._expected.values())
        return elapsed / self._now * (self._planned - self._made)


def duration(seconds: float) -> str:
    """Formats a duration."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
