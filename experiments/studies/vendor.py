"""Vendor: what the best vendor library takes in a case, over the reference schedule."""
from __future__ import annotations

import dataclasses


@dataclasses.dataclass(frozen=True)
class Vendor:
    """Of one case."""

    library: str  # its name, and its version where somebody told it
    seconds: float  # of a call
    speed: float  # over the reference
    low: float | None = None  # the interval's ends
    high: float | None = None
