"""What a study can show before it runs, by hand and by studies made up."""
import math
import unittest

try:
    import numpy as np
    from schedulegym.studies import effects, foresight, study_file
    from schedulegym.studies.outcome import Outcome
    from scipy import stats
except ImportError as fault:
    raise unittest.SkipTest(f"no studies: {fault}") from None


class ForesightTest(unittest.TestCase):
    # Of two distinct draws of four the first in order is the best with 1/2, the second with 1/3, the
    # third with 1/6: mean 2/3, variance 1/3 + 4/6 - 4/9.
    TIMES = np.array([0.0, 1.0, 2.0, 3.0])

    def test_by_hand(self):
        found = foresight.foresee([self.TIMES], trials=2, seeds=5, comparisons=1)
        self.assertAlmostEqual(found.headroom, 2 / 3)
        # Student's t of 4 degrees: 2.776 at 0.025 on each side, 0.941 at 0.8.
        self.assertAlmostEqual(found.least_effect, (2.776 + 0.941) * math.sqrt(2 * 5 / 9 / 5), 3)
        self.assertTrue(found.is_blunt)
        self.assertIn("an effect of 4.8e+02 % shows with probability 0.8 among 1 comparison",
                      found.text())

    def test_cases_and_seeds_sharpen_and_comparisons_blunt(self):
        def least(cases, seeds, comparisons):
            return foresight.foresee([self.TIMES] * cases, 2, seeds, comparisons).least_effect

        self.assertLess(least(4, 5, 1), least(1, 5, 1))
        self.assertLess(least(1, 20, 1), least(1, 5, 1))
        self.assertGreater(least(1, 5, 9), least(1, 5, 1))

    def test_one_seed_shows_nothing(self):
        found = foresight.foresee([self.TIMES], 2, 1, 1)
        self.assertIsNone(found.least_effect)
        self.assertTrue(found.is_blunt)
        self.assertIn("with one seed no effect shows", found.text())

    def test_chance_that_finds_the_best_leaves_no_room(self):
        self.assertEqual(foresight.foresee([self.TIMES], 4, 5, 1).headroom, 0)

    def test_an_effect_of_that_size_is_found_as_often_as_is_said(self):
        rng = np.random.default_rng(1)
        cases = [np.sort(rng.normal(size=500)) for _ in range(4)]
        least = foresight.foresee(cases, 50, 10, 1).least_effect

        def arm():
            return [np.array([times[rng.choice(500, 50, replace=False).min()] for _ in range(10)])
                    for times in cases]

        found = 0
        for _ in range(300):
            pairs = [theirs - ours + least for ours, theirs in zip(arm(), arm())]
            effect = effects.effect_of(pairs)
            found += effect.mean > 0 and effect.p_value() < effects.ERROR
        self.assertGreater(found / 300, stats.binom.ppf(0.001, 300, 0.8) / 300)
        self.assertLess(found / 300, stats.binom.ppf(0.999, 300, 0.8) / 300)


class CasesTest(unittest.TestCase):
    """Where not every schedule is known."""

    def study(self, measure="host", **changes):
        return study_file.study_of({"measure": measure, "cases": ["matmul(m=8,n=8,k=8)"], "seeds": 5,
                                    "trials": 4, "arms": {"random": "random", "hill": "hill"},
                                    "baseline": "random", **changes}, "test", None)

    def test_chance_by_a_sample(self):
        # The better of two draws of two: the first with 3/4.
        room, variance = foresight.foreseen_of_sample(np.array([0.0, 1.0]), None, 2)
        self.assertAlmostEqual(room, 1 / 4)
        self.assertAlmostEqual(variance, 3 / 16)
        known, _ = foresight.foreseen_of_sample(np.array([0.0, 1.0]), math.exp(0.5), 2)
        self.assertAlmostEqual(known, 3 / 4)
        self.assertAlmostEqual(foresight.foreseen_of_sample(np.array([0.0, 1.0]), 0.5, 2)[0], 1 / 4)

    def test_a_case_that_the_model_judges_is_sampled(self):
        found = foresight.foresight_of(self.study("analytical"))
        self.assertEqual(found.unknown, ())
        self.assertGreater(found.headroom, 0)
        known = foresight.foresight_of(self.study(
            "analytical", best_known={"matmul(m=8,n=8,k=8)": 1e6}))
        self.assertGreater(known.headroom, found.headroom + 1)
        self.assertEqual(known.least_effect, found.least_effect)

    def test_a_live_case_is_not_known_before_its_runs(self):
        found = foresight.foresight_of(self.study())
        self.assertEqual((found.headroom, found.least_effect, found.unknown),
                         (None, None, ("matmul(m=8,n=8,k=8)",)))
        self.assertFalse(found.is_blunt)
        self.assertIn("not known, nothing was measured yet of matmul(m=8,n=8,k=8)", found.text())

    def test_runs_that_are_there_tell_of_a_live_case(self):
        study = self.study()

        def runs(*chosen):
            made = {(study.cases[0].name, "random", seed): Outcome((speed,), (1.0,), 1.0, "trials", {},
                                                                  speed, speed)
                    for seed, speed in enumerate(chosen)}
            return {**made, (study.cases[0].name, "hill", 0): Outcome((4.0,), (1.0,), 1.0, "trials", {},
                                                                      4.0, 4.0)}

        self.assertIsNone(foresight.foresight_of(study, runs(1.0, 2.0)).headroom)
        found = foresight.foresight_of(study, runs(1.0, 2.0, 4.0))
        self.assertAlmostEqual(found.headroom, math.log(2))  # 2 in the mean, under 4
        reach = stats.t.isf(effects.ERROR / 2, 4) + stats.t.ppf(effects.POWER, 4)
        self.assertAlmostEqual(found.least_effect, reach * math.log(2) * math.sqrt(2 / 5))

    def test_one_arm_compares_nothing(self):
        self.assertIsNone(foresight.foresight_of(self.study(arms={"random": "random"})))


class ShownTest(unittest.TestCase):
    def test_an_interval_shows_on_which_side_of_one_and_of_two_per_cent_it_lies(self):
        for low, high, seeds, said in (
                (0.001, 0.2, None, "better, shown"), (-0.02, 0.1, None, "no worse than 2 %, shown"),
                (-0.021, 0.1, 40, "undecided: 40 seeds would"),
                (-0.2, -0.001, None, "worse, shown"), (-0.01, -0.005, None, "worse, shown"),
                (-0.1, 0.1, None, "undecided, as with 1000 seeds"), (None, None, None, "-")):
            self.assertEqual(effects.shown(low, high, seeds), said)


if __name__ == "__main__":
    unittest.main()
