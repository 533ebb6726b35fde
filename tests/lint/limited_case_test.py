"""The time limit of the tests here, and an end to what they started."""
import pathlib
import re
import signal
import subprocess
import sys
import time
import unittest

from limited_case import LimitedTest

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
        self.assertEqual(signal.getitimer(signal.ITIMER_REAL)[1], 0)

    def test_what_a_test_started_ends_with_it(self):
        own = subprocess.Popen(SLEEP)
        self.assertTrue(run("leaves_a_process").wasSuccessful())
        self.assertEqual(Examples.started.wait(30), -signal.SIGKILL)
        self.assertIsNone(own.poll(), "it was there before")
        own.kill()
        own.wait()

    def test_every_test_is_held_to_it(self):
        for path in sorted(pathlib.Path(__file__).parent.glob("*_test.py")):
            self.assertEqual(re.findall(r"^class .*\bTestCase\b.*", path.read_text(), re.M), [],
                             f"{path.name}: expected LimitedTest")


if __name__ == "__main__":
    unittest.main()
