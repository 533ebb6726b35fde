"""Standings: from the outcomes of a board's runs to scores, intervals, ranks and groups, as plain values.

An entry's score is the mean over the cases of its runs' mean, so that chance has 0; the typical run is
the interquartile mean of all. Ranks go by the score alone, and only where enough cases are held out.

Cases that are held out are drawn, as others might be: there an interval is that of the mean of so many
cases, and whether two entries can be told apart is asked of their differences case by case. Elsewhere
cases are fixed and runs are drawn: the studies' stratified bootstrap. Groups are a compact letter
display (Piepho, An algorithm for a letter-based representation of all-pairwise comparisons, 2004): two
entries share a letter unless the test of their difference, corrected for the number of pairs by Holm's
method, tells them apart.
"""
from __future__ import annotations

import dataclasses
import itertools
import string
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from schedulegym.leaderboard.contest import Contest
from schedulegym.leaderboard.scores import TARGETS, Scores, ecdf, scores_of
from schedulegym.studies import curves, effects, estimates
from schedulegym.studies.outcome import Outcome
from schedulegym.studies.random_baseline import Array, Chance, chance_of_sample
from schedulegym.studies.summary import FINAL_DRAWS
from schedulegym.studies.vendor import Vendor

Place = tuple[str, str, int]
Results = dict[str, Any]
_LETTERS = string.ascii_lowercase + string.ascii_uppercase


def chances_of(contest: Contest, outcomes: Mapping[Place, Outcome]) -> dict[str, Chance]:
    """By case; where there is no table chance is known by what the entry `random` drew."""
    chances = dict(contest.chances)
    for case in contest.study.cases:
        if case.name in chances:
            continue
        found = [outcome for place, outcome in outcomes.items() if place[0] == case.name]
        drawn = [speed for place, outcome in outcomes.items()
                 if place[:2] == (case.name, "random") for speed in outcome.speeds]
        best = max((outcome.measured or 0.0 for outcome in found), default=0.0)
        if contest.track == "live":  # scores use measured speeds: none may exceed the optimum
            best = max([best, *(speed or 0.0 for outcome in found for speed in outcome.speeds)])
        speeds = [speed for speed in drawn if speed]
        cost = None
        if contest.track == "live" and drawn:  # seconds of a random trial, including proposing
            cost = sum(outcome.elapsed[-1] for place, outcome in outcomes.items()
                       if place[:2] == (case.name, "random") and outcome.elapsed) / len(drawn)
        if speeds:
            chances[case.name] = chance_of_sample(speeds, len(drawn) - len(speeds), best, cost,
                                                  contest.study.trials)
    return chances


