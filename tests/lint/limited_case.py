"""The base of the tests here: that of Python's tests, with a time limit that names each."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "python"))

from limited import SECONDS, LimitedTest  # noqa: E402, F401
