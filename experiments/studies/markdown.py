"""Markdown of generated pages: tables, and prose wrapped to one length."""
from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence

_WIDTH = 100
_NUMBER = re.compile(r"\**[-+]?(\[?[<>]? ?\d|-?$)")
_CODE = re.compile(r"`[^`]{1,98}`")  # stays on one line
_HELD = "\x00"  # replaces a space in it
_ITEM = re.compile(r"( *)(- )?")


def table(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Returns a table. A column after the first is aligned as numbers if its first row has a number."""
    numbers = [place > 0 and bool(rows) and bool(_NUMBER.match(rows[0][place]))
               for place in range(len(titles))]
    lines = [titles, ["---:" if number else "---" for number in numbers], *rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def wrapped(text: str) -> str:
    """Wraps paragraphs and list items; keeps tables, headings, pictures and blocks of code."""
    lines: list[str] = []
    held: list[str] = []
    inside = False
    for line in text.splitlines():
        fence = line.startswith("```")
        kept = inside or fence or not line.strip() or line.startswith(("|", "#", "!", "<"))
        if kept or line.lstrip().startswith("- "):
            lines += _paragraph(held)
            held = []
        if kept:
            lines.append(line)
        else:
            held.append(line)
        inside ^= fence
    return "\n".join([*lines, *_paragraph(held), ""])


def _paragraph(lines: Sequence[str]) -> list[str]:
    if not lines:
        return []
    begin = _ITEM.match(lines[0])
    assert begin is not None  # the pattern matches any line
    indent, dash = begin[1], begin[2] or ""
    words = " ".join(line.strip() for line in lines)[len(dash):]
    words = _CODE.sub(lambda code: code[0].replace(" ", _HELD), words)
    found = textwrap.wrap(words, _WIDTH, initial_indent=indent + dash, break_long_words=False,
                          subsequent_indent=indent + " " * len(dash), break_on_hyphens=False)
    return [line.replace(_HELD, " ") for line in found]
