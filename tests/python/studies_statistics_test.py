"""What studies reckon, by numbers worked out by hand."""
import gc
import math
import unittest

try:
    import numpy as np
    from schedulegym.studies import coverage, curves, effects, estimates, factors, regret, power
    from statsmodels.stats.proportion import proportion_confint
except ImportError as fault:
    raise unittest.SkipTest(f"no studies: {fault}") from None

NAN = math.nan


def rng():
    return np.random.default_rng(0)


class CurvesTest(unittest.TestCase):
    BEST = np.array([0.0, 0.5, 0.5, 1.2])
    ELAPSED = [1.0, 2.5, 4.0, 4.5]

    def test_the_best_so_far_stands_through_failures(self):
        speeds = [None, 0.5, 0.25, NAN, 2.0, 1.0]
        self.assertEqual(curves.best_so_far(speeds).tolist(), [0, 0.5, 0.5, 0.5, 2, 2])

    def test_of_noisy_readings_the_true_speed_of_the_best_is_told(self):
        # The third reads best by luck, the fourth reads as much later; the last is both.
        speeds, truths = [None, 1.0, 3.0, 3.0, 2.0, 4.0], [None, 1.5, 0.5, 2.5, 2.0, 3.0]
        best = curves.best_so_far(speeds, truths)
        self.assertEqual(best.tolist(), [0, 1.5, 0.5, 0.5, 0.5, 3])
        self.assertEqual(curves.best_so_far(speeds, speeds).tolist(),
                         curves.best_so_far(speeds).tolist())
        self.assertEqual(curves.best_so_far([], ()).tolist(), [])
        # Reached by the second trial, though it fell then.
        self.assertEqual([curves.trials_to(best, target) for target in (0.5, 1.5, 1.6)], [2, 2, 6])
        self.assertEqual(curves.seconds_to(best, [1, 2, 3, 4, 5, 6], 1.2), 2)

    def test_of_trials(self):
        told = curves.at_trials(self.BEST, [1, 2, 4, 8], ended=False)
        self.assertEqual(told[:3].tolist(), [0, 0.5, 1.2])
        self.assertTrue(math.isnan(told[3]), "nobody knows what eight would have found")
        self.assertEqual(curves.at_trials(self.BEST, [8], ended=True).tolist(), [1.2])

    def test_of_a_search_without_trials(self):
        self.assertTrue(math.isnan(curves.at_trials(np.array([]), [1], ended=False)[0]))
        self.assertEqual(curves.at_trials(np.array([]), [1], ended=True).tolist(), [0])

    def test_of_seconds(self):
        told = curves.at_seconds(self.BEST, self.ELAPSED, 5.0, [0.5, 1, 2.5, 4, 4.75, 8], False)
        self.assertEqual(told[:5].tolist(), [0, 0, 0.5, 0.5, 1.2])
        self.assertTrue(math.isnan(told[5]))

    def test_until_a_target(self):
        self.assertEqual(curves.trials_to(self.BEST, 0.5), 2)
        self.assertEqual(curves.trials_to(self.BEST, 0.51), 4)
        self.assertIsNone(curves.trials_to(self.BEST, 1.21))
        self.assertEqual(curves.seconds_to(self.BEST, self.ELAPSED, 1.0), 4.5)
        self.assertIsNone(curves.seconds_to(self.BEST, self.ELAPSED, 2.0))

    def test_runs_that_never_reach_it_are_counted(self):
        self.assertEqual(curves.typical_effort([3, 5, None]), 5)
        self.assertIsNone(curves.typical_effort([3, None, None]))
        self.assertIsNone(curves.typical_effort([]))
        # 3 and 5 until the target, 20 in vain: 28 for two that reached it.
        self.assertEqual(curves.expected_effort([3, 5, None], [20, 20, 20]), 14)
        self.assertIsNone(curves.expected_effort([None], [20]))


