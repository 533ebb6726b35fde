"""Searching for fast schedules.

Over 500 lines, of which docstrings are about 200.
"""
from __future__ import annotations

import contextlib
import dataclasses
import enum
import operator
import os
import sys
from collections.abc import Callable, Iterable
from typing import Any, Union, cast

from schedulegym import _schedulegym
from schedulegym._schedulegym import (
    BuiltinAgent, ComputeDag, Confinement, InputError, Record, RecordStore, ScheduleState,
    SearchRequest, Target, Task, Workload)
from schedulegym.agent import Agent
from schedulegym._search_progress import ProgressLine, save_picture, seconds_text

WorkloadLike = Union[str, "os.PathLike[str]", Workload, ComputeDag, Task]
AgentLike = Union[str, Agent, BuiltinAgent]
StoreLike = Union[str, "os.PathLike[str]", RecordStore, None]

DEFAULT_STORE = "schedulegym.db"


class Usual(enum.Enum):
    """What was not given."""

    USUAL = "the usual"


USUAL = Usual.USUAL  # default of `store`: DEFAULT_STORE, or None where nothing is measured


@dataclasses.dataclass(frozen=True)
class Trial:
    """One measured candidate; given only after its record is durable.

    Attributes:
        workload: How the task was asked for.
        index: Within its task, from 0.
        outcome: 'ok', or a failure's type.
        message: Of a failure: what was found, what was expected.
        record: The record's id.
        seconds: Of one call; None for a failure.
        gflops: Billions of operations a second; None for a failure.
        ratio: Reference seconds over these: above 1 is faster than the reference.
        best_seconds: The least of the task in this search, this trial included.
        elapsed: Seconds since the search began.
        best_known_seconds: The better of `best_seconds` and what earlier searches knew of the task.
    """

    workload: str
    index: int
    outcome: str
    message: str
    record: str
    seconds: float | None
    gflops: float | None
    ratio: float | None
    best_seconds: float | None
    elapsed: float
    best_known_seconds: float | None = None


@dataclasses.dataclass(frozen=True)
class TuneResult:
    """How the search of one task ended.

    Attributes:
        task: What was searched for.
        best: Of this search; the reference schedule where nothing it found is faster; where nothing
            succeeded, what the store knew, or else the reference, timed if there was time for it.
        record: The id of `best` in the store; None of a reference that was no candidate.
        source: Of `best`: 'search' or 'reference'; None without one.
        gflops: Of `best`, in billions of operations a second.
        trials: How many candidates there were.
        ok: How many of them succeeded.
        failed: The others: outcome to count.
        elapsed: Seconds that the search took.
        stopped: Why it ended: 'trials', 'seconds', 'exhausted', 'stagnated' or 'interrupted'.
        known: Records of earlier searches that the agent learned from.
        verified: Whether the task's reference was found right in every cell.
        finalists: How many were measured again at the end, longer and in fresh processes.
        time: Seconds of 'propose', 'compile', 'verify', 'measure', 'store' and, of the task scheduler
            before the task's turns, 'schedule'; of 'wait', the sum of 'wait_lock' (another process
            held the measuring lock), 'wait_calm' (the machine was busy) and 'wait_workers'; of
            'other', the rest, the same for each task; before the search's own begin, of 'load':
            until its agents were there.
        refined: What refining the best gave: 'speed' over the best before or None, 'trials' that it
            took, and the search before, by 'agent' for 'after' trials; None where nothing was
            refined.
        failures: The first record of each outcome that failed.
        history: The trials, in order.
        best_known: The best of all searches in the store, this one included; the reference schedule
            where `best` is it and the store has nothing faster.
    """

    task: Task
    best: Record | None
    record: str | None
    source: str | None
    gflops: float | None
    trials: int
    ok: int
    failed: dict[str, int]
    elapsed: float
    stopped: str
    known: int
    verified: bool
    finalists: int
    time: dict[str, float]
    refined: dict[str, Any] | None
    failures: dict[str, Record]
    history: tuple[Trial, ...] = dataclasses.field(repr=False)
    best_known: Record | None = None

    @property
    def trace(self) -> str | None:
        """The best schedule as text."""
        return self.best.trace if self.best else None

    @property
    def seconds(self) -> float | None:
        """Seconds of one call of the best."""
        return self.best.measurement.seconds if self.best else None

    @property
    def ratio(self) -> float | None:
        """Reference seconds over the best's: above 1 is faster than the reference."""
        return self.best.measurement.ratio if self.best else None

    @property
    def ratio_low(self) -> float | None:
        """The lower end of the ratio's interval."""
        return self.best.measurement.ratio_low if self.best else None

    @property
    def ratio_high(self) -> float | None:
        """The upper end of the ratio's interval."""
        return self.best.measurement.ratio_high if self.best else None

    @property
    def cut_short(self) -> bool:
        """Whether the search would have gone on: its seconds were over, or Ctrl-C ended it."""
        return self.stopped in ("seconds", "interrupted")

    def state(self) -> ScheduleState | None:
        """Replays the best schedule.

        Returns:
            A ScheduleState; None without a best.
        """
        return ScheduleState.replay(self.task, self.best.trace) if self.best else None


