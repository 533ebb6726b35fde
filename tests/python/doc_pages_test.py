"""The pages hold together: links lead somewhere, blocks are marked as the docs test expects."""
import pathlib
import tempfile
import unittest

import doc_pages
from doc_pages import PageError, blocks, read

LONGEST_FRONT_PAGE = 150
LEAST_SHARE = 0.8  # of all shell and Python blocks are run
LONGEST_LINE = 104


class PagesTest(unittest.TestCase):
    def test_every_relative_link_leads_somewhere(self):
        complaints = [c for page in doc_pages.pages()
                      for c in doc_pages.broken_links(page, read(page))]
        self.assertEqual(complaints, [], "\n" + "\n".join(complaints))

    def test_every_file_that_is_named_exists(self):
        complaints = [c for page in doc_pages.pages()
                      for c in doc_pages.missing_paths(page, read(page))]
        self.assertEqual(complaints, [], "\n" + "\n".join(complaints))

    def test_the_front_page_is_short(self):
        self.assertLessEqual(len(read("README.md").splitlines()), LONGEST_FRONT_PAGE)

    def test_the_front_page_and_the_index_lead_to_every_page(self):
        for index, folder in (("README.md", "docs/"), ("docs/README.md", "")):
            named = {target.partition("#")[0] for _, target in doc_pages.links(read(index))}
            for page in doc_pages.pages():
                if page.startswith("docs/") and page != "docs/README.md":
                    self.assertIn(folder + page.removeprefix("docs/"), named, index)

    def test_blocks_name_a_language_and_their_marks_hold(self):
        for page in doc_pages.pages():
            for block in blocks(page, read(page)):
                self.assertIn(block.language, doc_pages.RUN + doc_pages.SHOWN, block.where)
                self.assertTrue(block.runnable().strip(), block.where)
                self.assertTrue(block.language in doc_pages.RUN or not block.parts, block.where)

    def test_most_blocks_are_run(self):
        all_blocks = [block for page in doc_pages.pages() for block in blocks(page, read(page))
                      if block.language in doc_pages.RUN]
        run = [block for block in all_blocks if block.is_run]
        self.assertGreaterEqual(len(run), LEAST_SHARE * len(all_blocks),
                                [block.where for block in all_blocks if not block.is_run])

    def test_lines_are_of_one_length(self):
        for page in doc_pages.pages():
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

    def test_files_that_are_named(self):
        text = "`docs/other.md`, `docs/NAME/x`, `build/bin/x`, `none/at/all`\n`docs/none.md`\n"
        (self.root / "build").mkdir()
        self.assertEqual(doc_pages.missing_paths("a.md", text, self.root),
                         ["a.md:2: found no docs/none.md"])


if __name__ == "__main__":
    unittest.main()
