"""Vendors: speed of the best vendor library in a case, over the reference schedule.

For tables the file of a study or a board has it: seconds of a library, measured on the table's machine.
For live cases `bench` measures the installed libraries beside the reference, once for each case, after
all searches; networks have none. Unmeasured values stay unknown.
"""
from __future__ import annotations

import contextlib
import dataclasses
import json
import pathlib
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from schedulegym.command import program
from schedulegym.studies import engine, engines, machine
from schedulegym.studies.calls import call
from schedulegym.studies.faults import StudyError, unknown_name
from schedulegym.studies.fields import Fields
from schedulegym.studies.folder import Folder, replace
from schedulegym.studies.outcome import Outcome
from schedulegym.studies.packed import read_text, text_of
from schedulegym.studies.progress import Progress
from schedulegym.studies.runner import Runner
from schedulegym.studies.study import Case, Run
from schedulegym.studies.vendor import Vendor


@dataclasses.dataclass(frozen=True)
class Measured:
    """The result of a measurement."""

    case: str
    vendor: Vendor | None
    why: str | None  # why there is no vendor
    is_final: bool  # False if a busy machine gave no result, so that it is tried again
    seconds: float  # seconds of the measurement


# Arguments: a case and a target.
Beside = Callable[[Case, str], Measured]


def told_vendors(given: Any, cases: Iterable[str]) -> dict[str, tuple[str, float]]:
    """Reads [vendors]: by case the library with its version, and its seconds per call."""
    if given is None:
        return {}
    if not isinstance(given, dict):
        raise StudyError(f"vendors: found {given!r}, expected a table [vendors]")
    found, known = {}, list(cases)
    for case, values in given.items():
        if case not in known:
            raise unknown_name("case of vendors", case, known)
        what = f"vendor of '{case}'"
        if not isinstance(values, dict):
            raise StudyError(f"{what}: found {values!r}, expected library, version and seconds")
        fields = Fields(values, what, ("library", "version", "seconds"))
        library, version = fields.text("library"), fields.text("version")
        seconds = fields.number("seconds")
        if not library or not version or seconds is None:
            raise StudyError(f"{what}: found {values!r}, expected library, version and seconds")
        found[case] = (f"{library} {version}", seconds)
    return found


def vendor_beside_table(library: str, seconds: float, table: pathlib.Path) -> Vendor:
    """Returns the vendor; raises StudyError if the table lacks the seconds of the reference."""
    try:
        head = text_of(table).partition("\n")[0]
        reference = float(json.loads(head)["reference_seconds"])
    except StudyError:
        raise
    except (OSError, ValueError, KeyError, TypeError):
        raise StudyError(f"table {table}: found no seconds of the reference, expected them, for its "
                         "case has a vendor") from None
    return Vendor(library, seconds, reference / seconds)


def vendors_of_tables(given: Any, cases: Sequence[Case]) -> tuple[tuple[str, Vendor], ...]:
    """Reads the vendors of a study's file; live cases are measured beside vendors instead."""
    files = {case.name: case.file for case in cases}
    told = told_vendors(given, files)
    for case in told:
        if files[case] is None:
            raise StudyError(f"vendors: found case '{case}', expected one on a table: `bench` "
                             "measures libraries where searches are live")
    return tuple((case, vendor_beside_table(*one, pathlib.Path(str(files[case]))))
                 for case, one in told.items())


def measure_vendor(case: Case, target: str) -> Measured:
    """Measures libraries beside the reference schedule, since the measurement's store is empty."""
    if case.is_network:
        return Measured(case.name, None, "libraries are not measured beside a network", True, 0.0)
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as place:
        _, out, err = call(
            [program(), "bench", str(case.workload), "--trials", "0", "--target", target, "--store",
             str(pathlib.Path(place) / "none.db"), "--json", "--quiet"], "")
    vendor, why, is_final = _read_row(out)
    if vendor is None and why is None:
        why = next(iter(err.splitlines()), "bench said nothing")
    return Measured(case.name, vendor, why, is_final, time.monotonic() - began)


