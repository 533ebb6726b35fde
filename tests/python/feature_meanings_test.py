"""Each column of the observation `ansor` is explained on the pages of environments."""
import sys
import unittest

from harness import ROOT, PackageTest, schedulegym as sg

sys.path.insert(0, str(ROOT / "experiments/docs"))

if sg is not None:
    import gymnasium
    from feature_meanings import meaning_of


class FeatureMeaningsTest(PackageTest):
    def columns(self):
        env = gymnasium.make("ScheduleGym/ConstructModel-v1", observation="ansor", workload="matmul(m=8,n=8,k=8)",
                             target="llvm(cores=1)", model="analytical")
        self.addCleanup(env.close)
        lines = env.unwrapped._core.legend(0).splitlines()
        return [line.split(": ", 1)[1] for line in lines if line[0].isdigit() and "mask" not in line]

    def test_each_column_has_its_own(self):
        meanings = {column: meaning_of(column) for column in self.columns()}
        self.assertEqual(len(meanings), 164)
        self.assertEqual([column for column, meaning in meanings.items() if not meaning], [])
        self.assertEqual(len(set(meanings.values())), len(meanings))

    def test_other_names_have_none(self):
        for name in ("float_calls", "buffer0.reuse", "gpu.block_w", "intensity10", "vector.at_end"):
            self.assertIsNone(meaning_of(name), name)


if __name__ == "__main__":
    unittest.main()
