"""The script that times features of many programs, on a few."""
import contextlib
import io
import re
import unittest

from harness import PackageTest, load_benchmark

try:
    import schedulegym.data
except ImportError as fault:
    raise unittest.SkipTest(f"no data: {fault}") from None


class FeatureRateTest(PackageTest):
    def setUp(self):
        super().setUp()
        self.script = load_benchmark("feature_rate")

    def test_a_set_that_is_too_small_is_taken_again(self):
        programs = schedulegym.data.load("sample")
        most = len(programs) + 3
        found = self.script.first_of(programs, most)
        self.assertEqual(len(found), most)
        self.assertEqual(found.programs[-3:], programs.programs[:3])
        self.assertEqual(self.script.first_of(programs, 2).programs, programs.programs[:2])

    def test_it_prints_a_line_for_each_form(self):
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            self.assertEqual(self.script.main(["sample", "--programs", "40", "--features",
                                               "ansor, estimated"]), 0)
        head, *lines = printed.getvalue().splitlines()
        self.assertRegex(head, r"^40 programs of sample \(\d+\), \d+ cores; loaded in [\d.]+ s$")
        self.assertEqual([line.partition(":")[0] for line in lines], ["ansor", "estimated"])
        for line in lines:
            self.assertGreaterEqual(int(re.search(r"(\d+) rows", line)[1]), 40)

    def test_bad_input_is_one_line(self):
        for words, said in ((["none"], "found no 'none'"), (["sample", "--programs", "0"], "at least 1"),
                            (["sample", "--programs", "1", "--features", "odd"], "odd")):
            with self.subTest(words), contextlib.redirect_stderr(io.StringIO()) as printed, \
                    self.assertRaises(SystemExit) as ended:
                self.script.main(words)
            self.assertEqual(ended.exception.code, 2)
            self.assertIn(said, printed.getvalue())


if __name__ == "__main__":
    unittest.main()