class Tuner:
    """The loop of a search over one or several tasks: ask, measure, record, tell.

    Its options are those of the command `schedulegym tune`, by the same names and defaults.

    Example:
        >>> tuner = Tuner("matmul(m=64,n=64,k=64)", measure="analytical", agent="random")
        >>> result, = tuner.run(trials=4)
        >>> result.trials, result.stopped
        (4, 'trials')
    """

    def __init__(self, workloads: WorkloadLike | Iterable[WorkloadLike] | None = None, *,
                 target: str | Target | None = None, agent: AgentLike = "ansor",
                 space: str | None = None, scheduler: str = "round_robin",
                 refine: str | None = None, protocol: str = "cpu1", measure: str = "host",
                 seed: int = 0, store: StoreLike | Usual = USUAL, resume: bool = True,
                 plugins: Iterable[str | os.PathLike[str]] = (),
                 confinement: Confinement | None = None) -> None:
        """Prepares a search; nothing is measured before it runs.

        Args:
            workloads: One or several; a network's name, or the path of a .net file, stands for all
                of its layers. None is the task of the table that `measure` names.
            target: A Target or its spec; None is this machine's processor, or the table's.
            agent: A spec or an Agent.
            space: A spec; None is 'schedulegym', and 'ansor' on GPUs, unless the measurer has its
                own.
            scheduler: A spec: which task has the next trials.
            refine: A spec of what has the last trials; None refines nothing.
            protocol: Spec of how candidates are timed.
            measure: 'host', 'analytical', 'model(MODEL)' or 'table(file=FILE)'.
            seed: Of all chance.
            store: A file, an open RecordStore, or None to remember nothing beyond the search: as
                usual where nothing is measured.
            resume: Whether the agent learns from the records in the store.
            plugins: Shared libraries whose agents `agent` may name, too.
            confinement: With one, an agent `python(...)` may do nothing but what it says.

        Raises:
            InputError: A workload, the target or the measurer does not exist or does not fit.
        """
        only, is_measured = _schedulegym.measurer_facts(measure)
        self.tasks = _tasks_on(only, workloads, target)
        if isinstance(store, Usual):
            store = DEFAULT_STORE if is_measured else None
        self.measure = measure
        self.agent, self.space, self.scheduler = agent, space, scheduler
        self.refine, self.protocol = refine, protocol
        self.seed, self.store, self.resume = seed, store, resume
        self.plugins = files_of("plugins", plugins)
        self.confinement = confinement

    def run(self, *, trials: int = 1000, seconds: float | None = None,
            finalists: int | None = None, save_model: str | os.PathLike[str] | None = None,
            progress: bool | Callable[[Trial], Any] | None = None,
            picture: str | os.PathLike[str] | None = None) -> list[TuneResult]:
        """Searches until a budget is used up.

        Args:
            trials: Over all tasks, at most.
            seconds: Over all tasks, the finalists included: what should not end within them does
                not begin, and what is measured when they are over is cut off. None is no limit.
            finalists: How many are measured again at the end; None is by the number of trials.
            save_model: A file for what agent and scheduler have learned, Ctrl-C included, from which
                a later search may start: `ansor(model=FILE)`, `swucb(model=FILE)`.
            progress: Called with each Trial; True prints the command's line on stderr: how many
                trials of how many, their rate, the best so far and the time left.
            picture: A file for what the search came to as SVG, Ctrl-C included: the latency over
                time, and the best of each task over its trials.

        Returns:
            A result for each task, in their order.

        Raises:
            InputError: Something that is asked for does not exist or does not fit, or nothing
                learns that could be saved; before anything is measured.
            MachineError: The machine lacks what the search needs.
            TypeError: An argument is of another type.
            KeyboardInterrupt: Ctrl-C ended the search in order; its attribute `results` has what
                was found, and all that was measured is in the store.
        """
        history: list[Trial] = []
        counts = {task.name: count for task, count in self.tasks}
        listener = ProgressLine(counts, trials, seconds) if progress is True else progress or None
        specs = {name: spec for name, spec in (("agent", self.agent), ("scheduler", self.scheduler),
                                               ("refine", self.refine)) if isinstance(spec, str)}
        _check_outputs(picture, save_model, specs, _path_of(self.store))
        if listener is not None and not callable(listener):
            raise TypeError(f"progress: found {type(progress).__name__}, expected a callable, "
                            "True or None")

        def on_trial(fields: Iterable[Any]) -> None:
            history.append(Trial(*fields))
            if listener is not None:
                listener(history[-1])

        request = self._request()
        request.trials = _whole("trials", trials)
        request.seconds = seconds
        request.finalists = finalists if finalists is None else _whole("finalists", finalists)
        request.save_model = None if save_model is None else os.fspath(save_model)
        request.on_trial = on_trial
        request.on_revised = _say_revised
        request.on_warning = _say
        ends: list[dict[str, Any]] = []
        try:
            ends, interrupted = self._search(request)
        finally:
            if isinstance(listener, ProgressLine):
                listener.end()
            if picture is not None:
                save_picture(picture, counts, history, _known_of(ends))
        results = [self._result(end, history) for end in ends]
        if interrupted:
            interrupt = KeyboardInterrupt("the search was interrupted")
            setattr(interrupt, "results", results)
            raise interrupt
        return results

    def _request(self) -> SearchRequest:
        request = SearchRequest()
        if isinstance(self.agent, str):
            request.agent = self.agent
        elif isinstance(self.agent, (Agent, BuiltinAgent)):
            request.agent = self.agent.name
            request.agent_object = self.agent
        else:
            raise TypeError(f"agent: found {self.agent!r}, expected a spec or an Agent")
        request.space, request.scheduler = self.space, self.scheduler
        request.refine, request.protocol = self.refine, self.protocol
        request.measure = self.measure
        request.seed, request.resume = _whole("seed", self.seed), self.resume
        request.plugins = self.plugins
        if self.confinement is not None:
            request.confinement = self.confinement
        return request

    def _search(self, request: SearchRequest) -> tuple[list[dict[str, Any]], bool]:
        with contextlib.ExitStack() as opened:
            def open_store() -> RecordStore:  # a refused request leaves no file
                if isinstance(self.store, RecordStore):
                    return self.store
                mode = "r" if self.store is None else "w"
                store = RecordStore(self.store, mode)
                opened.enter_context(store)
                return store
            return _schedulegym.run_search(self.tasks, request, open_store)

    def _result(self, end: dict[str, Any], history: list[Trial]) -> TuneResult:
        task = next(task for task, _ in self.tasks if task.key == end["task"])
        best = end["best"] or end["known_best"]
        seconds = best.measurement.seconds if best else None
        return TuneResult(
            task=task, best=best, record=end["record"] if end["best"] else best and best.id,
            source=end["source"] if best else None,
            gflops=task.dag.flops / seconds / 1e9 if seconds else None,
            trials=end["trials"], ok=end["ok"], failed=end["failed"], elapsed=end["elapsed"],
            stopped=end["stopped"], known=end["known"], verified=end["verified"],
            finalists=end["finalists"], time=end["time"], refined=end["refined"],
            failures=end["failures"],
            history=tuple(trial for trial in history if trial.workload == end["workload"]),
            best_known=end["best_known"])


