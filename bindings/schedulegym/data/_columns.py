"""What a table of programs is called in Arrow and Parquet."""
from __future__ import annotations

import typing

from schedulegym import MachineError

VERSION = 1
METADATA = {"schedulegym": f"points {VERSION}"}
# Failures have no value.
OPTIONAL = ("seconds", "ratio", "ratio_low", "ratio_high")
# Long texts, which many rows share.
SHARED = ("target", "dag")
# "" in older files, which lack them.
LATER = ("key",)
_TEXTS = ("trace", "key", "space", "part", "host", "outcome", "task", "workload", "target", "dag", "split")


def arrow_of(who: str) -> typing.Any:
    """The module pyarrow; `who` needs it. Raises MachineError where it is missing."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise missing(who, "pyarrow") from None
    return pyarrow


def missing(who: str, package: str) -> MachineError:
    """What to raise where `who` lacks a package of the extra `data`."""
    return MachineError(f"{who}: found no {package}; install it: ./sg setup data, or pip install {package}")


def column_types(arrow: typing.Any) -> dict[str, typing.Any]:
    """By the name of the column, the type of its values."""
    return {**{name: arrow.string() for name in _TEXTS},
            **{name: arrow.float64() for name in OPTIONAL}, "samples": arrow.list_(arrow.float64())}
