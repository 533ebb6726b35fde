"""The project's pages in Markdown: their links, words, and the blocks that a test runs; notebooks, too.

A comment before a block says how the docs test takes it; parts are divided by `; `:

    <!-- docs test: `--trials 4` for `--trials 200`; needs torch -->

    `NEW` for `OLD`         OLD, which must stand in the block, is replaced before it runs
    without `LINE`, REASON  that line is left out
    needs MODULE            skipped where Python has no such module
    saved as FILE           the block is written there, too
    not run, REASON         the whole block is left out

A cell of a notebook has the same text as `docs_test` in its metadata.
"""
import ast
import dataclasses
import json
import os.path
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "experiments/docs"))
import stage  # noqa: E402

GENERATED = {f"docs/{name}" for name in stage.generated_names(ROOT)}  # pages that only the site has
RUN = ("sh", "python")  # the languages of blocks that are run
SHOWN = ("text", "dag", "cpp", "c", "json")
MARK = re.compile(r"<!-- docs test: (.*) -->")
PARTS = {"replaced": re.compile(r"`(?P<new>[^`]*)` for `(?P<old>[^`]+)`"),
         "without": re.compile(r"without `(?P<line>[^`]+)`, (?P<reason>\S.*)"),
         "needs": re.compile(r"needs (?P<module>\w+)"),
         "saved": re.compile(r"saved as (?P<file>\S+)"),
         "not_run": re.compile(r"not run, (?P<reason>\S.*)")}


class PageError(ValueError):
    """A page that is not written as it should be: file, line and what is wrong."""


@dataclasses.dataclass
class Block:
    """A fenced block: where it begins (the line of its fence), its language and text, its mark's parts."""
    page: str
    line: int
    language: str
    text: str
    parts: list

    @property
    def where(self):
        return f"{self.page}:{self.line}"

    def values(self, kind):
        """What the mark's parts of that kind say, in their order."""
        return [match.groupdict() for name, match in self.parts if name == kind]

    @property
    def is_run(self):
        return self.language in RUN and not self.values("not_run")

    def runnable(self):
        """The text as the docs test runs it."""
        text = self.text
        for part in self.values("replaced"):
            if part["old"] not in text:
                raise PageError(f"{self.where}: found no `{part['old']}` to be replaced")
            text = text.replace(part["old"], part["new"])
        for part in self.values("without"):
            lines = text.splitlines()
            if part["line"] not in lines:
                raise PageError(f"{self.where}: found no line `{part['line']}` to be left out")
            text = "\n".join(line for line in lines if line != part["line"]) + "\n"
        return text


def pages():
    """Every page, from the root, the front page first."""
    found = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    return [path.relative_to(ROOT).as_posix() for path in found]


def notebooks():
    """Every notebook, from the root."""
    return sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.ipynb"))


def is_guide(page):
    return page.startswith("docs/guide/")


def is_result(page):
    return page.startswith("docs/results/")


def is_generated(page):
    """Whether a script made the page from results."""
    return read(page).startswith("<!-- Made by ")


def read(page):
    return (ROOT / page).read_text(encoding="utf-8")


def parts_of(words, where):
    """(kind, match) of each part of a mark."""
    parts = []
    for word in words.split("; "):
        found = [(kind, match) for kind, form in PARTS.items() if (match := form.fullmatch(word))]
        if not found:
            raise PageError(f"{where}: found '{word}' in a mark, expected `NEW` for `OLD`, without "
                            "`LINE`, REASON, needs MODULE, saved as FILE or not run, REASON")
        parts += found
    return parts


def blocks(page, text):
    """Its fenced blocks in order."""
    found, opened, mark = [], None, None
    for number, line in enumerate(text.splitlines(), 1):
        if opened is not None:
            if line.strip() == "```":
                found.append(dataclasses.replace(opened, text="".join(body)))
                opened = None
            else:
                body.append(line + "\n")
        elif line.startswith("```"):
            where = f"{page}:{number}"
            parts = parts_of(mark, where) if mark else []
            opened, body, mark = Block(page, number, line[3:].strip(), "", parts), [], None
        elif match := MARK.fullmatch(line):
            if mark:
                raise PageError(f"{page}:{number}: found a second mark before one block")
            mark = match[1]
        elif mark:
            raise PageError(f"{page}:{number}: found a mark that stands before no block")
    if opened is not None or mark:
        raise PageError(f"{page}: found a block or a mark at its end that is not finished")
    return found


def cells(page):
    """The code cells of a notebook as blocks; their lines are the cells' numbers."""
    found = []
    for number, cell in enumerate(json.loads(read(page))["cells"], 1):
        if cell["cell_type"] == "code":
            mark = cell["metadata"].get("docs_test")
            parts = parts_of(mark, f"{page}:{number}") if mark else []
            found.append(Block(page, number, "python", "".join(cell["source"]) + "\n", parts))
    return found


def prose(text):
    """The text without its fenced blocks, a line for a line."""
    lines, inside = [], False
    for line in text.splitlines():
        fence = line.startswith("```")
        lines.append("" if inside or fence else line)
        inside ^= fence
    return "\n".join(lines)


