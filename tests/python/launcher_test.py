"""What `./sg test` runs for each word; the parts themselves are not run."""
import subprocess
import unittest

from harness import ROOT
from limited import LimitedTest

SCRIPT = """
set -eu
. "$root/experiments/setup/common.sh"
. "$root/experiments/setup/test.sh"
for part in unit python wheel training docs sanitized; do
  eval "${part}_tests() { echo $part; }"
done
run_tests "$@"
"""


class TestWordsTest(LimitedTest):
    def run_tests(self, *words):
        return subprocess.run(["sh", "-c", SCRIPT, "sh", *words], capture_output=True, text=True,
                              env={"root": str(ROOT), "PATH": "/usr/bin:/bin"})

    def test_without_a_word_unit_and_python(self):
        self.assertEqual(self.run_tests().stdout.split(), ["unit", "python"])

    def test_all_is_everything_but_the_pages(self):
        self.assertEqual(self.run_tests("all").stdout.split(),
                         ["unit", "python", "wheel", "training", "sanitized"])

    def test_a_word_is_its_part(self):
        for word in ("unit", "python", "wheel", "training", "docs", "sanitized"):
            self.assertEqual(self.run_tests(word).stdout.split(), [word])

    def test_another_word_is_refused_with_those_that_exist(self):
        result = self.run_tests("unti")
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertEqual(result.stderr, "error: unknown tests 'unti': expected one of unit, python, "
                                        "wheel, training, docs, sanitized, all, or nothing for "
                                        "unit and python\n")

    def test_continuous_integration_runs_everything(self):
        self.assertIn('/../sg" test all\n', (ROOT / ".ci/run").read_text())


if __name__ == "__main__":
    unittest.main()