class Standings:
    """What is told of a board."""

    def __init__(self, contest: Contest, outcomes: Mapping[Place, Outcome],
                 thinking: Mapping[str, float] | None = None,
                 vendors: Mapping[str, Vendor] | None = None) -> None:
        """`thinking`: of a live board's entries, seconds of a run in the mean."""
        self.contest, self._outcomes, self._thinking = contest, outcomes, thinking or {}
        self._vendors = contest.vendors if vendors is None else vendors
        self.chances = chances_of(contest, outcomes)
        self.twins = self._twins()
        self.scores = {place: scores_of(outcome, self.chances[place[0]])
                       for place, outcome in outcomes.items() if place[0] in self.chances}

    def told(self) -> Results:
        """All of it; the same outcomes give the same to the byte."""
        contest = self.contest
        ranks, groups = self._ranks(), self._groups()
        entries = {entry.name: self._entry(entry.name) for entry in contest.entries}
        for name, one in entries.items():
            one["rank"], one["group"] = ranks.get(name), groups.get(name)
        for name, judged in self._beside_chance().items():
            entries[name]["beside_chance"] = judged
        return {
            "board": contest.label, "identity": contest.identity, "track": contest.track,
            "held_out_seed": contest.held_out_seed,
            "ranked_on": "held-out cases" if contest.ranks else None,
            "trials": contest.study.trials, "seconds": contest.study.seconds,
            "seeds": len(contest.study.seeds),
            "cases": {case.name: self._case(case.name) for case in contest.study.cases},
            "entries": entries}

    def ecdf(self, entry: str, budgets: Sequence[int]) -> list[float]:
        """Over the targets of all runs on the cases that rank, but those above a noise ceiling."""
        return ecdf([[trials for trials, counts in zip(score.reached, score.counted) if counts]
                     for place, score in self.scores.items()
                     if place[1] == entry and place[0] in self.contest.scored_on], budgets)

    def _case(self, name: str) -> Results:
        chance = self.chances.get(name)
        vendor = self._vendors.get(name)
        told: Results = {"held_out": name in self.contest.held_out,
                      "vendor": None if vendor is None else dataclasses.asdict(vendor)}
        if chance is not None:
            first, last = chance.window
            told |= {"optimum": _speed(chance.optimum), "median": _speed(chance.median),
                     "window": [first, last], "chance_at_end": _speed(float(chance.best[-1])),
                     "seconds_of_a_trial": chance.cost, "noise_ceiling": chance.ceiling,
                     "left_out": [target for target in TARGETS if not chance.can_judge(target)]}
        return told

    def _entry(self, name: str) -> Results:
        entry = next(one for one in self.contest.entries if one.name == name)
        mark = self.contest.marks[name]
        planned = [run for run in self.contest.runs() if run.arm.name == name]
        made = [self._outcomes[run.place] for run in planned if run.place in self._outcomes]
        points = curves.trial_grid(self.contest.study.trials)
        return {
            "runs": {"planned": len(planned), "made": len(made)},
            "lost": [{"case": run.case.name, "seed": run.seed, "why": outcome.lost}
                     for run in sorted(planned, key=lambda run: run.place)
                     if (outcome := self._outcomes.get(run.place)) and outcome.lost],
            "same_as": self.twins.get(name),
            "scores": {kind: {unit: self._score(name, cases, unit)
                              for unit in ("by_trials", "by_seconds")}
                       for kind, cases in (("ranked", self.contest.scored_on),
                                           ("public", self.contest.public),
                                           ("held_out", list(self.contest.held_out)))},
            "by_case": {case.name: self._cell(name, case.name) for case in self.contest.study.cases},
            "final_over_reference": self._final(name, self.contest.scored_on),
            "final_over_vendor": self._final_over_vendor(name, self.contest.scored_on),
            "improvement_over_chance": self._improvement(name),
            "targets": {str(target): share for target, share in zip(TARGETS, self._shares(name))},
            "ecdf": dict(zip(map(str, points), self.ecdf(name, points))),
            "failed": sum(sum(outcome.failures.values()) for outcome in made),
            "trials": sum(len(outcome.speeds) for outcome in made),
            "thinking": self._thinking.get(name), "agent": entry.agent, "space": entry.space,
            "division": entry.division, "authors": list(entry.authors), "licence": entry.licence,
            "about": entry.about, "tuning": dataclasses.asdict(entry.tuning),
            "code": entry.code, "mark": mark.text, "mark_why": mark.why, "mark_runs": mark.runs,
            "mark_date": mark.date}

    def _cell(self, name: str, case: str) -> Results:
        score = self._score(name, [case], "by_trials")
        found = [(outcome.chosen, -place[2], outcome) for place, outcome in self._outcomes.items()
                 if place[:2] == (case, name) and outcome.chosen is not None]
        best = max(found, key=lambda one: one[:2], default=None)
        return {"score": score, "over_vendor": self._final_over_vendor(name, [case]),
                "best": None if best is None else best[0],
                "seed": None if best is None else -best[1],
                "replay": None if best is None else best[2].replay}

    def _values(self, name: str, case: str, unit: str) -> dict[int, float]:
        """By seed."""
        found = {place[2]: getattr(score, unit) for place, score in self.scores.items()
                 if place[:2] == (case, name)}
        return {seed: value for seed, value in found.items() if value is not None}

    def _score(self, name: str, cases: Sequence[str], unit: str) -> Results | None:
        """None unless all runs of these cases are there; with that of the typical run."""
        rows = self._rows(name, cases, unit)
        if rows is None:
            return None
        typical = estimates.interquartile_estimate(rows, self._rng(), FINAL_DRAWS)
        drawn = self._drawn(rows, cases)
        return {**dataclasses.asdict(estimates.mean_estimate(drawn, self._rng(), FINAL_DRAWS)),
                "typical": dataclasses.asdict(typical)}

    def _rows(self, name: str, cases: Sequence[str], unit: str) -> list[Array] | None:
        """By case, of each run; None unless all runs are there."""
        planned = sum(run.arm.name == name and run.case.name in cases for run in self.contest.runs())
        rows = [np.array(list(self._values(name, case, unit).values())) for case in cases]
        return rows if planned and sum(map(len, rows)) >= planned else None

    def _final(self, name: str, cases: Sequence[str], units: Mapping[str, float] | None = None
               ) -> Results | None:
        """Speed over the reference, or over what has so many times its speed in each case."""
        rows = [np.array([(outcome.chosen or 0.0) / (units[case] if units else 1.0)
                          for place, outcome in self._outcomes.items() if place[:2] == (case, name)])
                for case in cases]
        if not all(map(len, rows)):
            return None
        return dataclasses.asdict(estimates.interquartile_estimate(rows, self._rng(), FINAL_DRAWS))

    def _final_over_vendor(self, name: str, cases: Sequence[str]) -> Results | None:
        """None unless one library is the best of all these cases: others are not put together."""
        found = {case: self._vendors[case] for case in cases if case in self._vendors}
        if len(found) < len(cases) or len({vendor.library for vendor in found.values()}) != 1:
            return None
        return self._final(name, cases, {case: vendor.speed for case, vendor in found.items()})

    def _improvement(self, name: str) -> Results | None:
        ours, theirs = ([np.array(list(self._values(one, case, "by_trials").values()))
                         for case in self.contest.scored_on] for one in (name, "random"))
        if name == "random" or not all(len(row) for row in [*ours, *theirs]):
            return None
        return dataclasses.asdict(estimates.improvement_estimate(ours, theirs, self._rng()))

    def _shares(self, name: str) -> list[float | None]:
        """Of the runs on the cases that rank, those that reached each target within the budget; None
        where no run's table can judge it."""
        runs = [score for place, score in self.scores.items()
                if place[1] == name and place[0] in self.contest.scored_on]
        reached = [[run.reached[place] is not None for run in runs if run.counted[place]]
                   for place in range(len(TARGETS))]
        return [sum(found) / len(found) if found else None for found in reached]

    def _differences(self, ours: str, theirs: str) -> list[Array]:
        rows = []
        for case in self.contest.scored_on:
            a, b = (self._values(name, case, "by_trials") for name in (ours, theirs))
            rows.append(np.array([a[seed] - b[seed] for seed in a if seed in b]))
        return self._drawn(rows, self.contest.scored_on) if all(map(len, rows)) else rows

    def _twins(self) -> dict[str, str]:
        """Entries with code of their own whose every run gave what another's gave, and whose."""
        names = [entry.name for entry in self.contest.entries]
        made = {name: {(case, seed): outcome.speeds for (case, arm, seed), outcome
                       in self._outcomes.items() if arm == name and outcome.speeds}
                for name in names}
        return {entry.name: other for place, entry in enumerate(self.contest.entries)
                for other in names[:place] if entry.code is not None and made[other] and
                made[other].items() <= made[entry.name].items()}

    def _complete(self) -> list[str]:
        """Names of the entries all of whose runs are there, each search once."""
        return [entry.name for entry in self.contest.entries
                if entry.name not in self.twins and
                self._rows(entry.name, self.contest.scored_on, "by_trials") is not None]

    def _drawn(self, rows: list[Array], cases: Sequence[str]) -> list[Array]:
        """What chance has drawn: runs of each case, or, of a board that ranks, held-out cases."""
        if self.contest.ranks and set(cases) == set(self.contest.held_out):
            return [np.array([row.mean() for row in rows])]
        return rows

    def _ranks(self) -> dict[str, int]:
        """Of complete entries, by the score alone; equal scores share one."""
        values = self._values_of_complete()
        return {name: 1 + sum(other > value for other in values.values())
                for name, value in values.items()}

    def _values_of_complete(self) -> dict[str, float]:
        """Scores, the highest first; none where nothing is ranked."""
        if not self.contest.ranks:
            return {}
        values = {}
        for name in self._complete():
            rows = self._rows(name, self.contest.scored_on, "by_trials")
            values[name] = float(np.mean([row.mean() for row in rows or []]))
        return dict(sorted(values.items(), key=lambda one: (-one[1], one[0])))

    def _groups(self) -> dict[str, str]:
        names = list(self._values_of_complete())
        pairs = list(itertools.combinations(names, 2))  # the higher score first
        found = [effects.effect_of(self._differences(*pair)) for pair in pairs]
        known = [(pair, effect) for pair, effect in zip(pairs, found) if effect is not None]
        p_values = effects.holm([effect.p_value() for _, effect in known]) if known else []
        return letters_of(names, {pair for (pair, effect), p in zip(known, p_values)
                                  if p < effects.ERROR and effect.mean > 0})

    def _beside_chance(self) -> dict[str, Results]:
        """Mean difference in score to the entry `random`, and Holm's verdict on each."""
        names = [name for name in self._complete() if name != "random"]
        found = [effects.effect_of(self._differences(name, "random")) for name in names]
        margin = self.contest.study.margin
        return {name: {"difference": None if one.effect is None else one.effect.mean,
                       "low": one.low, "high": one.high, "p": one.p, "verdict": one.verdict.text(f"{margin:g}")}
                for name, one in zip(names, effects.judge(found, margin))}

    def _rng(self) -> np.random.Generator:
        return np.random.default_rng(self.contest.study.order)


