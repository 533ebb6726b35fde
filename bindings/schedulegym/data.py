"""Measured programs to learn from.

A file of programs (``.points.gz``) holds schedules of many tasks with what measuring each gave. The
command ``schedulegym records pack`` writes one from record stores. ``load`` reads one, and
``python -m schedulegym.data parquet FILE -o OUT.parquet`` writes it for other tools.
"""
from __future__ import annotations

import argparse
import dataclasses
import gzip
import json
import os
import pathlib
import sys
import typing

from . import InputError

VERSION = 1
SPLITS = ("train", "valid", "networks", "strange")


@dataclasses.dataclass(frozen=True)
class Program:
    """One schedule of a task and what became of it.

    Attributes:
        task: Position in ``ProgramSet.tasks``.
        trace: The schedule, one primitive a line.
        space: Spec of the search space that it is of.
        part: How it was drawn: "chance", "bred", "searched", or "" where that is unknown.
        host: Name of the machine.
        outcome: "ok", or the type of the failure.
        seconds: Of one call; None of a failure.
        ratio: The reference's seconds over its own: median, low and high end; None of a failure.
        samples: Seconds of one call, a sample each; empty of a failure.
    """

    task: int
    trace: str
    space: str
    part: str
    host: str
    outcome: str
    seconds: float | None = None
    ratio: tuple[float, float, float] | None = None
    samples: tuple[float, ...] = ()


@dataclasses.dataclass(frozen=True)
class ProgramTask:
    """A computation on a target.

    Attributes:
        key: 32 hex digits.
        workload: The computation as a spec.
        target: The machine as a spec.
        dag: The computation as ``.dag`` text.
        split: "train", "valid", "networks", "strange", or "" where it is in none.
    """

    key: str
    workload: str
    target: str
    dag: str
    split: str


@dataclasses.dataclass(frozen=True)
class ProgramSet:
    """Programs and their tasks.

    Attributes:
        tasks: The computations.
        programs: The schedules, which name tasks by their positions.

    Example:
        >>> programs = ProgramSet((), ())
        >>> len(programs), programs.speeds()
        (0, [])
    """

    tasks: tuple[ProgramTask, ...]
    programs: tuple[Program, ...]

    def __len__(self) -> int:
        return len(self.programs)

    def of_split(self, split: str) -> ProgramSet:
        """The programs of one split; all tasks stay, so positions hold.

        Args:
            split: One of ``SPLITS``.

        Returns:
            A set with fewer programs.

        Raises:
            InputError: There is no such split.
        """
        if split not in SPLITS:
            raise InputError(f"split: '{split}' is not known; expected one of: {', '.join(SPLITS)}")
        return ProgramSet(self.tasks, tuple(program for program in self.programs
                                            if self.tasks[program.task].split == split))

    def speeds(self) -> list[float]:
        """Labels: the seconds of the task's best over each program's own, 0 of a failure.

        Returns:
            One number from 0 to 1 for each program, in order.
        """
        best: dict[int, float] = {}
        for program in self.programs:
            if program.seconds is not None:
                best[program.task] = min(program.seconds, best.get(program.task, program.seconds))
        return [0.0 if program.seconds is None else best[program.task] / program.seconds
                for program in self.programs]

    def rows(self) -> dict[str, list[typing.Any]]:
        """Columns of equal length: those of ``Program``, with the task's written out.

        Returns:
            Lists by the name of the column, as ``pandas.DataFrame`` and ``pyarrow.table`` take them.
        """
        columns: dict[str, list[typing.Any]] = {}
        for name in ("trace", "space", "part", "host", "outcome", "seconds"):
            columns[name] = [getattr(program, name) for program in self.programs]
        for position, name in enumerate(("ratio", "ratio_low", "ratio_high")):
            columns[name] = [program.ratio and program.ratio[position] for program in self.programs]
        columns["samples"] = [list(program.samples) for program in self.programs]
        for name in ("key", "workload", "target", "dag", "split"):
            columns[name if name != "key" else "task"] = [
                getattr(self.tasks[program.task], name) for program in self.programs]
        return columns


