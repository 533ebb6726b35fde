"""Entry: a search that takes part, with who made it and what it cost beforehand.

An entry is a folder:

    entry.toml      the metadata, by the schema of `read_entry`
    *.py            the agent's own code, if it has any, or that of a plugin: *.cc; may have folders
    records.jsonl   what it claims: one run a line, from a board's folder
    verified.json   what `leaderboard verify` found, for one state of the code, sealed

The last two say nothing that an agent reads; all else is its code. What Python compiles is none of it,
and is never read; hidden files are refused.
"""
from __future__ import annotations

import dataclasses
import hashlib
import pathlib
import re
import sys
from collections.abc import Mapping
from typing import Any

from schedulegym.leaderboard.signature import Mark, mark_of
from schedulegym.studies.confined import COMPILED, RECORDS, VERIFIED
from schedulegym.studies.faults import StudyError
from schedulegym.studies.fields import Fields
from schedulegym.studies.packed import read_text
from schedulegym.studies.specs import parse_spec

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

VERSION = 1
DIVISIONS = ("closed", "open")
_KEYS = ("entry", "name", "authors", "licence", "about", "division", "agent", "plugin", "space",
         "tuning")
_TUNING_KEYS = ("trials", "hours", "what", "training_seconds")
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}\Z")
_PYC = re.compile(r"\A[^.]+\.[a-z]+-\d+(\.opt-[12])?\.pyc\Z")
_PLUGIN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_-]{0,39}\.so\Z")
# Options that name a file with what an agent learned before.
_LEARNED = ("policy", "checkpoint", "tree", "transfer")
_MODELS = ("boosted", "random", "analytical")


@dataclasses.dataclass(frozen=True)
class Tuning:
    """What was spent before the first trial; declared, never hidden."""

    trials: int  # trials that were spent on choosing the entry's parameters
    hours: float  # hours of people and machines, on the same
    what: str  # which parameters, over which ranges
    training_seconds: float  # of a model or policy that comes with it; open division


@dataclasses.dataclass(frozen=True)
class Entry:
    """As its folder, or a board's file, says."""

    name: str
    agent: str  # a spec
    division: str
    authors: tuple[str, ...]
    licence: str
    about: str
    tuning: Tuning
    space: str | None = None  # a space of its own, open division; else the board's
    seeds: int | None = None  # of a baseline: may be fewer than the board's
    code: str | None = None  # digest of its folder
    search: str | None = None  # digest of the files that search: all but entry.toml
    plugin: str | None = None  # a library of agents, in its folder or built from its sources
    library: pathlib.Path | None = dataclasses.field(default=None, compare=False)  # where it was built
    folder: pathlib.Path | None = dataclasses.field(default=None, compare=False)

    def mark(self, board: str) -> Mark:
        """What was found holds for that code and that board alone, and counts where it was found."""
        if self.folder is None:
            return Mark("built-in")
        try:
            text = read_text(self.folder / VERIFIED)
        except FileNotFoundError:
            return Mark("unverified")
        except (OSError, UnicodeDecodeError):
            text = ""
        return mark_of(text, self.name, self.code, board)


def read_entry(folder: pathlib.Path) -> Entry:
    """StudyError, in one line, for whatever is wrong with its entry.toml."""
    file = folder / "entry.toml"
    try:
        values = tomllib.loads(read_text(file))
    except OSError as fault:
        raise StudyError(f"{file}: {fault.strerror}: expected the folder of an entry") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as fault:
        raise StudyError(f"{file}: {fault}") from None
    try:
        entry = _entry_of(values)
        refuse_what_is_learned(entry)
    except StudyError as fault:
        raise StudyError(f"{file}: {fault}") from None
    return dataclasses.replace(entry, code=code_hash(folder), search=code_hash(folder, file.name),
                               folder=folder.resolve())


