"""Chance and scores beside it, by hand and by drawing every order that there is."""
import itertools
import math
import unittest

try:
    import numpy as np

    from schedulegym.leaderboard import scores
    from schedulegym.studies import random_baseline
    from schedulegym.studies.outcome import Outcome
except ImportError as fault:
    raise unittest.SkipTest(f"no leaderboard: {fault}") from None

# Speeds e^0, e^-1, ...: times on the logarithm are 0, 1, 2, ...
FIVE = [math.exp(-time) for time in (4, 2, 0, 1, 3)]


def outcome(*speeds, elapsed=None, stopped="trials"):
    elapsed = elapsed or tuple(float(place + 1) for place in range(len(speeds)))
    found = [speed for speed in speeds if speed]
    return Outcome(tuple(speeds), tuple(elapsed), elapsed[-1] if elapsed else 0.0, stopped, {},
                   max(found, default=None), max(found, default=None))


class ChanceTest(unittest.TestCase):
    def test_without_replacement_it_is_the_mean_over_all_orders(self):
        found = random_baseline.chance_of_all(FIVE, 1, [1.0], 7)
        times = [-math.log(speed) for speed in FIVE] + [4.0]  # what failed is as slow as the slowest
        for draws in range(1, 7):
            best = [min(some) for some in itertools.combinations(times, draws)]
            self.assertAlmostEqual(found.best[draws - 1], sum(best) / len(best))
        self.assertAlmostEqual(found.best[6], 0)  # more draws than there are schedules

    def test_of_a_sample_it_is_the_mean_over_all_draws_from_it(self):
        found = random_baseline.chance_of_sample(FIVE[:3], 1, 2.0, None, 3)
        times = [-math.log(speed) for speed in FIVE[:3]] + [4.0]
        for draws in (1, 2, 3):
            best = [min(some) for some in itertools.product(times, repeat=draws)]
            self.assertAlmostEqual(found.best[draws - 1], sum(best) / len(best))
        self.assertAlmostEqual(found.optimum, -math.log(2))  # the best known, though never drawn
        self.assertIsNone(found.cost)

    def test_median_optimum_slowest_and_cost(self):
        found = random_baseline.chance_of_all(FIVE, 0, [1.0, 2.0, 6.0], 3)
        for value, expected in ((found.median, 2), (found.optimum, 0), (found.slowest, 4)):
            self.assertAlmostEqual(value, expected)
        self.assertEqual(found.cost, 3.0)

    def test_progress_is_0_at_the_median_and_1_at_the_optimum(self):
        found = random_baseline.chance_of_all(FIVE, 0, [1.0], 3)
        for time, progress in ((2, 0), (1, 0.5), (0, 1), (4, -1)):
            self.assertAlmostEqual(found.progress(time), progress)

    def test_the_window(self):
        best = np.array([3.0, 2.0, 1.0, 0.5, 0.08, 0.01])
        one = random_baseline.Chance(best, 2.0, 0.0, 4.0, None)
        self.assertEqual(one.window, (3, 5))  # at most 1, then at most 0.08
        self.assertEqual(random_baseline.Chance(best[:4], 2.0, 0.0, 4.0, None).window, (3, 4))  # to the end
        self.assertEqual(random_baseline.Chance(best[:2], 2.0, 0.0, 4.0, None).window, (2, 2))

    def test_it_is_read_back(self):
        one = random_baseline.chance_of_all(FIVE, 0, [1.0], 3)
        again = random_baseline.read_chance(one.fields())
        self.assertEqual(again.fields(), one.fields())
        self.assertEqual(again.window, one.window)


class ScoresTest(unittest.TestCase):
    # Chance has 2, 1, 0.5 after 1, 2, 3 draws; the window is 2 to 3: 1 is half of the way.
    one = random_baseline.Chance(np.array([2.0, 1.0, 0.5]), 2.0, 0.0, 4.0, 10.0)

    def test_the_optimum_at_once_is_1(self):
        found = scores.scores_of(outcome(1.0), self.one)
        self.assertAlmostEqual(found.by_trials, 1)

    def test_by_hand(self):
        # After 2 trials e^-1, as chance: 0. After 3 e^-0.25, where chance has e^-0.5: a half.
        found = scores.scores_of(outcome(None, math.exp(-1), math.exp(-0.25)), self.one)
        self.assertAlmostEqual(found.by_trials, (0 + 0.5) / 2)

    def test_before_the_first_success_it_is_the_slowest(self):
        found = scores.scores_of(outcome(None, None, math.exp(-0.5)), self.one)
        self.assertAlmostEqual(found.by_trials, ((1 - 4) / 1 + 0) / 2)
        nothing = scores.scores_of(outcome(), self.one)
        self.assertAlmostEqual(nothing.by_trials, ((1 - 4) / 1 + (0.5 - 4) / 0.5) / 2)

    def test_a_run_keeps_its_best_after_its_end(self):
        short = scores.scores_of(outcome(math.exp(-0.5), stopped="exhausted"), self.one)
        self.assertAlmostEqual(short.by_trials, ((1 - 0.5) / 1 + 0) / 2)
        self.assertEqual(short, scores.scores_of(outcome(math.exp(-0.5), stopped="seconds"), self.one))

    def test_by_seconds_it_is_the_same_where_trials_cost_the_mean(self):
        speeds = (math.exp(-2), math.exp(-1), math.exp(-0.25))
        even = scores.scores_of(outcome(*speeds, elapsed=(10.0, 20.0, 30.0)), self.one)
        self.assertAlmostEqual(even.by_seconds, even.by_trials)
        # Three trials within the first ten seconds: at 20 and 30 s it has e^-0.25.
        quick = scores.scores_of(outcome(*speeds, elapsed=(3.0, 6.0, 9.0)), self.one)
        self.assertAlmostEqual(quick.by_seconds, ((1 - 0.25) / 1 + (0.5 - 0.25) / 0.5) / 2)
        self.assertEqual(quick.by_trials, even.by_trials)

    def test_without_costs_there_are_no_seconds(self):
        free = random_baseline.Chance(self.one.best, 2.0, 0.0, 4.0, None)
        self.assertIsNone(scores.scores_of(outcome(1.0), free).by_seconds)

    def test_where_nothing_can_be_won_the_score_is_0(self):
        flat = random_baseline.chance_of_all([1.0, 1.0], 0, [1.0], 3)
        self.assertEqual(scores.scores_of(outcome(1.0), flat).by_trials, 0)

    def test_runs_of_chance_have_0_in_the_mean(self):
        found = random_baseline.chance_of_all(FIVE, 0, [1.0], 5)
        runs = [scores.scores_of(outcome(*order), found).by_trials
                for order in itertools.permutations(FIVE)]
        self.assertAlmostEqual(sum(runs) / len(runs), 0)

    def test_targets(self):
        # From the median 2: times 1, 0.4, 0.2, 0.1, 0.02 reach 0.5, 0.8, 0.9, 0.95 and 0.99.
        speeds = [math.exp(-time) for time in (3, 0.9, 0.4, 0.15, 0.1)]
        found = scores.scores_of(outcome(*speeds), self.one)
        self.assertEqual(found.reached, (2, 3, 4, 5, None))

    def test_the_share_of_targets(self):
        self.assertEqual(scores.ecdf([(1, 2, None), (4, None, None)], [1, 2, 3, 4]),
                         [1 / 6, 2 / 6, 2 / 6, 3 / 6])
        self.assertEqual(scores.ecdf([], [1]), [0.0])


if __name__ == "__main__":
    unittest.main()
