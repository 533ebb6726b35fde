"""Entries that cheat: each is refused, or contained so that it harms nothing but its own runs."""
import json
import os
import pathlib
import shutil
import sys
import time
import unittest
from unittest import mock

from harness import PackageTest, need_confinement
from leaderboard_state import own_state

try:
    import schedulegym.leaderboard
    from schedulegym import Tuner
    from schedulegym.leaderboard import command
    from schedulegym.leaderboard.board import read_board
    from schedulegym.leaderboard.command import run_leaderboard
    from schedulegym.leaderboard.contest import contest_of
    from schedulegym.leaderboard.entry import read_entry
    from schedulegym.studies.confined import confinement_of, untimed
    from schedulegym.studies.faults import StudyError
    from schedulegym.studies.recorded import find_table, read_recorded
    from schedulegym.studies.tune_runner import TuneRunner
except ImportError as fault:
    raise unittest.SkipTest(f"no leaderboard: {fault}") from None

BOARD = """board = 1
name = "small"
edition = "1"
track = "table"
cases = ["conv2d"]
trials = 8
seeds = 2
[held_out]
count = 1
tables = ["matmul"]
"""
CLIMBER = pathlib.Path(schedulegym.leaderboard.__file__).parent / "examples/climber"
PROPOSE = "def propose(self, task, count):\n"

# What an entry's agent does when it is asked, and what is then said of its run.
HARMFUL = {
    "stores": ("open(%(table)r).read()", "PermissionError"),
    "peeks": ("open(%(folder)r + '/honest/climber.py').read()", "PermissionError"),
    "eats": ("self.more = [bytearray(1 << 30) for _ in range(64)]", "MemoryError"),
    "swarms": ("import threading, time\n        for _ in range(400):\n"
               "            threading.Thread(target=time.sleep, args=(99,), daemon=True).start()\n"
               "        time.sleep(99)", "takes too much: threads"),
    "forks": ("import os; os.fork()", "PermissionError"),
    "calls": ("import socket; socket.create_connection(('127.0.0.1', 9))", "PermissionError"),
    "writes": ("open(%(folder)r + '/left', 'w').write('here')", "PermissionError"),
    "crashes": ("import ctypes; ctypes.string_at(0)", "ended: SIGSEGV"),
    "kills": ("import os, signal; os.kill(os.getppid(), signal.SIGKILL)", "PermissionError"),
}


class CheatTest(PackageTest):
    def setUp(self):
        """Runs are made by one process, for each takes longer to start than they do."""
        super().setUp()
        alone = mock.patch.object(command, "cores", lambda: 1)
        alone.start()
        self.addCleanup(alone.stop)
        need_confinement(self)
        own_state(self)
        (self.folder / "small.toml").write_text(BOARD)

    def entry(self, name, lines="pass", **changes):
        """The example, under a name, with something that it does first when it is asked."""
        place = self.folder / name
        shutil.copytree(CLIMBER, place, ignore=shutil.ignore_patterns("__pycache__"))
        toml, code = place / "entry.toml", place / "climber.py"
        toml.write_text(toml.read_text().replace('"climber"', f'"{name}"', 1))
        code.write_text(code.read_text().replace(PROPOSE, f"{PROPOSE}        {lines}\n"))
        for old, new in changes.items():
            code.write_text(code.read_text().replace(old, new))
        return name

    def call(self, *words, **options):
        self.assertEqual(run_leaderboard([*words, "--quiet"], TuneRunner(**options)), 0)

    def run_with(self, *entries, words=(), **options):
        """What is told of a board with them on it."""
        given = [word for name in entries for word in ("--entry", name)]
        self.call("run", "small.toml", "-o", "out", *given, *words, **options)
        return json.loads((self.folder / "out/results.json").read_text())["entries"]


