"""How the tests are run: time limits, an end to what a test started, interrupts, groups, a second try."""
import importlib
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import pytest

import processes
import tiers

HERE = pathlib.Path(__file__).resolve().parent
SLEEP = [sys.executable, "-c", "import time; time.sleep(600)"]
PASSES = "import unittest\nclass T(unittest.TestCase):\n    def test_it(self): pass\n"
FAILS = PASSES.replace("pass", "self.fail('no')")
SECOND = PASSES.replace("pass", "import pathlib; p = pathlib.Path({seen!r}); old = p.exists(); "
                        "p.touch(); self.assertTrue(old)")
STARTS = PASSES.replace("pass", "import os, pathlib, subprocess; child = subprocess.Popen({sleep!r}); "
                        "pathlib.Path({begun!r}).write_text(str(child.pid)); {then}")
LIMIT = "import pytest\npytestmark = pytest.mark.timeout(0.3)\n"
WAITS = LIMIT + PASSES.replace("pass", "__import__('time').sleep(60)")
STUBBORN = LIMIT + """import time, unittest
class T(unittest.TestCase):
    def test_it(self):
        while True:
            try:
                time.sleep(60)
            except Exception:
                pass
"""
DIES = PASSES.replace("pass", "import os; os.abort()") + "    def test_next(self): pass\n"


def is_running(pid):
    try:
        return "time.sleep(600)" in pathlib.Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return False


