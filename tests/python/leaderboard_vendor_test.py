"""Vendors beside which final speeds stand: of a board's file, of bench, and reckoned by hand."""
import dataclasses
import json
import pathlib
import unittest
from unittest import mock

from leaderboard_chance_test import outcome
from leaderboard_entry_test import FolderTest

try:
    import numpy as np

    from schedulegym.leaderboard.board_page import lead_of
    from schedulegym.studies.random_baseline import Chance
    from schedulegym.leaderboard.contest import begin_folder, contest_of, read_contest
    from schedulegym.leaderboard.standings import Standings
    from schedulegym.studies import vendors
    from schedulegym.studies.faults import StudyError
    from schedulegym.studies.packed import text_of
    from schedulegym.studies.recorded import find_table
    from schedulegym.studies.vendors import Vendor
except ImportError as fault:
    raise unittest.SkipTest(f"no leaderboard: {fault}") from None

BOARD = """board = 1
name = "mine"
edition = "1"
track = "table"
cases = ["conv2d"]
trials = 3
seeds = 2
[vendors]
conv2d = {library = "oneDNN", version = "3.5", seconds = 0.0000162}
matmul = {library = "oneDNN", version = "3.5", seconds = 0.000325245}
[held_out]
count = 1
tables = ["matmul"]
[entries]
hill = "hill"
"""
ROW = {"event": "row", "seconds": 2e-6, "peers": {"openblas": 4e-6, "onednn": 1e-6}, "ratio": 0.5,
       "ratio_low": 0.4, "ratio_high": 0.8, "origin": "reference", "best_peer": "onednn",
       "failure": None}


class TableTest(FolderTest):
    def test_seconds_of_the_board_beside_those_of_the_table(self):
        contest = contest_of(self.board(BOARD), [], None)
        head = json.loads(text_of(find_table("conv2d", self.folder)).splitlines()[0])
        self.assertEqual(head["reference_seconds"], 3.24065e-05)
        self.assertEqual(contest.vendors.keys(), {"conv2d"})
        vendor = contest.vendors["conv2d"]
        self.assertEqual((vendor.library, vendor.seconds), ("oneDNN 3.5", 1.62e-5))
        self.assertAlmostEqual(vendor.speed, 3.24065 / 1.62)
        self.assertAlmostEqual(contest_of(self.board(BOARD), [], 1).vendors["matmul"].speed, 2.0)
        begin_folder(self.folder / "out", contest)
        self.assertEqual(read_contest(self.folder / "out").vendors, contest.vendors)

    def test_bad_input_is_one_line(self):
        for change, words in [
                (("\nconv2d = {", "\nconv3d = {"), ["unknown case of vendors", "'conv2d'"]),
                (('version = "3.5", seconds = 0.0000162', 'version = "3.5"'), ["'conv2d'", "seconds"]),
                (('library = "oneDNN", version = "3.5", seconds = 0.0000162', "seconds = 1"),
                 ["library, version and seconds"]),
                (("0.0000162", "-1"), ["above 0"]), (("0.0000162}", "1, speed = 2}"), ["speed"]),
                (('{library = "oneDNN", version = "3.5", seconds = 0.0000162}', "3"), ["found 3"])]:
            with self.subTest(change):
                self.refused(self.board, BOARD.replace(*change), "mine.toml", *words)
        (self.folder / "old.table").write_text('{"rows": 1}\n')
        with self.assertRaisesRegex(StudyError, "no seconds of the reference"):
            vendors.vendor_beside_table("a 1", 1.0, self.folder / "old.table")


