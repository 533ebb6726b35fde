"""Test files side by side: what is told of them, their order, and an end to them."""
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import side_by_side
from limited import LimitedTest

SCRIPT = pathlib.Path(side_by_side.__file__)
PASSES = "import unittest\nclass T(unittest.TestCase):\n    def test_it(self): pass\n"
FAILS = PASSES.replace("pass", "self.fail('no')")
SKIPS = PASSES.replace("pass", "self.skipTest('later')")
SECOND = PASSES.replace("pass", "import pathlib; p = pathlib.Path({seen!r}); old = p.exists(); "
                        "p.touch(); self.assertTrue(old)")
WAITS = PASSES.replace("pass", "open({begun!r}, 'w').close(); __import__('time').sleep(600)")


class SideBySideTest(LimitedTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="schedulegym test ")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, **files):
        for name, text in files.items():
            (self.folder / f"{name}.py").write_text(text)

    def start(self, *words):
        return subprocess.Popen([sys.executable, SCRIPT, self.folder, "*_test.py", *words],
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def run_all(self, *words):
        process = self.start(*words)
        text, _ = process.communicate(timeout=100)
        return process.returncode, text

    def test_all_that_passes_is_counted(self):
        self.write(a_test=PASSES, b_test=SKIPS, helper=FAILS,
                   c_test="import unittest\nraise unittest.SkipTest('no library')\n")
        code, text = self.run_all()
        self.assertEqual(code, 0, text)
        # What is skipped whole counts as a test of its own.
        self.assertEqual(text.splitlines()[-1], "ran 3 tests of 3 files, 2 skipped")

    def test_what_fails_is_named_at_the_end(self):
        self.write(a_test=PASSES, b_test=FAILS, c_test="import nothing_of_that_name\n")
        code, text = self.run_all("--processes", "1")
        self.assertEqual(code, 1)
        self.assertEqual(text.splitlines()[-1], "FAILED: b_test.py, c_test.py")
        self.assertIn("AssertionError: no", text)

    def test_what_fails_is_run_again_and_what_passed_so_is_named(self):
        self.write(a_test=FAILS, b_test=SECOND.format(seen=str(self.folder / "seen")))
        code, text = self.run_all("--tries", "2")
        self.assertEqual(code, 1)
        self.assertEqual(text.splitlines()[-2:],
                         ["passed only when run again: b_test.py", "FAILED: a_test.py"])
        self.assertEqual(text.count("AssertionError: no"), 2)
        (self.folder / "a_test.py").unlink()
        (self.folder / "seen").unlink()
        self.assertEqual(self.run_all("--tries", "2")[0], 0)
        (self.folder / "seen").unlink()
        self.assertEqual(self.run_all()[0], 1)

    def test_a_file_that_dies_has_failed(self):
        self.write(a_test="import os\nos.abort()\n")
        code, text = self.run_all()
        self.assertEqual((code, text.splitlines()[-1]), (1, "FAILED: a_test.py"))

    def test_the_slowest_and_the_unknown_begin_first(self):
        paths = [pathlib.Path(name) for name in ("a.py", "b.py", "c.py", "d.py")]
        order = side_by_side.ordered(paths, {"a.py": 1, "b.py": 3, "c.py": 2})
        self.assertEqual([path.name for path in order], ["d.py", "b.py", "c.py", "a.py"])
        order = side_by_side.ordered(paths, {"a.py": 1}, ["d.py", "a.py"])
        self.assertEqual([path.name for path in order], ["d.py", "b.py", "c.py", "a.py"])

    def test_times_are_kept_and_damage_to_them_does_no_harm(self):
        times = self.folder / "times.json"
        self.write(a_test=PASSES)
        for text in (None, "{", '{"a_test.py": "long"}', "[1]"):
            if text is not None:
                times.write_text(text)
            self.assertEqual(self.run_all("--times", str(times))[0], 0)
            self.assertEqual(list(side_by_side.read_times(times)), ["a_test.py"])

    def test_what_is_left_out_is_named_and_keeps_its_time(self):
        times = self.folder / "times.json"
        times.write_text('{"a_test.py": 1.0, "b_test.py": 70.0}')
        self.write(a_test=PASSES, b_test=FAILS)
        code, text = self.run_all("--times", str(times), "--without", "b_test.py")
        self.assertEqual((code, text.splitlines()[-1]), (0, "left out: b_test.py"))
        self.assertEqual(side_by_side.read_times(times)["b_test.py"], 70)
        code, text = self.run_all("--without", "c_test.py")
        self.assertEqual(code, 2)
        self.assertIn("--without: found no 'c_test.py'", text)

    def test_an_interrupt_ends_all_that_runs(self):
        begun = self.folder / "begun"
        self.write(a_test=WAITS.format(begun=str(begun)))
        process = self.start()
        while not begun.exists():
            self.assertIsNone(process.poll())
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        text, _ = process.communicate(timeout=100)  # also of what it started: they share the pipe
        self.assertEqual(process.returncode, side_by_side.INTERRUPTED, text)
        self.assertEqual(text.splitlines()[-1], "interrupted")

    def test_a_pattern_that_finds_nothing_is_refused(self):
        code, text = self.run_all()
        self.assertEqual(code, 2)
        self.assertIn("found no '*_test.py'", text)


if __name__ == "__main__":
    unittest.main()