class EstimatesTest(unittest.TestCase):
    def test_the_interquartile_mean_leaves_a_quarter_at_each_end(self):
        scores = np.array([100.0, 1, 2, 3, 4, -50, 5, 6])
        self.assertEqual(estimates.interquartile_mean(scores), (2 + 3 + 4 + 5) / 4)
        self.assertEqual(estimates.interquartile_mean(np.array([1.0, 2, 9])), 4)  # of three: none

    def test_of_cases_and_seeds_together(self):
        estimate = estimates.interquartile_estimate([np.array([1.0, 2]), np.array([5.0, 100])],
                                                    rng())
        self.assertEqual(estimate.value, 3.5)
        self.assertLess(estimate.low, 3.5)
        self.assertGreater(estimate.high, 3.5)

    def test_seeds_are_drawn_within_each_case(self):
        # Drawn among all runs, these would spread; within each case there is nothing to draw.
        estimate = estimates.interquartile_estimate([np.full(5, 1.0), np.full(5, 9.0)], rng())
        self.assertEqual((estimate.value, estimate.low, estimate.high), (5, 5, 5))

    def test_one_seed_has_no_interval(self):
        estimate = estimates.interquartile_estimate([np.array([1.0]), np.array([3.0])], rng())
        self.assertEqual(estimate, estimates.Estimate(2, None, None))

    def test_the_probability_of_improvement(self):
        ours, theirs = [np.array([2.0, 4])], [np.array([1.0, 2, 3, 5])]
        # 2 beats 1 and ties with 2: 1.5; 4 beats three: of eight pairs 4.5.
        self.assertEqual(estimates.improvement_estimate(ours, theirs, rng()).value, 4.5 / 8)
        two = estimates.improvement_estimate([ours[0], np.array([9.0, 9])],
                                             [theirs[0], np.array([1.0, 1])], rng())
        self.assertEqual(two.value, (4.5 / 8 + 1) / 2)
        self.assertLessEqual(two.high, 1)

    def test_where_every_pair_is_won_there_is_an_interval(self):
        ours, theirs = [np.array([3.0, 4, 5])] * 6, [np.array([0.0, 1, 2])] * 6
        # Of Wilson's, 18 wins of 18: from 18 over 18 and the square of 1.96 on.
        estimate = estimates.improvement_estimate(ours, theirs, rng())
        self.assertEqual((estimate.value, estimate.high), (1, 1))
        self.assertAlmostEqual(estimate.low, 18 / (18 + 1.95996**2), 5)
        mirrored = estimates.improvement_estimate(theirs, ours, rng())
        self.assertEqual((mirrored.value, mirrored.low), (0, 0))
        self.assertAlmostEqual(mirrored.high, 1.95996**2 / (18 + 1.95996**2), 5)
        # Of unlike numbers of seeds the fewer are independent.
        fewer = estimates.improvement_estimate(ours, [case[:2] for case in theirs], rng())
        self.assertAlmostEqual(fewer.low, 12 / (12 + 1.95996**2), 5)
        plain = estimates.improvement_estimate(ours, theirs, rng(), widened=False)
        self.assertAlmostEqual(plain.low, 1)  # which a bootstrap alone takes for certain

    def test_wilson_s_interval(self):
        for share, count in ((0.9, 10), (0.5, 7), (0.0, 20), (1.0, 3)):
            told = proportion_confint(share * count, count, method="wilson")
            for ours, theirs in zip(estimates.wilson_interval(share, count), told):
                self.assertAlmostEqual(ours, theirs)

    def test_no_difference_is_a_half(self):
        same = np.arange(10.0)
        estimate = estimates.improvement_estimate([same], [same], rng())
        self.assertEqual(estimate.value, 0.5)
        self.assertTrue(estimate.low < 0.5 < estimate.high)

    def test_the_geometric_mean(self):
        logs = [np.log([2.0, 8]), np.log([1.0, 1])]
        self.assertAlmostEqual(estimates.geometric_estimate(logs, rng()).value, 2)

    def test_widening_makes_up_for_few_seeds(self):
        # Of one case and two seeds: the root of two, Student's 12.706 over 1.960, 15 % for skewness.
        self.assertAlmostEqual(estimates.widening(2, 1), math.sqrt(2) * 12.7062 / 1.95996 * 1.15,
                               3)
        self.assertLess(estimates.widening(100, 10), 1.01)

    def test_cases_as_a_sample(self):
        self.assertIsNone(estimates.sample_interval(np.array([0.3])))
        self.assertEqual(estimates.sample_interval(np.array([0.3, 0.3, 0.3])), (0.3, 0.3))
        low, high = estimates.sample_interval(np.array([0.0, 0.1]))  # Student's: t = 12.706
        self.assertLessEqual(low, 0.05 - 12.7 * 0.05)
        self.assertGreaterEqual(high, 0.05 + 12.7 * 0.05)
        low, high = estimates.sample_interval(np.array([0.0] * 11 + [1.0]))  # one case of twelve
        self.assertGreater(high - 1 / 12, 1 / 12 - low)

    def test_intervals_of_a_sample_hold_the_mean_of_all_cases(self):
        draw = rng()
        for count in (2, 3, 4, 12):
            held = [low <= 0 <= high for low, high in (
                estimates.sample_interval(draw.normal(0, 0.05, count)) for _ in range(1000))]
            self.assertGreater(np.mean(held), 0.93, count)  # of 95 %, by 1,000 tries: +- 1.4 %

    def test_the_same_chance_gives_the_same_interval(self):
        scores = [np.array([1.0, 2, 4]), np.array([3.0, 5, 6])]
        self.assertEqual(estimates.interquartile_estimate(scores, rng()),
                         estimates.interquartile_estimate(scores, rng()))


