"""Prints what pyproject.toml asks for, a requirement a line: python_packages.py WORD...

A word is `build` (to build the package), `core` (what it needs), or the name of an extra. With --pins
only the versions that are pinned, as pip's constraints. With --kept nothing is printed; it fails where
a pinned version is not the one that is installed.
"""
import importlib.metadata
import pathlib
import re
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


def pins(words):
    """(name, version) of each requirement that has one version alone."""
    found = (re.fullmatch(r"([\w.-]+)(?:\[.*\])?==([\w.]+)", requirement) for requirement in requirements(words))
    return [match.groups() for match in found if match]


def is_installed(name, version):
    """Whether this version of a package is the one that is installed."""
    try:
        return importlib.metadata.version(name) == version
    except importlib.metadata.PackageNotFoundError:
        return False


if __name__ == "__main__":
    if sys.argv[1:2] == ["--pins"]:
        print(*(f"{name}=={version}" for name, version in pins(sys.argv[2:])), sep="\n")
    elif sys.argv[1:2] == ["--kept"]:
        sys.exit(not all(is_installed(*pin) for pin in pins(sys.argv[2:])))
    else:
        print(*requirements(sys.argv[1:]), sep="\n")
