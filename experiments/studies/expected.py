"""Expected: how long the runs that are missing should take, by those that are finished."""
from __future__ import annotations

import statistics
from collections.abc import Hashable, Mapping, Sequence

from schedulegym.studies.folder import Folder
from schedulegym.studies.runner import Runner
from schedulegym.studies.study import Run

Place = tuple[str, str, int]


def expected_seconds(runs: Sequence[Run], folder: Folder, runner: Runner,
                     width: int) -> dict[Place, float]:
    """Of each of `runs` that the folder lacks, with its share of the machine: `width` runs that nothing is
    measured for go side by side.

    As long as finished runs of its case and arm took in the mean, else as those of its arm; else by the
    runner's guess, which is scaled by how far it was off for those that are finished.
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
