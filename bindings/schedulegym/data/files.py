"""Files of programs: found, read, written."""
from __future__ import annotations

import dataclasses
import gzip
import io
import json
import os
import pathlib
import typing
import warnings
import zlib

import numpy as np

from schedulegym import InputError, _schedulegym

from ._columns import VERSION
from ._features import cache_folder
from .parquet import parquet_files, read_parquet
from .programs import Program, ProgramSet, ProgramTask, check_split


def _task(fields: dict[str, typing.Any]) -> ProgramTask:
    names = [field.name for field in dataclasses.fields(ProgramTask)]
    for name in names:
        if not isinstance(fields.get(name), str):
            raise ValueError(f"found a task without '{name}'")
    return ProgramTask(*(fields[name] for name in names))


def _row(line: list[typing.Any], words: list[str], steps: list[str], key: str) -> Program:
    task, space, part, host, outcome, trace, *timing = line
    if min(task, space, part, host, outcome, *trace, 0) < 0:
        raise ValueError("found a negative position")
    texts = "".join(steps[step] + "\n" for step in trace)
    seconds, ratio, samples = timing if timing else (None, None, ())
    return Program(task, texts, words[space], words[part], words[host], words[outcome], seconds,
                   ratio and tuple(ratio), tuple(samples), key)


def folders() -> list[pathlib.Path]:
    """Where data sets are looked for.

    Returns:
        The folder of the environment variable SCHEDULEGYM_DATA, ``experiments/data`` of the current
        folder and of the clone that the package is of, and the cache folder.
    """
    given = os.environ.get("SCHEDULEGYM_DATA")
    clone = pathlib.Path(__file__).resolve().parents[3] / "experiments/data"
    return ([pathlib.Path(given)] if given else []) + [
        pathlib.Path("experiments/data"), clone, cache_folder()]


def _how_to_make(name: str) -> str:
    """The command: the clone's script of this project's own sets, a search and `pack` of others."""
    if name.startswith("programs-v1") or name == "sample":
        return "make it in a clone: experiments/data/make.sh FOLDER"
    return ("make one: schedulegym tune programs_train --agent collect --scheduler round_robin --protocol "
            "collect --store STORE, then schedulegym records pack STORE -o "
            f"{pathlib.Path(name).name}.points.gz")


def find(name: str | os.PathLike[str]) -> pathlib.Path:
    """The file of a data set.

    Args:
        name: A path, or the name of a set, such as "sample": NAME.points.gz in one of ``folders()``.

    Returns:
        A path that exists: a file, or a folder of Parquet files.

    Raises:
        InputError: There is none; the message has the command that makes one.
    """
    for path in (pathlib.Path(name), *(folder / f"{name}.points.gz" for folder in folders())):
        if path.is_file() or parquet_files(path):
            return path
    raise InputError(f"data: found no '{name}'; expected a file, or a set in SCHEDULEGYM_DATA, "
                     f"experiments/data or {cache_folder()}; {_how_to_make(os.fspath(name))}")


def load(name: str | os.PathLike[str], split: str | None = None) -> ProgramSet:
    """Reads a data set.

    Args:
        name: As ``find`` takes it: a file of programs, a Parquet file of ``to_parquet``, a folder of
            those (``kinds_to_parquet``), a record store, a table, or a log of Ansor's.
        split: One of ``SPLITS``; None for all programs. A warning counts the programs of tasks
            without a split.

    Returns:
        The programs, in the order of the file.

    Raises:
        InputError: There is no such file, or it is none of this version, or torn; or no program is
            of the split and some are of none.
    """
    path = find(name)
    if path.is_dir():
        loaded = read_parquet(parquet_files(path))
    elif path.suffix == ".parquet" or _begins_with(path, b"PAR1"):
        loaded = read_parquet([path])
    else:
        loaded = _read_points(path) if _begins_with(path, b"\x1f\x8b") else load_stores([path])
    return loaded if split is None else _of_split(loaded, split, path)


def _of_split(programs: ProgramSet, split: str, path: pathlib.Path) -> ProgramSet:
    some = programs.of_split(split)
    without = sum(not programs.tasks[one.task].split for one in programs.programs)
    if without and not some.programs:
        raise InputError(f"split: found no program of '{split}' in '{path}', but {without} of tasks without a "
                         "split; expected split=None, which takes them")
    if without:
        warnings.warn(f"'{path}': {without} programs of tasks without a split are left out; split=None "
                      "takes them", stacklevel=3)
    return some