class HarmTest(CheatTest):
    def test_each_loses_its_runs_and_nothing_else(self):
        table = find_table("conv2d", self.folder)
        self.entry("honest")
        alone = self.run_with("honest")["honest"]
        for name, (lines, _) in HARMFUL.items():
            self.entry(name, lines % {"table": str(table), "folder": str(self.folder)})
        told = self.run_with("honest", *HARMFUL)
        for name, (_, words) in HARMFUL.items():
            with self.subTest(name):
                lost = told[name]["lost"]
                self.assertEqual([one["seed"] for one in lost], [0, 1])
                self.assertRegex(lost[0]["why"], words)
                self.assertEqual(told[name]["trials"], 0)
                self.assertIsNone(told[name]["by_case"]["conv2d"]["best"])
                self.assertLess(told[name]["scores"]["ranked"]["by_trials"]["value"], 0)
        self.assertEqual(told["honest"]["by_case"], alone["by_case"])
        self.assertEqual(told["honest"]["lost"], [])
        self.assertEqual(told["random"]["runs"], {"planned": 2, "made": 2})
        self.assertFalse((self.folder / "left").exists())
        self.assertIn("ended: SIGSEGV", (self.folder / "out/report.html").read_text())

    def test_one_that_hangs(self):
        self.entry("sleeps", "import time; time.sleep(1000)")
        told = self.run_with("sleeps", answer_seconds=2)
        self.assertEqual([one["why"].partition(" for ")[2] for one in told["sleeps"]["lost"]],
                         ["2.0 seconds"] * 2)
        self.assertEqual(told["random"]["runs"], {"planned": 2, "made": 2})

    def test_loading_is_not_thinking(self):
        """An answer takes less than its limit, the module that gives it takes more to load."""
        self.entry("loads", **{"import schedulegym":
                               "import time\nimport schedulegym\ntime.sleep(2.2)"})
        contest = contest_of(read_board(self.folder / "small.toml"),
                             [read_entry(self.folder / "loads")], None)
        run = next(run for run in contest.runs() if run.arm.name == "loads")
        outcome, timing = TuneRunner(answer_seconds=2).make(run, self.folder / "store")
        self.assertEqual((outcome.lost, len(outcome.speeds)), (None, 8))
        self.assertEqual(set(timing.phases), {"propose", "load"})
        self.assertGreater(timing.phases["load"], 2)
        outcome, _ = TuneRunner(loading_seconds=0.1).make(run, self.folder / "store")
        self.assertEqual(outcome.lost, "the Python agent said nothing for 0.1 seconds")

    def test_the_table_that_it_is_told_of_has_no_answers(self):
        table = find_table("conv2d", self.folder)
        copy = untimed(table, self.folder)
        true, told = read_recorded(table), read_recorded(copy)
        self.assertLessEqual(true.speeds.keys(), told.speeds.keys())
        self.assertEqual(set(told.speeds.values()), {1.0})
        self.assertEqual(set(told.costs), {1.0})
        with self.assertRaisesRegex(StudyError, "found no table"):
            untimed(self.folder / "small.toml", self.folder)

    def test_a_scratch_folder_is_there_and_goes(self):
        self.entry("scribbles", "import os; open(os.environ['HOME'] + '/note', 'w').write('x'); "
                                "print(os.environ['HOME'])")
        told = self.run_with("scribbles")
        self.assertEqual(told["scribbles"]["lost"], [])
        self.assertEqual(told["scribbles"]["trials"], 16)


class UnseenTest(CheatTest):
    def test_an_agent_does_not_read_what_its_hash_leaves_out(self):
        for name in ("records.jsonl", "verified.json", "__pycache__/climber.cpython-311.pyc"):
            entry = f"reads-{name[2]}"
            self.entry(entry, f"open({str(self.folder / entry / name)!r}).read()")
            (self.folder / entry / name).parent.mkdir(exist_ok=True)
            (self.folder / entry / name).write_text("{}")
            told = self.run_with(entry)[entry]["lost"]
            with self.subTest(name):
                self.assertEqual([one["seed"] for one in told], [0, 1])
                self.assertRegex(told[0]["why"], "PermissionError")


class ThinkingTest(CheatTest):
    def test_no_thread_thinks_while_others_are_timed(self):
        """A thread counts on; between two questions it has stood still."""
        os.environ["SCHEDULEGYM_PYTHON"] = sys.executable
        self.addCleanup(os.environ.pop, "SCHEDULEGYM_PYTHON")
        place = self.folder / "counts"
        place.mkdir()
        (place / "counter.py").write_text(COUNTER)
        tuner = Tuner("matmul(m=8,n=8,k=8)", measure="analytical", space="ansor", store=None,
                      agent="python(module=counter,class=Counter)",
                      confinement=confinement_of(place, None))
        tuner.confinement.variables = [f"PYTHONPATH={place}"]
        ticks = []

        def pause(trial):
            time.sleep(0.4)

        with schedulegym.RecordStore() as store:
            tuner.store = store
            tuner.run(trials=4, progress=pause)
            ticks = [int(record.note.partition("=")[2].rstrip(")")) for record in store]
        self.assertEqual(len(ticks), 4)
        # Within 0.4 s it would have counted to some hundreds.
        self.assertLess(max(ticks[1:]), 100, ticks)


COUNTER = """
import threading, time
import schedulegym

class Counter(schedulegym.Agent):
    def __init__(self):
        self.space, self.rng = schedulegym.SearchSpace("ansor"), schedulegym.Rng(1)
        self.count = self.seen = 0
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        while True:
            self.count += 1
            time.sleep(0.001)

    def propose(self, task, count):
        idle = self.count - self.seen
        proposed = [(self.space.sample(task, self.rng), f"idle(ticks={idle})")]
        self.seen = self.count
        return proposed

    def learn(self, records):
        self.seen = self.count
"""


if __name__ == "__main__":
    unittest.main()
