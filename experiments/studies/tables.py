"""Writes the results of a study: results.json, results.csv with a row per run, timing.json."""
from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from typing import Any

from schedulegym.studies import curves
from schedulegym.studies.folder import Folder, replace
from schedulegym.studies.leakage import sees_estimate
from schedulegym.studies.machine import VERSION, versions_of
from schedulegym.studies.outcome import Outcome
from schedulegym.studies.study import Run
from schedulegym.studies.summary import Place, Summary


def write_results(folder: Folder, runs: list[Run], summary: Summary, machine: dict[str, Any]
                  ) -> dict[str, Any]:
    """Writes all three files; returns the contents of results.json."""
    told = significant({**summary.told(), "versions": versions_of(folder.makers(runs))})
    replace(folder.path / "results.json", json.dumps(told, indent=1, allow_nan=False) + "\n")
    replace(folder.path / "results.csv", results_csv(summary, _versions(folder, runs)))
    replace(folder.path / "timing.json", json.dumps(timings_of(folder, runs, machine), indent=1) +
            "\n")
    return told


def significant(told: Any) -> Any:
    """Rounds to nine digits: the last ones of a mean or a logarithm depend on the processor."""
    if isinstance(told, float):
        return float(f"{told:.9g}")
    if isinstance(told, dict):
        return {key: significant(value) for key, value in told.items()}
    return [significant(value) for value in told] if isinstance(told, list | tuple) else told


def results_csv(summary: Summary, versions: Mapping[Place, str]) -> str:
    """Returns rows in the order of the study's cases, arms and seeds; unknown cells are empty."""
    study, grid = summary.study, summary.grid(seconds=False)
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(["case", "arm", "seed", "sees_evaluator", "trials", "failed", "seconds",
                     "stopped", "chosen", "measured", "version",
                     *(f"best_after_{point}" for point in grid)])
    for case in study.cases:
        for arm in study.arms:
            seeds = [seed for seed in study.seeds if summary.made(case.name, arm.name, seed)]
            for seed, outcome in zip(seeds, summary.outcomes_of(case.name, arm.name)):
                sees = "yes" if case.kind == "analytical" and sees_estimate(arm.agent) else "no"
                writer.writerow([case.name, arm.name, seed, sees, *_cells(outcome),
                                 versions.get((case.name, arm.name, seed)),
                                 *_curve(outcome, grid)])
    return file.getvalue()


def _cells(outcome: Outcome) -> list[object]:
    return [len(outcome.speeds), sum(outcome.failures.values()), outcome.total, outcome.stopped,
            outcome.chosen, outcome.measured]


def _curve(outcome: Outcome, grid: list[int]) -> list[float | None]:
    best = curves.best_so_far(outcome.speeds, outcome.truths)
    told = curves.at_trials(best, grid, outcome.ended)
    return [None if speed != speed else float(speed) for speed in told]


def _versions(folder: Folder, runs: list[Run]) -> dict[Place, str]:
    """Returns the version that made each finished run, if recorded."""
    found = {run.place: folder.timing(run) for run in runs if folder.has(run)}
    return {place: timing.facts[VERSION] for place, timing in found.items()
            if timing is not None and VERSION in timing.facts}


def timings_of(folder: Folder, runs: list[Run], machine: dict[str, Any]) -> dict[str, Any]:
    """Returns the wall time of each finished run; no result depends on it."""
    told = []
    for run in sorted(runs, key=lambda run: run.place):
        timing = folder.timing(run)
        if timing is not None and folder.has(run):
            told.append({"case": run.place[0], "arm": run.place[1], "seed": run.seed,
                         "wall": timing.wall, "phases": timing.phases})
    return {"machine": machine, "runs": told}
