"""The board's part of the page: ranks, cases, how soon targets are reached, a card for each entry."""
from __future__ import annotations

import pathlib
from collections.abc import Sequence

import numpy as np

from schedulegym.leaderboard.contest import LEAST_HELD_OUT, MARGIN
from schedulegym.leaderboard.scores import TARGETS
from schedulegym.leaderboard.standings import Standings
from schedulegym.studies.figures import Figure, Palette, ecdf_layout
from schedulegym.studies.page import SCROLLED, Lead, escaped, estimate_html, number_html, section_html, table_html
from schedulegym.studies.summary import Results

_HERE = pathlib.Path(__file__).parent
_POINTS = 40
_MOST_LOST = 5  # lost runs that a card lists


def lead_of(standings: Standings, told: Results) -> Lead:
    """What stands above the study's report."""
    figure = ecdf_figure(standings)
    body = (_head(told) + _ranks(told) + section_html(figure) + _cases(standings, told) +
            _vendors(told) + _cards(told) + _replays(told))
    return Lead(body, [figure], (_HERE / "board.js").read_text("utf-8"),
                (_HERE / "board.css").read_text("utf-8"))


def ecdf_figure(standings: Standings) -> Figure:
    """The share of all targets that were reached within each budget."""
    last = standings.contest.study.trials
    points = sorted({int(round(point)) for point in np.geomspace(1, last, _POINTS)})
    palette = Palette([entry.name for entry in standings.contest.entries])
    data = [{"type": "scatter", "mode": "lines", "name": palette.label(entry.name), "x": points,
             "y": [round(share, 5) for share in standings.ecdf(entry.name, points)],
             "line": {"color": palette.color(entry.name), "dash": palette.dash(entry.name),
                      "width": 2.2, "shape": "hv"}} for entry in standings.contest.entries]
    targets = ", ".join(f"{target:g}" for target in TARGETS)
    return Figure("ecdf", "How soon targets are reached",
                  "The share of all targets (runs of the cases that rank, times " + targets +
                  " of the way from the median schedule to the optimum, on the logarithm) reached "
                  "within so many trials. Targets above a table's noise ceiling are left out.", data, ecdf_layout(points))


def family(case: str, workload: str | None) -> str:
    """The kind of computation."""
    return (workload or case).partition("(")[0].partition(".")[0]


def _head(told: Results) -> str:
    held_out = [name for name, case in told["cases"].items() if case["held_out"]]
    if told["ranked_on"]:
        text = f"<p>Ranked on the {told['ranked_on']}: {escaped(', '.join(held_out))}.</p>"
    else:
        text = (f"<p class=warning>no ranks: {len(held_out)} case{'' if len(held_out) == 1 else 's'} held "
                f"out. Scores alone, over all cases: a board ranks on at least {LEAST_HELD_OUT} held-out "
                "cases (--held-out SEED).</p>")
    if held_out:
        text += (f"<p class=note>Held out, drawn from the seed {told['held_out_seed']}: "
                 f"{escaped(', '.join(held_out))}.</p>")
    return text + (f"<p class=note>Edition {escaped(told['identity'])}; no score crosses editions."
                   "</p>") + _left_out(told) + _live(told)


def _left_out(told: Results) -> str:
    """Targets that a table is too noisy for."""
    found = [f"{name}: {', '.join(f'{target:g}' for target in case['left_out'])}"
             for name, case in told["cases"].items() if case.get("left_out")]
    if not found:
        return ""
    return ("<p class=note>Targets above the noise ceiling of a case's table are left out: "
            f"{escaped('; '.join(found))}.</p>")


def _live(told: Results) -> str:
    """Of boards whose speeds were measured."""
    if told["track"] != "live":
        return ""
    return ("<p class=note>Measured live. What each search ended with was measured again in fresh "
            "processes, its outputs held against the reference's on inputs drawn then; final speeds are "
            "those. Thinking is the mean of a run.</p>")


def _ranks(told: Results) -> str:
    """By the score, those without one last."""
    rows = []
    is_ranked = told["ranked_on"] is not None
    scored = {name: one["scores"]["ranked"]["by_trials"] for name, one in told["entries"].items()}
    order = sorted(told["entries"].items(), key=lambda one: (
        scored[one[0]] is None, -(scored[one[0]] or {"value": 0})["value"]))
    for name, one in order:
        ranked, beside = one["scores"]["ranked"], one.get("beside_chance")
        placed = [number_html(one["rank"], 0), one["group"] or "-"] if is_ranked else []
        rows.append([*placed, f'<a href="#card-{escaped(name)}">{escaped(name)}</a>',
                     estimate_html(ranked["by_trials"]),
                     estimate_html((ranked["by_trials"] or {}).get("typical")),
                     estimate_html(ranked["by_seconds"]),
                     escaped(beside["verdict"].replace("larger than d", f"larger than {MARGIN:g}"))
                     if beside else "-",
                     estimate_html(one["improvement_over_chance"], 2),
                     estimate_html(one["final_over_reference"]), 
                     estimate_html(one["final_over_vendor"]),
                     *(number_html(one["targets"][key], 2) for key in ("0.9", "0.99")),
                     number_html(one["tuning"]["trials"], 0),
                     number_html(one["tuning"]["training_seconds"], 0),
                     number_html(one["thinking"]), escaped(one["division"]),
                     escaped(_mark(one, short=True)),
                     f"{one['runs']['made']} of {one['runs']['planned']}" +
                     (f", {len(one['lost'])} lost" if one["lost"] else "")])
    head = [*(["rank", "group"] if is_ranked else []), "entry", "score by trials", "typical run",
            "score by seconds", "beside chance",
            "beats a run of chance", "final over the reference", "final over the best vendor",
            "reached 0.9", "reached 0.99", "tuned for, trials", "trained for, s", "thinking, s",
            "division", "mark", "runs"]
    groups = ("Ranks go by the score. Entries that share a letter cannot be told apart: their difference, "
              "case by case, may be chance. Intervals are over cases drawn like these. " if is_ranked else "")
    return (f"<h2>{'Ranks' if is_ranked else 'Scores'}</h2><p class=note>A score of 0 is what chance has in "
            "the mean, 1 the optimum at once; the typical run is the interquartile mean. "
            f"{groups}A click on a head sorts.</p>" + _sortable(head, rows))


