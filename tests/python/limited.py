"""A time limit for each test, which names it, and an end to all that it started.

Tests may be started in the background, where the shell has SIGINT ignored: here it is heard.
"""
import faulthandler
import os
import pathlib
import signal
import unittest

SECONDS = float(os.environ.get("SCHEDULEGYM_TEST_SECONDS", 600))
# Then whoever hears no signal is ended, with the tests that would follow.
GRACE = 120


class TookTooLong(BaseException):
    """Nothing that a test expects, whatever it expects."""


def _interrupt(number, _):
    """In this process; one that was forked of it ends."""
    if os.getpid() == _interrupt.owner:
        raise KeyboardInterrupt
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


_interrupt.owner = os.getpid()


def install_handlers():
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _interrupt)


def end_after(seconds):
    """Of a process that was forked by a test: it ends, whatever it waits for."""
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(seconds)


def descendants():
    """Processes that this one started, and theirs, but for those that serve all of Python."""
    parents = {}
    for folder in pathlib.Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            state, parent = (folder / "stat").read_text().rsplit(")", 1)[1].split()[:2]
            words = (folder / "cmdline").read_text()
        except OSError:
            continue
        if state != "Z" and "from multiprocessing" not in words:
            parents[int(folder.name)] = int(parent)
    below = {os.getpid()}
    while more := {pid for pid, parent in parents.items() if parent in below} - below:
        below |= more
    return below - {os.getpid()}


def end(processes):
    for pid in processes:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass


class LimitedTest(unittest.TestCase):
    most_seconds = SECONDS

    def run(self, result=None):
        before = descendants()

        def too_long(*_):
            raise TookTooLong(f"{self.id()}: took more than {self.most_seconds:g} s")

        heard = signal.signal(signal.SIGALRM, too_long)
        signal.setitimer(signal.ITIMER_REAL, self.most_seconds)
        faulthandler.dump_traceback_later(self.most_seconds + GRACE, exit=True)
        try:
            return super().run(result)
        finally:
            faulthandler.cancel_dump_traceback_later()
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, heard)
            end(descendants() - before)


install_handlers()
