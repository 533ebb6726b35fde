"""How far over their seconds searches end: rows by hand, and the script on one small search."""
import os
import re
import subprocess
import sys
import unittest

from harness import PROGRAM, ROOT, ProgramTest, load_benchmark
from limited import LimitedTest

SCRIPT = ROOT / "experiments/bench/seconds_promise.py"


class RowTest(LimitedTest):
    def row(self, *ended):
        script = load_benchmark("seconds_promise")
        return script.row("matmul", [script.Ended(*each) for each in ended])

    def test_all_within_a_second_are_kept(self):
        self.assertEqual(self.row((0.25, ""), (0.5, ""), (1.0, "")),
                         ("| `matmul` | +0.50 | +1.00 | +0.25 +0.50 +1.00 | 3 of 3 |", 3))

    def test_what_ends_late_or_for_another_reason_is_not(self):
        text, kept = self.row((0.1, ""), (1.25, ""), (-5.0, "ended by exhausted"))
        self.assertEqual(kept, 1)
        self.assertEqual(text, "| `matmul` | +0.10 | +1.25 | +0.10 +1.25 -5.00 "
                               "| 1 of 3: ended by exhausted |")


class ScriptTest(ProgramTest):
    def script(self, *words):
        return subprocess.run([sys.executable, SCRIPT, *map(str, words)], capture_output=True,
                              text=True, cwd=self.folder, timeout=200,
                              env={**os.environ, "SCHEDULEGYM_PROGRAM": PROGRAM})

    def test_a_search_has_a_row(self):
        result = self.script("--seconds", 1, "--runs", 2, "--target", "interpreter", "--workloads",
                             "matmul(m=16,n=16,k=16)")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, re.compile(
            r"^\| `matmul\(m=16,n=16,k=16\)` \| [+-]\d\.\d\d \| [+-]\d\.\d\d \| \S+ \S+ \| \d of 2",
            re.M))
        self.assertRegex(result.stdout.splitlines()[-1], r"^within 2 s: \d of 2$")

    def test_words_that_mean_nothing_are_refused(self):
        for words in (("--runs", 0), ("--seconds", 0)):
            result = self.script(*words)
            self.assertEqual(result.returncode, 2)
            self.assertIn("--runs is at least 1, --seconds above 0", result.stderr)


if __name__ == "__main__":
    unittest.main()
