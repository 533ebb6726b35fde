"""Vendor: time of the best vendor library in a case, and its speed over the reference schedule."""
from __future__ import annotations

import dataclasses


@dataclasses.dataclass(frozen=True)
class Vendor:
    """The best library of one case."""

    library: str  # its name, with its version where known
    seconds: float  # of one call
    speed: float  # over the reference
    low: float | None = None  # ends of the interval
    high: float | None = None
