"""Source: machine, date and versions of a study's results, kept in `source.toml` beside them.

    date = "2026-11-27"
    machine = "Intel(R) Xeon(R) Processor"
    ...
    command = "schedulegym study ansor.toml -o ansor"

`study` and `ablate` write the file. For older results it was written by hand from their pages and from
archives of runs. Each key is present; a value that was not recorded is "unknown".
"""
from __future__ import annotations

import pathlib
import sys
from collections.abc import Mapping, Sequence

from schedulegym.studies.faults import StudyError
from schedulegym.studies.machine import DATE, VERSION, told_facts
from schedulegym.studies.packed import read_text
from schedulegym.studies.specs import in_quotes

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

NAME = "source.toml"
UNKNOWN = "unknown"
# Each key, and the facts of runs from which it is computed.
_FACTS = {"date": (DATE,), "machine": ("processor",), "cores": ("cores",), "system": ("system",),
          "grade": ("grade",), "noise": ("noise",), "compiler": ("compiler",), "version": (VERSION,),
          "libraries": ("Python", "NumPy")}
KEYS = (*_FACTS, "vendors", "command")
_HEAD = '# What made the results beside this file; "unknown" is what nobody kept.\n'


def source_of(made: Sequence[Mapping[str, str]], vendors: Sequence[str], command: str
              ) -> dict[str, str]:
    """Returns the source of a study's runs.

    Args:
        made: the facts of each run.
        vendors: libraries that were measured beside the runs, with their versions if known.
        command: makes the results again.
    """
    told = told_facts(made, (DATE,))
    source = {}
    for key, facts in _FACTS.items():
        known = [(fact, told.get(fact, "-")) for fact in facts]
        words = [value if len(facts) == 1 else f"{fact} {value}"
                 for fact, value in known if value != "-"]
        source[key] = ", ".join(words) or UNKNOWN
    return {**source, "vendors": ", ".join(sorted(set(vendors))) or "none", "command": command}


def source_text(source: Mapping[str, str]) -> str:
    """Returns the file's text; keys that `source` lacks are unknown."""
    return _HEAD + "".join(f"{key} = {in_quotes(source.get(key, UNKNOWN))}\n" for key in KEYS)


def read_source(path: pathlib.Path) -> dict[str, str]:
    """Reads a file, by key.

    Raises:
        StudyError: there is no such file, a key is missing or unknown, or a value is not a text.
    """
    try:
        found = tomllib.loads(read_text(path))
    except OSError as fault:
        raise StudyError(f"{path}: {fault.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as fault:
        raise StudyError(f"{path}: {fault}") from None
    for key in sorted({*found, *KEYS}):
        if key not in KEYS:
            raise StudyError(f"{path}: found '{key}', expected only {', '.join(KEYS)}")
        if not isinstance(found.get(key), str) or not found[key]:
            raise StudyError(f"{path}: {key}: found {found.get(key)!r}, expected a text, or "
                             f'"{UNKNOWN}"')
    return {key: str(value) for key, value in found.items()}
