"""Parquet files of programs, for other tools."""
from __future__ import annotations

import os
import pathlib
import re
import shutil
import typing

from schedulegym import InputError, _schedulegym

from ._columns import LATER, METADATA, OPTIONAL, arrow_of, column_types
from .programs import Program, ProgramSet, ProgramTask


def _columns_of(path: pathlib.Path) -> dict[str, list[typing.Any]]:
    """The file's columns as Python's values; raises InputError for what is no file of programs."""
    arrow = arrow_of("parquet")
    # A file that is cut off may fail in many ways.
    try:
        table = arrow.parquet.read_table(path, partitioning=None)
    except (OSError, ValueError, arrow.ArrowException) as fault:
        raise InputError(f"'{path}': found no Parquet file: {str(fault).splitlines()[0]}") from None
    found = (table.schema.metadata or {}).get(b"schedulegym", b"none").decode(errors="replace")
    if found != METADATA["schedulegym"]:
        raise InputError(f"'{path}': found format '{found}', expected "
                         f"'{METADATA['schedulegym']}'")
    columns = {}
    for name, kind in column_types(arrow).items():
        if name not in table.column_names and name in LATER:
            columns[name] = [""] * table.num_rows
            continue
        if name not in table.column_names:
            raise InputError(f"'{path}': found no column '{name}'")
        try:
            columns[name] = table.column(name).cast(kind).to_pylist()
        except arrow.ArrowException:
            raise InputError(f"'{path}': found {table.schema.field(name).type} in column '{name}', "
                             f"expected {kind}") from None
    return columns


def _check_row(row: dict[str, typing.Any]) -> None:
    """Raises ValueError where a value is missing."""
    given = [name for name in row if name not in OPTIONAL or row["outcome"] == "ok"]
    for name in given:
        if row[name] is None or name == "samples" and None in row[name]:
            raise ValueError(f"found null in column '{name}'")


def parquet_files(folder: pathlib.Path) -> list[pathlib.Path]:
    """The Parquet files of a folder.

    Args:
        folder: A path.

    Returns:
        Its files ``*.parquet`` by name; none where the path is of no folder.
    """
    return sorted(folder.glob("*.parquet")) if folder.is_dir() else []


def _rows_of(path: pathlib.Path) -> typing.Iterator[dict[str, typing.Any]]:
    columns = _columns_of(path)
    for number, values in enumerate(zip(*columns.values()), 1):
        row = dict(zip(columns, values))
        try:
            _check_row(row)
        except ValueError as fault:
            raise InputError(f"'{path}', row {number}: {fault}") from None
        yield row


def read_parquet(paths: typing.Sequence[pathlib.Path]) -> ProgramSet:
    """Reads what ``to_parquet`` wrote, all files as one set.

    Args:
        paths: The files.

    Returns:
        Their programs, in order.

    Raises:
        MachineError: pyarrow is missing.
        InputError: One is no such file, of another version, or a value is missing.
    """
    tasks: dict[str, tuple[int, ProgramTask]] = {}
    programs = []
    for row in (row for path in paths for row in _rows_of(path)):
        task = ProgramTask(row["task"], row["workload"], row["target"], row["dag"], row["split"])
        position, _ = tasks.setdefault(task.key, (len(tasks), task))
        timing: dict[str, typing.Any] = {}
        if row["outcome"] == "ok":
            timing = {"seconds": row["seconds"], "samples": tuple(row["samples"]),
                      "ratio": (row["ratio"], row["ratio_low"], row["ratio_high"])}
        programs.append(Program(position, row["trace"], row["space"], row["part"], row["host"],
                                row["outcome"], key=row["key"], **timing))
    return ProgramSet(tuple(task for _, task in tasks.values()), tuple(programs))


def _parquet_of(programs: ProgramSet) -> typing.Any:
    """The bytes of the file."""
    arrow = arrow_of("parquet")
    written = arrow.BufferOutputStream()
    arrow.parquet.write_table(programs.table(), written)
    return written.getvalue().to_pybytes()


def to_parquet(programs: ProgramSet, path: str | os.PathLike[str]) -> None:
    """Writes a set as one Parquet file, which ``load`` reads.

    Args:
        programs: What to write; columns are those of ``ProgramSet.rows``.
        path: The file, which is replaced once all is written.

    Raises:
        MachineError: pyarrow is missing.
        InputError: The file cannot be written.
    """
    _schedulegym.write_output(path, _parquet_of(programs))


def kind_of(workload: str) -> str:
    """The kind of a computation, as the name of a file.

    Args:
        workload: A spec, or the path of a ``.dag`` file.

    Returns:
        The name of the spec or of the file, without characters that name no file.

    Example:
        >>> kind_of("matmul(m=1,n=2,k=3)"), kind_of("nets/half.dag")
        ('matmul', 'half')
    """
    name = pathlib.PurePath(workload.partition("(")[0]).name.removesuffix(".dag")
    return re.sub(r"[^\w.-]", "_", name).lstrip(".") or "other"


def kinds_to_parquet(programs: ProgramSet, folder: str | os.PathLike[str]) -> dict[str, int]:
    """Writes a set as Parquet files, one for each kind of computation: ``matmul.parquet``, ...

    Args:
        programs: What to write.
        folder: Is made when all files are written; an empty one may be there.

    Returns:
        How many programs each file has, by its name.

    Raises:
        MachineError: pyarrow is missing.
        InputError: There is something already, the folder cannot be written, or there is no program.
    """
    place = pathlib.Path(folder)
    if place.is_symlink() or place.exists() and not (place.is_dir() and not any(place.iterdir())):
        raise InputError(f"'{place}': found something there, expected a new folder")
    if not place.parent.is_dir():
        raise InputError(f"cannot write '{place}': '{place.parent}' is no folder")
    kinds: dict[str, list[Program]] = {}
    for program in programs.programs:
        kinds.setdefault(kind_of(programs.tasks[program.task].workload), []).append(program)
    if not kinds:
        raise InputError("parquet: found no program")
    beside = place.with_name(f".{place.name}.{os.getpid()}")
    try:
        beside.mkdir()
        for kind, own in kinds.items():
            written = _parquet_of(ProgramSet(programs.tasks, tuple(own)))
            (beside / f"{kind}.parquet").write_bytes(written)
        os.replace(beside, place)
    except OSError as fault:
        raise InputError(f"cannot write '{place}': {fault.strerror}") from None
    finally:
        shutil.rmtree(beside, ignore_errors=True)
    return {f"{kind}.parquet": len(own) for kind, own in kinds.items()}
