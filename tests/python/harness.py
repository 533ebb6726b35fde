"""Runs the built program as a user would."""
import ctypes
import functools
import importlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("SCHEDULEGYM_PROGRAM", str(ROOT / "build/release/bin/schedulegym"))


try:
    if os.environ.get("SCHEDULEGYM_PACKAGE") == "no":
        raise ImportError("this build has no Python package")
    import schedulegym
except ImportError as fault:
    schedulegym, MISSING = None, str(fault)


class ProgramTest(unittest.TestCase):
    """Each test has a folder of its own, in which the program runs."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="schedulegym test ")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_program(self, *words, stdin=None):
        """What the call did; where the program was built without LLVM, the test is skipped."""
        result = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True,
                                input=stdin, cwd=self.folder, timeout=300)
        if result.returncode == 3 and "this build has no llvm backend" in result.stderr:
            self.skipTest(result.stderr.strip())
        return result

    def need_llvm(self):
        """For tests that start the program themselves."""
        self.run_program("show", "matmul(m=8,n=8,k=8)", "--as", "asm")

    def succeed(self, *words, **options):
        result = self.run_program(*words, **options)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def events(self, *words):
        """The JSON events of a call that succeeds; each line must be one."""
        return self.parse(self.succeed(*words, "--json"))

    @staticmethod
    def parse(text):
        return [json.loads(line) for line in text.splitlines()]

    def refused(self, code, *words, stdin=None):
        """The one line that a refused call prints; its files are as before."""
        before = sorted(self.folder.rglob("*"))
        result = self.run_program(*words, stdin=stdin)
        self.assertEqual(result.returncode, code, result.stderr + result.stdout)
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
        self.assertTrue(result.stderr.startswith("error: "), result.stderr)
        self.assertEqual(sorted(self.folder.rglob("*")), before, "something was written")
        return result.stderr

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path


# What may become of a candidate on a machine that others use: it says nothing about the candidate.
NOISE = ("noisy", "impossible_time", "corrupt_result")


def load_benchmark(name):
    """The script of that name in experiments/bench, as a module."""
    with mock.patch.object(sys, "path", [str(ROOT / "experiments/bench"), *sys.path]):
        return importlib.import_module(name)


def need_success(test, outcomes):
    """Of a search: skips the test where nothing came of it but noise, fails it on other failures."""
    outcomes = list(outcomes)
    if "ok" in outcomes:
        return
    others = [outcome for outcome in outcomes if outcome not in NOISE]
    test.assertEqual(others, [], "no success, and not for noise alone")
    test.skipTest("the machine is too busy for a success: " + ", ".join(sorted(set(outcomes))))


def assert_at_once(test, seconds):
    """That an end took half a second at most; skips the test where others take the cores."""
    if seconds > 0.5 and os.getloadavg()[0] > 1.5 * os.cpu_count():
        test.skipTest(f"{seconds:.1f} s: others keep the machine busy")
    test.assertLessEqual(seconds, 0.5)


@functools.cache
def has_llvm():
    """Whether this build can measure on the target llvm."""
    program = pathlib.Path(schedulegym.__file__).with_name("schedulegym")
    result = subprocess.run([program, "show", "matmul(m=8,n=8,k=8)", "--as", "asm"], capture_output=True,
                            text=True, timeout=300, check=False)
    return result.returncode != 3


def need_confinement(test):
    """Skips a test of entries with code of their own where the kernel or this build confines nothing."""
    if not pathlib.Path(schedulegym.__file__).with_name("schedulegym-confined").exists():
        test.skipTest("this build has no schedulegym-confined")
    landlock_create_ruleset, version = 444, 1
    if ctypes.CDLL(None).syscall(landlock_create_ruleset, None, 0, version) <= 0:
        test.skipTest("this kernel has no Landlock")


class PackageTest(unittest.TestCase):
    """Tests of the Python package, in a folder of their own; skipped where it was not built."""

    @classmethod
    def setUpClass(cls):
        if schedulegym is None:
            raise unittest.SkipTest(MISSING)

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="schedulegym test ")
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        self.folder = pathlib.Path(folder.name)
        os.chdir(self.folder)

    def need_llvm(self):
        """For tests that measure."""
        if not has_llvm():
            self.skipTest("this build has no llvm backend")

    def refused(self, kind, pattern, call, *words, **options):
        """The one line of what a call raises."""
        with self.assertRaisesRegex(kind, pattern) as caught:
            call(*words, **options)
        self.assertEqual(len(str(caught.exception).splitlines()), 1, str(caught.exception))
        return caught.exception