class EffectsTest(unittest.TestCase):
    def test_of_one_case(self):
        effect = effects.effect_of([np.array([0.01, 0.03])])
        self.assertAlmostEqual(effect.mean, 0.02)
        self.assertAlmostEqual(effect.error, 0.01)  # deviation 0.01414 over the root of two
        self.assertAlmostEqual(effect.freedom, 1)
        # Student with one degree is Cauchy: beyond two errors lie 1 - 2 atan(2) / pi.
        self.assertAlmostEqual(effect.p_value(), 1 - 2 * math.atan(2) / math.pi)
        low, high = effect.interval(0.05)
        self.assertAlmostEqual(high - low, 2 * 12.7062 * 0.01, 5)

    def test_cases_weigh_the_same(self):
        effect = effects.effect_of([np.array([0.0, 0.0]), np.array([0.1, 0.1, 0.1, 0.1])])
        self.assertAlmostEqual(effect.mean, 0.05)
        self.assertEqual((effect.cases, effect.seeds), (2, 2))

    def test_satterthwaite(self):
        # Variances 2 and 0 of two seeds each: one degree; twice 2: two.
        spread, none = np.array([-1.0, 1.0]), np.array([0.0, 0.0])
        self.assertAlmostEqual(effects.effect_of([spread, none]).freedom, 1)
        self.assertAlmostEqual(effects.effect_of([spread, spread]).freedom, 2)

    def test_what_has_no_pairs_is_unknown(self):
        self.assertIsNone(effects.effect_of([np.array([0.1])]))
        judged = effects.judge([None], 0.01)
        self.assertEqual(judged[0].verdict, effects.Verdict.UNKNOWN)

    def test_verdicts(self):
        steady = np.array([-0.001, 0.001] * 5)
        wild = np.array([-0.2, 0.2] * 5)
        samples = [steady + 0.03, steady - 0.03, steady, wild + 0.03]
        judged = effects.judge([effects.effect_of([sample]) for sample in samples], 0.01)
        self.assertEqual([one.verdict for one in judged],
                         [effects.Verdict.BETTER, effects.Verdict.WORSE, effects.Verdict.EQUAL,
                          effects.Verdict.OPEN])
        self.assertIsNone(judged[0].seeds_needed)
        self.assertGreater(judged[3].seeds_needed, 100)
        self.assertTrue(judged[0].low < 0.03 < judged[0].high)

    def test_what_looks_too_small_to_matter_is_neither_better_nor_worse(self):
        """Effects of any size and spread: the point lies outside the grey band, or nothing is said."""
        rng = np.random.default_rng(3)
        margin, found = 0.01, set()
        for mean in np.linspace(-0.03, 0.03, 61):
            sample = mean + rng.normal(0, 0.004, 12)
            one, = effects.judge([effects.effect_of([sample])], margin)
            found.add(one.verdict)
            if one.verdict in (effects.Verdict.BETTER, effects.Verdict.WORSE):
                self.assertGreaterEqual(abs(one.effect.mean), margin)
            if one.verdict is effects.Verdict.OPEN and one.seeds_needed:
                more = mean + rng.normal(0, 0.004, one.seeds_needed)
                self.assertGreater(len(more), 12)
        self.assertEqual(found, {effects.Verdict.BETTER, effects.Verdict.WORSE, effects.Verdict.EQUAL,
                                 effects.Verdict.OPEN})

    def test_an_effect_that_is_surely_there_and_looks_small_is_open(self):
        sample = np.array([-0.0082, -0.0090, -0.0086] * 2 + [-0.0140, -0.0030, -0.0086] * 2)
        effect = effects.effect_of([sample])
        self.assertLess(effect.p_value(), 0.001)  # not zero
        one, = effects.judge([effect], 0.01)
        self.assertEqual(one.verdict, effects.Verdict.OPEN)

    def test_many_comparisons_ask_for_more(self):
        sample = np.array([0.01, 0.02, 0.03, 0.00, 0.02])
        alone = effects.judge([effects.effect_of([sample])], 0.001)[0]
        among = effects.judge([effects.effect_of([sample])] * 10, 0.001)[0]
        self.assertAlmostEqual(among.p, 10 * alone.p)  # Holm's first
        self.assertLess(among.low, alone.low)
        self.assertEqual(alone.verdict, effects.Verdict.BETTER)
        self.assertEqual(among.verdict, effects.Verdict.OPEN)

    def test_equal_runs_are_no_difference(self):
        judged = effects.judge([effects.effect_of([np.zeros(3)])], 0.01)[0]
        self.assertEqual(judged.verdict, effects.Verdict.EQUAL)
        self.assertEqual((judged.low, judged.high), (0, 0))
        self.assertEqual(judged.verdict.text("1 %"), "no difference larger than 1 %")
        self.assertEqual(effects.Verdict.OPEN.text("1 %"), "not decidable with these seeds")

    def test_so_many_seeds_would_decide(self):
        # Deviation s, effect e, one case: about (1.96 + 0.84)^2 s^2 / e^2 seeds.
        sample = np.array([-0.1, 0.1] * 4) + 0.05
        effect = effects.effect_of([sample])
        needed = effects.seeds_needed(effect, 0.001, 1)
        guess = (1.96 + 0.84)**2 * effect.deviation**2 / 0.05**2
        self.assertTrue(guess <= needed <= 1.2 * guess + 2, (guess, needed))
        self.assertIsNone(effects.seeds_needed(effects.effect_of([sample - 0.05]), 1e-5, 1))


