"""Verified: a case's reference, checked in every cell once, for all searches of a study.

The fact is kept as a store that holds nothing else: a search that begins with a copy of it knows what
it would find out anew, and no measurement.
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


def verify_reference(run: Run, store: pathlib.Path) -> bool:
    """Whether it is right; then `store`, which is not there before, says so.

    By `replay`, which measures it, too. Of what cannot be found out, each search tells by itself.
    """
    task = Task(str(run.case.workload), Target(run.target))
    with tempfile.TemporaryDirectory() as place:
        kept = pathlib.Path(place, "verified.db")
        RecordStore(kept, "w").close()
        _, out, _ = call([program(), "replay", str(run.case.workload), "--target", run.target,
                          "--protocol", run.arm.protocol, "--trace", "-", "--store", str(kept),
                          "--json", "--quiet"], str(reference_schedule(task).trace))
        if not _is_verified(out):
            return False
        replace(store, kept.read_bytes())
    return True


def _is_verified(out: str) -> bool:
    with contextlib.suppress(ValueError, IndexError, KeyError, TypeError):
        return bool(json.loads(out.splitlines()[-1])["best"]["verified"])
    return False
