"""The page of one study: from its kept results to Markdown."""
from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from schedulegym.studies.effects import shown
from schedulegym.studies.faults import StudyError
from schedulegym.studies.kept import Kept, is_live
from schedulegym.studies.markdown import table, wrapped
from schedulegym.studies.noise import Ceilings, ceilings_text, shipped_ceiling, warning_text
from schedulegym.studies.pairs import BEST, END
from schedulegym.studies.ratios import CaseRatios, Interval
from schedulegym.studies.source import UNKNOWN

HEAD = ("<!-- Made by `./sg python -m schedulegym.studies.pages` from experiments/results; "
        "change {what} instead. -->\n\n")
_FEW_SEEDS = 20
_MOST_COLUMNS = 6
_RATIO = re.compile(r"\{(?:(?P<study>[\w/]+): )?(?P<arm>[^{}]+?) over (?P<over>[^{}]+?) "
                    r"(?:after (?P<after>\d+)|in the (?P<end>end))(?: on (?P<case>[^{}]+))?\}")
_KINDS = {"host": "measured on the machine", "analytical": "the analytical model's, never measured",
          "table": "of recorded tables"}


def page_of(kept: Kept, found: Sequence[Sequence[str]], studies: Mapping[str, Kept]) -> str:
    """Returns the whole page; `found` are the rows of its findings."""
    up = "../" * kept.name.count("/")
    parts = [HEAD.format(what=f"`experiments/results/{kept.name}/notes.md` or `pages.toml`"),
             f"# {kept.title}\n\n{kept.question}\n\n"]
    if found:
        parts.append(table(FINDING_TITLES, found))
        parts.append(f"\n[How to read these columns]({up}README.md#how-to-read-a-row).\n\n")
    parts += ["## Setup\n\n", table(("", ""), _setup(kept)), "\n", *_warnings(kept),
              f"## Speed over `{kept.over}`\n\n", _ratios_text(kept),
              f"![Speed over trials, and over {kept.over} where the study ends]"
              f"({kept.name.split('/')[-1]}.svg)\n\n",
              "## Case by case\n\n", _cases_text(kept), "\n## What each arm reached\n\n",
              _levels_text(kept), "\n## Arms\n\n", _arms_text(kept)]
    if kept.notes:
        parts += ["\n## Notes\n\n", with_ratios(kept.notes, kept, studies)]
    return wrapped("".join(parts))


FINDING_TITLES = ("finding", "ratio", "range over cases", "these cases", "such cases", "shown for")


def ratio_cells(ratio: CaseRatios, digits: int, over: str, bold: bool = False) -> list[str]:
    """Returns the ratio, its range over cases, both intervals, and the cases for which it is shown."""
    shown = "-" if over == BEST else ratio.shown.value  # nothing is faster than the best known
    mean = f"{ratio.mean:.{digits}f}"
    several = len(ratio.cases) > 1
    span = f"{ratio.least:.{digits}f} to {ratio.most:.{digits}f}" if several else "one case"
    return [f"**{mean}**" if bold else mean, span, _interval(ratio.fixed, digits),
            _interval(ratio.sample, digits), shown]


def with_ratios(text: str, kept: Kept, studies: Mapping[str, Kept]) -> str:
    """Replaces the placeholders of ratios in the text.

    Raises:
        StudyError: a study, an arm, a case or a number of trials does not exist.
    """
    def one(match: re.Match[str]) -> str:
        study = studies.get(match["study"]) if match["study"] else kept
        if study is None:
            raise StudyError(f"{kept.name}/notes.md: found study '{match['study']}', which is not kept")
        ratio = study.ratio(match["arm"], match["over"], match["after"] or END)
        if match["case"]:
            if match["case"] not in ratio.cases:
                raise StudyError(f"{kept.name}/notes.md: found case '{match['case']}', expected one "
                                 f"of {', '.join(ratio.cases)}")
            return f"{ratio.cases[match['case']]:.{study.digits}f}"
        interval = _interval(ratio.fixed, study.digits)
        return f"{ratio.mean:.{study.digits}f}" + ("" if interval == "-" else f" {interval}")

    return _RATIO.sub(one, text)


def _setup(kept: Kept) -> list[list[str]]:
    study, source = kept.told["study"], kept.source
    kinds = dict.fromkeys(case["measure"].partition("(")[0] for case in study["cases"])
    seconds = f" or {study['seconds']:g} s" if study.get("seconds") else ""
    rows = [["speeds", "; ".join(_KINDS[kind] for kind in kinds)],
            ["runs", f"{len(kept.cases)} cases, {len(kept.arms)} arms, {len(study['seeds'])} "
             f"{'seed' if len(study['seeds']) == 1 else 'seeds'}, {study['trials']} trials"
             f"{seconds} each; {kept.told['runs']['made']} of {kept.told['runs']['planned']} are there"],
            ["target", f"`{study['target']}`"],
            ["date", source["date"]],
            ["machine", _joined(source["machine"], source["cores"] and f"{source['cores']} cores")]]
    if ceilings := _ceilings(kept):
        rows += [["noise ceilings", ceilings_text(ceilings)]]
    if is_live(kept.told):
        rows += [["grade, noise", f"{source['grade']}; {source['noise']}"],
                 ["compiler", source["compiler"]], ["vendor libraries", source["vendors"]]]
    rows += [["system", _joined(source["system"], source["libraries"])],
             ["version", source["version"]],
             ["command", f"`{source['command'].replace('schedulegym', './sg', 1)}`"],
             ["kept files", f"`experiments/results/{kept.name}`" + (
                 ", all runs among them" if (kept.folder / "runs.tar.xz").exists() else "")]]
    return rows


