"""Entries that cheat by what they claim: each is refused, or does not rank."""
import json
import time
import unittest
import zipfile
from unittest import mock

from leaderboard_cheats_test import PROPOSE, CheatTest
from leaderboard_state import KeptFolder, own_state

try:
    import schedulegym
    from schedulegym.leaderboard.board import read_board
    from schedulegym.leaderboard.entry import read_entry
    from schedulegym.studies.faults import StudyError
    from schedulegym.studies.recorded import find_table
except ImportError as fault:
    raise unittest.SkipTest(f"no leaderboard: {fault}") from None


class ClaimTest(KeptFolder, CheatTest):
    def submit(self):
        self.entry("bomb", "import time\n        if time.time() > %f: "
                   "self.space.sample(task, self.rng)" % (time.time() + 3600))
        self.run_with("bomb")
        self.call("submit", "bomb", "--board", "small.toml", "--from", "out", "-o", "bomb.zip")

    def submitted(self):
        """The code of an entry with records of it: it changes in an hour."""
        self.fill_once(self.submit)
        return self.folder / "bomb/climber.py"

    def test_slower_code_than_claimed(self):
        code = self.submitted()
        code.write_text(code.read_text().replace(
            PROPOSE, f"{PROPOSE}        self.space.sample(task, self.rng)\n"))
        with self.assertRaisesRegex(StudyError, "claims .*: it does not replay"):
            self.call("verify", "bomb", "--board", "small.toml")

    def test_a_time_bomb_does_not_replay(self):
        code = self.submitted()  # as when the hour is over
        code.write_text(code.read_text().replace("time.time() >", "time.time() + 4000 >"))
        with self.assertRaisesRegex(StudyError, "does not replay"):
            self.call("verify", "bomb", "--board", "small.toml")

    def test_an_incomplete_claim_is_refused(self):
        records = self.submitted().with_name("records.jsonl")
        records.write_text(records.read_text().splitlines()[0] + "\n")  # the one that it is proud of
        with self.assertRaisesRegex(StudyError, "found 1, expected all 2 runs .* seed 1 is not there"):
            self.call("verify", "bomb", "--board", "small.toml")

    def test_a_mark_of_ones_own_making_does_not_count(self):
        self.submitted()
        self.call("verify", "bomb", "--board", "small.toml")
        mark = self.folder / "bomb/verified.json"
        true = json.loads(mark.read_text())
        for change, why in [({"seal": "0" * 64}, "not set by this verifier"), ({"runs": 99}, "not set by"),
                            ({"date": "2031-01-01"}, "not set by"), ({"seal": None}, "not set by")]:
            mark.write_text(json.dumps({**true, **change}))
            self.marked("unverified", why)
        mark.write_text(json.dumps({key: true[key] for key in ("code", "board", "runs")}))
        self.marked("unverified", "no signature")
        mark.write_text(json.dumps(true))
        self.marked("verified", None)
        self.call("submit", "bomb", "--board", "small.toml", "-o", "sent.zip")
        with zipfile.ZipFile("sent.zip") as archive:
            self.assertFalse([name for name in archive.namelist() if "verified" in name])
        own_state(self)  # another verifier, to whom the folder was sent as it is
        self.marked("unverified", "not set by this verifier")
        self.call("run", "small.toml", "-o", "out", "--entry", "bomb")
        self.assertIn("unverified: its mark was not set by this verifier",
                      (self.folder / "out/report.html").read_text())

    def marked(self, text, why):
        board = read_board(self.folder / "small.toml")
        mark = read_entry(self.folder / "bomb").mark(board.identity)
        self.assertEqual(mark.text, text)
        self.assertRegex(mark.why or "None", why or "None")

    @mock.patch("schedulegym.leaderboard.contest.LEAST_HELD_OUT", 1)
    def test_two_names(self):
        self.entry("first")
        self.entry("second")
        with self.assertRaisesRegex(StudyError, "'first' and 'second': found the same search"):
            self.run_with("first", "second")
        code = self.folder / "second/climber.py"
        code.write_text(code.read_text() + "# another\n")
        told = self.run_with("first", "second", words=("--held-out", "1"))
        self.assertEqual((told["first"]["same_as"], told["second"]["same_as"]), (None, "first"))
        self.assertEqual((told["first"]["rank"], told["second"]["rank"]), (1, None))

    @mock.patch("schedulegym.leaderboard.contest.LEAST_HELD_OUT", 1)
    def test_memorised_public_cases_do_not_rank(self):
        best = self.best_of("conv2d")
        self.entry("knows", f"if 'conv2d' in str(task) or 'r:3' in str(task.dag): "
                            f"return [schedulegym.ScheduleState.replay(task, {best!r})]")
        told = self.run_with("knows", words=("--held-out", "1"))["knows"]
        self.assertEqual(told["lost"], [])
        scores = told["scores"]
        self.assertGreater(scores["public"]["by_trials"]["value"], 0.95)
        self.assertEqual(scores["ranked"], scores["held_out"])
        self.assertLess(scores["ranked"]["by_trials"]["value"], 0.9)

    def best_of(self, table):
        """The fastest schedule that the table knows, as text."""
        file = find_table(table, self.folder)
        result = schedulegym.tune(measure=f"table(file=\"{file}\")", agent="random", trials=4000)
        self.assertEqual(result.stopped, "exhausted")
        return result.trace


if __name__ == "__main__":
    unittest.main()
