"""The rules of docs/reference/leaderboard.md about who is believed: entries, marks, records and machines."""
import dataclasses
import math
import os
import pathlib
import sys
import sysconfig
import unittest
from unittest import mock

from leaderboard_chance_test import outcome
from leaderboard_entry_test import BOARD, ENTRY
from leaderboard_rules_test import KNOWN, SMALL, RuledTest, constant, score_of

try:
    from schedulegym.leaderboard import claims, signature, winners
    from schedulegym.leaderboard.board_page import lead_of
    from schedulegym.leaderboard.contest import begin_folder, contest_of
    from schedulegym.leaderboard.scores import scores_of
    from schedulegym.leaderboard.standings import Standings
    from schedulegym.studies.vendors import Vendor
    from schedulegym.studies.confined import VERIFIED, confinement_of
    from schedulegym.studies.faults import StudyError
    from schedulegym.studies.outcome import Timing, lost_outcome
except ImportError as fault:
    raise unittest.SkipTest(f"no leaderboard: {fault}") from None

class BelievedTest(RuledTest):
    def test_rule_15_the_closed_division(self):
        for change in (("hill(patience=20)", "ansor(model=trees.json)"),
                       ("hill(patience=20)", "dpansor(agent=ansor(model=trees.json))"),
                       ("hill(patience=20)", "python(module=a,class=B,policy=p.zip)"),
                       ("[tuning]", 'space = "ansor"\n[tuning]'),
                       ("training_seconds = 0", "training_seconds = 5")):
            with self.subTest(change):
                text = ENTRY.replace(*change)
                self.refused(self.entry, text, "closed division")
                self.entry('division = "open"\n' + text)
        with self.assertRaisesRegex(StudyError, "takes nothing else"):
            contest_of(self.board(), [self.entry('division = "open"\n' + ENTRY)], None)
        open_board = self.board('division = "open"\n' + BOARD)
        contest_of(open_board, [self.entry('division = "open"\n' + ENTRY)], None)

    def test_rule_16_what_was_spent_is_declared(self):
        for line in ("trials = 40\n", "hours = 0.5\n", 'what = "patience, 10 to 100"\n',
                     "training_seconds = 0\n"):
            self.refused(self.entry, ENTRY.replace(line, ""), line.partition(" ")[0])
        standings = self.standings(self.times())
        told = standings.told()["entries"]["hill"]["tuning"]
        self.assertEqual(told, {"trials": 0, "hours": 0.0, "what": "", "training_seconds": 0.0})

    @mock.patch("schedulegym.leaderboard.contest.LEAST_HELD_OUT", 1)
    def test_rule_17_one_search_has_one_name(self):
        first = self.entry()
        again = self.entry(ENTRY.replace("climber-2", "other"), "other")
        with self.assertRaisesRegex(StudyError, "same search under two names"):
            contest_of(self.board(), [first, again], None)
        spaced = self.entry(ENTRY.replace("hill(patience=20)", " hill( )"), "other")
        with self.assertRaisesRegex(StudyError, "'hill' and 'climber-2'.*two names"):
            contest_of(self.board(), [spaced], None)
        with self.assertRaisesRegex(StudyError, "two entries 'hill'"):
            contest_of(self.board(), [self.entry(ENTRY.replace("climber-2", "hill"))], None)

        entries = [self.entry(ENTRY.replace("climber-2", name).replace(
            "hill(patience=20)", f"python(module={name},class=A)"), name, **{name: f"# {name}"})
                   for name in ("one", "two")]
        contest = contest_of(self.board(SMALL), entries, None)
        case = contest.study.cases[0].name
        contest = dataclasses.replace(contest, chances={case: KNOWN}, held_out=type(contest.held_out)([case]))
        runs = {(case, name, seed): constant(0.5 + seed) for name in ("one", "two")
                for seed in range(3)}
        told = Standings(contest, runs).told()["entries"]
        self.assertEqual((told["two"]["same_as"], told["two"]["rank"]), ("one", None))
        self.assertEqual((told["one"]["same_as"], told["one"]["rank"]), (None, 1))
        runs[case, "two", 2] = constant(0.25)
        self.assertIsNone(Standings(contest, runs).told()["entries"]["two"]["same_as"])

    def test_rule_18_no_agent_sees_its_judge(self):
        with self.assertRaisesRegex(StudyError, "climber-2.*sees the estimate"):
            contest_of(self.board(), [self.entry(ENTRY.replace("hill(patience=20)", "ansor"))], None)

    def test_rule_19_the_mark_holds_for_one_state(self):
        contest = contest_of(self.board(), [self.entry(agent="a = 1")], None)
        mine = contest.entries[-1]
        self.assertEqual(contest.marks["climber-2"], signature.Mark("unverified"))
        claims.verify(mine, self.true_claims(contest), contest, lambda _: outcome(0.5, 1.0, 0.5))
        mark = self.entry(agent="a = 1").mark(contest.identity)
        self.assertEqual((mark.text, mark.why, mark.runs), ("verified", None, 3))
        self.assertRegex(mark.date, r"^20\d\d-\d\d-\d\d$")
        mark = self.entry(agent="a = 1").mark("another edition")
        self.assertEqual((mark.text, mark.why),
                         ("unverified", "its mark holds for another edition of the board"))
        mark = self.entry(agent="a = 2").mark(contest.identity)
        self.assertEqual((mark.text, mark.why), ("unverified", "its mark holds for another code"))

    def test_rule_20_what_does_not_replay_is_refused(self):
        contest = contest_of(self.board(), [self.entry()], 5)
        mine = contest.entries[-1]
        true, *others = self.true_claims(contest)
        for change, words in (({"speed": 1.5}, "claims speed 1.5, run again it has 1.0"),
                              ({"trials": 2}, "claims trials 2, run again it has 3"),
                              ({"trace": "split()"}, "does not replay"),
                              ({"seed": 3}, "found seed 3, expected 0 to 2"),
                              ({"case": contest.held_out[0]}, "unknown case"),
                              ({"board": "older"}, "found board 'older'")):
            with self.subTest(change), self.assertRaisesRegex(StudyError, words):
                claims.verify(mine, [dataclasses.replace(true, **change), *others], contest,
                              lambda _: outcome(0.5, 1.0, 0.5))
        self.assertFalse((self.folder / "climber" / VERIFIED).exists())

    def test_rule_21_code_reads_itself_and_no_answers(self):
        place = self.folder / "climber"
        self.entry(agent="a = 1")
        table = self.folder / "a.table"
        confined = confinement_of(place, "table(file=copy.table)", table)
        self.assertIn(str(place.resolve()), confined.reads)
        self.assertIn(str(table.resolve()), confined.reads)
        own = {sys.prefix, sys.executable, *map(sysconfig.get_path, ("stdlib", "purelib", "platlib"))}
        self.assertLessEqual({os.path.realpath(path) for path in own}, set(confined.reads))
        self.assertFalse([path for path in confined.reads
                          if self.folder.resolve() == pathlib.Path(path)])
        self.assertEqual([pathlib.Path(path).name for path in confined.hidden],
                         ["tables", "records.jsonl", "verified.json"])
        self.assertFalse([path for path in confined.reads if pathlib.Path(path).name == "tables"])
        self.assertEqual(confined.space, "table(file=copy.table)")

    def test_rule_22_a_lost_run_found_nothing(self):
        lost = lost_outcome("the Python agent ended: SIGSEGV")
        self.assertEqual(scores_of(lost, KNOWN), scores_of(outcome(None, None, None), KNOWN))
        self.assertEqual(scores_of(lost, KNOWN).by_trials, score_of(4.0))
        contest = contest_of(self.board(SMALL), [], None)
        case = contest.study.cases[0].name
        contest = dataclasses.replace(contest, chances={case: KNOWN})
        runs = {(case, name, seed): constant(1) for name in ("random", "hill") for seed in range(3)}
        runs[case, "hill", 1] = lost
        told = Standings(contest, runs).told()["entries"]["hill"]
        self.assertEqual(told["lost"], [{"case": case, "seed": 1, "why": lost.lost}])
        self.assertEqual(told["runs"], {"planned": 3, "made": 3})
        self.assertAlmostEqual(told["scores"]["ranked"]["by_trials"]["value"],
                               (2 * score_of(1) + score_of(4)) / 3)  # it is not dropped

    def test_rule_23_a_live_run_ends_with_what_its_winner_has_then(self):
        contest = contest_of(self.board(BOARD.replace('"model"', '"live"')), [], None)
        folder = begin_folder(self.folder / "out", contest)
        found = dataclasses.replace(outcome(1.0, 3.0, 2.0), trace="trace 1")
        for run in contest.runs():
            folder.keep(run, found, Timing(1.0, {}))
        first, second, third = contest.runs()[:3]
        again = winners.Winner("trace 1", 2.5, 2.4, 2.6, None, False, 1.0)
        winners.keep_winner(first, folder, again)
        winners.keep_winner(second, folder, dataclasses.replace(
            again, speed=None, why="wrong_output", is_refuted=True))
        winners.keep_winner(third, folder, dataclasses.replace(again, speed=None, why="noisy"))
        told = winners.outcomes_of(contest.runs(), folder)
        self.assertEqual(told.keys(), {first.place, second.place})
        self.assertEqual((told[first.place].chosen, told[first.place].speeds), (2.5, (1.0, 3.0, 2.0)))
        self.assertEqual((told[second.place].chosen, told[second.place].speeds), (None, ()))

    def test_rule_24_a_board_has_one_kind_of_machine(self):
        text = BOARD.replace('"model"', '"live"')
        contest = contest_of(self.board(text), [], None)
        begin_folder(self.folder / "out", contest)
        begin_folder(self.folder / "out", contest_of(self.board(text), [], None))
        with mock.patch("schedulegym.leaderboard.board.processor", return_value="Another"):
            other = contest_of(self.board(text), [], None)
        with self.assertRaisesRegex(StudyError, "expected 'mine 2.0 .* on Another'"):
            begin_folder(self.folder / "out", other)

    @mock.patch("schedulegym.leaderboard.contest.LEAST_HELD_OUT", 1)
    def test_rule_25_final_speeds(self):
        contest = contest_of(self.board(SMALL), [], 5)
        names = [case.name for case in contest.study.cases]
        contest = dataclasses.replace(contest, chances=dict.fromkeys(names, KNOWN))
        runs = {(case, "hill", seed): constant(-math.log(3)) for case in names for seed in range(3)}
        same, other = Vendor("onednn", 1.0, 2.0), Vendor("openblas", 1.0, 2.0)
        for libraries, over in (((same, same), 1.5), ((same, other), None), ((same,), None)):
            vendors = dict(zip(contest.held_out, libraries))
            standings = Standings(contest, runs, vendors=vendors)
            told = standings.told()
            hill = told["entries"]["hill"]
            self.assertAlmostEqual(hill["final_over_reference"]["value"], 3)
            if over is not None:
                self.assertAlmostEqual(hill["final_over_vendor"]["value"], over)
            else:
                self.assertIsNone(hill["final_over_vendor"])
                row = next(row for row in lead_of(standings, told).body.split("<tr")
                           if "#card-hill" in row)
                self.assertEqual(row.split("<td>")[10], "-</td>")


if __name__ == "__main__":
    unittest.main()
