"""The command `train`: a policy that learns before any search."""
import gzip
import importlib.util
import json
import os
import re
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

    def test_no_shape_near_a_test_task_is_drawn(self):
        """Without the rule 1,024 is drawn, too: softmax(n=1,m=1000) is a task of squeezenet."""
        result = self.run_program("train", SMALL, "--workloads", "softmax(n=1,m=1000)", "--rounds", "12",
                                  "-o", "x.sgp", "--json")
        if result.returncode == 3 and "libtorch-dev" in result.stderr:
            self.skipTest(result.stderr.strip())
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("--workloads: found softmax(n=1,m=1000), near softmax(n=1,m=1000) of networks",
                      result.stderr)
        drawn = [int(re.search(r"m=(\d+)", one["workload"])[1])
                 for one in map(json.loads, result.stdout.splitlines()) if one["event"] == "round"]
        self.assertEqual(len(drawn), 12)
        self.assertEqual([size for size in drawn if abs(size - 1000) * 10 <= max(size, 1000)], [])

    def test_the_usual_kinds_are_no_test_tasks(self):
        self.assertNotIn("are tested", self.run_program(
            "train", SMALL, "--rounds", "1", "-o", "x.sgp").stderr)

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


class TrainNetworkTest(ProgramTest):
    """A network that learns from measured programs; without LibTorch what that says."""

    MODEL = "mlp(width=8,epochs=3,batch=64,list=16)"

    def setUp(self):
        super().setUp()
        lengths = [1, 2, 4, 8, 16, 32]
        steps = ["trace 1"] + [f"split(stage=C, loop=0, lengths=[{n}])" for n in lengths]
        tasks, rows = [], []
        for task, m in enumerate((64, 128, 256)):
            dag = f"input A[{m}, 64]\ninput B[64, 64]\nC[i:{m}, j:64] = sum(k:64) A[i, k] * B[k, j]\n"
            tasks.append({"key": f"{task:032x}", "workload": f"matmul(m={m},n=64,k=64)",
                          "dag": dag, "target": "llvm", "split": ""})
            rows += [[task, 0, 1, 1, 2, [0, 1 + place], 1e-3 * m / length, [length / 4] * 3, []]
                     for place, length in enumerate(lengths)]
        head = {"format": "points", "version": 1, "tasks": tasks,
                "words": ["schedulegym", "", "ok"], "steps": steps}
        lines = "".join(json.dumps(line) + "\n" for line in [head, *rows])
        (self.folder / "p.points.gz").write_bytes(gzip.compress(lines.encode()))

    def train(self, *words, model=MODEL):
        result = self.run_program("train", model, "--data", "p.points.gz", "--split", "all", *words)
        if result.returncode == 3 and "libtorch-dev" in result.stderr:
            self.assertEqual(len(result.stderr.splitlines()), 1)
            self.skipTest(result.stderr.strip())
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def test_equal_trainings_leave_equal_files_that_are_searched_and_evaluated_with(self):
        for name in ("one.model", "two.model"):
            events = self.parse(self.train("--json", "-o", name))
            self.assertEqual([event["event"] for event in events], ["epoch"] * 3 + ["done"])
            self.assertEqual(events[3]["epochs"], 3)
        one = (self.folder / "one.model").read_bytes()
        self.assertEqual(one, (self.folder / "two.model").read_bytes())
        self.assertIn("epoch 3: loss", self.train("-o", "three.model", "--seed", "4"))
        self.assertNotEqual(one, (self.folder / "three.model").read_bytes())
        tune = ("tune", "matmul(m=64,n=64,k=64)", "--trials", "8")
        self.succeed(*tune, "--measure", "analytical", "--agent", "ansor(model=one.model)")
        self.succeed(*tune, "--measure", "model(one.model)", "--agent", "random")
        rows = self.events("evaluate", "one.model", "random", "--data", "p.points.gz", "--split", "all")
        pairs = [row["value"] for row in rows if row.get("metric") == "pairs"]
        self.assertTrue(all(0 <= value <= 1 for value in pairs) and len(pairs) >= 2, rows)

    def test_tlp_learns_from_the_traces(self):
        self.assertIn("3 epochs", self.train("-o", "t.model", model=(
            "tlp(width=8,attention_heads=2,epochs=3)")))

    def test_speeds_over_the_reference_become_seconds(self):
        for model, has_seconds in ((self.MODEL, False),
                                   ("recursive(mode=faithful,epochs=2,width=9)", True)):
            self.train("-o", "r.model", model=model)
            rows = self.events("evaluate", "r.model", "--data", "p.points.gz", "--split", "all")
            errors = [row["value"] for row in rows if row.get("metric") == "mape"]
            self.assertEqual(len(errors), int(has_seconds), model)
            self.assertTrue(all(error > 0 for error in errors))

    def test_a_training_goes_on(self):
        self.train("-o", "whole.model")
        self.train("-o", "again.model", "--from", "whole.model")  # over already
        self.assertEqual((self.folder / "whole.model").read_bytes(),
                         (self.folder / "again.model").read_bytes())
        self.assertIn("seed 9", self.refused(
            2, "train", self.MODEL, "--data", "p.points.gz", "--split", "all", "--seed", "9",
            "--from", "whole.model", "-o", "x.model"))

    def test_an_interrupt_keeps_the_weights(self):
        self.train("-o", "first.model")  # or there is no LibTorch
        process = subprocess.Popen(
            [PROGRAM, "train", "mlp(width=8,epochs=100000,patience=100000)", "--data", "p.points.gz",
             "--split", "all", "-o", "cut.model"],
            cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for line in process.stdout:
            if line.startswith("epoch 2:"):
                break
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, errors)
        self.succeed("evaluate", "cut.model", "--data", "p.points.gz", "--split", "all")

    def test_what_is_wrong_is_one_line(self):
        data = ("--data", "p.points.gz", "-o", "x.model")
        for expected, words in {
                "expected --data FILE": ("mlp", "-o", "x.model"),
                "harl": ("harl", *data),
                "--rounds": ("mlp", "--rounds", "3", *data),
                "width=0, expected 1 to 4096": ("mlp(width=0)", *data),
                "found no 'nothing'": ("mlp", "--data", "nothing", "-o", "x.model"),
                "expected them with a network": ("boosted", "--from", "y.model", *data),
        }.items():
            with self.subTest(expected):
                self.assertIn(expected, self.refused(2, "train", *words))
        self.assertIn("expected the file of train mlp",
                      self.refused(2, "evaluate", "mlp", "--data", "p.points.gz"))
        self.assertFalse((self.folder / "x.model").exists())


if __name__ == "__main__":
    unittest.main()