def _row(line: list[typing.Any], words: list[str], steps: list[str]) -> Program:
    task, space, part, host, outcome, trace, *timing = line
    texts = "".join(steps[step] + "\n" for step in trace)
    program = Program(task, texts, words[space], words[part], words[host], words[outcome])
    if not timing:
        return program
    seconds, ratio, samples = timing
    return dataclasses.replace(program, seconds=seconds, ratio=tuple(ratio), samples=tuple(samples))


def find(name: str | os.PathLike[str]) -> pathlib.Path:
    """The file of a data set.

    Args:
        name: A path, or the name of a set: it is looked for in the folder of the environment
            variable SCHEDULEGYM_DATA and in ``experiments/data`` of the current folder.

    Returns:
        A path that exists.

    Raises:
        InputError: There is none; the message has the command that makes one.
    """
    folders = [pathlib.Path("experiments/data")]
    if os.environ.get("SCHEDULEGYM_DATA"):
        folders.insert(0, pathlib.Path(os.environ["SCHEDULEGYM_DATA"]))
    for path in (pathlib.Path(name), *(folder / f"{name}.points.gz" for folder in folders)):
        if path.is_file():
            return path
    raise InputError(f"data: found no '{name}'; expected a file, or a set in SCHEDULEGYM_DATA or "
                     "experiments/data; make one: schedulegym tune programs_train --agent collect "
                     "--scheduler round_robin --store STORE, then schedulegym records pack STORE "
                     f"-o {pathlib.Path(name).name}.points.gz")


def load(name: str | os.PathLike[str], split: str | None = None) -> ProgramSet:
    """Reads a data set.

    Args:
        name: As ``find`` takes it.
        split: One of ``SPLITS``; None for all programs.

    Returns:
        The programs, in the order of the file.

    Raises:
        InputError: There is no such file, or it is none of this version, or torn.
    """
    path = find(name)
    number = 1
    try:
        with gzip.open(path, "rt", encoding="utf-8") as lines:
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
    except (OSError, EOFError, ValueError, KeyError, IndexError, TypeError) as fault:
        if isinstance(fault, InputError):
            raise
        raise InputError(f"'{path}', line {number}: {fault}") from None
    loaded = ProgramSet(tasks, tuple(programs))
    return loaded if split is None else loaded.of_split(split)


def to_parquet(programs: ProgramSet, path: str | os.PathLike[str]) -> None:
    """Writes a set as one Parquet file.

    Args:
        programs: What to write; columns are those of ``ProgramSet.rows``.
        path: The file, which is replaced.

    Raises:
        InputError: pyarrow is missing.
    """
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise InputError("parquet: found no pyarrow; install it: pip install pyarrow") from None
    pyarrow.parquet.write_table(pyarrow.table(programs.rows()), os.fspath(path))


def main(words: list[str] | None = None) -> int:
    """The command ``python -m schedulegym.data``.

    Args:
        words: Arguments; those of the process where None.

    Returns:
        The exit code: 0, or 2 for bad input.
    """
    parser = argparse.ArgumentParser(prog="python -m schedulegym.data", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    parquet = commands.add_parser("parquet", help="write a data set as a Parquet file")
    parquet.add_argument("data", help="a file of programs, or the name of a set")
    parquet.add_argument("-o", "--out", required=True, metavar="FILE")
    arguments = parser.parse_args(words)
    try:
        programs = load(arguments.data)
        to_parquet(programs, arguments.out)
    except InputError as fault:
        print(f"error: {fault}", file=sys.stderr)
        return 2
    print(f"{arguments.out}: {len(programs)} programs")
    return 0


if __name__ == "__main__":
    sys.exit(main())
