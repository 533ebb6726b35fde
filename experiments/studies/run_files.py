"""Files of a run for another machine: its table, its agent's own code, its libraries.

They are sent packed, identified by content, and unpacked once on each machine.
"""
from __future__ import annotations

import dataclasses
import hashlib
import io
import os
import pathlib
import tempfile
import zipfile
from collections.abc import Callable, Mapping

from schedulegym.studies.faults import StudyError
from schedulegym.studies.study import Run


@dataclasses.dataclass(frozen=True)
class Label:
    """The name of a piece and the hash of its contents."""

    name: str
    digest: str


def pieces_of(run: Run) -> list[str]:
    """Returns the local paths of the pieces: files and folders."""
    own = (run.case.file, run.arm.folder, *run.arm.plugins)
    return sorted({piece for piece in own if piece is not None})


def moved(run: Run, places: Mapping[str, str]) -> Run:
    """Returns the same run with its pieces at other paths."""
    def place(piece: str | None) -> str | None:
        return None if piece is None else places[piece]

    case = dataclasses.replace(run.case, file=place(run.case.file))
    arm = dataclasses.replace(run.arm, folder=place(run.arm.folder),
                              plugins=tuple(places[piece] for piece in run.arm.plugins))
    return dataclasses.replace(run, case=case, arm=arm)


def pack(piece: pathlib.Path) -> tuple[Label, bytes]:
    """Packs a file, or all of a folder except compiled Python files."""
    files = [piece] if piece.is_file() else sorted(
        path for path in piece.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for path in files:  # the date of a member is constant
            member = zipfile.ZipInfo(path.relative_to(piece.parent).as_posix())
            archive.writestr(member, path.read_bytes(), zipfile.ZIP_DEFLATED)
    content = packed.getvalue()
    return Label(piece.name, hashlib.sha256(content).hexdigest()), content


def unpack(label: Label, fetch: Callable[[], bytes], shelf: pathlib.Path) -> pathlib.Path:
    """Returns the path on the shelf; fetches the piece atomically if it is not there yet."""
    place = shelf / label.digest
    if not place.exists():
        with tempfile.TemporaryDirectory(dir=shelf) as rough:
            with zipfile.ZipFile(io.BytesIO(fetch())) as archive:
                archive.extractall(pathlib.Path(rough, "whole"))
            try:
                os.rename(pathlib.Path(rough, "whole"), place)
            except OSError:
                if not place.exists():  # else another process was faster
                    raise
    return place / label.name


def shelf_of_user(base: pathlib.Path | None = None) -> pathlib.Path:
    """Returns a private folder below that of temporary files; raises StudyError if it is not private."""
    shelf = pathlib.Path(base or tempfile.gettempdir(), f"schedulegym-{os.getuid()}")
    shelf.mkdir(mode=0o700, exist_ok=True)
    facts = shelf.lstat()
    if shelf.is_symlink() or facts.st_uid != os.getuid() or facts.st_mode & 0o077:
        raise StudyError(f"{shelf}: found a folder that others may write or read, expected one's "
                         "own")
    return shelf
