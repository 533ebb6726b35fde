"""Makes runs of a study as searches of `schedulegym.tune`."""
from __future__ import annotations

import bisect
import contextlib
import dataclasses
import itertools
import json
import os
import pathlib
import shlex
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from schedulegym import ComputeDag, Confinement, Record, RecordStore, Task, _schedulegym
from schedulegym.studies.chosen import chosen_of
from schedulegym.studies.confined import confinement_of, untimed
from schedulegym.studies.faults import StudyError
from schedulegym.studies.machine import facts_here, facts_of_session
from schedulegym.studies.network_run import Searched, network_outcome, phases_of, trials_of
from schedulegym.studies.outcome import Outcome, Timing, lost_outcome
from schedulegym.studies.recorded import noise_ceiling_of, read_recorded
from schedulegym.studies.specs import in_quotes, parse_spec
from schedulegym.studies.study import Run
from schedulegym.studies.verified import verify_reference
from schedulegym.tuning import Trial, Tuner, TuneResult

# Trials per second, for a first estimate. A host compiles, verifies and times each (README's rows of 1000
# trials: median 8.7); models and tables do not.
_HOST_RATE, _MODEL_RATE = 8.7, 3000.0
_FINALISTS = 5


# The outcome of a run, seconds of its phases, and facts of the machine that only the search has.
_Found = tuple[Outcome, dict[str, float], dict[str, str]]


@dataclasses.dataclass(frozen=True)
class TuneRunner:
    """Runs any arm that `tune` supports."""

    answer_seconds: float = 60.0  # limit of seconds before an answer of an agent's own code
    loading_seconds: float = 300.0  # limit of seconds for loading it, which is not part of an answer

    def check(self, run: Run) -> list[str]:
        """Makes every spec, and returns the warnings of the search."""
        with self._tuner(run, None) as tuner:
            request = tuner._request()
            request.trials, request.seconds = run.trials, run.seconds if run.live else None
            request.finalists = _finalists(run)
            return _schedulegym.check_search(tuner.tasks, request)

    def expected_seconds(self, run: Run) -> float:
        """Estimates from the rate of trials; a live run stops at its limit of seconds."""
        seconds = run.trials / (_HOST_RATE if run.live else _MODEL_RATE)
        return min(seconds, run.seconds) if run.live and run.seconds else seconds

    def verify(self, run: Run, store: pathlib.Path) -> bool:
        """Verifies every cell, once for all searches of the case."""
        return verify_reference(run, store)

    def make(self, run: Run, store: pathlib.Path) -> tuple[Outcome, Timing]:
        """Runs the whole search; results of a model or a table stay in memory.

        If the agent's own code fails, the run is lost.
        """
        began = time.monotonic()
        facts: dict[str, str] = {}
        try:
            outcome, phases, facts = self._made(run, store)
        except Exception as fault:  # pylint: disable=broad-except
            if run.arm.folder is None:
                raise
            why = str(fault).split("\n", 1)[0]
            for plugin in run.arm.plugins:  # the path on this machine
                why = why.replace(plugin, pathlib.Path(plugin).name)
            outcome, phases = lost_outcome(why), {}
        return outcome, Timing(time.monotonic() - began, phases, {**facts_here(), **facts})

    def _made(self, run: Run, store: pathlib.Path) -> _Found:
        if run.live:
            tasks = self._search(run, store)
            outcome = (network_outcome(tasks) if run.case.is_network else
                       _live_outcome(run, tasks[0].result, store))
            return outcome, phases_of(tasks), _session_of(tasks, store)
        with RecordStore() as kept:
            tasks = self._search(run, kept)
            records = {record.id: record for record in kept}
            outcome = (network_outcome(tasks, _simulated(trials_of(tasks), records))
                       if run.case.is_network else _judged_outcome(run, tasks[0].result, records))
        # Measuring takes no wall time here, so its phases are omitted.
        shown = ["propose"] if run.arm.folder is None else ["propose", "load"]
        phases = phases_of(tasks)
        return outcome, {phase: phases[phase] for phase in shown}, {}

    @contextlib.contextmanager
    def _tuner(self, run: Run, store: pathlib.Path | RecordStore | None) -> Iterator[Tuner]:
        """Makes a fresh tuner, independent of files at the store's path; confines an agent's own code."""
        arm, is_table = run.arm, run.case.kind == "table"
        options: dict[str, Any] = {"scheduler": arm.scheduler, "refine": arm.refine,
                                   "protocol": arm.protocol}
        if arm.plugins:
            options["plugins"] = arm.plugins
        if arm.space is not None:
            options["space"] = arm.space
        workloads = None if run.case.workload is None else [run.case.workload]
        space = run.case.measurer() if is_table else arm.space or "schedulegym"
        with _own_code(run), tempfile.TemporaryDirectory() as place:
            if arm.folder is not None:
                confined = options["confinement"] = self._confinement(run, space,
                                                                      pathlib.Path(place))
                space = confined.space or space
            # An agent's own code may get its seed and its space.
            agent = arm.agent.replace("{seed}", str(run.seed)).replace("{space}", in_quotes(space))
            # A table has its own target.
            yield Tuner(workloads, target=None if is_table else run.target,
                        agent=f"blind(agent={agent})" if arm.blind else agent,
                        measure=run.case.measurer(), seed=run.seed, store=store, **options)

    def _confinement(self, run: Run, space: str, place: pathlib.Path) -> Confinement:
        """Limits an agent's own code; it gets a copy of its table in `place`, without results."""
        files = [pathlib.Path(plugin) for plugin in run.arm.plugins]
        if run.case.file is not None:
            files.append(untimed(pathlib.Path(run.case.file), place))
            space = parse_spec(space).with_value("file", in_quotes(str(files[-1]))).text
        confined = confinement_of(pathlib.Path(run.arm.folder or ""), space, *files)
        confined.answer_seconds = self.answer_seconds
        confined.loading_seconds = self.loading_seconds
        return confined

    def _search(self, run: Run, store: pathlib.Path | RecordStore) -> list[Searched]:
        with self._tuner(run, store) as tuner:
            results = tuner.run(trials=run.trials, seconds=run.seconds if run.live else None,
                                finalists=_finalists(run))
        return [Searched(result, count) for result, (_, count) in zip(results, tuner.tasks)]


