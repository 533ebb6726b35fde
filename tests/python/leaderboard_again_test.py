"""What live searches claim, measured again: attempts, outputs on fresh inputs, records."""
import dataclasses
import json
import unittest
from unittest import mock

from leaderboard_live_test import HELD, SCHEDULE, WRONG, LiveTest

try:
    import numpy as np

    from schedulegym import Task
    from schedulegym.leaderboard import claims, fresh_outputs, winners
    from schedulegym.studies.faults import StudyError
except ImportError as fault:
    raise unittest.SkipTest(f"no leaderboard: {fault}") from None

class AgainTest(LiveTest):
    def winner(self, *answers):
        """Of what calls give: a kind of outcome, or a result's three parts."""
        calls = iter([one if isinstance(one, tuple) else (1, json.dumps(
            {"failed": {one: 1}, "failures": [{"message": "why"}]}), "") for one in answers])
        with mock.patch.object(winners, "call", lambda words, trace: next(calls)):
            found = winners.measure_again(self.runs[0], SCHEDULE)
        self.assertEqual(next(calls, None), None)
        return found

    def test_three_attempts_while_the_machine_is_busy(self):
        good = (0, json.dumps({"best": {"ratio": 2, "ratio_low": 1, "ratio_high": 3}}), "")
        self.assertEqual(self.winner("noisy", (3, "", "error: x"), good).speed, 2)
        spoilt = self.winner("noisy", "impossible_time", "run_timeout")
        self.assertEqual((spoilt.speed, spoilt.is_refuted), (None, False))
        self.assertEqual(self.winner(*[(3, "", "error: no lock")] * 3).why, "error: no lock")

    def test_what_is_wrong_or_too_fast_is_refused(self):
        self.assertTrue(self.winner("wrong_output").is_refuted)
        self.assertTrue(self.winner("noisy", "run_signal").is_refuted)
        fast = self.winner(*["impossible_time"] * 3)
        self.assertEqual((fast.is_refuted, fast.why), (True, "impossible_time: why"))

    def test_outputs_on_fresh_inputs(self):
        good = (0, json.dumps({"best": {"ratio": 2, "ratio_low": 1, "ratio_high": 3}}), "")
        self.runs = [dataclasses.replace(run, target="llvm") for run in self.runs]
        self.assertEqual(self.winner(good, (0, "", "")).speed, 2)
        for fault, words in [((1, "C[0]: found 1\n", ""), "C\\[0\\]"), ((-11, "", ""), "ended with -11")]:
            wrong = self.winner(good, fault)
            self.assertTrue(wrong.is_refuted)
            self.assertRegex(wrong.why, "on fresh inputs: .*" + words)

    def test_a_difference_is_found_where_it_is(self):
        tensor = Task("matmul(m=2,n=3,k=4)", "interpreter").dag.outputs[0]
        wanted = np.arange(6, dtype=np.float32).reshape(2, 3)
        off = wanted.copy()
        off[1, 2] += 0.01
        self.assertIsNone(fresh_outputs.first_difference(tensor, wanted * (1 + 1e-6), wanted))
        self.assertRegex(fresh_outputs.first_difference(tensor, off, wanted), r"C\[1, 2\].*1 of 6 cells")
        first, again, other = (fresh_outputs.drawn_inputs((tensor,), seed)[0] for seed in (1, 1, 2))
        self.assertTrue(np.array_equal(first, again) and not np.array_equal(first, other))

    def test_a_schedule_and_its_reference_agree(self):
        self.need_llvm()
        words = ["matmul(m=6,n=5,k=4)", "llvm(cores=1)", "77"]
        self.assertEqual(fresh_outputs.main(words, SCHEDULE), 0)


class ClaimTest(LiveTest):
    def verify(self, winner, **changes):
        claim = claims.Claim(self.contest.identity, "matmul(m=8,n=8,k=8)", 0, 4, 2.0, SCHEDULE)
        other = dataclasses.replace(claim, seed=1, speed=None, trace=None)  # found nothing
        entry = dataclasses.replace(self.contest.entries[1], folder=self.folder, code="c")
        claims.verify_live(entry, [dataclasses.replace(claim, **changes), other], self.contest,
                           lambda run, trace, store: winner)

    def test_a_speed_holds_within_its_interval(self):
        self.verify(HELD)
        self.assertEqual(json.loads((self.folder / "verified.json").read_text())["runs"], 2)
        self.verify(HELD, speed=2.2)  # 2.1, and 5 %

    def test_what_does_not_hold_is_refused(self):
        for winner, changes, words in [
                (HELD, {"speed": 2.21}, "claims speed 2.2100, measured again it has 2.0000"),
                (WRONG, {}, "does not hold: wrong_output"), (HELD, {"trace": None}, "a speed without a schedule"),
                (HELD, {"seed": 2}, "found seed 2, expected 0 to 1"), (HELD, {"trials": 5}, "expected at most 4"),
                (HELD, {"board": "here 1"}, "found board")]:
            with self.subTest(changes), self.assertRaisesRegex(StudyError, words):
                self.verify(winner, **changes)
        self.assertFalse((self.folder / "verified.json").exists())


if __name__ == "__main__":
    unittest.main()
