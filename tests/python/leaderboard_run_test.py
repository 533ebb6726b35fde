"""Boards as users run them, on tables and the estimate; entries run, packed, verified and forged."""
import csv
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time
import unittest
from unittest import mock

from harness import PackageTest, ProgramTest, need_confinement
from leaderboard_state import own_state

try:
    import schedulegym.leaderboard
    from schedulegym.leaderboard import command
    from schedulegym.leaderboard.command import run_leaderboard
    from schedulegym.studies.tune_runner import TuneRunner
except ImportError as fault:
    raise unittest.SkipTest(f"no leaderboard: {fault}") from None

TABLES = """board = 1
name = "small"
edition = "1"
track = "table"
cases = ["conv2d"]
trials = 12
seeds = 3
[held_out]
count = 1
tables = ["matmul"]
[entries]
hill = "hill"
droplet = {agent = "droplet", seeds = 2}
"""
# Of an entry each seed starts a process.
ENTRY = TABLES.replace("seeds = 3", "seeds = 2").replace(
    'droplet = {agent = "droplet", seeds = 2}\n', "")
MODEL = """board = 1
name = "model"
edition = "1"
track = "model"
cases = ["matmul(m=64,n=64,k=64)"]
trials = 8
seeds = 2
[held_out]
count = 1
shapes.softmax = {n = [16, 32], m = [16, 32]}
[entries]
hill = "hill"
"""
CLIMBER = pathlib.Path(schedulegym.leaderboard.__file__).parent / "examples/climber"


class LeaderboardTest(PackageTest):
    def setUp(self):
        """Runs are made by one process, for each takes longer to start than they do."""
        super().setUp()
        alone = mock.patch.object(command, "cores", lambda: 1)
        alone.start()
        self.addCleanup(alone.stop)
        own_state(self)
        (self.folder / "small.toml").write_text(TABLES)
        (self.folder / "model.toml").write_text(MODEL)
        shutil.copytree(CLIMBER, self.folder / "mine", ignore=shutil.ignore_patterns("__pycache__"))

    def call(self, *words):
        self.assertEqual(run_leaderboard([*words, "--quiet"], TuneRunner()), 0)

    def told(self, out="out"):
        return json.loads((self.folder / out / "results.json").read_text())

    def files(self, out):
        """All but wall times, and what a kill left half-written under another name; the page but for
        the command, which names the folder."""
        place = self.folder / out
        return {str(path.relative_to(place)): path.read_bytes().replace(
            f"-o {out}".encode(), b"-o OUT") for path in sorted(place.rglob("*"))
            if path.is_file() and "timing" not in str(path) and "lock" not in path.name
            and ".tmp-" not in path.name}


