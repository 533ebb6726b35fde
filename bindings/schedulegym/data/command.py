"""The command ``python -m schedulegym.data``."""
from __future__ import annotations

import argparse
import pathlib
import sys

from schedulegym import InputError, _schedulegym

from .files import load, load_stores, to_parquet, write_some
from .layers import likely_layers


def _write_likely(arguments: argparse.Namespace) -> str:
    layers = [str(task) for name in arguments.networks for _, task in _schedulegym.read_network(name)]
    drawn = likely_layers(layers, arguments.count, arguments.seed, arguments.agree)
    pathlib.Path(arguments.out).write_text("".join(f"1 {layer}\n" for layer in drawn))
    return f"{len(drawn)} layers"


def main(words: list[str] | None = None) -> int:
    """The command ``python -m schedulegym.data``.

    Args:
        words: Arguments; those of the process where None.

    Returns:
        The exit code: 0, or 2 for bad input.
    """
    parser = argparse.ArgumentParser(
        prog="python -m schedulegym.data",
        description="writes measured programs for other tools, and layers to measure")
    commands = parser.add_subparsers(dest="command", required=True)
    parquet = commands.add_parser("parquet", help="write a data set as a Parquet file")
    parquet.add_argument("data", nargs="+", help="a file of programs, the name of a set, or stores")
    parquet.add_argument("-o", "--out", required=True, metavar="FILE")
    likely = commands.add_parser("likely", help="draw layers that are like those of networks")
    likely.add_argument("networks", nargs="+", help="names of networks, or .net files")
    likely.add_argument("-o", "--out", required=True, metavar="FILE", help="a .net file")
    likely.add_argument("--count", type=int, default=24)
    likely.add_argument("--seed", type=int, default=0)
    likely.add_argument("--agree", type=int, help="columns a layer must agree in (default all)")
    some = commands.add_parser("some", help="write a data set with fewer programs of a split")
    some.add_argument("data", help="a file of programs, or the name of a set")
    some.add_argument("-o", "--out", required=True, metavar="FILE", help="a .points.gz file")
    some.add_argument("--rows", type=int, required=True, help="programs of the split that stay")
    some.add_argument("--split", default="train")
    some.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args(words)
    try:
        if arguments.command == "likely":
            told = _write_likely(arguments)
        elif arguments.command == "some":
            told = str(write_some(arguments.data, arguments.rows, arguments.out, arguments.split,
                                  arguments.seed)) + " programs"
        else:
            several = len(arguments.data) > 1
            programs = load_stores(arguments.data) if several else load(arguments.data[0])
            to_parquet(programs, arguments.out)
            told = f"{len(programs)} programs"
    except InputError as fault:
        print(f"error: {fault}", file=sys.stderr)
        return 2
    print(f"{arguments.out}: {told}")
    return 0
