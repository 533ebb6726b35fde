"""Verified: checks a case's reference (for a network, all of them) in every cell, once for all searches.

The fact is kept as a store that contains nothing else. A search that starts with a copy of it skips the
check and gets no measurement.
"""
from __future__ import annotations

import contextlib
import json
import pathlib
import tempfile

from schedulegym import RecordStore, Target, Task, reference_schedule
from schedulegym.command import program
from schedulegym.studies.calls import call
from schedulegym.studies.folder import replace
from schedulegym.studies.study import Run
from schedulegym.tuning import layers_of


def verify_reference(run: Run, store: pathlib.Path) -> bool:
    """Returns whether the reference is correct; if so, writes the fact to the new store `store`.

    If the check is not possible, each search checks by itself.
    """
    workloads = dict.fromkeys(str(layer) for _, layer in layers_of(str(run.case.workload)))
    with tempfile.TemporaryDirectory() as place:
        kept = pathlib.Path(place, "verified.db")
        RecordStore(kept, "w").close()
        if not all(_verify(workload, run, kept) for workload in workloads):
            return False
        replace(store, kept.read_bytes())
    return True


def _verify(workload: str, run: Run, kept: pathlib.Path) -> bool:
    """Verifies by `replay`, which also measures the reference, and adds the fact to the store."""
    task = Task(workload, Target(run.target))
    _, out, _ = call([program(), "replay", workload, "--target", run.target,
                      "--protocol", run.arm.protocol, "--trace", "-", "--store", str(kept),
                      "--json", "--quiet"], str(reference_schedule(task).trace))
    return _is_verified(out)


def _is_verified(out: str) -> bool:
    with contextlib.suppress(ValueError, IndexError, KeyError, TypeError):
        return bool(json.loads(out.splitlines()[-1])["best"]["verified"])
    return False
