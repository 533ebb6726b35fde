"""What clang-format and clang-tidy are run on."""
import os
import pathlib
import subprocess
import tempfile
import unittest

import clang_tools
from limited_case import LimitedTest


class CommandTest(LimitedTest):
    def test_a_precompiled_header_is_left_out(self):
        command = ("/usr/bin/c++ -I/a -O2 -Winvalid-pch -include /b/cmake_pch.hxx -include other.h "
                   "-o x.o -c /a/x.cc")
        self.assertEqual(clang_tools.plain_command(command),
                         "/usr/bin/c++ -I/a -O2 -include other.h -o x.o -c /a/x.cc")

    def test_the_rest_of_an_entry_stays(self):
        entry = {"directory": "/d", "file": "/a/x.cc", "command": "c++ -Winvalid-pch '-DA=b c' x.cc"}
        self.assertEqual(clang_tools.plain_database([entry]),
                         [{**entry, "command": "c++ '-DA=b c' x.cc"}])

    def test_what_is_compiled_together_stands_alone(self):
        with tempfile.TemporaryDirectory() as folder:
            united = pathlib.Path(folder, "Unity/unity_a_0_cxx.cxx")
            united.parent.mkdir()
            united.write_text('/* generated */\n\n#include "/s/a.cc"\n\n#include "/s/b.cc"\n')
            alone = {"directory": folder, "file": "/s/c.cc", "command": "c++ -o c.o -c /s/c.cc"}
            entries = [{"directory": folder, "file": str(united),
                        "command": f"c++ -o Unity/unity_a_0_cxx.cxx.o -c {united}"}, alone]
            found = list(clang_tools.single_sources(entries))
        self.assertEqual([(e["file"], e["command"]) for e in found],
                         [("/s/a.cc", "c++ -o Unity/unity_a_0_cxx.cxx.o -c /s/a.cc"),
                          ("/s/b.cc", "c++ -o Unity/unity_a_0_cxx.cxx.o -c /s/b.cc"),
                          ("/s/c.cc", "c++ -o c.o -c /s/c.cc")])

    def test_a_header_is_seen_in_the_source_of_its_name(self):
        compiled = {"env/a.cc", "env/b.cc"}
        self.assertEqual(
            clang_tools.units(["env/b.h", "env/a.cc", "env/b.cc", "env/only.h"], compiled),
            ["env/b.cc", "env/a.cc"])


class ChangedTest(LimitedTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.when = 1000

    def git(self, *words):
        try:
            subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *words],
                           cwd=self.root, check=True, capture_output=True)
        except FileNotFoundError:
            self.skipTest("no git")

    def write(self, path, text="\n"):
        """Each later than the one before."""
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text)
        self.when += 1
        os.utime(self.root / path, (self.when, self.when))

    def commit(self, *paths):
        for path in paths:
            self.write(path)
        self.git("add", ".")
        self.git("commit", "-q", "-m", "x")

    def test_a_tree_without_git_has_no_changes(self):
        self.write("env/a.cc")
        self.assertIsNone(clang_tools.changed(self.root))

    def test_the_last_commits_and_the_working_tree(self):
        self.git("init", "-q", "-b", "main")
        self.commit("env/old.cc", "env/first.cc")
        self.assertEqual(clang_tools.changed(self.root), [], "one commit, as in a shallow clone")
        self.assertFalse(clang_tools.has_history(self.root), "which must be told")
        self.commit("env/second.cc", "README.md", "other/x.cc", "env/x.py")
        self.assertTrue(clang_tools.has_history(self.root))
        self.assertEqual(clang_tools.changed(self.root), ["env/second.cc"])
        self.write("tests/new.h")
        self.write("env/old.cc", "changed\n")
        self.assertEqual(clang_tools.changed(self.root),
                         ["env/old.cc", "tests/new.h", "env/second.cc"])
        (self.root / "env/second.cc").unlink()
        self.assertEqual(clang_tools.changed(self.root), ["env/old.cc", "tests/new.h"])

    def test_a_branch_is_compared_with_the_one_that_it_follows(self):
        self.git("init", "-q", "-b", "main")
        self.commit("env/a.cc")
        self.git("checkout", "-q", "-b", "mine")
        self.git("branch", "-q", "-u", "main")
        self.commit("env/b.cc")
        self.commit("env/c.cc")
        self.assertEqual(clang_tools.changed(self.root), ["env/c.cc", "env/b.cc"])
        self.write("env/a.cc", "changed\n")
        for path in ("env/a.cc", "env/b.cc", "env/c.cc"):
            os.utime(self.root / path, (1, 1))  # as a clone's, whose times tell nothing
        self.assertEqual(clang_tools.changed(self.root), ["env/a.cc", "env/c.cc", "env/b.cc"])

    def test_a_branch_no_further_than_that_one_shows_its_last_commits(self):
        self.git("init", "-q", "-b", "main")
        for number in range(clang_tools.COMMITS + 3):
            self.commit(f"env/{number}.cc")
        self.git("checkout", "-q", "-b", "mine")
        self.git("branch", "-q", "-u", "main")
        newest = range(clang_tools.COMMITS + 2, 2, -1)
        self.assertEqual(clang_tools.changed(self.root), [f"env/{number}.cc" for number in newest])
        self.commit("env/x.cc")
        self.assertEqual(clang_tools.changed(self.root), ["env/x.cc"])


if __name__ == "__main__":
    unittest.main()
