"""Findings: the first page of docs/results, one line each, and the pages of families of studies.

A finding of a kept study is a sentence and a ratio: `study`, `arm`, `over`, and `after` a number of
trials or "end"; `known` names other studies that may hold the best known. A finding of the simulator names
a summary. A finding without a kept file is marked as such. A finding is listed in the group of its study,
or in `group`.
"""
from __future__ import annotations

import pathlib
from collections.abc import Mapping
from typing import Any

from schedulegym.studies import offline_page, scheduler_pages
from schedulegym.studies.faults import StudyError
from schedulegym.studies.kept import Kept
from schedulegym.studies.markdown import table, wrapped
from schedulegym.studies.packed import read_text
from schedulegym.studies.ratios import CaseRatios
from schedulegym.studies.study_page import FINDING_TITLES, HEAD, ratio_cells, with_ratios

_KEYS = {"study", "text", "arm", "over", "after", "known", "group"}
_INTRODUCTION = """# What we know

One line a finding. Each links the page of its study, which has machine, date, command and all arms.

"""
_HOW_TO_READ = """## How to read a row

| column | meaning |
| --- | --- |
| ratio | geometric mean of speeds of one arm over another's, over cases and seeds, paired by both; 1.03 is 3 % faster |
| range over cases | the least and the largest ratio of a case, each a geometric mean over its seeds |
| these cases | interval of 95 % where only seeds are random; it says nothing of other cases |
| such cases | interval of 95 % where the cases are a sample of their kind: a bootstrap over cases, widened for few, at least Student's interval |
| shown for | *such cases*: both intervals leave out 1 (of one seed, the second one); *these cases*: only the first does; *not shown*: the first holds 1 |
| speeds | *machine*: measured; *table*: recorded when the table was made; *model*: the analytical model's, never measured |

The first interval is corrected for the number of arms in its study (Bonferroni), the second one is not.
The second one is wide where a study has two to four cases: so few say little of others. Cases were chosen
and not drawn, so take it as an orientation. A test computes each ratio in bold again from the kept files.

To make these pages again: `./sg python -m schedulegym.studies.pages`. With `--check` it names those
that are not up to date.
"""
_SPEEDS = {"host": "machine", "analytical": "model", "table": "table"}


def ratios_of(told: Mapping[str, Any], studies: Mapping[str, Kept]) -> list[tuple[dict[str, Any], CaseRatios]]:
    """Returns each finding of a kept study with its ratio, in the order of the file.

    Raises:
        StudyError: a finding names what does not exist.
    """
    found = []
    for one in told.get("findings", []):
        if not one.keys() <= _KEYS or not {"study", "text", "arm", "over", "after"} <= one.keys():
            raise StudyError(f"findings: found {one}, expected {', '.join(sorted(_KEYS))}")
        kept = studies.get(one["study"])
        if kept is None:
            raise StudyError(f"findings: found study '{one['study']}', which is not kept")
        found.append((one, kept.ratio(one["arm"], one["over"], str(one["after"]),
                                      tuple(one.get("known", ())))))
    return found


def of_study(told: Mapping[str, Any], name: str, studies: Mapping[str, Kept]) -> list[list[str]]:
    """Returns the rows of a study's findings."""
    return [_cells(one, ratio, studies[name]) for one, ratio in ratios_of(told, studies)
            if one["study"] == name]


