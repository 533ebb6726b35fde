"""Reads files that may be compressed with gzip, whatever their names end with."""
from __future__ import annotations

import gzip
import pathlib
import zlib
from typing import BinaryIO

from schedulegym.studies.faults import StudyError

_MAGIC = b"\x1f\x8b"
MOST_MEBIBYTES = 256  # of what is unpacked, as of a table in C++


def bytes_of(path: pathlib.Path) -> bytes:
    """What the file holds, unpacked.

    Raises:
        OSError: the file cannot be read.
        StudyError: its compressed data are damaged, or unpack to more than MOST_MEBIBYTES.
    """
    with open(path, "rb") as file:
        if not _is_packed(file):
            return file.read()
        try:
            found = gzip.GzipFile(fileobj=file).read((MOST_MEBIBYTES << 20) + 1)
        except EOFError:
            raise StudyError(f"{path}: its compressed data are cut short") from None
        except (gzip.BadGzipFile, zlib.error):
            raise StudyError(f"{path}: its compressed data are damaged") from None
    if len(found) > MOST_MEBIBYTES << 20:
        raise StudyError(f"{path}: it unpacks to more than {MOST_MEBIBYTES} MiB")
    return found


def text_of(path: pathlib.Path) -> str:
    """As bytes_of, as text. Raises ValueError for what is no UTF-8, too."""
    return bytes_of(path).decode()


def _is_packed(file: BinaryIO) -> bool:
    begin = file.read(len(_MAGIC))
    file.seek(0)
    return begin == _MAGIC
