"""Recorded tables: found by name, identified by content, and read as far as studies need."""
from __future__ import annotations

import dataclasses
import functools
import hashlib
import json
import pathlib
from typing import Any

import schedulegym
from schedulegym import ComputeDag, ScheduleState, Task
from schedulegym.studies.faults import StudyError, unknown_name
from schedulegym.studies.packed import bytes_of, text_of

_SHIPPED = pathlib.Path(schedulegym.__file__).with_name("tables")
_ENDING = ".table"


@dataclasses.dataclass(frozen=True)
class Recorded:
    """A table's whole space, each schedule once. If two rows lead to the same schedule, searches use the
    first. Speeds are ratios to the reference schedule."""

    workload: str
    dag: ComputeDag
    speeds: dict[str, float]  # of successes, by the schedule's key
    failed: int  # schedules that failed
    costs: tuple[float, ...]  # seconds of measuring each schedule, failures included

    @property
    def best(self) -> float:
        """The speed of the fastest schedule."""
        return max(self.speeds.values())


def shipped_tables() -> list[str]:
    """Returns the names of the tables in the package."""
    return sorted(path.stem for path in _SHIPPED.glob("*" + _ENDING))


def find_table(text: str, base: pathlib.Path) -> pathlib.Path:
    """Returns a shipped table by its name, or a file relative to `base`; raises StudyError if neither."""
    if text in shipped_tables() and not (base / text).exists():
        return _SHIPPED / (text + _ENDING)
    path = base / text
    if path.is_file():
        return path.resolve()
    if "/" not in text and not text.endswith(_ENDING):
        raise unknown_name("table", text, [*shipped_tables(), "a file"])
    raise StudyError(f"table {path}: No such file")


def digest_of(path: pathlib.Path) -> str:
    """Returns the hash of the unpacked contents, 16 hex digits."""
    return hashlib.sha256(bytes_of(path)).hexdigest()[:16]


@functools.lru_cache(maxsize=8)
def read_recorded(path: pathlib.Path) -> Recorded:
    """Reads a table; raises StudyError if the file is not one."""
    try:
        head, *rows = [json.loads(line) for line in text_of(path).splitlines()]
        if "schedulegym_table" not in head or len(rows) != head["rows"]:
            raise ValueError("not whole")
        return _recorded(head, rows)
    except StudyError:
        raise
    except OSError as fault:
        raise StudyError(f"table {path}: {fault.strerror}") from None
    except (ValueError, KeyError, TypeError, IndexError):
        raise StudyError(f"table {path}: found no table of schedules, or not all of it") from None


@functools.lru_cache(maxsize=8)
def noise_ceiling_of(path: pathlib.Path) -> float | None:
    """Returns the share of the best above which samples do not separate schedules; None without samples."""
    return schedulegym.noise_ceiling(str(path))


def _recorded(head: dict[str, Any], rows: list[list[Any]]) -> Recorded:
    is_tree = head["kind"] == "tree"
    traces = _tree_traces(rows) if is_tree else _knob_traces(rows, head["lines"])
    task = Task(ComputeDag(head["dag"]), head["target"])
    known: set[str] = set()
    speeds, costs = {}, []
    for row, trace in zip(rows, traces):
        key = ScheduleState.replay(task, "\n".join(["trace 1", *trace, ""])).key
        if key in known:
            continue
        known.add(key)
        outcome, *numbers = row[2:] if is_tree else row[3:]
        costs.append(numbers[4] if outcome == "ok" else numbers[0])
        if outcome == "ok":
            speeds[key] = numbers[1]
    if not speeds:
        raise ValueError("nothing succeeded")
    return Recorded(head["workload"], task.dag, speeds, len(known) - len(speeds), tuple(costs))


def _knob_traces(rows: list[list[Any]], lines: list[str]) -> list[list[str]]:
    """Decodes traces; a row has the number of lines shared with the row before and the lines that follow."""
    traces: list[list[str]] = []
    for _, kept, further, *_ in rows:
        before = traces[-1] if traces else []
        traces.append(before[:kept] + [lines[place] for place in further])
    return traces


def _tree_traces(rows: list[list[Any]]) -> list[list[str]]:
    """Decodes traces; a row has its parent and the primitive that extends the parent's trace."""
    traces: list[list[str]] = []
    for parent, line, *_ in rows:
        traces.append([] if parent < 0 else [*traces[parent], line])
    return traces
