"""The command ``python -m schedulegym.data``."""
from __future__ import annotations

import argparse
import contextlib
import os
import sys
import typing

from schedulegym import InputError, MachineError, _schedulegym

from .files import load, load_stores, write_some
from .layers import likely_layers
from .parquet import kinds_to_parquet, to_parquet
from .programs import ProgramSet

_LOST, _INPUT, _MACHINE, _INTERRUPTED, _CLOSED = 1, 2, 3, 130, 141  # exit codes of the program


class _Parser(argparse.ArgumentParser):
    """Faults are one line and exit code 2, as those of other commands are."""

    def error(self, message: str) -> typing.NoReturn:
        raise InputError(message)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="python -m schedulegym.data",
        description="writes measured programs for other tools, and layers to measure")
    commands = parser.add_subparsers(dest="command", required=True)
    parquet = commands.add_parser("parquet", help="write a data set as a Parquet file")
    parquet.add_argument("data", nargs="+", help="a file of programs, the name of a set, or stores")
    parquet.add_argument("-o", "--out", required=True, metavar="FILE", help="with --by, a new folder")
    parquet.add_argument("--by", choices=["kind"], help="a file KIND.parquet for each kind of workload")
    likely = commands.add_parser("likely", help="draw layers that are like those of networks")
    likely.add_argument("networks", nargs="+", help="names of networks, or .net files")
    likely.add_argument("-o", "--out", required=True, metavar="FILE", help="a .net file")
    likely.add_argument("--count", type=int, default=24, help="layers to draw, at most (default 24)")
    likely.add_argument("--seed", type=int, default=0)
    likely.add_argument("--agree", type=int, help="columns a layer must agree in (default all)")
    some = commands.add_parser("some", help="write a data set with fewer programs of a split")
    some.add_argument("data", help="a file of programs, the name of a set, or a store")
    some.add_argument("-o", "--out", required=True, metavar="FILE", help="a .points.gz file")
    some.add_argument("--rows", type=int, required=True, help="programs of the split that stay")
    some.add_argument("--split", default="train")
    some.add_argument("--seed", type=int, default=0)
    return parser


def _loaded(data: list[str]) -> ProgramSet:
    return load_stores(data) if len(data) > 1 else load(data[0])


def _write_likely(arguments: argparse.Namespace) -> str:
    layers = [str(task) for name in arguments.networks for _, task in _schedulegym.read_network(name)]
    drawn = likely_layers(layers, arguments.count, arguments.seed, arguments.agree)
    _schedulegym.write_output(arguments.out, "".join(f"1 {layer}\n" for layer in drawn).encode())
    return f"{len(drawn)} layers"


def _write(words: list[str] | None) -> str:
    """Writes what was asked for; the line that says what it was."""
    arguments = _parser().parse_args(words)
    if arguments.command == "parquet" and arguments.by:
        files = kinds_to_parquet(_loaded(arguments.data), arguments.out)
        return f"{arguments.out}: {len(files)} files, {sum(files.values())} programs"
    _schedulegym.check_output(arguments.out)  # checked first, as reading and drawing take seconds
    if arguments.command == "likely":
        told = _write_likely(arguments)
    elif arguments.command == "some":
        count = write_some(arguments.data, arguments.rows, arguments.out, arguments.split, arguments.seed)
        told = f"{count} programs"
    else:
        programs = _loaded(arguments.data)
        to_parquet(programs, arguments.out)
        told = f"{len(programs)} programs"
    return f"{arguments.out}: {told}"


def _print(line: str) -> int:
    """The exit code: 0, or that of a standard output that took nothing."""
    try:
        print(line, flush=True)
        return 0
    except OSError as fault:
        # Python would write the rest at exit, and print the error again.
        nowhere = os.open(os.devnull, os.O_WRONLY)
        with contextlib.suppress(OSError, ValueError):
            os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
        if isinstance(fault, BrokenPipeError):
            return _CLOSED
        print(f"error: cannot write standard output: {fault.strerror}", file=sys.stderr)
        return _LOST


def main(words: list[str] | None = None) -> int:
    """The command ``python -m schedulegym.data``.

    Args:
        words: Arguments; those of the process where None.

    Returns:
        The exit code: 0, 1 where standard output takes nothing, 2 for bad input, 3 where a package is
        missing.
    """
    try:
        line = _write(words)
    except InputError as fault:
        print(f"error: {fault}", file=sys.stderr)
        return _INPUT
    except MachineError as fault:
        print(f"error: {fault}", file=sys.stderr)
        return _MACHINE
    except OSError as fault:
        what = type(fault).__name__ if fault.filename is None else f"cannot use '{fault.filename}'"
        print(f"error: {what}: {fault.strerror or fault}", file=sys.stderr)
        return _INPUT
    except KeyboardInterrupt:
        return _INTERRUPTED
    return _print(line)
