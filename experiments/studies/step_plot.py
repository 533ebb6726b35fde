"""Step plots as SVG within a page: small, without a script, scaled to the width of the page."""
from __future__ import annotations

import math
from collections.abc import Sequence

from schedulegym._search_progress import seconds_text

_WIDTH, _HEIGHT = 640, 220
_LEFT, _RIGHT, _TOP, _BOTTOM = 104, 12, 12, 32
_TICKS = 4
_MOST_POINTS = 200  # more are not visible
_COLOR = "#0072b2"


def step_plot(points: Sequence[tuple[float, float]], label: str) -> str:
    """Plots (seconds since the start, seconds of the best), the latter on a log scale; "" without points."""
    if not points:
        return ""
    shown = _thinned(points)
    end = max(shown[-1][0], 1e-9)
    low, high = (math.log(bound(y for _, y in shown)) for bound in (min, max))
    room = max(high - low, 0.02)
    low -= 0.05 * room
    room *= 1.1

    def at(x: float, y: float) -> tuple[float, float]:
        return (_LEFT + (_WIDTH - _LEFT - _RIGHT) * x / end,
                _TOP + (_HEIGHT - _TOP - _BOTTOM) * (1 - (math.log(y) - low) / room))

    text = [f'<svg class="steps" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{label}">']
    for number in range(_TICKS):
        y = math.exp(low + room * (number + 0.5) / _TICKS)
        _, up = at(0, y)
        text.append(f'<path d="M{_LEFT} {up:.0f}H{_WIDTH - _RIGHT}" stroke="#e6e6e6"/>'
                    f'<text x="{_LEFT - 6}" y="{up + 5:.0f}" text-anchor="end">{seconds_text(y)}</text>')
    for number in range(_TICKS + 1):
        x = end * number / _TICKS
        anchor = "start" if number == 0 else "end" if number == _TICKS else "middle"
        text.append(f'<text x="{at(x, points[0][1])[0]:.0f}" y="{_HEIGHT - 8}" text-anchor="{anchor}">'
                    f'{x:.3g}{" s" if number == _TICKS else ""}</text>')
    first = at(*shown[0])
    path = f"M{first[0]:.0f} {first[1]:.0f}" + "".join(
        f"H{x:.0f}V{y:.0f}" for x, y in (at(*point) for point in shown[1:]))
    text.append(f'<path d="{path}" fill="none" stroke="{_COLOR}" stroke-width="2"/></svg>')
    return "".join(text)


def _thinned(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    every = max(1, math.ceil(len(points) / _MOST_POINTS))
    shown = list(points[::every])
    return shown if shown[-1] == points[-1] else [*shown, points[-1]]
