"""Features of programs, made once and kept in the cache folder."""
from __future__ import annotations

import hashlib
import os
import pathlib
import tempfile
import typing
import zipfile
import zlib

import numpy as np

from schedulegym import _schedulegym

if typing.TYPE_CHECKING:
    from .programs import ProgramSet


def cache_folder() -> pathlib.Path:
    """Where features are kept, and data sets looked for last."""
    given = os.environ.get("XDG_CACHE_HOME")
    return (pathlib.Path(given) if given else pathlib.Path.home() / ".cache") / "schedulegym"


def features_of(programs: ProgramSet, features: str) -> tuple[
        np.ndarray[typing.Any, typing.Any], np.ndarray[typing.Any, typing.Any]]:
    """Rows of all programs in their order, and how many each has."""
    parts: list[typing.Any] = [None] * len(programs)
    numbers: dict[tuple[int, str], list[int]] = {}
    for number, program in enumerate(programs.programs):
        numbers.setdefault((program.task, program.space), []).append(number)
    for (position, space), own in numbers.items():
        task = programs.tasks[position]
        rows, counts = _schedulegym.program_features(
            task.workload, task.dag, task.target, [programs.programs[number].trace for number in own],
            features, space)
        for number, part in zip(own, np.split(rows, np.cumsum(counts)[:-1])):
            parts[number] = part
    return np.concatenate(parts), np.array([len(part) for part in parts])


def cached_features_of(programs: ProgramSet, features: str) -> tuple[
        np.ndarray[typing.Any, typing.Any], np.ndarray[typing.Any, typing.Any]]:
    """The same, kept in a file that is named by what they are made of and by."""
    module = os.stat(_schedulegym.__file__)
    digest = hashlib.sha256(repr((features, module.st_size, module.st_mtime_ns)).encode())
    for task in programs.tasks:
        digest.update(repr((task.dag, task.target)).encode())
    for program in programs.programs:
        digest.update(repr((program.task, program.space, program.trace)).encode())
    path = cache_folder() / f"features-{digest.hexdigest()[:32]}.npz"
    try:
        with np.load(path) as kept:
            return kept["rows"], kept["counts"]
    except (OSError, ValueError, KeyError, EOFError, zlib.error, zipfile.BadZipFile):
        rows, counts = features_of(programs, features)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".npz", delete=False) as file:
            np.savez(file, rows=rows, counts=counts)
        os.replace(file.name, path)
    except OSError:
        pass  # the place is full or read-only: they are computed again next time
    return rows, counts