def tune(workload: WorkloadLike | None = None, *, target: str | Target | None = None,
         agent: AgentLike = "ansor", space: str | None = None, trials: int = 1000,
         seconds: float | None = None, store: StoreLike | Usual = USUAL, seed: int = 0,
         progress: bool | Callable[[Trial], Any] | None = None, resume: bool = True,
         refine: str | None = None, protocol: str = "cpu1", measure: str = "host",
         finalists: int | None = None, save_model: str | os.PathLike[str] | None = None,
         plugins: Iterable[str | os.PathLike[str]] = (), scheduler: str = "round_robin",
         picture: str | os.PathLike[str] | None = None) -> TuneResult:
    """Searches for the fastest schedule of one workload.

    Args:
        workload: One; None is that of the table that `measure` names.
        target: As of Tuner, and so are the options that follow.
        agent: As of Tuner.
        space: As of Tuner.
        trials: As of Tuner.run.
        seconds: As of Tuner.run.
        store: As of Tuner.
        seed: As of Tuner.
        progress: As of Tuner.run.
        resume: As of Tuner.
        refine: As of Tuner.
        protocol: As of Tuner.
        measure: As of Tuner.
        finalists: As of Tuner.run.
        save_model: As of Tuner.run.
        plugins: As of Tuner.
        scheduler: As of Tuner.
        picture: As of Tuner.run.

    Returns:
        How the search ended.

    Raises:
        ValueError: The workload is a network of several tasks.
        InputError: Something that is asked for does not exist or does not fit.
        MachineError: The machine lacks what the search needs.
        KeyboardInterrupt: Ctrl-C ended the search in order, as Tuner.run does.

    Example:
        >>> result = tune("matmul(m=64,n=64,k=64)", measure="analytical", agent="random", trials=4)
        >>> result.source in ("search", "reference")
        True
    """
    tuner = Tuner(None if workload is None else [workload], target=target, agent=agent,
                  space=space, scheduler=scheduler, refine=refine, protocol=protocol, measure=measure, seed=seed,
                  store=store, resume=resume, plugins=plugins)
    if len(tuner.tasks) != 1:
        raise ValueError(f"workload: found {len(tuner.tasks)} tasks, expected one; Tuner takes "
                         "several")
    return tuner.run(trials=trials, seconds=seconds, finalists=finalists, save_model=save_model,
                     progress=progress, picture=picture)[0]


