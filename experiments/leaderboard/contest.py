"""Contest: a board, the entries that take part and the seed of the held-out cases, as a study."""
from __future__ import annotations

import dataclasses
import json
import pathlib
from collections.abc import Sequence
from typing import Any

from schedulegym.leaderboard.board import Board
from schedulegym.leaderboard.entry import Entry, Tuning, refuse_doubles
from schedulegym.leaderboard.held_out import draw_held_out
from schedulegym.leaderboard.signature import Mark
from schedulegym.studies.faults import StudyError
from schedulegym.studies.folder import Folder, read_study_of, replace
from schedulegym.studies.packed import read_text
from schedulegym.studies.random_baseline import Chance, chance_of_all, read_chance
from schedulegym.studies.recorded import noise_ceiling_of, read_recorded
from schedulegym.studies.study import Arm, Run, Study, runs_of
from schedulegym.studies.study_file import refuse_cheating
from schedulegym.studies.vendor import Vendor
from schedulegym.studies.vendors import vendor_beside_table

_FILE = "board.json"
MARGIN = 0.01  # the smallest difference of scores that matters
LEAST_HELD_OUT = 5  # fewest cases of a board that ranks


@dataclasses.dataclass(frozen=True)
class Contest:
    """What a folder is about; the study's arms are the entries."""

    identity: str  # of the board
    label: str
    track: str
    entries: tuple[Entry, ...]
    marks: dict[str, Mark]  # of each entry
    held_out_seed: int | None
    held_out: tuple[str, ...]  # names of cases
    chances: dict[str, Chance]  # of the cases whose whole space is known
    study: Study
    vendors: dict[str, Vendor] = dataclasses.field(default_factory=dict)  # of cases, as the board says

    @property
    def public(self) -> list[str]:
        """Names of cases."""
        return [case.name for case in self.study.cases if case.name not in self.held_out]

    @property
    def ranks(self) -> bool:
        """Whether enough cases are held out to say who is ahead on others like them."""
        return len(self.held_out) >= LEAST_HELD_OUT

    @property
    def scored_on(self) -> list[str]:
        """The held-out cases of a board that ranks, else all."""
        return list(self.held_out) if self.ranks else [case.name for case in self.study.cases]

    def runs(self) -> list[Run]:
        """In the order in which they are made; some baselines have fewer seeds."""
        seeds = {entry.name: entry.seeds for entry in self.entries}
        return [run for run in runs_of(self.study)
                if run.seed < (seeds[run.arm.name] or len(self.study.seeds))]


def contest_of(board: Board, others: Sequence[Entry], held_out_seed: int | None) -> Contest:
    """StudyError where an entry does not fit the board."""
    entries = [*board.baselines, *others]
    refuse_doubles(entries)
    for entry in others:
        if entry.division == "open" and board.division == "closed":
            raise StudyError(f"entry '{entry.name}': found division open, expected closed: board "
                             f"'{board.label}' takes nothing else")
    held_out = []
    if held_out_seed is not None:
        if board.held_out is None:
            raise StudyError(f"--held-out: board '{board.label}' has no held-out cases")
        names = [case.name for case in board.cases]
        held_out = [board.case_of(text) for text in draw_held_out(
            board.held_out, board.label, held_out_seed, names)]
    study = Study(
        name=board.label, about=board.about, target=board.target,
        cases=(*board.cases, *held_out), arms=tuple(_arm(entry, board) for entry in entries),
        factors=(), baseline="random", seeds=tuple(range(board.seeds)), trials=board.trials,
        seconds=board.seconds, margin=MARGIN, order=0, cheating=False)
    refuse_cheating(study)
    return Contest(board.identity, board.label, board.track, tuple(entries),
                   {entry.name: entry.mark(board.identity) for entry in entries}, held_out_seed,
                   tuple(case.name for case in held_out), _chances(study), study,
                   {case.name: vendor_beside_table(*board.vendors[case.name], pathlib.Path(case.file))
                    for case in study.cases if case.file and case.name in board.vendors})


def begin_folder(path: pathlib.Path, contest: Contest) -> Folder:
    """Entries may join it later; anything else must be the same."""
    if (path / _FILE).exists():
        found = json.loads(read_text(path / _FILE))
        if found["identity"] != contest.identity:
            raise StudyError(f"{path}: found a folder of board '{found['identity']}', expected "
                             f"'{contest.identity}': editions are never mixed")
    folder = Folder.begin(path, contest.study, arms_may_join=True)
    replace(path / _FILE, json.dumps(_fields(contest), indent=1) + "\n")
    return folder


def sweep(path: pathlib.Path) -> None:
    """Takes away what killed processes had half written: by `replace`, under .NAME.PROCESS."""
    for file in path.rglob(".*"):
        process = file.suffix.removeprefix(".")
        if process.isdigit() and not pathlib.Path("/proc", process).exists():
            file.unlink(missing_ok=True)


def read_contest(path: pathlib.Path) -> Contest:
    """Of a board's folder."""
    study = read_study_of(path)
    try:
        found = json.loads(read_text(path / _FILE))
        entries = tuple(Entry(**{**one, "authors": tuple(one["authors"]),
                                 "tuning": Tuning(**one["tuning"])}) for one in found["entries"])
        marks = {name: Mark(**one) for name, one in found["marks"].items()}
        return Contest(found["identity"], found["label"], found["track"], entries, marks,
                       found["held_out_seed"], tuple(found["held_out"]),
                       {name: read_chance(one) for name, one in found["chances"].items()}, study,
                       {name: Vendor(**one) for name, one in found["vendors"].items()})
    except OSError:
        raise StudyError(f"{path / _FILE}: nothing found, expected the folder of a board") from None
    except (ValueError, KeyError, TypeError):
        raise StudyError(f"{path / _FILE}: found no board in it") from None


def is_contest(path: pathlib.Path) -> bool:
    """Whether a folder is a board's."""
    return (path / _FILE).exists()


def _arm(entry: Entry, board: Board) -> Arm:
    return Arm(entry.name, entry.agent, entry.space or board.space, protocol=board.protocol,
               code=entry.code, folder=None if entry.folder is None else str(entry.folder),
               plugins=() if entry.library is None else (str(entry.library),))


def _chances(study: Study) -> dict[str, Chance]:
    tables = {case.name: read_recorded(pathlib.Path(case.file)) for case in study.cases if case.file}
    ceilings = {case.name: noise_ceiling_of(pathlib.Path(case.file)) for case in study.cases if case.file}
    return {name: dataclasses.replace(
        chance_of_all(list(table.speeds.values()), table.failed, table.costs, study.trials),
        ceiling=ceilings[name]) for name, table in tables.items()}


def _fields(contest: Contest) -> dict[str, Any]:
    told = {field.name: getattr(contest, field.name) for field in dataclasses.fields(contest)
            if field.name != "study"}
    told["entries"] = [dataclasses.asdict(entry) for entry in contest.entries]
    told["marks"] = {name: dataclasses.asdict(mark) for name, mark in contest.marks.items()}
    told["chances"] = {name: chance.fields() for name, chance in contest.chances.items()}
    told["vendors"] = {name: dataclasses.asdict(one) for name, one in contest.vendors.items()}
    for entry in told["entries"]:
        del entry["folder"], entry["library"]
    return told
