"""A disk that is full at any write of a command: it is told, and what was acknowledged is whole."""
import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import unittest
from unittest import mock

import pytest

from command_places import BOARD, BRIEF, FACTORS, SMALL, STORED, STUDY, TARGET
from harness import PROGRAM, ROOT, ProgramTest, schedulegym

SEARCH = ("tune", SMALL, *TARGET, "--measure", "analytical", "--space", "ansor", "--trials", "8")
RANDOM = (*SEARCH, "--agent", "random")
# Measured programs, few of them.
SAMPLE = ("--data", str(ROOT / "experiments/data/sample.points.gz"), "--split", "valid", "--space", "ansor")

COLLECTION = ("tune", SMALL, "softmax(n=8,m=16)", *TARGET, "--measure", "analytical", "--space", "ansor",
              "--trials", "64", "--agent", "collect(agent=ansor(population=32,generations=1))",
              "--scheduler", "round_robin", "--store", "new.db", "--json")

# What writes: the store, an output, or both. `place` holds "old" before.
COMMANDS = {
    "tune": (*RANDOM, "--store", "new.db", "--json"),
    "tune, all outputs": (*SEARCH, "--agent", "mcts(tree=place,iterations=16)", "--json", "--curves-out",
                          "a.curves", "--picture", "a.svg", "--trace-out", "a.trace", "--save-model",
                          "a.model", *STORED),
    "tune, checkpoint": (*SEARCH, "--agent", "harl(checkpoint=a.checkpoint,visits=64)", "--json", "--store",
                         "new.db"),
    "show-tree": ("show-tree", "a.tree", "-o", "place"),
    "records export": ("records", "export", "-o", "place"),
    "records best": ("records", "best", "-o", "place"),
    "records import": ("records", "import", "all.jsonl", "--store", "new.db"),
    "simulate": ("simulate", "--schedulers", "gradient", "--curves", "b.curves", "--picture", "place"),
    "table": ("table", SMALL, *TARGET, "--kind", "construct", "--points", "2", *BRIEF, "--store", "new.db",
              "-o", "place"),
    "export": ("export", SMALL, "--reference", "-o", "kernel"),
    "records pack": ("records", "pack", SAMPLE[1], "--tasks", "2", "-o", "place"),
    "train": ("train", "boosted(rounds=2)", *SAMPLE, "-o", "place"),
    "evaluate": ("evaluate", "analytical", *SAMPLE, "-o", "place"),
    "repeat": ("repeat", "measured.db", *TARGET, *BRIEF, "--store", "new.db", "-o", "place"),
    "bench": ("bench", SMALL, *TARGET, "--peers", "", "--trials", "1", "--processes", "1", *BRIEF, "--store",
              "new.db"),
    "study": ("study", "mine.toml", "-o", "mine"),
    "ablate": ("ablate", "factors.toml", "-o", "mine"),
    "report": ("report", "schedulegym.db", "-o", "place"),
    "leaderboard run": ("leaderboard", "run", "board.toml", "-o", "mine"),
    "leaderboard report": ("leaderboard", "report", "board", "-o", "place"),
    "leaderboard submit": ("leaderboard", "submit", "entry", "--board", "board.toml", "-o", "place"),
}
# In them only what is written is checked, and they take seconds each.
SLOW = {"study", "ablate", "report", "leaderboard run", "leaderboard report", "leaderboard submit"}
# These write nothing but what they print, which prints_test.py tries.
PRINT = {"show", "list", "replay", "conformance", "doctor", "records stats", "records check", "leaderboard verify"}
# Of a busy machine's noise nothing may be left to write.
MEASURED = {"table": "no point succeeded", "repeat": "no program"}


