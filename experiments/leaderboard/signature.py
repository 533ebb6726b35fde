"""Seal: what tells the marks of this verifier from those that anybody can write.

`leaderboard verify` keeps a mark beside an entry, in a folder that belongs to whoever made the entry.
It counts only where its seal fits: HMAC-SHA256, by a key that no entry and no package holds, of the
entry's name and code, the board's edition, the number of runs and the date. The key is made once for
each user, and is readable to that user alone.
"""
from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import hmac
import json
import os
import pathlib
import secrets
import stat
import tempfile
from collections.abc import Mapping
from typing import Any

from schedulegym.studies.faults import StudyError

_BYTES = 32
_FACTS = ("entry", "code", "board", "runs", "date")


@dataclasses.dataclass(frozen=True)
class Mark:
    """What is known of an entry's claims."""

    text: str  # 'verified', 'unverified' or 'built-in'
    why: str | None = None  # why a signature that exists does not count
    runs: int | None = None  # number of verified runs
    date: str | None = None


def key_file() -> pathlib.Path:
    """Where this user's key lies, whether or not it is there."""
    state = pathlib.Path(os.environ.get("XDG_STATE_HOME", ""))
    if not state.is_absolute():  # as its specification asks
        state = pathlib.Path.home() / ".local/state"
    return state / "schedulegym/leaderboard.key"


def sealed(facts: Mapping[str, Any]) -> str:
    """A mark as its file holds it; makes the key if there is none yet. StudyError if it cannot."""
    key = read_key() or _made_key()
    return json.dumps({**facts, "seal": _seal(key, facts)}, indent=1) + "\n"


def mark_of(text: str, name: str, code: str | None, board: str) -> Mark:
    """Of a mark's file, for that entry with that code on that board; it may hold anything."""
    try:
        found = json.loads(text)
        facts = {name: found[name] for name in _FACTS}
        seal = str(found["seal"]).encode()
    except (ValueError, KeyError, TypeError):
        return Mark("unverified", "its mark has no signature")
    try:
        key = read_key()
    except StudyError as fault:
        return Mark("unverified", str(fault))
    if key is None or not hmac.compare_digest(_seal(key, facts).encode(), seal):
        return Mark("unverified", "its mark was not set by this verifier")
    for which, value, expected in (("name", facts["entry"], name), ("code", facts["code"], code),
                                   ("edition of the board", facts["board"], board)):
        if value != expected:
            return Mark("unverified", f"its mark holds for another {which}")
    return Mark("verified", None, facts["runs"], facts["date"])


def read_key() -> bytes | None:
    """None where there is none yet; StudyError where it is no key, or others may read it."""
    file = key_file()
    try:
        mode, key = stat.S_IMODE(file.stat().st_mode), file.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as fault:
        raise StudyError(f"{file}: {fault.strerror}: expected the key of this verifier") from None
    if mode & 0o077 or len(key) != _BYTES:
        raise StudyError(f"{file}: found mode {mode:o} and {len(key)} bytes, expected 600 and "
                         f"{_BYTES}: the key of this verifier, for nobody else (removed, it is "
                         "made anew)")
    return key


def _made_key() -> bytes:
    """Whole or not at all; where another process was faster, that one's."""
    file = key_file()
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        number, rough = tempfile.mkstemp(dir=file.parent)  # of mode 0600
        try:
            with os.fdopen(number, "wb") as out:
                out.write(secrets.token_bytes(_BYTES))
            with contextlib.suppress(FileExistsError):
                os.link(rough, file)
        finally:
            os.unlink(rough)
    except OSError as fault:
        raise StudyError(f"{file}: {fault.strerror}: expected to keep the key of this verifier "
                         "there") from None
    key = read_key()
    assert key is not None
    return key


def _seal(key: bytes, facts: Mapping[str, Any]) -> str:
    text = json.dumps([facts[name] for name in _FACTS])
    return hmac.new(key, text.encode(), hashlib.sha256).hexdigest()
