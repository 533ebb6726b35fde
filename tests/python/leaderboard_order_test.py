"""A board that ranks says the same of other cases: on held-out cases of two seeds."""
import unittest
from unittest import mock

from leaderboard_entry_test import FolderTest

try:
    from schedulegym.leaderboard import command
    from schedulegym.leaderboard.contest import read_contest
    from schedulegym.leaderboard.standings import Standings
    from schedulegym.leaderboard.winners import outcomes_of
    from schedulegym.studies.folder import Folder
    from schedulegym.studies.tune_runner import TuneRunner
except ImportError as fault:
    raise unittest.SkipTest(f"no leaderboard: {fault}") from None

BOARD = """board = 1
name = "order"
edition = "1.0"
track = "model"
target = "llvm(cores=1)"
cases = ["matmul(m=32,n=32,k=32)"]
trials = 48
seeds = 3
[held_out]
count = 6
[held_out.shapes]
matmul = {m = [64, 96, 128, 192, 256], n = [64, 96, 128, 192, 256], k = [64, 96, 128, 192, 256]}
softmax = {n = [64, 128, 192, 256], m = [64, 128, 192, 256]}
[entries]
random = "random"
hill = "hill"
annealing = "annealing"
genetic = "genetic(population=16)"
droplet = "droplet"
local = "local"
"""


class OrderTest(FolderTest):
    def scores(self, seed):
        """By entry, the score with its interval, as the page shows it; ranks go by it."""
        (self.folder / "order.toml").write_text(BOARD)
        out = self.folder / f"out {seed}"
        words = ["run", str(self.folder / "order.toml"), "-o", str(out), "--held-out", str(seed), "--quiet"]
        with mock.patch.object(command, "report_board"):  # drawing the page takes longer
            self.assertEqual(command.run_leaderboard(words, TuneRunner()), 0)
        contest = read_contest(out)
        found = outcomes_of(contest.runs(), Folder(out, contest.study))
        entries = Standings(contest, found).told()["entries"]
        scores = {name: one["scores"]["ranked"]["by_trials"] for name, one in entries.items()}
        by_score = sorted(scores, key=lambda name: -scores[name]["value"])
        self.assertEqual([entries[name]["rank"] for name in by_score],
                         list(range(1, 1 + len(scores))))
        return scores

    def test_who_is_apart_keeps_the_order_on_other_held_out_cases(self):
        found = [self.scores(seed) for seed in (7, 8)]
        names, apart = list(found[0]), 0
        for one, other in ((a, b) for a in names for b in names if a != b):
            if found[0][one]["low"] > found[0][other]["high"]:
                apart += 1
                self.assertGreater(found[1][one]["value"], found[1][other]["value"], (one, other, found))
            if found[1][one]["low"] > found[1][other]["high"]:
                self.assertGreater(found[0][one]["value"], found[0][other]["value"], (one, other, found))
        self.assertGreater(apart, 0, found)  # else this test would say nothing


if __name__ == "__main__":
    unittest.main()
