"""Searches of a store as a study: an arm for each agent and space."""
from __future__ import annotations

import dataclasses
import itertools
import json
import pathlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from schedulegym import Record, RecordStore, Target
from schedulegym.studies.chosen import chosen_of
from schedulegym.studies.faults import StudyError
from schedulegym.studies.machine import facts_of_session
from schedulegym.studies.outcome import Outcome, Timing
from schedulegym.studies.study import Arm, Case, Study
from schedulegym.studies.summary import Place
from schedulegym.studies.tune_runner import replay_line, workload_anywhere

Line = tuple[Record, dict[str, Any]]  # and its notes as JSON


@dataclasses.dataclass(frozen=True)
class Searches:
    """The contents of a store."""

    study: Study
    outcomes: dict[Place, Outcome]
    timings: dict[str, list[Timing]]  # by arm; the seconds of proposing are not recorded
    facts: list[dict[str, str]]  # of each search's machine


def read_lines(store: RecordStore) -> list[Line]:
    """Returns all records, in the order of appending."""
    return [(record, json.loads(record.to_line())) for record in store]


def read_searches(path: pathlib.Path) -> Searches:
    """Reads the searches; raises StudyError for a store without records."""
    with RecordStore(path) as store:
        return searches_of(path, read_lines(store))


def cases_of(lines: Sequence[Line]) -> list[str]:
    """Returns the name of each record's task: its workload, with target and evaluator if several tasks of
    one workload differ in them."""
    targets = _several(lines, lambda line: str(line["task"]["target"]))
    kinds = _several(lines, kind_of)
    return [record.workload +
            (f" on {line['task']['target']}" if record.workload in targets else "") +
            (f", by {kind_of(line)}" if record.workload in kinds else "") for record, line in lines]


def searches_of(path: pathlib.Path, lines: Sequence[Line]) -> Searches:
    """Seconds are those of compiling, verifying and measuring: no others are recorded."""
    if not lines:
        raise StudyError(f"{path}: found no records, expected those of a search")
    searches: dict[Place, list[Line]] = {}
    arms: dict[str, Arm] = {}
    cases: dict[str, Case] = {}
    for case, (record, line) in zip(cases_of(lines), lines):
        name = arm_of(record)
        arms.setdefault(name, Arm(name, record.agent, record.space or None))
        cases.setdefault(case, Case(case, record.workload, kind_of(line)))
        searches.setdefault((case, name, record.seed), []).append((record, line))
    outcomes = {place: outcome_of(found) for place, found in searches.items()}
    study = Study(
        name=path.name, about="What a store of searches holds.",
        target=_short(lines[0][1]["task"]["target"]), cases=tuple(cases.values()),
        arms=tuple(arms.values()), factors=(), baseline=next(iter(arms)),
        seeds=tuple(sorted({place[2] for place in searches})),
        trials=max(len(outcome.speeds) for outcome in outcomes.values()), seconds=None,
        margin=0.01, order=0, cheating=False)
    timings: dict[str, list[Timing]] = {}
    for place, found in searches.items():
        timings.setdefault(place[1], []).append(_timing_of(found))
    return Searches(study, outcomes, timings,
                    [timing.facts for found in timings.values() for timing in found])


def arm_of(record: Record) -> str:
    """Returns the name of the agent and its space."""
    return f"{record.agent} in {record.space}" if record.space else record.agent


def kind_of(line: Mapping[str, Any]) -> str:
    """Returns the evaluator: 'host', 'analytical' or 'table'; only 'host' counts as measured."""
    protocol = (line.get("session") or {}).get("protocol")
    return protocol if protocol in ("analytical", "table") else "host"


def _several(lines: Iterable[Line], feature: Callable[[dict[str, Any]], str]) -> set[str]:
    """Returns the workloads whose searches differ in `feature`."""
    found: dict[str, set[str]] = {}
    for record, line in lines:
        found.setdefault(record.workload, set()).add(feature(line))
    return {workload for workload, features in found.items() if len(features) > 1}


def _short(target: str) -> str:
    """Returns the target's short name on this machine, if it has one."""
    name = target.partition("(")[0]
    try:
        return name if str(Target(name)) == target else target
    except ValueError:
        return target


def _timing_of(found: Sequence[Line]) -> Timing:
    phases: dict[str, float] = {}
    for _, line in found:
        for phase, seconds in line["phases"].items():
            phases[phase] = phases.get(phase, 0.0) + seconds
    record, line = found[0]
    return Timing(sum(phases.values()), phases, {
        "machine": str(line["host"]), "target": _short(line["task"]["target"]),
        **facts_of_session(record)})


def outcome_of(lines: Sequence[Line]) -> Outcome:
    """Returns the outcome of one search's records, in the order of appending.

    A schedule that was measured again keeps its position, and its last reading is the most accurate. If
    any was measured again, the search chose the fastest of those.
    """
    first: dict[str, Line] = {}
    for record, line in lines:
        first.setdefault(record.state_key, (record, line))
    trials = [record for record, _ in first.values()]
    elapsed = list(itertools.accumulate(sum(line["phases"].values()) for _, line in first.values()))
    failures: dict[str, int] = {}
    for record in trials:
        if not record.measurement.ok:
            kind = record.measurement.outcome
            failures[kind] = failures.get(kind, 0) + 1
    chosen = chosen_of(record for record, _ in lines)
    speed = chosen.measurement.ratio if chosen else None
    target = _short(lines[0][1]["task"]["target"])
    return Outcome(
        speeds=tuple(record.measurement.ratio for record in trials), elapsed=tuple(elapsed),
        total=elapsed[-1], stopped="trials", failures=dict(sorted(failures.items())), chosen=speed,
        measured=None, trace=chosen.trace if chosen else None,
        replay=chosen and replay_line(workload_anywhere(chosen.workload, target), target,
                                      chosen.trace))
