"""All pages of a built site as one PDF, printed by Chromium.

The articles of the pages stand one after another in one page, in the order of the site's list. Names
of places are made different by their page, and links between pages lead to them.
"""
from __future__ import annotations

import html
import html.parser
import pathlib
import posixpath
import shutil
import subprocess
import tempfile
from typing import Union

Entry = tuple[str, Union[str, list["Entry"]]]
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
SECONDS = 600
EMPTY = frozenset("area base br col embed hr img input link meta source track wbr".split())
STYLE = """
body { background: white; }
.page { break-before: page; }
.md-typeset { font-size: 0.6rem; }
.md-typeset pre > code { white-space: pre-wrap; overflow-wrap: anywhere; }
.md-typeset table:not([class]) { display: table; width: 100%; font-size: 0.5rem; }
.md-typeset table:not([class]) td, .md-typeset table:not([class]) td:first-child code {
  white-space: normal; overflow-wrap: anywhere; }
.md-typeset table:not([class]) td, .md-typeset table:not([class]) th { min-width: 0; padding: 0.3em 0.5em; }
.headerlink, .md-clipboard, .md-content__button { display: none; }
"""


class BookError(Exception):
    """The PDF cannot be made."""


def pages_of(entries: list[Entry]) -> list[tuple[str, str]]:
    """Title and HTML file of each page of the site's list, in order."""
    pages: list[tuple[str, str]] = []
    for title, target in entries:
        if isinstance(target, str):
            folder, name = posixpath.split(posixpath.splitext(target)[0])
            pages.append((title, posixpath.join(folder, "index" if name == "README" else name) + ".html"))
        else:
            pages += pages_of(target)
    return pages


class Article(html.parser.HTMLParser):
    """The article of a page, whose names and links are those of the book."""

    def __init__(self, page: str, pages: frozenset[str]) -> None:
        super().__init__(convert_charrefs=False)
        self.page, self.pages, self.depth = page, pages, 0
        self.parts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "article" or self.depth:
            self.depth += tag not in EMPTY
            words = [tag, *(self.attribute(tag, name, value) for name, value in attrs)]
            self.parts.append(f"<{' '.join(words)}>")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in EMPTY:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        if self.depth:
            self.parts.append(f"</{tag}>")
            self.depth -= tag not in EMPTY

    def handle_data(self, data: str) -> None:
        self.keep(data)

    def handle_entityref(self, name: str) -> None:
        self.keep(f"&{name};")

    def handle_charref(self, name: str) -> None:
        self.keep(f"&#{name};")

    def keep(self, text: str) -> None:
        if self.depth:
            self.parts.append(text)

    def attribute(self, tag: str, name: str, value: str | None) -> str:
        if value is None:
            return name
        if name == "id":
            value = f"{self.page}:{value}"
        elif name in ("href", "src") and ":" not in value.partition("/")[0]:
            value = self.link(value) if tag == "a" else self.place(value)
        return f'{name}="{html.escape(value)}"'

    def place(self, target: str) -> str:
        """A path relative to the page as one relative to the site."""
        return posixpath.normpath(posixpath.join(posixpath.dirname(self.page), target))

    def link(self, target: str) -> str:
        path, mark, name = target.partition("#")
        page = self.place(path) if path else self.page
        if page not in self.pages:
            return page + mark + name
        return f"#{page}:{name}" if name else f"#{page}"


def text_of(folder: pathlib.Path, entries: list[Entry]) -> str:
    """The one page, for a file in the site's folder."""
    pages = pages_of(entries)
    names = frozenset(name for _, name in pages)
    sheets = sorted(path.relative_to(folder).as_posix()
                    for path in (folder / "assets/stylesheets").glob("*.css"))
    lines = ["<!doctype html><html lang=en><head><meta charset=utf-8><title>ScheduleGym</title>",
             *(f'<link rel=stylesheet href="{sheet}">' for sheet in [*sheets, "style.css"]),
             f"<style>{STYLE}</style></head>",
             '<body data-md-color-scheme=default><div class="md-typeset"><h1>ScheduleGym</h1><ul>',
             *(f'<li><a href="#{name}">{html.escape(title)}</a></li>' for title, name in pages), "</ul>"]
    for _, name in pages:
        article = Article(name, names)
        article.feed((folder / name).read_text(encoding="utf-8"))
        lines.append(f'<div class=page id="{name}">{"".join(article.parts)}</div>')
    return "\n".join([*lines, "</div></body></html>"])


def print_book(folder: pathlib.Path, entries: list[Entry], file: pathlib.Path) -> None:
    """Writes the PDF by the rule of every output. The printed page stands in the site's folder meanwhile."""
    from schedulegym import InputError
    from schedulegym._schedulegym import write_output

    browser = next((path for path in map(shutil.which, BROWSERS) if path), None)
    if browser is None:
        raise BookError("a PDF needs Chromium (to install it: ./sg setup browser)")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place, \
            tempfile.NamedTemporaryFile("w", dir=folder, suffix=".html", encoding="utf-8") as book:
        book.write(text_of(folder, entries))
        book.flush()
        printed = pathlib.Path(place, "book.pdf")
        words = [browser, "--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer",
                 f"--print-to-pdf={printed}", f"--user-data-dir={place}/profile",
                 pathlib.Path(book.name).as_uri()]
        try:
            subprocess.run(words, capture_output=True, timeout=SECONDS, check=False)
        except subprocess.TimeoutExpired:
            raise BookError(f"Chromium did not print the pages within {SECONDS} s") from None
        if not printed.exists():
            raise BookError("Chromium printed no PDF")
        try:
            write_output(file, printed.read_bytes())
        except InputError as fault:
            raise BookError(str(fault)) from None
