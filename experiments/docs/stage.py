"""The pages of the site: those of the tree, with links that lead within the site, and generated ones."""
from __future__ import annotations

import os
import pathlib
import re
import shutil
from typing import Union

import cpp_api
import environments
import launcher
import notebooks
import python_api
import reference

Entry = tuple[str, Union[str, list["Entry"]]]
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
MARK = re.compile(r"^<!-- .*?-->\n", re.DOTALL | re.MULTILINE)
PICTURES = (".svg", ".png", ".jpg")


def stage_pages(root: pathlib.Path, pages: pathlib.Path) -> list[Entry]:
    """Writes all pages below a folder and gives the site's list of pages."""
    pages.mkdir(parents=True)
    for source in sorted((root / "docs").rglob("*.md")):
        name = source.relative_to(root / "docs").as_posix()
        if name != "README.md":
            write(pages / name, relinked(source.read_text(), source, root, pages))
    for source in sorted((root / "docs/tutorials").glob("*.ipynb")):
        text = notebooks.page_of(source)
        write(pages / "tutorials" / f"{source.stem}.md", relinked(text, source, root, pages))
    front = root / "README.md"
    write(pages / "index.md", relinked(front.read_text(), front, root, pages))
    made = generated(root, pages)
    return entries_of(root, made)


def generated(root: pathlib.Path, pages: pathlib.Path) -> list[Entry]:
    """Writes the pages that the program and the package give."""
    made: list[Entry] = []
    for title, name, text in (*reference.pages_of(), launcher.page_of()):
        write(pages / "reference" / name, text)
        made.append((title, f"reference/{name}"))
    ids: list[Entry] = []
    for title, name, text in environments.pages_of():
        write(pages / "reference/environments" / name, text)
        ids.append((title, f"reference/environments/{name}"))
    made.append(("Environments", ids))
    for title, name, text in (python_api.page_of(root), cpp_api.page_of(root, pages)):
        write(pages / "reference" / name, text)
        made.append((title, f"reference/{name}"))
    return made


def generated_names(root: pathlib.Path) -> set[str]:
    """The pages that only the site has, from docs; neither the program nor the package is needed."""
    names = re.findall(r"^ +\{\"(\w+)\", \"\w+\", \"\w+\",",
                       (root / "env/gym/builtin_environments.cc").read_text(encoding="utf-8"), re.MULTILINE)
    kinds = [name for name, _, _, _ in reference.KINDS]
    return {f"reference/{name}" for name in (
        "commands.md", *kinds, launcher.PAGE, python_api.PAGE, cpp_api.PAGE,
        *(f"environments/{name}.md" for name in names))}


def studies_of(root: pathlib.Path, listed: list[Entry]) -> list[Entry]:
    """The pages of studies that the index does not list, by their titles."""
    named = [target for _, target in listed]
    found = [(path.read_text(encoding="utf-8"), path.relative_to(root / "docs").as_posix())
             for path in sorted((root / "docs/results").rglob("*.md"))]
    return sorted((title[1].replace("`", ""), name) for text, name in found
                  if name not in named and (title := re.search(r"^# (.*)", text, re.MULTILINE)))


def entries_of(root: pathlib.Path, made: list[Entry]) -> list[Entry]:
    """The list of pages: the tables of docs/README.md, with generated pages in the reference."""
    index = (root / "docs/README.md").read_text(encoding="utf-8")
    entries: list[Entry] = [("ScheduleGym", "index.md")]
    for part in re.split(r"^## ", index, flags=re.MULTILINE)[1:]:
        title = part.splitlines()[0]
        links: list[Entry] = [(text.replace("`", ""), target.replace(".ipynb", ".md"))
                              for _, text, target in LINK.findall(part) if "/" in target]
        if title == "Results":
            links.append(("Studies", studies_of(root, links)))
        if title == "Reference":
            links = made + [link for link in links if link[1] not in generated_names(root)]
        entries.append((title, links))
    return entries


def relinked(text: str, source: pathlib.Path, root: pathlib.Path, pages: pathlib.Path) -> str:
    """The page with its links as they are on the site; marks of the docs test are left out."""
    docs = root / "docs"

    def link(match: re.Match[str]) -> str:
        mark, words, target = match.groups()
        if re.match(r"[a-z]+:|#", target):
            return match[0]
        path, _, anchor = target.partition("#")
        place = (source.parent / path).resolve()
        tail = f"#{anchor}" if anchor else ""
        if place == root / "docs/README.md":
            return f"{mark}[{words}]({there(pages / 'index.md')}{tail})"
        if place.suffix in (".md", ".ipynb") and docs in place.parents:
            page = pages / place.relative_to(docs)
            return f"{mark}[{words}]({there(page.with_suffix('.md'))}{tail})"
        if place.suffix in PICTURES:
            copy = pages / "pictures" / place.relative_to(root).as_posix().replace("/", "-")
            copy.parent.mkdir(exist_ok=True)
            shutil.copy(place, copy)
            return f"{mark}[{words}]({there(copy)})"
        return words  # a file of the repository that is no page

    def there(target: pathlib.Path) -> str:
        inside = source.relative_to(docs).parent if docs in source.parents else pathlib.Path()
        return os.path.relpath(target, pages / inside)

    text = MARK.sub("", text)
    parts, end = [], 0
    for fence in FENCE.finditer(text):
        parts += [LINK.sub(link, text[end:fence.start()]), fence[0]]
        end = fence.end()
    return "".join(parts) + LINK.sub(link, text[end:])


def write(path: pathlib.Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
