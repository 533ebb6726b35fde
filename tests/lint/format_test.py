"""clang-format over all C++ of the tree. usage: format_test.py SOURCE_DIR [BUILD_DIR]

With BUILD_DIR: files that were found formatted before are known by their contents.
"""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import unittest

import clang_tools
import clean_files
from limited_case import LimitedTest

SOURCE = pathlib.Path(sys.argv[1]).resolve()
KNOWN = pathlib.Path(sys.argv[2]) / "lint/formatted" if len(sys.argv) > 2 else None
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
        if KNOWN is None:
            complaints = self.among(paths)
        else:
            clean = clean_files.CleanFiles(KNOWN, clang_tools.version(self.program),
                                           (SOURCE / ".clang-format").read_text())
            keys = {path: clean.key(path, (SOURCE / path).read_bytes()) for path in paths}
            complaints = clean_files.checked(clean, keys, self.among)
        self.assertEqual(list(complaints), [], f"\n{self.program} -i " + " ".join(complaints))

    def among(self, paths):
        """Those that are not formatted, as keys."""
        groups = [paths[i:i + FILES_AT_ONCE] for i in range(0, len(paths), FILES_AT_ONCE)]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            results = pool.map(lambda group: unformatted(self.program, group), groups)
        return {path: "not formatted" for found in results for path in found}


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
