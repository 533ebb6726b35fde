"""The public C++ headers: a list of them, and Doxygen's pages where it is installed."""
from __future__ import annotations

import pathlib
import re
import shutil
import subprocess
import tempfile

import reference

PAGE = "cpp.md"
STYLE = pathlib.Path(__file__).resolve().with_name("cpp.css")

ENTRIES = ("agents/plugin.h",)
FIRST = re.compile(r"\A((?://.*\n)+)")


def public_headers(root: pathlib.Path) -> list[str]:
    """The headers that plugins may include: the entry points and all that they include."""
    waiting, found = list(ENTRIES), []
    while waiting:
        name = waiting.pop()
        if name in found or not (root / name).is_file():
            continue
        found.append(name)
        waiting += re.findall(r'^#include "([^"]+)"', (root / name).read_text(), re.MULTILINE)
    return sorted(found)


def sentence(path: pathlib.Path) -> str:
    """The first words of a header."""
    head = FIRST.match(path.read_text())
    return " ".join(line.removeprefix("//").strip() for line in head[1].splitlines()) if head else ""


def documented(text: str) -> str:
    """A header's text with its comments as Doxygen's."""
    text = re.sub(r"^(\s*)//(?!/)", r"\1///", text, flags=re.MULTILINE)
    return re.sub(r"([;,{]\s+)// ", r"\1///< ", text)


def doxygen(root: pathlib.Path, pages: pathlib.Path, headers: list[str]) -> bool:
    """Makes Doxygen's pages below reference/cpp; false where there is no Doxygen."""
    program = shutil.which("doxygen")
    if program is None:
        return False
    with tempfile.TemporaryDirectory() as folder:
        # Comments of the tree are plain: `//` before a declaration is its description, and behind a
        # member that member's.
        for name in headers:
            copy = pathlib.Path(folder, name)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(documented((root / name).read_text()))
        settings = pathlib.Path(folder, "Doxyfile")
        settings.write_text("\n".join([
            "PROJECT_NAME = ScheduleGym", f"INPUT = {folder}", "RECURSIVE = YES",
            f"STRIP_FROM_PATH = {folder}", f"OUTPUT_DIRECTORY = {pages / 'reference'}",
            "HTML_OUTPUT = cpp", "GENERATE_LATEX = NO", "EXTRACT_ALL = YES", "QUIET = YES",
            "WARNINGS = NO", "JAVADOC_AUTOBRIEF = YES", "SEARCHENGINE = YES", "HAVE_DOT = NO",
            "PREDEFINED = SG_NORETURN=", "HTML_COLORSTYLE = LIGHT", f"HTML_EXTRA_STYLESHEET = {STYLE}", ""]))
        subprocess.run([program, settings], check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
    return True


def page_of(root: pathlib.Path, pages: pathlib.Path) -> tuple[str, str, str]:
    """Title, file name and text."""
    headers = public_headers(root)
    made = doxygen(root, pages, headers)
    text = ("# C++ headers\n\nWhat a plugin may include: `agents/plugin.h` and the headers that it "
            "includes. Everything is in the namespace `schedulegym`. [Write an agent in C++]"
            "(../guide/agent-cpp.md) is the tutorial.\n\n")
    if made:
        text += "[Classes and functions](cpp/annotated.html) and [files](cpp/files.html), by Doxygen.\n\n"
    else:
        text += ("This site was built without Doxygen, so there are no pages of classes. Install the "
                 "Debian package `doxygen` and build the site again.\n\n")
    rows = "".join(f"| `{name}` | {reference.cell(sentence(root / name))} |\n" for name in headers)
    return "C++ headers", PAGE, text + "| header | what it has |\n| --- | --- |\n" + rows