def _finalists(run: Run) -> int | None:
    """Returns for live runs the number that `tune` measures again from 64 trials on."""
    return _FINALISTS if run.live and run.arm.finalists is None else run.arm.finalists


def suite_workloads(name: str) -> list[str]:
    """The workloads of a built-in suite, as specs."""
    return [str(workload) for workload in _schedulegym.suite(name)]


def replay_line(workload: str, target: str, trace: str) -> str:
    """Returns a shell command that verifies and measures a schedule again."""
    lines = " ".join(map(shlex.quote, trace.splitlines()))
    return (f"printf '%s\\n' {lines} | schedulegym replay {shlex.quote(workload)} "
            f"--target {shlex.quote(target)} --trace -")


def workload_anywhere(workload: str, target: str, dag: ComputeDag | None = None) -> str:
    """Returns a workload that names a file in a form valid in any folder: the equal built-in workload (equal
    to `dag`, or to the file if it exists), else its absolute path."""
    try:
        name = parse_spec(workload).name
    except StudyError:
        return workload
    if not name.endswith(".dag"):
        return workload
    with contextlib.suppress(ValueError):
        short = workload.replace(name, pathlib.PurePath(name).stem, 1)
        if Task(short, target).key == Task(workload if dag is None else dag, target).key:
            return short
    return workload.replace(name, os.path.abspath(name), 1)