def anchors(text):
    """What links may name within a page: of each heading, as GitHub makes them."""
    seen, names = {}, set()
    for match in re.finditer(r"^#{1,6} +(.*?)\s*#*$", prose(text), re.MULTILINE):
        title = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", match[1]).lower()
        name = re.sub(r"[^\w\- ]", "", title).replace(" ", "-")
        count = seen.get(name, 0)
        seen[name] = count + 1
        names.add(f"{name}-{count}" if count else name)
    return names


def links(text):
    """(line, target) of each link and picture, references and HTML included."""
    bare = re.sub(r"`[^`\n]*`", lambda code: " " * len(code[0]), prose(text))
    forms = (r"\]\(\s*<?([^)\s>]+)>?[^)]*\)", r"^\[[^]]+\]:\s*(\S+)", r"(?:href|src)=\"([^\"]*)\"")
    return sorted((bare.count("\n", 0, match.start()) + 1, match[1])
                  for form in forms for match in re.finditer(form, bare, re.MULTILINE))


def broken_links(page, text, root=ROOT):
    """A line for each relative link that leads to no file of the tree, nor to a page that the site has
    beside them, or to no heading. Headings of the site's own pages are checked where it is built."""
    complaints = []
    for line, target in links(text):
        if re.match(r"[a-z][a-z0-9+.-]*:|//", target):
            continue
        path, _, anchor = target.partition("#")
        if os.path.normpath(f"{os.path.dirname(page)}/{path}") in GENERATED and page.startswith("docs/"):
            continue
        place = (root / page).parent / path if path else root / page
        if not place.exists() or root.resolve() not in (place.resolve(), *place.resolve().parents):
            complaints.append(f"{page}:{line}: found no file {target}")
        elif anchor and place.suffix == ".md" and anchor not in anchors(
                place.read_text(encoding="utf-8") if path else text):
            complaints.append(f"{page}:{line}: found no heading for {target}")
    return complaints


def missing_paths(page, text, root=ROOT):
    """A line for each `folder/name` below a folder of the tree that does not exist. Names in capitals
    stand for others; what a build makes is not looked for."""
    complaints = []
    for match in re.finditer(r"`([a-z]+/[\w./-]+)`", prose(text)):
        path = match[1]
        if (root / path.split("/")[0]).is_dir() and not path.startswith("build/") \
                and not re.search(r"[A-Z]{2}", path) and not (root / path).exists():
            line = text.count("\n", 0, text.index(match[0])) + 1
            complaints.append(f"{page}:{line}: found no {path}")
    return complaints


# What marks a figure as dated: a month with a day or year, or a year.
DATE = re.compile(r"\b(?:January|February|March|April|May|June|July|August|September|October|November|"
                  r"December) \d|\b(?:19|20)\d\d\b")
# Words of the old dialect: code has no ears, beliefs or wishes, and pages have no unnamed people.
DIALECT = re.compile(r"\b(tells?|told|hears?|heard|believes?|believed|wants?|whoever|nobody|anybody|"
                     r"strangers?|speaks? for|(?:is|are|be) worth|by chance|judges?|judged|forgets|asks nobody)\b",
                     re.IGNORECASE)


def plain_lines(text):
    """Lines of prose without tables, headings, comments, code and the targets of links."""
    text = re.sub(r"<!--.*?-->", lambda found: "\n" * found[0].count("\n"), prose(text), flags=re.DOTALL)
    lines = ["" if line.startswith(("|", "#", "!", "<")) else line for line in text.splitlines()]
    bare = re.sub(r"`[^`]*`", "X", "\n".join(lines))
    return re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", bare).splitlines()


def sentences(text):
    """The sentences of a page; an item of a list ends one."""
    lines = [re.sub(r"^\s*(?:[-*]|\d+\.) ", "\n\n", line) for line in plain_lines(text)]
    paragraphs = re.split(r"\n\s*\n", "\n".join(lines))
    found = []
    for paragraph in paragraphs:
        words = " ".join(paragraph.split())
        found += [one for one in re.split(r"(?<=[.!?]) ", words) if re.search(r"\w", one)]
    return found


def long_sentences(text, most=30):
    return [one for one in sentences(text) if len(one.split()) > most]


def dated_figures(page, text):
    """A line for each date in prose and tables; quoted output and code are not looked at."""
    bare = re.sub(r"`[^`]*`", "X", prose(text))
    return [f"{page}:{number}: found the date '{found[0]}'" for number, line in enumerate(bare.splitlines(), 1)
            if (found := DATE.search(line))]


def docstrings(source):
    """Those of a Python source, by own_words."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    texts = (ast.get_docstring(node) or "" for node in ast.walk(ast.parse(source))
             if isinstance(node, documented))
    return own_words(texts)


def own_words(texts):
    """Without the field's name for an agent's interface."""
    return [re.sub(r"\bask(,[^.;]*| and) tell\b", "", text) for text in texts]


def dialect(page, text):
    """A line for each word of the old dialect."""
    return [f"{page}:{number}: found '{found[0]}'" for number, line in enumerate(plain_lines(text), 1)
            for found in DIALECT.finditer(line)]