class ListedTest(ProgramTest):
    """Which commands there are the program itself says."""

    def test_every_command_is_tried(self):
        text = self.succeed("--help")
        found = set(re.findall(r"(?m)^  ([a-z][a-z-]+) ", text[text.index("commands:"):]))
        for command, word in (("records", "WHAT"), ("leaderboard", "ACTION")):
            line = re.search(rf"  {word} TEXT REQUIRED +(.*)", self.succeed(command, "--help"))[1]
            actions = re.findall(r"(?:^|; )([a-z]+)\b", line) if command == "records" else \
                re.findall(r"[a-z]+", line.replace(" or ", ", "))
            found = found - {command} | {f"{command} {action}" for action in actions}
        self.assertEqual({name.partition(",")[0] for name in COMMANDS} | PRINT, found)


class CollectionTest(ProgramTest):
    def test_a_collection_ends_with_what_it_has(self):
        """Where the store may not grow; with room the same command goes on."""
        most = 512 * 1024
        result = subprocess.run(
            [PROGRAM, *COLLECTION], cwd=self.folder, capture_output=True, text=True, timeout=300,
            check=False, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most)))
        self.assertEqual(result.returncode, 2, result.stderr)
        errors = [line for line in result.stderr.splitlines() if line.startswith("error: ")]
        self.assertEqual(len(errors), 1, result.stderr)
        self.assertIn("all that was acknowledged before is kept", errors[0])
        told = self.told(result)
        self.assertTrue(0 < len(told) < 64, len(told))
        self.succeed("records", "check", "--store", "new.db")
        self.assertLessEqual(told, self.kept())
        again = self.run_program(*COLLECTION)
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertEqual(self.kept() & told, told)
        self.assertLessEqual(self.told(again), self.kept() - told)

    def told(self, result):
        """Ids of the records that were acknowledged."""
        events = [json.loads(line) for line in result.stdout.splitlines()]
        return {event["record"] for event in events if event["event"] == "trial"}

    def kept(self):
        """Those of the store."""
        self.succeed("records", "export", "-o", "all.jsonl", "--store", "new.db", "--quiet")
        lines = (self.folder / "all.jsonl").read_text().splitlines()
        return {json.loads(line).get("record") for line in lines}


