"""Noise ceilings of the tables of a study or board: a line that lists them, and a warning.

The ceiling of a table is the share that its ten best by half of the rounds reach by the other half
(env/gym/tables/table_noise.h). Comparisons of searches above it are not reliable.
"""
from __future__ import annotations

import functools
import pathlib
from collections.abc import Mapping, Sequence

from schedulegym.studies.recorded import digest_of, find_table, noise_ceiling_of, shipped_tables

LEAST = 0.97  # minimum for tables of a built-in board
_MOST_DIGITS = 3

Ceilings = Mapping[str, float | None]  # by case; None if a table has no samples


def ceilings_text(ceilings: Ceilings, code: str = "`{}`") -> str:
    """Returns each case with its table's ceiling; `code` is the format of a name."""
    return ", ".join(f"{code.format(name)} " + ("unknown" if value is None else
                                                f"{value:.{_MOST_DIGITS}f}")
                     for name, value in ceilings.items())


def too_noisy(ceilings: Ceilings, least: float = LEAST) -> list[str]:
    """Returns the cases with a known ceiling below `least`."""
    return [name for name, value in ceilings.items() if value is not None and value < least]


def warning_text(ceilings: Ceilings, code: str = "`{}`") -> str | None:
    """Returns a sentence about tables whose noise is too large; None if there are none."""
    found = too_noisy(ceilings)
    if not found:
        return None
    return (f"Noise ceiling below {LEAST:g}: {', '.join(map(code.format, found))}. Near the best of "
            f"{'this table' if len(found) == 1 else 'these tables'} noise decides which search wins.")


def shipped_ceiling(digest: str) -> float | None:
    """Returns the ceiling of the shipped table with this digest; None without samples or a match."""
    path = _by_digest().get(digest)
    return None if path is None else noise_ceiling_of(path)


@functools.lru_cache(maxsize=1)
def _by_digest() -> Mapping[str, pathlib.Path]:
    files: Sequence[pathlib.Path] = [find_table(name, pathlib.Path(__file__).parent)
                                     for name in shipped_tables()]
    return {digest_of(path): path for path in files}
