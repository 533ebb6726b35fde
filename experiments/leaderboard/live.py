"""Live: what a board needs beside its searches where these are measured: winners, and the clock."""
from __future__ import annotations

import dataclasses
import pathlib
import statistics
import time
from collections.abc import Callable, Mapping, Sequence

from schedulegym.leaderboard.contest import Contest
from schedulegym.leaderboard.winners import Again, keep_winner, measure_again, missing_winners
from schedulegym.studies import engine, engines
from schedulegym.studies.faults import StudyError
from schedulegym.studies.folder import Folder
from schedulegym.studies.outcome import Timing
from schedulegym.studies.progress import Progress
from schedulegym.studies.runner import Runner
from schedulegym.studies.study import Run
from schedulegym.studies.vendors import Beside, measure_missing, measure_vendor, tell_measured

_Clock = Callable[[], float]


@dataclasses.dataclass
class LiveClock:
    """Of one call of the command: all of it beside what it was for."""

    runs: Sequence[Run]
    folder: Folder
    clock: _Clock = time.monotonic
    again: float = 0.0  # seconds of measuring winners again
    winners: int = 0
    beside: float = 0.0  # seconds of measuring vendors

    def __post_init__(self) -> None:
        self._began = self.clock()
        self._before = {run.place for run in self.runs if self.folder.has(run)}

    @property
    def elapsed(self) -> float:
        """Seconds since the call began."""
        return self.clock() - self._began

    def fields(self) -> dict[str, float | int | None]:
        """Seconds of searches, winners, vendors and of all; and all over the sum of the three."""
        made = [run for run in self.runs
                if run.place not in self._before and self.folder.has(run)]
        searches = sum(timing.wall for run in made if (timing := self.folder.timing(run)))
        wall, useful = self.elapsed, searches + self.again + self.beside
        return {"searched": len(made), "search_seconds": searches, "winners": self.winners,
                "winner_seconds": self.again, "vendor_seconds": self.beside, "wall_seconds": wall,
                "wall_over_measured": wall / useful if useful else None}

    def text(self) -> str | None:
        """For people; None where nothing was measured."""
        told = self.fields()
        if told["wall_over_measured"] is None:
            return None
        return (f"{told['searched']} searches took {told['search_seconds']:.1f} s, measuring "
                f"{told['winners']} winners again {told['winner_seconds']:.1f} s, vendors "
                f"{told['vendor_seconds']:.1f} s; all of it "
                f"{told['wall_seconds']:.1f} s, {told['wall_over_measured']:.3f} of these")


def refuse_many_machines(contest: Contest, engine: str) -> None:
    """StudyError where a live board's runs would be spread."""
    if contest.track == "live" and engine != "local":
        raise StudyError(f"--engine: found {engine}, expected local: a live board is measured on one "
                         "machine")


def timings_by_entry(contest: Contest, folder: Folder) -> dict[str, list[Timing]]:
    """Of a live board's searches; others have none that say anything."""
    found: dict[str, list[Timing]] = {}
    for run in contest.runs() if contest.track == "live" else []:
        timing = folder.timing(run)
        if timing is not None and folder.has(run):
            found.setdefault(run.arm.name, []).append(timing)
    return found


def thinking_of(timings: Mapping[str, Sequence[Timing]]) -> dict[str, float]:
    """Seconds that a run's proposals took in the mean, by entry."""
    return {name: statistics.fmean(one.phases.get("propose", 0.0) for one in found)
            for name, found in timings.items()}


def with_winners(make_runs: engines.MakeRuns, live: LiveClock, progress: Progress,
                 again: Again = measure_again, beside: Beside = measure_vendor) -> engines.MakeRuns:
    """Makes the runs, and measures then, one at a time, what each of them ended with, and vendors."""
    def make(runs: list[Run], folder: Folder, runner: Runner, *, tell: engine.Tell,
             seconds: float | None = None) -> engine.Ending:
        end = make_runs(runs, folder, runner, tell=tell, seconds=seconds)
        _measure_winners(live, progress, seconds, again, end)
        if not end.left:
            _measure_vendors(live, progress, seconds, beside)
        return end

    return make


def _measure_winners(live: LiveClock, progress: Progress, seconds: float | None, again: Again,
                     end: engine.Ending) -> None:
    """None begins once the seconds are over; what a busy machine gives no answer to has failed."""
    waiting = missing_winners(live.runs, live.folder)
    for place, (run, trace) in enumerate(waiting):
        if seconds is not None and live.elapsed >= seconds:
            end.left += len(waiting) - place
            return
        winner = again(run, trace, _store(live.folder, run))
        live.again += winner.seconds
        live.winners += 1
        keep_winner(run, live.folder, winner)
        case, entry, seed = run.place
        progress.event("winner", case=case, entry=entry, seed=seed, speed=winner.speed,
                       low=winner.low, high=winner.high, why=winner.why, seconds=winner.seconds)
        if winner.speed is None and not winner.is_refuted:
            end.failed.append((run, f"its winner has no time yet: {winner.why}"))


def _measure_vendors(live: LiveClock, progress: Progress, seconds: float | None,
                     beside: Beside) -> None:
    for found in measure_missing(live.runs, live.folder,
                                 lambda: seconds is not None and live.elapsed >= seconds, beside):
        live.beside += found.seconds
        tell_measured(progress, found)


def _store(folder: Folder, run: Run) -> pathlib.Path | None:
    """That of the search, which may know that the reference is right."""
    path = folder.store(run)
    return path if path.exists() else None
