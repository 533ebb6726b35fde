"""What the script learned_speed.py says of schedules that a model liked."""
import math
import sys
import unittest
from unittest import mock

from harness import ROOT, PackageTest, schedulegym as sg

sys.path[:0] = [str(ROOT / "experiments/bench/environments"), str(ROOT / "bindings/schedulegym/examples")]
WORKLOAD = "matmul(m=32,n=32,k=32)"


class LearnedSpeedTest(PackageTest):
    def setUp(self):
        super().setUp()
        import learned_speed
        self.script = learned_speed

    def found(self, trace, speed=2.0):
        return self.script.Found("beam", 0, speed, trace)

    def test_a_schedule_is_measured_beside_the_reference(self):
        self.need_llvm()
        env = sg.ScheduleEnv(WORKLOAD, actions="modify")
        env.reset(seed=1)
        told = self.script.measure(self.found(str(env.trace)), WORKLOAD, "llvm(cores=1)")
        if told.speed is None and told.why.partition(":")[0] in ("noisy", "run_timeout"):
            self.skipTest(told.why)
        self.assertEqual(told.why, "")
        self.assertLessEqual(told.low, told.speed)
        self.assertLessEqual(told.speed, told.high)

    def test_what_fails_has_a_reason_and_no_speed(self):
        self.need_llvm()
        told = self.script.measure(self.found("trace 1\nsplit(stage=Z, loop=0, lengths=[2])\n"),
                                   WORKLOAD, "llvm(cores=1)")
        self.assertIsNone(told.speed)
        self.assertIn("Z", told.why)

    def test_a_row_has_both_means_with_their_ranges(self):
        measured = [self.script.Measured(self.found("", 1.0), 0.5, 0.4, 0.6, ""),
                    self.script.Measured(self.found("", 4.0), 2.0, 1.9, 2.1, ""),
                    self.script.Measured(self.found("", 2.0), None, None, None, "crash: died")]
        self.assertEqual(self.script.row_of("beam", measured),
                         "| beam | 3 | 2.000 (1.000 to 4.000) | 1.000 (0.500 to 2.000) | 1 |")

    def test_where_nothing_was_measured_stands_a_dash(self):
        one = self.script.Measured(self.found(""), None, None, None, "noisy: busy")
        self.assertIn("| - | 1 |", self.script.row_of("beam", [one]))

    def test_what_was_found_is_kept_and_not_searched_for_again(self):
        file, found = self.folder / "found.jsonl", [self.found("trace 1\n"), self.found("", 0.5)]
        self.assertEqual(self.script.kept(file, iter(found)), found)
        self.assertEqual(self.script.kept(file, iter([])), found)
        self.assertEqual(self.script.kept(None, iter(found)), found)

    def test_a_beam_passes_by_what_cannot_be_built(self):
        import beam_search
        env = mock.Mock(evaluations=[{"speed": None}])
        self.assertEqual(beam_search.score(env), -math.inf)
        env.evaluations = [{"speed": 2.0}]
        self.assertEqual(beam_search.score(env), math.log(2.0))

    def test_an_episode_remembers_the_schedule_with_which_it_ended(self):
        try:
            from episode_ends import EndingVecEnv
        except ImportError as fault:
            self.skipTest(str(fault))
        import numpy as np
        from gymnasium.vector import AutoresetMode
        arguments = {"workload": WORKLOAD, "actions": "modify", "reward": "difference", "steps": 4}
        env = EndingVecEnv(sg.ScheduleVectorEnv(2, autoreset_mode=AutoresetMode.SAME_STEP,
                                                **arguments), 4)
        env.seed(3)
        env.reset()
        rng = np.random.default_rng(0)
        speeds = []
        for _ in range(12):
            masks = env.action_masks()
            infos = env.step(np.array([rng.choice(np.flatnonzero(mask)) for mask in masks]))[3]
            speeds += [info["speed"] for info in infos if info.get("outcome") == "ok"]
        self.assertGreaterEqual(len(env.ends), 2)
        self.assertEqual([end.speed for end in env.ends], speeds)
        for end in env.ends:
            self.assertTrue(math.isfinite(end.speed))
            again = sg.ScheduleEnv(**arguments)
            again.replay(end.text)
            info = again.step(end.action)[4]
            self.assertEqual(info["speed"], end.speed)
            self.assertEqual(end.trace(**arguments), str(again.trace))


if __name__ == "__main__":
    unittest.main()
