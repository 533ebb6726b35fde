"""What long computations share whose parts are kept, so that the same command goes on."""
import functools
import os
import pathlib
import signal
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("SCHEDULEGYM_PROGRAM", str(ROOT / "build/release/bin/schedulegym"))
INTERRUPTED = 130


@functools.cache
def version():
    """Of the program: parts of another one answer another question."""
    done = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True, check=True)
    return done.stdout.strip()


class KeptParts:
    """Counts the parts that are kept; Ctrl-C within it ends the program in a line about them."""

    def __init__(self, total, name):
        self.total = total
        self.name = name
        self.count = 0

    def add(self):
        self.count += 1

    def __enter__(self):
        # A shell that starts it in the background ignores SIGINT, so the handler is set here.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        return self

    def __exit__(self, kind, *_):
        if kind is KeyboardInterrupt:
            print(f"interrupted: {self.count} of {self.total} {self.name} are kept; the same "
                  "command goes on", file=sys.stderr)
            sys.exit(INTERRUPTED)
