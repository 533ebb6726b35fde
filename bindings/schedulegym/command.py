"""The command `schedulegym`, where the package was installed without it."""
import os
import pathlib
import sys


def program() -> str:
    """Finds the command's program.

    Returns:
        Its path: SCHEDULEGYM_PROGRAM, or the one in the package.
    """
    given = os.environ.get("SCHEDULEGYM_PROGRAM")
    return given or str(pathlib.Path(__file__).parent / "schedulegym")


def main() -> None:
    """Becomes the program, with the same arguments."""
    path = program()
    if not os.environ.get("SCHEDULEGYM_PYTHON"):
        os.environ["SCHEDULEGYM_PYTHON"] = sys.executable  # for agents in Python
    try:
        os.execv(path, ["schedulegym", *sys.argv[1:]])
    except OSError as fault:
        sys.exit(f"error: cannot start '{path}': {fault.strerror}")