class FullDiskTest(ProgramTest):
    sizes = (0, 8, 24, 64)  # KiB, beside what is there

    def setUp(self):
        super().setUp()
        self.before = self.folder / "before"
        self.before.mkdir()
        self.write("before/place", "old")
        self.write("before/mine.toml", STUDY)
        self.write("before/factors.toml", FACTORS)
        self.write("before/board.toml", BOARD)
        self.succeed("tune", SMALL, *TARGET, "--agent", "random", "--space", "ansor", "--trials", "4", "--finalists",
                     "0", *BRIEF, "--store", "before/measured.db", "--quiet")
        if schedulegym is not None:
            state = mock.patch.dict(os.environ, XDG_STATE_HOME=str(self.folder / "state"),
                                    SCHEDULEGYM_PYTHON=sys.executable)
            state.start()
            self.addCleanup(state.stop)
            climber = pathlib.Path(schedulegym.__file__).parent / "leaderboard/examples/climber"
            shutil.copytree(climber, self.before / "entry", ignore=shutil.ignore_patterns("__pycache__"))
            self.succeed("leaderboard", "run", "before/board.toml", "-o", "before/board", "--quiet")
        for words in ((*RANDOM, "--quiet", "--curves-out", "before/b.curves", *STORED),
                      (*SEARCH, "--agent", "mcts(tree=before/a.tree,iterations=16)", "--quiet"),
                      ("records", "export", "-o", "before/all.jsonl", "--quiet")):
            self.succeed(*words)
        shutil.move(self.folder / "schedulegym.db", self.before)
        page = 4096
        files = (file for file in self.before.rglob("*") if file.is_file())
        self.used = sum(-(-file.stat().st_size // page) * page for file in files)

    def records(self, store):
        """What it holds, by its export; nothing of none."""
        if not store.exists():
            return set()
        self.succeed("records", "check", "--store", store)
        lines = self.folder / "exported.jsonl"
        self.succeed("records", "export", "-o", lines, "--store", store, "--quiet")
        return {json.loads(line).get("record") for line in lines.read_text().splitlines()}

    def check(self, name, result, place):
        """After a call: nothing is lost in silence."""
        errors = [line for line in result.stderr.splitlines() if line.startswith("error: ")]
        if result.returncode == 3 and "no llvm backend" in result.stderr:
            return
        if result.returncode == 0:
            self.assertEqual(errors, [])
        else:
            self.assertIn(result.returncode, (1, 2, 3), result.stderr)
            # A busy machine may make a table's few points noise, which is told otherwise.
            is_noise = name in MEASURED and MEASURED[name] in result.stderr
            self.assertTrue(errors or is_noise, result.stderr)
            self.assertNotIn("Traceback", result.stderr)
        if "--json" in COMMANDS[name]:
            events = [json.loads(line) for line in result.stdout.splitlines()]
            told = {event["record"] for event in events if event["event"] == "trial"}
            store = "new.db" if "new.db" in COMMANDS[name] else "schedulegym.db"
            self.assertLessEqual(told, self.records(place / store))
        known = self.records(place / "schedulegym.db")
        self.assertLessEqual(self.records(self.before / "schedulegym.db"), known)
        content = (place / "place").read_bytes()
        if result.returncode != 0 and not name.startswith("tune"):
            self.assertEqual(content, b"old")
        self.assertTrue(content)
        left = [file.name for file in place.iterdir() if ".tmp" in file.name]
        self.assertEqual(left, [])

    def each(self, test):
        """Calls test(name, words, size) of each command and size; some must be too small."""
        for name, words in COMMANDS.items():
            with self.subTest(name):
                if name in SLOW and schedulegym is None:
                    self.skipTest("this build has no Python package")
                if "checkpoint" in name and self.run_program(*words, "--quiet").returncode == 3:
                    self.skipTest("this build has no LibTorch")
                codes = []
                for size in self.sizes[::4 if name in SLOW and len(self.sizes) > 8 else 1]:
                    codes.append(test(name, words, size))
                    if codes[-4:] == [0, 0, 0, 0]:
                        break  # there is room for all
                self.assertTrue(set(codes) - {0}, "no write was refused")

    def environment(self):
        return {**os.environ, "SCHEDULEGYM_PYTHON": sys.executable}

    def test_files_that_may_not_grow(self):
        """`ulimit -f`, for each file by itself."""
        def limited(name, words, size):
            place = self.folder / "place"
            shutil.copytree(self.before, place)
            most = size * 1024
            result = subprocess.run(
                [PROGRAM, *words], cwd=place, capture_output=True, text=True, timeout=300,
                env=self.environment(), check=False,
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most)))
            try:
                self.check(name, result, place)
            finally:
                shutil.rmtree(place)
            return result.returncode

        self.each(limited)

    def test_a_small_disk(self):
        """A file system of so many KiB, where this user may make one."""
        script = ('mount -t tmpfs -o size="$1" none place && cp -a before/. place/ && cd place || exit 99;'
                  'shift; "$@"; code=$?; cp -a . ../after; exit $code')

        def on_disk(name, words, size):
            (self.folder / "place").mkdir(exist_ok=True)
            (self.folder / "after").mkdir()
            room = self.used + size * 1024
            result = subprocess.run(
                ["unshare", "-m", "sh", "-c", script, "sh", str(room), PROGRAM, *words],
                cwd=self.folder, capture_output=True, text=True, timeout=300,
                env=self.environment(), check=False)
            if result.returncode == 99 or "unshare" in result.stderr:
                self.skipTest("no file systems may be mounted: " + result.stderr.strip())
            try:
                self.check(name, result, self.folder / "after")
            finally:
                shutil.rmtree(self.folder / "after")
            return result.returncode

        self.each(on_disk)


@pytest.mark.timeout(1800)  # a thousand calls
class EachWriteTest(FullDiskTest):
    """In steps of a page, of what takes seconds four pages, until there is room for all."""

    sizes = tuple(range(0, 512, 4))


if __name__ == "__main__":
    unittest.main()
