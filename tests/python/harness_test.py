"""What the other tests stand on."""
import unittest

from harness import need_success


class NeedSuccessTest(unittest.TestCase):
    def test_one_success_is_enough(self):
        need_success(self, ["noisy", "wrong_output", "ok"])

    def test_noise_alone_skips(self):
        with self.assertRaisesRegex(unittest.SkipTest, "too busy .*: corrupt_result, noisy$"):
            need_success(self, ["noisy", "corrupt_result", "noisy"])

    def test_any_other_failure_fails(self):
        for other in ("wrong_output", "infra", "run_timeout"):
            with self.assertRaises(AssertionError):
                need_success(self, ["noisy", other])


if __name__ == "__main__":
    unittest.main()