class FinalTest(FolderTest):
    """Runs that end with 2 and 4 times the reference's speed, in each case."""

    def standings(self, found, held_out=None):
        contest = contest_of(self.board(BOARD.partition("[vendors]")[0] +
                                        BOARD[BOARD.index("[held_out]"):].replace("count = 1", "count = 2")
                                        .replace('["matmul"]', '["matmul", "matmul_tree"]')),
                             [], held_out)
        known = Chance(np.array([1.0, 0.5, 0.25]), 2.0, -2.0, 4.0, None)
        names = [case.name for case in contest.study.cases]
        contest = dataclasses.replace(contest, chances=dict.fromkeys(names, known))
        runs = {(case, name, seed): outcome(speed, speed, speed) for case in names
                for name in ("random", "hill") for seed, speed in enumerate((2.0, 4.0))}
        return Standings(contest, runs, vendors=found)

    def test_by_hand(self):
        vendor = Vendor("onednn", 1e-6, 1.5)
        standings = self.standings({"conv2d": vendor})
        told = standings.told()
        hill = told["entries"]["hill"]
        self.assertEqual(hill["final_over_reference"]["value"], 3.0)  # of two runs: none is left out
        self.assertEqual(hill["final_over_vendor"]["value"], 2.0)
        self.assertLess(hill["final_over_vendor"]["low"], 2.0)
        self.assertEqual(hill["by_case"]["conv2d"]["over_vendor"]["value"], 2.0)
        self.assertEqual(told["cases"]["conv2d"]["vendor"], dataclasses.asdict(vendor))
        page = lead_of(standings, told).body
        self.assertIn("Beside the best vendor", page)
        self.assertIn("<td class=text>onednn</td><td>1</td><td>1.500</td><td>2.000", page)

    @mock.patch("schedulegym.leaderboard.contest.LEAST_HELD_OUT", 1)
    def test_cases_of_one_library_are_put_together(self):
        one, two = Vendor("onednn", 1e-6, 1.5), Vendor("onednn", 1e-6, 2.0)
        told = self.standings({"matmul": one, "matmul_tree": two}, 3).told()["entries"]["hill"]
        # 2 / 1.5, 4 / 1.5, 2 / 2 and 4 / 2: without the least and the largest (4 / 3 + 2) / 2.
        self.assertAlmostEqual(told["final_over_vendor"]["value"], (4 / 3 + 2) / 2)

    def test_other_libraries_and_unknown_ones_read_as_nothing(self):
        one, two = Vendor("onednn", 1e-6, 1.5), Vendor("openblas", 1e-6, 2.0)
        for found in ({"matmul": one, "matmul_tree": two}, {"matmul": one}, {}):
            told = self.standings(found, 3).told()["entries"]["hill"]
            self.assertIsNone(told["final_over_vendor"])
            self.assertIsNone(told["by_case"]["conv2d"]["over_vendor"])
            self.assertEqual(told["by_case"]["matmul"]["over_vendor"] is None, "matmul" not in found)
        standings = self.standings({})
        self.assertNotIn("Beside the best vendor", lead_of(standings, standings.told()).body)


class BenchTest(FolderTest):
    def measured(self, out, err=""):
        with mock.patch.object(vendors, "call", lambda words, trace: (self.calls.append(words), out, err)):
            return vendors.measure_vendor(self.case, "llvm(cores=2)")

    def setUp(self):
        super().setUp()
        self.case, self.calls = contest_of(self.board(BOARD), [], None).study.cases[0], []

    def row(self, **changes):
        return json.dumps({**ROW, **changes}) + '\n{"event":"summary"}\n'

    def test_the_best_library_over_the_reference(self):
        found = self.measured(self.row())
        self.assertEqual(found.vendor, Vendor("onednn", 1e-6, 2.0, 1.25, 2.5))
        self.assertEqual((found.case, found.why, found.is_final), ("conv2d", None, True))
        words = self.calls[0]
        self.assertEqual((words[1], words[words.index("--trials") + 1],
                          words[words.index("--target") + 1]), ("bench", "0", "llvm(cores=2)"))
        self.assertFalse(pathlib.Path(words[words.index("--store") + 1]).exists())

    def test_what_has_none_is_asked_once_and_a_busy_machine_again(self):
        for out, why, is_final in [
                (self.row(best_peer=None, ratio=None, peers={}), "no library has this case", True),
                (self.row(failure="noisy: between 1 and 9"), "noisy", False),
                (self.row(origin="record 3"), "not the reference", False),
                ("", "error: no lock", False), ("{", "error: no lock", False)]:
            found = self.measured(out, "error: no lock\n")
            self.assertEqual((found.vendor, found.is_final), (None, is_final))
            self.assertIn(why, found.why)

    def test_what_is_kept(self):
        folder = begin_folder(self.folder / "out", contest_of(self.board(BOARD), [], None))
        found = self.measured(self.row())
        vendors.keep_measured(folder, 0, dataclasses.replace(found, is_final=False))
        self.assertIsNone(vendors.read_measured(folder, 0, "conv2d"))
        vendors.keep_measured(folder, 0, found)
        self.assertEqual(vendors.read_measured(folder, 0, "conv2d"), found)
        self.assertIsNone(vendors.read_measured(folder, 0, "another"))
        self.assertEqual(vendors.measured_vendors(folder), {"conv2d": found.vendor})
        (self.folder / "out/vendors/0.json").write_text("{")
        self.assertEqual(vendors.measured_vendors(folder), {})


if __name__ == "__main__":
    unittest.main()
