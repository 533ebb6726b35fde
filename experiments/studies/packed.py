"""Reads UTF-8 text files; gzip compression is detected by content, not by name."""
from __future__ import annotations

import codecs
import gzip
import pathlib
import zlib
from typing import BinaryIO

from schedulegym.studies.faults import StudyError

_MAGIC = b"\x1f\x8b"
MOST_MEBIBYTES = 256  # limit of the unpacked bytes, as for a table in C++


def bytes_of(path: pathlib.Path) -> bytes:
    """Returns the contents of the file, unpacked.

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
    """Returns bytes_of as text. Also raises NotUtf8."""
    return decoded(bytes_of(path))


def read_text(path: pathlib.Path) -> str:
    """Returns the text of an uncompressed file, in any locale. Raises OSError and NotUtf8."""
    return decoded(path.read_bytes())


class NotUtf8(UnicodeDecodeError):
    """Bytes that are not UTF-8, with line and column of the first one, both from 1."""

    def __str__(self) -> str:
        before = self.object[:self.start].decode()
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        found = self.object[self.start:self.end].decode("utf-8", "backslashreplace")
        return f"line {line}, column {column}: found '{found}', expected UTF-8"


def decoded(content: bytes) -> str:
    """Returns the text without its byte order mark, with newlines as line ends. Raises NotUtf8."""
    content = content.removeprefix(codecs.BOM_UTF8)
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as fault:
        raise NotUtf8(*fault.args) from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _is_packed(file: BinaryIO) -> bool:
    begin = file.read(len(_MAGIC))
    file.seek(0)
    return begin == _MAGIC
