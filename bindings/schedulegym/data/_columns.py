"""What a table of programs is called in Arrow and Parquet."""
from __future__ import annotations

import typing

from schedulegym import InputError

VERSION = 1
METADATA = {"schedulegym": f"points {VERSION}"}


def arrow_of(who: str) -> typing.Any:
    """The module pyarrow; `who` needs it."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise InputError(f"{who}: found no pyarrow; install it: pip install pyarrow") from None
    return pyarrow
