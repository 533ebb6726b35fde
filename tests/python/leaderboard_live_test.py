"""Live boards: searches on the host, their winners measured again, what is refused, and going on."""
import dataclasses
import json
import os
import pathlib
import signal
import subprocess
import sys
import time
import unittest
from unittest import mock

from harness import NOISE, PROGRAM, ROOT, PackageTest
from leaderboard_state import own_state

try:
    import numpy as np

    from schedulegym.leaderboard import winners
    from schedulegym.leaderboard.board import read_board
    from schedulegym.leaderboard.command import run_leaderboard
    from schedulegym.leaderboard.contest import begin_folder, contest_of
    from schedulegym.leaderboard.live import LiveClock, thinking_of, timings_by_entry, with_winners
    from schedulegym.leaderboard.standings import Standings
    from schedulegym.studies.vendors import Measured, Vendor, measured_vendors
    from schedulegym.leaderboard.winners import Winner
    from schedulegym.studies import engine
    from schedulegym.studies.faults import StudyError
    from schedulegym.studies.outcome import Outcome, Timing
    from schedulegym.studies.progress import Progress
    from schedulegym.studies.tune_runner import TuneRunner
except ImportError as fault:
    raise unittest.SkipTest(f"no leaderboard: {fault}") from None

LIVE = """board = 1
name = "here"
edition = "1"
track = "live"
target = "interpreter"
protocol = "cpu1(seconds=0.05)"
cases = ["matmul(m=8,n=8,k=8)"]
trials = 4
seeds = 2
[entries]
hill = "hill"
"""
SCHEDULE = "trace 1\nunroll(stage=C, loop=0)\n"
HELD = Winner(SCHEDULE, 2.0, 1.9, 2.1, None, False, 5.0)
WRONG = Winner(SCHEDULE, None, None, None, "wrong_output: C[0]", True, 5.0)
BUSY = Winner(SCHEDULE, None, None, None, "noisy: between 1 and 9", False, 5.0)


def found(speed=2.5, trace=SCHEDULE):
    """What a search gave."""
    return Outcome((1.5, None, 2.5, 2.0), (1.0, 2.0, 3.0, 4.0), 4.0, "trials", {"noisy": 1}, speed,
                   speed, trace=trace)


class LiveTest(PackageTest):
    def setUp(self):
        super().setUp()
        own_state(self)
        (self.folder / "live.toml").write_text(LIVE)
        self.contest = contest_of(read_board(self.folder / "live.toml"), [], None)
        self.runs = self.contest.runs()
        self.now = 0.0

    def board(self, change, by):
        self.assertIn(change, LIVE)
        (self.folder / "live.toml").write_text(LIVE.replace(change, by))
        return read_board(self.folder / "live.toml")


class BoardTest(LiveTest):
    def test_its_runs_need_the_machine(self):
        self.assertTrue(all(run.live for run in self.runs))
        self.assertEqual({run.arm.protocol for run in self.runs}, {"cpu1(seconds=0.05)"})
        self.assertEqual(self.board("trials = 4", "trials = 5").protocol, "cpu1(seconds=0.05)")

    def test_an_edition_names_the_machine(self):
        self.assertRegex(self.contest.identity, r"^here 1 [0-9a-f]{12} on .")
        with mock.patch("schedulegym.leaderboard.board.processor", return_value="Other 7"):
            other = read_board(self.folder / "live.toml").identity
        self.assertTrue(other.endswith(" on Other 7"))
        self.assertNotEqual(other.split()[2], self.contest.identity.split()[2])
        begin_folder(self.folder / "out", self.contest)
        with self.assertRaisesRegex(StudyError, "on Other 7"):
            begin_folder(self.folder / "out", dataclasses.replace(self.contest, identity=other))

    def test_bad_input_is_one_line(self):
        for change, by, words in [
                ('"live"', '"lime"', "unknown track .*lime.*did you mean 'live'"),
                ('"live"', '"model"', "protocol: found 'cpu1.*expected none"),
                ("protocol = ", "protocl = ", "protocl"), ('"cpu1(', '"cpu1((', "cpu1"),
                ("trials = 4", "trials = 0", "trials"),
                ("[entries]", "[held_out]\ncount = 1\ntables = ['a']\n[entries]", "tables"),
                ("[entries]", "[entries]\nrandom = 'hill(patience=9)'", "expected chance alone")]:
            with self.subTest(by), self.assertRaisesRegex(StudyError, words) as caught:
                self.board(change, by)
            self.assertEqual(len(str(caught.exception).splitlines()), 1)

    def test_what_the_command_refuses_begins_nothing(self):
        for change, by, words, more in [
                ("trials = 4", "trials = 5", "one machine", ["--engine", "ray"]),
                ('"hill"\n', '"hil"\n', "hill", []), ("cpu1(seconds", "cpu1(secnds", "seconds", []),
                ("m=8,", "q=8,", "case 'matmul", []), ('"interpreter"', '"inter"', "inter", [])]:
            with self.subTest(by), self.assertRaisesRegex(ValueError, words):
                self.board(change, by)
                run_leaderboard(["run", "live.toml", "-o", "out", "--quiet", *more], TuneRunner())
            self.assertFalse((self.folder / "out").exists())

    def test_those_that_come_along(self):
        boards = pathlib.Path(winners.__file__).parent / "boards"
        live = contest_of(read_board(boards / "live.toml"), [], 1)
        self.assertEqual(len(live.runs()), 4 * 3 * 2)
        self.assertEqual(([arm.name for arm in live.study.arms], live.study.trials),
                         (["random", "ansor", "droplet", "mcts"], 64))
        self.assertEqual(len(contest_of(read_board(boards / "live-tiny.toml"), [], None).runs()), 4)


