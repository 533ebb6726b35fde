"""The script that tells what studies cost, in its small form."""
import os
import re
import subprocess
import sys
import unittest

from harness import ROOT
from limited import LimitedTest

try:
    from schedulegym.studies import pictures
except ImportError as fault:
    raise unittest.SkipTest(f"no studies: {fault}") from None


class StudyBarsTest(LimitedTest):
    def test_a_line_for_each_bar(self):
        """Without the live study, whose searches take a while."""
        paths = os.pathsep.join(filter(None, sys.path))
        result = subprocess.run(
            [sys.executable, ROOT / "experiments/bench/study_bars.py", "--smoke", "--no-live"],
            capture_output=True, text=True, timeout=300, env={**os.environ, "PYTHONPATH": paths})
        self.assertEqual(result.returncode, 0, result.stderr)
        lines = result.stdout.splitlines()
        self.assertEqual([line.split(":")[0] for line in lines],
                         ["random on tables", "droplet on tables", "baselines, 1 seeds of 8 trials",
                          "report of 100 runs of 40 trials"])
        for line in lines:
            # Of few trials: what is left of a search without reading its table is noise.
            told = re.search(r", ([\d,]+) with reading|: ([\d.,]+) s", line)
            self.assertGreater(float((told[1] or told[2]).replace(",", "")), 0, line)
        painted = re.search(r"first paint after ([\d.]+) s|no browser", lines[-1])
        self.assertTrue(painted, lines[-1])
        if pictures.find_chromium():
            self.assertGreater(float(painted[1]), 0)


if __name__ == "__main__":
    unittest.main()