class RunTest(LeaderboardTest):
    def test_the_same_board_gives_the_same_files(self):
        for board in ("small.toml", "model.toml"):
            for out, number in ((f"{board}-a", 1), (f"{board}-b", 2)):  # processes
                with mock.patch.object(command, "cores", lambda number=number: number):
                    self.call("run", board, "-o", out, "--held-out", "3")
            first, second = (self.files(f"{board}-{one}") for one in "ab")
            self.assertEqual(first.keys(), second.keys())
            for name, content in first.items():
                self.assertEqual(content.replace(f"{board}-a".encode(), b"X"),
                                 second[name].replace(f"{board}-b".encode(), b"X"), name)

    def test_what_is_told(self):
        self.call("run", "small.toml", "-o", "out", "--held-out", "3")
        told = self.told()
        self.assertIsNone(told["ranked_on"])  # one case is held out
        self.assertEqual({name: case["held_out"] for name, case in told["cases"].items()},
                         {"conv2d": False, "matmul": True})
        droplet = told["entries"]["droplet"]
        self.assertEqual(droplet["runs"], {"planned": 4, "made": 4})
        for one in told["entries"].values():
            self.assertIsNone(one["rank"])
            self.assertIsNotNone(one["scores"]["ranked"]["by_seconds"])
            self.assertIsNone(one["final_over_vendor"])  # nobody measured one
        rows = (self.folder / "out/results.csv").read_text().splitlines()
        self.assertEqual(len(rows), 1 + 2 * (3 + 3 + 2))
        self.assertTrue((self.folder / "out/timing.json").exists())

    def test_on_the_estimate_there_are_no_seconds(self):
        self.call("run", "model.toml", "-o", "out")
        told = self.told()
        scores = told["entries"]["hill"]["scores"]["public"]
        self.assertIsNotNone(scores["by_trials"])
        self.assertIsNone(scores["by_seconds"])

    def test_shards_merge(self):
        self.call("run", "small.toml", "-o", "whole")
        for number in ("1", "2"):
            self.call("run", "small.toml", "-o", f"shard{number}", "--shard", f"{number}/2")
        counts = [len(list((self.folder / f"shard{number}/runs").iterdir())) for number in "12"]
        self.assertEqual(sum(counts), 8)
        self.assertGreater(min(counts), 0)
        for _ in range(2):
            self.call("run", "small.toml", "-o", "merged", "--merge", "shard1", "--merge", "shard2",
                      "--seconds", "0.000001")
            self.assertEqual((self.folder / "merged/results.json").read_bytes(),
                             (self.folder / "whole/results.json").read_bytes())

    def test_the_page_again(self):
        self.call("run", "small.toml", "-o", "out", "--held-out", "3")
        before = self.told()
        self.call("report", "out", "-o", "again.html")
        self.assertEqual(self.told(), before)
        self.assertIn("held out", (self.folder / "again.html").read_text())

    def test_entries_may_join(self):
        need_confinement(self)
        self.call("run", "small.toml", "-o", "out")
        before = self.told()["entries"]["hill"]["by_case"]
        self.call("run", "small.toml", "-o", "out", "--entry", "mine")
        told = self.told()
        self.assertEqual(told["entries"]["hill"]["by_case"], before)
        self.assertEqual(told["entries"]["climber"]["runs"], {"planned": 3, "made": 3})

    def test_bad_input_begins_nothing(self):
        need_confinement(self)
        (self.folder / "mine/climber.py").write_text("class Other: pass\n")
        for words, message in [
                (("run", "smal", "-o", "out"), "unknown board 'smal'"),
                (("run", "small.toml", "-o", "out", "--shard", "3/2"), "K/N"),
                (("run", "small.toml", "-o", "out", "--seconds", "0"), "--seconds"),
                (("run", "small.toml", "-o", "out", "--entry", "nowhere"), "folder of an entry"),
                (("run", "small.toml", "-o", "out", "--entry", "mine"), "Climber"),
                (("run", "small.toml"), "required"), (("rum",), "did you mean 'run'"),
                (("report", "nowhere", "-o", "a.html"), "expected the folder of a study")]:
            with self.subTest(words), self.assertRaisesRegex(ValueError, message):
                run_leaderboard(list(words), TuneRunner())
            self.assertFalse((self.folder / "out").exists())


class IohTest(LeaderboardTest):
    def test_every_better_trial_is_a_line(self):
        self.call("run", "small.toml", "-o", "out")
        info = json.loads((self.folder / "out/ioh/hill/IOHprofile_f1_conv2d.json").read_text())
        self.assertEqual((info["algorithm"]["name"], info["maximization"]), ("hill", True))
        runs = info["scenarios"][0]["runs"]
        self.assertEqual([run["instance"] for run in runs], [1, 2, 3])
        text = (self.folder / "out/ioh/hill" / info["scenarios"][0]["path"]).read_text()
        blocks = [block.split("\n") for block in text.split("evaluations raw_y\n")[1:]]
        self.assertEqual(len(blocks), 3)
        for run, block in zip(runs, blocks):
            rows = [tuple(map(float, line.split())) for line in block if line]
            self.assertEqual(rows, sorted(rows))
            self.assertEqual(rows[-1][0], run["best"]["evals"])
            self.assertAlmostEqual(rows[-1][1], run["best"]["y"])

    def test_iohinspector_reads_it(self):
        try:
            import iohinspector
        except ImportError as fault:
            self.skipTest(f"no iohinspector: {fault}")

        self.call("run", "small.toml", "-o", "out")
        manager = iohinspector.DataManager()
        manager.add_folder(str(self.folder / "out/ioh"))
        read = {(row["algorithm_name"], row["instance"] - 1): (row["evals"], row["best_y"])
                for row in manager.overview.iter_rows(named=True)}
        with open("out/results.csv", encoding="utf-8", newline="") as rows:
            runs = {(row["entry"], int(row["seed"])): row for row in csv.DictReader(rows)}
        self.assertEqual(read.keys(), runs.keys())
        for place, (trials, best) in read.items():
            self.assertEqual(trials, int(runs[place]["trials"]))
            self.assertAlmostEqual(best, float(runs[place]["chosen"]))
        frame = manager.load(monotonic=True, include_meta_data=True)
        best = frame["raw_y"].max()
        told = self.told()["entries"]
        self.assertAlmostEqual(best, max(one["by_case"]["conv2d"]["best"] for one in told.values()))


