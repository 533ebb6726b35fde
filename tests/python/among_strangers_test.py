"""What among_strangers.py makes of the times of calls after a pause."""
import sys
import unittest

from harness import ROOT

sys.path.insert(0, str(ROOT / "experiments/bench"))
import among_strangers


class AfterAPauseTest(unittest.TestCase):
    def test_each_pause_is_followed_by_nine_calls_and_the_medians_count(self):
        calls = []
        first = among_strangers.calls_after(lambda: calls.append(1), pause=0.0, rounds=3)
        self.assertEqual(len(first), 9)
        self.assertEqual(len(calls), 27)
        self.assertTrue(all(seconds >= 0 for seconds in first))

    def test_the_fourth_and_the_ninth_stand_beside_a_steady_call(self):
        first = [4e-4, 2e-4, 1e-4, 0.9e-4, 0.8e-4, 0.8e-4, 0.8e-4, 0.8e-4, 0.84e-4]
        self.assertEqual(among_strangers.pause_text(first, 8e-5),
                         "80.0 | 400, 200, 100, 90, 80, 80, 80, 80, 84 | 1.12 | 1.05")

    def test_the_paused_products_have_shapes(self):
        bound_by_memory, small = among_strangers.PAUSED_WORKLOADS
        self.assertEqual(among_strangers.shapes(bound_by_memory),
                         ({"A": (1, 1024), "B": (1024, 4096)}, (1, 4096)))
        self.assertEqual(among_strangers.shapes(small)[1], (160, 160))


if __name__ == "__main__":
    unittest.main()
