"""No old name comes back. usage: words_test.py SOURCE_DIR"""
import pathlib
import sys
import unittest

import rules
import words
from limited_case import LimitedTest

SOURCE = pathlib.Path(sys.argv[1]).resolve()
TABLE = """
| old | new | what it is | in prose |
| --- | --- | --- | --- |
| `Walk`, `WalkPlace` | `EpisodeState` | a place | |
| `…Judge…` | `Evaluator` | says how fast | *never* arbiter, side rows |
| `package.gap` | `package.regret` | how far | |
"""


class RuleTest(LimitedTest):
    def found(self, path, text):
        return words.complaints(path, text, words.Words(TABLE))

    def test_an_old_identifier_is_refused_whole(self):
        self.assertIn("Walk, which the glossary calls EpisodeState",
                      self.found("env/a.h", "class Walk;")[0])
        self.assertFalse(self.found("env/a.h", "class CacheWalk; void Walker();"))
        self.assertTrue(self.found("bindings/a.py", "Walk = dict  # of places"))
        self.assertFalse(self.found("bindings/a.py", "walk = 'Walk'  # Walk"))

    def test_with_dots_it_is_refused_as_a_part(self):
        for text in ("class TableJudge;", "kJudges", "Judge judge;"):
            self.assertTrue(self.found("env/a.cc", text), text)
        self.assertFalse(self.found("env/a.cc", "int judgement = misjudged;"))

    def test_strings_and_sentences_keep_old_words(self):
        self.assertFalse(self.found("env/a.cc", 'Field("Walk"); R"(Judge)";'))
        self.assertFalse(self.found("env/a_test.cc", "TEST(EpisodeTest, AJudgeSees) {}"))
        self.assertTrue(self.found("env/a_test.cc", "TEST(JudgeTest, Sees) {}"))

    def test_prose_lacks_what_is_never_said_alone(self):
        self.assertFalse(self.found("env/a.cc", "// Walk on, Judge."))
        self.assertTrue(self.found("env/a.cc", "// The arbiters agree."))
        self.assertTrue(self.found("docs/a.md", "Side rows are kept."))
        self.assertFalse(self.found("docs/a.md", "`arbiter` and\n```sh\narbiter\n```\n"))

    def test_what_is_printed_has_neither(self):
        def found(text):
            return words.Words(TABLE).printed("list", text)
        self.assertEqual(found("an evaluator says so: judge=1, walks"), [])
        for text in ("TableJudge", "arbiter_seconds=1", "several arbiters"):
            self.assertTrue(found(text), text)

    def test_a_docstring_is_prose(self):
        self.assertTrue(self.found("bindings/a.py", '"""Arbiters agree."""'))
        self.assertTrue(self.found("bindings/a.py", 'def f():\n    """An arbiter."""'))
        self.assertFalse(self.found("bindings/a.py", 'x = """An arbiter."""'))

    def test_old_modules_are_not_imported(self):
        for text in ("import package.gap", "from package.gap import A", "from package import b, gap",
                     "from package import (\n    b,\n    gap)"):
            self.assertTrue(self.found("bindings/a.py", text), text)
        self.assertFalse(self.found("bindings/a.py", "from package import regret\ngap = 1"))


class TreeTest(LimitedTest):
    def test_tree(self):
        known = words.Words((SOURCE / "docs/design/glossary.md").read_text())
        self.assertGreater(len(known.whole) + len(known.part), 80)
        paths = [p for folder in rules.TOP_LEVEL + ("tests",) for p in (SOURCE / folder).rglob("*")
                 if p.suffix in (".h", ".cc", ".py")]
        paths += [*(SOURCE / "docs").rglob("*.md"), SOURCE / "README.md"]
        self.assertGreater(len(paths), 1000)
        found = [c for p in sorted(paths)
                 for c in words.complaints(p.relative_to(SOURCE).as_posix(), p.read_text(), known)]
        self.assertEqual(found, [], "\n" + "\n".join(found))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
