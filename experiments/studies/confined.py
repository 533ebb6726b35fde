"""Confined: the files that an agent's own code may read, and copies of tables without their timings.

A table's file holds the result of every schedule, which an agent must request trial by trial. The agent
gets a copy in which all schedules have the same result, so that the space is unchanged.
"""
from __future__ import annotations

import json
import os
import pathlib
import sys
import sysconfig
from typing import Any

import schedulegym
from schedulegym import Confinement
from schedulegym.studies.faults import StudyError
from schedulegym.studies.packed import text_of

RECORDS, VERIFIED = "records.jsonl", "verified.json"  # files of an entry with results of its runs
COMPILED = "__pycache__"  # made by Python from sources in the folder
_ENTRY = "entry.toml"
_PACKAGE = pathlib.Path(schedulegym.__file__).parent
_TABLES = "tables"  # the package's folder of tables, which agents must not read
_ANSWER = ("ok", 1.0, 1.0, 1.0, 1.0, 1.0)  # seconds, speed with its interval, cost


def confinement_of(folder: pathlib.Path, space: str | None, *files: pathlib.Path) -> Confinement:
    """Returns the limits of an agent in `folder` that searches `space`; `files` are tables and libraries.

    The agent may read its folder, the interpreter and the installed packages. Within its folder it may not
    read files that Python compiled or, for an entry, the claimed and verified results.
    """
    confined = Confinement()
    paths = sysconfig.get_paths()
    packages = {sys.prefix, sys.base_prefix, sys.exec_prefix, paths["stdlib"], paths["purelib"],
                paths["platlib"]}
    parts = [path for path in _PACKAGE.iterdir() if path.name != _TABLES]
    confined.reads = sorted({os.path.realpath(path) for path in
                             (folder, sys.executable, *packages, *parts, *files)})
    confined.lists = [str(_PACKAGE), str(_PACKAGE.parent)]
    confined.hidden = [os.path.realpath(_PACKAGE / _TABLES), *_unread(folder)]
    confined.space, confined.folder = space, os.path.realpath(folder)
    return confined


def _unread(folder: pathlib.Path) -> list[str]:
    """Returns the paths in the agent's folder that are not part of its code, which it may not read."""
    place = pathlib.Path(os.path.realpath(folder))
    found = [str(path) for path in sorted(place.rglob(COMPILED))]
    if (place / _ENTRY).exists():
        found += [str(place / name) for name in (RECORDS, VERIFIED)]
    return found


def untimed(table: pathlib.Path, place: pathlib.Path) -> pathlib.Path:
    """Writes a copy of the table into `place` in which all schedules have the same result."""
    try:
        head, *rows = [json.loads(line) for line in text_of(table).splitlines()]
        facts = 2 if head["kind"] == "tree" else 3  # columns of a row before its result
        lines: list[Any] = [head, *([*row[:facts], *_ANSWER] for row in rows)]
    except StudyError:
        raise
    except (OSError, ValueError, KeyError, TypeError):
        raise StudyError(f"table {table}: found no table of schedules, or not all of it") from None
    copy = place / table.name
    copy.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return copy
