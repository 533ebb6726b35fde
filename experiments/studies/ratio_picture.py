"""A study's picture as a small SVG: speed over trials on the left, ratios with their intervals on the right.

It uses kept numbers only and is reproducible to the byte. Left: the best so far over the best known of
each case, interquartile mean. Right: the ratio of each arm to one of them at the end of the study: a dot
per case, a thick line for these cases, a thin one for cases of this kind.
"""
from __future__ import annotations

import html
import math
from collections.abc import Mapping, Sequence

from schedulegym.studies.figures import Palette
from schedulegym.studies.kept import Kept
from schedulegym.studies.ratios import CaseRatios

_ROW, _TOP, _BOTTOM = 20, 34, 40
_LEFT, _CURVES, _NAMES, _RATIOS = 46, 330, 190, 330  # widths of the parts
_WIDTH = _LEFT + _CURVES + _NAMES + _RATIOS + 24
_LEAST_HEIGHT = 200
_GRID, _INK = "#e6e8eb", "#202124"
_DASHES = {"solid": "", "dash": "6 3", "dot": "2 2", "dashdot": "6 2 2 2"}
_FARTHEST = 16.0  # intervals are cut at this ratio and its inverse


def picture_of(kept: Kept) -> str:
    """Returns the SVG file."""
    arms = kept.arms
    palette = Palette(arms)
    ratios = kept.ratios(kept.over, kept.last)
    height = max(_LEAST_HEIGHT, _TOP + _ROW * len(arms) + _BOTTOM)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" '
             f'font-family="sans-serif" font-size="11" fill="{_INK}">',
             f"<title>{html.escape(kept.title)}</title>",
             f'<rect width="{_WIDTH}" height="{height}" fill="#fff"/>',
             *_curves(kept, palette, height), *_names(arms, palette),
             *_forest(kept, ratios, palette, height), "</svg>\n"]
    return "\n".join(parts)


def _curves(kept: Kept, palette: Palette, height: int) -> list[str]:
    curves = {arm: [(point["at"], point["value"])
                    for point in kept.told["arms"][arm]["best_by_trials"]["over_best_known"]
                    if point["value"] is not None] for arm in kept.arms}
    last = max((at for points in curves.values() for at, _ in points), default=1)
    bottom = height - _BOTTOM

    def place(at: float, speed: float) -> tuple[float, float]:
        share = math.log(at) / math.log(last) if last > 1 else 0.0
        return _LEFT + _CURVES * share, bottom - (bottom - _TOP) * min(speed, 1.05) / 1.05

    parts = [_text(_LEFT, _TOP - 14, "Speed over the best known, by trials")]
    for tenth in range(0, 11, 2):
        y = place(1, tenth / 10)[1]
        parts += [_line(_LEFT, y, _LEFT + _CURVES, y, _GRID),
                  _text(_LEFT - 6, y + 4, f"{tenth / 10:.1f}", "end")]
    ticks = [at for at in (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1000) if at <= last]
    parts += [_text(place(at, 0)[0], bottom + 16, str(at), "middle") for at in ticks]
    for arm, points in curves.items():
        corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in (place(*point) for point in points))
        dash = _DASHES[palette.dash(arm)]
        parts.append(f'<polyline points="{corners}" fill="none" stroke="{palette.color(arm)}" '
                     f'stroke-width="1.8"' + (f' stroke-dasharray="{dash}"' if dash else "") + "/>")
    return parts


def _names(arms: Sequence[str], palette: Palette) -> list[str]:
    parts = []
    for row, arm in enumerate(arms):
        x, y = _LEFT + _CURVES + 14, _middle(row)
        dash = _DASHES[palette.dash(arm)]
        parts += [_line(x, y, x + 18, y, palette.color(arm), 2, dash),
                  _text(x + 24, y + 4, palette.label(arm)[:28])]
    return parts


def _forest(kept: Kept, ratios: Mapping[str, CaseRatios], palette: Palette, height: int
            ) -> list[str]:
    shown = [ratio for ratio in ratios.values() if 1 / _FARTHEST < ratio.mean < _FARTHEST]
    ends = [1.0] + [end for ratio in shown for end in (
        ratio.mean, ratio.least, ratio.most, *(ratio.fixed or ()))]
    low = max(min(ends) * 0.95, 1 / _FARTHEST)
    high = min(max(ends) * 1.05, _FARTHEST)
    left, bottom = _LEFT + _CURVES + _NAMES + 14, height - _BOTTOM

    def place(ratio: float) -> float:
        share = math.log(min(max(ratio, low), high) / low) / math.log(high / low)
        return left + _RATIOS * share

    where = "in the end" if kept.last == "end" else f"after {kept.last} trials"
    parts = [_text(left, _TOP - 14, f"Speed over {kept.over}, {where}")]
    for tick in _ticks(low, high):
        parts += [_line(place(tick), _TOP, place(tick), bottom, _INK if tick == 1 else _GRID),
                  _text(place(tick), bottom + 16, f"{tick:g}", "middle")]
    for row, arm in enumerate(kept.arms):
        if arm not in ratios:
            continue
        ratio, color, y = ratios[arm], palette.color(arm), _middle(row)
        for interval, width in ((ratio.sample, 1.0), (ratio.fixed, 4.0)):
            if interval:
                parts.append(_line(place(interval[0]), y, place(interval[1]), y, color, width))
        parts += [f'<circle cx="{place(case):.1f}" cy="{y}" r="2" fill="{color}" '
                  'fill-opacity="0.4"/>' for case in ratio.cases.values()]
        parts.append(f'<circle cx="{place(ratio.mean):.1f}" cy="{y}" r="4.5" fill="{color}" '
                     'stroke="#fff"/>')
    return parts


def _ticks(low: float, high: float) -> list[float]:
    """Returns a few round ratios between both ends, 1 among them."""
    for step in (0.01, 0.02, 0.05, 0.1, 0.2, 0.5):
        ticks = [round(1 + step * place, 2) for place in range(-100, 101)]
        ticks = [tick for tick in ticks if low <= tick <= high and tick > 0]
        if len(ticks) <= 8:
            return ticks
    return [tick for tick in (0.0625, 0.125, 0.25, 0.5, 1, 2, 4, 8, 16) if low <= tick <= high]


def _middle(row: int) -> int:
    return _TOP + _ROW * row + _ROW // 2


def _line(x: float, y: float, to_x: float, to_y: float, color: str, width: float = 1,
          dash: str = "") -> str:
    return (f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}" stroke="{color}" '
            f'stroke-width="{width:g}"' + (f' stroke-dasharray="{dash}"' if dash else "") + "/>")


def _text(x: float, y: float, text: str, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{html.escape(text)}</text>'
