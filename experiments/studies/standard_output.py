"""Standard output of the commands: checks each write and the last flush.

Lost output gives one line on stderr and exit code 1; the work continues, since files keep its results. A
closed pipe (`| head`) ends a command silently, as it ends other programs.
"""
from __future__ import annotations

import contextlib
import os
import sys
from typing import TextIO

LOST, CLOSED = 1, 141  # 128 + SIGPIPE, as in shells
_lost: list[str] = []  # the reason, printed once


class Closed(BaseException):
    """The reader closed the pipe: ends running work as KeyboardInterrupt does."""


def tell(text: str, out: TextIO | None = None) -> None:
    """Writes to `out`, or to stdout, and flushes; raises Closed."""
    stream = sys.stdout if out is None else out
    if stream is None:  # Python found it closed
        return _lose("Bad file descriptor")
    try:
        stream.write(text)
        stream.flush()
    except BrokenPipeError:
        raise Closed from None
    except OSError as fault:
        _lose(fault.strerror)


def end(code: int) -> int:
    """Returns the final exit code of a command that ended with `code`. Nothing may be written after it."""
    try:
        tell("")
    except Closed:
        code = CLOSED
    if _lost or code == CLOSED:
        _forget()
    return code or (LOST if _lost else 0)


def _lose(why: str) -> None:
    if not _lost:
        _lost.append(why)
        with contextlib.suppress(OSError, AttributeError):  # stderr may be lost, too
            print(f"error: cannot write standard output: {why}", file=sys.stderr, flush=True)


def _forget() -> None:
    """Discards Python's unwritten output, whose flush at exit would print an error."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    with contextlib.suppress(OSError, ValueError, AttributeError):
        os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
