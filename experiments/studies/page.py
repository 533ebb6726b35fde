"""Page: a study's report as one self-contained file: text, tables, and figures by Plotly."""
from __future__ import annotations

import dataclasses
import html
import json
import pathlib
from collections.abc import Mapping, Sequence
from typing import Any

from schedulegym.studies import curves, figures, noise
from schedulegym.studies.effects import shown
from schedulegym.studies.figures import Figure, Palette
from schedulegym.studies.regret import PARTS
from schedulegym.studies.outcome import Timing
from schedulegym.studies.packed_plotly import plotly_html
from schedulegym.studies.study import Study
from schedulegym.studies.summary import Summary, Results

_HERE = pathlib.Path(__file__).parent
# Wraps a table: a wide table scrolls by mouse, touch or keys.
SCROLLED = '<div class=scroll tabindex=0 role=region aria-label="table">'
_MOST_CASES = 24  # cases that get their own plot


@dataclasses.dataclass(frozen=True)
class Colophon:
    """The origin of the numbers."""

    command: str  # makes the page again
    facts: Mapping[str, str]  # machine and versions
    timings: dict[str, list[Timing]]  # by arm


# Seeds for intervals that hold for any distribution of failures: at worst 92.4 % of the intervals of ten
# seeds contain the true value, and 93.9 % of those of twenty (coverage.py).
_ENOUGH = 20


@dataclasses.dataclass(frozen=True)
class Lead:
    """The part above a study's own report."""

    body: str  # HTML
    figures: Sequence[Figure] = ()  # each with a place in the body
    script: str = ""
    style: str = ""


def figures_of(summary: Summary, told: Results, colophon: Colophon) -> list[Figure]:
    """Returns all figures that have data, in the order of the page."""
    study = summary.study
    palette = Palette([arm.name for arm in study.arms])
    shown: list[Figure | None] = [
        figures.anytime(summary, palette, seconds=False),
        figures.anytime(summary, palette, seconds=True),
        figures.finals(summary, told, palette)]
    for name, title, key in (("comparisons", f"Beside {study.baseline}", "comparisons"),
                             ("main-effects", "Main effects", "main_effects"),
                             ("interactions", "Interactions", "interactions")):
        shown.append(figures.effect_plot(name, title, told[key], study.margin))
    shown += [figures.heat_map(summary, told), figures.gap_parts(told),
              figures.phases([arm.name for arm in study.arms],
                             colophon.timings if _is_live(study) else {}),
              figures.failures(told)]
    shown += [figures.anytime(summary, palette, False, case.name, over_best=False)
              for case in study.cases[:_MOST_CASES]]
    return [figure for figure in shown if figure is not None and figure.data]


def _is_live(study: Study) -> bool:
    """Whether a case is measured. Otherwise the page has no wall times and is reproducible."""
    return any(case.kind == "host" for case in study.cases)


def page_of(summary: Summary, told: Results, colophon: Colophon, lead: Lead = Lead("")) -> str:
    """Returns the whole page."""
    shown = figures_of(summary, told, colophon)
    cases = [figure for figure in shown if figure.name.startswith("anytime-trials-")]
    body = [_head(summary, told), lead.body, _short(told)]
    body += [section_html(figure) for figure in shown if figure not in cases]
    body += [_verdicts(told), _by_budget(told, "trials"), _by_budget(told, "seconds"),
             _targets(told), _gap_table(told)]
    if cases:
        body.append("<h2>Case by case</h2><p class=note>Best so far over the reference schedule, "
                    "by trials.</p><div class=plots>" + "".join(
                        f"<figure><h3>{escaped(one.title)}</h3>{_plot(one)}</figure>"
                        for one in cases) + "</div>")
    body += [_winners(summary), _colophon(colophon)]
    return _document(summary.study.name, "".join(body), [*lead.figures, *shown], lead)


def live_page(title: str, lead: Lead, every: float | None) -> str:
    """Returns the page of a running search: the lead without a script; reloads every `every` seconds."""
    refresh = "" if every is None else f"<meta http-equiv=refresh content={every:g}>"
    return _head_of(title, lead, refresh) + f"<body><h1>{escaped(title)}</h1>{lead.body}</body></html>\n"


def _head_of(title: str, lead: Lead, more: str = "") -> str:
    return ("<!DOCTYPE html>\n<html lang=en><head><meta charset=utf-8>"
            '<meta name=viewport content="width=device-width, initial-scale=1">'
            f'<link rel=icon href="data:,">{more}'
            f"<title>{escaped(title)}</title><style>{(_HERE / 'page.css').read_text('utf-8')}"
            f"{lead.style}</style></head>")


def _document(title: str, body: str, shown: Sequence[Figure], lead: Lead) -> str:
    data = json.dumps([{"name": one.name, "data": one.data, "layout": one.layout}
                       for one in shown], separators=(",", ":"), allow_nan=False)
    data = data.replace("</", "<\\/")
    return (f"{_head_of(title, lead)}<body>{body}"
            f"<script type='application/json' id=figures>{data}</script>"
            f"{plotly_html()}"
            f"<script>{(_HERE / 'page.js').read_text('utf-8')}</script>" +
            (f"<script>{lead.script}</script>" if lead.script else "") + "</body></html>\n")


