"""Networks as cases: a run over many tasks is evaluated by the latency of the whole network.

A task counts as often as the network runs it, with its fastest schedule so far, or with its reference
until there is a faster one. So a network is never slower than with its references, and never becomes
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
    """A task of a run and its number of calls in the network."""

    result: TuneResult
    count: int


def trials_of(tasks: Sequence[Searched]) -> list[Trial]:
    """Returns the trials of all tasks, in the order of time."""
    return [trial for _, trial in _in_time(tasks)]


def phases_of(tasks: Sequence[Searched]) -> dict[str, float]:
    """Returns the seconds of each phase over all tasks; agents are loaded once for all tasks."""
    first = tasks[0].result.time
    phases = {phase: sum(task.result.time[phase] for task in tasks) for phase in first}
    return {**phases, "load": first["load"]}


def network_outcome(tasks: Sequence[Searched], simulated: Sequence[float] | None = None) -> Outcome:
    """Returns the outcome of a network. `simulated`: end of each trial of trials_of() if nothing ran; the
    trials' speeds are then true. The chosen speed is that of the tasks' final schedules, with finalists."""
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
    """Returns each trial with the position of its task."""
    pairs = [(place, trial) for place, task in enumerate(tasks) for trial in task.result.history]
    return sorted(pairs, key=lambda pair: pair[1].elapsed)


def _speeds(tasks: Sequence[Searched], weights: Sequence[float]) -> list[float | None]:
    """Returns the network's speed so far after each trial; None until a task has a success."""
    speeds: list[float | None] = []
    ratios, is_known = [1.0] * len(tasks), False
    for place, trial in _in_time(tasks):
        if trial.ratio is not None:
            is_known = True
            ratios[place] = max(ratios[place], trial.ratio)
        speeds.append(_speed(weights, ratios) if is_known else None)
    return speeds


def _speed(weights: Sequence[float], ratios: Sequence[float]) -> float:
    """Returns the speed over the references; the weights are their seconds in the network."""
    return sum(weights) / sum(weight / ratio for weight, ratio in zip(weights, ratios))


def _stopped(tasks: Sequence[Searched]) -> str:
    """Returns the reason that ended the search of the tasks that were not exhausted."""
    reasons = [task.result.stopped for task in tasks]
    return next((reason for reason in reasons if reason != "exhausted"), "exhausted")


def _weights(tasks: Sequence[Searched]) -> list[float]:
    """Returns the seconds of all calls of each task's reference.

    A reference without a measurement has its estimate, scaled to the others.
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
    """Returns the reference's seconds, from any timed trial of the task: a session times it once."""
    for trial in result.history:
        if trial.seconds is not None and trial.ratio is not None:
            return trial.seconds * trial.ratio
    return None if result.seconds is None else result.seconds * (result.ratio or 1.0)


def _estimates(tasks: Sequence[Searched]) -> list[float]:
    """Returns the estimate of each reference, from a search of one trial."""
    all_tasks = [task.result.task for task in tasks]
    ends = Tuner(all_tasks, target=all_tasks[0].target, agent="random", measure="analytical",
                 store=None).run(trials=1)
    return [seconds for seconds in map(_reference_seconds, ends) if seconds is not None]
