"""How long agents think for a trial: the figures, and the script on one agent."""
import os
import re
import subprocess
import sys

from harness import PROGRAM, ROOT, ProgramTest, load_benchmark
from limited import LimitedTest

SCRIPT = ROOT / "experiments/bench/thinking_spread.py"


class FiguresTest(LimitedTest):
    script = load_benchmark("thinking_spread")

    def test_workloads_are_the_cases_of_the_studies(self):
        text = (ROOT / "experiments/studies/harl/twelve.toml").read_text()
        cases = re.findall(r' = "(.+)"\n', text.partition("[cases]")[2].partition("[base]")[0])
        self.assertEqual(self.script.WORKLOADS, cases)

    def test_the_last_event_that_says_so_ends_a_search(self):
        lines = ["tuning", '{"event": "trial"}', '{"event": "done", "trials": 4}', '{"event": "other"}']
        self.assertEqual(self.script.done_of(lines), {"event": "done", "trials": 4})
        self.assertIsNone(self.script.done_of(lines[:2]))

    def test_thinking_is_for_a_trial(self):
        self.assertAlmostEqual(self.script.milliseconds({"time": {"propose": 0.5}, "trials": 20}), 25)

    def test_a_line_has_the_median_the_most_and_what_that_is_beside_the_first(self):
        self.assertEqual(self.script.line_of("hill", [1.0, 5.0, 3.0], 1.5).split(),
                         ["hill", "3.00", "5.00", "2.00"])


class ScriptTest(ProgramTest):
    def run_script(self, *words):
        return subprocess.run([sys.executable, SCRIPT, *words], capture_output=True, text=True, timeout=100,
                              env={**os.environ, "SCHEDULEGYM_PROGRAM": PROGRAM})

    def test_an_agent_is_timed(self):
        result = self.run_script("--agents", "hill", "--trials", "8", "matmul(m=32,n=32,k=32)")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, re.compile(r"^hill +\d+\.\d\d +\d+\.\d\d +1\.00$", re.M))

    def test_words_that_mean_nothing_are_refused(self):
        for words, complaint in ((("--trials", "0"), "--trials is 0, expected at least 1"),
                                 (("--agents", " ; "), "expected at least one"),
                                 (("--agents", "nobody"), "unknown agent 'nobody'")):
            result = self.run_script(*words)
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertIn(complaint, result.stderr)
