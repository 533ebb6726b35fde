"""Folder: the files that a study writes.

    study.json      the study
    runs/*.json     a file for each finished run, written atomically
    timing/*.json   the wall time of each, and the versions that made it
    stores/*.db     the records of each live run
    verified/*.db   proof that a case's reference is correct, copied into each live run of the case
    vendors/*.json  what vendor libraries take for a live case
    results.json, results.csv, timing.json, report.html
    source.toml     machine, date, versions and command

A folder belongs to one study. Only seeds may be added to it.
"""
from __future__ import annotations

import contextlib
import dataclasses
import fcntl
import json
import pathlib
import re
import time
from collections.abc import Iterable, Iterator
from typing import Any

from schedulegym._schedulegym import write_output
from schedulegym.studies.faults import StudyError
from schedulegym.studies.outcome import Outcome, Timing, outcome_text, read_outcome
from schedulegym.studies.packed import read_text
from schedulegym.studies.study import Arm, Case, Factor, Run, Study
from schedulegym.studies.vendor import Vendor

_VERSION = 1


class Folder:
    """The files of one study."""

    def __init__(self, path: pathlib.Path, study: Study) -> None:
        self.path, self.study = path, study

    @staticmethod
    def refuse_others(path: pathlib.Path, study: Study, arms_may_join: bool = False) -> None:
        """Raises StudyError if the folder has another study or other files; creates nothing."""
        if (path / "study.json").exists():
            _refuse_another(path, read_study_of(path), study, arms_may_join)
        elif path.is_dir() and any(path.iterdir()):
            raise StudyError(f"{path}: found a folder of something else, expected an empty one, a "
                             "new one or that of this study")

    @classmethod
    def begin(cls, path: pathlib.Path, study: Study, arms_may_join: bool = False) -> Folder:
        """Creates the folder or resumes in it; raises StudyError if it is another study's."""
        cls.refuse_others(path, study, arms_may_join)
        folder = cls(path, study)
        for name in ("runs", "timing", "stores"):
            (path / name).mkdir(parents=True, exist_ok=True)
        replace(path / "study.json", _pretty({"version": _VERSION, **study.fields()}))
        return folder

    def outcome(self, run: Run) -> Outcome | None:
        """Returns the outcome; None if the run is not finished. Raises StudyError for a damaged file."""
        path = self._file("runs", run)
        try:
            return read_outcome(read_text(path), run.key)
        except FileNotFoundError:
            return None
        except (StudyError, UnicodeDecodeError) as fault:
            raise StudyError(f"{path}: {fault} (to run it again: remove the file)") from None

    def has(self, run: Run) -> bool:
        """Returns whether the run is finished."""
        return self._file("runs", run).exists()

    def keep(self, run: Run, outcome: Outcome, timing: Timing) -> None:
        """Writes the run's files; the run counts as finished only once this returns."""
        replace(self._file("timing", run), json.dumps(dataclasses.asdict(timing)) + "\n")
        replace(self._file("runs", run), outcome_text(run.key, run.place, outcome))

    def timing(self, run: Run) -> Timing | None:
        """Returns the timing; None if it is missing or unreadable, since no result depends on it."""
        try:
            return Timing(**json.loads(read_text(self._file("timing", run))))
        except (OSError, ValueError, TypeError):
            return None

    def makers(self, runs: Iterable[Run]) -> list[dict[str, str]]:
        """Returns machine and versions of each finished run; an empty dict if they were not recorded."""
        found = [self.timing(run) for run in runs if self.has(run)]
        return [{} if timing is None else timing.facts for timing in found]

    def store(self, run: Run) -> pathlib.Path:
        """Returns the path of the records of a live run."""
        return self._file("stores", run).with_suffix(".db")

    def verified(self, run: Run) -> pathlib.Path:
        """Returns the path of the verified reference of a live run's case."""
        return self.path / "verified" / f"{_slug(run.case.name)}.{run.case_key[:8]}.db"

    def merge(self, other: Folder, runs: list[Run]) -> int:
        """Copies the finished runs of the other folder; returns the number of new ones.

        Raises StudyError if both have a run and they differ, since model and table runs are reproducible.
        """
        taken = 0
        for run in runs:
            theirs = other.outcome(run)
            if theirs is None:
                continue
            ours = self.outcome(run)
            if ours is not None:
                if ours != theirs:
                    raise StudyError(f"{other.path}: its {' / '.join(map(str, run.place))} is not "
                                     f"that of {self.path}: expected shards of one study")
                continue
            store = other.store(run)
            if store.exists():
                replace(self.store(run), store.read_bytes())
            self.keep(run, theirs, other.timing(run) or Timing(0.0, {}))
            taken += 1
        for file in sorted((other.path / "vendors").glob("*.json")):
            ours_too = self.path / "vendors" / file.name
            if not ours_too.exists():
                ours_too.parent.mkdir(exist_ok=True)
                replace(ours_too, file.read_bytes())
        return taken

    def check(self, runs: Iterable[Run]) -> int:
        """Returns the number of finished runs; raises StudyError if a file is damaged."""
        return sum(self.outcome(run) is not None for run in runs)

    @contextlib.contextmanager
    def locked(self, shard: str | None = None) -> Iterator[None]:
        """Locks the folder, or its shard K/N. Raises StudyError if another process makes some of the same
        runs: it has the whole folder, the same shard, or a shard of another N."""
        with contextlib.ExitStack() as held:
            if shard is None:
                self._lock(held, ".lock", fcntl.LOCK_EX)
            else:
                number, count = map(int, shard.split("/"))
                mine = f".lock-of-{count}"
                self._lock(held, ".lock", fcntl.LOCK_SH)
                self._lock(held, mine, fcntl.LOCK_SH)
                self._lock(held, f".lock-{number}-of-{count}", fcntl.LOCK_EX)
                for other in self.path.glob(".lock-of-*"):
                    if other.name != mine:
                        with contextlib.ExitStack() as tried:
                            self._lock(tried, other.name, fcntl.LOCK_EX, patience=1.0)
            yield

    def _lock(self, held: contextlib.ExitStack, name: str, kind: int, patience: float = 0.0) -> None:
        """Retries for `patience` seconds, since another shard may hold the same lock for a moment."""
        file = held.enter_context(open(self.path / name, "w"))
        until = time.monotonic() + patience
        while True:
            try:
                return fcntl.flock(file, kind | fcntl.LOCK_NB)
            except OSError:
                if time.monotonic() >= until:
                    raise StudyError(
                        f"{self.path}: another process is running this study") from None
                time.sleep(0.01)

    def _file(self, kind: str, run: Run) -> pathlib.Path:
        case, arm, seed = run.place
        return self.path / kind / f"{_slug(case)}.{_slug(arm)}.{seed}.{run.key[:8]}.json"


