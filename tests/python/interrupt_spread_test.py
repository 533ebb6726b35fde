"""How long agents take to end: what counts as a good end, and the script on one agent."""
import os
import re
import subprocess
import sys

from harness import PROGRAM, ROOT, ProgramTest, load_benchmark
from limited import LimitedTest

SCRIPT = ROOT / "experiments/bench/interrupt_spread.py"


class EndTest(LimitedTest):
    script = load_benchmark("interrupt_spread")

    def fault(self, code=130, stopped="interrupted", best=None, ids=("a",)):
        done = {"event": "done", "stopped": stopped, "best": best or {"record": "a", "source": "search"}}
        return self.script.fault_of(code, [{"event": "trial"}, done], set(ids))

    def test_a_good_end_is_one_as_interrupted_with_the_best_recorded(self):
        self.assertEqual(self.fault(), "")
        self.assertEqual(self.fault(best={"record": None, "source": "reference"}), "")
        self.assertEqual(self.fault(code=1), "exit code 1")
        self.assertEqual(self.fault(stopped="exhausted"), "did not end as interrupted")
        self.assertEqual(self.fault(ids=()), "its best is not in the store")
        self.assertEqual(self.script.fault_of(130, [{"event": "trial"}], set()), "did not end as interrupted")

    def test_a_row_tells_the_longest_and_what_went_wrong(self):
        ended = self.script.Ended
        self.assertEqual(self.script.row("hill", [ended(0.1, ""), ended(0.3, ""), ended(0.2, "")]),
                         ("| `hill` | 0.20 | 0.30 | yes |", True))
        self.assertFalse(self.script.row("hill", [ended(0.1, ""), ended(0.6, "")])[1])
        self.assertEqual(self.script.row("hill", [ended(None, "ended by itself")]),
                         ("| `hill` | - | - | ended by itself |", False))


class ScriptTest(ProgramTest):
    def test_an_agent_is_interrupted(self):
        result = subprocess.run([sys.executable, SCRIPT, "--agents", "hill", "--rounds", "1"],
                                env={**os.environ, "SCHEDULEGYM_PROGRAM": PROGRAM},
                                capture_output=True, text=True, timeout=200)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, re.compile(r"^\| `hill` \| \d\.\d\d \| \d\.\d\d \| yes \|$", re.M))

    def test_words_that_mean_nothing_are_refused(self):
        result = subprocess.run([sys.executable, SCRIPT, "--rounds", "0"], capture_output=True, text=True)
        self.assertEqual(result.returncode, 2)
        self.assertIn("--rounds is 0, expected at least 1", result.stderr)