class WinnersTest(LiveTest):
    """By a clock of its own: a search takes 10 s, measuring a winner again 5, all else 1."""

    def beside(self, case, target):
        """A vendor is measured in 2 s."""
        self.now += 2
        self.asked.append((case.name, target))
        return self.measured

    def setUp(self):
        super().setUp()
        self.asked = []
        vendor = Vendor("onednn", 1e-6, 1.25, 1.2, 1.3)
        self.measured = Measured("matmul(m=8,n=8,k=8)", vendor, None, True, 2.0)

    def session(self, answers, outcomes=None, seconds=None):
        """One call of the command: the clock, and how it ended."""
        folder, answers = begin_folder(self.folder / "out", self.contest), iter(answers)
        live = LiveClock(self.runs, folder, lambda: self.now)

        def make(runs, folder, runner, *, tell, seconds=None):
            for run in runs:
                if not folder.has(run):
                    outcome = found() if outcomes is None else outcomes[run.place]
                    folder.keep(run, outcome, Timing(10.0, {"propose": 0.5}))
                    self.now += 10
            return engine.Ending()

        def again(run, trace, store):
            self.now += 5
            return next(answers)

        progress = Progress(0, 0, quiet=True)
        end = with_winners(make, live, progress, again, self.beside)(
            self.runs, folder, None, tell=progress.run, seconds=seconds)
        self.now += 1
        return live, end

    def outcomes(self):
        return winners.outcomes_of(self.runs, begin_folder(self.folder / "out", self.contest))

    def test_a_winner_counts_by_what_it_has_then(self):
        live, end = self.session([HELD] * 4)
        self.assertEqual((end.left, end.failed), (0, []))
        self.assertEqual({(one.chosen, one.measured) for one in self.outcomes().values()}, {(2.0, 2.0)})
        self.assertEqual(live.fields(), {
            "searched": 4, "search_seconds": 40.0, "winners": 4, "winner_seconds": 20.0,
            "vendor_seconds": 2.0, "wall_seconds": 63.0, "wall_over_measured": 63 / 62})
        self.assertEqual(live.text(), "4 searches took 40.0 s, measuring 4 winners again 20.0 s, "
                         "vendors 2.0 s; all of it 63.0 s, 1.016 of these")

    def test_what_is_there_is_not_done_again(self):
        self.session([HELD] * 4)
        live, end = self.session([])
        self.assertEqual((live.winners, end.left, live.text()), (0, 0, None))
        next((self.folder / "out/winners").iterdir()).write_text("{")
        live, _ = self.session([HELD])
        self.assertEqual((live.fields()["searched"], live.winners), (0, 1))

    def test_one_that_is_wrong_loses_its_run(self):
        self.session([WRONG] + [HELD] * 3)
        lost = [one for one in self.outcomes().values() if one.lost]
        self.assertEqual((len(lost), len(self.outcomes())), (1, 4))
        self.assertRegex(lost[0].lost, "measured again: wrong_output")
        self.assertEqual((lost[0].speeds, lost[0].chosen), ((), None))

    def test_a_busy_machine_decides_nothing(self):
        _, end = self.session([BUSY] + [HELD] * 3)
        self.assertEqual((len(end.failed), len(self.outcomes())), (1, 3))
        self.assertIn("noisy", end.failed[0][1])
        _, end = self.session([HELD])
        self.assertEqual((end.failed, len(self.outcomes())), ([], 4))

    def test_none_begins_once_the_seconds_are_over(self):
        _, end = self.session([HELD] * 2, seconds=46)
        self.assertEqual((end.left, len(self.outcomes())), (2, 2))

    def test_who_found_nothing_claims_nothing(self):
        live, _ = self.session([], {run.place: found(None, None) for run in self.runs})
        self.assertEqual((live.winners, len(self.outcomes())), (0, 4))

    def test_vendors_come_last_and_once(self):
        self.session([HELD] * 4, seconds=46)
        self.assertEqual(self.asked, [])
        folder = begin_folder(self.folder / "out", self.contest)
        self.measured = dataclasses.replace(self.measured, vendor=None, why="noisy", is_final=False)
        _, end = self.session([HELD] * 2)
        self.assertEqual((end.failed, len(self.asked), measured_vendors(folder)), ([], 1, {}))
        self.measured = dataclasses.replace(self.measured, vendor=Vendor("onednn", 1e-6, 1.25),
                                            why=None, is_final=True)
        for _ in range(2):
            self.session([])
        self.assertEqual(self.asked, [("matmul(m=8,n=8,k=8)", "interpreter")] * 2)
        self.assertEqual(measured_vendors(folder)["matmul(m=8,n=8,k=8)"].speed, 1.25)

    def test_thinking_is_a_column_and_seconds_are_the_wall_s(self):
        self.session([HELD] * 4)
        folder = begin_folder(self.folder / "out", self.contest)
        thinking = thinking_of(timings_by_entry(self.contest, folder))
        self.assertEqual(thinking, {"random": 0.5, "hill": 0.5})
        standings = Standings(self.contest, self.outcomes(), thinking)
        self.assertEqual(standings.told()["entries"]["hill"]["thinking"], 0.5)
        chance = standings.chances["matmul(m=8,n=8,k=8)"]
        self.assertEqual(chance.cost, 1.0)
        self.assertAlmostEqual(np.exp(-chance.optimum), 2.5)  # a reading, though it ends with 2.0
        self.assertIsNotNone(standings.told()["entries"]["hill"]["scores"]["public"]["by_seconds"])


