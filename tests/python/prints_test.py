"""What commands print, and the stores that they read or write: each command is listed."""
import os
import re
import signal
import unittest

from command_places import (BRIEF, RANDOM, SAMPLE, SMALL, STUDY, TARGET, Outputs, curves, measured, searched, tree)
from harness import ROOT, schedulegym


def _prints(test):
    """The words of a call that prints, by command; None where there is none."""
    test.write("mine.toml", STUDY)
    measured(test)
    return {
        "tune": (*RANDOM, "--json"), "train": ("train", "boosted(rounds=2)", *SAMPLE[:-1], "-o", "a.model"),
        "evaluate": ("evaluate", "analytical", *SAMPLE),
        "replay": ("replay", SMALL, *TARGET, "--trace", "empty.trace", *BRIEF),
        "repeat": ("repeat", "measured.db", *TARGET, *BRIEF),
        "show": ("show", SMALL, *TARGET), "show-tree": ("show-tree", "a.tree"),
        "export": ("export", SMALL, "--reference", "-o", "kernel"), "list": ("list", "agents"),
        "records": ("records", "stats"),
        "table": ("table", SMALL, *TARGET, "--kind", "construct", "--points", "2", *BRIEF, "-o", "a.table"),
        "bench": ("bench", SMALL, *TARGET, "--peers", "", "--trials", "1", "--processes", "1", *BRIEF),
        "simulate": ("simulate", "--schedulers", "gradient", "--curves", "a.curves"),
        "study": ("study", "mine.toml", "-o", "mine", "--json"),
        "ablate": ("ablate", "mine.toml", "-o", "mine", "--json"),
        "report": ("report", "schedulegym.db", "-o", "page.html", "--json"),
        "leaderboard": ("leaderboard", "report", "nothing", "-o", "page.html", "--json"),
        "conformance": ("conformance", "--agent", "random"), "doctor": ("doctor",),
    }


# The build's programs (sg_program in CMake) beside schedulegym: which test tries their prints and files.
TRIED_ELSEWHERE = {"gpu-bundle": "gpu_bundle_test.py", "gpu-bundle-run": "gpu_bundle_test.py"}
# These are started by schedulegym, by developers or by tests, and no user's.
INNER = re.compile(r"schedulegym-\w+|\w+_benchmark|bench-worker|lying-worker|vendor_peers")


class ProgramsTest(unittest.TestCase):
    def test_each_program_is_listed(self):
        found = set()
        for folder in ("agents", "assembly", "backends", "bindings", "env", "experiments", "spaces", "tests"):
            for file in (ROOT / folder).rglob("CMakeLists.txt"):
                found |= set(re.findall(r"\bsg_program\(([\w-]+)", file.read_text()))
        users = {name for name in found if not INNER.fullmatch(name)}
        self.assertEqual(users, {"schedulegym", *TRIED_ELSEWHERE})
        for test in TRIED_ELSEWHERE.values():
            self.assertIn("/dev/full", (ROOT / "tests/python" / test).read_text())