def letters_of(names: Sequence[str], apart: Collection[tuple[str, str]]) -> dict[str, str]:
    """By name: two share a letter unless the pair is in `apart`. The first of `names` has an "a"."""
    columns = [frozenset(names)] if names else []
    for one, other in apart:
        split = []
        for column in columns:
            split += [column - {one}, column - {other}] if {one, other} <= column else [column]
        columns = [column for place, column in enumerate(split)  # none within another
                   if not any(column < more for more in split) and column not in split[:place]]
    order = {name: place for place, name in enumerate(names)}
    columns.sort(key=lambda column: sorted(order[name] for name in column))
    return {name: "".join(_LETTERS[place % len(_LETTERS)] for place, column in enumerate(columns)
                          if name in column) for name in names}


def _speed(time: float) -> float:
    return float(np.exp(-time))


def results_rows(standings: Standings, outcomes: Mapping[Place, Outcome]) -> list[list[object]]:
    """A row for each run, with a head; empty where nothing is known."""
    head = ["case", "held_out", "entry", "seed", "score_by_trials", "score_by_seconds",
            *(f"trials_to_{target}" for target in TARGETS), "trials", "failed", "chosen"]
    rows: list[list[object]] = [list(head)]
    for run in sorted(standings.contest.runs(), key=lambda run: run.place):
        outcome, score = outcomes.get(run.place), standings.scores.get(run.place)
        if outcome is not None:
            rows.append([run.case.name, run.case.name in standings.contest.held_out, run.arm.name,
                         run.seed, *_score_cells(score), len(outcome.speeds),
                         sum(outcome.failures.values()), outcome.chosen])
    return rows


def _score_cells(score: Scores | None) -> list[object]:
    if score is None:
        return [None] * (2 + len(TARGETS))
    return [score.by_trials, score.by_seconds, *score.reached]
