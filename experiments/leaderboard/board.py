"""Board: what is contested, under which budget, and who stands on it from the beginning."""
from __future__ import annotations

import dataclasses
import hashlib
import pathlib
import sys
from collections.abc import Mapping
from typing import Any

from schedulegym import Target
from schedulegym.leaderboard.entry import DIVISIONS, Entry, baseline_of
from schedulegym.leaderboard.held_out import HeldOut
from schedulegym.studies.faults import StudyError, unknown_name
from schedulegym.studies.fields import Fields
from schedulegym.studies.machine import processor
from schedulegym.studies.packed import decoded
from schedulegym.studies.recorded import digest_of, find_table
from schedulegym.studies.specs import parse_spec, value_text
from schedulegym.studies.study import Case
from schedulegym.studies.vendors import told_vendors

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

VERSION = 1
TRACKS = ("table", "model", "live")
_KEYS = ("board", "name", "edition", "about", "track", "division", "target", "space",
         "protocol", "cases", "held_out", "vendors", "trials", "seconds", "seeds", "entries")
_BOARDS = pathlib.Path(__file__).with_name("boards")
_EARLIER = "earlier"  # folder of earlier editions, which records of entries may name


@dataclasses.dataclass(frozen=True)
class Board:
    """All that a board's file says."""

    name: str
    edition: str
    about: str
    track: str
    division: str  # the widest division that it accepts
    target: str
    protocol: str  # how candidates are timed, on the live track
    space: str | None  # the space of all entries of the closed division; None: the table's, or the default
    cases: tuple[Case, ...]  # the public ones
    held_out: HeldOut | None
    vendors: Mapping[str, tuple[str, float]]  # by case: a library and its seconds
    trials: int
    seconds: float | None
    seeds: int
    baselines: tuple[Entry, ...]  # the random baseline is always among them
    place: pathlib.Path = dataclasses.field(compare=False)  # the folder that paths of its tables are relative to
    file_digest: str = ""

    @property
    def label(self) -> str:
        """What people call it."""
        return f"{self.name} {self.edition}"

    @property
    def identity(self) -> str:
        """What tells an edition apart: scores of two are never compared."""
        drawn = () if self.held_out is None else self.held_out.digests
        tables = " ".join([*(case.table or "" for case in self.cases), *drawn])
        if self.track != "live":
            return f"{self.label} {_short_digest(f'{self.file_digest} {tables}')}"
        machine = f"{self.file_digest} {processor()} {Target(self.target)}"
        return f"{self.label} {_short_digest(machine)} on {processor()}"

    def case_of(self, text: str) -> Case:
        """Of a table's name, or a workload."""
        return _case(text, text, self.track, self.place)


def builtin_boards() -> list[str]:
    """The names of those that come along."""
    return sorted(path.stem for path in _BOARDS.glob("*.toml"))


def find_board(text: str) -> pathlib.Path:
    """A built-in one by its name, or a file."""
    if text in builtin_boards():
        return _BOARDS / f"{text}.toml"
    path = pathlib.Path(text)
    if not path.exists() and "/" not in text and not text.endswith(".toml"):
        raise unknown_name("board", text, [*builtin_boards(), "a file"])
    return path


def edition_named(path: pathlib.Path, identity: str) -> Board:
    """The edition of a board with this identity: of its file, or of one of `earlier/NAME-*.toml` beside it.

    Raises:
        StudyError: none has it.
    """
    today = read_board(path)
    editions = [today, *map(read_board, sorted((path.parent / _EARLIER).glob(f"{today.name}-*.toml")))]
    for board in editions:
        if board.identity == identity:
            return board
    known = ", ".join(f"'{board.identity}'" for board in editions)
    raise StudyError(f"records: found board '{identity}', expected {'one of ' if editions[1:] else ''}{known}")