def first_page(results: pathlib.Path, told: Mapping[str, Any], studies: Mapping[str, Kept],
               others: Mapping[str, str]) -> str:
    """Returns the page "What we know"; `others` maps pages written by hand to their titles."""
    parts = [HEAD.format(what="`experiments/results/pages.toml`"), _INTRODUCTION]
    homes = {name: group["title"] for group in told["groups"] for name in group["studies"]}
    if homes.keys() != studies.keys():
        raise StudyError(f"groups: found {', '.join(sorted(homes.keys() ^ studies.keys()))} in the "
                         "groups or among the studies alone, expected each in one group")
    found = ratios_of(told, studies)
    for group in told["groups"]:
        rows = [_row(one, ratio, studies) for one, ratio in found
                if one.get("group", homes.get(one["study"])) == group["title"]]
        if rows:
            parts += [f"## {group['title']}\n\n", table([*FINDING_TITLES, "speeds", "study"], rows), "\n"]
    parts += [scheduler_pages.findings_text(results, told), offline_page.findings_text(results, told)]
    unkept = [[one["text"], one["figure"], one["source"]] for one in told.get("unkept", [])]
    if unkept:
        parts += ["## Figures without kept files\n\nThe runs behind these were not kept: no test can "
                  "compute them again, and no interval over cases is known.\n\n",
                  table(["finding", "figure, no kept file", "from"], unkept), "\n"]
    parts.append(_all_studies(told, studies))
    families = [[_link(name, page["title"]), page["about"]]
                for name, page in told.get("families", {}).items()]
    if families:
        parts += ["## Families of studies\n\n", table(["page", "about"], families), "\n"]
    if others:
        parts += ["## Pages written by hand\n\nTheir runs were not kept, unless a line says so.\n\n",
                  *(f"- {_link(name, title)}\n" for name, title in others.items()), "\n"]
    parts.append(_HOW_TO_READ)
    return wrapped("".join(parts))


def family_page(results: pathlib.Path, name: str, family: Mapping[str, Any], told: Mapping[str, Any],
                studies: Mapping[str, Kept]) -> str:
    """Returns the page of several studies: their questions, their findings, and the family's notes."""
    members = [kept for kept in studies.values() if kept.name.startswith(f"{name}/")]
    parts = [HEAD.format(what=f"`experiments/results/{name}/notes.md` or `pages.toml`"),
             f"# {family['title']}\n\n{family['about']}\n\n"]
    rows = [_row(one, ratio, studies) for one, ratio in ratios_of(told, studies)
            if one["study"].startswith(f"{name}/")]
    if rows:
        parts += ["## Findings\n\n", table([*FINDING_TITLES, "speeds", "study"], rows), "\n"]
    pages = [[_link(kept.name, kept.title), kept.question] for kept in members]
    pages += [[_link(other, page["title"]), page["question"]]
              for other, page in _other_pages(told) if other.startswith(f"{name}/")]
    parts += ["## Studies\n\n", table(["study", "question"], pages)]
    notes = results / name / "notes.md"
    if notes.exists():
        text = read_text(notes)
        parts += ["\n## Notes\n\n", with_ratios(text, members[0], studies) if members else text]
    return wrapped("".join(parts))


def _all_studies(told: Mapping[str, Any], studies: Mapping[str, Kept]) -> str:
    rows = [[_link(kept.name, kept.title), kept.question, _speeds(kept), kept.source["date"]]
            for kept in studies.values()]
    rows += [[_link(name, page["title"]), page["question"], "simulator", page["date"]]
             for name, page in _other_pages(told)]
    return "## All studies\n\n" + table(["study", "question", "speeds", "date"], rows) + "\n"


def _row(one: Mapping[str, Any], ratio: CaseRatios, studies: Mapping[str, Kept]) -> list[str]:
    kept = studies[one["study"]]
    return [*_cells(one, ratio, kept), _speeds(kept), _link(kept.name)]


def _cells(one: Mapping[str, Any], ratio: CaseRatios, kept: Kept) -> list[str]:
    return [one["text"], *ratio_cells(ratio, kept.digits, one["over"], bold=True)]


def _other_pages(told: Mapping[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    return [*told.get("schedulers", {}).items(), *told.get("reports", {}).items()]


def _speeds(kept: Kept) -> str:
    kinds = dict.fromkeys(case["measure"].partition("(")[0] for case in kept.told["study"]["cases"])
    return ", ".join(_SPEEDS[kind] for kind in kinds)


def _link(name: str, title: str = "") -> str:
    return f"[{title or name}]({name}.md)"