class FactorsTest(unittest.TestCase):
    def test_designs(self):
        self.assertEqual(factors.full_factorial([2, 3]),
                         [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)])
        self.assertEqual(factors.one_at_a_time([2, 3]), [(0, 0), (1, 0), (0, 1), (0, 2)])

    # Speeds by hand: a brings 1, b brings 2, both together 10 more.
    LOGS = {(a, b): {"case": {seed: seed + a + 2 * b + 10 * a * b for seed in (0, 1)}}
            for a in (0, 1) for b in (0, 1)}

    def test_a_main_effect_is_the_mean_over_the_others(self):
        # 1 where b is off, 11 where it is on.
        self.assertEqual(factors.main_effect(self.LOGS, 0, 1)["case"].tolist(), [6, 6])
        self.assertEqual(factors.main_effect(self.LOGS, 1, 1)["case"].tolist(), [7, 7])

    def test_an_interaction(self):
        self.assertEqual(factors.interaction(self.LOGS, (0, 1), (1, 1))["case"].tolist(),
                         [10, 10])

    def test_one_at_a_time_has_no_interactions(self):
        logs = {cell: self.LOGS[cell] for cell in factors.one_at_a_time([2, 2])}
        self.assertEqual(factors.main_effect(logs, 0, 1)["case"].tolist(), [1, 1])
        self.assertEqual(factors.interaction(logs, (0, 1), (1, 1)), {})

    def test_pairs_lack_what_is_missing(self):
        ours = {"x": {0: 3.0, 1: 4.0}, "y": {0: 1.0}, "z": {}}
        theirs = {"x": {1: 1.0, 2: 9.0}, "y": {0: 1.0}}
        told = factors.paired(ours, theirs)
        self.assertEqual({case: list(values) for case, values in told.items()},
                         {"x": [3], "y": [0]})


