"""Entries that are run, packed, verified and forged."""
import json
import unittest
import zipfile
from unittest import mock

from harness import need_confinement
from leaderboard_run_test import CLIMBER, ENTRY, LeaderboardTest
from leaderboard_state import KeptFolder

try:
    from schedulegym.leaderboard import command
    from schedulegym.leaderboard.board import read_board
    from schedulegym.leaderboard.command import run_leaderboard
    from schedulegym.studies.faults import StudyError
    from schedulegym.studies.tune_runner import TuneRunner
except ImportError as fault:
    raise unittest.SkipTest(f"no leaderboard: {fault}") from None


class EntryTest(KeptFolder, LeaderboardTest):
    def setUp(self):
        super().setUp()
        need_confinement(self)
        (self.folder / "small.toml").write_text(ENTRY)

    def submit(self):
        self.call("run", "small.toml", "-o", "out", "--entry", "mine")
        self.call("submit", "mine", "--board", "small.toml", "--from", "out", "-o", "mine.zip")

    def submitted(self):
        """The entry's folder with its records."""
        self.fill_once(self.submit)
        return self.folder / "mine"

    def test_a_submission_is_verified_until_its_code_changes(self):
        place = self.submitted()
        self.call("verify", "mine", "--board", "small.toml")
        self.call("run", "small.toml", "-o", "out", "--entry", "mine")
        told = self.told()["entries"]["climber"]
        self.assertEqual((told["mark"], told["mark_runs"]), ("verified", 2))
        self.assertIn("verified, 2 runs", (self.folder / "out/report.html").read_text())
        code = place / "climber.py"
        code.write_text(code.read_text().replace("count, 8", "count, 4"))
        self.call("run", "small.toml", "-o", "out", "--entry", "mine")
        self.assertEqual(self.told()["entries"]["climber"]["mark"], "unverified")
        with self.assertRaisesRegex(StudyError, "does not replay"):
            self.call("verify", "mine", "--board", "small.toml")

    def test_a_forged_record_is_refused(self):
        records = self.submitted() / "records.jsonl"
        lines = records.read_text().splitlines()
        self.assertEqual(len(lines), 2)
        first = json.loads(lines[0])
        for change, words in [
                ({"speed": first["speed"] * 1.1}, "claims speed"), ({"trials": 5}, "claims trials"),
                ({"trace": json.loads(lines[1])["trace"] + "x"}, "claims trace"),
                ({"case": "matmul"}, "unknown case"), ({"seed": "0"}, "found no record"),
                ({"extra": 1}, "found no record")]:
            records.write_text("\n".join([json.dumps({**first, **change}), *lines[1:]]) + "\n")
            with self.subTest(change), self.assertRaisesRegex(StudyError, words):
                self.call("verify", "mine", "--board", "small.toml")
        for text, words in (("", "found no records"), (lines[0] + "\n" + lines[0], "each run once"),
                            (lines[0][:-9], "found no record")):
            records.write_text(text)
            with self.subTest(text), self.assertRaisesRegex(StudyError, words):
                self.call("verify", "mine", "--board", "small.toml")
        records.unlink()
        with self.assertRaisesRegex(StudyError, "submit --from"):
            self.call("verify", "mine", "--board", "small.toml")
        self.assertFalse((self.folder / "mine/verified.json").exists())

    def test_records_of_an_earlier_edition_are_verified_on_it(self):
        place = self.submitted()
        before = json.loads((place / "records.jsonl").read_text().splitlines()[0])["board"]
        (self.folder / "small.toml").write_text(ENTRY.replace("trials = ", "trials = 1"))
        self.assertNotEqual(read_board(self.folder / "small.toml").identity, before)
        with self.assertRaisesRegex(StudyError, f"found board '{before}', expected '"):
            self.call("verify", "mine", "--board", "small.toml")
        name = read_board(self.folder / "small.toml").name
        (self.folder / "earlier").mkdir()
        (self.folder / f"earlier/{name}-1.toml").write_text(ENTRY)
        self.call("verify", "mine", "--board", "small.toml")
        self.assertEqual(json.loads((place / "verified.json").read_text())["board"], before)
        records = place / "records.jsonl"
        records.write_text(records.read_text().replace(before, f"{name} 9 0123456789ab"))
        with self.assertRaisesRegex(StudyError, "found board '.* 0123456789ab', expected one of '"):
            self.call("verify", "mine", "--board", "small.toml")

    def test_what_is_packed(self):
        self.submitted()
        first = (self.folder / "mine.zip").read_bytes()
        with zipfile.ZipFile(self.folder / "mine.zip") as archive:
            self.assertEqual(sorted(archive.namelist()),
                             ["climber/climber.py", "climber/entry.toml", "climber/records.jsonl"])
        self.call("submit", "mine", "--board", "small.toml", "-o", "again.zip")
        self.assertEqual((self.folder / "again.zip").read_bytes(), first)

    def test_an_entry_that_does_not_run_is_not_packed(self):
        code = self.folder / "mine/climber.py"
        for text, words in [("def propose(self, task, count):\n        return []\n    def old(self, task, count):", "no proposal"),
                            ("def propose(self, task, count):\n        import os; os._exit(3)\n    def old(self, task, count):", "died|ended")]:
            code.write_text((CLIMBER / "climber.py").read_text().replace(
                "def propose(self, task, count):", text))
            with self.subTest(words), self.assertRaisesRegex(Exception, words):
                self.call("submit", "mine", "--board", "small.toml", "-o", "mine.zip")
            self.assertFalse((self.folder / "mine.zip").exists())

    def test_one_that_searches_elsewhere_is_told(self):
        code = self.folder / "mine/climber.py"
        code.write_text((CLIMBER / "climber.py").read_text().replace("setup.space", '"ansor"'))
        words = "conv2d.* none of them a schedule of where it is to search"
        with self.assertRaisesRegex(StudyError, words):
            self.call("submit", "mine", "--board", "small.toml", "-o", "mine.zip")
        with mock.patch.object(command.Progress, "say") as say:
            run_leaderboard(["run", "small.toml", "-o", "out", "--entry", "mine"], TuneRunner())
        self.assertRegex("\n".join(call.args[0] for call in say.call_args_list), f"no valid run: {words}")

    def test_records_come_from_the_same_code(self):
        self.call("run", "small.toml", "-o", "out", "--entry", "mine")
        (self.folder / "mine/more.py").write_text("")
        with self.assertRaisesRegex(StudyError, "with the code of"):
            self.call("submit", "mine", "--board", "small.toml", "--from", "out")


if __name__ == "__main__":
    unittest.main()
