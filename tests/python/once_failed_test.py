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
TRIALS = 16
LEAST_TRIALS = 4  # of each, where its space is small
WORDS = ("--target", "llvm(cores=1)", "--protocol", "cpu1(seconds=0.2)")


class OnceFailedTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.programs = [self.write("shared.dag", SHARED_DIVISOR),
                         self.write("sum.dag", DIVISOR_OF_A_SUM)]
        self.write("both.net", "1 shared.dag\n1 sum.dag\n")

    def tune(self, agent):
        result = self.run_program("tune", "both.net", "--agent", agent, "--trials", TRIALS, *WORDS,
                                  "--json")
        events = self.parse(result.stdout)
        for task in [event["task"] for event in events if event["event"] == "start"]:
            outcomes = [event["outcome"] for event in events
                        if event["event"] == "trial" and event["task"] == task]
            self.assertGreaterEqual(len(outcomes), LEAST_TRIALS)
            self.assertNotIn("wrong_output", outcomes)
            need_success(self, outcomes)
        self.assertEqual(result.returncode, 0, result.stderr)

    def replay(self, path):
        result = self.run_program("replay", path, *WORDS, "--json")
        done = self.parse(result.stdout)[-1]
        if result.returncode == 1:
            need_success(self, done["failed"])
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIs(done["best"]["verified"], True)

    def test_random_draws(self):
        self.tune("random")
        for path in self.programs:  # whose reference is checked, whoever found the best
            self.replay(path)

    def test_an_evolution(self):
        self.tune("ansor")


if __name__ == "__main__":
    unittest.main()
