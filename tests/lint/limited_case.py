"""The base of the tests here, which ctest runs by Python alone: each has a time limit that names it."""
import faulthandler
import os
import pathlib
import signal
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "python"))

import processes  # noqa: E402

SECONDS = float(os.environ.get("SCHEDULEGYM_TEST_SECONDS", 600))
# A test that does not return to Python is ended so much later, with the tests that would follow.
GRACE = 120


class TookTooLong(BaseException):
    """No Exception, so that no test expects it."""


class LimitedTest(unittest.TestCase):
    most_seconds = SECONDS

    def run(self, result=None):
        before = processes.descendants()

        def too_long(*_):
            raise TookTooLong(f"{self.id()}: took more than {self.most_seconds:g} s")

        handler = signal.signal(signal.SIGALRM, too_long)
        signal.setitimer(signal.ITIMER_REAL, self.most_seconds)
        faulthandler.dump_traceback_later(self.most_seconds + GRACE, exit=True)
        try:
            return super().run(result)
        finally:
            faulthandler.cancel_dump_traceback_later()
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, handler)
            processes.end(processes.descendants() - before)


processes.install_handlers()
