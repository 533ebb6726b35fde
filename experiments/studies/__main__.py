"""python -m schedulegym.studies study|ablate|report|leaderboard ...: commands that the program delegates."""
from __future__ import annotations

import json
import signal
import sys
from collections.abc import Sequence

from schedulegym.studies import standard_output
from schedulegym.studies.faults import shown, text_of

INPUT, MACHINE = 2, 3
INTERRUPTED, TERMINATED = 130, 143
_EXTRAS = ("scipy", "statsmodels", "plotly", "tomli")


def main(words: Sequence[str] | None = None) -> int:
    """Returns the exit code. Prints an error as one line."""
    try:
        code = _run(sys.argv[1:] if words is None else words)
    except standard_output.Closed:
        code = standard_output.CLOSED
    return standard_output.end(code)


def _run(given: Sequence[str]) -> int:
    try:
        from schedulegym.leaderboard.command import run_leaderboard
        from schedulegym.studies.command import run_command
        from schedulegym.studies.tune_runner import TuneRunner, suite_workloads
    except ModuleNotFoundError as fault:
        if (fault.name or "").partition(".")[0] not in _EXTRAS:
            raise
        return _fail(MACHINE, "machine", f"missing Python package {fault.name} (to install what "
                     f"studies need: ./sg setup studies, or pip install {' '.join(_EXTRAS[:3])})", given)
    from schedulegym import MachineError

    if signal.getsignal(signal.SIGINT) == signal.SIG_DFL:  # the default action holds during the imports
        signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        if given[:1] == ["leaderboard"]:
            return run_leaderboard(given[1:], TuneRunner())
        return run_command(given, TuneRunner(), suite_workloads)
    except MachineError as fault:
        return _fail(MACHINE, "machine", str(fault), given)
    except ValueError as fault:
        return _fail(INPUT, "input", str(fault), given)
    except OSError as fault:
        return _fail(INPUT, "input", text_of(fault), given)
    except KeyboardInterrupt as fault:
        print("schedulegym: interrupted; the same command goes on", file=sys.stderr)
        return TERMINATED if fault.args else INTERRUPTED


def _fail(code: int, kind: str, message: str, words: Sequence[str]) -> int:
    message = shown(message)
    print(f"error: {message}", file=sys.stderr)
    if "--json" in words:
        standard_output.tell(json.dumps(
            {"event": "error", "kind": kind, "message": message}) + "\n")
    return code


if __name__ == "__main__":
    sys.exit(main())
