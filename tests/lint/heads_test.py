"""Long sources open with what they compute. usage: heads_test.py SOURCE_DIR"""
import pathlib
import sys
import unittest

import rules
from limited_case import LimitedTest

SOURCE = pathlib.Path(sys.argv[1]).resolve()

# Commands and registries without an algorithm; new ones with one have no place here.
MOST_WITHOUT = 20


class HeadsTest(LimitedTest):
    def test_tree(self):
        texts = {path.relative_to(SOURCE).as_posix(): path.read_text()
                 for folder in rules.TOP_LEVEL for path in (SOURCE / folder).rglob("*")
                 if path.suffix in (".cc", ".cu", ".c")}
        long = {path: text for path, text in texts.items()
                if len(text.splitlines()) > rules.LONG_SOURCE}
        self.assertGreater(len(long), 100)
        without = sorted(path for path, text in long.items() if not rules.has_head(text))
        self.assertLessEqual(
            len(without), MOST_WITHOUT,
            f"of {len(long)} sources above {rules.LONG_SOURCE} lines these lack a comment of at "
            f"least {rules.HEAD_LINES} lines before or right after their includes: "
            + ", ".join(without))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
