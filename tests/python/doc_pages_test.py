"""The pages hold together: links lead somewhere, blocks are marked as the docs test expects."""
import json
import os.path
import pathlib
import re
import tempfile
import unittest

import doc_pages
from doc_pages import PageError, blocks, read

import cpp_api  # beside stage, which doc_pages finds

LONGEST_FRONT_PAGE = 150
LEAST_SHARE = 0.8  # of all shell and Python blocks are run
LONGEST_LINE = 104
LONGEST_GUIDE = 150
MOST_LONG_SENTENCES = 0.03  # over 30 words
# A list of old words, and rules whose sentences a test holds by their words.
KEPT_WORDS = ("docs/design/glossary.md", "docs/reference/leaderboard.md")


class PagesTest(unittest.TestCase):
    def test_every_relative_link_leads_somewhere(self):
        complaints = [c for page in doc_pages.pages()
                      for c in doc_pages.broken_links(page, read(page))]
        self.assertEqual(complaints, [], "\n" + "\n".join(complaints))

    def test_pages_link_to_those_that_only_the_site_has(self):
        found = [page for page in doc_pages.pages() for _, target in doc_pages.links(read(page))
                 if not re.match("[a-z]+:", target) and os.path.normpath(
                     f"{os.path.dirname(page)}/{target.partition('#')[0]}") in doc_pages.GENERATED]
        self.assertGreaterEqual(len(found), 20)
        self.assertGreaterEqual(len(set(found)), 8, found)

    def test_every_file_that_is_named_exists(self):
        complaints = [c for page in doc_pages.pages()
                      for c in doc_pages.missing_paths(page, read(page))]
        self.assertEqual(complaints, [], "\n" + "\n".join(complaints))

    def test_the_front_page_is_short(self):
        self.assertLessEqual(len(read("README.md").splitlines()), LONGEST_FRONT_PAGE)

    def test_the_index_leads_to_every_page(self):
        named = {folder + target.partition("#")[0] for folder in ("", "results/")
                 for _, target in doc_pages.links(read(f"docs/{folder}README.md"))}
        for page in [*doc_pages.pages(), *doc_pages.notebooks()]:
            if page.startswith("docs/") and page != "docs/README.md":
                self.assertIn(page.removeprefix("docs/"), named)
        self.assertIn("docs/README.md", [target for _, target in doc_pages.links(read("README.md"))])

    def test_guides_are_short_and_undated(self):
        guides = [page for page in doc_pages.pages() if doc_pages.is_guide(page)]
        self.assertGreater(len(guides), 10)
        for page in guides:
            self.assertLessEqual(len(read(page).splitlines()), LONGEST_GUIDE, page)
            self.assertEqual(doc_pages.dated_figures(page, read(page)), [])

    def test_sentences_are_short(self):
        pages = [page for page in doc_pages.pages() if not doc_pages.is_result(page)]
        count = sum(len(doc_pages.sentences(read(page))) for page in pages)
        long = [(page, one) for page in pages for one in doc_pages.long_sentences(read(page))]
        self.assertGreater(count, 300)
        self.assertLessEqual(len(long), MOST_LONG_SENTENCES * count, long)

    def test_pages_are_free_of_the_old_dialect(self):
        pages = [page for page in doc_pages.pages()
                 if not doc_pages.is_result(page) and page not in KEPT_WORDS]
        complaints = [one for page in pages for one in doc_pages.dialect(page, read(page))]
        self.assertEqual(complaints, [], "\n" + "\n".join(complaints))

    def test_docstrings_of_the_package_are_free_of_it(self):
        package = doc_pages.ROOT / "bindings/schedulegym"
        found = [f"{path.name}: {word[0]}" for path in sorted(package.rglob("*.py*"))
                 if path.suffix in (".py", ".pyi") for text in doc_pages.docstrings(path.read_text())
                 for word in doc_pages.DIALECT.finditer(text)]
        self.assertEqual(found, [])

    def test_comments_of_public_headers_are_free_of_it(self):
        headers = cpp_api.public_headers(doc_pages.ROOT)
        self.assertIn("agents/agent.h", headers)
        found = [f"{name}:{number}: {word[0]}" for name in headers
                 for number, line in enumerate((doc_pages.ROOT / name).read_text().splitlines(), 1)
                 for comment in doc_pages.own_words([line.partition("//")[2]])
                 for word in doc_pages.DIALECT.finditer(comment)]
        self.assertEqual(found, [])

    def test_no_page_names_an_index_that_lacks_the_package(self):
        for page in doc_pages.pages():
            self.assertNotRegex(read(page), r"pip install [\"']?schedulegym", page)

    def test_blocks_name_a_language_and_their_marks_hold(self):
        for page in doc_pages.pages():
            for block in blocks(page, read(page)):
                self.assertIn(block.language, doc_pages.RUN + doc_pages.SHOWN, block.where)
                self.assertTrue(block.runnable().strip(), block.where)
                self.assertTrue(block.language in doc_pages.RUN or not block.parts, block.where)

    def test_cells_of_notebooks_are_run(self):
        self.assertGreaterEqual(len(doc_pages.notebooks()), 3)
        for page in doc_pages.notebooks():
            for block in doc_pages.cells(page):
                self.assertTrue(block.is_run and block.runnable().strip(), block.where)
            for cell in json.loads(read(page))["cells"]:
                self.assertFalse(cell.get("outputs"), f"{page}: kept outputs")

    def test_most_blocks_are_run(self):
        all_blocks = [block for page in doc_pages.pages() for block in blocks(page, read(page))
                      if block.language in doc_pages.RUN]
        run = [block for block in all_blocks if block.is_run]
        self.assertGreaterEqual(len(run), LEAST_SHARE * len(all_blocks),
                                [block.where for block in all_blocks if not block.is_run])

    def test_lines_are_of_one_length(self):
        for page in doc_pages.pages():
            if doc_pages.is_generated(page):
                continue
            inside = False
            for number, line in enumerate(read(page).splitlines(), 1):
                inside ^= line.startswith("```")
                if not inside and not line.startswith(("|", "!", "<", "- **")):
                    self.assertLessEqual(len(line), LONGEST_LINE, f"{page}:{number}")


