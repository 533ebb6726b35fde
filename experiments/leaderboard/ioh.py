"""Results in IOHexperimenter's format, which IOHanalyzer and iohinspector read.

A folder for each entry; in it a JSON file for each case and its trajectories: a line for each trial
that was better than all before it. What is maximised is the speed over the reference.
"""
from __future__ import annotations

import json
import pathlib
import re
from collections.abc import Mapping

from schedulegym.leaderboard.contest import Contest
from schedulegym.studies.folder import replace
from schedulegym.studies.outcome import Outcome

_FORMAT = "0.3.9"  # version of IOHexperimenter, whose logger's format this is


def write_ioh(folder: pathlib.Path, contest: Contest,
              outcomes: Mapping[tuple[str, str, int], Outcome]) -> None:
    """Of all finished runs."""
    for entry in contest.entries:
        for number, case in enumerate(contest.study.cases, 1):
            runs = {seed: outcomes[case.name, entry.name, seed] for seed in contest.study.seeds
                    if (case.name, entry.name, seed) in outcomes}
            if runs:
                _write_case(folder / entry.name, number, case.name, entry.name, runs)


def _write_case(folder: pathlib.Path, number: int, case: str, entry: str,
                runs: Mapping[int, Outcome]) -> None:
    name = f"f{number}_{re.sub('[^A-Za-z0-9]+', '_', case).strip('_')}"
    data = f"data_{name}/IOHprofile_f{number}_DIM1.dat"
    lines, told = [], []
    for seed, outcome in runs.items():
        steps = _steps(outcome)
        lines += ["evaluations raw_y", *(f"{trial} {speed:.10f}" for trial, speed in steps)]
        trial, speed = steps[-1]
        told.append({"instance": seed + 1, "evals": len(outcome.speeds),
                     "best": {"evals": trial, "y": speed, "x": [0.0]}})
    replace(folder / data, "\n".join(lines) + "\n")
    replace(folder / f"IOHprofile_{name}.json", json.dumps({
        "version": _FORMAT, "suite": "ScheduleGym", "function_id": number, "function_name": case,
        "maximization": True, "algorithm": {"name": entry, "info": "ScheduleGym"},
        "attributes": ["evaluations", "raw_y"],
        "scenarios": [{"dimension": 1, "path": data, "runs": told}]}, indent=1) + "\n")


def _steps(outcome: Outcome) -> list[tuple[int, float]]:
    """(trial from 1, speed) wherever it was better than before; and the last trial."""
    steps: list[tuple[int, float]] = []
    best = 0.0
    for trial, speed in enumerate(outcome.speeds, 1):
        if speed is not None and speed > best:
            best = speed
            steps.append((trial, best))
    last = max(1, len(outcome.speeds))
    return steps if steps and steps[-1][0] == last else [*steps, (last, best)]
