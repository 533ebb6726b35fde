"""The searches that a store remembers, as a study: an arm for each agent and space."""
from __future__ import annotations

import json
import pathlib
from collections.abc import Iterable, Sequence

from schedulegym import Record, RecordStore
from schedulegym.studies.faults import StudyError
from schedulegym.studies.outcome import Outcome
from schedulegym.studies.study import Arm, Case, Study
from schedulegym.studies.tune_runner import replay_line

_Place = tuple[str, str, int]


def study_of_store(path: pathlib.Path) -> tuple[Study, dict[_Place, Outcome]]:
    """Seconds are those spent on compiling, verifying and measuring: nothing else is recorded."""
    with RecordStore(path) as store:
        records = list(store)
    if not records:
        raise StudyError(f"{path}: found no records, expected those of a search")
    searches: dict[_Place, list[Record]] = {}
    arms: dict[str, Arm] = {}
    cases: dict[str, Case] = {}
    for record in records:
        name = f"{record.agent} in {record.space}" if record.space else record.agent
        arms.setdefault(name, Arm(name, record.agent, record.space or None))
        cases.setdefault(record.workload, Case(record.workload, record.workload, "host"))
        searches.setdefault((record.workload, name, record.seed), []).append(record)
    outcomes = {place: outcome_of(found) for place, found in searches.items()}
    seeds = sorted({place[2] for place in searches})
    study = Study(
        name=path.name, about="What a store of searches holds.", target="llvm",
        cases=tuple(cases.values()), arms=tuple(arms.values()), factors=(),
        baseline=next(iter(arms)), seeds=tuple(seeds),
        trials=max(len(outcome.speeds) for outcome in outcomes.values()), seconds=None,
        margin=0.01, order=0, cheating=False)
    return study, outcomes


def outcome_of(records: Sequence[Record]) -> Outcome:
    """Of one search's records, in the order of appending.

    A schedule that was measured again keeps its place; its last reading is the truest, and where
    any was, the fastest of those is what the search chose.
    """
    first: dict[tuple[float, str], Record] = {}
    again: dict[str, Record] = {}
    known: set[str] = set()
    for record in records:
        if record.state_key in known:
            again[record.state_key] = record
        else:
            known.add(record.state_key)
            first[record.started, record.state_key] = record
    trials = list(first.values())
    elapsed, clock = [], 0.0
    for record in trials:
        clock += sum(json.loads(record.to_line())["phases"].values())
        elapsed.append(clock)
    failures: dict[str, int] = {}
    for record in trials:
        if not record.measurement.ok:
            kind = record.measurement.outcome
            failures[kind] = failures.get(kind, 0) + 1
    chosen = _fastest(again.values()) or _fastest(trials)
    speed = chosen.measurement.ratio if chosen else None
    return Outcome(
        speeds=tuple(record.measurement.ratio for record in trials), elapsed=tuple(elapsed),
        total=clock, stopped="trials", failures=dict(sorted(failures.items())), chosen=speed,
        measured=speed, trace=chosen.trace if chosen else None,
        replay=replay_line(chosen.workload, "llvm", chosen.trace) if chosen else None)


def _fastest(records: Iterable[Record]) -> Record | None:
    return max((record for record in records if record.measurement.ok),
               key=lambda record: record.measurement.ratio or 0.0, default=None)
