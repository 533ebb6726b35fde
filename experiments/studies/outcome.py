"""Outcome: the result of one run, and its file format.

Speeds are ratios to the case's reference schedule. `speeds` are readings, one for each trial. `truths`,
`chosen`, `measured` and the best known are true speeds: a table's or a model's, and on a host those of the
finalists, measured again. For a network `speeds` are its own after each trial of any task
(network_run.py), and there is no trace.
"""
from __future__ import annotations

import dataclasses
import hashlib
import json
from typing import Any

from schedulegym.studies.faults import StudyError


@dataclasses.dataclass(frozen=True)
class Outcome:
    """The result of one finished search."""

    speeds: tuple[float | None, ...]  # None for a failure, and for a network before the first success
    elapsed: tuple[float, ...]  # seconds from the run's start to the end of each trial
    total: float  # seconds of the whole search
    stopped: str  # 'trials', 'seconds', 'exhausted', 'stagnated' or 'lost'
    failures: dict[str, int]  # type to count
    chosen: float | None  # speed of the schedule that the search chose
    measured: float | None  # the best speed that it measured
    best_of_space: float | None = None  # the best known speed of its space
    best_of_all: float | None = None  # the best known speed of the case
    noise_ceiling: float | None = None  # of the case's table, where it has samples
    vendor: float | None = None  # the best vendor library's speed
    trace: str | None = None  # of the chosen schedule
    replay: str | None = None  # the command that reproduces it
    lost: str | None = None  # why the agent's own code failed; the run then has no results
    truths: tuple[float | None, ...] | None = None  # true speeds of the trials, where measurements are noisy

    @property
    def ended(self) -> bool:
        """Whether a larger budget would not change the result."""
        return self.stopped in ("exhausted", "stagnated")


def lost_outcome(why: str) -> Outcome:
    """Returns the outcome of a run whose agent's own code crashed, hung, raised or broke its limits."""
    return Outcome((), (), 0.0, "lost", {}, None, None, lost=why)


@dataclasses.dataclass(frozen=True)
class Timing:
    """Wall time, machine and versions of one run; no result depends on them."""

    wall: float
    phases: dict[str, float]  # seconds of proposing, compiling, measuring, ...
    facts: dict[str, str] = dataclasses.field(default_factory=dict)  # machine and versions


def outcome_text(key: str, place: tuple[str, str, int], outcome: Outcome) -> str:
    """Returns a file of one line, with a checksum that detects a damaged one."""
    body = {"run": key, "case": place[0], "arm": place[1], "seed": place[2],
            **dataclasses.asdict(outcome)}
    return _dump({**body, "sum": _sum(body)}) + "\n"


def read_outcome(text: str, key: str) -> Outcome:
    """Reads an outcome; raises StudyError if the text is damaged or belongs to another run."""
    try:
        body: dict[str, Any] = json.loads(text)
        told = body.pop("sum")
        found = body.pop("run")
        if told != _sum({"run": found, **body}):
            raise StudyError("it was changed after it was written")
        if found != key:
            raise StudyError(f"found run {found}, expected {key}")
        for name in ("case", "arm", "seed"):
            del body[name]
        body["speeds"], body["elapsed"] = tuple(body["speeds"]), tuple(body["elapsed"])
        if body.get("truths") is not None:  # older files do not have them
            body["truths"] = tuple(body["truths"])
        return Outcome(**body)
    except StudyError:
        raise
    except (ValueError, TypeError, KeyError, AttributeError):
        raise StudyError("found no result of a run") from None


def _sum(body: dict[str, Any]) -> str:
    return hashlib.sha256(_dump(body).encode()).hexdigest()[:16]


def _dump(body: dict[str, Any]) -> str:
    return json.dumps(body, separators=(",", ":"), allow_nan=False)
