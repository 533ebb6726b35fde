"""What made a run: this machine and the versions on it, and what runs of several such are told of."""
from __future__ import annotations

import datetime
import functools
import json
import os
import pathlib
import platform
import subprocess
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import numpy

import schedulegym
from schedulegym import Record
from schedulegym.studies.specs import parse_spec

VERSION, NOISE, DATE = "schedulegym", "noise", "date"
_ALWAYS = (VERSION, "processor", "cores", "system", "Python", "NumPy")
_PATIENCE = 10.0  # seconds for git


def processor() -> str:
    """Its name, as the system says it."""
    try:
        lines = pathlib.Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        lines = []
    return next((line.partition(":")[2].strip() for line in lines
                 if line.startswith("model name")), platform.machine())


def cores() -> int:
    """Those that this process may use."""
    return len(os.sched_getaffinity(0))


@functools.lru_cache(maxsize=1)
def version() -> str:
    """Of the package; with the commit where it runs from a checkout."""
    commit = _commit(pathlib.Path(schedulegym.__file__).resolve())
    return schedulegym.__version__ + (f" ({commit})" if commit else "")


def facts_here() -> dict[str, str]:
    """What a run that is made by this process is told to be made by."""
    return {VERSION: version(), "processor": processor(), "cores": str(cores()),
            "system": platform.platform(), "Python": platform.python_version(),
            "NumPy": numpy.__version__, DATE: datetime.date.today().isoformat()}


def facts_of_session(record: Record | None) -> dict[str, str]:
    """The machine's grade, and by how much equal kernels differed there, as its search found them."""
    session = None if record is None else json.loads(record.to_line()).get("session")
    if not session or not session["probe"]:  # for facts that are unknown
        return {}
    error = parse_spec(session["probe"]).value("error")
    return {"grade": session["grade"], **({} if error is None else {NOISE: error}),
            "compiler": session["toolchain"]}


def told_facts(made: Sequence[Mapping[str, str]], more: Sequence[str] = ()) -> dict[str, str]:
    """Of all runs; where they differ, how many have which. "-" is what nobody kept.

    The date is left out unless `more` names it: pages of what is not measured repeat to the byte.
    """
    names = [*_ALWAYS, *more, *dict.fromkeys(name for one in made for name in one
                                             if name not in (*_ALWAYS, DATE))]
    return {name: _noises(made) if name == NOISE else _counted(one.get(name, "-") for one in made)
            for name in names}


def versions_of(made: Sequence[Mapping[str, str]]) -> dict[str, int]:
    """How many runs each version made."""
    return dict(sorted(Counter(one.get(VERSION, "-") for one in made).items()))


def _counted(values: Iterable[str]) -> str:
    found = Counter(values)
    if len(found) < 2:
        return next(iter(found), "-")
    return ", ".join(f"{value} ({count} runs)" for value, count in sorted(found.items()))


def _noises(made: Sequence[Mapping[str, str]]) -> str:
    found = sorted(100 * float(one[NOISE]) for one in made if NOISE in one)
    ends = dict.fromkeys(f"{value:.2g} %" for value in (found[0], found[-1]))
    return "equal kernels differ by " + " to ".join(ends)


def _commit(file: pathlib.Path) -> str | None:
    """None of a file that is none of a checkout's own."""
    def git(*words: str) -> str:
        return subprocess.run(["git", "-C", str(file.parent), *words], capture_output=True, text=True,
                              check=True, timeout=_PATIENCE).stdout.strip()

    try:
        git("ls-files", "--error-unmatch", file.name)
        return git("describe", "--always", "--dirty", "--abbrev=12", "--exclude", "*") or None
    except (OSError, subprocess.SubprocessError):
        return None