def read_study_of(path: pathlib.Path) -> Study:
    """Returns the study that a folder belongs to."""
    file = path / "study.json"
    try:
        fields = json.loads(read_text(file))
        version = fields.pop("version")
        if version != _VERSION:
            raise StudyError(f"{file}: found version {version!r}, expected version {_VERSION}")
        return _study_from(fields)
    except OSError as fault:
        raise StudyError(f"{file}: {fault.strerror}: expected the folder of a study") from None
    except (ValueError, TypeError, KeyError, AttributeError) as fault:
        if isinstance(fault, StudyError):
            raise
        raise StudyError(f"{file}: found no study in it") from None


def replace(path: pathlib.Path, content: str | bytes) -> None:
    """Writes a file atomically and durably, as every output (write_output)."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_output(path, content.encode() if isinstance(content, str) else content)


def _refuse_another(path: pathlib.Path, found: Study, wanted: Study, arms_may_join: bool) -> None:
    theirs, ours = found.fields(), wanted.fields()
    free = ["seeds", "about", "margin", "baseline", "name", "vendors", "best_known",
            *(["arms"] if arms_may_join else [])]
    for name in ours:
        if name not in free and theirs.get(name) != ours[name]:
            raise StudyError(f"{path}: found the folder of another study, '{found.name}': its "
                             f"{name} differ; expected a new folder")
    if not set(found.seeds) <= set(wanted.seeds):
        raise StudyError(f"{path}: found seeds {list(found.seeds)}, expected these among the "
                         "study's: seeds may be added, none taken away")


def _study_from(fields: dict[str, Any]) -> Study:
    def cell(arm: dict[str, Any]) -> dict[str, Any]:
        return {**arm, "cell": None if arm["cell"] is None else tuple(arm["cell"])}

    return Study(**{**fields, "cases": tuple(Case(**case) for case in fields["cases"]),
                    "arms": tuple(Arm(**cell(arm)) for arm in fields["arms"]),
                    "factors": tuple(Factor(one["name"], tuple(one["levels"]))
                                     for one in fields["factors"]),
                    "seeds": tuple(fields["seeds"]),
                    "vendors": tuple((case, Vendor(**one))
                                     for case, one in fields.get("vendors", ())),
                    "best_known": tuple((case, speed)
                                        for case, speed in fields.get("best_known", ()))})


def _slug(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "_", name).strip("_")[:48]


def _pretty(value: object) -> str:
    return json.dumps(value, indent=1) + "\n"
