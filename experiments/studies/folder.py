"""Folder: where a study keeps what its runs gave.

    study.json      which study it is
    runs/*.json     a file for each finished run; it is there whole or not at all
    timing/*.json   the wall clock of each, and what made it
    stores/*.db     the records of each live run
    verified/*.db   that a case's reference is right, which each live run of it begins with
    vendors/*.json  what vendor libraries take for a live case
    results.json, results.csv, timing.json, report.html
    source.toml     machine, date, versions and command

A folder belongs to one study; more seeds may be added to it, nothing else may change.
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
        """StudyError where the folder is another study's, or of something else; makes nothing."""
        if (path / "study.json").exists():
            _refuse_another(path, read_study_of(path), study, arms_may_join)
        elif path.is_dir() and any(path.iterdir()):
            raise StudyError(f"{path}: found a folder of something else, expected an empty one, a "
                             "new one or that of this study")

    @classmethod
    def begin(cls, path: pathlib.Path, study: Study, arms_may_join: bool = False) -> Folder:
        """Makes it, or goes on in it; StudyError where it is another study's."""
        cls.refuse_others(path, study, arms_may_join)
        folder = cls(path, study)
        for name in ("runs", "timing", "stores"):
            (path / name).mkdir(parents=True, exist_ok=True)
        replace(path / "study.json", _pretty({"version": _VERSION, **study.fields()}))
        return folder

    def outcome(self, run: Run) -> Outcome | None:
        """None where the run is not finished; StudyError where its file is damaged."""
        path = self._file("runs", run)
        try:
            return read_outcome(read_text(path), run.key)
        except FileNotFoundError:
            return None
        except (StudyError, UnicodeDecodeError) as fault:
            raise StudyError(f"{path}: {fault} (to run it again: remove the file)") from None

    def has(self, run: Run) -> bool:
        """Whether the run is finished."""
        return self._file("runs", run).exists()

    def keep(self, run: Run, outcome: Outcome, timing: Timing) -> None:
        """The run is finished once this returns, and not before."""
        replace(self._file("timing", run), json.dumps(dataclasses.asdict(timing)) + "\n")
        replace(self._file("runs", run), outcome_text(run.key, run.place, outcome))

    def timing(self, run: Run) -> Timing | None:
        """None where nothing readable is there: it decides nothing."""
        try:
            return Timing(**json.loads(read_text(self._file("timing", run))))
        except (OSError, ValueError, TypeError):
            return None

    def makers(self, runs: Iterable[Run]) -> list[dict[str, str]]:
        """Machine and versions of each finished run; empty where nobody kept them."""
        found = [self.timing(run) for run in runs if self.has(run)]
        return [{} if timing is None else timing.facts for timing in found]

    def store(self, run: Run) -> pathlib.Path:
        """The records of a live run."""
        return self._file("stores", run).with_suffix(".db")

    def verified(self, run: Run) -> pathlib.Path:
        """What says that the reference of a live run's case is right."""
        return self.path / "verified" / f"{_slug(run.case.name)}.{run.case_key[:8]}.db"

    def merge(self, other: Folder, runs: list[Run]) -> int:
        """Takes over what the other has finished; how many runs were new.

        StudyError where both have a run and they differ: model and table runs repeat.
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
        """How many are finished; StudyError where one of their files is damaged."""
        return sum(self.outcome(run) is not None for run in runs)

    @contextlib.contextmanager
    def locked(self, shard: str | None = None) -> Iterator[None]:
        """StudyError where another process is at runs that this one would make, too: those of all, of
        the same shard K/N, or of a shard of another N."""
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
        """Tries for so many seconds: another shard may be trying the same for a moment."""
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
    """The study that a folder belongs to."""
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
    """Writes a file whole, durably, or not at all, by the rule of every output (write_output)."""
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