def _ceilings(kept: Kept) -> Ceilings:
    """Returns the noise ceilings of cases on tables; for older results, those of shipped tables."""
    told = kept.told["cases"]
    return {case["name"]: told[case["name"]].get("noise_ceiling", shipped_ceiling(case["table"]))
            for case in kept.told["study"]["cases"] if case["table"]}


def _joined(*values: str) -> str:
    known = [value for value in values if UNKNOWN not in value]
    return ", ".join(known) or UNKNOWN


def _warnings(kept: Kept) -> list[str]:
    study, seeds = kept.told["study"], len(kept.told["study"]["seeds"])
    lines = []
    if kept.changes:
        lines.append(f"The study's file has changed since: it has {', '.join(kept.changes)}.")
    if kept.told["cheating"]:
        lines.append("Agents may see the model that evaluates them (`cheating = true`). The study "
                     "compares searches and no speeds.")
    elif not is_live(kept.told) and any(case["measure"] == "analytical" for case in study["cases"]):
        lines.append("No speed on this page was measured.")
    if warning := warning_text(_ceilings(kept)):
        lines.append(warning)
    if seeds == 1:
        lines.append("One seed: no interval for these cases alone.")
    elif seeds < _FEW_SEEDS:
        lines.append(f"With {seeds} seeds, intervals hold the truth less often than 95 % where some "
                     "searches fail.")
    return ["".join(f"- {line}\n" for line in lines) + "\n"] if lines else []


def _ratios_text(kept: Kept) -> str:
    found = {point: kept.ratios(kept.over, point) for point in kept.points}
    rows = [[arm, *(_short(found[point].get(arm), kept.digits) for point in kept.points)]
            for arm in kept.arms if arm != kept.over]
    last = found[kept.last]
    rest = [[arm, *ratio_cells(last[arm], kept.digits, kept.over)] for arm in kept.arms if arm in last]
    return ("Geometric means over cases and seeds, paired by both, with intervals for these cases:\n\n" +
            table(["arm", *map(_after, kept.points)], rows) +
            f"\nThe last column with its range over cases and both intervals:\n\n" +
            table(["arm", _after(kept.last), *FINDING_TITLES[2:]], rest) + "\n")


def _cases_text(kept: Kept) -> str:
    last = kept.ratios(kept.over, kept.last)
    arms = [arm for arm in kept.arms if arm in last]

    def cell(arm: str, case: str) -> str:
        value = last[arm].cases.get(case)
        return "-" if value is None else f"{value:.{kept.digits}f}"

    text = f"Speed over `{kept.over}`, {_after(kept.last)}, geometric means over seeds:\n\n"
    if len(kept.cases) <= _MOST_COLUMNS:
        return text + table(["arm", *(f"`{case}`" for case in kept.cases)],
                            [[arm, *(cell(arm, case) for case in kept.cases)] for arm in arms])
    return text + table(["case", *arms], [[f"`{case}`", *(cell(arm, case) for arm in arms)]
                                          for case in kept.cases])


def _levels_text(kept: Kept) -> str:
    verdicts = {one["name"]: one["verdict"] for one in kept.told["comparisons"]}
    says = {one["name"]: shown(one["low"], one["high"], one["seeds_needed"])
            for one in kept.told["comparisons"]}
    base, margin = kept.told["study"]["baseline"], kept.told["study"]["margin"]
    rows = []
    for name, arm in kept.told["arms"].items():
        target = arm["targets"][1]
        verdict = verdicts.get(name, "baseline").replace("than d", f"than {100 * margin:g} %")
        rows.append([name, _estimate(arm["final"]["over_best_known"]),
                     _estimate(arm["final"]["over_reference"]),
                     f"{target['reached']} of {target['runs']}", verdict, says.get(name, "-")])
    return ("Interquartile means with intervals for these cases, and the verdict beside "
            f"`{base}`:\n\n" + table(["arm", "over the best known", "over the reference",
                                      "runs that reached 0.95", "verdict", "shown"], rows))


def _arms_text(kept: Kept) -> str:
    rows = [[arm["name"], f"`{arm['agent']}`" + (
        ", measurements permuted" if arm["blind"] else ""), f"`{arm['space']}`" if arm["space"] else
             "the table's"] for arm in kept.told["study"]["arms"]]
    return table(["arm", "agent", "space"], rows)


def _estimate(estimate: dict[str, Any] | None) -> str:
    if estimate is None or estimate["value"] is None:
        return "-"
    return f"{estimate['value']:.2f}" + (
        "" if estimate["low"] is None else f" [{estimate['low']:.2f}, {estimate['high']:.2f}]")


def _short(ratio: CaseRatios | None, digits: int) -> str:
    if ratio is None:
        return "-"
    interval = _interval(ratio.fixed, digits)
    return f"{ratio.mean:.{digits}f}" + ("" if interval == "-" else f" {interval}")


def _interval(interval: Interval | None, digits: int) -> str:
    if interval is None:
        return "-"
    low, high = interval
    return ("[" + ("< 0.01" if low < 0.01 else f"{low:.{digits}f}") + ", " +
            ("> 100" if high > 100 else f"{high:.{digits}f}") + "]")


def _after(point: str) -> str:
    return "in the end" if point == END else f"after {point} trials"
