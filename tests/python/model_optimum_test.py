"""What the script model_optimum.py says of a model's own optimum."""
import sys
import unittest

from harness import ROOT, PackageTest

sys.path[:0] = [str(ROOT / "experiments/bench/environments")]


class ModelOptimumTest(PackageTest):
    def setUp(self):
        super().setUp()
        import model_optimum
        self.script = model_optimum

    def test_a_models_best_is_as_fast_as_it_says(self):
        for model in ("analytical", "analytical(version=2)"):
            speed, trace = self.script.optimum("matmul(m=32,n=32,k=32)", model, "ansor", 16, 1)
            self.assertGreater(speed, 0)
            self.assertTrue(trace.startswith("trace 1"), trace)

    def test_means_leave_out_what_failed(self):
        self.assertEqual(self.script.means([[2.0, None], [0.5, None], [1.0, 3.0]]),
                         ["1.000 of 3", "3.000 of 1"])
        self.assertEqual(self.script.means([[None]]), ["-"])

    def test_none_of_its_workloads_was_learned_from(self):
        splits = (ROOT / "env/program/splits/programs_train.tasks").read_text()
        for workload in self.script.WORKLOADS:
            self.assertNotIn(workload.replace(" ", ""), splits.replace(" ", ""))


if __name__ == "__main__":
    unittest.main()
