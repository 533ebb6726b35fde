"""Winners: what live searches end with, measured again before it counts.

A winner is measured by `replay`, in fresh processes and as finalists are, and its outputs are held
against the reference's on inputs that are drawn only then. Whatever is wrong, or faster than the
machine can be, is refused. What a busy machine spoils says nothing, and is tried again.
"""
from __future__ import annotations

import contextlib
import dataclasses
import json
import pathlib
import secrets
import sys
import tempfile
import time
from collections.abc import Callable, Sequence

from schedulegym.command import program
from schedulegym.studies.calls import call
from schedulegym.studies.folder import Folder, replace
from schedulegym.studies.outcome import Outcome, lost_outcome
from schedulegym.studies.packed import read_text
from schedulegym.studies.study import Run

ATTEMPTS = 3
# Outcomes of a busy machine. ATTEMPTS times `impossible_time` is the schedule's fault.
_BUSY = ("noisy", "run_timeout", "corrupt_result", "device_lost", "infra", "cut_off")
_TOO_FAST = "impossible_time"


@dataclasses.dataclass(frozen=True)
class Winner:
    """How a schedule did when it was measured again."""

    trace: str
    speed: float | None  # over the reference; None where it failed
    low: float | None  # ends of the interval
    high: float | None
    why: str | None  # why it failed
    is_refuted: bool  # it failed by its own fault, not by a busy machine
    seconds: float  # seconds of the measurement


# Arguments: a run, a trace, and the store, which may have the task's reference as verified.
Again = Callable[[Run, str, "pathlib.Path | None"], Winner]


def measure_again(run: Run, trace: str, store: pathlib.Path | None = None) -> Winner:
    """At most three times, while the machine is too busy for an answer."""
    began = time.monotonic()
    found = Winner(trace, None, None, None, "nothing was measured", False, 0.0)
    kinds: list[str] = []
    while len(kinds) < ATTEMPTS and found.speed is None and not found.is_refuted:
        kind, found = _replayed(run, trace, store)
        kinds.append(kind)
    if kinds == [_TOO_FAST] * ATTEMPTS:
        found = dataclasses.replace(found, is_refuted=True)
    if found.speed is not None:
        fault = _fault_of_outputs(run, trace)
        if fault is not None:
            found = Winner(trace, None, None, None, fault, True, 0.0)
    return dataclasses.replace(found, seconds=time.monotonic() - began)


def missing_winners(runs: Sequence[Run], folder: Folder) -> list[tuple[Run, str]]:
    """Finished runs with what they ended with, which nobody has measured again."""
    found = []
    for run in runs:
        outcome = folder.outcome(run) if run.live else None
        trace = None if outcome is None else outcome.trace
        if trace is not None and read_winner(run, folder, trace) is None:
            found.append((run, trace))
    return found


def keep_winner(run: Run, folder: Folder, winner: Winner) -> None:
    """Unless a busy machine gave no answer: then the same command asks again."""
    if winner.speed is not None or winner.is_refuted:
        replace(_file(run, folder), json.dumps(dataclasses.asdict(winner)) + "\n")


def read_winner(run: Run, folder: Folder, trace: str) -> Winner | None:
    """None where none of that schedule is there, or it is torn."""
    try:
        found = Winner(**json.loads(read_text(_file(run, folder))))
    except (OSError, ValueError, TypeError):
        return None
    return found if found.trace == trace else None


def outcomes_of(runs: Sequence[Run], folder: Folder) -> dict[tuple[str, str, int], Outcome]:
    """Of finished runs; a live one is, once its winner was measured again, and ends with that."""
    found = {}
    for run in runs:
        outcome = folder.outcome(run)
        if outcome is not None and run.live and (trace := outcome.trace) is not None:
            outcome = _judged(outcome, read_winner(run, folder, trace))
        if outcome is not None:
            found[run.place] = outcome
    return found


def _judged(outcome: Outcome, winner: Winner | None) -> Outcome | None:
    if winner is None:
        return None
    if winner.is_refuted:
        return lost_outcome(f"its best did not hold when it was measured again: {winner.why}")
    return dataclasses.replace(outcome, chosen=winner.speed, measured=winner.speed)


def _replayed(run: Run, trace: str, store: pathlib.Path | None) -> tuple[str, Winner]:
    """The kind of outcome, and what it comes to."""
    with tempfile.TemporaryDirectory() as place:
        code, out, err = call(
            [program(), "replay", str(run.case.workload), "--target", run.target, "--protocol",
             run.arm.protocol, "--trace", "-", "--seed", str(secrets.randbits(62)), "--store",
             str(store or pathlib.Path(place) / "none.db"), "--json", "--quiet"], trace)
    line = out.splitlines()[-1] if out else "{}"
    with contextlib.suppress(ValueError):
        told = json.loads(line)
        if told.get("best"):
            best = told["best"]
            return "ok", Winner(trace, best["ratio"], best["ratio_low"], best["ratio_high"], None,
                                False, 0.0)
        for kind in told.get("failed", {}):
            why = next((one["message"] for one in told["failures"]), "")
            return kind, Winner(trace, None, None, None, f"{kind}: {why}",
                                kind not in (*_BUSY, _TOO_FAST), 0.0)
    why = next(iter(err.splitlines()), f"replay ended with {code}")
    return "infra", Winner(trace, None, None, None, why, False, 0.0)


def _fault_of_outputs(run: Run, trace: str) -> str | None:
    """On inputs that nobody has seen; None where they agree, or the target has no kernels to call."""
    if run.target.partition("(")[0] != "llvm":
        return None
    code, out, err = call(
        [sys.executable, "-m", "schedulegym.leaderboard.fresh_outputs", str(run.case.workload),
         run.target, str(secrets.randbits(62))], trace)
    if code == 0:
        return None
    told = out.strip() or next(iter(reversed(err.splitlines())), "")
    return f"on fresh inputs: {told or f'its process ended with {code}'}"


def _file(run: Run, folder: Folder) -> pathlib.Path:
    return folder.path / "winners" / folder.store(run).with_suffix(".json").name
