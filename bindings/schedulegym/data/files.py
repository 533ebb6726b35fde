"""Files of programs: found, read, written."""
from __future__ import annotations

import gzip
import io
import json
import os
import pathlib
import typing
import zlib

import numpy as np

from schedulegym import InputError, _schedulegym

from ._columns import METADATA, VERSION, arrow_of
from ._features import cache_folder
from .programs import Program, ProgramSet, ProgramTask


def _row(line: list[typing.Any], words: list[str], steps: list[str]) -> Program:
    task, space, part, host, outcome, trace, *timing = line
    if min(task, space, part, host, outcome, *trace, 0) < 0:
        raise ValueError("found a negative position")
    texts = "".join(steps[step] + "\n" for step in trace)
    seconds, ratio, samples = timing if timing else (None, None, ())
    return Program(task, texts, words[space], words[part], words[host], words[outcome], seconds,
                   ratio and tuple(ratio), tuple(samples))


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


def find(name: str | os.PathLike[str]) -> pathlib.Path:
    """The file of a data set.

    Args:
        name: A path, or the name of a set, such as "sample": NAME.points.gz in one of ``folders()``.

    Returns:
        A path that exists.

    Raises:
        InputError: There is none; the message has the command that makes one.
    """
    for path in (pathlib.Path(name), *(folder / f"{name}.points.gz" for folder in folders())):
        if path.is_file():
            return path
    raise InputError(f"data: found no '{name}'; expected a file, or a set in SCHEDULEGYM_DATA, "
                     f"experiments/data or {cache_folder()}; make one: schedulegym tune programs_train "
                     "--agent collect --scheduler round_robin --protocol collect --store STORE, then "
                     f"schedulegym records pack STORE -o {pathlib.Path(name).name}.points.gz")


def load(name: str | os.PathLike[str], split: str | None = None) -> ProgramSet:
    """Reads a data set.

    Args:
        name: As ``find`` takes it; a Parquet file of ``to_parquet`` or a record store, too.
        split: One of ``SPLITS``; None for all programs.

    Returns:
        The programs, in the order of the file.

    Raises:
        InputError: There is no such file, or it is none of this version, or torn.
    """
    path = find(name)
    if path.suffix == ".parquet":
        loaded = _read_parquet(path)
    else:
        loaded = load_stores([path]) if _is_store(path) else _read_points(path)
    return loaded if split is None else loaded.of_split(split)


def load_stores(stores: typing.Iterable[str | os.PathLike[str]]) -> ProgramSet:
    """Reads the measured programs of record stores, such as those of several machines.

    Args:
        stores: Their files.

    Returns:
        The programs of all, in order, as ``schedulegym records pack`` packs them.

    Raises:
        InputError: One is no store, two machines have one name, or nothing was measured.
    """
    names = [os.fspath(store) for store in stores]
    text = _schedulegym.packed_programs(names)
    programs = _read_lines(io.StringIO(text), ", ".join(names))
    if not programs.programs:
        raise InputError(f"'{', '.join(names)}': found no measured program")
    return programs


def _is_store(path: pathlib.Path) -> bool:
    with open(path, "rb") as file:
        return file.read(15) == b"SQLite format 3"


def _read_points(path: pathlib.Path) -> ProgramSet:
    try:
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            return _read_lines(lines, str(path))
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
        tasks = tuple(ProgramTask(**task) for task in header["tasks"])
        programs = []
        for number, line in enumerate(lines, 2):
            programs.append(_row(json.loads(line), header["words"], header["steps"]))
            tasks[programs[-1].task]
    except (OSError, EOFError, ValueError, KeyError, IndexError, TypeError, zlib.error) as fault:
        if isinstance(fault, InputError):
            raise
        raise InputError(f"'{path}', line {number}: {fault}") from None
    return ProgramSet(tasks, tuple(programs))


def write_some(name: str | os.PathLike[str], rows: int, path: str | os.PathLike[str],
               split: str = "train", seed: int = 0) -> int:
    """Writes a file of programs with fewer of one split, such as for a curve over rows.

    Args:
        name: As ``find`` takes it.
        rows: Programs of the split that stay, drawn evenly; all where it has no more.
        path: The file to write, ``.points.gz``.
        split: The split; programs of the others stay.
        seed: Of the draw.

    Returns:
        How many programs were written.

    Raises:
        InputError: As ``load``.
    """
    programs = load(name)
    own = [i for i, one in enumerate(programs.programs) if programs.tasks[one.task].split == split]
    kept = np.random.default_rng(seed).permutation(own)[:rows]
    left_out = set(own) - {int(i) for i in kept}
    with gzip.open(find(name), "rt", encoding="utf-8") as lines:
        text = [next(lines), *(line for i, line in enumerate(lines) if i not in left_out)]
    # Without a time of writing, so that equal programs make equal files.
    with open(path, "wb") as file, gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed:
        packed.write("".join(text).encode())
    return len(text) - 1


def _read_parquet(path: pathlib.Path) -> ProgramSet:
    arrow = arrow_of("parquet")
    try:
        table = arrow.parquet.read_table(path)
    except (OSError, arrow.ArrowException) as fault:
        raise InputError(f"'{path}': found no Parquet file: {str(fault).splitlines()[0]}") from None
    found = (table.schema.metadata or {}).get(b"schedulegym", b"none").decode(errors="replace")
    if found != METADATA["schedulegym"]:
        raise InputError(f"'{path}': found format '{found}', expected "
                         f"'{METADATA['schedulegym']}'")
    tasks: dict[str, tuple[int, ProgramTask]] = {}
    programs = []
    for row in table.to_pylist():
        task = ProgramTask(row["task"], row["workload"], row["target"], row["dag"], row["split"])
        position, _ = tasks.setdefault(task.key, (len(tasks), task))
        ratio = None if row["seconds"] is None else (row["ratio"], row["ratio_low"], row["ratio_high"])
        programs.append(Program(position, row["trace"], row["space"], row["part"], row["host"],
                                row["outcome"], row["seconds"], ratio, tuple(row["samples"])))
    return ProgramSet(tuple(task for _, task in tasks.values()), tuple(programs))


def to_parquet(programs: ProgramSet, path: str | os.PathLike[str]) -> None:
    """Writes a set as one Parquet file, which ``load`` reads.

    Args:
        programs: What to write; columns are those of ``ProgramSet.rows``.
        path: The file, which is replaced once all is written.

    Raises:
        InputError: pyarrow is missing.
    """
    arrow = arrow_of("parquet")
    beside = pathlib.Path(path).with_name(pathlib.Path(path).name + ".part")
    try:
        arrow.parquet.write_table(programs.table(), beside)
        os.replace(beside, path)
    finally:
        beside.unlink(missing_ok=True)