class GapTest(unittest.TestCase):
    def test_three_parts_make_the_whole(self):
        parts = regret.split_gap(chosen=0.9, measured=1.0, best_of_space=1.25, best_of_all=2.0)
        self.assertEqual((parts.space, parts.exploration, parts.selection), (0.625, 0.8, 0.9))
        self.assertAlmostEqual(parts.whole, 0.45)
        self.assertAlmostEqual(parts.found, 0.72)

    def test_what_is_unknown_stays_so(self):
        parts = regret.split_gap(None, 1.0, 1.25, 2.0)
        self.assertIsNone(parts.selection)
        self.assertIsNone(parts.whole)

    def test_where_only_the_choice_is_known_so_is_the_product(self):
        parts = regret.split_gap(chosen=1.0, measured=None, best_of_space=1.25, best_of_all=2.0)
        self.assertEqual((parts.exploration, parts.selection), (None, None))
        self.assertEqual((parts.space, parts.found, parts.whole), (0.625, 0.8, 0.5))


class PlantedTest(unittest.TestCase):
    def setUp(self):
        """statsmodels collects garbage for each verdict, which shall not look at all modules."""
        gc.freeze()
        self.addCleanup(gc.unfreeze)

    def test_what_is_planted_is_found_and_nothing_else(self):
        lines = []
        power.main(["--smoke", "--seed", "1"], lines.append)
        self.assertIn("40 studies of 6 cases x 10 seeds", lines[0])
        found = power.try_studies(40, rng())
        self.assertGreaterEqual(found.planted, 0.8)  # of 40, and 0.9 of more
        self.assertLessEqual(found.false, 0.15)

    def test_intervals_hold_the_truth(self):
        for held in (coverage.interquartile_coverage("even", "alike", 5, 60, rng()),
                     coverage.improvement_coverage(0.2, "stuck", "alike", 3, 60, rng()),
                     coverage.improvement_coverage(0.2, "even", "apart", 3, 60, rng()),
                     coverage.geometric_coverage("even", "apart", 5, 60, rng())):
            with self.subTest(held.estimate):
                self.assertGreaterEqual(held.told, 0.85)  # three deviations below 0.95 of 60

    def test_where_nearly_every_pair_is_won_a_bootstrap_alone_does_not(self):
        held = coverage.improvement_coverage(0.2, "even", "alike", 3, 60, rng())
        self.assertLess(held.plain, 0.5)
        self.assertGreaterEqual(held.told, 0.85)


if __name__ == "__main__":
    unittest.main()
