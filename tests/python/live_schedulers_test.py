"""The script that compares task schedulers in live searches, on a network of tiny layers."""
import contextlib
import io
import math
import os
import pathlib
import re
import subprocess
import sys
import unittest
from unittest import mock

from harness import PROGRAM, ROOT, ProgramTest, load_benchmark

SCRIPT = ROOT / "experiments/bench/live_schedulers.py"
STUDIES = ROOT / "experiments/studies/dynatune"
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
    def call(self, *words, folder="out"):
        return subprocess.run(
            [sys.executable, SCRIPT, *words, "-o", folder], capture_output=True, text=True,
            cwd=self.folder, env={**os.environ, "SCHEDULEGYM_PROGRAM": str(PROGRAM)}, check=False)

    def test_each_scheduler_has_a_row(self):
        self.write("tiny.net", "3 matmul(m=4,n=4,k=4)\n1 softmax(n=4,m=4)\n")
        self.write("study.toml", STUDY)
        done = self.call("study.toml")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("2 pairs of network and seed, 3 searches of 1 seconds each, by random; speeds "
                      "of `analytical`.", done.stdout)
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

    def test_those_that_come_along_run(self):
        for name in ("live", "first_look", "subgraphs"):
            with self.subTest(name):
                done = self.call(STUDIES / f"{name}.toml", "--smoke", folder=name)
                if done.returncode == 3 and "libtorch-dev" in done.stderr:
                    self.skipTest(done.stderr.strip())
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(len(list((self.folder / name).glob("*.json"))), 3)

    def test_its_space_and_target_are_searched(self):
        script = load_benchmark("live_schedulers")
        path = self.write("study.toml", 'space = "ansor"\ntarget = "llvm(cores=1)"\n' + STUDY)
        words = script.words_of(script.read_study(path, smoke=False), "tiny.net", 0, "gradient")
        for choice, value in (("measure", "analytical"), ("space", "ansor"), ("target", "llvm(cores=1)")):
            self.assertEqual(words[words.index(f"--{choice}") + 1], value)

    def test_what_is_not_judged_by_the_estimate_may_see_it(self):
        script = load_benchmark("live_schedulers")
        path = self.write("study.toml", STUDY.replace("random", "harl").replace("analytical", "host"))
        self.assertEqual(script.read_study(path, smoke=False)["agent"], "harl")

    def test_trials_may_stand_for_time(self):
        self.write("tiny.net", "3 matmul(m=4,n=4,k=4)\n1 softmax(n=4,m=4)\n")
        self.write("study.toml", STUDY.replace("seconds = 1", "trials = 64"))
        first, again = self.call("study.toml"), self.call("study.toml", folder="again")
        self.assertIn("3 searches of 64 trials each", first.stdout)
        def rows(text):  # without what choosing took, which is of the clock
            return [line.split("|")[:-2] for line in text.splitlines() if line.startswith("|")]
        self.assertEqual(rows(first.stdout), rows(again.stdout))

    def test_bad_input_is_one_line(self):
        for text, expected in [("name = 3 3", "study.toml"),
                               (STUDY.replace("seeds", "seed"), "found no 'seeds'"),
                               (STUDY.replace("seconds", "trials = 9\nseconds"), "seconds and trials"),
                               (STUDY.replace("agent =", "agents = 1\nagent ="), "found 'agents'"),
                               (STUDY.replace('= "gradient"\n[', '= "none"\n['), "baseline"),
                               (STUDY.replace("random", "harl(features=ansor)"),
                                "expected harl(features=ansor, estimate_first=false)"),
                               (STUDY.replace("random", "harl("), "expected a spec")]:
            with self.subTest(expected):
                self.write("study.toml", text)
                done = self.call("study.toml")
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn(expected, done.stderr)
                self.assertEqual(len(done.stderr.splitlines()), 1)


