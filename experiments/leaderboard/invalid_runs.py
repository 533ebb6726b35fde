"""Barren: runs of which no trial was a schedule of where they were to search.

It is what an agent gives that searches in a space of its own choice, where a table knows others: a
fault that costs all of its score and says nothing.
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence

from schedulegym.leaderboard.contest import Contest
from schedulegym.studies.outcome import Outcome

_KIND = "invalid_schedule"


def why_invalid(outcomes: Sequence[Outcome]) -> str | None:
    """None where one trial of these runs, at least, was something else."""
    trials = sum(len(outcome.speeds) for outcome in outcomes)
    if not trials or trials != sum(outcome.failures.get(_KIND, 0) for outcome in outcomes):
        return None
    return (f"found {trials} trials, none of them a schedule of where it is to search, expected "
            "those of the space that an agent is told of (`space` of its setup)")


def invalid_runs_of(contest: Contest, outcomes: Mapping[tuple[str, str, int], Outcome]) -> list[str]:
    """A line for each entry with its own code and each case of which all runs are so."""
    lines = []
    for entry in contest.entries:
        for case in contest.study.cases if entry.code else ():
            told = why_invalid([outcome for (name, arm, _), outcome in outcomes.items()
                               if (name, arm) == (case.name, entry.name)])
            if told is not None:
                lines.append(f"no valid run: {case.name}, {entry.name}: {told}")
    return lines
