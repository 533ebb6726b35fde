"""The processes below this one: which they are, and an end to them."""
import os
import pathlib
import signal


def descendants():
    """Pids of the processes that this one started and of theirs, without the helper processes of
    Python's multiprocessing, which later tests use again.
    """
    parents = {}
    for folder in pathlib.Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            state, parent = (folder / "stat").read_text().rsplit(")", 1)[1].split()[:2]
            words = (folder / "cmdline").read_text(errors="replace")
        except OSError:
            continue
        if state != "Z" and "from multiprocessing" not in words:
            parents[int(folder.name)] = int(parent)
    below = {os.getpid()}
    while more := {pid for pid, parent in parents.items() if parent in below} - below:
        below |= more
    return below - {os.getpid()}


def end(processes):
    """Kills these pids; those that have ended are passed over."""
    for pid in processes:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass


def end_after(seconds):
    """For a process that a test forked: the kernel ends it after `seconds`, an integer."""
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(seconds)


def _interrupt(number, _):
    """Raises KeyboardInterrupt in this process; a process forked from it ends by the signal."""
    if os.getpid() == _interrupt.owner:
        raise KeyboardInterrupt
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


_interrupt.owner = os.getpid()


def install_handlers():
    """SIGINT, SIGTERM and SIGHUP raise KeyboardInterrupt. A shell that starts this process in the
    background has SIGINT ignored: that is undone.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _interrupt)
