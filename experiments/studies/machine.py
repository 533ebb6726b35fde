"""Machine: the machine and the versions that made a run, and their summary over several runs."""
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
    """Returns the processor's name as the system reports it."""
    try:
        lines = pathlib.Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        lines = []
    return next((line.partition(":")[2].strip() for line in lines
                 if line.startswith("model name")), platform.machine())


def cores() -> int:
    """Returns the number of cores that this process may use."""
    return len(os.sched_getaffinity(0))


@functools.lru_cache(maxsize=1)
def version() -> str:
    """Returns the package's version, with the commit if it runs from a checkout."""
    commit = _commit(pathlib.Path(schedulegym.__file__).resolve())
    return schedulegym.__version__ + (f" ({commit})" if commit else "")


def facts_here() -> dict[str, str]:
    """Returns the machine and versions to record for a run of this process."""
    return {VERSION: version(), "processor": processor(), "cores": str(cores()),
            "system": platform.platform(), "Python": platform.python_version(),
            "NumPy": numpy.__version__, DATE: datetime.date.today().isoformat()}


def facts_of_session(record: Record | None) -> dict[str, str]:
    """Returns the machine's grade and the measured difference of equal kernels, as its search found them."""
    session = None if record is None else json.loads(record.to_line()).get("session")
    if not session or not session["probe"]:  # for facts that are unknown
        return {}
    error = parse_spec(session["probe"]).value("error")
    return {"grade": session["grade"], **({} if error is None else {NOISE: error}),
            "compiler": session["toolchain"]}


def told_facts(made: Sequence[Mapping[str, str]], more: Sequence[str] = ()) -> dict[str, str]:
    """Summarizes the facts of all runs: counts per value where they differ, "-" where not recorded.

    The date is omitted unless `more` names it: pages without measurements are reproducible to the byte.
    """
    names = [*_ALWAYS, *more, *dict.fromkeys(name for one in made for name in one
                                             if name not in (*_ALWAYS, DATE))]
    return {name: _noises(made) if name == NOISE else _counted(one.get(name, "-") for one in made)
            for name in names}


def versions_of(made: Sequence[Mapping[str, str]]) -> dict[str, int]:
    """Returns the number of runs that each version made."""
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
    """Returns the commit; None if the file is not tracked in a checkout."""
    def git(*words: str) -> str:
        return subprocess.run(["git", "-C", str(file.parent), *words], capture_output=True, text=True,
                              check=True, timeout=_PATIENCE).stdout.strip()

    try:
        git("ls-files", "--error-unmatch", file.name)
        return git("describe", "--always", "--dirty", "--abbrev=12", "--exclude", "*") or None
    except (OSError, subprocess.SubprocessError):
        return None
