"""Calls of the program in a separate process, which dies with this one."""
from __future__ import annotations

import ctypes
import signal
import subprocess
from collections.abc import Sequence

_MOST_SECONDS = 600.0
# Opened here: in a child just forked from a process with threads, the loader may be locked.
_LIBC = ctypes.CDLL(None)


def call(words: Sequence[str], stdin: str, seconds: float = _MOST_SECONDS) -> tuple[int, str, str]:
    """Returns exit code, stdout and stderr; the code is -1 if there is no answer within `seconds`."""
    try:
        result = subprocess.run(words, input=stdin, capture_output=True, text=True, check=False,
                                timeout=seconds, preexec_fn=_die_with_parent)
    except subprocess.TimeoutExpired:
        return -1, "", f"found no answer within {seconds:g} s"
    return result.returncode, result.stdout, result.stderr


def _die_with_parent() -> None:
    death_signal = 1  # PR_SET_PDEATHSIG
    _LIBC.prctl(death_signal, signal.SIGKILL)
