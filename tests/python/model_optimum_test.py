"""What the script model_optimum.py says of a model's own optimum."""
import sys
import tempfile
import unittest
from types import SimpleNamespace
from unittest import mock

from harness import ROOT, PackageTest, schedulegym

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

    def test_the_best_known_is_of_a_store_or_given(self):
        known = lambda text: self.script.best_known(text, ["softmax(n=4,m=16)", "matmul(m=8,n=8,k=8)"], "interpreter")
        self.assertEqual(known("2;0.5"), [2.0, 0.5])
        for wrong in ("2", "2;0", "2;nan", "2;x", "nowhere.db"):
            with self.subTest(wrong), self.assertRaisesRegex(SystemExit, "expected a record store or 2 speeds"):
                known(wrong)
        ratios = {"softmax(n=4,m=16)": 1.5, "matmul(m=8,n=8,k=8)": 0.8}

        class Store:
            """Has a record of each workload of `ratios`."""
            __init__ = __exit__ = lambda self, *words: None
            __enter__ = lambda self: self

            def best(self, task):
                ratio = ratios.get(task.name)
                return ratio and SimpleNamespace(measurement=SimpleNamespace(ratio=ratio))

        with tempfile.NamedTemporaryFile() as file, mock.patch.object(schedulegym, "RecordStore", Store):
            self.assertEqual(known(file.name), [1.5, 0.8])
            with self.assertRaisesRegex(SystemExit, "no measured schedule of linear"):
                self.script.best_known(file.name, ["linear(m=8,n=8,k=8)"], "interpreter")

    def test_a_row_has_each_speed_over_both(self):
        self.assertEqual(self.script.row_of([2.0, None], None), [2.0, None])
        self.assertEqual(self.script.row_of([2.0, None], 4.0), [2.0, None, 0.5, None])

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
