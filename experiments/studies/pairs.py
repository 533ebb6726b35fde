"""Compares the arms of finished studies with one of them, after a number of trials.

The comparison reads `results.csv` of one or more studies. A value is a geometric mean of ratios of
speeds over all cases and seeds, paired by both: 1.03 means 3 % faster. Its 95 % interval is corrected for
the number of arms in the table (Bonferroni). A run without a success by then counts as the slowest run of
its case. Only arms that all studies have are compared. Cases of two studies are distinct, even with equal
names. The best known of a case is the fastest schedule that any of its runs chose.
"""
from __future__ import annotations

import csv
import dataclasses
import io
import math
import pathlib
from collections.abc import Iterable, Mapping, Sequence

from schedulegym.studies import effects, factors
from schedulegym.studies.curves import Array
from schedulegym.studies.faults import StudyError, unknown_name
from schedulegym.studies.packed import text_of

END, BEST = "end", "best known"
_AFTER, _RESULTS = "best_after_", "results.csv"
_COLUMNS = {"case", "arm", "seed", "chosen"}

_Row = dict[str, str]
_Case = tuple[str, str]  # the file and the name
_Runs = dict[tuple[_Case, str, int], _Row]  # by case, arm and seed
_Logs = dict[_Case, dict[int, float]]  # logarithms of speeds, by case and seed


@dataclasses.dataclass(frozen=True)
class Ratio:
    """A geometric mean of ratios of speeds, and its interval."""

    mean: float
    low: float
    high: float

    def text(self) -> str:
        return f"{self.mean:.2f} [{self.low:.2f}, {self.high:.2f}]"


@dataclasses.dataclass(frozen=True)
class Pairs:
    """Each arm's ratio to the arm `over`, at each point; None if too few runs can be paired."""

    over: str
    points: tuple[str, ...]
    ratios: dict[str, tuple[Ratio | None, ...]]  # by arm

    def text(self) -> str:
        """Returns a Markdown table."""
        titles = [f"over {self.over}", *("in the end" if point == END else f"after {point}"
                                         for point in self.points)]
        rows = [[arm, *(ratio.text() if ratio else "-" for ratio in ratios)]
                for arm, ratios in self.ratios.items()]
        lines = [titles, ["---"] + ["---:"] * len(self.points), *rows]
        return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def pairs_of(files: Sequence[pathlib.Path], over: str, points: Sequence[str] = (END,),
             known: Sequence[pathlib.Path] = ()) -> Pairs:
    """Compares the arms of studies.

    Args:
        files: `results.csv` of each study, compressed with gzip or not, or the study's folder.
        over: the arm to compare with, or BEST.
        points: numbers of trials, or END for the schedule that a run chose.
        known: results of other studies that may hold the best known, by the names of cases.

    Raises:
        StudyError: a file is not a result of a study, or an arm or a point does not exist.
    """
    differences = differences_of(files, over, points, known)
    columns = [_ratios_of(list(by_arm.values())) for by_arm in differences]
    return Pairs(over, tuple(points), dict(zip(differences[0], zip(*columns))))


def differences_of(files: Sequence[pathlib.Path], over: str, points: Sequence[str],
                   known: Sequence[pathlib.Path] = ()) -> list[dict[str, dict[str, Array]]]:
    """Returns, at each point, by arm and case, differences of logarithms of speeds to the arm `over`.

    Each array has one value for each seed that both arms have. Arguments and errors are those of
    pairs_of.
    """
    each = [_read_runs(path) for path in files]
    runs = {place: row for some in each for place, row in some.items()}
    arms = [arm for arm in dict.fromkeys(arm for _, arm, _ in runs)
            if all(any(arm == one for _, one, _ in some) for some in each)]
    if over not in (*arms, BEST):
        raise unknown_name("arm", over, [*arms, BEST])
    if known and over != BEST:
        raise StudyError(f"--known: found it beside --over '{over}', expected --over '{BEST}'")
    fastest = _fastest(known)
    found = []
    for point in points:
        logs = _logs_of(runs, _column_of(point, runs))
        if over == BEST:
            logs[BEST] = _best_of(runs, fastest)
        found.append({arm: _paired(logs.get(arm, {}), logs.get(over, {}))
                      for arm in arms if arm != over})
    return found


