"""Programs that verification once called wrong, tuned from their text to a verified best."""
import unittest

from harness import ProgramTest, need_success

# A row divided by what its lanes share, and by the result of a sum.
SHARED_DIVISOR = """\
input A[48, 100]
input B[48]
C[i:48, j:100] = A[i, j] / B[i]
"""
DIVISOR_OF_A_SUM = """\
input X[40, 96]
S[i:40] = sum(j:96) X[i, j]
Y[i:40, j:96] = X[i, j] / (S[i] + 1.0)
"""
TRIALS = 10
LEAST_TRIALS = 4  # where the space is small


class OnceFailedTest(ProgramTest):
    def tune(self, text, agent):
        path = self.write("program.dag", text)
        place = ("--store", f"{agent}.db")
        events = self.events("tune", path, "--agent", agent, "--trials", TRIALS, *place)
        trials = [event for event in events if event["event"] == "trial"]
        self.assertGreaterEqual(len(trials), LEAST_TRIALS)
        outcomes = [trial["outcome"] for trial in trials]
        need_success(self, outcomes)
        self.assertNotIn("wrong_output", outcomes)
        self.assertIn("ok", outcomes)
        replayed = self.events("replay", path, *place)
        (best,) = [event["best"] for event in replayed if event["event"] == "done"]
        self.assertIs(best["verified"], True)

    def test_a_shared_divisor(self):
        for agent in ("random", "ansor"):
            with self.subTest(agent=agent):
                self.tune(SHARED_DIVISOR, agent)

    def test_a_divisor_of_a_sum(self):
        for agent in ("random", "ansor"):
            with self.subTest(agent=agent):
                self.tune(DIVISOR_OF_A_SUM, agent)


if __name__ == "__main__":
    unittest.main()
