"""Held-out cases: drawn by a published generator from a seed that is given at run time.

The i-th number drawn, from 0, is SHA-256 of "NAME EDITION SEED i", in ASCII, as a big-endian integer.
A choice among n takes the next number modulo n. A case of tables is a choice among those that are
not chosen yet, in the order of the board's file; a case of shapes is a choice of the workload, then
of each of its parameters, in that order; what is public or chosen already is drawn anew.
"""
from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

from schedulegym.studies.faults import StudyError

_One = TypeVar("_One")
_MOST_DRAWS = 10000


@dataclasses.dataclass(frozen=True)
class HeldOut:
    """What a board says of its held-out cases: so many, of tables or of shapes."""

    count: int
    tables: tuple[str, ...] = ()
    digests: tuple[str, ...] = ()  # of these tables
    # A workload's name to what each of its parameters may be.
    shapes: Mapping[str, Mapping[str, tuple[int, ...]]] = dataclasses.field(default_factory=dict)


def draw_held_out(held: HeldOut, label: str, seed: int, public: Sequence[str]) -> list[str]:
    """Tables or workloads, as the board's file names them; `label` is the board's "NAME EDITION"."""
    numbers = _numbers(f"{label} {seed}")
    drawn: list[str] = []
    for _ in range(_MOST_DRAWS):
        if len(drawn) == held.count:
            return drawn
        if held.tables:
            left = [one for one in held.tables if one not in drawn and one not in public]
            if not left:
                break
            drawn.append(_choice(left, numbers))
        else:
            workload = _shape(held, numbers)
            if workload not in drawn and workload not in public:
                drawn.append(workload)
    raise StudyError(f"held_out: found no {held.count} cases to draw that are not public, expected "
                     "more tables or shapes")


def _shape(held: HeldOut, numbers: Iterator[int]) -> str:
    name = _choice(list(held.shapes), numbers)
    sizes = [f"{key}={_choice(values, numbers)}" for key, values in held.shapes[name].items()]
    return f"{name}({','.join(sizes)})"


def _choice(options: Sequence[_One], numbers: Iterator[int]) -> _One:
    return options[next(numbers) % len(options)]


def _numbers(label: str) -> Iterator[int]:
    place = 0
    while True:
        yield int.from_bytes(hashlib.sha256(f"{label} {place}".encode()).digest(), "big")
        place += 1
