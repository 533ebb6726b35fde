"""Pages of studies of task schedulers on replayed curves, from their kept summaries.

A summary has means with 95 % intervals over problems and no row for each problem. So no range over
problems is known, and intervals hold for other networks of the same tasks.
"""
from __future__ import annotations

import json
import pathlib
from collections.abc import Mapping
from typing import Any

from schedulegym.studies.faults import StudyError
from schedulegym.studies.markdown import table, wrapped
from schedulegym.studies.packed import read_text, text_of
from schedulegym.studies.source import NAME, read_source
from schedulegym.studies.study_page import HEAD

_OVER = ("linear", "round_robin")


def page_of(results: pathlib.Path, name: str, page: Mapping[str, Any]) -> str:
    """Returns the page of one study; `page` is its table of pages.toml.

    Raises:
        StudyError: its summary or its source.toml is missing or damaged.
    """
    setup = _setup(results, name, page)
    setup.append(["lacks", "rows of problems: no range over problems can be computed"])
    parts = [HEAD.format(what=f"`experiments/results/{name}/notes.md` or `pages.toml`"),
             f"# {page['title']}\n\n{page['question']}\n\n## Setup\n\n", table(("", ""), setup), "\n"]
    for curves, told in summaries(results, name).items():
        parts.append(f"## {page['curves'].get(curves, curves)}\n\n" + _curves_text(told))
    notes = results / name / "notes.md"
    if notes.exists():
        parts += ["## Notes\n\n", read_text(notes)]
    return wrapped("".join(parts))


def report_page(results: pathlib.Path, name: str, page: Mapping[str, Any]) -> str:
    """Returns the page of a study of live searches, whose kept report is already a table.

    Raises:
        StudyError: its report or its source.toml is missing or damaged.
    """
    _, _, body = text_of(results / name / "report.txt.gz").partition("\n\n")
    return wrapped(HEAD.format(what="`experiments/results/pages.toml`") +
                   f"# {page['title']}\n\n{page['question']}\n\n## Setup\n\n" +
                   table(("", ""), _setup(results, name, page)) +
                   f"\n## Report\n\n{body.strip()}\n")


def summaries(results: pathlib.Path, name: str) -> dict[str, Any]:
    """Returns summaries by set of curves."""
    found: dict[str, Any] = json.loads(text_of(results / name / "summary.json.gz"))
    return found


def speed_up(told: Mapping[str, Any], scheduler: str, over: str) -> tuple[dict[str, float], int, int]:
    """Returns the speed-up to another scheduler's final result, the runs that never reach it, and all runs.

    Raises:
        StudyError: there is no such pair, or no run that reached it.
    """
    for summary in told["summaries"]:
        one = summary["speed_up"].get(over)
        if summary["scheduler"] == scheduler and one and one["times"]:
            return one["times"], one["unreached"], summary["runs"]
    raise StudyError(f"found no '{scheduler}' over '{over}'")


def findings_text(results: pathlib.Path, told: Mapping[str, Any]) -> str:
    """Returns the table of findings of the first page; empty if there are none."""
    rows = []
    for one in told.get("replayed", []):
        curves = summaries(results, one["study"])[one["curves"]]
        times, unreached, runs = speed_up(curves, one["scheduler"], one["over"])
        rows.append([one["text"], _mean(times, 2), "not kept", f"{unreached} of {runs}",
                     f"[{one['study']}]({one['study']}.md)"])
    if not rows:
        return ""
    titles = ["finding", "times sooner, over problems", "range over problems", "never there", "study"]
    return ("## Task schedulers, on replayed curves\n\nHow much sooner a scheduler reaches the latency "
            "that another one ends with. Intervals are over 300 problems, which share their tasks.\n\n" +
            table(titles, rows) + "\n")


def _setup(results: pathlib.Path, name: str, page: Mapping[str, Any]) -> list[list[str]]:
    source = read_source(results / name / NAME)
    return [["speeds", page["speeds"]],
            *([key, source[key]] for key in ("date", "machine", "compiler", "version")),
            ["command", f"`{source['command']}`"], ["kept files", f"`experiments/results/{name}`"]]


def _curves_text(told: Mapping[str, Any]) -> str:
    base, rows = told["baseline"], []
    over = [other for other in _OVER
            if any(other in summary["speed_up"] for summary in told["summaries"])]
    for summary in told["summaries"]:
        beyond = told["area_beyond_baseline"].get(summary["scheduler"])
        rows.append([f"`{summary['scheduler']}`", _mean(summary["area"], 3),
                     _mean(beyond, 3, sign="+") if beyond else "-",
                     _mean(summary["share_to_95"], 2), _mean(summary["share_to_98"], 2),
                     *(_speed_up_cell(summary, other) for other in over)])
    runs = told["summaries"][0]["runs"]
    return (f"{runs} runs of each. *Area*: mean of the logarithm of the latency less the oracle's. "
            "*To 95 %*: share of the time until within 95 % of the best end." +
            (" *Over*: how much sooner the latency was what that scheduler ends with, and in how many "
             "runs it never was.\n\n" if over else "\n\n") +
            table(["scheduler", "area", f"less that of {_family(base)}", "to 95 %", "to 98 %",
                   *(f"over {other}" for other in over)], rows) + "\n")


def _family(base: str | None) -> str:
    return "the baseline" if base is None else f"`{base}`"


def _speed_up_cell(summary: Mapping[str, Any], other: str) -> str:
    one = summary["speed_up"].get(other)
    return "-" if not one or not one["times"] else f"{_mean(one['times'], 2)}, {one['unreached']}"


def _mean(told: Mapping[str, float], digits: int, sign: str = "") -> str:
    return (f"{told['mean']:{sign}.{digits}f} [{told['low']:{sign}.{digits}f}, "
            f"{told['high']:{sign}.{digits}f}]")
