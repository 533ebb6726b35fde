"""The agent `transfer` says where a donor is near the test task that it is used on."""
import gzip
import json
import os
import sys
import unittest

from harness import ProgramTest

STEPS = ["trace 1"]
SEARCH = ("--measure", "analytical", "--target", "interpreter", "--space", "ansor", "--trials", "2")

STUDY = """
measure = "analytical"
target = "interpreter"
trials = 2
seeds = 1
cases = {far = "softmax(n=1,m=960)", near = "softmax(n=1,m=1000)"}
[base]
space = "ansor"
[arms]
chance = "random"
donors = "transfer(from=one.points.gz,then=random,within=false)"
"""


class TransferLeakTest(ProgramTest):
    def donors(self, workload):
        """A file of programs: the naive schedule of one task."""
        dag = self.run_program("show", workload, "--as", "dag").stdout
        header = {"format": "points", "version": 1, "words": ["ansor", "chance", "one", "ok"],
                  "steps": STEPS, "tasks": [{"key": "0" * 32, "workload": workload, "target": "llvm",
                                             "dag": dag, "split": "train"}]}
        row = [0, 0, 1, 2, 3, [0], 2e-3, [0.5, 0.49, 0.51], [2e-3]]
        text = "".join(json.dumps(line) + "\n" for line in (header, row))
        (self.folder / "one.points.gz").write_bytes(gzip.compress(text.encode()))

    def search(self, workload):
        result = self.run_program("tune", workload, *SEARCH, "--agent",
                                  "transfer(from=one.points.gz,then=random,within=false)")
        self.assertEqual(result.returncode, 0, result.stderr)
        return [line for line in result.stderr.splitlines() if "test task" in line]

    def test_a_donor_near_a_test_task_is_one_line(self):
        self.donors("softmax(n=1,m=1024)")
        line, = self.search("softmax(n=1,m=1000)")  # a task of squeezenet
        self.assertIn("donor softmax(n=1,m=1024) is near softmax(n=1,m=1000), a test task", line)
        self.assertEqual(self.search("softmax(n=1,m=960)"), [])  # near the donor, and no test task

    def test_a_study_prints_the_line_before_it_runs(self):
        if os.environ.get("SCHEDULEGYM_PACKAGE") == "no":
            self.skipTest("no Python package")
        os.environ["SCHEDULEGYM_PYTHON"] = sys.executable
        self.addCleanup(os.environ.pop, "SCHEDULEGYM_PYTHON")
        self.donors("softmax(n=1,m=1024)")
        (self.folder / "leak.toml").write_text(STUDY)
        result = self.run_program("study", "leak.toml", "-o", "out")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("case 'near', arm 'donors': agent transfer: donor softmax(n=1,m=1024) is near "
                      "softmax(n=1,m=1000), a test task", result.stderr)
        self.assertNotIn("case 'far'", result.stderr)

    def test_other_donors_are_none(self):
        self.donors("softmax(n=1,m=1280)")
        self.assertEqual(self.search("softmax(n=1,m=1000)"), [])


if __name__ == "__main__":
    unittest.main()