def _read_row(out: str) -> tuple[Vendor | None, str | None, bool]:
    """Returns the vendor, the reason if there is none, and whether that is final."""
    for line in out.splitlines():
        with contextlib.suppress(ValueError, KeyError, TypeError, ZeroDivisionError):
            row = json.loads(line)
            if row["event"] != "row":
                continue
            if row["failure"] is not None:
                return None, str(row["failure"]), False
            if row["best_peer"] is None:
                return None, "no library has this case", True
            if row["origin"] != "reference":
                return None, f"bench timed {row['origin']}, not the reference", False
            library = row["best_peer"]
            return Vendor(library, row["peers"][library], 1 / row["ratio"], 1 / row["ratio_high"],
                          1 / row["ratio_low"]), None, True
    return None, None, False


def measure_missing(runs: Sequence[Run], folder: Folder, is_over: Callable[[], bool], beside: Beside
                    ) -> Iterator[Measured]:
    """Measures once for each live case of the runs; the next call tries those without a final result.

    Libraries of this machine are not comparable with runs of another machine: such cases are skipped.
    """
    mine = {run.case.name: run.target for run in runs if run.live}
    made_by = {facts["processor"] for facts in folder.makers(runs) if "processor" in facts}
    others = sorted(made_by - {machine.processor()})
    for number, case in enumerate(folder.study.cases):
        if case.name not in mine or read_measured(folder, number, case.name) is not None:
            continue
        if is_over():
            return
        if others:
            yield Measured(case.name, None, f"runs were made on {', '.join(others)}", False, 0.0)
            continue
        found = beside(case, mine[case.name])
        keep_measured(folder, number, found)
        yield found


def tell_measured(progress: Progress, found: Measured) -> None:
    """Reports a measurement as an event."""
    vendor = found.vendor
    progress.event("vendor", case=found.case, library=vendor and vendor.library,
                   speed=vendor and vendor.speed, why=found.why, seconds=found.seconds)


def with_vendors(make_runs: engines.MakeRuns, progress: Progress, beside: Beside = measure_vendor,
                 clock: engine.Clock = time.monotonic) -> engines.MakeRuns:
    """Wraps `make_runs`: measures vendors in the live cases once no run is left."""
    def make(runs: list[Run], folder: Folder, runner: Runner, *, tell: engine.Tell,
             seconds: float | None = None) -> engine.Ending:
        began = clock()
        end = make_runs(runs, folder, runner, tell=tell, seconds=seconds)
        if not end.left:
            for found in measure_missing(
                    runs, folder, lambda: seconds is not None and clock() - began >= seconds, beside):
                tell_measured(progress, found)
        return end

    return make


def keep_measured(folder: Folder, number: int, found: Measured) -> None:
    """Keeps the result of the case of that number, unless it must be measured again."""
    if found.is_final:
        replace(_file(folder, number), json.dumps(dataclasses.asdict(found), indent=1) + "\n")


def read_measured(folder: Folder, number: int, case: str) -> Measured | None:
    """Reads a result; None if it is missing or damaged."""
    try:
        told = json.loads(read_text(_file(folder, number)))
        vendor = None if told["vendor"] is None else Vendor(**told["vendor"])
        found = Measured(**{**told, "vendor": vendor})
    except (OSError, ValueError, TypeError, KeyError):
        return None
    return found if found.case == case else None


def measured_vendors(folder: Folder) -> dict[str, Vendor]:
    """Returns measured vendors by case."""
    found = {case.name: read_measured(folder, number, case.name)
             for number, case in enumerate(folder.study.cases)}
    return {case: one.vendor for case, one in found.items() if one is not None and one.vendor}


def beside_vendors(outcomes: Mapping[tuple[str, str, int], Outcome], vendors: Mapping[str, Vendor]
                   ) -> dict[tuple[str, str, int], Outcome]:
    """Returns the outcomes, each with the speed of the best vendor in its case."""
    return {place: dataclasses.replace(outcome, vendor=vendors[place[0]].speed)
            if place[0] in vendors else outcome for place, outcome in outcomes.items()}


def _file(folder: Folder, number: int) -> pathlib.Path:
    return folder.path / "vendors" / f"{number}.json"
