"""Writes the type stubs of the extension module: make_stubs.py FILE.

They are made from the built module, which must be importable, by pybind11-stubgen.
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile
from importlib import metadata

MODULE = "schedulegym._schedulegym"
TOOLS = ("pybind11", "pybind11-stubgen")


def versions():
    """The first line of the stubs: what else is written by other versions is no fault."""
    return "# Made by make_stubs.py with " + ", ".join(
        f"{tool} {'.'.join(metadata.version(tool).split('.')[:2])}" for tool in TOOLS)


def stubs():
    """The text of the stubs."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", "pybind11_stubgen", MODULE, "-o", folder,
                        "--exit-code"], check=True, capture_output=True)
        text = pathlib.Path(folder, *MODULE.split(".")).with_suffix(".pyi").read_text()
    text = re.sub(r"^(__version__: str) = .*$", r"\1", text, flags=re.M)
    lines = [_typed(line) if line.lstrip().startswith("def ") else line.rstrip()
             for line in text.splitlines()]
    return "\n".join([versions(), *lines]) + "\n"


def _typed(line):
    """A signature with what the generator leaves open."""
    # Any object may be compared with ours; comparing with another type returns NotImplemented.
    line = re.sub(r"(def __eq__\(self, other: )\w+\)", r"\1object)", line)
    line = re.sub(r"(\*\*?)(args|kwargs)(?=[,)])", r"\1\2: typing.Any", line)
    for bare, filled in (("tuple", "tuple[typing.Any, ...]"), ("dict", "dict[str, typing.Any]"),
                         (r"numpy\.ndarray", "numpy.ndarray[typing.Any, typing.Any]"),
                         (r"os\.PathLike", "os.PathLike[str]")):
        line = re.sub(rf"\b{bare}\b(?!\[)", filled, line)
    return line


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=pathlib.Path, help="is replaced by the stubs")
    parser.parse_args().file.write_text(stubs())


if __name__ == "__main__":
    main()
