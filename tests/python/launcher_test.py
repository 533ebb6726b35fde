"""What `./sg test` runs for each word; the parts themselves are not run."""
import re
import subprocess
import unittest

from harness import ROOT
from limited import LimitedTest

SCRIPT = """
set -eu
. "$root/experiments/setup/common.sh"
. "$root/experiments/setup/test.sh"
for part in unit python wheel training docs sanitized; do
  eval "${part}_tests() { echo $part; if [ \\$quick = yes ]; then echo quickly; fi; }"
done
date() { echo "${now-0}"; }
eval "training_tests() { echo training; now=${late-0}; }"
run_tests "$@"
"""


class TestWordsTest(LimitedTest):
    def run_tests(self, *words, late=0):
        """`late`: seconds that it took until the training tests had ended."""
        return subprocess.run(["sh", "-c", SCRIPT, "sh", *words], capture_output=True, text=True,
                              env={"root": str(ROOT), "PATH": "/usr/bin:/bin", "late": str(late)})

    def test_without_a_word_unit_and_python_but_what_takes_long(self):
        self.assertEqual(self.run_tests().stdout.split(), ["unit", "quickly", "python", "quickly"])

    def test_what_takes_long_is_there(self):
        script = (ROOT / "experiments/setup/test.sh").read_text()
        names = re.search(r'long_files="([^"]*)"', script)[1].split()
        self.assertEqual(names, sorted(set(names)))
        for name in names:
            self.assertTrue((ROOT / "tests/python" / name).exists(), name)

    def test_all_is_everything_but_the_pages(self):
        self.assertEqual(self.run_tests("all").stdout.split(),
                         ["unit", "python", "wheel", "training", "sanitized"])

    def test_all_ends_without_sanitizers_where_it_was_slow_and_says_so(self):
        self.assertEqual(self.run_tests("all", late=39 * 60).stdout.split()[-1], "sanitized")
        result = self.run_tests("all", late=40 * 60)
        self.assertEqual(result.stdout.split(), ["unit", "python", "wheel", "training"])
        self.assertIn("sanitized tests are left out, for the others took 40 minutes", result.stderr)
        self.assertEqual(self.run_tests("sanitized", late=9999).stdout.split(), ["sanitized"])

    def test_a_word_is_its_part(self):
        for word in ("unit", "python", "wheel", "training", "docs", "sanitized"):
            self.assertEqual(self.run_tests(word).stdout.split(), [word])

    def test_a_folder_without_libtorch_is_refused(self):
        result = subprocess.run(["sh", "-c", SCRIPT.replace("docs sanitized", "docs"), "sh", "torch", "/tmp"],
                                capture_output=True, text=True,
                                env={"root": str(ROOT), "PATH": "/usr/bin:/bin"})
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertEqual(result.stderr, "error: no LibTorch in '/tmp': expected a folder with "
                                        "lib/libtorch_cpu.so, such as a wheel's site-packages/torch\n")

    def test_a_torch_without_libtorch_is_refused_by_the_build(self):
        result = subprocess.run(["cmake", "-D", "SCHEDULEGYM_TORCH=/tmp", "-P",
                                 ROOT / "cmake/TorchFolder.cmake"], capture_output=True, text=True)
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("SCHEDULEGYM_TORCH is '/tmp', where there is no '/tmp/include/ATen/ATen.h'",
                      " ".join(result.stderr.split()))

    def test_another_word_is_refused_with_those_that_exist(self):
        result = self.run_tests("unti")
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertEqual(result.stderr, "error: unknown tests 'unti': expected one of unit, python, "
                                        "wheel, training, docs, torch, sanitized, all, or nothing "
                                        "for unit and python\n")

    def test_continuous_integration_runs_everything(self):
        self.assertIn('/../sg" test all\n', (ROOT / ".ci/run").read_text())


if __name__ == "__main__":
    unittest.main()