class HostTest(LiveTest):
    def test_a_board_that_was_killed_goes_on(self):
        words = [sys.executable, "-m", "schedulegym.studies", "leaderboard", "run", "live.toml", "-o",
                 "out", "--quiet"]
        environment = {**os.environ, "SCHEDULEGYM_PROGRAM": str(ROOT / PROGRAM)}
        process = subprocess.Popen(words, env=environment, stderr=subprocess.DEVNULL)
        while process.poll() is None and not list((self.folder / "out").glob("runs/*.json")):
            time.sleep(0.05)
        process.send_signal(signal.SIGKILL)
        process.wait()
        kept = {path: path.read_bytes() for path in (self.folder / "out").glob("runs/*.json")}
        self.assertGreater(len(kept), 0)
        result = subprocess.run([*words, "--json"], env=environment, capture_output=True, text=True,
                                timeout=280)
        events = [json.loads(line) for line in result.stdout.splitlines()]
        if result.returncode == 1:
            whys = [event["why"] for event in events if event["event"] == "winner" and event["why"]]
            self.assertTrue(any(word in why for why in whys for word in (*NOISE, "run_timeout")), whys)
            self.skipTest("the machine is too busy: " + "; ".join(whys))
        self.assertEqual(result.returncode, 0, result.stderr)
        for path, content in kept.items():
            self.assertEqual(path.read_bytes(), content)
        done = events[-1]
        self.assertEqual((done["left"], done["searched"] + len(kept)), (0, 4))
        self.assertGreaterEqual(done["wall_seconds"], done["search_seconds"] + done["winner_seconds"])
        told = json.loads((self.folder / "out/results.json").read_text())
        self.assertEqual(told["entries"]["hill"]["runs"], {"planned": 2, "made": 2})
        self.assertIsNotNone(told["entries"]["hill"]["thinking"])
        vendor = told["cases"]["matmul(m=8,n=8,k=8)"]["vendor"]
        over = told["entries"]["hill"]["final_over_vendor"]
        self.assertEqual(vendor is None, over is None)
        asked = [event for event in events if event["event"] == "vendor"]
        self.assertEqual([event["library"] for event in asked], [vendor and vendor["library"]])
        if vendor is not None:
            self.assertAlmostEqual(over["value"] * vendor["speed"],
                                   told["entries"]["hill"]["final_over_reference"]["value"])
        self.assertIn("Measured live", (self.folder / "out/report.html").read_text())


if __name__ == "__main__":
    unittest.main()
