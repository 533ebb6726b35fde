"""Prints what pyproject.toml asks for, a requirement a line: python_packages.py WORD...

A word is `build` (to build the package), `core` (what it needs), or the name of an extra.
"""
import pathlib
import sys

try:
    import tomllib
except ImportError:  # Python 3.10
    from pip._vendor import tomli as tomllib

ROOT = pathlib.Path(__file__).resolve().parents[2]


def requirements(words):
    """The requirements that the words stand for, in their order."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    lists = {"build": project["build-system"]["requires"],
             "core": project["project"]["dependencies"],
             **project["project"]["optional-dependencies"]}
    unknown = [word for word in words if word not in lists]
    if unknown:
        sys.exit(f"error: unknown extra '{unknown[0]}', expected one of: {', '.join(sorted(lists))}")
    return [requirement for word in words for requirement in lists[word]]


if __name__ == "__main__":
    print(*requirements(sys.argv[1:]), sep="\n")
