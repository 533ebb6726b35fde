"""`report --over` on results made up here: the arms of studies compared with one of them."""
import contextlib
import functools
import io
import json
import math
import pathlib
import tempfile
import unittest
from unittest import mock


try:
    from schedulegym.studies import command
    from schedulegym.studies.command import run_command
    from schedulegym.studies.faults import StudyError
    from schedulegym.studies.progress import Progress
except ImportError as fault:
    raise unittest.SkipTest(f"no studies: {fault}") from None

HEAD = "case,arm,seed,chosen,best_after_1,best_after_8"


class StudyPairsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def file(self, name, *rows):
        path = self.folder / name
        path.write_text("\n".join([HEAD, *rows, ""]))
        return str(path)

    def call(self, *words):
        """The printed table, as cells."""
        return [[cell.strip() for cell in line.strip("|").split("|")]
                for line in self.printed(*words).splitlines()]

    def printed(self, *words):
        with contextlib.redirect_stdout(io.StringIO()) as out, \
                mock.patch.object(command, "Progress", functools.partial(Progress, out=out)):
            self.assertEqual(run_command(["report", *words], None, None), 0)
        return out.getvalue()

    def refused(self, *words):
        with self.assertRaises(StudyError) as raised:
            run_command(["report", *words], None, None)
        self.assertNotIn("\n", str(raised.exception))
        return str(raised.exception)

    def test_pairs_by_case_and_seed(self):
        file = self.file("a.csv", "x,a,0,1,,1", "x,b,0,2,1,2", "x,a,1,3,2,2", "x,b,1,6,2,3")
        told = self.call(file, "--over", "a", "--at", "8,end")
        self.assertEqual(told[0], ["over a", "after 8", "in the end"])
        self.assertEqual(told[2][0], "b")
        self.assertEqual(told[2][2], "2.00 [2.00, 2.00]")
        self.assertTrue(told[2][1].startswith(f"{math.sqrt(3):.2f} ["), told[2])

    def test_what_has_no_success_counts_as_the_slowest(self):
        file = self.file("a.csv", "x,a,0,1,,1", "x,b,0,2,4,2", "x,a,1,3,2,2", "x,b,1,6,2,3")
        told = self.call(file, "--over", "a", "--at", "1")
        self.assertTrue(told[2][1].startswith("1.41 ["), told[2])

    def test_over_the_best_known_of_each_case(self):
        file = self.file("a.csv", "x,a,0,2,1,1", "x,a,1,2,1,1", "y,a,0,4,2,2", "y,a,1,8,2,2",
                         "z,a,0,,,", "z,a,1,,,")
        told = self.call(file, "--over", "best known", "--at", "8")
        self.assertEqual(told[2][0], "a")
        self.assertTrue(told[2][1].startswith(f"{math.sqrt(1 / 2 * 2 / 8):.2f} ["), told[2])
        more = self.file("b.csv", "x,c,0,4,,", "w,c,0,9,,")
        told = self.call(file, "--over", "best known", "--known", more, "--at", "8")
        self.assertTrue(told[2][1].startswith(f"{math.sqrt(1 / 4 * 2 / 8):.2f} ["), told[2])
        self.assertIn("--known: found it beside --over 'a'",
                      self.refused(file, "--over", "a", "--known", more))

    def test_cases_of_two_files_are_taken_together(self):
        one = self.file("a.csv", "x,a,0,1,1,1", "x,b,0,2,1,2", "x,a,1,1,1,1", "x,b,1,2,1,1")
        two = self.file("b.csv", "x,a,0,1,1,1", "x,b,0,8,1,2", "x,a,1,1,1,1", "x,b,1,8,1,1",
                        "x,c,0,8,1,1")
        told = self.call(one, two, "--over", "a")
        self.assertEqual([row[0] for row in told], ["over a", "---", "b"])  # c is in one alone
        self.assertEqual(told[2][1], "4.00 [4.00, 4.00]")

    def test_one_seed_tells_nothing(self):
        file = self.file("a.csv", "x,a,0,1,1,1", "x,b,0,2,1,2")
        self.assertEqual(self.call(file, "--over", "a")[2], ["b", "-"])

    def test_a_folder_stands_for_its_results(self):
        rows = ("x,a,0,1,1,1", "x,b,0,2,1,2", "x,a,1,1,1,1", "x,b,1,2,1,2")
        file = self.file("results.csv", *rows)
        self.assertEqual(self.call(str(self.folder), "--over", "a"), self.call(file, "--over", "a"))

    def test_writes_the_table_to_a_file(self):
        file = self.file("a.csv", "x,a,0,1,1,1", "x,b,0,2,1,2")
        out = self.folder / "table.md"
        self.assertEqual(self.printed(file, "--over", "a", "-o", str(out)), "")
        self.assertEqual(out.read_text(), self.printed(file, "--over", "a"))

    def test_writes_rows_as_json(self):
        file = self.file("a.csv", "x,a,0,1,,1", "x,b,0,2,,2", "x,a,1,1,,1", "x,b,1,2,,2")
        lines = self.printed(file, "--over", "a", "--at", "1,end", "--json").splitlines()
        row, done = map(json.loads, lines)
        ratio = row["after"].pop("end")
        self.assertEqual(row, {"event": "row", "arm": "b", "over": "a", "after": {"1": None}})
        self.assertEqual({key: round(value, 6) for key, value in ratio.items()},
                         {"mean": 2, "low": 2, "high": 2})
        self.assertEqual(done, {"event": "done", "report": None})

    def test_refuses_what_is_not_there(self):
        file = self.file("a.csv", "x,a,0,1,1,1")
        other, torn = self.folder / "other.csv", self.folder / "torn.csv"
        other.write_text("a,b\n1,2\n")
        torn.write_text(f"{HEAD}\nx,a,one,1,1,1\n")
        for expected, words in {
                "unknown arm 'c': expected one of a, best known": [file, "--over", "c"],
                "--at: found '7', expected some of 1, 8, end": [file, "--over", "a", "--at", "7"],
                "nowhere.csv: No such file": [str(self.folder / "nowhere.csv"), "--over", "a"],
                "other.csv: found no results of a study": [str(other), "--over", "a"],
                "torn.csv: found a row whose seed is no number": [str(torn), "--over", "a"],
                "found 2 studies, expected one": [file, file, "-o", "a.html"],
                "--at: found it without --over": [file, "--at", "8", "-o", "a.html"],
                "--known: found it without --over": [file, "--known", file, "-o", "a.html"],
                "required: -o": [file]}.items():
            with self.subTest(expected):
                self.assertIn(expected, self.refused(*words))


if __name__ == "__main__":
    unittest.main()
