"""The page of a store: written once, or repeatedly while a search writes to it."""
from __future__ import annotations

import pathlib
import time
from collections.abc import Callable, Sequence

from schedulegym import RecordStore, Target
from schedulegym.studies.faults import StudyError
from schedulegym.studies.folder import replace
from schedulegym.studies.page import Lead, live_page
from schedulegym.studies.search_page import Moment, lead_of, writer_of
from schedulegym.studies.searches import Line, Searches, read_lines, searches_of
from schedulegym.tuning import tasks_of

EVERY = 5.0  # seconds between two pages
_SOON = 0.2
_MOST_SHARE = 0.2  # limit of the share of a core that making them takes


def read_store(place: pathlib.Path, network: str | None) -> tuple[Searches, Lead]:
    """Reads a store with records: its searches as a study, and the lead of its page."""
    with RecordStore(place) as store:
        lines, counts = _lines_of(store, network)
        if network is not None and not lines:
            raise StudyError(f"--network: found none of the tasks of '{network}' in {place}")
        return searches_of(place, lines), lead_of(place, store, lines, counts,
                                                  Moment(writer_of(place), time.time()))


def follow(place: pathlib.Path, out: pathlib.Path, network: str | None,
           rest: Callable[[float], None] = time.sleep) -> int:
    """Writes the page every few seconds while a search writes to the store; returns the number of pages.

    The page shows the search only, has no script, and reloads itself.
    """
    count = 0
    try:
        while (writer := writer_of(place)) is not None:
            if place.stat().st_size == 0:  # another process is making it
                rest(_SOON)
                continue
            began = time.monotonic()
            _write_live(place, out, network, writer, EVERY)
            count += 1
            rest(max(EVERY, (time.monotonic() - began) / _MOST_SHARE))
    except KeyboardInterrupt:
        _write_live(place, out, network, writer_of(place), None)
        raise
    return count


def _write_live(place: pathlib.Path, out: pathlib.Path, network: str | None, writer: int | None,
                every: float | None) -> None:
    with RecordStore(place) as store:
        lines, counts = _lines_of(store, network)
        lead = lead_of(place, store, lines, counts, Moment(writer, time.time()))
    replace(out, live_page(place.name, lead, every))


def _lines_of(store: RecordStore, network: str | None) -> tuple[Sequence[Line], dict[str, int] | None]:
    """Returns records, of the network's tasks if given, and its number of calls of each task, by key."""
    lines = read_lines(store)
    if network is None:
        return lines, None
    targets = dict.fromkeys(str(line["task"]["target"]) for _, line in lines) or {"llvm": None}
    counts = {task.key: count for target in targets for task, count in tasks_of(network, Target(target))}
    return [line for line in lines if line[0].task in counts], counts
