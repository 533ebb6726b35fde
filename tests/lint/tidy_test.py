"""clang-tidy over what was changed. usage: tidy_test.py SOURCE_DIR BUILD_DIR [--all]

A file takes seconds: without --all those that changed are looked at, the newest of them, on every
core. Those in which nothing was found before are known by their contents and are not looked at again.
"""
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import clang_tools
import clean_files
from limited_case import SECONDS, LimitedTest

SOURCE, BUILD = (pathlib.Path(p).resolve() for p in sys.argv[1:3])
ALL = "--all" in sys.argv[3:]
MOST = 16  # a choice: two minutes on two cores
FINDING = re.compile(r"^(\S+?):\d+:\d+: (?:warning|error): .* \[([\w.,-]+)\]$", re.M)


def findings(program, database, path, headers):
    """What it says of a source and of the headers that the pattern names."""
    result = subprocess.run(
        [program, "-p", database, "--quiet", f"--header-filter={headers}", path],
        capture_output=True, text=True, cwd=SOURCE)
    return result.stdout if result.returncode else ""


class TidyTest(LimitedTest):
    most_seconds = (36 if ALL else 6) * SECONDS

    def setUp(self):
        self.program = clang_tools.tool("clang-tidy")
        if self.program is None:
            self.skipTest(f"no clang-tidy {clang_tools.VERSION}")
        database = json.loads((BUILD / "compile_commands.json").read_text())
        self.entries = list(clang_tools.single_sources(database))
        self.compiled = {self.path_of(entry) for entry in self.entries} - {None}

    @staticmethod
    def path_of(entry):
        """From the root; None outside."""
        path = pathlib.Path(entry["directory"], entry["file"]).resolve()
        return path.relative_to(SOURCE).as_posix() if path.is_relative_to(SOURCE) else None

    def chosen(self):
        """The sources, and a pattern of the headers."""
        if ALL:
            paths = clang_tools.sources(SOURCE)
            return sorted(clang_tools.units(paths, self.compiled)), set(paths)
        paths = clang_tools.changed(SOURCE)
        if paths is None:
            self.skipTest("this is no tree of git: what was changed is not known")
        if not paths and not clang_tools.has_history(SOURCE):
            self.skipTest("one commit is known, as in a clone of depth 1: what was changed is not; "
                          "--all looks at everything")
        units = clang_tools.units(paths, self.compiled)
        print(f"{len(units)} of {len(paths)} changed files are compiled; looked at: at most {MOST} that are "
              "not known, all with --all")
        return units, {path for path in paths if path.endswith(".h")}

    def keys(self, clean, units, headers):
        """By unit: what its check depends on."""
        commands = {self.path_of(entry): entry["command"] for entry in self.entries}
        sources = clean_files.Sources(SOURCE)
        return {unit: clean.key(sources.digest(unit), commands[unit],
                                *(path for path in sources.seen(unit) if path in headers))
                for unit in units}

    def texts(self, database, paths, headers):
        """By path: what is found."""
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            return dict(zip(paths, pool.map(
                lambda path: findings(self.program, database, path, headers), paths)))

    def test_nothing_is_found(self):
        units, headers = self.chosen()
        clean = clean_files.CleanFiles(BUILD / "lint/tidy", clang_tools.version(self.program),
                                       (SOURCE / ".clang-tidy").read_text())
        keys = self.keys(clean, units, headers)
        pattern = ".*" if ALL else f"({'|'.join(map(re.escape, sorted(headers)))})$" if headers else "^$"
        with tempfile.TemporaryDirectory() as folder:
            database = pathlib.Path(folder, "compile_commands.json")
            database.write_text(json.dumps(clang_tools.plain_database(self.entries)))
            texts = list(clean_files.checked(clean, keys, lambda paths: self.texts(folder, paths, pattern),
                                             None if ALL else MOST).values())
        found = {match.groups() for text in texts for match in FINDING.finditer(text)}
        counts = collections.Counter(check for _, check in found)
        for check, count in counts.most_common():
            print(f"{count:5} files  {check}")
        self.assertEqual([text for text in texts if text], [], "\n" + "\n".join(texts))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
