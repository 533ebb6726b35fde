"""A file that was found clean is checked again only when what its check depends on has changed."""
import pathlib
import tempfile
import unittest

from clean_files import MOST, CleanFiles, Sources, checked
from limited_case import LimitedTest


class CleanFilesTest(LimitedTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.write("one.h", '#include "two.h"\n')
        self.write("two.h", "int two;\n")
        self.write("other.h", "int other;\n")

    def write(self, name, text):
        (self.folder / name).write_text(text)

    def check(self, complaints=(), facts=("1",), most=None):
        """The paths that are asked for in a new run."""
        clean = CleanFiles(self.folder / "known/headers", *facts)
        sources = Sources(self.folder)
        asked = []

        def ask(paths):
            asked.extend(paths)
            return {path: "wrong" for path in paths if path in complaints}

        keys = {path: clean.key(sources.digest(path)) for path in ("one.h", "two.h", "other.h")}
        found = checked(clean, keys, ask, most)
        self.assertEqual(sorted(found), sorted(set(asked) & set(complaints)))
        return asked

    def test_the_same_is_checked_once(self):
        self.assertEqual(len(self.check()), 3)
        self.assertEqual(self.check(), [])

    def test_a_header_that_changed_is_checked_with_what_sees_it(self):
        self.check()
        self.write("two.h", "int three;\n")
        self.assertEqual(sorted(self.check()), ["one.h", "two.h"])
        self.assertEqual(self.check(), [])

    def test_what_is_not_clean_is_checked_again(self):
        self.check(complaints=("two.h",))
        self.assertEqual(self.check(complaints=("two.h",)), ["two.h"])
        self.assertEqual(self.check(), ["two.h"])
        self.assertEqual(self.check(), [])

    def test_other_tools_and_options_check_again(self):
        self.check()
        self.assertEqual(len(self.check(facts=("2",))), 3)
        self.assertEqual(self.check(), [])

    def test_the_first_that_are_not_known_are_checked(self):
        self.assertEqual(self.check(most=2), ["one.h", "two.h"])
        self.assertEqual(self.check(most=2), ["other.h"])

    def test_the_latest_are_kept(self):
        clean = CleanFiles(self.folder / "many")
        for number in range(MOST + 5):
            clean.add(str(number))
        clean.save()
        again = CleanFiles(self.folder / "many")
        self.assertFalse(again.has("4"))
        self.assertTrue(again.has("5"))


if __name__ == "__main__":
    unittest.main(verbosity=2)
