"""Networks as cases: a run over many tasks is told by what the network takes with all of them.

A task counts as often as the network runs it: by its fastest schedule so far, or by its reference
until there is a faster one. So a network is never slower than its references are, and never becomes
slower.
"""
from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Sequence

from schedulegym.studies.outcome import Outcome
from schedulegym.tuning import Trial, Tuner, TuneResult


@dataclasses.dataclass(frozen=True)
class Searched:
    """A task of a run, and how often it counts."""

    result: TuneResult
    count: int


def trials_of(tasks: Sequence[Searched]) -> list[Trial]:
    """Those of all tasks, in the order of time."""
    return [trial for _, trial in _in_time(tasks)]


def phases_of(tasks: Sequence[Searched]) -> dict[str, float]:
    """Seconds of each over all tasks, whose agents are loaded once for all."""
    first = tasks[0].result.time
    phases = {phase: sum(task.result.time[phase] for task in tasks) for phase in first}
    return {**phases, "load": first["load"]}


def network_outcome(tasks: Sequence[Searched], simulated: Sequence[float] | None = None) -> Outcome:
    """`simulated` says when each trial of trials_of() was over where nothing ran: then what trials
    tell is true. What it ends with, is each task's final one, finalists included."""
    weights = _weights(tasks)
    speeds = _speeds(tasks, weights)
    failures: Counter[str] = Counter()
    for task in tasks:
        failures.update(task.result.failed)
    if simulated is None:
        elapsed = [trial.elapsed for trial in trials_of(tasks)]
        total = max(task.result.elapsed for task in tasks)
    else:
        elapsed = list(simulated)
        total = elapsed[-1] if elapsed else 0.0
    return Outcome(
        speeds=tuple(speeds), elapsed=tuple(elapsed), total=total, stopped=_stopped(tasks),
        failures=dict(sorted(failures.items())),
        chosen=_speed(weights, [task.result.ratio or 1.0 for task in tasks]),
        measured=speeds[-1] if simulated is not None and speeds else None)


def _in_time(tasks: Sequence[Searched]) -> list[tuple[int, Trial]]:
    """Each trial with the position of its task."""
    pairs = [(place, trial) for place, task in enumerate(tasks) for trial in task.result.history]
    return sorted(pairs, key=lambda pair: pair[1].elapsed)


def _speeds(tasks: Sequence[Searched], weights: Sequence[float]) -> list[float | None]:
    """After each trial, the network's so far; None while no task has a success."""
    speeds: list[float | None] = []
    ratios, is_known = [1.0] * len(tasks), False
    for place, trial in _in_time(tasks):
        if trial.ratio is not None:
            is_known = True
            ratios[place] = max(ratios[place], trial.ratio)
        speeds.append(_speed(weights, ratios) if is_known else None)
    return speeds


def _speed(weights: Sequence[float], ratios: Sequence[float]) -> float:
    """Over the references, whose seconds in the network are the weights."""
    return sum(weights) / sum(weight / ratio for weight, ratio in zip(weights, ratios))


def _stopped(tasks: Sequence[Searched]) -> str:
    """By what has ended the search of those tasks that were not through."""
    reasons = [task.result.stopped for task in tasks]
    return next((reason for reason in reasons if reason != "exhausted"), "exhausted")


def _weights(tasks: Sequence[Searched]) -> list[float]:
    """Seconds of all calls of each task's reference.

    Of one that there was no time to measure, by the estimate, on the scale of the others.
    """
    timed = [_reference_seconds(task.result) for task in tasks]
    known = {place: seconds for place, seconds in enumerate(timed) if seconds is not None}
    if len(known) < len(tasks):
        estimates = _estimates(tasks)
        scale = sum(known.values()) / sum(estimates[place] for place in known) if known else 1.0
        known = {place: known.get(place, scale * estimate)
                 for place, estimate in enumerate(estimates)}
    return [task.count * known[place] for place, task in enumerate(tasks)]


def _reference_seconds(result: TuneResult) -> float | None:
    """Where anything of the task was timed: a session has one time of a reference."""
    for trial in result.history:
        if trial.seconds is not None and trial.ratio is not None:
            return trial.seconds * trial.ratio
    return None if result.seconds is None else result.seconds * (result.ratio or 1.0)


def _estimates(tasks: Sequence[Searched]) -> list[float]:
    """Of each reference: the smallest search tells them."""
    all_tasks = [task.result.task for task in tasks]
    ends = Tuner(all_tasks, target=all_tasks[0].target, agent="random", measure="analytical",
                 store=None).run(trials=1)
    return [seconds for seconds in map(_reference_seconds, ends) if seconds is not None]
