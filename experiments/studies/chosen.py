"""Chosen: the schedule that a search on a machine ends with."""
from __future__ import annotations

from collections.abc import Iterable

from schedulegym import Record


def chosen_of(records: Iterable[Record]) -> Record | None:
    """Returns the fastest schedule by its last reading, of those measured again if any, else of all.

    Records are in the order of appending. The reference does not replace a slower find, since the search
    did not find it. None if no record succeeded.
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
