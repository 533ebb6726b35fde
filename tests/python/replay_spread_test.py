"""How far apart replays are: the arithmetic by hand, and the script on a small store."""
import os
import re
import subprocess
import sys
import unittest

from harness import PROGRAM, ROOT, ProgramTest, load_benchmark
from limited import LimitedTest

SCRIPT = ROOT / "experiments/bench/replay_spread.py"
ROW = re.compile(r"^\| `double.dag` \| 1 \| [0-9a-f]{8} \| (\d+\.\d \| [+-]\d+\.\d% \| [+-]\d+\.\d% \|)?")


class ArithmeticTest(LimitedTest):
    @classmethod
    def setUpClass(cls):
        try:
            cls.script = load_benchmark("replay_spread")
        except ImportError as fault:  # NumPy may be missing
            raise unittest.SkipTest(str(fault))

    def row(self, *pairs):
        item = self.script.Item("matmul", "llvm(cores=2,warm=true)", "0123456789abcdef", None)
        return self.script.row(item, [p and self.script.Replayed(*p) for p in pairs])

    def test_records_are_taken_evenly(self):
        self.assertEqual(self.script.evenly("abcdefghi", 3), ["a", "e", "i"])
        self.assertEqual(self.script.evenly("abc", 5), ["a", "b", "c"])
        self.assertEqual(self.script.evenly("abc", 1), ["a"])

    def test_the_largest_deviation_from_the_median_counts(self):
        text, within, is_ratio_within = self.row((100e-6, 1), (97.5e-6, 1), (102e-6, 1))
        self.assertEqual(text, "| `matmul` | 2 | 01234567 | 100.0 | -2.5% | +2.6% |  |")
        self.assertTrue(within and is_ratio_within)

    def test_a_row_over_the_bar_tells_how_its_reference_fared(self):
        text, within, is_ratio_within = self.row((100e-6, 1.0), (96e-6, 0.95), (101e-6, 1.0))
        self.assertEqual(text, "| `matmul` | 2 | 01234567 | 100.0 | -4.0% | +1.0% "
                               "| round 2, its reference -5.0% |")
        self.assertFalse(within)
        self.assertTrue(is_ratio_within)

    def test_a_ratio_may_deviate_where_the_time_does_not(self):
        _, within, is_ratio_within = self.row((100e-6, 1.0), (100e-6, 1.1), (100e-6, 1.0))
        self.assertTrue(within)
        self.assertFalse(is_ratio_within)

    def test_small_kernels_have_a_bar_of_their_own(self):
        self.assertTrue(self.row((10e-6, 1), (9.6e-6, 1), (10.1e-6, 1))[1])
        self.assertFalse(self.row((10e-6, 1), (9.4e-6, 1), (10.1e-6, 1))[1])

    def test_a_failure_is_no_time(self):
        text, within, is_ratio_within = self.row((1e-3, 1), None, (1e-3, 1))
        self.assertIn("| - | - | - | failed in 1 of 3 |", text)
        self.assertFalse(within or is_ratio_within)


class ScriptTest(ProgramTest):
    def script(self, *words):
        return subprocess.run([sys.executable, SCRIPT, *map(str, words)], capture_output=True,
                              text=True, cwd=self.folder,
                              env={**os.environ, "SCHEDULEGYM_PROGRAM": PROGRAM})

    def test_each_record_has_a_row(self):
        program = self.write("double.dag", "input A[16, 16]\nB[i:16, j:16] = A[i, j] * 2.0\n")
        self.run_program("tune", program, "--target", "interpreter", "--trials", 4, "--store",
                         "s.db")
        (stats,) = [e for e in self.events("records", "stats", "--store", "s.db")
                    if e["name"] == "outcomes"]
        if not stats.get("ok"):
            self.skipTest("the machine is too busy for a success")
        result = self.script("s.db", "--records", 2, "--rounds", 2)
        self.assertEqual(result.returncode, 0, result.stderr)
        rows = result.stdout.splitlines()[2:]
        self.assertRegex(rows[-1], r"^within 3%, or 5% under 20 us: \d of [12] by their times, \d by their "
                                   r"ratios$")
        for text in rows[:-1]:
            self.assertRegex(text, ROW)

    def test_what_cannot_be_replayed_is_refused_in_a_line(self):
        for words, text in ((("none.db",), "found no store 'none.db'"),
                            (("none.db", "--rounds", 1), "--rounds at least 2")):
            result = self.script(*words)
            self.assertEqual(result.returncode, 2)
            self.assertIn(text, result.stderr.splitlines()[-1])


if __name__ == "__main__":
    unittest.main()
