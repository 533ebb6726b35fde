"""Confined: what an agent's own code may read, and tables without what they say of speed.

A table's file holds every answer; an agent is to ask for them. It is told of a copy in which all
schedules of the table have one and the same answer, so that the space stays what it is.
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

RECORDS, VERIFIED = "records.jsonl", "verified.json"  # files of an entry, with facts about its runs
COMPILED = "__pycache__"  # made by Python from code that is there
_ENTRY = "entry.toml"
_PACKAGE = pathlib.Path(schedulegym.__file__).parent
_TABLES = "tables"  # the package's folder of tables, which agents must not read
_ANSWER = ("ok", 1.0, 1.0, 1.0, 1.0, 1.0)  # seconds, speed with its interval, cost


def confinement_of(folder: pathlib.Path, space: str | None, *files: pathlib.Path) -> Confinement:
    """Of an agent whose modules lie in `folder`, told to search in `space`, with tables and libraries.

    It reads its folder, the interpreter and the packages that are installed with it; of its folder
    nothing that Python compiled, nor, of an entry's, what was claimed and found of it.
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
    """What of its own folder it does not read, for it is no part of its code."""
    place = pathlib.Path(os.path.realpath(folder))
    found = [str(path) for path in sorted(place.rglob(COMPILED))]
    if (place / _ENTRY).exists():
        found += [str(place / name) for name in (RECORDS, VERIFIED)]
    return found


def untimed(table: pathlib.Path, place: pathlib.Path) -> pathlib.Path:
    """A copy of the table in `place` whose schedules all have the same answer."""
    try:
        head, *rows = [json.loads(line) for line in text_of(table).splitlines()]
        facts = 2 if head["kind"] == "tree" else 3  # of a row, before its answer
        lines: list[Any] = [head, *([*row[:facts], *_ANSWER] for row in rows)]
    except StudyError:
        raise
    except (OSError, ValueError, KeyError, TypeError):
        raise StudyError(f"table {table}: found no table of schedules, or not all of it") from None
    copy = place / table.name
    copy.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return copy
