"""Builds the manual as a site with search: build_site.py [--build FOLDER] [--pdf FILE] [--port N].

Pages are those of README and docs, and reference pages that are generated from the program and the
package of this build. Without --build the site goes to build/site; without --build and --pdf it is
served.
"""
from __future__ import annotations

import argparse
import functools
import http.server
import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys
import time

import book
import stage

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = pathlib.Path(__file__).resolve().parent


class SiteError(Exception):
    """The site cannot be built."""


class PlaceError(Exception):
    """A file cannot be written where it is to be."""


def say(text: str) -> None:
    print(f"docs: {text}", file=sys.stderr, flush=True)


def place(text: str) -> pathlib.Path:
    """A path of the command line."""
    if not text:
        raise argparse.ArgumentTypeError("found an empty name, expected a file or folder")
    return pathlib.Path(text)


def check_place(file: pathlib.Path) -> None:
    """That a file may be written there, before any work; its folder is made."""
    from schedulegym import InputError
    from schedulegym._schedulegym import check_output

    file.parent.mkdir(parents=True, exist_ok=True)
    try:
        check_output(file)
    except InputError as fault:
        raise PlaceError(str(fault)) from None


def nav_text(entries: list[stage.Entry], indent: str = "  ") -> str:
    """The list of pages as YAML. An entry is a title and a page, or a title and entries."""
    lines = []
    for title, target in entries:
        if isinstance(target, str):
            lines.append(f"{indent}- {title!r}: {target}")
        else:
            lines += [f"{indent}- {title!r}:", nav_text(target, indent + "    ")]
    return "\n".join(lines)


def build(folder: pathlib.Path, work: pathlib.Path) -> list[stage.Entry]:
    """Builds the site into a folder; its list of pages."""
    begin = time.monotonic()
    pages = work / "pages"
    shutil.rmtree(pages, ignore_errors=True)
    entries = stage.stage_pages(ROOT, pages)
    shutil.copy(HERE / "style.css", pages / "style.css")
    settings = work / "mkdocs.yml"
    settings.write_text((HERE / "mkdocs.yml").read_text() +
                        f"docs_dir: {pages}\nsite_dir: {folder}\nnav:\n{nav_text(entries)}\n")
    result = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "-f", settings],
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"})
    if result.returncode != 0:
        raise SiteError("MkDocs did not build the site; its lines stand above")
    say(f"built {len(list(folder.rglob('*.html')))} pages in {time.monotonic() - begin:.0f} s: {folder}")
    return entries


def serve(folder: pathlib.Path, port: int) -> None:
    """Serves a folder on this machine until Ctrl-C."""
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=folder)
    handler.log_message = lambda *_: None  # type: ignore[attr-defined]
    with http.server.ThreadingHTTPServer(("127.0.0.1", port), handler) as server:
        print(f"http://127.0.0.1:{server.server_address[1]}/", flush=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            say("stopped")


def main() -> int:
    parser = argparse.ArgumentParser(prog="sg docs", description="builds the manual and serves it")
    parser.add_argument("--build", metavar="FOLDER", type=place,
                        help="only build, into this folder")
    parser.add_argument("--pdf", metavar="FILE", type=place,
                        help="only build, and print all pages into this file; needs Chromium")
    parser.add_argument("--port", metavar="N", type=int, default=8000,
                        help="port of the server on this machine, 0: any (default 8000)")
    options = parser.parse_args()
    for module in ("mkdocs", "material"):
        if importlib.util.find_spec(module) is None:
            print(f"error: missing Python package {module} (to install it: ./sg setup docs)",
                  file=sys.stderr)
            return 3
    folder = (options.build or ROOT / "build/site").resolve()
    try:
        if options.pdf:
            check_place(options.pdf)
        entries = build(folder, ROOT / "build/docs")
        if options.pdf:
            book.print_book(folder, entries, options.pdf)
            say(f"printed {options.pdf}")
    except PlaceError as fault:
        print(f"error: {fault}", file=sys.stderr)
        return 2
    except (SiteError, book.BookError) as fault:
        print(f"error: {fault}", file=sys.stderr)
        return 1
    if not options.build and not options.pdf:
        serve(folder, options.port)
    return 0


if __name__ == "__main__":
    sys.exit(main())
