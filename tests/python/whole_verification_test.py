"""Whole checks of references: rows by hand, and the script on a small row of each kind."""
import os
import subprocess
import sys
import unittest

from harness import PROGRAM, ROOT, PackageTest, load_benchmark

SCRIPT = ROOT / "experiments/bench/whole_verification.py"
SMALL = "matmul(m=16,n=16,k=16)"


class RowTest(PackageTest):
    def setUp(self):
        super().setUp()
        self.script = load_benchmark("whole_verification")

    def row(self, *checked):
        return self.script.row("matmul", self.script.Checked(*checked))

    def test_verified_within_a_minute_or_told(self):
        self.assertEqual(self.row(1.234, "", ""), ("| `matmul` | 1.23 |  |", True))
        self.assertEqual(self.row(61, "", ""), ("| `matmul` | 61.00 | over the bar |", False))
        self.assertEqual(self.row(None, "it is too large", ""),
                         ("| `matmul` | - | it is too large |", True))
        self.assertEqual(self.row(None, "", "neither"), ("| `matmul` | - | neither |", False))

    def test_suites_have_rows_of_one_batch(self):
        self.assertEqual(len(self.script.rows_of(["ansor_ops"], 1)), 40)
        self.assertEqual(len(self.script.rows_of(["ansor_ops"], 16)), 40)
        self.assertEqual(self.script.rows_of([SMALL], 16), [SMALL])
        self.assertGreater(len(self.script.rows_of(["smoke", SMALL], 1)), 10)


class ScriptTest(PackageTest):
    def run_script(self, *words):
        result = subprocess.run([sys.executable, SCRIPT, *words], capture_output=True, text=True,
                                timeout=300, env={**os.environ, "SCHEDULEGYM_PROGRAM": PROGRAM})
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stdout.splitlines()[-1], "verified within 60 s, or told: 1 of 1")
        return result.stdout.splitlines()[2]

    def test_a_reference_is_verified(self):
        self.need_llvm()
        self.assertRegex(self.run_script(SMALL, "--target", "llvm(cores=1)"),
                         r"^\| `matmul\(m=16,n=16,k=16\)` \| \d+\.\d\d \|  \|$")

    def test_where_there_is_no_whole_check_it_is_told(self):
        self.assertIn("no reference is checked in every cell",
                      self.run_script(SMALL, "--target", "interpreter"))


if __name__ == "__main__":
    unittest.main()
