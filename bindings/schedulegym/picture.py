"""Pictures of an episode: the loop nests as bars, the speeds so far as a line."""
from __future__ import annotations

import base64
import functools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from schedulegym import font

Picture = np.ndarray[Any, np.dtype[np.uint8]]
Color = tuple[int, int, int]

WIDTH, HEIGHT = 960, 540
_LEFT = 560  # pixel columns for the loops
_MARGIN, _INDENT = 12, 14
_PAPER, _INK, _FAINT = (255, 255, 255), (32, 33, 36), (200, 204, 210)
# Colours of the lines of a loop nest, by first word; statements have none.
_COLORS: dict[str, Color] = {
    "for": (207, 226, 243), "parallel": (182, 215, 168), "vector": (244, 204, 150),
    "unrolled": (217, 210, 233), "blockIdx": (182, 215, 168), "threadIdx": (182, 215, 168),
    "vthread": (182, 215, 168)}
_CURVE, _FAILED = (17, 85, 204), (204, 0, 0)


def picture_of(loops: str, judgements: Sequence[dict[str, Any]]) -> Picture:
    """Draws an episode; what does not fit is cut off at the bottom, and said.

    Args:
        loops: The loop nests as text.
        judgements: The evaluations so far, each with `speed`.

    Returns:
        uint8 of shape (HEIGHT, WIDTH, 3).
    """
    picture = np.full((HEIGHT, WIDTH, 3), _PAPER, np.uint8)
    _draw_loops(picture, loops.splitlines())
    picture[:, _LEFT:_LEFT + 1] = _FAINT
    _draw_speeds(picture, judgements)
    return picture


def _draw_loops(picture: Picture, lines: Sequence[str]) -> None:
    height = font.HEIGHT + 4
    most = (HEIGHT - 2 * _MARGIN) // height
    shown = list(lines[:most])
    if len(lines) > most:
        shown[-1] = f"... {len(lines) - most + 1} more lines"
    for number, line in enumerate(shown):
        text = line.lstrip()
        left = _MARGIN + (len(line) - len(text)) // 2 * _INDENT
        top = _MARGIN + number * height
        color = _COLORS.get(text.split(" ")[0].split(".")[0])
        if color is not None:
            _fill(picture, top, left, top + height - 1, _LEFT - _MARGIN, color)
        _write(picture, top + 1, left + 4, text, _INK, _LEFT - _MARGIN)


def _draw_speeds(picture: Picture, judgements: Sequence[dict[str, Any]]) -> None:
    left, right = _LEFT + 64, WIDTH - _MARGIN
    top, bottom = 3 * _MARGIN + font.HEIGHT, HEIGHT - 3 * _MARGIN
    _write(picture, _MARGIN, _LEFT + _MARGIN, "speed beside the reference", _INK, right)
    logs = [math.log2(j["speed"]) if j["speed"] else None for j in judgements]
    known = [value for value in logs if value is not None]
    low, high = math.floor(min([0.0, *known])) - 1, math.ceil(max([0.0, *known])) + 1

    def row(value: float) -> int:
        return round(bottom - (value - low) / (high - low) * (bottom - top))

    step = max(1, (high - low) // 8)
    for tick in range(low, high + 1, step):
        _fill(picture, row(tick), left, row(tick) + 1, right, _INK if tick == 0 else _FAINT)
        label = f"{2 ** tick}x" if tick >= 0 else f"1/{2 ** -tick}x"
        _write(picture, row(tick) - font.HEIGHT // 2, _LEFT + _MARGIN, label, _INK, left)
    if not logs:
        _write(picture, row(0) + 4, left + 8, "nothing was evaluated yet", _INK, right)
        return
    columns = [left + 4 + round(i * (right - left - 8) / max(1, len(logs) - 1))
               for i in range(len(logs))]
    previous: tuple[int, int] | None = None
    for column, value in zip(columns, logs):
        place = (row(low if value is None else value), column)
        if previous is not None:
            _line(picture, previous, place, _FAINT)
        previous = place
    for column, value in zip(columns, logs):
        color = _FAILED if value is None else _CURVE
        at = row(low if value is None else value)
        _fill(picture, at - 2, column - 2, at + 3, column + 3, color)
    _write(picture, bottom + _MARGIN, left, f"{len(logs)} evaluated", _INK, right)


def _fill(picture: Picture, top: int, left: int, bottom: int, right: int, color: Color) -> None:
    picture[max(0, top):bottom, max(0, left):right] = color


def _line(picture: Picture, begin: tuple[int, int], end: tuple[int, int], color: Color) -> None:
    count = max(abs(end[0] - begin[0]), abs(end[1] - begin[1]), 1) + 1
    rows = np.linspace(begin[0], end[0], count).round().astype(int)
    columns = np.linspace(begin[1], end[1], count).round().astype(int)
    picture[rows, columns] = color


def _write(picture: Picture, top: int, left: int, text: str, color: Color, right: int) -> None:
    glyphs = _glyphs()
    for number, character in enumerate(text):
        column = left + number * font.WIDTH
        if column + font.WIDTH > right:
            return
        code = ord(character) - font.FIRST
        glyph = glyphs[code if 0 <= code < len(glyphs) else ord("?") - font.FIRST]
        cell = picture[top:top + font.HEIGHT, column:column + font.WIDTH]
        cell[glyph[:cell.shape[0]]] = color


@functools.cache
def _glyphs() -> np.ndarray[Any, np.dtype[np.bool_]]:
    """By character: which pixels of its cell are ink."""
    rows = np.frombuffer(base64.b85decode("".join(font.ROWS)), np.uint8)
    bits = np.unpackbits(rows).reshape(-1, font.HEIGHT, 8)
    return bits[:, :, :font.WIDTH].astype(np.bool_)
