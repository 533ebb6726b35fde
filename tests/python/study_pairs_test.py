"""The script that pairs the arms of a study, on results made up here."""
import contextlib
import io
import math
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

from harness import ROOT
from limited import LimitedTest

try:
    with mock.patch.object(sys, "path", [str(ROOT / "experiments/bench"), *sys.path]):
        import study_pairs
except ImportError as fault:
    raise unittest.SkipTest(f"no studies: {fault}") from None

HEAD = "case,arm,seed,chosen,best_after_1,best_after_8"


class StudyPairsTest(LimitedTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def file(self, name, *rows):
        path = self.folder / name
        path.write_text("\n".join([HEAD, *rows, ""]))
        return str(path)

    def call(self, *words):
        """The exit code, and what was printed as cells or as the line of a fault."""
        out, err = io.StringIO(), io.StringIO()
        with mock.patch.object(sys, "argv", ["study_pairs.py", *words]), \
                contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                study_pairs.main()
            except SystemExit as end:
                return end.code, err.getvalue()
        return 0, [[cell.strip() for cell in line.strip("|").split("|")]
                   for line in out.getvalue().splitlines()]

    def test_pairs_by_case_and_seed(self):
        file = self.file("a.csv", "x,a,0,1,,1", "x,b,0,2,1,2", "x,a,1,3,2,2", "x,b,1,6,2,3")
        code, told = self.call(file, "--over", "a", "--at", "8,end")
        self.assertEqual(code, 0)
        self.assertEqual(told[0], ["over a", "after 8", "in the end"])
        self.assertEqual(told[2][0], "b")
        self.assertEqual(told[2][2], "2.00 [2.00, 2.00]")
        self.assertTrue(told[2][1].startswith(f"{math.sqrt(3):.2f} ["), told[2])

    def test_what_has_no_success_counts_as_the_slowest(self):
        file = self.file("a.csv", "x,a,0,1,,1", "x,b,0,2,4,2", "x,a,1,3,2,2", "x,b,1,6,2,3")
        _, told = self.call(file, "--over", "a", "--at", "1")
        self.assertTrue(told[2][1].startswith("1.41 ["), told[2])

    def test_over_the_best_known_of_each_case(self):
        file = self.file("a.csv", "x,a,0,2,1,1", "x,a,1,2,1,1", "y,a,0,4,2,2", "y,a,1,8,2,2",
                         "z,a,0,,,", "z,a,1,,,")
        _, told = self.call(file, "--over", "best known", "--at", "8")
        self.assertEqual(told[2][0], "a")
        self.assertTrue(told[2][1].startswith(f"{math.sqrt(1 / 2 * 2 / 8):.2f} ["), told[2])
        more = self.file("b.csv", "x,c,0,4,,", "w,c,0,9,,")
        _, told = self.call(file, "--over", "best known", "--known", more, "--at", "8")
        self.assertTrue(told[2][1].startswith(f"{math.sqrt(1 / 4 * 2 / 8):.2f} ["), told[2])
        code, line = self.call(file, "--over", "a", "--known", more)
        self.assertEqual((code, line.count("\n")), (2, 1))
        self.assertIn("--known: found it beside --over 'a'", line)

    def test_cases_of_two_files_are_taken_together(self):
        one = self.file("a.csv", "x,a,0,1,1,1", "x,b,0,2,1,2", "x,a,1,1,1,1", "x,b,1,2,1,1")
        two = self.file("b.csv", "x,a,0,1,1,1", "x,b,0,8,1,2", "x,a,1,1,1,1", "x,b,1,8,1,1",
                        "x,c,0,8,1,1")
        _, told = self.call(one, two, "--over", "a")
        self.assertEqual([row[0] for row in told], ["over a", "---", "b"])  # c is in one alone
        self.assertEqual(told[2][1], "4.00 [4.00, 4.00]")

    def test_one_seed_tells_nothing(self):
        file = self.file("a.csv", "x,a,0,1,1,1", "x,b,0,2,1,2")
        self.assertEqual(self.call(file, "--over", "a")[1][2], ["b", "-"])

    def test_refuses_what_is_not_there(self):
        file = self.file("a.csv", "x,a,0,1,1,1")
        other = self.folder / "other.csv"
        other.write_text("a,b\n1,2\n")
        for expected, words in {
                "--over: found 'c', expected one of a": [file, "--over", "c"],
                "--at: found '7', expected some of 1, 8, end": [file, "--over", "a", "--at", "7"],
                "nowhere.csv: No such file": [str(self.folder / "nowhere.csv"), "--over", "a"],
                "found no results of a study": [str(other), "--over", "a"]}.items():
            with self.subTest(expected):
                code, told = self.call(*words)
                self.assertEqual(code, 2)
                self.assertIn(expected, told)
                self.assertEqual(len(told.splitlines()), 1)


if __name__ == "__main__":
    unittest.main()
