"""The coefficients of the estimate's version 2 are what the data set says."""
import re
import unittest

from harness import ROOT, ProgramTest


class CalibrationTest(ProgramTest):
    def test_they_are_those_of_train_tuna(self):
        source = (ROOT / "env/features/cost_terms.cc").read_text()
        kept = re.search(r"kFitted = \{(.*?)\};", source, re.S)
        file = self.folder / "tuna.model"
        result = self.run_program("train", "tuna", "--data",
                                  str(ROOT / "experiments/data/programs-v1.points.gz"), "-o", str(file))
        self.assertEqual(result.returncode, 0, result.stderr)
        fitted = [line.split() for line in file.read_text().splitlines()[2:]]
        self.assertEqual([name for name, _ in fitted],
                         ["arithmetic", "access", "chain", "spill", "l2", "l3", "memory", "parallel"])
        for word, (name, number) in zip(kept.group(1).split(","), fitted, strict=True):
            self.assertAlmostEqual(float(word), float(number), places=6, msg=name)


if __name__ == "__main__":
    unittest.main()