def _head(summary: Summary, told: Results) -> str:
    study, runs = summary.study, told["runs"]
    measures = sorted({case.kind for case in study.cases})
    kinds = {"host": "measured on the host", "analytical": "judged by the analytical model",
             "table": "replayed from tables"}
    text = (f"<h1>{escaped(study.name)}</h1><p>{escaped(study.about)}</p><p class=note>"
            f"{len(study.cases)} cases × {len(study.arms)} arms × {len(study.seeds)} seeds, "
            f"{study.trials} trials" +
            (f" or {study.seconds:g} s" if study.seconds else "") + " each, " +
            escaped(", ".join(kinds[one] for one in measures)) +
            f"; {runs['made']} of {runs['planned']} runs are there.</p>")
    if "host" not in measures:
        text += ("<p class=note>No speed on this page was measured in this study; seconds are those "
                 "of a simulated clock.</p>")
    ceilings = {name: case["noise_ceiling"] for name, case in told["cases"].items()
                if "noise_ceiling" in case}
    if ceilings:
        text += noise_html(ceilings)
    if study.cheating:
        text += ("<p class=warning>Agents may see the estimate that judges them "
                 "(cheating = true): this compares searches alone, and no speed.</p>")
    if study.smoke:
        text += "<p class=warning>A trial of the machinery: too small to say anything.</p>"
    if len(study.seeds) < 2:
        text += ("<p class=warning>One seed: nothing on this page can tell a difference from "
                 "chance.</p>")
    elif len(study.seeds) < _ENOUGH:
        text += ("<p class=note>Of so few seeds, where a search in ten fails and cases lie apart, an "
                 "interval of 95 % holds the truth less often: of three in 75 %, of five in 84 %, of ten "
                 "in 92 % of made-up studies.</p>")
    return text


def noise_html(ceilings: noise.Ceilings) -> str:
    """Returns a line with the noise ceilings of tables, and a warning if some are too noisy."""
    text = f"<p class=note>Noise ceilings: {escaped(noise.ceilings_text(ceilings, '{}'))}.</p>"
    warning = noise.warning_text(ceilings, "{}")
    return text + (f"<p class=warning>{escaped(warning)}</p>" if warning else "")


def _short(told: Results) -> str:
    """Returns the main results."""
    verdicts = {one["name"]: one for one in told["comparisons"]}
    margin = told["study"]["margin"]
    rows = []
    for name, arm in told["arms"].items():
        one = verdicts.get(name)
        target = arm["targets"][1]
        rows.append([_arm(name, arm), _verdict(one, margin) if one else "the baseline",
                     _percent(one) if one else "", estimate_html(arm["final"]["over_best_known"]),
                     estimate_html(arm["final"]["over_reference"]),
                     estimate_html(one["improvement"], 2) if one else "",
                     f"{number_html(target['trials'], 0)} <small>{target['reached']} of "
                     f"{target['runs']} runs</small>"])
    return "<h2>In short</h2>" + table_html(
        ["arm", "verdict", "faster by", "over the best known", "over the reference",
         "beats the baseline", "trials to 0.95 of the best known"], rows, {1})


def _verdicts(told: Results) -> str:
    margin = told["study"]["margin"]
    text = ""
    for title, key in (("Comparisons", "comparisons"), ("Main effects", "main_effects"),
                       ("Interactions", "interactions")):
        rows = [[escaped(one["name"]), _percent(one), _p_value(one["p"]),
                 number_html(one["pairs"], 0), _verdict(one, margin), _shown(one)]
                for one in told[key]]
        if rows:
            text += f"<h3>{title}</h3>" + table_html(
                ["what", "effect", "p, corrected", "seeds", "verdict", "shown"], rows, {4, 5})
    if not text:
        return ""
    return ("<h2>Verdicts</h2><p class=note>Paired by case and seed; each list is corrected for its "
            "length (p by Holm, intervals by Bonferroni). They speak of these cases alone. What "
            f"differs by less than {100 * margin:g} % counts as no difference.</p>" + text)


def _by_budget(told: Results, unit: str) -> str:
    arms = told["arms"]
    points = [point["at"] for point in next(iter(arms.values()))[f"best_by_{unit}"][
        "over_best_known"]]
    if not points:
        return ""
    text = f"<h2>By {unit}</h2>"
    for title, key in (("Speed over the best known", "over_best_known"),
                       ("Speed over the reference", "over_reference")):
        rows = [[_arm(name, arm), *(estimate_html(point) for point in arm[f"best_by_{unit}"][key])]
                for name, arm in arms.items()]
        text += f"<h3>{title}</h3>" + table_html([f"{unit}", *map(str, points)], rows)
    return text