@contextlib.contextmanager
def _own_code(run: Run) -> Iterator[None]:
    """Lets a Python agent's process find the modules of its folder, and this interpreter."""
    wanted = {"SCHEDULEGYM_PYTHON": os.environ.get("SCHEDULEGYM_PYTHON") or sys.executable}
    if run.arm.folder is not None:
        wanted["PYTHONPATH"] = os.pathsep.join(
            [run.arm.folder, *filter(None, [os.environ.get("PYTHONPATH")])])
    before = {name: os.environ.get(name) for name in wanted}
    os.environ.update(wanted)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _live_outcome(run: Run, result: TuneResult, store: pathlib.Path) -> Outcome:
    """Returns a host's outcome, in which only finalists have true speeds.

    If the reference is faster than every find, `tune` ends with it, but a study does not.
    """
    chosen, trace, workload = result.ratio, result.trace, run.case.workload
    if result.source == "reference":
        with RecordStore(store) as kept:
            found = chosen_of(kept)
        chosen = None if found is None else found.measurement.ratio
        trace = None if found is None else found.trace
    return Outcome(
        speeds=tuple(trial.ratio for trial in result.history),
        elapsed=tuple(trial.elapsed for trial in result.history), total=result.elapsed,
        stopped=result.stopped, failures=dict(sorted(result.failed.items())), chosen=chosen,
        measured=None, trace=trace, replay=_replay(run, workload, trace))


def _session_of(tasks: Sequence[Searched], store: pathlib.Path) -> dict[str, str]:
    trials = trials_of(tasks)
    if not trials:
        return {}
    with RecordStore(store) as kept:
        return facts_of_session(kept.by_id(trials[0].record))


def _judged_outcome(run: Run, result: TuneResult, records: Mapping[str, Record]) -> Outcome:
    """Returns the outcome of a run without measurements; its clock is the recorded cost of measuring.

    A search ends with the best that it measured. The reference does not replace it, since the search did
    not find it. Readings of a noisy table are not true speeds, but its rows are.
    """
    known = None if run.case.file is None else read_recorded(pathlib.Path(run.case.file))
    elapsed = _simulated(result.history, records)
    count = bisect.bisect_right(elapsed, run.seconds) if run.seconds else len(elapsed)
    history, is_cut = result.history[:count], count < len(elapsed)
    found = [trial for trial in history if trial.ratio is not None]
    best = max(found, key=lambda trial: trial.ratio or 0.0, default=None)

    def truth(trial: Trial) -> float | None:
        if trial.ratio is None or known is None or not run.case.is_noisy:
            return trial.ratio
        # The reference is the only success that may have no row.
        return known.speeds.get(records[trial.record].state_key, trial.ratio)

    truths = tuple(map(truth, history))
    measured = max((speed for speed in truths if speed is not None), default=None)
    trace = None if best is None else records[best.record].trace
    workload = run.case.workload or (None if known is None else known.workload)
    failed = Counter(trial.outcome for trial in history if trial.outcome != "ok")
    return Outcome(
        speeds=tuple(trial.ratio for trial in history), elapsed=tuple(elapsed[:count]),
        total=run.seconds if is_cut and run.seconds else elapsed[-1] if elapsed else 0.0,
        stopped="seconds" if is_cut else result.stopped, failures=dict(sorted(failed.items())),
        chosen=None if best is None else truth(best), measured=measured,
        truths=truths if run.case.is_noisy else None,
        best_of_space=None if known is None else known.best,
        best_of_all=None if known is None else known.best,
        noise_ceiling=None if run.case.file is None else noise_ceiling_of(pathlib.Path(run.case.file)),
        trace=trace,
        replay=_replay(run, workload, trace, None if known is None else known.dag))


def _simulated(history: Sequence[Trial], records: Mapping[str, Record]) -> list[float]:
    """Returns the end of each trial if each result took its recorded cost."""
    costs = (sum(json.loads(records[trial.record].to_line())["phases"].values())
             for trial in history)
    return list(itertools.accumulate(costs))


def _replay(run: Run, workload: str | None, trace: str | None, dag: ComputeDag | None = None
            ) -> str | None:
    if trace is None or workload is None:
        return None
    return replay_line(workload_anywhere(workload, run.target, dag), run.target, trace)
