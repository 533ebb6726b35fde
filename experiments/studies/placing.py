"""Placing: makes what a folder lacks on a cluster's nodes, and begins again what died there.

The folder stays here: each run is kept as it comes back, so that nothing is merged twice and the
study goes on after any kill. A live run's block, one seed of a case over all arms, stays on the
machine where it began, so that arms are compared on one machine.
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
    """The process or the node of a run is gone; says which."""


@dataclasses.dataclass(frozen=True)
class Made:
    """What a node sends back."""

    outcome: Outcome
    timing: Timing
    records: bytes | None  # the store of a live run
    node: str  # the node that made it


class Cluster(Protocol):
    """Machines that make runs; nodes may come and go."""

    def slots(self, live: bool) -> int:
        """How many runs they make at once, now."""

    def begin(self, runner: Runner, run: Run, node: str | None) -> Hashable:
        """Returns at once, with what stands for it; on that node if it is still there."""

    def wait(self, begun: Sequence[Hashable]) -> Sequence[Hashable]:
        """Those that are over, after a while at most."""

    def made(self, begun: Hashable) -> Made:
        """Of one that is over; raises Died, or what the run raised."""


@dataclasses.dataclass
class _Chain:
    """Runs that are made one after another on one node."""

    runs: deque[Run]
    node: str | None = None
    deaths: int = 0  # of the first run


def place_runs(runs: list[Run], folder: Folder, runner: Runner, *, cluster: Cluster, tell: Tell,
               seconds: float | None = None, clock: Clock = time.monotonic) -> Ending:
    """As the engine's `make_runs`: those that nothing is measured for first, then live ones."""
    end = Ending()
    deadline = None if seconds is None else clock() + seconds
    missing = [run for run in runs if not folder.has(run)]
    for live in (False, True):
        _Round(folder, runner, cluster, tell, end).work(
            _chains([run for run in missing if run.live == live], live), live,
            lambda: deadline is not None and clock() >= deadline)
    return end


class _Round:
    """Live runs or others, and what became of them."""

    def __init__(self, folder: Folder, runner: Runner, cluster: Cluster, tell: Tell,
                 end: Ending) -> None:
        self._folder, self._runner, self._cluster = folder, runner, cluster
        self._tell, self._end = tell, end

    def work(self, waiting: deque[_Chain], live: bool, is_over: Callable[[], bool]) -> None:
        """Until nothing waits or the time is over; what died waits at the end.

        Where no node is left one run is begun all the same: it waits for one.
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
        """Whether the chain's first run is made; one that died is left in it, to be begun again."""
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
    """Of live runs a chain is a block; of others each is one of its own."""
    blocks: dict[object, deque[Run]] = {}
    for place, run in enumerate(runs):
        blocks.setdefault((run.case.name, run.seed) if live else place, deque()).append(run)
    return deque(map(_Chain, blocks.values()))