def _known_of(ends: Iterable[dict[str, Any]]) -> dict[str, tuple[float | None, float | None]]:
    """Seconds of the best known of each task, before the search and after it."""
    def seconds(record: Record | None) -> float | None:
        return record.measurement.seconds if record else None

    return {end["workload"]: (seconds(end["known_best"]), seconds(end["best_known"])) for end in ends}


def _check_outputs(picture: str | os.PathLike[str] | None, save_model: str | os.PathLike[str] | None,
                   specs: dict[str, str], store: str | bytes) -> None:
    """That what a search is to leave has places of its own, before anything is measured."""
    places = {name: os.fspath(place) for name, place in (("save_model", save_model), ("picture", picture))
              if place is not None}
    for name, place in places.items():
        if not place:
            raise InputError(f"{name}: found an empty name, expected a file")
    if "picture" in places:
        folder = os.path.dirname(places["picture"])
        if not os.path.isdir(folder or "."):
            raise InputError(f"picture: no folder '{folder}'")
        _schedulegym.check_output(places["picture"])
    _schedulegym.check_outputs(list(places.items()), specs, store)


def _path_of(store: StoreLike) -> str | bytes:
    """'' of a store that is in no file."""
    path = store.path if isinstance(store, RecordStore) else store
    return os.fspath(path or "")


