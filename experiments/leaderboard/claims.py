"""Claims: what an entry says of its runs, and whether running them again says the same.

`records.jsonl` has an object a line: `board` (the edition), `case`, `seed`, `trials`, `speed` (of the
best, over the reference) and `trace` (its schedule). On tables and models a run repeats exactly, so a
claim holds or it does not; on live boards its schedule is measured again.
"""
from __future__ import annotations

import dataclasses
import datetime
import json
import pathlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from schedulegym.leaderboard.contest import Contest
from schedulegym.leaderboard.entry import Entry
from schedulegym.leaderboard.signature import sealed
from schedulegym.leaderboard.winners import Again
from schedulegym.studies.confined import RECORDS, VERIFIED
from schedulegym.studies.faults import StudyError, unknown_name
from schedulegym.studies.folder import replace
from schedulegym.studies.outcome import Outcome
from schedulegym.studies.packed import read_text
from schedulegym.studies.study import Run

_ROOM = 1.05  # largest ratio of two measurements of one schedule
_KEYS = ("board", "case", "seed", "trials", "speed", "trace")


@dataclasses.dataclass(frozen=True)
class Claim:
    """Of one run."""

    board: str
    case: str
    seed: int
    trials: int
    speed: float | None
    trace: str | None


def claims_of(contest: Contest, name: str, outcomes: Mapping[tuple[str, str, int], Outcome]
              ) -> list[Claim]:
    """What a board's folder holds of an entry's public cases: others are not for telling."""
    return [Claim(contest.identity, place[0], place[2], len(outcome.speeds), outcome.chosen,
                  outcome.trace) for place, outcome in sorted(outcomes.items())
            if place[1] == name and place[0] in contest.public]


def write_claims(folder: pathlib.Path, claims: Sequence[Claim]) -> None:
    """As the entry's records."""
    replace(folder / RECORDS, "".join(json.dumps(dataclasses.asdict(claim)) + "\n"
                                      for claim in claims))


def read_claims(folder: pathlib.Path) -> list[Claim]:
    """StudyError where there are none, or a line is none."""
    file = folder / RECORDS
    try:
        lines = read_text(file).splitlines()
    except OSError as fault:
        raise StudyError(f"{file}: {fault.strerror}: expected the entry's records (submit --from "
                         "FOLDER writes them)") from None
    except UnicodeDecodeError as fault:
        raise StudyError(f"{file}: {fault}") from None
    claims = [_claim(line, f"{file}:{number}") for number, line in enumerate(lines, 1)]
    if not claims:
        raise StudyError(f"{file}: found no records, expected at least one")
    places = [(claim.case, claim.seed) for claim in claims]
    for place in places:
        if places.count(place) > 1:
            raise StudyError(f"{file}: found two records of case '{place[0]}', seed {place[1]}, "
                             "expected each run once")
    return claims


def _claim(line: str, where: str) -> Claim:
    try:
        values: dict[str, Any] = json.loads(line)
        if set(values) != set(_KEYS) or not all(
                type(values[key]) in kinds for key, kinds in (
                    ("board", (str,)), ("case", (str,)), ("seed", (int,)), ("trials", (int,)),
                    ("speed", (int, float, type(None))), ("trace", (str, type(None))))):
            raise ValueError
        return Claim(**values)
    except (ValueError, TypeError):
        raise StudyError(f"{where}: found no record, expected {', '.join(_KEYS)}") from None


def verify_live(entry: Entry, claims: Sequence[Claim], contest: Contest, again: Again) -> None:
    """Measures what every claim ended with again; StudyError for the first that does not hold.

    A speed holds up to 5 % above the interval that it has then. A run that found nothing claims
    nothing.
    """
    refuse_unclaimed(entry, claims, contest)
    runs = {(run.case.name, run.seed): run for run in contest.runs() if run.arm.name == entry.name}
    for claim in claims:
        run = runs[claim.case, claim.seed]
        where = f"record of case '{claim.case}', seed {claim.seed}"
        if claim.trials > run.trials:
            raise StudyError(f"{where}: found {claim.trials} trials, expected at most {run.trials}")
        if claim.speed is None:
            continue
        if claim.trace is None:
            raise StudyError(f"{where}: found a speed without a schedule, expected its trace")
        winner = again(run, claim.trace, None)
        if winner.speed is None:
            raise StudyError(f"{where}: measured again it does not hold: {winner.why}")
        if claim.speed > _ROOM * (winner.high or winner.speed):
            raise StudyError(f"{where}: claims speed {claim.speed:.4f}, measured again it has "
                             f"{winner.speed:.4f}, at most {winner.high:.4f}: it does not replay")
    _mark(entry, claims, contest)


def verify(entry: Entry, claims: Sequence[Claim], contest: Contest,
           make: Callable[[Run], Outcome]) -> None:
    """Runs every claim again; StudyError for the first that does not hold.

    What was found holds for this state of the entry's code, and is kept beside it.
    """
    refuse_unclaimed(entry, claims, contest)
    runs = {(run.case.name, run.seed): run for run in contest.runs() if run.arm.name == entry.name}
    for claim in claims:
        outcome = make(runs[claim.case, claim.seed])
        found = Claim(contest.identity, claim.case, claim.seed, len(outcome.speeds),
                      outcome.chosen, outcome.trace)
        for key in ("speed", "trials", "trace"):
            if getattr(found, key) != getattr(claim, key):
                raise StudyError(f"record of case '{claim.case}', seed {claim.seed}: claims {key} "
                                 f"{_short(getattr(claim, key))}, run again it has "
                                 f"{_short(getattr(found, key))}: it does not replay")
    _mark(entry, claims, contest)


def refuse_unclaimed(entry: Entry, claims: Sequence[Claim], contest: Contest) -> None:
    """StudyError unless there is a claim for each run that a board asks of the entry, and no other."""
    wanted = {(run.case.name, run.seed) for run in contest.runs()
              if run.arm.name == entry.name and run.case.name in contest.public}
    for claim in claims:
        _refuse_foreign(claim, contest)
        if (claim.case, claim.seed) not in wanted:
            raise StudyError(f"record of case '{claim.case}': found seed {claim.seed}, expected 0 "
                             f"to {len(contest.study.seeds) - 1}")
    missing = sorted(wanted - {(claim.case, claim.seed) for claim in claims})
    if missing:
        case, seed = missing[0]
        raise StudyError(f"records of '{entry.name}': found {len(claims)}, expected all {len(wanted)} "
                         f"runs of board '{contest.label}': case '{case}', seed {seed} is not there")


def _mark(entry: Entry, claims: Sequence[Claim], contest: Contest) -> None:
    assert entry.folder is not None
    today = datetime.datetime.now(datetime.timezone.utc).date().isoformat()
    replace(entry.folder / VERIFIED, sealed(
        {"entry": entry.name, "code": entry.code, "board": contest.identity, "runs": len(claims),
         "date": today}))


def _refuse_foreign(claim: Claim, contest: Contest) -> None:
    if claim.board != contest.identity:
        raise StudyError(f"record of case '{claim.case}': found board '{claim.board}', expected "
                         f"'{contest.identity}'")
    if claim.case not in contest.public:
        raise unknown_name("case", claim.case, contest.public)


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
