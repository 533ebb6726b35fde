"""The host of a learned agent: asleep while anything is timed."""
import os
import subprocess
import sys
import time
import unittest

from harness import PROGRAM, ROOT, ProgramTest, load_benchmark
from limited import LimitedTest

SCRIPT = ROOT / "experiments/bench/beside_host.py"
MOST_TICKS = 2  # of a hundred, in a second


class FiguresTest(LimitedTest):
    script = load_benchmark("beside_host")

    def test_an_interval_is_wilsons(self):
        # By hand, 50 of 100 at 2.576 deviations: part = 0.06636, middle 0.53318, reach
        # sqrt(0.06636 * (0.25 + 0.01659)) = 0.13301, both over 1.06636.
        self.assertEqual([round(end, 4) for end in self.script.interval(0.5, 100)], [0.3753, 0.6247])
        low, high = self.script.interval(0, 1000)
        self.assertAlmostEqual(low, 0)
        self.assertAlmostEqual(high, 0.06636 / 10 / (1 + 0.06636 / 10), places=5)

    def test_sides_differ_where_their_intervals_do_not_meet(self):
        def row(different, same=0.9, right=1.0):
            return {"alone": {"pairs": 100, "called_different": different, "called_same": same,
                              "ordered_right": right}}
        meets = [meet for _, meet in self.script.compared(row(0.01), row(0.05, 0.95))]
        self.assertEqual(meets, [True, True, True])
        told = self.script.compared(row(0.0, right=0.5), row(0.3))
        self.assertEqual([meet for _, meet in told], [False, True, False])
        self.assertRegex(told[0][0], r"^alone: equal ones called different: 0\.0 % \[0\.0, 6\.2\] "
                                     r"beside it, 30\.0 % \[\d+\.\d, \d+\.\d\] without: they differ$")


class HostTest(ProgramTest):
    script = load_benchmark("beside_host")

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.script.PROGRAM = PROGRAM
        try:
            with cls.script.WaitingHost():
                pass
        except RuntimeError as fault:
            if "libtorch" in str(fault).lower():
                raise unittest.SkipTest(str(fault)) from None
            raise

    def test_between_two_questions_it_uses_no_processor_time(self):
        with self.script.WaitingHost() as host:
            before = self.script.ticks(host.process)
            self.assertGreater(before, 0, "it has thought")
            time.sleep(1)
            self.assertLessEqual(self.script.ticks(host.process) - before, MOST_TICKS)

    def test_words_that_bench_does_not_know_are_said(self):
        done = subprocess.run([sys.executable, SCRIPT, "--", "--what"], capture_output=True, text=True,
                              env={**os.environ, "SCHEDULEGYM_PROGRAM": PROGRAM}, timeout=200)
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn("beside_host.py: bench protocol: ", done.stderr)
        self.assertIn("--what", done.stderr)


if __name__ == "__main__":
    unittest.main()
