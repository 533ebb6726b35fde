"""Expected: estimates the seconds of missing runs from those of finished runs."""
from __future__ import annotations

import statistics
from collections.abc import Hashable, Mapping, Sequence

from schedulegym.studies.folder import Folder
from schedulegym.studies.runner import Runner
from schedulegym.studies.study import Run

Place = tuple[str, str, int]


def expected_seconds(runs: Sequence[Run], folder: Folder, runner: Runner,
                     width: int) -> dict[Place, float]:
    """Returns the seconds of each missing run, divided by the number of concurrent runs.

    `width` runs that do not measure are concurrent. The estimate is the mean of finished runs of the same
    case and arm, else of the same arm, else the runner's guess, scaled by its error on finished runs.
    """
    walls: dict[Hashable, list[float]] = {}
    guessed = taken = 0.0
    for run in runs:
        timing = folder.timing(run) if folder.has(run) else None
        if timing is not None:
            for key in ((run.arm.name, run.case.name), run.arm.name):
                walls.setdefault(key, []).append(timing.wall)
            guessed, taken = guessed + runner.expected_seconds(run), taken + timing.wall
    scale = taken / guessed if guessed else 1.0
    means: Mapping[Hashable, float] = {key: statistics.fmean(found) for key, found in walls.items()}

    def seconds(run: Run) -> float:
        for key in ((run.arm.name, run.case.name), run.arm.name):
            if key in means:
                return means[key]
        return scale * runner.expected_seconds(run)

    return {run.place: seconds(run) / (1 if run.live else width)
            for run in runs if not folder.has(run)}
