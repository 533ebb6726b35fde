"""Plotly's script within a page: 4.8 MB packed as 1.4 MB of text, which unpack.js unpacks.

Packing takes seconds, so its result is cached in the user's cache folder, if that is writable.
"""
from __future__ import annotations

import base64
import contextlib
import functools
import hashlib
import lzma
import os
import pathlib

from plotly import offline

from schedulegym.studies.folder import replace

_HERE = pathlib.Path(__file__).parent
_FILTERS = [{"id": lzma.FILTER_LZMA1, "preset": 6, "lc": 3, "lp": 0, "pb": 2}]
# The letter of base 85 that could end a script or start a comment in it, and its replacement.
_LETTERS = str.maketrans("<", ",")


@functools.lru_cache(maxsize=1)
def plotly_html() -> str:
    """Returns scripts that define `Plotly`."""
    script = offline.get_plotlyjs()
    return (f"<script type='text/plain' id=plotly data-size={len(script.encode())}>{_packed(script)}</script>"
            f"<script>{(_HERE / 'unpack.js').read_text(encoding='utf-8')}</script>")


def packed_text(content: bytes) -> str:
    """Returns LZMA data without a header, in base 85."""
    packed = lzma.compress(content, lzma.FORMAT_RAW, filters=_FILTERS)
    return base64.b85encode(packed, pad=True).decode().translate(_LETTERS)


def _packed(script: str) -> str:
    digest = hashlib.sha256(script.encode()).hexdigest()[:16]
    kept = _cache() / f"plotly-{digest}.lzma85"
    with contextlib.suppress(OSError, ValueError):
        text, end, mark = kept.read_text(encoding="utf-8").rpartition("\n")
        if end and mark == _mark(text):
            return text
    text = packed_text(script.encode())
    with contextlib.suppress(OSError):
        kept.parent.mkdir(parents=True, exist_ok=True)
        replace(kept, f"{text}\n{_mark(text)}")
    return text


def _mark(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _cache() -> pathlib.Path:
    given = os.environ.get("XDG_CACHE_HOME")
    return (pathlib.Path(given) if given else pathlib.Path.home() / ".cache") / "schedulegym"
