"""Plugins of entries: built from the entry's source, confined, against a copy of what plugins link.

What is built lies outside of the entry's folder, whose hash is that of the source.
"""
from __future__ import annotations

import contextlib
import dataclasses
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Sequence

import schedulegym
from schedulegym import MachineError
from schedulegym.leaderboard.entry import Entry, entry_files
from schedulegym.studies.confined import confinement_of
from schedulegym.studies.faults import StudyError

_SECONDS = 600.0  # limit of a build
_PROJECT = """cmake_minimum_required(VERSION 3.25)
project(entry LANGUAGES CXX)
find_package(schedulegym REQUIRED)
schedulegym_add_plugin({name} {files})
"""
_CONFIG = "lib/cmake/schedulegym/schedulegymConfig.cmake"
_FAULT = re.compile(r"\b[Ee]rror: |undefined reference|^CMake Error|multiple definition")
_KEPT = ("PATH", "LANG", "LD_LIBRARY_PATH", "CC", "CXX")


@contextlib.contextmanager
def built(entries: Sequence[Entry]) -> Iterator[list[Entry]]:
    """The same, with where the library of each that has a plugin lies, until the end."""
    with tempfile.TemporaryDirectory(prefix="schedulegym-plugins-") as place:
        builder = _Builder(pathlib.Path(place).resolve())
        yield [builder.built(entry) if entry.plugin else entry for entry in entries]


class _Builder:
    """Builds in a folder of its own; the copy is made for the first that needs one."""

    def __init__(self, place: pathlib.Path) -> None:
        self._place = place
        self._copy: pathlib.Path | None = None

    def built(self, entry: Entry) -> Entry:
        assert entry.folder is not None and entry.plugin is not None and entry.code is not None
        made = entry.folder / entry.plugin
        if not made.exists():
            made = self._made(entry.folder, entry.plugin, entry.name)
        return dataclasses.replace(entry, library=made)

    def _made(self, folder: pathlib.Path, plugin: str, name: str) -> pathlib.Path:
        sources = [path for path in entry_files(folder)
                   if path.parent == folder and path.suffix == ".cc"]
        if not sources and not (folder / "CMakeLists.txt").exists():
            raise StudyError(f"{folder}: found no '{plugin}', expected it, or the source of it: "
                             "*.cc")
        copy = self._copy = self._copy or _copy_beside(self._place)
        place = pathlib.Path(tempfile.mkdtemp(dir=self._place))
        project, build = place / "project", place / "build"
        for part in (project, build, place / "scratch"):
            part.mkdir()
        if (folder / "CMakeLists.txt").exists():
            project = folder
        else:
            files = " ".join(f"[==[{source}]==]" for source in sources)
            (project / "CMakeLists.txt").write_text(
                _PROJECT.format(name=plugin.removesuffix(".so"), files=files))
        words = [["-G", "Unix Makefiles", "-S", str(project), "-B", str(build),
                  f"-DCMAKE_PREFIX_PATH={copy}", "-DCMAKE_BUILD_TYPE=Release"],
                 ["--build", str(build)]]
        confined = confinement_of(folder, None, copy, project)
        confined.writes = [str(place)]
        for some in words:
            fault = _fault_of(confined.builder([_cmake(), *some]), place / "scratch")
            if fault is not None:
                raise StudyError(f"entry '{name}': its plugin is not built: "
                                 f"{fault.replace(f'{folder}/', '')}")
        for file in sorted(build.rglob(plugin)):
            if not file.is_symlink():
                return file
        raise StudyError(f"entry '{name}': its CMakeLists.txt made no '{plugin}', expected "
                         f"schedulegym_add_plugin({plugin.removesuffix('.so')} ...)")


def _fault_of(words: list[str], scratch: pathlib.Path) -> str | None:
    """The first line that tells why it failed; None where it did not."""
    given = {key: os.environ[key] for key in _KEPT if key in os.environ}
    given.update({"HOME": str(scratch), "TMPDIR": str(scratch), "LC_ALL": "C"})
    with subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
                          stderr=subprocess.STDOUT, errors="replace", env=given, cwd=scratch,
                          start_new_session=True) as process:
        try:
            said, _ = process.communicate(timeout=_SECONDS)
        except subprocess.TimeoutExpired:
            return f"it took more than {_SECONDS:g} seconds"
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
    if process.returncode == 0:
        return None
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    for place, line in enumerate(lines):
        if _FAULT.search(line):
            is_cmake = line.startswith("CMake Error") and line.endswith(":")
            return " ".join(lines[place:place + 2]) if is_cmake else line
    return lines[-1] if lines else f"exit {process.returncode}"


def _cmake() -> str:
    found = shutil.which("cmake")
    if found is None:
        raise MachineError("found no cmake in PATH, expected CMake 3.25 or later and a compiler: "
                           "without them plugins of entries are not built")
    return os.path.realpath(found)


def _copy_beside(place: pathlib.Path) -> pathlib.Path:
    """What plugins link: the installed copy that this is part of, or one made of the build."""
    program = pathlib.Path(schedulegym.__file__).with_name("schedulegym-agent")
    folder = pathlib.Path(os.environ.get("SCHEDULEGYM_AGENT") or program).resolve().parent
    for root in (folder, folder.parent):  # of a wheel, of a copy
        if (root / _CONFIG).exists():
            return root
    if not (root / "cmake_install.cmake").exists():
        raise MachineError(f"found no headers for plugins in {root}, expected a build or an "
                           "installed copy (cmake --install)")
    made = subprocess.run([_cmake(), "--install", str(root), "--component", "plugins", "--prefix",
                           str(place / "copy")], capture_output=True, text=True, check=False)
    if made.returncode != 0:
        raise MachineError(f"cannot install {root}: {(made.stderr.splitlines() or [''])[0]}")
    return place / "copy"
