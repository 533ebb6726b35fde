"""Makes a study's missing runs: model and table runs on all cores, live runs one after another.

A run is finished once its file is in the folder, so a study resumes after any kill. Worker processes make
the runs and die with this one. If a worker dies during a run, the run is tried once more alone; if that
fails too, it is skipped and reported. A run that raises is also skipped and reported; others continue.
"""
from __future__ import annotations

import concurrent.futures as futures
import contextlib
import ctypes
import dataclasses
import multiprocessing
import os
import pathlib
import queue
import signal
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures.process import BrokenProcessPool

from schedulegym.studies.folder import Folder, replace
from schedulegym.studies.outcome import Outcome, Timing
from schedulegym.studies.runner import Runner
from schedulegym.studies.study import Arm, Case, Run

Tell = Callable[[Run, Outcome, Timing], None]
Clock = Callable[[], float]
_Made = tuple[Outcome, Timing]
# The locks of futures.wait() break ("release unlocked lock") where a signal handler raises in them.
_Finished = queue.SimpleQueue[futures.Future[_Made]]
_GLANCE = 0.2  # seconds between two checks for signals
_SECONDS_BETWEEN_LINES = 2.0


@dataclasses.dataclass
class Ending:
    """Progress at the end of a call."""

    made: int = 0
    left: int = 0  # not started when the seconds were over
    failed: list[tuple[Run, str]] = dataclasses.field(default_factory=list)

    def lines(self) -> list[str]:
        """Returns each arm's reasons once, with the first run that had it and the number of others."""
        reasons: dict[tuple[str, str], list[Run]] = {}
        for run, why in sorted(self.failed, key=lambda one: one[0].place):
            reasons.setdefault((run.arm.name, why), []).append(run)
        return [f"not made: case '{runs[0].case.name}', arm '{arm}', seed {runs[0].seed}" +
                (f", and {len(runs) - 1} more runs" if len(runs) > 1 else "") + f": {why}"
                for (arm, why), runs in reasons.items()]


def reason_of(fault: Exception) -> str:
    """Returns the reason as one line."""
    text = str(fault).strip().split("\n", 1)[0]
    return text if isinstance(fault, (ValueError, RuntimeError)) and text else (
        f"{type(fault).__name__}: {text}" if text else type(fault).__name__)


def check_runs(runs: Iterable[Run], runner: Runner, say: Callable[[str], None] = lambda line: None,
               clock: Clock = time.monotonic) -> None:
    """Checks each arm on each case once. What the runner raises names both, as its warnings do.

    Args:
      say: receives the progress, every few seconds, and each warning once.
    """
    firsts: dict[tuple[Case, Arm], Run] = {}
    for run in runs:
        firsts.setdefault((run.case, run.arm), run)
    warned: set[str] = set()
    told = clock()
    for checked, run in enumerate(firsts.values()):
        if clock() - told >= _SECONDS_BETWEEN_LINES:
            told = clock()
            say(f"checked {checked} of {len(firsts)} arms with their cases")
        try:
            warnings = [one for one in runner.check(run) if one not in warned]
        except ValueError as fault:
            raise type(fault)(f"case '{run.case.name}', arm '{run.arm.name}': {fault}") from None
        for warning in warnings:
            warned.add(warning)
            say(f"case '{run.case.name}', arm '{run.arm.name}': {warning}")


def make_runs(runs: list[Run], folder: Folder, runner: Runner, *, workers: int,
              tell: Tell, seconds: float | None = None,
              clock: Clock = time.monotonic) -> Ending:
    """Makes the runs that the folder lacks; starts none after `seconds`."""
    end = Ending()
    deadline = None if seconds is None else clock() + seconds
    missing = [run for run in runs if not folder.has(run)]
    for live, width in ((False, workers), (True, 1)):
        waiting = deque(run for run in missing if run.live == live)
        if waiting:
            _Line(folder, runner, width, tell, end).work(
                waiting, lambda: deadline is not None and clock() >= deadline)
    return end


