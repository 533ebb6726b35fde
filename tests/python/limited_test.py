"""What each test is held to: its time, and an end to what it started."""
import pathlib
import re
import signal
import subprocess
import sys
import time
import unittest

import limited
from limited import LimitedTest

HERE = pathlib.Path(__file__).parent
SLEEP = [sys.executable, "-c", "import time; time.sleep(600)"]


class Examples(LimitedTest):
    """Run by the tests below alone."""

    most_seconds = 0.3
    started = None

    def sleeps(self):
        time.sleep(60)

    def waits_whatever_comes(self):
        while True:
            try:
                time.sleep(60)
            except Exception:  # noqa: BLE001
                pass

    def leaves_a_process(self):
        Examples.started = subprocess.Popen(SLEEP)

    def is_quick(self):
        pass


def run(name):
    result = unittest.TestResult()
    Examples(name).run(result)
    return result


class LimitedTestTest(LimitedTest):
    def test_what_takes_too_long_is_named_and_ended(self):
        for name in ("sleeps", "waits_whatever_comes"):
            begin = time.monotonic()
            ((_, text),) = run(name).errors
            self.assertIn(f"Examples.{name}: took more than 0.3 s", text)
            self.assertLess(time.monotonic() - begin, 30)

    def test_others_are_left_alone(self):
        self.assertTrue(run("is_quick").wasSuccessful())
        time.sleep(0.5)
        self.assertEqual(limited.signal.getitimer(signal.ITIMER_REAL)[1], 0)

    def test_what_a_test_started_ends_with_it(self):
        own = subprocess.Popen(SLEEP)
        self.assertTrue(run("leaves_a_process").wasSuccessful())
        self.assertEqual(Examples.started.wait(30), -signal.SIGKILL)
        self.assertIsNone(own.poll(), "it was there before")
        own.kill()
        own.wait()

    def test_a_termination_ends_what_was_started_too(self):
        script = ("import limited, subprocess, sys, unittest\n"
                  "class Waits(limited.LimitedTest):\n"
                  "    def test(self):\n"
                  f"        child = subprocess.Popen({SLEEP!r})\n"
                  "        print(child.pid, flush=True)\n"
                  "        child.wait()\n"
                  "unittest.main()\n")
        process = subprocess.Popen([sys.executable, "-c", script], cwd=HERE, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        started = int(process.stdout.readline())
        process.terminate()
        process.communicate(timeout=60)
        self.assertFalse(pathlib.Path(f"/proc/{started}/cmdline").exists() and
                         "time.sleep(600)" in
                         pathlib.Path(f"/proc/{started}/cmdline").read_text())

    def test_an_interrupt_is_heard_in_the_background(self):
        script = ("import limited, os, signal\n"
                  "try:\n    os.kill(os.getpid(), signal.SIGINT)\n    signal.pause()\n"
                  "except KeyboardInterrupt:\n    print('heard')\n")
        said = subprocess.run(["/bin/sh", "-c", 'trap "" INT; exec "$@"', "sh", sys.executable,
                               "-c", script], cwd=HERE, capture_output=True, text=True, timeout=60)
        self.assertEqual(said.stdout, "heard\n", said.stderr)

    def test_every_test_is_held_to_it(self):
        """Those of the lint too."""
        lint = HERE.parent / "lint"
        for path in [*sorted(HERE.glob("*.py")), *sorted(lint.glob("*.py"))]:
            if path.name != "limited.py":
                self.assertEqual(re.findall(r"^class .*\bTestCase\b.*", path.read_text(), re.M), [],
                                 f"{path.name}: expected LimitedTest")


if __name__ == "__main__":
    unittest.main()
