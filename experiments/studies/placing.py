"""Placing: makes a folder's missing runs on a cluster's nodes, and restarts those that died there.

The folder is local: each run is kept as it returns, so no merge is needed and the study resumes after
any kill. A live run's block, one seed of a case over all arms, stays on the machine where it began, so
that arms are compared on one machine.
"""
from __future__ import annotations

import dataclasses
import time
from collections import deque
from collections.abc import Callable, Hashable, Sequence
from typing import Protocol

from schedulegym.studies.engine import Clock, Ending, Tell, reason_of
from schedulegym.studies.folder import Folder, replace
from schedulegym.studies.outcome import Outcome, Timing
from schedulegym.studies.runner import Runner
from schedulegym.studies.study import Run

MOST_DEATHS = 3  # deaths of a run or of its node, after which the run is left out and reported


class Died(Exception):
    """The process or the node of a run died; the text names it."""


@dataclasses.dataclass(frozen=True)
class Made:
    """The result that a node returns."""

    outcome: Outcome
    timing: Timing
    records: bytes | None  # the store of a live run
    node: str  # the node that made it


class Cluster(Protocol):
    """Machines that make runs; nodes may come and go."""

    def slots(self, live: bool) -> int:
        """Returns the number of runs that the machines can make concurrently now."""

    def begin(self, runner: Runner, run: Run, node: str | None) -> Hashable:
        """Starts a run, on `node` if it still exists. Returns its handle at once."""

    def wait(self, begun: Sequence[Hashable]) -> Sequence[Hashable]:
        """Returns the finished handles; waits a limited time."""

    def made(self, begun: Hashable) -> Made:
        """Returns the result of a finished run; raises Died, or the run's exception."""


@dataclasses.dataclass
class _Chain:
    """Runs to make one after another on one node."""

    runs: deque[Run]
    node: str | None = None
    deaths: int = 0  # of the first run


def place_runs(runs: list[Run], folder: Folder, runner: Runner, *, cluster: Cluster, tell: Tell,
               seconds: float | None = None, clock: Clock = time.monotonic) -> Ending:
    """Implements the engine's `make_runs`: first the runs without measurements, then live ones."""
    end = Ending()
    deadline = None if seconds is None else clock() + seconds
    missing = [run for run in runs if not folder.has(run)]
    for live in (False, True):
        _Round(folder, runner, cluster, tell, end).work(
            _chains([run for run in missing if run.live == live], live), live,
            lambda: deadline is not None and clock() >= deadline)
    return end


class _Round:
    """Live runs or others, and their results."""

    def __init__(self, folder: Folder, runner: Runner, cluster: Cluster, tell: Tell,
                 end: Ending) -> None:
        self._folder, self._runner, self._cluster = folder, runner, cluster
        self._tell, self._end = tell, end

    def work(self, waiting: deque[_Chain], live: bool, is_over: Callable[[], bool]) -> None:
        """Makes runs until none waits or the time is over; a run that died goes to the end of the queue.

        With no node left one run is started anyway and waits for a node.
        """
        under_way: dict[Hashable, _Chain] = {}
        while under_way or (waiting and not is_over()):
            slots = max(1, self._cluster.slots(live))
            while waiting and len(under_way) < slots and not is_over():
                chain = waiting.popleft()
                begun = self._cluster.begin(self._runner, chain.runs[0], chain.node)
                under_way[begun] = chain
            for begun in self._cluster.wait(list(under_way)) if under_way else ():
                chain = under_way.pop(begun)
                put = waiting.appendleft if self._take(chain, begun) else waiting.append
                if chain.runs:
                    put(chain)
        self._end.left += sum(len(chain.runs) for chain in waiting)

    def _take(self, chain: _Chain, begun: Hashable) -> bool:
        """Returns whether the chain's first run is made; one that died stays in it for a restart."""
        run = chain.runs[0]
        try:
            made = self._cluster.made(begun)
        except Died as fault:
            chain.deaths += 1
            if chain.deaths >= MOST_DEATHS:
                self._end.failed.append((run, f"died {chain.deaths} times: {fault}"))
                chain.runs.popleft()
                chain.deaths = 0
            return False
        except Exception as fault:  # pylint: disable=broad-except
            self._end.failed.append((run, reason_of(fault)))
            chain.runs.popleft()
            chain.deaths = 0
            return True
        if made.records is not None:
            replace(self._folder.store(run), made.records)
        self._folder.keep(run, made.outcome, made.timing)
        self._end.made += 1
        self._tell(run, made.outcome, made.timing)
        chain.runs.popleft()
        chain.node, chain.deaths = made.node, 0
        return True


def _chains(runs: list[Run], live: bool) -> deque[_Chain]:
    """Returns a chain for each block of live runs, and for each other run."""
    blocks: dict[object, deque[Run]] = {}
    for place, run in enumerate(runs):
        blocks.setdefault((run.case.name, run.seed) if live else place, deque()).append(run)
    return deque(map(_Chain, blocks.values()))
