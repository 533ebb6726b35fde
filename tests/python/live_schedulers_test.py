"""The script that compares task schedulers in live searches, on a network of tiny layers."""
import math
import os
import re
import subprocess
import sys
import unittest

from harness import PROGRAM, ROOT, ProgramTest, load_benchmark
from limited import LimitedTest

SCRIPT = ROOT / "experiments/bench/live_schedulers.py"
SHIPPED = ROOT / "experiments/studies/dynatune/live.toml"
STUDY = """
name = "small"
networks = ["tiny.net"]
seconds = 1
seeds = 2
agent = "random"
measure = "analytical"
baseline = "gradient"
[schedulers]
"gradient" = "gradient"
"in turn" = "round_robin"
"round_robin" = "dynatune(slot=trials(n=16),fit=least_squares)"
"""


class LiveSchedulersTest(ProgramTest):
    def call(self, *words):
        return subprocess.run(
            [sys.executable, SCRIPT, *words, "-o", "out"], capture_output=True, text=True,
            cwd=self.folder, env={**os.environ, "SCHEDULEGYM_PROGRAM": str(PROGRAM)}, check=False)

    def test_each_scheduler_has_a_row(self):
        self.write("tiny.net", "3 matmul(m=4,n=4,k=4)\n1 softmax(n=4,m=4)\n")
        self.write("study.toml", STUDY)
        done = self.call("study.toml")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("2 searches of 1 s, each by random; speeds of `analytical`.", done.stdout)
        rows = [[cell.strip() for cell in line.strip("|").split("|")]
                for line in done.stdout.splitlines() if line.startswith("|")]
        self.assertEqual([row[0] for row in rows[2:]], ["gradient", "in turn", "round_robin"])
        self.assertEqual(rows[2][1], "0.0000 [0.0000, 0.0000]")
        for row in rows[2:]:
            self.assertTrue(re.match(r"^\d\.\d{3} \[", row[4]), row)
        files = {file: file.stat().st_mtime_ns for file in (self.folder / "out").glob("*.json")}
        self.assertEqual(len(files), 6)
        self.assertEqual(self.call("study.toml").stdout, done.stdout)
        self.assertEqual({file: file.stat().st_mtime_ns for file in files}, files, "nothing anew")

    def test_the_one_that_comes_along_runs(self):
        done = self.call(SHIPPED, "--smoke")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(list((self.folder / "out").glob("*.json"))), 3)

    def test_bad_input_is_one_line(self):
        for text, expected in [("name = 3 3", "study.toml"),
                               (STUDY.replace("seeds", "seed"), "found no 'seeds'"),
                               (STUDY.replace("agent =", "agents = 1\nagent ="), "found 'agents'"),
                               (STUDY.replace('= "gradient"\n[', '= "none"\n['), "baseline")]:
            with self.subTest(expected):
                self.write("study.toml", text)
                done = self.call("study.toml")
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn(expected, done.stderr)
                self.assertEqual(len(done.stderr.splitlines()), 1)


class MeasuresTest(LimitedTest):
    script = load_benchmark("live_schedulers")

    def test_the_area_is_the_mean_of_the_logarithm(self):
        course = [[1, math.exp(3)], [2, math.exp(2)], [4, math.exp(1)]]
        self.assertAlmostEqual(self.script.area(course, 1, 5), (3 * 1 + 2 * 2 + 1 * 1) / 4)
        self.assertAlmostEqual(self.script.area(course, 3, 5), (2 + 1) / 2)

    def test_the_course_begins_when_each_task_has_a_time(self):
        def trial(task, best, elapsed):
            return {"event": "trial", "task": task, "best_seconds": best, "elapsed": elapsed}
        events = [{"event": "start", "task": "1", "workload": "a"},
                  {"event": "start", "task": "2", "workload": "b"},
                  trial("1", None, 1), trial("1", 2, 2), trial("2", 5, 3), trial("1", 2, 4),
                  trial("1", 1, 5)]
        course = self.script.course_of(events, {"a": 3, "b": 1})
        self.assertEqual(course, [[3, 11], [5, 8]])
        self.assertEqual([self.script.seconds_to(course, 9), self.script.seconds_to(course, 7)],
                         [5, None])


if __name__ == "__main__":
    unittest.main()
