"""The host of a learned agent: asleep while anything is timed."""
import os
import subprocess
import sys
import time
import unittest

from harness import PROGRAM, ROOT, ProgramTest, load_benchmark

SCRIPT = ROOT / "experiments/bench/beside_host.py"
MOST_TICKS = 2  # of a hundred, in a second


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
