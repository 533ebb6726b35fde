"""View of a running search's store: bests over time, candidates tried, failures.

Time starts at the first trial and excludes the pauses between searches. Between two records it is the
difference of their starts, but at most the time of their phases if a session or more than a minute lies
between them.
"""
from __future__ import annotations

import collections
import dataclasses
from collections.abc import Iterable, Mapping, Sequence

from schedulegym import Record, RecordStore
from schedulegym.studies.faults import StudyError
from schedulegym.studies.searches import Line, arm_of, cases_of, kind_of
from schedulegym.studies.specs import parse_spec

_MOST_PAUSE = 60.0  # longest pause in seconds between two trials of one search
_LAST = 20  # trials that are listed

Trajectory = list[tuple[float, float]]  # (seconds since the first trial, seconds of the best)


@dataclasses.dataclass
class TaskView:
    """One task after its trials so far."""

    name: str
    count: int  # how often the network runs it
    trials: int = 0
    ok: int = 0
    best: Record | None = None
    course: Trajectory = dataclasses.field(default_factory=list)

    @property
    def seconds(self) -> float | None:
        """Seconds of the best known; of the reference if that is faster, as at the end of a search."""
        return None if self.best is None else _seconds(self.best)


@dataclasses.dataclass
class Tried:
    """Trials with a common property."""

    trials: int = 0
    ok: int = 0
    ratio: float | None = None  # ratio of the fastest
    last: Record | None = None

    def add(self, record: Record) -> None:
        """Adds one trial."""
        self.trials += 1
        self.last = record
        if record.measurement.ok:
            self.ok += 1
            self.ratio = max(self.ratio or 0.0, record.measurement.ratio or 0.0)


@dataclasses.dataclass(frozen=True)
class SearchView:
    """The whole view."""

    tasks: list[TaskView]
    expected: int  # number of tasks; some of a network's may have no trial yet
    is_network: bool
    course: Trajectory  # of the single task, or of the network's latency
    searches: dict[tuple[str, int], Tried]  # by agent and space, and seed
    failures: dict[str, Tried]  # by type
    notes: dict[tuple[str, str], Tried]  # by agent and note, such as a sketch
    last: list[Record]  # the newest first
    records: int
    trees: list[str]  # files of tree searches, the newest first

    @property
    def latency(self) -> float | None:
        """Latency of the network; None until each task has a success."""
        return _latency(self.tasks) if len(self.tasks) == self.expected else None


def view_of(store: RecordStore, lines: Sequence[Line], counts: Mapping[str, int] | None) -> SearchView:
    """Makes the view. `counts`: for a network, its number of calls of each task, by the task's key."""
    tasks: dict[str, TaskView] = {}
    bests: dict[str, _Best] = {}
    searches: dict[tuple[str, int], Tried] = collections.defaultdict(Tried)
    failures: dict[str, Tried] = collections.defaultdict(Tried)
    notes: dict[tuple[str, str], Tried] = collections.defaultdict(Tried)
    course: Trajectory = []
    elapsed = 0.0
    names = cases_of(lines)
    expected = max(len(set(names)), len(counts or ()))
    for place, (name, (record, line)) in enumerate(zip(names, lines)):
        elapsed += _step(lines[place - 1] if place else None, (record, line))
        task = tasks.setdefault(name, TaskView(name, (counts or {}).get(record.task, 1)))
        tried = [searches[arm_of(record), record.seed]]
        if not record.measurement.ok:
            tried.append(failures[record.measurement.outcome])
        if record.note:
            tried.append(notes[record.agent, _note_kind(record.note)])
        for one in tried:
            one.add(record)
        task.trials += 1
        task.ok += record.measurement.ok
        if bests.setdefault(name, _Best()).add(record):
            task.best = bests[name].record
            _extend(task.course, elapsed, task.seconds)
            if len(tasks) == expected:
                _extend(course, elapsed, _latency(tasks.values()))
    for name, (record, line) in dict(zip(names, lines)).items():
        if kind_of(line) == "host":  # by the store's rules, which exclude suspects and other toolchains
            tasks[name].best = store.best(record.task)
    for each in tasks.values():
        _extend(each.course, elapsed, each.seconds, is_end=True)
    if len(tasks) == expected:
        _extend(course, elapsed, _latency(tasks.values()), is_end=True)
    return SearchView(list(tasks.values()), expected, counts is not None, course, dict(searches), dict(failures),
                      dict(notes), [record for record, _ in reversed(lines[-_LAST:])], len(lines),
                      _trees(lines))


class _Best:
    """The fastest record by ratio, where each schedule has its latest reading."""

    def __init__(self) -> None:
        self.record: Record | None = None
        self._latest: dict[str, Record] = {}

    def add(self, record: Record) -> bool:
        """Adds a record. Returns whether the fastest has changed."""
        before = self.record
        self._latest[record.state_key] = record
        if before is not None and before.state_key == record.state_key:
            self.record = max((one for one in self._latest.values() if one.measurement.ok),
                              key=_ratio, default=None)
        elif record.measurement.ok and (before is None or _ratio(record) > _ratio(before)):
            self.record = record
        return self.record is not before


def _ratio(record: Record) -> float:
    return record.measurement.ratio or 0.0


def _seconds(best: Record) -> float | None:
    seconds = best.measurement.seconds
    return None if seconds is None else seconds * min(1.0, _ratio(best))


def _latency(tasks: Iterable[TaskView]) -> float | None:
    total = 0.0
    for task in tasks:
        if task.seconds is None:
            return None
        total += task.count * task.seconds
    return total or None


def _extend(course: Trajectory, elapsed: float, seconds: float | None,
            is_end: bool = False) -> None:
    if seconds is not None and (is_end or not course or course[-1][1] != seconds):
        course.append((elapsed, seconds))


def _step(before: Line | None, line: Line) -> float:
    own = sum(line[1]["phases"].values())
    if before is None:
        return own
    passed = line[0].started - before[0].started
    is_one_search = line[1].get("session") == before[1].get("session")
    return passed if is_one_search and 0 <= passed <= _MOST_PAUSE else own


def _note_kind(note: str) -> str:
    """Returns a sketch's number, or the note's name, since other numbers differ each time."""
    try:
        spec = parse_spec(note)
    except StudyError:
        return "other"
    sketch = spec.value("sketch")
    return f"{spec.name}, sketch {sketch}" if sketch is not None else spec.name


def _trees(lines: Sequence[Line]) -> list[str]:
    files: dict[str, None] = {}
    for agent in dict.fromkeys(record.agent for record, _ in reversed(lines)):
        try:
            tree = parse_spec(agent).value("tree")
        except StudyError:
            continue
        if tree:
            files[tree.strip('"')] = None
    return list(files)
