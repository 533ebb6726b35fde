"""Noise ceilings of the tables of a study or board: one line that names them, and what is too noisy.

The ceiling of a table is what its ten best by half of the rounds earn by the other half
(env/gym/tables/table_noise.h). Above it no comparison of searches can be trusted.
"""
from __future__ import annotations

import functools
import pathlib
from collections.abc import Mapping, Sequence

from schedulegym.studies.recorded import digest_of, find_table, noise_ceiling_of, shipped_tables

LEAST = 0.97  # what a table of a built-in board has
_MOST_DIGITS = 3

Ceilings = Mapping[str, float | None]  # by case; None where a table kept no samples


def ceilings_text(ceilings: Ceilings, code: str = "`{}`") -> str:
    """Each case with its table's ceiling; `code` is how a name is written."""
    return ", ".join(f"{code.format(name)} " + ("unknown" if value is None else
                                                f"{value:.{_MOST_DIGITS}f}")
                     for name, value in ceilings.items())


def too_noisy(ceilings: Ceilings, least: float = LEAST) -> list[str]:
    """The cases whose ceiling is known and lower."""
    return [name for name, value in ceilings.items() if value is not None and value < least]


def warning_text(ceilings: Ceilings, code: str = "`{}`") -> str | None:
    """One sentence where a table is too noisy to judge."""
    found = too_noisy(ceilings)
    if not found:
        return None
    return (f"Noise ceiling below {LEAST:g}: {', '.join(map(code.format, found))}. Near the best of "
            f"{'this table' if len(found) == 1 else 'these tables'} noise decides which search wins.")


def shipped_ceiling(digest: str) -> float | None:
    """Of the table that comes along with these contents; None where it kept no samples, or none has them."""
    path = _by_digest().get(digest)
    return None if path is None else noise_ceiling_of(path)


@functools.lru_cache(maxsize=1)
def _by_digest() -> Mapping[str, pathlib.Path]:
    files: Sequence[pathlib.Path] = [find_table(name, pathlib.Path(__file__).parent)
                                     for name in shipped_tables()]
    return {digest_of(path): path for path in files}
