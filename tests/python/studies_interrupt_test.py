"""Ctrl-C at any moment of a study's life: no traceback, and the same command goes on."""
import json
import os
import signal
import subprocess
import sys
import unittest
from unittest import mock

from harness import PROGRAM, ProgramTest

try:
    from schedulegym.studies import __main__ as door
    from schedulegym.studies import command
except ImportError as fault:
    raise unittest.SkipTest(f"no studies: {fault}") from None

STUDY = """
measure = "table"
cases = ["matmul"]
seeds = 4
trials = 64
[arms]
chance = "random"
climbs = "hill"
"""
# Imports take the first seconds, the runs and the page the others.
MOMENTS = (0.1, 0.4, 0.8, 1.2, 1.7, 2.4, 3.5)


class InterruptTest(ProgramTest):
    def setUp(self):
        super().setUp()
        (self.folder / "mine.toml").write_text(STUDY)

    def study(self):
        return subprocess.Popen([PROGRAM, "study", "mine.toml", "-o", "mine"], cwd=self.folder,
                                text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                env={**os.environ, "SCHEDULEGYM_PYTHON": sys.executable},
                                start_new_session=True)

    def test_at_any_moment_it_ends_without_a_traceback(self):
        codes = set()
        for moment in MOMENTS:
            with self.subTest(moment), self.study() as process:
                try:
                    process.wait(moment)
                except subprocess.TimeoutExpired:
                    os.killpg(process.pid, signal.SIGINT)  # as a terminal does
                _, errors = process.communicate(timeout=60)
                self.assertNotIn("Traceback", errors)
                self.assertIn(process.returncode, (0, 130, -signal.SIGINT), errors)
                codes.add(process.returncode)
        self.assertIn(-signal.SIGINT, codes)  # at first it imports
        with self.study() as process:
            _, errors = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 0, errors)
        results = json.loads((self.folder / "mine" / "results.json").read_text())
        self.assertEqual({arm["runs"] for arm in results["arms"].values()}, {4})

    def test_where_no_run_is_under_way_it_is_a_line(self):
        for fault, code in ((KeyboardInterrupt(), 130), (KeyboardInterrupt("terminated"), 143)):
            with self.subTest(code), mock.patch.object(command, "run_command", side_effect=fault), \
                    mock.patch("sys.stderr") as errors:
                self.assertEqual(door.main(["study", "mine.toml"]), code)
                self.assertIn("interrupted", "".join(call.args[0]
                                                     for call in errors.write.call_args_list))


if __name__ == "__main__":
    unittest.main()
