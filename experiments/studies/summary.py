"""Summary: from the outcomes of a study's runs to its results, as plain JSON values.

Only finished runs count, and None means not measured. The final speed of a run is that of its chosen
schedule. A run without any success has speed 0 in averages of speeds. In averages of logarithms it counts
as the slowest run of its case.
"""
from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from schedulegym import spaces
from schedulegym.studies import curves, effects, estimates, factors, noise
from schedulegym.studies.curves import Array
from schedulegym.studies.regret import PARTS, Gap, split_gap
from schedulegym.studies.outcome import Outcome
from schedulegym.studies.specs import Spec, parse_spec
from schedulegym.studies.study import Arm, Study

Place = tuple[str, str, int]  # case, arm, seed
Outcomes = Mapping[Place, Outcome]
Results = dict[str, Any]
FINAL_DRAWS = 10000


class Summary:
    """Computes the results of a study."""

    def __init__(self, study: Study, outcomes: Outcomes, draws: int = estimates.DRAWS) -> None:
        self.study, self._outcomes, self._draws = study, outcomes, draws
        self._best = {place: curves.best_so_far(outcome.speeds, outcome.truths)
                      for place, outcome in outcomes.items()}
        self._known = {case.name: self._best_known(case.name) for case in study.cases}

    def told(self) -> Results:
        """Returns all results, reproducible to the byte for the same outcomes."""
        study = self.study
        planned = len(study.cases) * len(study.arms) * len(study.seeds)
        return {
            "study": study.fields(), "runs": {"planned": planned, "made": len(self._outcomes)},
            "cheating": study.cheating,
            "cases": {case.name: {"best_known": self._known[case.name],
                                  "vendor": self._fact(case.name, "vendor"),
                                  **({"noise_ceiling": self.noise_ceiling(case.name)}
                                     if case.kind == "table" else {})}
                      for case in study.cases},
            "arms": {arm.name: self._arm(arm) for arm in study.arms},
            "comparisons": self._comparisons(),
            **self._effects()}

    def band(self, arm: str, points: Sequence[float], seconds: bool, over_best: bool,
             case: str | None = None) -> list[estimates.Estimate | None]:
        """Returns the interquartile mean of the best so far at each point; None if a run ended before it."""
        cases = [one.name for one in self.study.cases if case in (None, one.name)]
        rows = [self._curves(name, arm, points, seconds, over_best) for name in cases]
        rows = [row for row in rows if len(row)]
        if not rows:
            return [None] * len(points)
        told = np.array(~np.isnan(np.concatenate(rows)).any(axis=0), ndmin=1)
        found = estimates.curve_estimate([row[:, told] for row in rows], self._rng(), self._draws)
        numbers = iter(map(_no_speed_below_zero, found))
        return [next(numbers) if known else None for known in told]

    def final(self, case: str, arm: str, over_best: bool = False) -> Array:
        """Returns the final speeds by seed, 0 if no trial succeeded."""
        scale = self._scale(case, over_best)
        return np.array([(outcome.chosen or 0.0) / scale
                         for outcome in self.outcomes_of(case, arm)])

    def outcomes_of(self, case: str, arm: str) -> list[Outcome]:
        """Returns the outcomes in the order of the seeds."""
        return [self._outcomes[case, arm, seed] for seed in self.study.seeds
                if (case, arm, seed) in self._outcomes]

    def made(self, case: str, arm: str, seed: int) -> bool:
        """Returns whether the run is finished."""
        return (case, arm, seed) in self._outcomes

    def vendor(self, case: str) -> float | None:
        """Returns the speed of the best vendor library over the reference; None if unknown."""
        return self._fact(case, "vendor")

    def noise_ceiling(self, case: str) -> float | None:
        """Returns the share of the best known above which samples do not distinguish schedules, if known."""
        return min(self._facts(case, "noise_ceiling"), default=None)

    def _ceilings(self) -> noise.Ceilings:
        return {case: self.noise_ceiling(case) for case in self._known}

    def winner(self, case: str) -> tuple[str, int, Outcome] | None:
        """Returns arm, seed and outcome of the fastest chosen schedule; None if there is none."""
        found = [(outcome.chosen, place) for place, outcome in self._outcomes.items()
                 if place[0] == case and outcome.chosen is not None]
        if not found:
            return None
        best = max(speed for speed, _ in found)
        _, place = min((one for one in found if one[0] == best), key=lambda one: one[1])
        return place[1], place[2], self._outcomes[place]

    def gaps(self, arm: str, case: str | None = None) -> list[Gap]:
        """Returns the gap of each run."""
        return [split_gap(outcome.chosen, outcome.measured,
                          outcome.best_of_space or self._best_of_space(name, arm),
                          self._known[name])
                for name in self._known if case in (None, name)
                for outcome in self.outcomes_of(name, arm)]

    def grid(self, seconds: bool) -> list[int]:
        """Returns the points at which tables show curves."""
        if not seconds:
            return curves.trial_grid(self.study.trials)
        longest = max((outcome.total for outcome in self._outcomes.values()), default=0.0)
        return [point for point in curves.SECONDS if point <= longest]

    def _arm(self, arm: Arm) -> Results:
        name = arm.name
        runs = [outcome for case in self._known for outcome in self.outcomes_of(case, name)]
        failures: dict[str, int] = {}
        for outcome in runs:
            for kind, count in outcome.failures.items():
                failures[kind] = failures.get(kind, 0) + count
        return {
            "sees_evaluator": self.study.sees_evaluator(arm),
            "runs": len(runs), "trials": sum(len(outcome.speeds) for outcome in runs),
            "without_success": sum(outcome.chosen is None for outcome in runs),
            "failures": dict(sorted(failures.items())),
            "final": {"over_reference": self._finals(name, False),
                      "over_best_known": self._finals(name, True)},
            **{f"best_by_{unit}": {key: self._points(name, unit == "seconds", over_best)
                                   for key, over_best in (("over_reference", False),
                                                          ("over_best_known", True))}
               for unit in ("trials", "seconds")},
            "targets": [self._target(name, target) for target in curves.TARGETS],
            "gap": self._gap(name),
            "by_case": {case: self._finals(name, True, case) for case in self._known}}

    def _finals(self, arm: str, over_best: bool, case: str | None = None) -> Results | None:
        scores = [self.final(name, arm, over_best) for name in self._known if case in (None, name)]
        scores = [score for score in scores if len(score)]
        if not scores:
            return None
        return _as_told(_no_speed_below_zero(
            estimates.interquartile_estimate(scores, self._rng(), FINAL_DRAWS)))

    def _points(self, arm: str, seconds: bool, over_best: bool) -> list[Results]:
        points = self.grid(seconds)
        return [{"at": point, **(_as_told(estimate) or {"value": None, "low": None, "high": None})}
                for point, estimate in zip(points, self.band(arm, points, seconds, over_best))]

    def _target(self, arm: str, share: float) -> Results:
        trials: list[float | None] = []
        seconds: list[float | None] = []
        spent: list[Outcome] = []
        too_noisy = noise.too_noisy(self._ceilings(), share)
        for case, known in self._known.items():
            if case in too_noisy:
                continue
            for seed in self.study.seeds:
                outcome = self._outcomes.get((case, arm, seed))
                if outcome is not None and known is not None:
                    best = self._best[case, arm, seed]
                    trials.append(curves.trials_to(best, share * known))
                    seconds.append(curves.seconds_to(best, outcome.elapsed, share * known))
                    spent.append(outcome)
        return {"target": share, "runs": len(spent),
                **({"too_noisy": too_noisy} if too_noisy else {}),
                "reached": sum(effort is not None for effort in trials),
                "trials": curves.typical_effort(trials),
                "expected_trials": curves.expected_effort(
                    trials, [len(outcome.speeds) for outcome in spent]),
                "seconds": curves.typical_effort(seconds),
                "expected_seconds": curves.expected_effort(
                    seconds, [outcome.total for outcome in spent])}

    def _gap(self, arm: str) -> Results:
        told: Results = {}
        for part in PARTS:
            logs = []
            for case in self._known:
                values = [getattr(gap, part) for gap in self.gaps(arm, case)]
                known = [math.log(value) for value in values if value]
                if known:
                    logs.append(np.array(known))
            told[part] = _as_told(estimates.geometric_estimate(logs, self._rng())) if logs else None
        return told

    def _comparisons(self) -> list[Results]:
        """Compares each arm with the baseline."""
        base = self.study.baseline
        others = [arm.name for arm in self.study.arms if arm.name != base]
        told = self._judged([(name, factors.paired(self._logs(name), self._logs(base)))
                             for name in others])
        for name, one in zip(others, told):
            ours, theirs = [], []
            for case in self._known:
                a, b = self.final(case, name), self.final(case, base)
                if len(a) and len(b):
                    ours.append(a)
                    theirs.append(b)
            one["over"] = base
            one["improvement"] = _as_told(estimates.improvement_estimate(
                ours, theirs, self._rng())) if ours else None
        return told

    def _effects(self) -> Results:
        """Returns effects of factors: of each level, and of each pair of levels of two factors."""
        logs = {arm.cell: self._logs(arm.name) for arm in self.study.arms if arm.cell is not None}
        changes = [(factor, level) for factor, one in enumerate(self.study.factors)
                   for level in range(1, len(one.levels))]
        mains = [(self._level(change), factors.main_effect(logs, *change)) for change in changes]
        pairs = [(f"{self._level(one)} with {self._level(other)}",
                  factors.interaction(logs, one, other))
                 for place, one in enumerate(changes) for other in changes[place + 1:]
                 if one[0] != other[0]]
        return {"main_effects": self._judged(mains),
                "interactions": self._judged([pair for pair in pairs if pair[1]])}

    def _level(self, change: tuple[int, int]) -> str:
        factor = self.study.factors[change[0]]
        return f"{factor.name}={factor.levels[change[1]]} over {factor.levels[0]}"

    def _judged(self, named: Sequence[tuple[str, Mapping[str, Array]]]) -> list[Results]:
        found = [effects.effect_of(list(differences.values())) for _, differences in named]
        judged = effects.judge(found, math.log1p(self.study.margin))
        return [{"name": name, **_judged_told(one, self.study.margin),
                 "by_case": {case: _gain(float(values.mean()))
                             for case, values in differences.items()}}
                for (name, differences), one in zip(named, judged)]

    def _logs(self, arm: str) -> dict[str, dict[int, float]]:
        """Returns logarithms of final speeds by case and seed."""
        logs: dict[str, dict[int, float]] = {}
        for case in self._known:
            slowest = self._slowest(case)
            found = {seed: self._outcomes.get((case, arm, seed)) for seed in self.study.seeds}
            logs[case] = {seed: math.log(outcome.chosen or slowest)
                          for seed, outcome in found.items() if outcome is not None and slowest}
        return logs

    def _slowest(self, case: str) -> float | None:
        return min(self._facts(case, "chosen"), default=None)

    def _curves(self, case: str, arm: str, points: Sequence[float], seconds: bool,
                over_best: bool) -> Array:
        rows = []
        for seed in self.study.seeds:
            outcome = self._outcomes.get((case, arm, seed))
            if outcome is not None:
                best = self._best[case, arm, seed]
                rows.append(curves.at_seconds(best, outcome.elapsed, outcome.total, points,
                                              outcome.ended) if seconds else
                            curves.at_trials(best, [int(point) for point in points],
                                             outcome.ended))
        return np.array(rows) / self._scale(case, over_best)

    def _scale(self, case: str, over_best: bool) -> float:
        return (self._known[case] or 1.0) if over_best else 1.0

    def _best_known(self, case: str) -> float | None:
        """Returns the best true speed of a table, the study's file or any run."""
        given = self._facts(case, "best_of_all")
        given += [speed for name, speed in self.study.best_known if name == case]
        found = self._facts(case, "chosen") + self._facts(case, "measured")
        return max(given + found, default=None)

    def _best_of_space(self, case: str, arm: str) -> float | None:
        """Returns the best speed that any run of the study found in this arm's space."""
        space = _space_of(self.study.arm(arm))
        return max((speed for one in self.study.arms if _space_of(one) == space
                    for outcome in self.outcomes_of(case, one.name)
                    for speed in (outcome.chosen, outcome.measured) if speed is not None),
                   default=None)

    def _fact(self, case: str, name: str) -> float | None:
        return max(self._facts(case, name), default=None)

    def _facts(self, case: str, name: str) -> list[float]:
        values = [getattr(outcome, name) for place, outcome in self._outcomes.items()
                  if place[0] == case]
        return [value for value in values if value]

    def _rng(self) -> np.random.Generator:
        return np.random.default_rng(self.study.order)


@functools.lru_cache(maxsize=256)
def _space_of(arm: Arm) -> Spec:
    """Returns the canonical space; on tables all arms without a space have the same."""
    spec = parse_spec(arm.space or "schedulegym")
    return spec.as_meant(parse_spec(f"{spec.name}({spaces().get(spec.name, '')})"))


def _as_told(estimate: estimates.Estimate | None) -> Results | None:
    return None if estimate is None else dataclasses.asdict(estimate)


def _no_speed_below_zero(estimate: estimates.Estimate) -> estimates.Estimate:
    low = estimate.low
    return dataclasses.replace(estimate, low=None if low is None else max(0.0, low))


def _judged_told(judged: effects.Judged, margin: float) -> Results:
    effect = judged.effect
    return {"effect": None if effect is None else _gain(effect.mean),
            "low": _gain(judged.low), "high": _gain(judged.high), "p": judged.p,
            "pairs": None if effect is None else effect.seeds,
            "verdict": judged.verdict.text(f"{100 * margin:g} %"), "seeds_needed": judged.seeds_needed}


def _gain(log: float | None) -> float | None:
    """Returns 0.03 for 3 % faster."""
    return None if log is None else math.expm1(log)