class BlocksTest(unittest.TestCase):
    def one(self, text):
        block, = blocks("page.md", text)
        return block

    def test_a_block_and_its_mark(self):
        block = self.one("# A\n\n<!-- docs test: `4` for `200`; needs torch; saved as a.py -->\n"
                         "```python\nrun(200)\n```\n")
        self.assertEqual((block.where, block.language, block.text), ("page.md:4", "python", "run(200)\n"))
        self.assertEqual(block.runnable(), "run(4)\n")
        self.assertEqual(block.values("needs"), [{"module": "torch"}])
        self.assertEqual(block.values("saved"), [{"file": "a.py"}])
        self.assertTrue(block.is_run)

    def test_what_is_not_run(self):
        self.assertFalse(self.one("<!-- docs test: not run, it takes hours -->\n```sh\ntrue\n```\n").is_run)
        self.assertFalse(self.one("```text\ntrue\n```\n").is_run)
        block = self.one("<!-- docs test: without `b`, it is slow -->\n```sh\na\nb\nbc\n```\n")
        self.assertEqual(block.runnable(), "a\nbc\n")

    def test_marks_that_do_not_hold(self):
        for mark, line, complaint in (
                ("`4` for `200`", "run(300)", "page.md:2: found no `200` to be replaced"),
                ("without `b`, it is slow", "bc", "page.md:2: found no line `b` to be left out"),
                ("not run", "a", "page.md:2: found 'not run' in a mark"),
                ("without `a`", "a", "page.md:2: found 'without `a`' in a mark"),
                ("skipped", "a", "page.md:2: found 'skipped' in a mark")):
            with self.assertRaisesRegex(PageError, complaint):
                self.one(f"<!-- docs test: {mark} -->\n```sh\n{line}\n```\n").runnable()

    def test_marks_and_blocks_that_are_not_finished(self):
        mark = "<!-- docs test: not run, it is slow -->\n"
        for text, complaint in ((mark + "words\n", "before no block"), ("```sh\na\n", "not finished"),
                                (mark, "not finished"), (mark * 2 + "```sh\n```\n", "second mark")):
            with self.assertRaisesRegex(PageError, complaint):
                blocks("page.md", text)


