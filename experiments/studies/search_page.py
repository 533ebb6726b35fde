"""The part above the report of a store: the search itself, running or ended."""
from __future__ import annotations

import contextlib
import dataclasses
import os
import pathlib
import time
from collections.abc import Mapping, Sequence

from schedulegym import Record, RecordStore
from schedulegym._search_progress import seconds_text
from schedulegym.studies.faults import StudyError
from schedulegym.studies.page import Lead, escaped, number_html, table_html
from schedulegym.studies.search_view import SearchView, TaskView, Tried, view_of
from schedulegym.studies.searches import Line, arm_of
from schedulegym.studies.step_plot import step_plot
from schedulegym.studies.tree_view import read_trees, tree_html

_MOST_TREES = 4  # trees shown of one file
_STYLE = """
.number { font-size: 1.6rem; margin: 8px 0 0; overflow-wrap: anywhere; }
.steps { width: 100%; max-width: 720px; height: auto; font-size: 17px; }
/* Half as wide, so that letters are twice as large there. */
.small .steps { font-size: 20px; }
.small { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 320px), 1fr)); gap: 8px 20px; }
.tree { overflow-x: auto; font-size: 0.87rem; } .tree details, .tree .leaf { padding-left: 10px; }
.tree summary { cursor: pointer; overflow-wrap: anywhere; } .tree small { color: var(--faint); }
"""


@dataclasses.dataclass(frozen=True)
class Moment:
    """The time at which a page was made, and the process that then wrote to the store."""

    writer: int | None  # id of a process
    when: float  # seconds since 1970


def writer_of(path: pathlib.Path) -> int | None:
    """Returns the process that writes to a store now, from its lock file; None if there is none."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        lock = pathlib.Path(os.path.realpath(path) + "-lock")
        process = int(lock.read_text("utf-8").split()[0])
        os.kill(process, 0)
        return process
    return None


def lead_of(path: pathlib.Path, store: RecordStore, lines: Sequence[Line],
            counts: Mapping[str, int] | None, moment: Moment) -> Lead:
    """Returns the lead. `counts`: for a network, its number of calls of each task, by the task's key."""
    view = view_of(store, lines, counts)
    parts = [_head(view, moment), _course(view), _tasks(view), _tried(view), _failures(view),
             _notes(view), *(_trees(path, file) for file in view.trees), _schedules(view)]
    return Lead("".join(parts), style=_STYLE)


def _head(view: SearchView, moment: Moment) -> str:
    when = time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(moment.when))
    state = "no search is writing" if moment.writer is None else f"a search goes on: process {moment.writer}"
    return (f"<p class=number>{_number(view)}</p>"
            f"<p class=note>{view.records} records; {state}; read at {when}</p>")


def _number(view: SearchView) -> str:
    """Returns the main number of the search."""
    if view.is_network:
        tried = len(view.tasks)
        if view.latency is None:
            ready = sum(task.seconds is not None for task in view.tasks)
            return f"latency unknown: {ready} of {view.expected} tasks have a success"
        return f"latency {seconds_text(view.latency)} <small>of {tried} tasks, by the best known</small>"
    if len(view.tasks) != 1:
        return f"{len(view.tasks)} tasks" if view.tasks else "no trial yet"
    return _best(view.tasks[0])


def _best(task: TaskView) -> str:
    if task.best is None or task.seconds is None:
        return "no success yet"
    measurement = task.best.measurement
    if (measurement.ratio or 0.0) < 1:
        return (f"best known {seconds_text(task.seconds)}: the reference schedule, nothing in the store "
                "is faster")
    return (f"best known {seconds_text(task.seconds)}, {number_html(measurement.ratio)} of the "
            f"reference's speed <small>({number_html(measurement.ratio_low)} to "
            f"{number_html(measurement.ratio_high)})</small>")


def _course(view: SearchView) -> str:
    if not view.course or len(view.tasks) > 1 and not view.is_network:
        return ""
    title = "Latency over time" if view.is_network else "Best over time"
    return (f"<h2>{title}</h2><p class=note>Best known after so many seconds of search, pauses between "
            f"searches left out.</p>{step_plot(view.course, title)}")


