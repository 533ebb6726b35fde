"""What this machine is, for those who read what was measured on it."""
from __future__ import annotations

import pathlib
import platform


def processor() -> str:
    """Its name, as the system says it."""
    try:
        lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    return next((line.partition(":")[2].strip() for line in lines
                 if line.startswith("model name")), platform.machine())