class WordsTest(unittest.TestCase):
    TEXT = ("# One two\n\n<!-- docs test: not run, nobody wants it -->\n```sh\nnobody\n```\n"
            "First `nobody wants`. Second\nline: third.\n\n- item one\n- item two; and\n  more\n"
            "| told | x |\n")

    def test_sentences(self):
        self.assertEqual(doc_pages.sentences(self.TEXT),
                         ["First X.", "Second line: third.", "item one", "item two; and more"])
        self.assertEqual(doc_pages.long_sentences("a " * 30 + "b. c d.\n"), ["a " * 30 + "b."])

    def test_dialect(self):
        self.assertEqual(doc_pages.dialect("a.md", self.TEXT), [])
        self.assertEqual(doc_pages.dialect("a.md", "x\n[It](nobody.md) is\ntold by whoever.\n"),
                         ["a.md:3: found 'told'", "a.md:3: found 'whoever'"])

    def test_dates(self):
        self.assertEqual(doc_pages.dated_figures("a.md", "`2026` 2048 x\nmay 3\n| May 3 |\nin 2026\n"),
                         ["a.md:1: found the date '2048'", "a.md:3: found the date 'May 3'",
                          "a.md:4: found the date '2026'"])


class LinksTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        (self.root / "docs").mkdir()
        (self.root / "docs/other.md").write_text("# The `x` of it, and y\n\n```sh\n# not one\n```\n## A\n## A\n")

    def complaints(self, text):
        return doc_pages.broken_links("docs/page.md", text, self.root)

    def test_what_leads_somewhere(self):
        (self.root / "picture.svg").touch()
        (self.root / "docs/page.md").touch()
        self.assertEqual(self.complaints(
            "# Here\n[a](other.md) [b](other.md#the-x-of-it-and-y) [c](#here)\n"
            "![d](../picture.svg) [e](https://a.example/none) [f](other.md#a-1) `[g](none.md)`\n"
            "```sh\n[h](none.md)\n```\n"), [])

    def test_what_leads_nowhere(self):
        (self.root / "docs/page.md").touch()
        self.assertEqual(self.complaints(
            "# Here\n[a](none.md)\n[b](other.md#b)\n[c](#there)\n![d](../../)\n[e](other.md#not-one)\n"
            "<img src=\"none.png\">\n\n[f]: other.md#a-2\n"),
            ["docs/page.md:2: found no file none.md", "docs/page.md:3: found no heading for other.md#b",
             "docs/page.md:4: found no heading for #there", "docs/page.md:5: found no file ../../",
             "docs/page.md:6: found no heading for other.md#not-one",
             "docs/page.md:7: found no file none.png",
             "docs/page.md:9: found no heading for other.md#a-2"])

    def test_pages_that_only_the_site_has(self):
        (self.root / "docs/page.md").touch()
        self.assertEqual(self.complaints(
            "[a](reference/agents.md#ansor) [b](reference/environments/File.md)\n[c](reference/agent.md)\n"
            "[d](agents.md)\n[e](reference/environments/None.md)\n"),
            ["docs/page.md:2: found no file reference/agent.md", "docs/page.md:3: found no file agents.md",
             "docs/page.md:4: found no file reference/environments/None.md"])

    def test_files_that_are_named(self):
        text = "`docs/other.md`, `docs/NAME/x`, `build/bin/x`, `none/at/all`\n`docs/none.md`\n"
        (self.root / "build").mkdir()
        self.assertEqual(doc_pages.missing_paths("a.md", text, self.root),
                         ["a.md:2: found no docs/none.md"])


if __name__ == "__main__":
    unittest.main()
