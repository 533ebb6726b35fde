"""Holds the whole tree to the house rules. usage: lint_test.py SOURCE_DIR BUILD_DIR [--all]

Each header is compiled by itself, which takes a second: without --all those that changed.
"""
import collections
import concurrent.futures
import json
import os
import pathlib
import shlex
import subprocess
import sys
import unittest

import architecture
import clang_tools
import clean_files
import rules
from limited_case import SECONDS, LimitedTest

SOURCE, BUILD = (pathlib.Path(p).resolve() for p in sys.argv[1:3])
ALL = "--all" in sys.argv[3:]

# Their libraries' headers define objects with constructors in every file that sees them.
CONSTRUCTORS_BY_LIBRARY = ("#include <CLI/", "#include <benchmark/", "#include <asio/",
                           "#include <gtest/")


def files(*suffixes, folders=rules.TOP_LEVEL + ("tests",)):
    """(path from the root, text), sorted."""
    found = [p for folder in folders for p in sorted((SOURCE / folder).rglob("*"))
             if p.suffix in suffixes]
    return [(p.relative_to(SOURCE).as_posix(), p.read_text()) for p in found]


def compile_commands():
    """Of our own files below the top-level folders: (path, entry)."""
    database = json.loads((BUILD / "compile_commands.json").read_text())
    for entry in clang_tools.single_sources(database):
        path = pathlib.Path(entry["directory"], entry["file"]).resolve()
        if path.is_relative_to(SOURCE):
            relative = path.relative_to(SOURCE).as_posix()
            if relative.split("/")[0] in rules.TOP_LEVEL:
                yield relative, entry


class LintTest(LimitedTest):
    most_seconds = (36 if ALL else 6) * SECONDS

    def test_texts(self):
        sources = files(".h", ".cc", ".cu", ".py")
        self.assertGreater(len(sources), 20)
        complaints = [c for path, text in sources for rule in rules.RULES for c in rule(path, text)]
        self.assertEqual(complaints, [], "\n" + "\n".join(complaints))

    def test_every_folder_has_its_row(self):
        without = {path.rsplit("/", 1)[0] for path, _ in files(".h", ".cc", folders=rules.TOP_LEVEL)
                   if rules.folder_rule(path) is None}
        self.assertEqual(without, set(), "not in tests/lint/arrows.toml")

    def test_the_architecture_page_is_fresh(self):
        self.assertEqual((SOURCE / "docs/design/architecture.md").read_text(), architecture.page(),
                         "stale: python3 tests/lint/architecture.py . --write")

    def test_every_test_is_built(self):
        lists = {p.relative_to(SOURCE).as_posix(): p.read_text()
                 for p in (SOURCE / "tests").rglob("CMakeLists.txt")}
        tests = [path for path, _ in files(".cc", folders=("tests",)) if path.endswith("_test.cc")]
        self.assertGreater(len(tests), 20)
        complaints = rules.forgotten_tests(lists, tests)
        self.assertEqual(complaints, [], "\n" + "\n".join(complaints))

    def test_named_runs_and_cases_exist(self):
        lists = {p.relative_to(SOURCE).as_posix(): p.read_text()
                 for p in (SOURCE / "tests").rglob("CMakeLists.txt")}
        sanitizers = (SOURCE / "cmake/Sanitizers.cmake").read_text()
        complaints = rules.unknown_runs(sanitizers, lists)
        complaints += rules.unknown_cases({**lists, "cmake/Sanitizers.cmake": sanitizers},
                                          [text for _, text in files(".cc", folders=("tests",))])
        self.assertEqual(complaints, [], "\n" + "\n".join(complaints))

    def test_each_name_is_defined_once(self):
        complaints = rules.twice_defined(files(".h"))
        self.assertEqual(complaints, [], "\n" + "\n".join(complaints))

    def test_no_static_constructors(self):
        objects, excused = collections.defaultdict(list), set()
        for path, entry in compile_commands():
            text = (SOURCE / path).read_text()
            command = entry["command"]
            if "-fsanitize" in command:
                self.skipTest("sanitizers add constructors of their own")
            output = pathlib.Path(entry["directory"], entry.get("output") or
                                  shlex.split(command)[shlex.split(command).index("-o") + 1])
            if output.exists():
                objects[str(output)].append(path)
            if any(word in text for word in CONSTRUCTORS_BY_LIBRARY):
                excused.add(str(output))
        objects = {name: paths for name, paths in objects.items() if name not in excused}
        self.assertGreater(len(objects), 5)
        # With more than one file readelf begins each part with its "File:" line.
        text = subprocess.run(["readelf", "-S", "--wide", *objects], capture_output=True,
                              text=True, check=True).stdout
        guilty = [objects[name] for name in rules.static_constructors(text)]
        self.assertEqual(guilty, [], "objects with static constructors")

    def test_headers_stand_alone(self):
        compiler = next(shlex.split(e["command"]) for _, e in compile_commands())
        compiler = next(w for w in compiler if pathlib.Path(w).name.split("-")[0] in
                        ("c++", "g++", "clang++"))

        command = [compiler, "-std=c++20", "-fsyntax-only", "-x", "c++", "-I", str(SOURCE), "-include"]

        def complaint(path):
            result = subprocess.run([*command, path, "/dev/null"], capture_output=True, text=True,
                                    cwd=SOURCE)
            return f"{path}:\n{result.stderr[:2000]}" if result.returncode else ""

        def complaints_of(paths):
            with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
                return dict(zip(paths, pool.map(complaint, paths)))

        changed = None if ALL else clang_tools.changed(SOURCE)
        headers = [path for path, _ in files(".h") if not path.endswith(rules.INTERNAL) and
                   (changed is None or path in changed)]
        clean = clean_files.CleanFiles(BUILD / "lint/headers", *command, clang_tools.version(compiler))
        sources = clean_files.Sources(SOURCE)
        keys = {path: clean.key(sources.digest(path)) for path in headers}
        complaints = list(clean_files.checked(clean, keys, complaints_of).values())
        self.assertEqual(complaints, [], "\n" + "\n".join(complaints))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