def load_stores(stores: typing.Iterable[str | os.PathLike[str]]) -> ProgramSet:
    """Reads the measured programs of record stores, such as those of several machines.

    Of one schedule of a task that one machine measured for several, the last is taken. A warning
    counts the others.

    Args:
        stores: Their files; tables, files of programs and logs of Ansor's, too.

    Returns:
        The programs of all, in order, as ``schedulegym records pack`` packs them.

    Raises:
        InputError: One is none of these, two machines have one name, or nothing was measured.
    """
    names = [os.fspath(store) for store in stores]
    text = _schedulegym.packed_programs(names)
    programs = _read_lines(io.StringIO(text), ", ".join(names))
    if not programs.programs:
        raise InputError(f"'{', '.join(names)}': found no measured program")
    return programs


def _begins_with(path: pathlib.Path, magic: bytes) -> bool:
    try:
        with open(path, "rb") as file:
            return file.read(len(magic)) == magic
    except OSError as fault:
        raise InputError(f"cannot read '{path}': {fault.strerror}") from None


def _read_points(path: pathlib.Path) -> ProgramSet:
    try:
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            if "schedulegym_table" not in lines.read(64):
                lines.seek(0)
                return _read_lines(lines, str(path))
        return load_stores([path])
    except (EOFError, UnicodeDecodeError, zlib.error) as fault:
        raise InputError(f"'{path}', line 1: {fault}") from None
    except OSError as fault:
        raise InputError(f"'{path}': {fault}") from None


def _read_lines(lines: typing.TextIO, path: str) -> ProgramSet:
    number = 1
    try:
        header = json.loads(next(lines, "null"))
        if not isinstance(header, dict) or header.get("format") != "points":
            raise InputError(f"'{path}': found no file of programs")
        if header["version"] != VERSION:
            raise InputError(f"'{path}': found version {header['version']}, expected {VERSION}")
        tasks = tuple(_task(task) for task in header["tasks"])
        programs: list[Program] = []
        keys = header.get("keys")
        for number, line in enumerate(lines, 2):
            key = keys[len(programs)] if keys else ""
            programs.append(_row(json.loads(line), header["words"], header["steps"], key))
            tasks[programs[-1].task]
        if keys and len(keys) != len(programs):
            raise ValueError(f"found {len(programs)} programs, expected {len(keys)} as there are keys")
    except (OSError, EOFError, ValueError, KeyError, IndexError, TypeError, zlib.error) as fault:
        if isinstance(fault, (InputError, gzip.BadGzipFile)):
            raise
        raise InputError(f"'{path}', line {number}: {fault}") from None
    return ProgramSet(tasks, tuple(programs))


def _text_of(path: pathlib.Path) -> str:
    """The JSON lines of a file of programs, or of what is read as one."""
    if _begins_with(path, b"\x1f\x8b"):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            text = lines.read()
        if "schedulegym_table" not in text[:64]:
            return text
    return _schedulegym.packed_programs([str(path)])


def write_some(name: str | os.PathLike[str], rows: int, path: str | os.PathLike[str],
               split: str = "train", seed: int = 0) -> int:
    """Writes a file of programs with fewer of one split, such as for a curve over rows.

    Args:
        name: As ``find`` takes it; a record store, too.
        rows: Programs of the split that stay, drawn evenly; all where it has no more.
        path: The file to write, ``.points.gz``, which is replaced once all is written.
        split: The split; programs of the others stay.
        seed: Of the draw.

    Returns:
        How many programs were written.

    Raises:
        InputError: As ``load``; there is no such split, or no program of it; ``rows`` or ``seed`` is below
            0; the file cannot be written.
    """
    for option, value in (("rows", rows), ("seed", seed)):
        if value < 0:
            raise InputError(f"{option}: found {value}, expected at least 0")
    check_split(split)
    source = find(name)
    if source.is_dir() or source.suffix == ".parquet" or _begins_with(source, b"PAR1"):
        raise InputError(f"'{source}': found Parquet, expected a file of programs or a store")
    programs = load(source)
    own = [i for i, one in enumerate(programs.programs) if programs.tasks[one.task].split == split]
    if not own:
        held = {programs.tasks[one.task].split or "none" for one in programs.programs}
        raise InputError(f"split: found no program of '{split}' in '{source}', which has: "
                         f"{', '.join(sorted(held)) or 'nothing'}")
    kept = np.random.default_rng(seed).permutation(own)[:rows]
    left_out = set(own) - {int(i) for i in kept}
    head, *lines = io.StringIO(_text_of(source))
    header = json.loads(head)
    if "keys" in header:
        header["keys"] = [key for i, key in enumerate(header["keys"]) if i not in left_out]
        head = json.dumps(header, separators=(",", ":"), ensure_ascii=False) + "\n"
    text = "".join([head, *(line for i, line in enumerate(lines) if i not in left_out)])
    # Without a time of writing, so that equal programs make equal files.
    packed = io.BytesIO()
    with gzip.GzipFile("", "wb", fileobj=packed, mtime=0) as file:
        file.write(text.encode())
    _schedulegym.write_output(path, packed.getvalue())
    return len(lines) - len(left_out)