def _tasks(view: SearchView) -> str:
    if len(view.tasks) < 2:
        return ""
    rows = [[escaped(task.name), str(task.count), _time(task.seconds), _share(task, view.latency),
             number_html(task.best and task.best.measurement.ratio), str(task.trials), str(task.ok)]
            for task in view.tasks]
    plots = "".join(f"<figure><h3>{escaped(task.name)}</h3>{step_plot(task.course, escaped(task.name))}"
                    "</figure>" for task in view.tasks)
    return ("<h2>Tasks</h2>" + table_html(
        ["task", "count", "best known", "share", "over the reference", "trials", "succeeded"], rows) +
            f"<div class=small>{plots}</div>")


def _share(task: TaskView, latency: float | None) -> str:
    if latency is None or task.seconds is None:
        return "-"
    return f"{100 * task.count * task.seconds / latency:.1f} %"


def _tried(view: SearchView) -> str:
    rows = [[escaped(name), str(seed), *_counts(tried)] for (name, seed), tried in view.searches.items()]
    last = [[escaped(record.workload), escaped(arm_of(record)), str(record.index), _outcome(record),
             escaped(record.note)] for record in view.last]
    return ("<h2>What was tried</h2>" + table_html(
        ["search", "seed", "trials", "succeeded", "fastest over the reference"], rows) +
            f"<details><summary>the last {len(last)} trials</summary>" + table_html(
                ["task", "search", "number", "outcome", "note"], last, {1, 3, 4}) + "</details>")


def _counts(tried: Tried) -> list[str]:
    return [str(tried.trials), str(tried.ok), number_html(tried.ratio)]


def _outcome(record: Record) -> str:
    found = record.measurement
    if not found.ok:
        return f"<span class=worse>{escaped(found.outcome)}</span>"
    return f"{_time(found.seconds)}, {number_html(found.ratio)} of the reference's speed"


def _failures(view: SearchView) -> str:
    if not view.failures:
        return "<h2>Failures</h2><p>None.</p>"
    total = sum(tried.trials for tried in view.failures.values())
    rows = [[escaped(kind), str(tried.trials), f"{100 * tried.trials / view.records:.1f} %",
             escaped(tried.last.measurement.message if tried.last else "")]
            for kind, tried in sorted(view.failures.items(), key=lambda one: -one[1].trials)]
    return (f"<h2>Failures</h2><p class=note>{total} of {view.records} records, by type, with the latest "
            "message of each.</p>" + table_html(["type", "number", "share", "message"], rows, {3}))


def _notes(view: SearchView) -> str:
    """Returns the table of agents' notes, such as HARL's sketches."""
    if not view.notes:
        return ""
    rows = [[escaped(agent), escaped(note), *_counts(tried)]
            for (agent, note), tried in sorted(view.notes.items())]
    return ("<h2>Sketches and notes</h2><p class=note>What agents noted beside their proposals, such as "
            "HARL's tracks and the sketch of a draw.</p>" + table_html(
                ["agent", "note", "trials", "succeeded", "fastest over the reference"], rows, {1}))


def _trees(path: pathlib.Path, file: str) -> str:
    """Returns the trees of a search's file, looked up in the current folder, then in the store's."""
    places = [pathlib.Path(file), path.parent / file]
    found = next((place for place in places if place.is_file()), None)
    text = f"<h2>Search tree</h2><p class=note>{escaped(file)}: "
    if found is None:
        return text + "not written yet.</p>"
    try:
        trees = read_trees(found)
    except StudyError as fault:
        return text + f"{escaped(str(fault))}</p>"
    text += f"{len(trees)} trees; values are the {escaped(trees[0].values)}.</p>" if trees else "no tree.</p>"
    return text + "".join(f"<h3>{escaped(tree.task)}</h3>{tree_html(tree)}" for tree in trees[:_MOST_TREES])


def _schedules(view: SearchView) -> str:
    """Returns the traces of the best schedules, last on the page."""
    text = "".join(f"<details><summary>{escaped(task.name)}</summary><pre>{escaped(task.best.trace)}</pre>"
                   "</details>" for task in view.tasks if task.best is not None)
    return f"<h2>Best schedules</h2>{text}" if text else ""


def _time(seconds: float | None) -> str:
    return "-" if seconds is None else seconds_text(seconds)