def _targets(told: Results) -> str:
    text = ("<h2>What a target costs</h2><p class=note>Targets are shares of the best known of each "
            "case. The median counts runs that never got there as dearer than all others; what is "
            "expected is all that was spent, for each run that got there. Beside it: how many runs "
            "did. Targets above a table's noise ceiling are left out for its case: its samples "
            "cannot tell who reached them.</p>")
    for unit, digits in (("trials", 0), ("seconds", 1)):
        rows = [[_arm(name, arm), *(_cost(one, unit, digits) for one in arm["targets"])]
                for name, arm in told["arms"].items()]
        text += table_html([unit, *(f"to {target:g}" for target in curves.TARGETS)], rows)
    return text


def _cost(one: Results, unit: str, digits: int) -> str:
    expected = one[f"expected_{unit}"]
    text = "" if expected is None else f"{expected:.{digits}f} expected, "
    return (f"{number_html(one[unit], digits)} <small>{text}{one['reached']} of {one['runs']}</small>")


def _gap_table(told: Results) -> str:
    rows = [[_arm(name, arm), *(estimate_html(arm["gap"][part])
                            for part in PARTS)]
            for name, arm in told["arms"].items()]
    return "<h2>The gap in three</h2>" + table_html(
        ["arm", "space", "exploration", "selection", "these two", "all"], rows)


def _winners(summary: Summary) -> str:
    text = "<h2>Winners</h2>"
    for case in summary.study.cases:
        winner = summary.winner(case.name)
        if winner is None:
            text += f"<h3>{escaped(case.name)}</h3><p>-</p>"
            continue
        arm, seed, outcome = winner
        text += (f"<h3>{escaped(case.name)}</h3><p>{escaped(arm)}, seed {seed}: "
                 f"{number_html(outcome.chosen)} times as fast as the reference</p>")
        if outcome.replay:
            text += f"<pre>{escaped(outcome.replay)}</pre>"
        if outcome.trace:
            text += (f"<details><summary>its schedule</summary><pre>{escaped(outcome.trace)}</pre>"
                     "</details>")
    return text


def _colophon(colophon: Colophon) -> str:
    facts = "".join(f"<dt>{escaped(name)}</dt><dd>{escaped(value)}</dd>"
                    for name, value in colophon.facts.items())
    return (f"<h2>Where this comes from</h2><dl>{facts}</dl><p>To make it again:</p>"
            f"<pre>{escaped(colophon.command)}</pre>")


def section_html(figure: Figure) -> str:
    """Returns the figure with its heading and its note."""
    return (f"<h2>{escaped(figure.title)}</h2><p class=note>{escaped(figure.note)}</p>"
            f"<figure>{_plot(figure)}</figure>")


def _plot(figure: Figure) -> str:
    return (f'<div class=plot id="{figure.name}" '
            f'style="min-height:{figure.layout["height"]}px"></div>')


def table_html(head: Sequence[str], rows: Sequence[Sequence[str]],
           text_columns: set[int] | None = None) -> str:
    """Returns a table; cells are HTML already."""
    def row(cells: Sequence[str], tag: str) -> str:
        kinds = [" class=text" if place in (text_columns or set()) else ""
                 for place in range(len(cells))]
        return "<tr>" + "".join(f"<{tag}{kind}>{cell}</{tag}>"
                                for kind, cell in zip(kinds, cells)) + "</tr>"

    return (f"{SCROLLED}<table><thead>{row(head, 'th')}</thead><tbody>"
            f"{''.join(row(cells, 'td') for cells in rows)}</tbody></table></div>")


def _arm(name: str, arm: Results) -> str:
    """Returns the name of the arm, marked if the arm sees the evaluator."""
    seen = " <small>sees the evaluator (cheating = true)</small>" if arm["sees_evaluator"] else ""
    return escaped(name) + seen


def _verdict(one: Results, margin: float) -> str:
    text = figures.verdict_text(str(one["verdict"]), margin)
    if one["verdict"] == "not decidable with these seeds":
        text += (f": about {one['seeds_needed']} would decide" if one["seeds_needed"]
                 else ": nor with a thousand")
    kind = one["verdict"] if one["verdict"] in ("better", "worse") else ""
    return f"<span class='{kind}'>{escaped(text)}</span>"


def _shown(one: Results) -> str:
    return escaped(shown(one["low"], one["high"], one["seeds_needed"]))


def _percent(one: Results) -> str:
    if one["effect"] is None:
        return "-"
    return (f"{100 * one['effect']:+.2f} % <small>[{100 * one['low']:+.2f}, "
            f"{100 * one['high']:+.2f}]</small>")


def estimate_html(estimate: Results | None, digits: int = 3) -> str:
    """Returns the estimate with its interval; "-" if there is none."""
    if estimate is None or estimate["value"] is None:
        return "-"
    text = f"{estimate['value']:.{digits}f}"
    if estimate["low"] is not None:
        text += f" <small>[{estimate['low']:.{digits}f}, {estimate['high']:.{digits}f}]</small>"
    return text


def _p_value(p: float | None) -> str:
    return "-" if p is None else "&lt; 0.0001" if p < 1e-4 else f"{p:.4f}"


def number_html(value: Any, digits: int = 3) -> str:
    """Returns the number; "-" for None."""
    return "-" if value is None else f"{value:.{digits}f}"


def escaped(value: object) -> str:
    """Escapes the text for HTML."""
    return html.escape(str(value))
