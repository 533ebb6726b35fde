"""Vendor: what the best vendor library takes in a case, over the reference schedule."""
from __future__ import annotations

import dataclasses


@dataclasses.dataclass(frozen=True)
class Vendor:
    """Of one case."""

    library: str  # its name, with its version where known
    seconds: float  # of one call
    speed: float  # over the reference
    low: float | None = None  # ends of the interval
    high: float | None = None
