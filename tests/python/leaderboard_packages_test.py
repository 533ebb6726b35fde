"""Scores and chance beside what packages of others say of the same numbers.

GIVEN is what rliable 1.2.0 and autotuning_methodology 1.1.0 gave on 2026-11-27;
leaderboard_packages_check.py asks them again.
"""
import math
import unittest

from leaderboard_chance_test import outcome

try:
    import numpy as np

    from schedulegym.leaderboard import random_baseline, scores
    from schedulegym.studies import estimates
except ImportError as fault:
    raise unittest.SkipTest(f"no leaderboard: {fault}") from None

# Of each of three cases a score for each run.
OURS = [[0.42, 0.61, 0.57, 0.93, -0.35, 0.61], [0.12, 0.05, 0.31, 0.08, 0.22, 0.19],
        [0.88, 0.91, 0.79, 0.97, 0.93, 0.41]]
THEIRS = [[0.40, 0.61, 0.23, 0.55, 0.10], [0.17, 0.11, 0.35, 0.02, 0.29],
          [0.86, 0.52, 0.94, 0.77, 0.69]]
RANKS = [float(rank) for rank in range(1000)]
TIMES = [4 * (rank / 999) ** 1.5 for rank in range(1000)]  # of a call, on the logarithm
FOUND = [3.1, 2.0, 2.0, 0.9, 0.9, 0.9, 0.35, 0.2]  # of a run, after each trial
DRAWS = 20000

GIVEN = {  # values with the ends of their intervals; ranks by how many were drawn
    "middle": [0.501, 0.36, 0.632], "better": [0.611111111111, 0.411111111111, 0.811111111111],
    "ranks": {"1": 499, "2": 332, "3": 248, "5": 165, "8": 109, "20": 46, "50": 18, "100": 8, "300": 1,
              "700": 0, "1000": 0},
    "targets": [0.707107046883, 0.056568563751], "window": [3, 16],
    "standardised": [-2.288653636619, -1.037406968057, -1.651954306004, -2.319108167163,
                     -0.569327707812, -0.066241272275]}


def reckoned():
    """The same by our own means."""
    rows = [[np.array(case) for case in one] for one in (OURS, THEIRS)]
    rng = np.random.default_rng(0)
    middle = estimates.interquartile_estimate(rows[0], rng, DRAWS, widened=False)
    better = estimates.improvement_estimate(*rows, rng, DRAWS, widened=False)
    ranks = random_baseline.chance_of_all([math.exp(-rank / 100) for rank in RANKS], 0, [], len(RANKS))
    known = random_baseline.chance_of_all([math.exp(-time) for time in TIMES], 0, [], len(FOUND))
    whole = random_baseline.chance_of_all([math.exp(-time) for time in TIMES], 0, [], len(TIMES))
    return {"middle": middle, "better": better, "ranks": list(100 * ranks.best), "known": known,
            "whole": whole}


def targets(known):
    """The times that are a half and 0.96 of the way from the median to the optimum."""
    return [known.median - share * (known.median - known.optimum)
            for share in (random_baseline.FROM, random_baseline.TO)]


def standardised(known):
    """Of the run, at each budget of the window."""
    first, last = known.window
    return [float((known.best[place] - FOUND[place]) / (known.best[place] - known.optimum))
            for place in range(first - 1, last)]


class PackagesTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.ours = reckoned()

    def test_the_interquartile_mean_is_rliable_s(self):
        middle = self.ours["middle"]
        self.assertAlmostEqual(middle.value, GIVEN["middle"][0], 12)
        for end, given in ((middle.low, GIVEN["middle"][1]), (middle.high, GIVEN["middle"][2])):
            self.assertAlmostEqual(end, given, delta=0.015)  # two bootstraps, each with its chance

    def test_the_probability_of_improvement_is_rliable_s(self):
        better = self.ours["better"]
        self.assertAlmostEqual(better.value, GIVEN["better"][0], 12)
        for end, given in ((better.low, GIVEN["better"][1]), (better.high, GIVEN["better"][2])):
            self.assertAlmostEqual(end, given, delta=0.015)

    def test_chance_is_the_methodology_s(self):
        """Where a time is its rank: theirs rounds to a rank, and counts from 1 what it takes from 0."""
        for draws, rank in GIVEN["ranks"].items():
            ours = self.ours["ranks"][int(draws) - 1]
            self.assertAlmostEqual(ours, (len(RANKS) + 1) / (int(draws) + 1) - 1)  # exactly
            self.assertLessEqual(abs(ours - rank), 1.5, draws)

    def test_the_window_is_the_methodology_s(self):
        for ours, given in zip(targets(self.ours["whole"]), GIVEN["targets"]):
            self.assertAlmostEqual(ours, given)
        # It looks where the expected rank gets there, we where the expected time does.
        for ours, given in zip(self.ours["whole"].window, GIVEN["window"]):
            self.assertLessEqual(abs(ours - given), 0.35 * given, GIVEN["window"])

    def test_the_score_is_the_methodology_s(self):
        found = standardised(self.ours["known"])
        for ours, given in zip(found, GIVEN["standardised"]):
            self.assertAlmostEqual(ours, given)
        run = outcome(*[math.exp(-time) for time in FOUND])
        self.assertAlmostEqual(scores.scores_of(run, self.ours["known"]).by_trials,
                               sum(GIVEN["standardised"]) / len(GIVEN["standardised"]))


if __name__ == "__main__":
    unittest.main()
