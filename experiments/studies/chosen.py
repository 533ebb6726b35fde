"""Chosen: the schedule that a search on a machine ends with, of those that it found."""
from __future__ import annotations

from collections.abc import Iterable

from schedulegym import Record


def chosen_of(records: Iterable[Record]) -> Record | None:
    """The fastest of those that were measured again, else of all, by their last readings.

    Records are in the order of appending. The reference, which is none of a search's finds, does
    not step in where it is faster. None where nothing succeeded.
    """
    last: dict[str, Record] = {}
    again: set[str] = set()
    for record in records:
        if record.state_key in last:
            again.add(record.state_key)
        last[record.state_key] = record
    return (_fastest(record for key, record in last.items() if key in again) or
            _fastest(last.values()))


def _fastest(records: Iterable[Record]) -> Record | None:
    return max((record for record in records if record.measurement.ok),
               key=lambda record: record.measurement.ratio or 0.0, default=None)