class MeasuresTest(unittest.TestCase):
    script = load_benchmark("live_schedulers")

    def make(self, latency, end, elapsed=10):
        return {"course": [[1, 8], [4, latency]], "network": {"latency": end, "elapsed": elapsed},
                "scheduler": {"seconds": 1}}

    def test_what_was_never_reached_is_counted(self):
        study = {"seconds": 10, "baseline": "a"}
        told = self.script.problem_of(study, {"a": self.make(4, 4.4), "linear": self.make(2, 2.2)})
        self.assertEqual(told["a"]["unreached"], ["to_95", "to_98", "linear"])
        self.assertEqual([told["a"]["to_95"], told["linear"]["to_95"]], [1, 0.4])
        self.assertAlmostEqual(told["a"]["linear"], math.log(4 / 10))
        self.assertAlmostEqual(told["a"]["end"], 2)  # by finalists that were timed again
        self.assertNotIn("unreached", told["linear"])
        problems = {("net", 0): told, ("net", 1): told}
        self.assertEqual(self.script.cell_of(problems, "a", "to_95", 1), "1.0 [1.0, 1.0], 2 unreached")

    def test_intervals_draw_on_the_seeds_of_each_network(self):
        # Networks differ, seeds hardly: Student's t of two degrees for each, by hand.
        values = {("a", 0): 1.0, ("a", 1): 1.2, ("b", 0): 3.0, ("b", 1): 3.2}
        problems = {pair: {"x": {"end": value}} for pair, value in values.items()}
        # error: root of (0.02 / 2 / 4) * 2; t at 97.5 % of two degrees of freedom: 4.3027
        half = 4.3027 * math.sqrt(0.005)
        self.assertEqual(self.script.cell_of(problems, "x", "end"),
                         f"2.100 [{2.1 - half:.3f}, {2.1 + half:.3f}]")
        del problems["a", 1]
        self.assertEqual(self.script.cell_of(problems, "x", "end"), "2.050")  # nothing is known of it

    def test_a_network_of_one_task_is_refused(self):
        events = '{"event": "start", "task": "1", "workload": "a"}\n'
        done = subprocess.CompletedProcess([], 0, stdout=events)
        with mock.patch.object(self.script.subprocess, "run", return_value=done), \
                mock.patch.object(pathlib.Path, "read_text", return_value=""), \
                contextlib.redirect_stderr(io.StringIO()) as said, \
                self.assertRaises(SystemExit) as ended:
            self.script.search(["tune", "one.net"], "seconds")
        self.assertEqual(ended.exception.code, 2)
        self.assertEqual(said.getvalue(), "error: one.net: found one task, expected a network of "
                                          "several\n")

    def test_the_area_is_the_mean_of_the_logarithm(self):
        course = [[1, math.exp(3)], [2, math.exp(2)], [4, math.exp(1)]]
        self.assertAlmostEqual(self.script.area(course, 1, 5), (3 * 1 + 2 * 2 + 1 * 1) / 4)
        self.assertAlmostEqual(self.script.area(course, 3, 5), (2 + 1) / 2)

    def test_the_course_begins_when_each_task_has_a_time(self):
        def trial(task, best, elapsed):
            return {"event": "trial", "task": task, "best_seconds": best, "elapsed": elapsed}
        events = [{"event": "start", "task": "1", "workload": "a"},
                  {"event": "start", "task": "2", "workload": "b"},
                  trial("1", None, 10), trial("1", 2, 20), trial("2", 5, 30), trial("1", 2, 40),
                  trial("1", 1, 50)]
        course = self.script.course_of(events, {"a": 3, "b": 1}, "seconds")
        self.assertEqual(course, [[30, 11], [50, 8]])
        self.assertEqual(self.script.course_of(events, {"a": 3, "b": 1}, "trials"), [[3, 11], [5, 8]])
        self.assertEqual([self.script.seconds_to(course, 9), self.script.seconds_to(course, 7)],
                         [50, None])


if __name__ == "__main__":
    unittest.main()
