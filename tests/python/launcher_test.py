"""What `./sg test` runs for each word; the parts themselves are not run."""
import pathlib
import subprocess
import tempfile
import unittest

from harness import ROOT

PARTS = "unit python wheel training docs sanitized"
SCRIPT = """
set -eu
. "$source/experiments/setup/common.sh"
. "$source/experiments/setup/test.sh"
for part in %s; do
  eval "${part}_tests() { echo $part \\$tier; [ $part != \\"${failing-}\\" ]; }"
done
run_tests "$@"
"""
# The options that tests are run with: by ctest and by pytest.
OPTIONS = """
set -eu
. "$source/experiments/setup/common.sh"
. "$source/experiments/setup/test.sh"
build() { :; }
need_pytest() { :; }
make_venv() { :; }
make_extras() { :; }
venv_is_fresh() { true; }
ctest() { echo "ctest $*"; }
run_pytest() { echo "pytest $*"; return "${failure-0}"; }
say() { :; }
unset wheel_tests training_tests docs_tests
wheel_tests() { :; }
training_tests() { :; }
docs_tests() { :; }
run_tests "$@"
"""


class TestWordsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="schedulegym test ")
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def run_script(self, script, *words, **variables):
        return subprocess.run(["sh", "-c", script, "sh", *words], capture_output=True, text=True,
                              env={"root": str(self.root), "source": str(ROOT),
                                   "PATH": "/usr/bin:/bin", **variables})

    def run_tests(self, *words, **variables):
        return self.run_script(SCRIPT % PARTS, *words, **variables)

    def parts(self, *words):
        return self.run_tests(*words).stdout.splitlines()

    def test_without_a_word_the_quick_tier(self):
        self.assertEqual(self.parts(), ["unit quick", "python quick"])

    def test_all_begins_with_the_sanitized_tests(self):
        self.assertEqual(self.parts("all"), ["sanitized all", "unit all", "python all"])

    def test_a_failed_part_of_all_is_the_last(self):
        result = self.run_tests("all", failing="sanitized")
        self.assertEqual((result.returncode, result.stdout), (1, "sanitized all\n"))

    def test_a_word_is_its_part(self):
        for word in PARTS.split():
            self.assertEqual(self.parts(word), [f"{word} all"])

    def test_nightly_tells_when_it_last_passed(self):
        stamp = self.root / "build/nightly_passed"
        expected = [f"{part} nightly" for part in ("unit", "python", "wheel", "training", "docs")]
        result = self.run_tests("nightly", failing="python")
        self.assertEqual((result.returncode, result.stdout.splitlines()), (1, expected))
        self.assertIn("sg: nightly tests FAILED: python_tests\n", result.stderr)
        self.assertEqual(result.stderr.count("nightly tests have not passed in this clone yet"), 2)
        self.assertFalse(stamp.exists())
        result = self.run_tests("nightly")
        self.assertEqual((result.returncode, result.stdout.splitlines()), (0, expected))
        self.assertRegex(stamp.read_text(), r"\A\d{4}-\d\d-\d\d \d\d:\d\d, commit \w+\n\Z")
        self.assertTrue(result.stderr.endswith(f"nightly tests last passed: {stamp.read_text()}"))
        self.assertIn(stamp.read_text(), self.run_tests("nightly", failing="wheel").stderr)

    def test_each_tier_has_its_tests(self):
        python = ROOT / "tests/python"
        for words, labels, markers, checks in (
                ([], "-LE ^(long|nightly)$", "not long and not nightly", ""),
                (["all"], "-LE ^nightly$", "not nightly", "docs_check.py training_check.py"),
                (["nightly"], "-L ^nightly$", "nightly", "ray_check.py leaderboard_packages_check.py")):
            lines = self.run_script(OPTIONS, *words).stdout.splitlines()
            with self.subTest(words=words):
                self.assertTrue(lines[-2].startswith("ctest ") and lines[-2].endswith(labels), lines)
                files = "".join(f" {python / name}" for name in checks.split())
                self.assertIn(f" -m {markers}{files} ", lines[-1].replace(str(self.root / "tests"),
                                                                         str(ROOT / "tests")))

    def test_sanitized_tests_are_those_of_every_tier(self):
        line, = self.run_script(OPTIONS, "sanitized").stdout.splitlines()
        self.assertTrue(line.endswith(" -L ^sanitized$"), line)
        self.assertNotIn("-LE", line)

    def test_only_all_and_nightly_run_again_what_failed(self):
        for words, count in (([], 1), (["all"], 2), (["nightly"], 2)):
            result = self.run_script(OPTIONS, *words, failure="1")
            lines = [line for line in result.stdout.splitlines() if line.startswith("pytest ")]
            self.assertEqual((result.returncode, len(lines)), (1, count), result.stdout)
            self.assertEqual(["--last-failed" in line for line in lines], [False, True][:count])

    def test_without_pytest_it_is_said(self):
        script = OPTIONS.replace("need_pytest() { :; }\n", "")
        result = self.run_script(script, "python")
        self.assertEqual((result.returncode, result.stdout), (3, ""))
        self.assertRegex(result.stderr, r"\Aerror: no pytest in .*/.venv: expected the extra 'test' "
                                        r"\(install it: .* pytest-xdist\)\n\Z")

    def test_a_folder_without_libtorch_is_refused(self):
        result = self.run_tests("torch", "/tmp")
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
                                        "wheel, training, docs, torch, sanitized, all, nightly, or "
                                        "nothing for unit and python\n")

    def test_help_names_every_part(self):
        for word in ("--help", "-h"):
            result = self.run_tests(word)
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            parts = self.run_tests("unti").stderr.split("expected one of ")[1].split(", or ")[0]
            for part in parts.split(", "):
                self.assertRegex(result.stdout, rf"(?m)^  {part} ")

    def test_continuous_integration_runs_everything(self):
        self.assertIn('/../sg" test all\n', (ROOT / ".ci/run").read_text())


if __name__ == "__main__":
    unittest.main()