class _Line:
    """Worker processes and the runs that they make."""

    def __init__(self, folder: Folder, runner: Runner, width: int, tell: Tell,
                 end: Ending) -> None:
        self._folder, self._runner, self._width = folder, runner, width
        self._tell, self._end = tell, end
        self._unverified: set[str] = set()  # cases whose runs get no verified reference

    def work(self, waiting: deque[Run], is_over: Callable[[], bool]) -> None:
        """Makes runs until none waits or the time is over."""
        while waiting and not is_over():
            suspects = self._together(waiting, is_over)
            for run in suspects:
                self._alone(run)
        self._end.left += len(waiting)

    def _together(self, waiting: deque[Run], is_over: Callable[[], bool]) -> list[Run]:
        """Returns the runs in progress when a worker died, empty if none did."""
        pool = _pool(self._width)
        under_way: dict[futures.Future[_Made], Run] = {}
        finished = _Finished()
        try:
            while waiting or under_way:
                while waiting and len(under_way) < self._width and not is_over():
                    future = self._submit(pool, waiting[0])
                    under_way[future] = waiting.popleft()
                    future.add_done_callback(finished.put)
                if not under_way:
                    break
                future = _next(finished)
                if isinstance(fault := future.exception(), BrokenProcessPool):
                    raise fault  # keeps it among the suspects
                self._keep(under_way.pop(future), future)
        except BrokenProcessPool:
            return list(under_way.values())
        finally:
            _end(pool)
        return []

    def _alone(self, run: Run) -> None:
        pool = _pool(1)
        finished = _Finished()
        try:
            self._submit(pool, run).add_done_callback(finished.put)
            self._keep(run, _next(finished))
        except BrokenProcessPool:
            self._end.failed.append((run, "its process died, twice"))
        finally:
            _end(pool)

    def _submit(self, pool: futures.ProcessPoolExecutor, run: Run) -> futures.Future[_Made]:
        store = self._folder.store(run)
        for left in (store, *store.parent.glob(store.name + "-*")):
            left.unlink(missing_ok=True)  # left by a run that was cut off, which must not influence this one
        if run.live:
            self._hand_verified(run, store)
        with _interrupts_held():  # processes that start now inherit this
            return pool.submit(_make, self._runner, run, store)

    def _hand_verified(self, run: Run, store: pathlib.Path) -> None:
        """Gives a run the verified reference, the only thing that runs share; verifies a case once."""
        verified = self._folder.verified(run)
        if not verified.exists() and run.case_key not in self._unverified:
            if not self._runner.verify(run, verified):
                self._unverified.add(run.case_key)
        if verified.exists():
            replace(store, verified.read_bytes())

    def _keep(self, run: Run, future: futures.Future[_Made]) -> None:
        try:
            outcome, timing = future.result()
        except BrokenProcessPool:
            raise
        except Exception as fault:  # pylint: disable=broad-except
            self._end.failed.append((run, reason_of(fault)))
            return
        self._folder.keep(run, outcome, timing)
        self._end.made += 1
        self._tell(run, outcome, timing)


def _next(finished: _Finished) -> futures.Future[_Made]:
    """Waits in short steps: a signal that another thread takes does not interrupt the wait."""
    while True:
        with contextlib.suppress(queue.Empty):
            return finished.get(timeout=_GLANCE)


def _make(runner: Runner, run: Run, store: pathlib.Path) -> _Made:
    return runner.make(run, store)


def _pool(width: int) -> futures.ProcessPoolExecutor:
    return futures.ProcessPoolExecutor(width, multiprocessing.get_context("spawn"), _begin_worker,
                                       (os.getpid(),))


def _end(pool: futures.ProcessPoolExecutor) -> None:
    """Ends the workers at once, even during runs, so that Ctrl-C does not wait for a search."""
    for process in list((pool._processes or {}).values()):
        process.terminate()
    pool.shutdown(wait=True, cancel_futures=True)


@contextlib.contextmanager
def _interrupts_held() -> Iterator[None]:
    """Holds Ctrl-C back until the block ends, and from all processes started within it."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin_worker(parent: int) -> None:
    """Ignores Ctrl-C, which the parent handles, and makes the worker die with the parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
    death_signal = 1  # PR_SET_PDEATHSIG
    ctypes.CDLL(None).prctl(death_signal, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)