def _say(text: str) -> None:
    print(f"schedulegym: {text}", file=sys.stderr)


def _say_revised(fields: tuple[str, float, float | None, str]) -> None:
    workload, before, best, why = fields
    _say(f"{workload}: best {seconds_text(before)} did not stand ({why}): best known now "
         f"{'none' if best is None else seconds_text(best)}")


def files_of(name: str, files: Iterable[str | os.PathLike[str]]) -> list[str]:
    """Paths as texts.

    Args:
        name: Of the option that they are, for the message.
        files: Several paths.

    Returns:
        The paths, in order.

    Raises:
        TypeError: It is one path.
    """
    if isinstance(files, (str, os.PathLike)):
        raise TypeError(f"{name}: found {files!r}, expected a list of files")
    return [os.fspath(file) for file in files]


def _whole(name: str, value: int) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name}: found {value!r}, expected a whole number") from None
    if not 0 <= number < 2**63:
        raise ValueError(f"{name}: found {number}, expected a whole number of at least 0")
    return number


def _tasks_on(only: Task | None, workloads: WorkloadLike | Iterable[WorkloadLike] | None,
              target: str | Target | None) -> list[tuple[Task, int]]:
    """Those asked for, or the one that the measurer knows, whose target is then the usual one."""
    if workloads is not None:
        usual: str | Target = "llvm" if only is None else only.target
        tasks = tasks_of(workloads, usual if target is None else target)
        for task, _ in tasks:
            if only is not None and Task(task.dag, only.target) != only:
                raise InputError(f"found a table of {only.name}, expected one of {task.name}")
        return tasks
    if only is None:
        raise ValueError("workload: found none, expected at least one")
    return [(only, 1)]


def tasks_of(workloads: WorkloadLike | Iterable[WorkloadLike],
              target: str | Target) -> list[tuple[Task, int]]:
    """The tasks of workloads.

    Args:
        workloads: One or several; networks stand for their layers.
        target: A Target or its spec, which Tasks among the workloads do not read.

    Returns:
        Each task once, and how often it is run.
    """
    target = Target(target) if isinstance(target, str) else target
    alone = isinstance(workloads, (str, os.PathLike, Workload, ComputeDag, Task))
    tasks: dict[Task, int] = {}
    several = cast("Iterable[WorkloadLike]", [workloads] if alone else workloads)
    for workload in several:
        for count, layer in layers_of(workload):
            task = Task(layer, target)
            tasks[task] = tasks.get(task, 0) + count
    return list(tasks.items())


def layers_of(workload: WorkloadLike) -> list[tuple[int, WorkloadLike]]:
    """The layers of a network.

    Args:
        workload: A workload or a network.

    Returns:
        How often each layer is run, and the layer; of a workload itself, once.
    """
    if isinstance(workload, (str, os.PathLike)) and is_network(workload):
        return list(_schedulegym.read_network(workload))
    return [(1, workload)]


def is_network(word: str | os.PathLike[str]) -> bool:
    """Whether a word names a network, with parameters or without.

    Args:
        word: A name or a path.

    Returns:
        True of a network that comes along and of the path of a .net file.
    """
    text = os.fspath(word)
    if "\n" in text:  # of a .dag file
        return False
    if text.endswith(".net") or ".net(" in text:
        return True
    name = text.partition("(")[0].strip()
    if not name.isidentifier() or name in _schedulegym.builtin_workloads():
        return False
    try:
        _schedulegym.read_network(name)
    except InputError:
        return False
    return True
