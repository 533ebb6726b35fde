"""The examples in comments of public C++ headers compile."""
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from harness import ROOT

HEADERS = ("agents/agent.h", "agents/common/task_search.h", "env/search/search_space.h")
HEAD = "#include <agents/plugin.h>\n\nusing namespace schedulegym;\n"


def examples(text):
    """The code of each example, without the marks of the comment."""
    return [re.sub(r"(?m)^ *// ?", "", block)
            for block in re.findall(r"(?s)// @code\n(.*?) *// @endcode", text)]


class HeaderExamplesTest(unittest.TestCase):
    def faults(self, code):
        with tempfile.TemporaryDirectory(prefix="schedulegym test ") as folder:
            source = pathlib.Path(folder, "examples.cc")
            source.write_text(HEAD + code)
            result = subprocess.run(["g++", "-std=c++20", "-fsyntax-only", "-Wall", "-I", ROOT, source],
                                    capture_output=True, text=True)
        return "" if result.returncode == 0 and not result.stderr else result.stderr or "failed"

    @unittest.skipIf(shutil.which("g++") is None, "no g++")
    def test_examples_compile(self):
        blocks = []
        for name in HEADERS:
            found = examples((ROOT / name).read_text())
            self.assertEqual(len(found), 1, name)
            blocks += found
        self.assertEqual(self.faults("\n".join(blocks)), "")
        self.assertIn("Propos", self.faults(blocks[0].replace("Propose(", "Proposes(")))


if __name__ == "__main__":
    unittest.main()