def _read_runs(path: pathlib.Path) -> _Runs:
    file = _results_in(path) if path.is_dir() else path
    try:
        rows = list(csv.DictReader(io.StringIO(text_of(file))))
    except StudyError:
        raise
    except OSError as fault:
        raise StudyError(f"{file}: {fault.strerror}") from None
    except ValueError:
        rows = []
    if not rows or not _COLUMNS <= rows[0].keys():
        raise StudyError(f"{file}: found no results of a study, expected its results.csv")
    try:
        return {((str(file), row["case"]), row["arm"], int(row["seed"])): row for row in rows}
    except (TypeError, ValueError):
        raise StudyError(f"{file}: found a row whose seed is no number") from None


def _results_in(folder: pathlib.Path) -> pathlib.Path:
    """Returns the results of a study's folder, or of a folder that keeps them compressed."""
    plain, packed = folder / _RESULTS, folder / f"{_RESULTS}.gz"
    return packed if packed.exists() and not plain.exists() else plain


def _column_of(point: str, runs: _Runs) -> str:
    column = "chosen" if point == END else _AFTER + point
    if not all(column in row for row in runs.values()):
        names = [name.removeprefix(_AFTER) for name in next(iter(runs.values()))
                 if name.startswith(_AFTER)]
        raise StudyError(f"--at: found '{point}', expected some of {', '.join([*names, END])}")
    return column


def _logs_of(runs: _Runs, column: str) -> dict[str, _Logs]:
    """Returns logarithms of speeds by arm."""
    slowest: dict[_Case, float] = {}
    for (case, _, _), row in runs.items():
        if _speed(row, column) > 0:
            slowest[case] = min(slowest.get(case, math.inf), _speed(row, column))
    logs: dict[str, _Logs] = {}
    for (case, arm, seed), row in runs.items():
        if case in slowest:
            speed = _speed(row, column) or slowest[case]
            logs.setdefault(arm, {}).setdefault(case, {})[seed] = math.log(speed)
    return logs


def _best_of(runs: _Runs, known: Mapping[str, float]) -> _Logs:
    """Returns the best known of each case, for every seed of it."""
    best: dict[_Case, float] = {}
    for (case, _, _), row in runs.items():
        best[case] = max(best.get(case, known.get(case[1], 0.0)), _speed(row, "chosen"))
    logs: _Logs = {}
    for case, _, seed in runs:
        if best[case] > 0:
            logs.setdefault(case, {})[seed] = math.log(best[case])
    return logs


def _fastest(files: Iterable[pathlib.Path]) -> dict[str, float]:
    """Returns the speed of the fastest schedule that any run chose, by the name of the case."""
    best: dict[str, float] = {}
    for path in files:
        for ((_, name), _, _), row in _read_runs(path).items():
            best[name] = max(best.get(name, 0.0), _speed(row, "chosen"))
    return best


def _speed(row: _Row, column: str) -> float:
    """Returns the speed; 0 if no trial succeeded."""
    return float(row[column] or 0)


def _paired(ours: _Logs, theirs: _Logs) -> dict[str, Array]:
    """Returns differences by case; with several files the case's name includes the file."""
    files = {file for file, _ in (*ours, *theirs)}

    def named(logs: _Logs) -> dict[str, dict[int, float]]:
        return {name if len(files) < 2 else f"{file}\n{name}": seeds
                for (file, name), seeds in logs.items()}

    return factors.paired(named(ours), named(theirs))


def _ratios_of(differences: Sequence[Mapping[str, Array]]) -> list[Ratio | None]:
    """Returns the ratio of each arm."""
    found = [effects.effect_of(list(cases.values())) for cases in differences]
    return [_ratio_of(one) for one in effects.judge(found, math.log1p(0.01))]


def _ratio_of(judged: effects.Judged) -> Ratio | None:
    if judged.effect is None or judged.low is None or judged.high is None:
        return None
    return Ratio(math.exp(judged.effect.mean), math.exp(judged.low), math.exp(judged.high))
