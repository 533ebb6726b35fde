"""Best known speeds of a study's cases: found by the script, read by the study, told beside runs."""
import unittest

from harness import PackageTest, ProgramTest, load_benchmark

try:
    from schedulegym.studies.faults import StudyError
    from schedulegym.studies.study import runs_of
    from schedulegym.studies.summary import Summary
    from studies_summary_test import OUTCOMES, study_of
except ImportError as fault:
    raise unittest.SkipTest(f"no studies: {fault}") from None

CASE = "matmul(m=16,n=16,k=16)"


class BestKnownTest(PackageTest, ProgramTest):
    def test_the_script_finds_what_no_run_is_ahead_of(self):
        script = load_benchmark("best_known")
        # A round evaluates 2048 schedules of each of five generations.
        self.assertEqual(script.trials_of(1_000_000, 4), 64 * 25)
        case, = study_of(cases={"a": CASE}).cases
        best = script.best_of(case, "llvm(cores=1)", ["ansor"], 1, 64)
        self.assertGreaterEqual(best, 1.0)
        self.assertGreater(best, script.best_of(case, "llvm(cores=1)", ["ansor"], 1, 1) * 0.999)

    def test_a_study_tells_shares_of_what_its_file_says(self):
        told = Summary(study_of(best_known={"a": 4.0}), OUTCOMES, draws=200).told()
        self.assertEqual({case: one["best_known"] for case, one in told["cases"].items()},
                         {"a": 4.0, "b": 4.0})
        self.assertEqual(told["study"]["best_known"], [["a", 4.0]])
        # What runs found stands where it is faster.
        told = Summary(study_of(best_known={"a": 1.0}), OUTCOMES, draws=200).told()
        self.assertEqual(told["cases"]["a"]["best_known"], 2.0)
        self.assertNotIn("best_known", study_of().fields())

    def test_it_decides_nothing_about_runs(self):
        self.assertEqual([run.key for run in runs_of(study_of())],
                         [run.key for run in runs_of(study_of(best_known={"a": 4.0}))])

    def test_wrong_values_are_refused(self):
        for given, words in ((3, "a table"), ({"c": 2.0}, "unknown case of best_known 'c'"),
                             ({"a": 0}, "a number above 0"), ({"a": "fast"}, "a number above 0")):
            with self.assertRaisesRegex(StudyError, words):
                study_of(best_known=given)


if __name__ == "__main__":
    unittest.main()