def _cases(standings: Standings, told: Results) -> str:
    entries = list(told["entries"])
    workloads = {case.name: case.workload for case in standings.contest.study.cases}
    families = sorted({family(name, workloads[name]) for name in told["cases"]})
    rows, kinds = [], []
    for place, (case, facts) in enumerate(told["cases"].items()):
        cells = []
        for name in entries:
            cell = told["entries"][name]["by_case"][case]
            text = estimate_html(cell["score"])
            cells.append(f'<a href="#replay-{place}-{entries.index(name)}">{text}</a>'
                         if cell["best"] is not None else text)
        window = facts.get("window")
        rows.append([escaped(case) + (" <small>held out</small>" if facts["held_out"] else ""),
                     "-" if window is None else f"{window[0]} to {window[1]}", *cells])
        kinds.append(family(case, workloads[case]))
    options = "".join(f"<option>{escaped(one)}</option>" for one in families)
    return ("<h2>Cases</h2><p class=note>Scores by trials, between the budgets at which chance has "
            "gone a half and 0.96 of the way from the median to the optimum. Each leads to the "
            "command that shows its best schedule.</p><p><label>family <select id=family><option "
            f"value=''>all</option>{options}</select></label></p>" +
            _sortable(["case", "trials scored", *entries], rows, kinds))


def _vendors(told: Results) -> str:
    """Only where there is one."""
    rows = []
    for case, facts in told["cases"].items():
        vendor = facts["vendor"]
        if vendor is not None:
            rows.append([escaped(case), escaped(vendor["library"]), f"{1e6 * vendor['seconds']:.4g}",
                         estimate_html({**vendor, "value": vendor["speed"]}),
                         *(estimate_html(one["by_case"][case]["over_vendor"])
                                                  for one in told["entries"].values())])
    if not rows:
        return ""
    return ("<h2>Beside the best vendor</h2><p class=note>Final speeds over that of the fastest "
            "library of each case, whose own speed is over the reference. Intervals are those of the "
            "searches alone. Cases with different libraries are not put together.</p>" +
            table_html(["case", "library", "its call, us", "over the reference",
                        *map(escaped, told["entries"])], rows, {1}))


def _cards(told: Results) -> str:
    text = "<h2>Entries</h2><div class=cards>"
    for name, one in told["entries"].items():
        tuning = one["tuning"]
        facts = [("by", ", ".join(one["authors"])), ("agent", one["agent"]),
                 ("space", one["space"] or "the board's"), ("division", one["division"]),
                 ("licence", one["licence"]),
                 ("tuned beforehand", f"{tuning['trials']} trials, {tuning['hours']:g} hours" +
                  (f": {tuning['what']}" if tuning["what"] else "")),
                 ("trained", f"{tuning['training_seconds']:g} s"),
                 ("code", one["code"] or "this package's"), ("mark", _mark(one)),
                 ("failed trials", f"{one['failed']} of {one['trials']}")]
        facts += [("lost", f"{lost['case']}, seed {lost['seed']}: {lost['why']}")
                  for lost in one["lost"][:_MOST_LOST]]
        if one["same_as"] is not None:
            facts.append(("no rank", f"the same search as {one['same_as']}"))
        text += (f'<article class=card id="card-{escaped(name)}"><h3>{escaped(name)}</h3>'
                 f"<p>{escaped(one['about'])}</p><dl>" +
                 "".join(f"<dt>{escaped(key)}</dt><dd>{escaped(value)}</dd>"
                         for key, value in facts) + "</dl></article>")
    return text + "</div>"


def _mark(one: Results, short: bool = False) -> str:
    """With how many runs were verified, and why a mark that is there does not count."""
    if one["mark"] == "verified":
        return f"verified, {one['mark_runs']} runs" + ("" if short else f", {one['mark_date']}")
    return str(one["mark"]) + (f": {one['mark_why']}" if one["mark_why"] and not short else "")


def _replays(told: Results) -> str:
    entries = list(told["entries"])
    text = "<h2>The best of each</h2>"
    for place, case in enumerate(told["cases"]):
        for name in entries:
            cell = told["entries"][name]["by_case"][case]
            if cell["best"] is not None:
                text += (f'<details id="replay-{place}-{entries.index(name)}"><summary>'
                         f"{escaped(case)}, {escaped(name)}: {cell['best']:.4f} times as fast as the "
                         f"reference, seed {cell['seed']}</summary>"
                         f"<pre>{escaped(cell['replay'] or '-')}</pre></details>")
    return text


def _sortable(head: Sequence[str], rows: Sequence[Sequence[str]],
              families: Sequence[str] | None = None) -> str:
    """Cells are HTML already."""
    kinds = families or [""] * len(rows)
    heads = "".join(f"<th><button>{escaped(one)}</button></th>" for one in head)
    body = "".join(f'<tr data-family="{escaped(kind)}">' +
                   "".join(f"<td>{cell}</td>" for cell in row) + "</tr>"
                   for kind, row in zip(kinds, rows))
    return (f"{SCROLLED}<table class=sortable><thead><tr>{heads}</tr></thead>"
            f"<tbody>{body}</tbody></table></div>")
