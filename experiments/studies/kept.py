"""Kept results: a folder of experiments/results and its page's settings in pages.toml."""
from __future__ import annotations

import dataclasses
import functools
import json
import pathlib
import sys
from typing import Any

from schedulegym.studies.faults import StudyError, unknown_name
from schedulegym.studies.packed import read_text, text_of
from schedulegym.studies.pairs import BEST, END
from schedulegym.studies.ratios import CaseRatios, ratios_over
from schedulegym.studies.source import NAME, read_source

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_SHOWN_AFTER = (8, 16, 64, 200, 300, 500, 1000)
_MOST_POINTS = 3


@dataclasses.dataclass(frozen=True)
class Kept:
    """The results of one study.

    Attributes:
        name: its folder below experiments/results, and its page below docs/results.
        title: title of its page.
        question: the question of the study, one sentence.
        over: the arm that the others are compared with.
        points: numbers of trials, and `end` for chosen schedules that were measured again.
        digits: digits of ratios on its page.
    """

    name: str
    folder: pathlib.Path
    title: str
    question: str
    over: str
    points: tuple[str, ...]
    digits: int
    told: dict[str, Any]
    source: dict[str, str]
    notes: str

    @property
    def arms(self) -> list[str]:
        return list(self.told["arms"])

    @property
    def cases(self) -> list[str]:
        return list(self.told["cases"])

    @property
    def changes(self) -> list[str]:
        """Returns target, trials, cases and arms of the study's current file that differ from the runs."""
        file = pathlib.Path(__file__).parent / f"{self.name}.toml"
        if not file.exists():
            return []
        today, study = tomllib.loads(read_text(file)), self.told["study"]
        found = []
        for key, usual in (("target", "llvm"), ("trials", None)):
            if today.get(key, usual) != study[key]:
                found.append(f"`{key} = {json.dumps(today.get(key, usual))}`")
        cases = [case for case in today.get("cases", ()) if isinstance(case, str)]
        if cases and {*cases} != {*self.cases}:
            found.append(f"the cases {', '.join(cases)}")
        arms = {*today.get("arms", ())}
        if arms and not arms <= {*self.arms}:
            found.append(f"the arms {', '.join(sorted(arms - {*self.arms}))}, too")
        return found

    @property
    def last(self) -> str:
        """The last point of the study."""
        return self.points[-1]

    def ratios(self, over: str, point: str, known: tuple[str, ...] = ()) -> dict[str, CaseRatios]:
        """Returns ratios of all arms over an arm or the best known, which includes the studies `known`."""
        root = self.folder
        for _ in self.name.split("/"):
            root = root.parent
        return _ratios(self.folder, over, point, tuple(root / name for name in known))

    def ratio(self, arm: str, over: str, point: str, known: tuple[str, ...] = ()) -> CaseRatios:
        """Returns the ratios of one arm.

        Raises:
            StudyError: there is no such arm or point, or no run to compare.
        """
        found = self.ratios(over, point, known)
        if arm not in found:
            raise StudyError(f"{self.name}: {unknown_name('arm', arm, list(found))}")
        return found[arm]


@functools.lru_cache(maxsize=None)
def _ratios(folder: pathlib.Path, over: str, point: str, known: tuple[pathlib.Path, ...]
            ) -> dict[str, CaseRatios]:
    return ratios_over([folder], over, point, known)


def kept_names(root: pathlib.Path) -> list[str]:
    """Returns the names of all studies below the folder whose results are kept."""
    return sorted(file.parent.relative_to(root).as_posix() for file in root.rglob("results.json.gz"))


def read_kept(root: pathlib.Path, name: str, page: dict[str, Any]) -> Kept:
    """Reads one study; `page` is its table of pages.toml.

    Raises:
        StudyError: a file is missing or damaged, or `page` names what does not exist.
    """
    folder = root / name
    told = json.loads(text_of(folder / "results.json.gz"))
    unknown = page.keys() - {"title", "question", "over", "after", "digits"}
    if unknown:
        raise StudyError(f"{name}: found {', '.join(sorted(unknown))}, expected title, question, "
                         "over, after, digits")
    for key in ("title", "question"):
        if not isinstance(page.get(key), str):
            raise StudyError(f"{name}: found no {key}, expected one in pages.toml")
    over = str(page.get("over", told["study"]["baseline"]))
    if over not in (*told["arms"], BEST):
        raise unknown_name("arm", over, [*told["arms"], BEST])
    notes = folder / "notes.md"
    return Kept(name=name, folder=folder, title=page["title"], question=page["question"], over=over,
                points=_points(told, page.get("after")), digits=int(page.get("digits", 2)), told=told,
                source=read_source(folder / NAME), notes=read_text(notes) if notes.exists() else "")


def read_pages(root: pathlib.Path) -> dict[str, Any]:
    """Reads pages.toml."""
    file = root / "pages.toml"
    try:
        told: dict[str, Any] = tomllib.loads(read_text(file))
        return told
    except OSError as fault:
        raise StudyError(f"{file}: {fault.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as fault:
        raise StudyError(f"{file}: {fault}") from None


def is_live(told: dict[str, Any]) -> bool:
    """Returns whether any case was measured; runs then measured their chosen schedules again at the end."""
    return any(case["measure"] == "host" for case in told["study"]["cases"])


def _points(told: dict[str, Any], after: list[int] | None) -> tuple[str, ...]:
    grid = [point["at"] for point in next(iter(told["arms"].values()))["best_by_trials"][
        "over_best_known"]]
    shown = after or [point for point in grid if point in _SHOWN_AFTER][-_MOST_POINTS:]
    return (*map(str, shown), *([END] if is_live(told) else []))