def read_board(path: pathlib.Path) -> Board:
    """StudyError, in one line, for whatever is wrong with it."""
    try:
        content = path.read_bytes()
        values = tomllib.loads(decoded(content))
    except OSError as fault:
        raise StudyError(f"{path}: {fault.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as fault:
        raise StudyError(f"{path}: {fault}") from None
    try:
        board = _board_of(values, path.parent.resolve())
    except StudyError as fault:
        raise StudyError(f"{path}: {fault}") from None
    return dataclasses.replace(board, file_digest=hashlib.sha256(content).hexdigest())


def _board_of(values: Mapping[str, Any], place: pathlib.Path) -> Board:
    fields = Fields(values, "the board", _KEYS)
    version = fields.whole("board", 1)
    if version != VERSION:
        raise StudyError(f"board: found {version}, expected version {VERSION}")
    name, edition, track = fields.text("name"), fields.text("edition"), fields.text("track")
    trials, seeds = fields.whole("trials", 1), fields.whole("seeds", 2)
    for key, value in (("name", name), ("edition", edition), ("track", track), ("trials", trials),
                       ("seeds", seeds)):
        if value is None:
            raise StudyError(f"{key}: nothing found, expected one")
    if track not in TRACKS:
        raise unknown_name("track of the board", str(track), TRACKS)
    space, vendors = fields.text("space"), fields.any("vendors")
    if vendors is not None and track != "table":
        raise StudyError(f"vendors: found some, expected none: on track {track} "
                         + ("they are measured" if track == "live" else "nothing is measured"))
    if space is not None and track == "table":
        raise StudyError(f"space: found '{space}', expected none: a table has its own")
    protocol = fields.text("protocol")
    if protocol is not None and track != "live":
        raise StudyError(f"protocol: found '{protocol}', expected none: on track {track} nothing is "
                         "timed")
    cases = _cases(fields, str(track), place)
    held_out = _held_out(fields.any("held_out"), str(track), place)
    return Board(
        name=str(name), edition=str(edition), about=fields.text("about", "") or "",
        track=str(track), division=fields.choice("division", DIVISIONS),
        target=str(fields.text("target", "llvm")), protocol=parse_spec(protocol or "cpu1").text,
        space=None if space is None else parse_spec(space).text, cases=cases,
        held_out=held_out, vendors=told_vendors(vendors, [
            *(case.name for case in cases), *(held_out.tables if held_out else ())]),
        trials=trials or 1,
        seconds=fields.number("seconds"), seeds=seeds or 2,
        baselines=_baselines(fields.any("entries"), seeds or 2), place=place)


def _short_digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _cases(fields: Fields, track: str, place: pathlib.Path) -> tuple[Case, ...]:
    given = fields.any("cases")
    if isinstance(given, list):
        given = {one: one for one in given if isinstance(one, str)}
    if not isinstance(given, dict) or not given or not all(
            isinstance(one, str) for one in given.values()):
        raise fields.wrong("cases", fields.any("cases"), "a list of tables or workloads, or "
                           "NAME = TABLE or WORKLOAD")
    return tuple(_case(name, text, track, place) for name, text in given.items())


def _case(name: str, text: str, track: str, place: pathlib.Path) -> Case:
    if track != "table":
        return Case(name, parse_spec(text).text, "host" if track == "live" else "analytical")
    file = find_table(text, place)
    return Case(name, None, f"table(file={value_text(file.name)})", digest_of(file), str(file))


def _held_out(given: Any, track: str, place: pathlib.Path) -> HeldOut | None:
    if given is None:
        return None
    if not isinstance(given, dict):
        raise StudyError(f"held_out: found {given!r}, expected a table [held_out]")
    wanted = "tables" if track == "table" else "shapes"
    fields = Fields(given, "held_out", ("count", wanted))
    count, pool = fields.whole("count", 1), given.get(wanted)
    if count is None:
        raise StudyError("count of held_out: nothing found, expected how many are drawn")
    if track == "table":
        if not isinstance(pool, list) or not all(isinstance(one, str) for one in pool):
            raise fields.wrong("tables", pool, "a list of tables")
        return HeldOut(count, tables=tuple(pool),
                       digests=tuple(digest_of(find_table(one, place)) for one in pool))
    if not isinstance(pool, dict) or not pool or not all(
            isinstance(sizes, dict) and sizes and all(_are_sizes(one) for one in sizes.values())
            for sizes in pool.values()):
        raise fields.wrong("shapes", pool, "WORKLOAD = {KEY = [SIZE, ...], ...}")
    return HeldOut(count, shapes={name: {key: tuple(sizes) for key, sizes in keys.items()}
                                  for name, keys in pool.items()})


def _are_sizes(values: Any) -> bool:
    return isinstance(values, list) and bool(values) and all(
        isinstance(one, int) and not isinstance(one, bool) and one > 0 for one in values)


def _baselines(given: Any, seeds: int) -> tuple[Entry, ...]:
    if given is None:
        given = {}
    if not isinstance(given, dict):
        raise StudyError(f"entries: found {given!r}, expected tables [entries.NAME]")
    found = [baseline_of(name, values) for name, values in given.items()]
    for entry in found:
        if entry.seeds is not None and not 2 <= entry.seeds <= seeds:
            raise StudyError(f"entry '{entry.name}': found {entry.seeds} seeds, expected 2 to the "
                             f"board's {seeds}")
    chance = baseline_of("random", "random")
    if not any(entry.name == "random" for entry in found):
        found.insert(0, chance)
    if next(one for one in found if one.name == "random") != chance:
        raise StudyError("entry 'random': found another search, expected chance alone, over all "
                         "seeds")
    return tuple(found)
