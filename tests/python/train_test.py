"""The command `train`: a policy that learns before any search."""
import importlib.util
import os
import signal
import subprocess
import sys
import unittest

from harness import PROGRAM, ProgramTest

# In place of tensorboard's, a line a scalar.
RECORDING_WRITER = '''import json
class Writer:
    def __init__(self, folder):
        self.file = open(folder + "/scalars", "a")
    def add_scalar(self, name, value, step):
        self.file.write(json.dumps([name, value, step]) + "\\n")
    def flush(self):
        self.file.flush()
    close = flush
'''
SMALL = "harl(visits=100,stop_every=2,stop_least=5,hidden=8)"
IN_ANSOR = ("--workloads", "matmul(m=64,n=64,k=64),matmul(m=16,n=128,k=32)", "--space", "ansor")


class TrainTest(ProgramTest):
    """Without LibTorch only what that says, and what is refused before."""

    def train(self, *words):
        result = self.run_program("train", SMALL, *IN_ANSOR, *words)
        if result.returncode == 3 and "libtorch-dev" in result.stderr:
            self.assertEqual(len(result.stderr.splitlines()), 1)
            self.skipTest(result.stderr.strip())
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def test_equal_trainings_leave_equal_files_and_tell_how_they_went(self):
        for name in ("one.sgp", "two.sgp"):
            events = self.parse(self.train("--rounds", "3", "--seed", "5", "--json", "-o", name))
            self.assertEqual([event["event"] for event in events], ["round"] * 3 + ["done"])
            self.assertEqual((events[3]["rounds"], events[3]["visits"]), (3, 300))
            for event in events[:3]:
                self.assertRegex(event["workload"], r"matmul\(")
                self.assertGreaterEqual(event["best"], 1)
        self.assertEqual((self.folder / "one.sgp").read_bytes(),
                         (self.folder / "two.sgp").read_bytes())

    def python(self, package):
        """The environment with an interpreter for which this is the package tensorboard."""
        site = self.folder / "site"
        site.mkdir()
        if package is not None:
            (site / "tensorboard").mkdir()
            (site / "tensorboard/__init__.py").write_text("")
            (site / "tensorboard/summary.py").write_text(package)
        return {**os.environ, "SCHEDULEGYM_PYTHON": sys.executable, "PYTHONPATH": str(site)}

    def call(self, environment, *words):
        return subprocess.run([PROGRAM, "train", SMALL, *IN_ANSOR, "-o", "x.sgp", *words], cwd=self.folder,
                              env=environment, capture_output=True, text=True, timeout=300)

    def test_without_its_package_tensorboard_is_refused(self):
        if importlib.util.find_spec("tensorboard") is not None:
            self.skipTest("it is installed")
        result = self.call(self.python(None), "--tensorboard", "log")
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertEqual(len(result.stderr.splitlines()), 1)
        self.assertIn("missing Python package tensorboard", result.stderr)
        self.assertFalse((self.folder / "log").exists())

    def test_a_folder_of_tensorboard_that_cannot_be_made_is_refused(self):
        environment = self.python("Writer = None\n")
        self.write("file", "")
        result = self.call(environment, "--tensorboard", "file")
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn("--tensorboard: cannot make the folder 'file'", result.stderr)

    def test_tensorboard_gets_the_numbers_of_each_round(self):
        self.train("--rounds", "1", "-o", "first.sgp")  # or there is no LibTorch
        environment = self.python(RECORDING_WRITER)
        result = self.call(environment, "--tensorboard", "log", "--rounds", "2", "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        rounds = [event for event in self.parse(result.stdout) if event["event"] == "round"]
        lines = self.parse((self.folder / "log/scalars").read_text())
        self.assertEqual([line[2] for line in lines], [1] * 4 + [2] * 4)
        for event, some in zip(rounds, (lines[:4], lines[4:])):
            found = {name: value for name, value, _ in some}
            self.assertEqual(found, {"speed/step": event["step"], "speed/best": event["best"],
                                     "policy/entropy": event["entropy"], "policy/visits": 100})

    def test_a_search_begins_with_the_policy(self):
        text = self.train("--rounds", "2", "-o", "policy.sgp")
        self.assertIn("2 rounds, 200 schedules", text)
        self.assertRegex(text, r"rounds +a step +the best")
        agent = SMALL.replace(")", ",policy=policy.sgp)")
        words = ("tune", "matmul(m=32,n=32,k=32)", "--measure", "analytical", "--trials", "8",
                 "--agent", agent)
        self.succeed(*words, "--space", "ansor")
        self.assertIn("policy 'policy.sgp': ", self.refused(2, *words, "--space", "schedulegym"))

    def test_an_interrupt_leaves_what_was_learned_so_far(self):
        self.train("--rounds", "1", "-o", "first.sgp")  # or there is no LibTorch
        with subprocess.Popen([PROGRAM, "train", SMALL, *IN_ANSOR, "--seed", "5", "--json", "-o",
                               "cut.sgp"], cwd=self.folder, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, start_new_session=True) as process:
            lines = [process.stdout.readline() for _ in range(2)]
            os.killpg(process.pid, signal.SIGINT)  # as a terminal does
            rest = process.stdout.read()
        self.assertEqual(process.returncode, 130)
        events = self.parse("".join(lines) + rest)
        self.assertEqual(events[-1]["event"], "done")
        rounds = events[-1]["rounds"]
        self.assertEqual(rounds, sum(event["event"] == "round" for event in events))
        self.train("--rounds", rounds, "--seed", "5", "-o", "whole.sgp")
        self.assertEqual((self.folder / "cut.sgp").read_bytes(),
                         (self.folder / "whole.sgp").read_bytes())
        agent = SMALL.replace(")", ",policy=cut.sgp)")
        self.succeed("train", agent, *IN_ANSOR, "--rounds", "1", "-o", "more.sgp")

    def test_a_tree_search_goes_by_the_policy(self):
        self.train("--rounds", "1", "-o", "policy.sgp")
        words = ("tune", "matmul(m=32,n=32,k=32)", "--measure", "analytical", "--trials", "8",
                 "--space", "ansor", "--agent")
        agent = "mcts(form=puct,actions=modify,iterations=64,prior=policy(file={},hidden={}))"
        self.succeed(*words, agent.format("policy.sgp", 8))
        self.assertIn("policy 'policy.sgp': ", self.refused(2, *words, agent.format("policy.sgp", 9)))
        self.assertIn("nothing.sgp", self.refused(2, *words, agent.format("nothing.sgp", 8)))

    def test_what_is_wrong_is_one_line_and_leaves_nothing(self):
        for expected, words in {
                "unknown agent that can be trained 'ansor'": ("ansor", "-o", "x.sgp"),
                "window": ("harl(window=0)", "-o", "x.sgp"),
                "unknown workload": (SMALL, "--workloads", "nothing(n=4)", "-o", "x.sgp"),
                "unknown space": (SMALL, "--space", "nothing", "-o", "x.sgp"),
                "--rounds": (SMALL, "--rounds", "0", "-o", "x.sgp"),
                "--seconds": (SMALL, "--seconds", "-1", "-o", "x.sgp"),
                "nowhere": (SMALL, "-o", "nowhere/x.sgp")}.items():
            with self.subTest(expected):
                self.assertIn(expected, self.refused(2, "train", *words))


if __name__ == "__main__":
    unittest.main()