class NowhereTest(LeaderboardTest):
    """Where an entry's code cannot be confined, nothing begins, whatever the action."""

    def test_without_the_program_that_confines(self):
        need_confinement(self)
        environment = {**os.environ, "SCHEDULEGYM_CONFINED": "/nowhere"}
        for words in (("run", "small.toml", "-o", "out", "--entry", "mine"),
                      ("submit", "mine", "--board", "small.toml", "-o", "mine.zip")):
            result = subprocess.run(
                [sys.executable, "-m", "schedulegym.studies", "leaderboard", *words, "--quiet"],
                cwd=self.folder, env=environment, capture_output=True, text=True, timeout=300)
            self.assertEqual(result.returncode, 3, result.stderr)
            self.assertRegex(result.stderr, r"\Aerror: .*/nowhere.*\n\Z")
            self.assertEqual(result.stdout, "")
            self.assertFalse((self.folder / "out").exists() or (self.folder / "mine.zip").exists())

    def test_boards_without_entries_need_none(self):
        with mock.patch.dict(os.environ, SCHEDULEGYM_CONFINED="/nowhere"):
            self.call("run", "model.toml", "-o", "out")


class KillsTest(LeaderboardTest):
    def count_runs(self, out):
        return len(list((self.folder / out).glob("runs/*")))

    def test_kills_at_any_moment_lose_nothing(self):
        kills = int(os.environ.get("SCHEDULEGYM_KILLS", "2"))  # 50: the flag of the longer test
        self.call("run", "small.toml", "-o", "undisturbed")
        words = [sys.executable, "-m", "schedulegym.studies", "leaderboard", "run", "small.toml",
                 "-o", "killed", "--quiet"]
        for number in range(kills):
            process = subprocess.Popen(words, cwd=self.folder)
            while process.poll() is None and self.count_runs("killed") <= number % 5:
                time.sleep(0.01)
            time.sleep(0.037 * (number % 5))
            process.send_signal(signal.SIGKILL)
            process.wait()
        self.assertEqual(subprocess.run(words, cwd=self.folder, timeout=300).returncode, 0)
        killed, undisturbed = self.files("killed"), self.files("undisturbed")
        self.assertEqual(killed.keys(), undisturbed.keys())
        self.assertEqual([name for name in killed if killed[name] != undisturbed[name]], [])


class ProgramBoardTest(ProgramTest):
    def test_the_program_hands_over(self):
        os.environ["SCHEDULEGYM_PYTHON"] = sys.executable
        self.addCleanup(os.environ.pop, "SCHEDULEGYM_PYTHON")
        self.write("model.toml", MODEL)
        events = self.events("leaderboard", "run", "model.toml", "-o", "out", "--quiet")
        self.assertEqual((events[0]["event"], events[-1]["event"], events[-1]["left"]),
                         ("start", "done", 0))
        self.assertIn("unknown action", self.refused(2, "leaderboard", "rum", "model.toml"))


if __name__ == "__main__":
    unittest.main()
