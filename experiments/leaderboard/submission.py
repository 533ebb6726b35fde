"""Submission: an entry that was checked, as one file; nothing is sent anywhere."""
from __future__ import annotations

import io
import pathlib
import zipfile

from schedulegym.leaderboard.entry import Entry, entry_files
from schedulegym.studies.confined import VERIFIED
from schedulegym.studies.faults import StudyError
from schedulegym.studies.folder import replace

MOST_BYTES = 64 << 20
_BEGINNING = (1980, 1, 1, 0, 0, 0)  # the same files give the same archive


def pack(entry: Entry, out: pathlib.Path | None) -> pathlib.Path:
    """Writes NAME-HASH.zip, or `out`; StudyError where the folder is too large.

    A mark stays here: it says something to nobody but who verified the entry.
    """
    assert entry.folder is not None and entry.code is not None
    files = [path for path in entry_files(entry.folder) if path != entry.folder / VERIFIED]
    size = sum(path.stat().st_size for path in files)
    if size > MOST_BYTES:
        raise StudyError(f"{entry.folder}: found {size >> 20} MiB, expected at most "
                         f"{MOST_BYTES >> 20}")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in files:
            name = f"{entry.name}/{path.relative_to(entry.folder).as_posix()}"
            member = zipfile.ZipInfo(name, _BEGINNING)
            member.external_attr = 0o644 << 16
            archive.writestr(member, path.read_bytes(), zipfile.ZIP_DEFLATED)
    file = out or pathlib.Path(f"{entry.name}-{entry.code[:8]}.zip")
    replace(file, packed.getvalue())
    return file
