"""What a trained policy's episodes end with is built and right: replay refuses none of it."""
import importlib.util
import sys
import unittest
from unittest import mock

from harness import NOISE, PROGRAM, ROOT, PackageTest

WORKLOAD = "conv2d(h=14,w=14,ci=32,co=32,k=3,p=1)"
STEPS, LATE = 4000, 3


class TrainedEndsTest(PackageTest):
    def setUp(self):
        super().setUp()
        self.need_llvm()
        if importlib.util.find_spec("sb3_contrib") is None:
            self.skipTest("no sb3_contrib: ./sg test training installs it")
        folders = [str(ROOT / "experiments/bench/environments"), str(ROOT / "bindings/schedulegym/examples")]
        self.enterContext(mock.patch.object(sys, "path", [*folders, *sys.path]))
        self.enterContext(mock.patch.dict("os.environ", {"SCHEDULEGYM_PROGRAM": PROGRAM}))

    def test_ends_that_the_model_pays_for_are_built_and_right(self):
        import learned_speed
        found = list(learned_speed.policies(WORKLOAD, 1, STEPS, LATE))
        self.assertGreater(len(found), LATE)
        for end in found:
            measured = learned_speed.measure(end, WORKLOAD, "llvm")
            with self.subTest(trace=end.trace):
                self.assertTrue(measured.speed is not None or measured.why.startswith((*NOISE, "run_timeout")),
                                measured.why)


if __name__ == "__main__":
    unittest.main()
