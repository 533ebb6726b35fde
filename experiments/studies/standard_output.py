"""Standard output of the commands: each write and the last flush is checked.

What is lost is one line on stderr and exit code 1; the work goes on, for its results are kept in
files. A closed pipe (`| head`) ends a command in silence, as it ends other programs.
"""
from __future__ import annotations

import contextlib
import os
import sys
from typing import TextIO

LOST, CLOSED = 1, 141  # 128 + SIGPIPE, as shells have it
_lost: list[str] = []  # the reason, printed once


class Closed(BaseException):
    """Nobody reads any more: what goes on ends, as for KeyboardInterrupt."""


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
    """The exit code of a command that ended with this one. Nothing is written after it."""
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
    """Of what Python still has to write, and would complain of at its end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    with contextlib.suppress(OSError, ValueError, AttributeError):
        os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
