"""Runs the built program as a user would."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("SCHEDULEGYM_PROGRAM", str(ROOT / "build/release/bin/schedulegym"))


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