def code_hash(folder: pathlib.Path, *but: str) -> str:
    """Of names and contents of all in it but what is claimed and found; 64 hex digits.

    `but` names files of the folder itself.
    """
    digest = hashlib.sha256()
    for path in _parts_of(folder):
        name = path.relative_to(folder).as_posix()
        if path.is_dir():
            digest.update(f"{name}/\0".encode())
        elif name not in (RECORDS, VERIFIED, *but):
            digest.update(f"{name}\0{path.stat().st_size}\0".encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()


def entry_files(folder: pathlib.Path) -> list[pathlib.Path]:
    """In the order of their names, without what Python compiles."""
    return [path for path in _parts_of(folder) if path.is_file()]


def _parts_of(folder: pathlib.Path) -> list[pathlib.Path]:
    """Its files and folders, in the order of their names; StudyError for what is neither or hidden."""
    found = []
    for path in sorted(folder.rglob("*")):
        inner = path.relative_to(folder)
        if path.is_symlink() or not (path.is_file() or path.is_dir()):
            raise StudyError(f"{path}: found a link or a device, expected files and folders")
        if path.name.startswith("."):
            raise StudyError(f"{path}: found a hidden file, expected none in the folder of an entry: "
                             "what is there is its code")
        if COMPILED not in inner.parts:
            found.append(path)
        elif path.name != COMPILED and not _is_compiled(path):
            raise StudyError(f"{path}: found a file that Python did not compile, expected it elsewhere")
    return found


def _is_compiled(path: pathlib.Path) -> bool:
    """Whether it is what Python keeps of a module beside its folder."""
    module = path.parent.parent / f"{path.name.partition('.')[0]}.py"
    return path.parent.name == COMPILED and module.is_file() and bool(_PYC.search(path.name))


def refuse_what_is_learned(entry: Entry) -> None:
    """StudyError where an entry of the closed division brings a space, a model or a policy."""
    if entry.division == "open":
        return
    found = _learned(entry.agent)
    if entry.space is not None:
        found = f"space={entry.space}"
    if entry.tuning.training_seconds:
        found = f"training_seconds={entry.tuning.training_seconds:g}"
    if found:
        raise StudyError(f"found {found}, expected nothing that was learned or chosen before: the "
                         'closed division has the board\'s space and begins empty (division = '
                         '"open" takes it)')


def _learned(agent: str) -> str | None:
    spec = parse_spec(agent)
    for key, value in spec.options:
        if key in _LEARNED or key == "model" and value not in _MODELS:
            return f"{key}={value}"
        if key == "agent":
            inner = _learned(value)
            if inner:
                return inner
    return None


def _entry_of(values: Mapping[str, Any]) -> Entry:
    fields = Fields(values, "the entry", _KEYS)
    version = fields.whole("entry", 1)
    if version != VERSION:
        raise StudyError(f"entry: found {version}, expected version {VERSION}")
    texts = {}
    for key in ("name", "licence", "about", "agent"):
        text = fields.text(key)
        if text is None:
            raise StudyError(f"{key}: nothing found, expected a text")
        texts[key] = text
    if not _NAME.match(texts["name"]):
        raise StudyError(f"name: found '{texts['name']}', expected small letters, digits and '-', "
                         "at most forty")
    authors = fields.any("authors")
    if not isinstance(authors, list) or not authors or not all(
            isinstance(one, str) and one.strip() for one in authors):
        raise fields.wrong("authors", authors, "a list of names")
    plugin = fields.text("plugin")
    if plugin is not None and not _PLUGIN.match(plugin):
        raise StudyError(f"plugin: found '{plugin}', expected the name of a library, NAME.so")
    space = fields.text("space")
    return Entry(
        name=texts["name"], agent=parse_spec(texts["agent"]).text,
        division=fields.choice("division", DIVISIONS), authors=tuple(authors),
        licence=texts["licence"], about=texts["about"], tuning=_tuning(fields.any("tuning")),
        plugin=plugin, space=None if space is None else parse_spec(space).text)


def _tuning(values: Any) -> Tuning:
    if not isinstance(values, dict):
        raise StudyError("tuning: nothing found, expected a table [tuning] that declares what was "
                         "spent beforehand: trials, hours, what, training_seconds")
    fields = Fields(values, "tuning", _TUNING_KEYS)
    numbers = {}
    for key in ("trials", "hours", "training_seconds"):
        value = values.get(key)
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not (
                0 <= value < float("inf")):
            raise fields.wrong(key, value, "a number, 0 where nothing was spent")
        numbers[key] = value
    what = values.get("what")
    if not isinstance(what, str):
        raise fields.wrong("what", what, "a text")
    if numbers["trials"] and not what.strip():
        raise StudyError(f"what of tuning: found none, expected which parameters the "
                         f"{numbers['trials']} trials chose, over which ranges")
    return Tuning(int(numbers["trials"]), float(numbers["hours"]), what,
                  float(numbers["training_seconds"]))


def baseline_of(name: str, values: Any) -> Entry:
    """Of a board's file: a built-in agent, by its spec alone or with fewer seeds."""
    values = {"agent": values} if isinstance(values, str) else values
    if not isinstance(values, dict):
        raise StudyError(f"entry '{name}': found {values!r}, expected an agent's spec")
    fields = Fields(values, f"entry '{name}'", ("agent", "seeds", "about"))
    agent = parse_spec(str(fields.text("agent", name)))
    if agent.name in ("python", "process"):
        raise StudyError(f"entry '{name}': found {agent.text}, expected a built-in agent; an "
                         "agent's own code comes in the folder of an entry")
    entry = Entry(name, agent.text, "closed", ("ScheduleGym",), "Apache-2.0",
                  fields.text("about", "") or "", Tuning(0, 0.0, "", 0.0),
                  seeds=fields.whole("seeds", 1))
    refuse_what_is_learned(entry)
    return entry


def refuse_doubles(entries: list[Entry]) -> None:
    """StudyError where two have one name, or one search two names."""
    names: set[str] = set()
    searches: dict[tuple[str, str | None, str | None], str] = {}
    for entry in entries:
        if entry.name in names:
            raise StudyError(f"found two entries '{entry.name}', expected each name once")
        names.add(entry.name)
        is_own = entry.plugin is not None or parse_spec(entry.agent).name in ("python", "process")
        code = entry.search if is_own else None
        search = (parse_spec(entry.agent).text, entry.space, code)
        if search in searches:
            raise StudyError(f"entries '{searches[search]}' and '{entry.name}': found the same "
                             "search under two names, expected each search once")
        searches[search] = entry.name
