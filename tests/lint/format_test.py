"""clang-format over all C++ of the tree. usage: format_test.py SOURCE_DIR"""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import unittest

import clang_tools
from limited_case import LimitedTest

SOURCE = pathlib.Path(sys.argv[1]).resolve()
FILES_AT_ONCE = 50


def unformatted(program, paths):
    """Of these paths from the root."""
    result = subprocess.run([program, "--dry-run", "--Werror", *paths], capture_output=True,
                            text=True, cwd=SOURCE)
    found = set(re.findall(r"^(\S+?):\d+:\d+: error: ", result.stderr, re.M))
    return sorted(found) if result.returncode == 0 or found else [result.stderr]


class FormatTest(LimitedTest):
    def setUp(self):
        self.program = clang_tools.tool("clang-format")
        if self.program is None:
            self.skipTest(f"no clang-format {clang_tools.VERSION}")

    def test_everything_is_formatted(self):
        paths = clang_tools.sources(SOURCE)
        self.assertGreater(len(paths), 20)
        groups = [paths[i:i + FILES_AT_ONCE] for i in range(0, len(paths), FILES_AT_ONCE)]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            results = pool.map(lambda group: unformatted(self.program, group), groups)
        complaints = [path for found in results for path in found]
        self.assertEqual(complaints, [], f"\n{self.program} -i " + " ".join(complaints))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