class PrintsTest(Outputs):
    def setUp(self):
        super().setUp()
        curves(self)
        tree(self)
        self.write("empty.trace", "trace 1\n")
        self.prints = _prints(self)

    def each(self, test):
        """Calls test(words) of each command, and of what is no command."""
        self.assertEqual(set(self.prints), set(self.commands()))
        for command, words in [*self.prints.items(), ("help", ["--help"]), ("version", ["--version"]),
                               ("error", ["tune", "nothing", "--json"])]:
            if command in ("study", "ablate", "report", "leaderboard") and schedulegym is None:
                continue
            with self.subTest(command):
                test(words)

    def test_a_full_disk_is_told(self):
        def fill(words):
            with open("/dev/full", "wb") as full:
                result = self.run_it(words, stdout=full)
            self.assertIn(result.returncode, (1, 2), result.stderr)
            lines = [line for line in result.stderr.decode().splitlines()
                     if line.startswith("error: cannot write standard output: ")]
            self.assertEqual(lines, ["error: cannot write standard output: No space left on device"])

        self.each(fill)

    def test_a_closed_stdout_is_told(self):
        """And its number is no other file's: none has the lines."""
        result = self.run_it([*RANDOM, "--json"], stdout=None,
                             preexec_fn=lambda: os.close(1))
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn(b"cannot write standard output: Bad file descriptor", result.stderr)
        self.succeed("records", "check")

    def test_a_closed_pipe_ends_it_in_silence(self):
        def close_it(words):
            read, write = os.pipe()
            os.close(read)
            with open(write, "wb") as pipe:
                result = self.run_it(words, stdout=pipe)
            self.assertIn(result.returncode, (-signal.SIGPIPE, 128 + signal.SIGPIPE), result.stderr)
            self.assertNotIn(b"Traceback", result.stderr)
            self.assertNotIn(b"standard output", result.stderr)

        self.each(close_it)

    def test_where_that_signal_is_ignored_too(self):
        read, write = os.pipe()
        os.close(read)
        with open(write, "wb") as pipe:
            result = self.run_it(["list", "agents"], stdout=pipe, preexec_fn=lambda: signal.signal(
                signal.SIGPIPE, signal.SIG_IGN), restore_signals=False)
        self.assertEqual((result.returncode, result.stderr), (-signal.SIGPIPE, b""))


class StoresTest(Outputs):
    """--store of each command that has records to read or to write."""

    WRITERS = {"tune": RANDOM, "bench": ("bench", SMALL, *TARGET, "--peers", "", "--trials", "1"),
               "records": ("records", "import", "all.jsonl"),
               "replay": ("replay", SMALL, *TARGET, "--trace", "empty.trace", "--quiet"),
               "table": ("table", SMALL, *TARGET, "--kind", "construct", "--points", "2", "-o", "t")}
    READERS = {"show": ("show", SMALL, *TARGET, "--record", "0" * 32),
               "export": ("export", SMALL, "--record", "0" * 32, "-o", "kernel"),
               "records": ("records", "best")}
    # These look at no store, whatever --store says: those of studies lie in their folders.
    OTHERS = {"train", "evaluate", "repeat", "show-tree", "list", "simulate", "study", "ablate", "report", "leaderboard",
              "conformance", "doctor"}

    def setUp(self):
        super().setUp()
        searched(self)
        self.succeed("records", "export", "-o", "all.jsonl", "--quiet")
        self.write("empty.trace", "trace 1\n")

    def test_each_command_is_listed(self):
        self.assertEqual({*self.WRITERS, *self.READERS, *self.OTHERS}, set(self.commands()))

    def test_a_loop_of_links_is_bad_input(self):
        (self.folder / "a.db").symlink_to("b.db")
        (self.folder / "b.db").symlink_to("a.db")
        for words in [*self.WRITERS.values(), *self.READERS.values(), ("records", "stats"),
                      ("records", "check"), ("records", "export", "-o", "out.jsonl")]:
            with self.subTest(words):
                error = self.refused(2, *words, "--store", "a.db")
                self.assertIn("store 'a.db': Too many levels of symbolic links", error)

    def test_what_lies_beside_a_store_lies_beside_the_file_itself(self):
        (self.folder / "sub").mkdir()
        (self.folder / "sub/link.db").symlink_to("../real.db")
        self.succeed(*RANDOM, "--store", "sub/link.db")
        self.assertEqual([file.name for file in (self.folder / "sub").iterdir()], ["link.db"])
        self.assertTrue((self.folder / "sub/link.db").is_symlink())
        self.assertEqual(self.succeed("records", "stats", "--store", "real.db"),
                         self.succeed("records", "stats", "--store", "sub/link.db"))


if __name__ == "__main__":
    unittest.main()
