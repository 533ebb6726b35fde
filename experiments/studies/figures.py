"""Figures of a study as Plotly values: data and layout only."""
from __future__ import annotations

import dataclasses
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from schedulegym.studies import estimates
from schedulegym.studies.outcome import Timing
from schedulegym.studies.summary import Summary, Results

# Okabe and Ito's colours, distinguishable to the colour-blind; the random baseline is grey.
_COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c564b", "#5a4fcf")
_CHANCE, _INK, _VENDOR = "#8a8f98", "#202124", "#b00020"
_DASHES = ("solid", "dash", "dot", "dashdot")
_POINTS = 40  # points of a curve; more are not visible
_PARTS = {"space": "#0072b2", "exploration": "#e69f00", "selection": "#cc79a7",
          "found": "#56b4e9"}
_TOLD = {"found": "exploration and selection"}


@dataclasses.dataclass(frozen=True)
class Figure:
    """One plot; `name` is its place in the page and the name of its file."""

    name: str
    title: str
    note: str  # how to read it
    data: list[dict[str, Any]]
    layout: dict[str, Any]


class Palette:
    """A colour and a dash for each arm, the same in all figures."""

    def __init__(self, arms: Sequence[str]) -> None:
        others = [arm for arm in arms if arm != "random"]
        self._labels = labels(arms)
        self._of = {arm: (_COLORS[place % len(_COLORS)],
                          _DASHES[place // len(_COLORS) % len(_DASHES)])
                    for place, arm in enumerate(others)}

    def label(self, arm: str) -> str:
        """Returns the arm's label on an axis."""
        return self._labels[arm]

    def color(self, arm: str) -> str:
        """Returns the CSS colour."""
        return self._of.get(arm, (_CHANCE, "solid"))[0]

    def dash(self, arm: str) -> str:
        """Returns Plotly's name of the dash."""
        return self._of.get(arm, (_CHANCE, "solid"))[1]


def anytime(summary: Summary, palette: Palette, seconds: bool, case: str | None = None,
            over_best: bool = True) -> Figure:
    """Draws the best so far of each arm over trials or seconds, with bands."""
    points = curve_points(summary, seconds)
    data: list[dict[str, Any]] = []
    for arm in summary.study.arms:
        band = summary.band(arm.name, points, seconds, over_best, case)
        told = [(point, one) for point, one in zip(points, band) if one is not None]
        if told:
            data += _band(arm.name, told, palette)
    vendor = summary.vendor(case) if case is not None and not over_best else None
    if vendor is not None:
        data.append({"type": "scatter", "mode": "lines", "name": "best vendor",
                     "x": [points[0], points[-1]], "y": [vendor, vendor],
                     "line": {"color": _VENDOR, "width": 1.5, "dash": "dash"}})
    unit = "seconds" if seconds else "trials"
    speed = "speed over the best known" if over_best else "speed over the reference"
    return Figure(
        f"anytime-{unit}" + (f"-{[c.name for c in summary.study.cases].index(case)}"
                             if case is not None else ""),
        case if case is not None else f"Best so far by {unit}",
        "" if case is not None else
        "Interquartile mean over cases and seeds, with 95 % intervals; higher is better.",
        data, _layout(xaxis={"type": "log", "title": {"text": unit}, **_ticks(points)},
                      yaxis={"title": {"text": speed}},
                      height=300 if case is not None else 420))


def finals(summary: Summary, told: Results, palette: Palette) -> Figure:
    """Draws the final speed of each arm, with its interval and each run beside it."""
    data: list[dict[str, Any]] = []
    for arm in reversed(summary.study.arms):
        final = told["arms"][arm.name]["final"]["over_best_known"]
        if final is None:
            continue
        runs = np.concatenate([summary.final(case.name, arm.name, True)
                               for case in summary.study.cases])
        color, name = palette.color(arm.name), palette.label(arm.name)
        if len(runs) <= 400:
            data.append({"type": "scatter", "mode": "markers", "x": rounded(runs),
                         "y": [name] * len(runs), "hoverinfo": "x", "showlegend": False,
                         "marker": {"color": color, "size": 5, "opacity": 0.25}})
        data.append({"type": "scatter", "mode": "markers", "x": [final["value"]], "y": [name],
                     "marker": {"color": color, "size": 11, "line": {"color": "#fff", "width": 1}},
                     "showlegend": False, "error_x": _bar(final, color)})
    return Figure("finals", "Final speed",
                  "What each search ended with, over the best known of the case: the interquartile "
                  "mean with its 95 % interval, and each run as a faint dot.",
                  data, _layout(xaxis={"title": {"text": "speed over the best known"}},
                                yaxis=_names(), height=_rows(len(summary.study.arms))))


def heat_map(summary: Summary, told: Results) -> Figure:
    """Draws a heat map of cases by arms."""
    arms = [arm.name for arm in summary.study.arms]
    cases = [case.name for case in summary.study.cases]
    cells = [[told["arms"][arm]["by_case"][case] for arm in arms] for case in cases]
    values = [[cell["value"] if cell else None for cell in row] for row in cells]
    text = [["-" if value is None else f"{value:.3f}" for value in row] for row in values]
    return Figure("cases", "Cases by arms",
                  "Final speed over the best known of each case, interquartile mean over seeds.",
                  [{"type": "heatmap", "x": list(labels(arms).values()),
                    "y": list(labels(cases).values()), "z": values, "text": text,
                    "texttemplate": "%{text}" if len(arms) <= 8 else "", "colorscale": "Cividis",
                    "hovertemplate": "%{y}<br>%{x}: %{text}<extra></extra>", "xgap": 1, "ygap": 1,
                    "colorbar": {"thickness": 12}}],
                  _layout(xaxis={"automargin": True, "tickangle": -30 if len(arms) > 3 else 0},
                          yaxis={"automargin": True, "autorange": "reversed"},
                          height=_rows(len(cases)) + 60))


def gap_parts(told: Results) -> Figure:
    """Draws the gap to the best known, in per cent, by its three parts."""
    arms = list(reversed(told["arms"]))
    data = []
    gaps = [told["arms"][arm]["gap"] for arm in arms]
    for part, color in _PARTS.items():
        losses = [None if part == "found" and gap["exploration"] else _loss(gap[part])
                  for gap in gaps]
        if part == "found" and not any(loss is not None for loss in losses):
            continue  # exploration and selection are known separately
        data.append({"type": "bar", "orientation": "h", "name": _TOLD.get(part, part), "x": losses,
                     "y": list(labels(arms).values()), "marker": {"color": color},
                     "hovertemplate": "%{y}: %{x:.2f} %<extra>" + _TOLD.get(part, part) + "</extra>"})
    return Figure("gap", "What is missing to the best known",
                  "Space: the space lacks it. Exploration: it was there and was not measured. "
                  "Selection: it was measured and was not chosen; live searches do not know these two "
                  "apart. Geometric means.",
                  data, _layout(barmode="relative", xaxis={"title": {"text": "per cent"}},
                                yaxis=_names(), height=_rows(len(arms))))


def effect_plot(name: str, title: str, judged: Sequence[Results], margin: float) -> Figure:
    """Draws effects with their intervals; differences within the margin do not matter."""
    shown = [one for one in reversed(judged) if one["effect"] is not None]
    colors = {"better": "#009e73", "worse": "#d55e00"}
    told = labels(one["name"] for one in shown)
    data = [{"type": "scatter", "mode": "markers", "showlegend": False,
             "x": [100 * one["effect"]], "y": [told[one["name"]]],
             "marker": {"size": 10, "color": colors.get(one["verdict"], _INK)},
             "error_x": _bar({"value": one["effect"], "low": one["low"], "high": one["high"]},
                             colors.get(one["verdict"], _INK), 100),
             "hovertemplate": f"%{{x:.2f}} %: {verdict_text(one['verdict'], margin)}<extra></extra>"}
            for one in shown]
    shape = {"type": "rect", "xref": "x", "yref": "paper", "x0": -100 * margin / (1 + margin),
             "x1": 100 * margin, "y0": 0, "y1": 1, "line": {"width": 0}, "layer": "below",
             "fillcolor": "rgba(138,143,152,0.18)"}
    return Figure(name, title,
                  "How much faster, paired by case and seed; intervals hold together at 95 %. "
                  "Grey: differences too small to matter.",
                  data, _layout(xaxis={"title": {"text": "per cent faster"}, "zeroline": True},
                                yaxis=_names(), shapes=[shape], height=_rows(len(shown))))


def verdict_text(verdict: str, margin: float) -> str:
    """Returns the verdict, with the 'd' of earlier versions replaced by the smallest relevant difference."""
    return verdict.replace("larger than d", f"larger than {100 * margin:g} %")


def failures(told: Results) -> Figure | None:
    """Draws the share of each arm's trials that failed, by type; None if nothing failed."""
    arms = list(reversed(told["arms"]))
    kinds = sorted({kind for arm in arms for kind in told["arms"][arm]["failures"]})
    data = [{"type": "bar", "orientation": "h", "name": kind, "y": list(labels(arms).values()),
             "x": [100 * told["arms"][arm]["failures"].get(kind, 0) /
                   max(1, told["arms"][arm]["trials"]) for arm in arms],
             "marker": {"color": _COLORS[place % len(_COLORS)]},
             "hovertemplate": "%{y}: %{x:.2f} %<extra>" + kind + "</extra>"}
            for place, kind in enumerate(kinds)]
    return Figure("failures", "Trials that failed", "By type, of all trials.", data, _layout(
        barmode="stack", showlegend=True, xaxis={"title": {"text": "per cent of trials"}}, yaxis=_names(),
        height=_rows(len(arms)))) if kinds else None


def phases(arms: Sequence[str], timings: dict[str, list[Timing]]) -> Figure | None:
    """Draws the mean wall time of each phase, per arm; None if no phases were recorded."""
    names = sorted({phase for rows in timings.values() for one in rows for phase in one.phases})
    shown = list(reversed([arm for arm in arms if timings.get(arm)]))
    data = [{"type": "bar", "orientation": "h", "name": phase, "y": list(labels(shown).values()),
             "x": [float(np.mean([one.phases.get(phase, 0.0) for one in timings[arm]]))
                   for arm in shown],
             "marker": {"color": _COLORS[place % len(_COLORS)]},
             "hovertemplate": "%{y}: %{x:.3g} s<extra>" + phase + "</extra>"}
            for place, phase in enumerate(names)]
    return Figure("phases", "Time by phase", "Wall time of a run, in the mean.", data, _layout(
        barmode="stack", xaxis={"title": {"text": "seconds"}}, yaxis=_names(),
        height=_rows(len(shown)))) if names else None


def ecdf_layout(points: Sequence[float]) -> dict[str, Any]:
    """Returns the layout of a plot of shares over trials."""
    return _layout(xaxis={"type": "log", "title": {"text": "trials"}, **_ticks(points)},
                   yaxis={"title": {"text": "share of targets"}, "range": [0, 1.02]}, height=420)


def curve_points(summary: Summary, seconds: bool) -> list[float]:
    """Returns points evenly spaced on a log scale, with those of the table."""
    grid = summary.grid(seconds)
    if not grid:
        return [1.0]
    even = np.geomspace(grid[0], grid[-1], _POINTS)
    return sorted({*map(float, grid), *(float(point) if seconds else float(round(point))
                                        for point in even)})


def rounded(values: Sequence[float] | np.ndarray[Any, Any]) -> list[float]:
    """Rounds to five digits: more are not visible, and the page must stay small for slow connections."""
    return [float(f"{value:.5g}") for value in values]


def labels(names: Iterable[str]) -> dict[str, str]:
    """Returns distinct labels short enough for an axis."""
    cut = {name: name if len(name) <= 34 else name[:20] + "…" + name[-13:] for name in names}
    met = Counter(cut.values())
    return {name: short if met[short] == 1 else name for name, short in cut.items()}


def _band(arm: str, told: Sequence[tuple[float, estimates.Estimate]],
          palette: Palette) -> list[dict[str, Any]]:
    color = palette.color(arm)
    x = rounded([point for point, _ in told])
    line = {"type": "scatter", "mode": "lines", "name": palette.label(arm), "x": x, "legendgroup": arm,
            "y": rounded([one.value for _, one in told]),
            "line": {"color": color, "width": 2.2, "dash": palette.dash(arm), "shape": "hv"}}
    if any(one.low is None for _, one in told):
        return [line]
    edges = [{"type": "scatter", "mode": "lines", "x": x, "legendgroup": arm, "hoverinfo": "skip",
              "showlegend": False, "line": {"width": 0, "shape": "hv"}, "y": rounded(ends)}
             for ends in ([one.low or 0.0 for _, one in told], [one.high or 0.0 for _, one in told])]
    return [edges[0], {**edges[1], "fill": "tonexty", "fillcolor": _faint(color)}, line]


def _faint(color: str) -> str:
    red, green, blue = (int(color[place:place + 2], 16) for place in (1, 3, 5))
    return f"rgba({red},{green},{blue},0.15)"


def _bar(estimate: Results, color: str, scale: float = 1.0) -> dict[str, Any]:
    if estimate["low"] is None:
        return {"visible": False}
    return {"type": "data", "symmetric": False, "color": color, "thickness": 2, "width": 5,
            "array": [scale * (estimate["high"] - estimate["value"])],
            "arrayminus": [scale * (estimate["value"] - estimate["low"])]}


def _loss(estimate: Results | None) -> float | None:
    """Returns the loss in per cent on a log scale, so that the parts add up."""
    return None if estimate is None else -100 * math.log(estimate["value"])


def _ticks(points: Sequence[float]) -> dict[str, Any]:
    last = points[-1]
    shown: list[float] = [tick for tick in (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1000)
                          if tick <= last / 1.3]
    shown.append(int(last) if last == int(last) else round(last, 1))
    return {"tickvals": shown, "ticktext": [str(tick) for tick in shown]}


def _rows(count: int) -> int:
    return 130 + 30 * max(1, count)


def _names() -> dict[str, Any]:
    return {"automargin": True, "type": "category"}


def _layout(xaxis: dict[str, Any], yaxis: dict[str, Any], height: int,
            **more: Any) -> dict[str, Any]:
    grid = {"gridcolor": "#e6e8eb", "zerolinecolor": "#9aa0a6", "automargin": True}
    return {"height": height, "margin": {"l": 56, "r": 16, "t": 34, "b": 44},
            "xaxis": {**grid, **xaxis}, "yaxis": {**grid, **yaxis}, "paper_bgcolor": "#fff",
            "plot_bgcolor": "#fff", "hovermode": "closest", "font": {"size": 12, "color": _INK},
            "legend": {"orientation": "h", "yanchor": "bottom", "y": 1.02, "x": 0,
                       "traceorder": "normal"}, **more}