class RunTest(unittest.TestCase):
    """Runs pytest on a folder of small tests."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="schedulegym test ")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        shutil.copy(HERE / "conftest.py", self.folder)
        self.begun = self.folder / "begun"

    def write(self, **files):
        for name, text in files.items():
            (self.folder / f"{name}.py").write_text(text)

    def start(self, *words, before=()):
        environment = {name: value for name, value in os.environ.items()
                       if not name.startswith("PYTEST_")}
        environment.update(PYTHONPATH=str(HERE), PYTHONDONTWRITEBYTECODE="1", COLUMNS="200")
        process = subprocess.Popen(
            [*before, sys.executable, "-m", "pytest", "-c", HERE.parents[1] / "pyproject.toml",
             "--rootdir", self.folder, "-o", f"cache_dir={self.folder}/cache", self.folder, *words],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment,
            cwd=self.folder)
        self.addCleanup(process.kill)
        return process

    def run_all(self, *words):
        process = self.start(*words)
        text, _ = process.communicate(timeout=200)
        return process.returncode, text


class LimitTest(RunTest):
    def test_a_test_that_takes_too_long_is_named_and_ended(self):
        self.write(a_test=WAITS, b_test=PASSES, c_test=STUBBORN)
        for words in ([], ["-n", "2"]):
            begin = time.monotonic()
            code, text = self.run_all(*words)
            self.assertEqual(code, 1, text)
            self.assertIn("FAILED a_test.py::T::test_it - Failed: Timeout", text)
            self.assertIn("FAILED c_test.py::T::test_it - Failed: Timeout", text)
            self.assertIn("2 failed, 1 passed", text)
            self.assertLess(time.monotonic() - begin, 50)

    def test_a_worker_that_dies_names_its_test_and_the_others_are_run(self):
        self.write(a_test=DIES, b_test=PASSES)
        code, text = self.run_all("-n", "2")
        self.assertEqual(code, 1, text)
        self.assertRegex(text, r"worker 'gw\d' crashed while running 'a_test.py::T::test_it'")
        self.assertIn("1 failed, 2 passed", text)

    def test_what_a_test_started_ends_with_it(self):
        self.write(a_test=STARTS.format(sleep=SLEEP, begun=str(self.begun), then=""))
        own = subprocess.Popen(SLEEP)
        self.addCleanup(own.kill)
        self.assertEqual(self.run_all()[0], 0)
        self.assertFalse(is_running(self.begun.read_text()))
        self.assertIsNone(own.poll(), "it was there before")


class InterruptTest(RunTest):
    def interrupt(self, number, *words, before=()):
        self.begun.unlink(missing_ok=True)
        self.write(a_test=STARTS.format(sleep=SLEEP, begun=str(self.begun), then="child.wait()"))
        process = self.start(*words, before=before)
        while not (self.begun.exists() and self.begun.read_text()):
            self.assertIsNone(process.poll())
            time.sleep(0.01)
        begin = time.monotonic()
        process.send_signal(number)
        text, _ = process.communicate(timeout=100)
        self.assertEqual(process.returncode, 130, text)
        self.assertLess(time.monotonic() - begin, 30)
        self.assertFalse(is_running(self.begun.read_text()), text)

    def test_signals_end_all_that_runs(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            for words in ([], ["-n", "2"]):
                with self.subTest(number=number, words=words):
                    self.interrupt(number, *words)

    def test_an_interrupt_is_received_in_the_background(self):
        self.interrupt(signal.SIGINT, "-n", "2",
                       before=["/bin/sh", "-c", 'trap "" INT; exec "$@"', "sh"])


class AgainTest(RunTest):
    def test_tests_that_pass_only_when_run_again_are_named(self):
        self.write(a_test=FAILS, b_test=SECOND.format(seen=str(self.folder / "seen")), c_test=PASSES)
        code, text = self.run_all("-n", "2")
        told_once = re.findall("^E +AssertionError: no$", text, re.M)
        self.assertEqual((code, len(told_once)), (1, 1), text)
        code, text = self.run_all("--again")
        self.assertEqual(code, 1)
        self.assertIn("passed only when run again: b_test.py::T::test_it\n", text)
        self.assertIn("1 failed, 1 passed", text)
        (self.folder / "a_test.py").write_text(PASSES)
        self.assertEqual(self.run_all("--again")[0], 0)

    def test_a_subtest_that_failed_is_run_again(self):
        self.write(a_test=PASSES.replace("pass", "\n        with self.subTest(1): self.fail('no')"),
                   b_test=PASSES)
        for words in (["-n", "2"], ["--again"], ["--again"]):
            code, text = self.run_all(*words)
            self.assertEqual(code, 1, text)
            self.assertIn("AssertionError: no", text)
        self.assertNotIn("passed only when run again", text)
        (self.folder / "a_test.py").write_text(PASSES)
        code, text = self.run_all("--again")
        self.assertEqual(code, 0, text)
        self.assertIn("1 passed, 1 deselected", text)

    def test_without_failures_nothing_is_run_again(self):
        self.write(a_test=PASSES)
        self.assertEqual(self.run_all()[0], 0)
        self.assertEqual(self.run_all("--again")[0], 5)

    def test_a_file_that_cannot_be_imported_fails_and_the_others_are_run(self):
        self.write(a_test="import nothing_of_that_name\n", b_test=PASSES,
                   c_test="import unittest\nraise unittest.SkipTest('no library')\n")
        code, text = self.run_all("-n", "2")
        self.assertEqual(code, 1, text)
        self.assertIn("ERROR a_test.py", text)
        self.assertIn("1 passed, 1 skipped, 1 error", text)


class OrderTest(RunTest):
    def collected(self):
        return re.findall(r"^(\w+\.py)::", self.run_all("--collect-only", "-q")[1], re.M)

    def test_groups_that_took_longest_begin_first(self):
        self.write(a_test=PASSES, b_test=PASSES.replace("pass", "__import__('time').sleep(1)"))
        self.assertEqual(self.collected(), ["a_test.py", "b_test.py"])
        self.assertEqual(self.run_all("-n", "2")[0], 0)
        self.assertEqual(self.collected(), ["b_test.py", "a_test.py"])
        self.write(c_test=PASSES)
        self.assertEqual(self.collected(), ["c_test.py", "b_test.py", "a_test.py"])

    def test_damage_to_the_kept_seconds_does_no_harm(self):
        self.write(a_test=PASSES)
        self.assertEqual(self.run_all("-n", "2")[0], 0)
        kept, = self.folder.rglob("cache/v/schedulegym/seconds")
        for text in ("{", '{"a_test.py": "long"}', "[1]"):
            kept.write_text(text)
            self.assertEqual(self.run_all()[0], 0)


class TiersTest(unittest.TestCase):
    def test_every_name_is_that_of_a_test(self):
        for name in sorted(tiers.NIGHTLY | tiers.LONG | tiers.MEASURED):
            with self.subTest(name):
                file, *parts = name.split("::")
                self.assertTrue((HERE / file).exists())
                if parts:
                    found = importlib.import_module(file.removesuffix(".py"))
                    for part in parts:
                        found = getattr(found, part)

    def test_no_name_stands_in_both_tiers(self):
        self.assertEqual(tiers.NIGHTLY & tiers.LONG, frozenset())

    def test_the_most_exact_name_counts(self):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(tiers, "NIGHTLY", {"a_test.py"})
            patch.setattr(tiers, "LONG", {"a_test.py::T::test_short", "b_test.py::T"})
            patch.setattr(tiers, "MEASURED", {"b_test.py"})
            self.assertEqual(tiers.markers("tests/python/a_test.py::T::test_it"), ["nightly"])
            self.assertEqual(tiers.markers("a_test.py::T::test_short"), ["long"])
            self.assertEqual(tiers.markers("b_test.py::T::test_it"), ["long", "measured"])
            self.assertEqual(tiers.markers("b_test.py::U::test_it"), ["measured"])
            self.assertEqual(tiers.markers("c_test.py::U::test_it"), [])
            self.assertEqual(tiers.group("c_test.py::U::test_it"), "c_test.py")
            self.assertEqual(tiers.group("b_test.py::U::test_it"), "measured")


class ProcessesTest(unittest.TestCase):
    def test_descendants_are_those_below_this_process(self):
        child = subprocess.Popen(SLEEP)
        self.assertIn(child.pid, processes.descendants())
        self.assertNotIn(os.getpid(), processes.descendants())
        processes.end([child.pid])
        self.assertEqual(child.wait(30), -signal.SIGKILL)
        processes.end([child.pid])


if __name__ == "__main__":
    unittest.main()
