"""Scores and chance beside the packages themselves, in an environment of their own that goes again.

It installs a gigabyte from a package index, which takes minutes: ./sg test nightly runs it. It is
skipped where there is no index.
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

try:
    import leaderboard_packages_test as fixed
except ImportError as fault:
    raise unittest.SkipTest(f"no leaderboard: {fault}") from None

# rliable's bootstrap does not load beside a pandas of 3 or later.
PACKAGES = ["rliable==1.2.0", "autotuning_methodology==1.1.0", "pandas<3"]
ASK = """
import json, sys
import numpy as np
from rliable import library, metrics
from autotuning_methodology.baseline import RandomSearchCalculatedBaseline
from autotuning_methodology.searchspace_statistics import SearchspaceStatistics

given = json.load(sys.stdin)
ours, theirs = (np.array(given[name]).T for name in ("ours", "theirs"))

def interval(scores, function):
    points, ends = library.get_interval_estimates(
        {"it": scores}, lambda *some: np.array([function(*some)]), reps=given["draws"],
        random_state=np.random.RandomState(0))
    return [float(points["it"][0]), float(ends["it"][0][0]), float(ends["it"][1][0])]

def space(times):
    known = object.__new__(SearchspaceStatistics)  # which would read a file
    known.objective_performances_total = np.array(times)
    known.objective_performances_total_sorted = np.sort(np.array(times))
    known.objective_performances_total_sorted_nan = known.objective_performances_total_sorted
    known.minimization = True
    return known

class Results(RandomSearchCalculatedBaseline):
    def get_curve(self, *_, **__):
        return np.array(given["best"])

points = np.arange(1, len(given["ranks"]) + 1)
curve = RandomSearchCalculatedBaseline(space(given["ranks"])).get_curve(points, "fevals")
chosen = [1, 2, 3, 5, 8, 20, 50, 100, 300, 700, 1000]
known = space(given["times"])
ends = [known.cutoff_point(share) for share in (0.5, 0.96)]
found = Results(known).get_standardised_curve(points[:len(given["best"])], np.array(given["found"]),
                                           "fevals")
print(json.dumps({
    "middle": interval(ours, metrics.aggregate_iqm),
    "better": interval((ours, theirs), metrics.probability_of_improvement),
    "ranks": {str(draws): float(curve[draws - 1]) for draws in chosen},
    "targets": [float(value) for value, _ in ends], "window": [int(draws) for _, draws in ends],
    "standardised": [float(value) for value in found]}))
"""


class AskTest(unittest.TestCase):
    def test_the_packages_still_say_so(self):
        """And ours beside them, by the tests of the fixed numbers."""
        known = fixed.reckoned()["known"]
        first, last = known.window
        asked = {"ours": fixed.OURS, "theirs": fixed.THEIRS, "draws": fixed.DRAWS,
                 "ranks": fixed.RANKS, "times": fixed.TIMES, "found": fixed.FOUND[first - 1:last],
                 "best": list(known.best[first - 1:last])}
        with tempfile.TemporaryDirectory(prefix="schedulegym packages ") as place:
            python = pathlib.Path(place, "bin/python")
            subprocess.run([sys.executable, "-m", "venv", place], check=True)
            if subprocess.run([python, "-m", "pip", "install", "-q", "--no-cache-dir",
                               "--disable-pip-version-check", *PACKAGES]).returncode != 0:
                self.skipTest("cannot install " + ", ".join(PACKAGES))
            told = subprocess.run([python, "-c", ASK], input=json.dumps(asked), text=True,
                                  capture_output=True, cwd=place, timeout=500)
        self.assertEqual(told.returncode, 0, told.stderr)
        found = json.loads(told.stdout.splitlines()[-1])
        print(json.dumps(found))
        self.assertEqual(found.keys(), fixed.GIVEN.keys())
        for name, value in found.items():
            with self.subTest(name):
                self.assert_near(value, fixed.GIVEN[name], name in ("middle", "better"))

    def assert_near(self, found, given, is_drawn):
        """Of an estimate the ends of its interval are drawn: each call of rliable has others."""
        values = [list(one.values()) if isinstance(one, dict) else one for one in (found, given)]
        self.assertEqual(len(values[0]), len(values[1]))
        for place, (one, other) in enumerate(zip(*values)):
            self.assertAlmostEqual(one, other, delta=0.02 if is_drawn and place else 1e-9)


if __name__ == "__main__":
    unittest.main()
