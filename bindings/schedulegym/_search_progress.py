"""How far a search is, as a line on stderr, and what it came to, as a picture."""
from __future__ import annotations

import html
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, TextIO

from schedulegym._schedulegym import write_output

_REDRAW, _FIRST, _EVERY = 0.1, 2.0, 5.0  # seconds: of a terminal; of plain lines elsewhere
_CELLS = 24
_WIDTH, _HEIGHT, _LEFT, _GAP = 860, 150, 90, 46  # size of a panel
_RUN, _KNOWN = "#0072b2", "#d55e00"  # colours of the best of this run and of the best known

_Points = list[tuple[float, float]]


class TrialLike(Protocol):
    """What is read of a Trial."""

    @property
    def workload(self) -> str:
        """The task's name."""

    @property
    def best_seconds(self) -> float | None:
        """Of the task in this search, this trial included."""

    @property
    def best_known_seconds(self) -> float | None:
        """The better of that and what earlier searches knew."""

    @property
    def elapsed(self) -> float:
        """Seconds since the search began."""


class ProgressLine:
    """Written over on a terminal, else a line every five seconds, as the command's.

    `counts`: how often each task runs, by its name. `total`: trials; 0 where only `seconds` bound them.
    """

    def __init__(self, counts: Mapping[str, int], total: int, seconds: float | None,
                 err: TextIO | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._latency = Latency(counts)
        self._total, self._seconds = total, seconds
        self._err, self._clock = sys.stderr if err is None else err, clock
        self._terminal = self._err.isatty()
        self._began = clock()
        self._next = self._began if self._terminal else self._began + _FIRST
        self._count, self._is_drawn = 0, False

    def __call__(self, trial: TrialLike) -> None:
        self._count += 1
        self._latency.add(trial)
        now = self._clock()
        if now < self._next:
            return
        line = f"tune {self.text(now - self._began)}"
        print(f"\r\x1b[K{line}" if self._terminal else line, file=self._err, flush=True,
              end="" if self._terminal else "\n")
        self._is_drawn = True
        self._next = now + (_REDRAW if self._terminal else _EVERY)

    def text(self, elapsed: float) -> str:
        """Without the label."""
        share = self._count / self._total if self._total else 0.0
        if self._seconds:
            share = max(share, elapsed / self._seconds)
        share = min(share, 1.0)
        text = ""
        if self._terminal and (self._total or self._seconds):
            full = int(share * _CELLS)
            text = f"[{'#' * full}{'.' * (_CELLS - full)}] "
        text += str(self._count) + (f"/{self._total}" if self._total else "")
        if elapsed > 0:
            text += f", {self._count / elapsed:.1f}/s"
        best, known = self._latency.value, self._latency.known
        if known == best and best is not None:
            text += f", best {seconds_text(best)}"
        elif known is not None:
            text += f", best of this run {seconds_text(best)}" if best is not None else ""
            text += f", best known {seconds_text(known)}"
        if 0 < share < 1:
            text += f", {duration_text(elapsed / share - elapsed)} left"
        return text

    def end(self) -> None:
        """Leaves the line standing."""
        if self._is_drawn and self._terminal:
            print(file=self._err)


class Latency:
    """The best of one task, or of a network the sum over its tasks, by how often each runs."""

    def __init__(self, counts: Mapping[str, int]) -> None:
        self._counts = counts
        self._best: dict[str, float] = {}
        self._known: dict[str, float] = {}

    def add(self, trial: TrialLike) -> None:
        """One more trial."""
        if trial.best_seconds is not None:
            self._best[trial.workload] = trial.best_seconds
        self.know(trial.workload, trial.best_known_seconds)

    def know(self, name: str, seconds: float | None) -> None:
        """The best known of a task from now on."""
        if seconds is not None:
            self._known[name] = seconds

    @property
    def value(self) -> float | None:
        """Seconds, by the best of this search; None until each task has a success."""
        return self._sum(self._best)

    @property
    def known(self) -> float | None:
        """Seconds, by the best known; None until one of each task is."""
        return self._sum(self._known)

    def _sum(self, best: Mapping[str, float]) -> float | None:
        if len(best) < len(self._counts):
            return None
        return sum(count * best[name] for name, count in self._counts.items()
                   ) if len(self._counts) > 1 else next(iter(best.values()))


def seconds_text(seconds: float) -> str:
    """Four digits with a unit."""
    for unit, scale in (("ns", 1e9), ("us", 1e6), ("ms", 1e3)):
        if 0 < seconds * scale < 1e3:
            break
    else:
        unit, scale = "s", 1.0
    value = seconds * scale
    return f"{value:.{1 if value >= 100 else 2 if value >= 10 else 3}f} {unit}"


def duration_text(seconds: float) -> str:
    """MM:SS, or H:MM:SS."""
    whole = round(max(seconds, 0))
    if whole < 3600:
        return f"{whole // 60}:{whole % 60:02}"
    return f"{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}"


def save_picture(path: str | os.PathLike[str], counts: Mapping[str, int], history: Sequence[TrialLike],
                 known: Mapping[str, tuple[float | None, float | None]] | None = None) -> None:
    """SVG: above the latency over seconds, below a panel for each task, its best over its trials.

    `known`: seconds of the best known of each task, before the search and after it. Where earlier
    searches knew anything, a second line shows what is known.
    """
    known = known or {}
    run, all_known = _courses(counts, history, known)
    is_resumed = any(before is not None for before, _ in known.values())
    series = [("best of this run", _RUN, run), ("best known", _KNOWN, all_known)]
    panels = [_panel(0, "latency" if len(counts) > 1 else "best", "seconds",
                     series if is_resumed else [("", _RUN, all_known or run)])]
    for name in counts if len(counts) > 1 else ():
        best = [trial.best_seconds for trial in history if trial.workload == name]
        panels.append(_panel(len(panels), f"{name}, {counts[name]} times", "trials",
                             [("", _RUN, [(number, value) for number, value in enumerate(best, 1)
                                          if value is not None])]))
    height = len(panels) * (_HEIGHT + _GAP) + _GAP
    text = (f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH + _LEFT + 20}" height="{height}" '
            'font-family="sans-serif" font-size="12"><rect width="100%" height="100%" fill="white"/>'
            f'{"".join(panels)}</svg>\n')
    write_output(path, text.encode())


