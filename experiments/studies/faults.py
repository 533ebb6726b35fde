"""Faults: one-line errors that name what was found and what was expected."""
from __future__ import annotations

import difflib
import os
from collections.abc import Iterable, Sequence

_MOST_LISTED = 12


class StudyError(ValueError):
    """Invalid input; the text is the line that users read."""


def text_of(fault: OSError) -> str:
    """Returns the reason with its file, or with its type if it names no file (such as a full disk)."""
    reason = fault.strerror or str(fault)
    if fault.filename is not None:
        return f"{os.fsdecode(fault.filename)}: {reason}"
    return f"{type(fault).__name__}: {reason}" if reason else type(fault).__name__


def shown(text: str) -> str:
    """Makes text printable: bytes that are not UTF-8, which paths may have, and control characters
    except newline and tab become \\xNN."""
    text = text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    return "".join(f"\\x{ord(one):02x}" if ord(one) < 32 and one not in "\n\t" or one == "\x7f"
                   else one for one in text)


def unknown_name(what: str, name: str, known: Iterable[str]) -> StudyError:
    """Returns an error that lists the existing names and suggests the nearest."""
    names = list(known)
    listed = names[:_MOST_LISTED]
    if len(names) > _MOST_LISTED:
        listed.append(f"{len(names) - _MOST_LISTED} more")
    text = f"unknown {what} '{name}': expected "
    text += "none" if not names else names[0] if len(names) == 1 else f"one of {', '.join(listed)}"
    nearest = difflib.get_close_matches(name, names, 1, 0.5)
    return StudyError(text + (f" (did you mean '{nearest[0]}'?)" if nearest else ""))


def refuse_twins(what: str, names: Sequence[str]) -> None:
    """Raises StudyError if a name occurs twice."""
    for place, name in enumerate(names):
        if name in names[:place]:
            raise StudyError(f"found two of the {what} '{name}', expected each once")
