"""Engines: make runs in processes of this machine or on a cluster's nodes.

The results of a study do not depend on the engine, except those measured live.
"""
from __future__ import annotations

import argparse
import contextlib
import functools
import io
import re
from collections.abc import Iterator, Sequence
from typing import Protocol

from schedulegym import MachineError
from schedulegym.studies import engine
from schedulegym.studies.faults import StudyError, unknown_name
from schedulegym.studies.folder import Folder
from schedulegym.studies.placing import place_runs
from schedulegym.studies.progress import Progress
from schedulegym.studies.runner import Runner
from schedulegym.studies.study import Run

ENGINES = ("local", "ray")
_OPTIONS = ("--engine", "--ray-address")


class MakeRuns(Protocol):
    """Signature of every engine's `make_runs`."""

    def __call__(self, runs: list[Run], folder: Folder, runner: Runner, *, tell: engine.Tell,
                 seconds: float | None = None) -> engine.Ending:
        """Makes the runs that the folder lacks."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds --engine and --ray-address."""
    parser.add_argument("--engine", default="local", metavar="NAME",
                        help="where runs are made: local (default), or ray, on a cluster's nodes")
    parser.add_argument("--ray-address", metavar="ADDRESS",
                        help="of a cluster of Ray: HOST:PORT, auto (default: one that runs here, "
                             "else one is started), or local (one is started)")


def check_options(given: argparse.Namespace) -> None:
    """Raises StudyError for an unknown engine, or for an address without the engine ray."""
    if given.engine not in ENGINES:
        raise unknown_name("engine", given.engine, ENGINES)
    address = given.ray_address
    if address is not None and given.engine != "ray":
        raise StudyError(f"--ray-address: found engine {given.engine}, expected --engine ray")
    if address is not None and not re.fullmatch(r"auto|local|[^/:]+:[0-9]{1,5}", address):
        raise StudyError(f"--ray-address: found '{address}', expected HOST:PORT, auto or local")


@contextlib.contextmanager
def opened(given: argparse.Namespace, runs: Sequence[Run], cores: int) -> Iterator[MakeRuns]:
    """Yields the chosen engine; raises MachineError if it is unavailable."""
    if given.engine == "local":
        yield functools.partial(engine.make_runs, workers=cores)
        return
    try:
        from schedulegym.studies.ray_engine import RayCluster
    except ModuleNotFoundError as fault:
        if (fault.name or "").partition(".")[0] != "ray":
            raise
        raise MachineError("missing Python package ray (to install what --engine ray needs: "
                           "./sg setup ray, or pip install ray)") from None
    # Ray prints events of nodes to stdout, so the program's own output uses the original stream.
    with contextlib.redirect_stdout(io.StringIO()):
        cluster = RayCluster(given.ray_address or "auto", cores, any(run.live for run in runs))
        try:
            yield functools.partial(place_runs, cluster=cluster)
        finally:
            cluster.close()


def make_or_interrupt(make_runs: MakeRuns, runs: list[Run], folder: Folder, runner: Runner,
                      progress: Progress, seconds: float | None) -> engine.Ending:
    """Reports each run. After Ctrl-C or SIGTERM, reports how many runs are kept and ends the program."""
    try:
        return make_runs(runs, folder, runner, tell=progress.run, seconds=seconds)
    except KeyboardInterrupt as fault:
        progress.end()
        made = sum(map(folder.has, runs))
        progress.event("done", planned=len(runs), made=made, left=len(runs) - made, failed=0,
                       report=None)
        progress.say(f"interrupted: {made} of {len(runs)} runs are kept; the same command goes on")
        raise SystemExit(143 if fault.args else 130) from None
    finally:
        progress.end()


def without_options(words: Sequence[str]) -> list[str]:
    """Returns a command's words without engine options, which do not change its results."""
    kept: list[str] = []
    is_value = False
    for word in words:
        if not is_value and word.partition("=")[0] not in _OPTIONS:
            kept.append(word)
        is_value = not is_value and word in _OPTIONS
    return kept