def _courses(counts: Mapping[str, int], history: Sequence[TrialLike],
             known: Mapping[str, tuple[float | None, float | None]]) -> tuple[_Points, _Points]:
    """The latency over seconds by the best of this search, and by the best known."""
    latency = Latency(counts)
    run: _Points = []
    every: _Points = []

    def note(elapsed: float) -> None:
        for points, value in ((run, latency.value), (every, latency.known)):
            if value is not None and (not points or value != points[-1][1]):
                points.append((elapsed, value))

    for name, (before, _) in known.items():
        latency.know(name, before)
    note(0.0)
    for trial in history:
        latency.add(trial)
        note(trial.elapsed)
    for name, (_, after) in known.items():
        latency.know(name, after)
    end = history[-1].elapsed if history else 0.0
    note(end)
    for points in (run, every):
        if points:
            points.append((max(end, points[-1][0]), points[-1][1]))
    return run, every


def _panel(place: int, title: str, unit: str, series: Sequence[tuple[str, str, _Points]]) -> str:
    """`series`: the name of each, "" without a legend, its colour and its points."""
    top = place * (_HEIGHT + _GAP) + 30
    points = [point for _, _, each in series for point in each]
    text = (f'<text x="{_LEFT}" y="{top - 8}">{html.escape(title)}</text><rect x="{_LEFT}" y="{top}" '
            f'width="{_WIDTH}" height="{_HEIGHT}" fill="none" stroke="#dadce0"/>')
    if not points:
        return text + f'<text x="{_LEFT + 8}" y="{top + 20}">no success</text>'
    last = max(x for x, _ in points) or 1.0
    low, high = min(y for _, y in points), max(y for _, y in points)
    room = high - low or high

    def at(x: float, y: float) -> tuple[float, float]:
        return _LEFT + _WIDTH * x / last, top + _HEIGHT - 8 - (_HEIGHT - 16) * (y - low) / room

    for number, (name, colour, each) in enumerate(series):
        steps: _Points = []
        for x, y in each:  # a step at its position in time
            steps += [(at(x, y)[0], steps[-1][1])] if steps else []
            steps.append(at(x, y))
        text += (f'<polyline fill="none" stroke="{colour}" stroke-width="2" points="'
                 f'{" ".join(f"{x:.1f},{y:.1f}" for x, y in steps)}"/>')
        if name and each:
            text += (f'<text x="{_LEFT + _WIDTH - 8}" y="{top + 18 + 16 * number}" fill="{colour}" '
                     f'text-anchor="end">{name}: {seconds_text(each[-1][1])}</text>')
    return text + (
        f'<text x="4" y="{top + 14}">{seconds_text(high)}</text>'
        f'<text x="4" y="{top + _HEIGHT - 2}">{seconds_text(low)}</text>'
        f'<text x="{_LEFT + _WIDTH}" y="{top + _HEIGHT + 14}" text-anchor="end">{last:.4g} {unit}</text>')
