"""A build without LLVM: it shows kernels for GPUs, and searches on a driver of OpenCL. Minutes."""
import os
import pathlib
import shutil
import subprocess
import unittest

from harness import ROOT, ProgramTest, need_success

# Not that of the release build, which goes on being used.
BUILD = ROOT / "build" / "without_llvm"
SMALL = "matmul(m=16,n=16,k=16)"


class WithoutLlvmTest(ProgramTest):
    """The program of another build, which the first test makes."""

    program = BUILD / "bin" / "schedulegym"

    @classmethod
    def setUpClass(cls):
        if not shutil.which("cmake") or not shutil.which("ninja"):
            raise unittest.SkipTest("no cmake or no ninja")
        options = [f"-D{name}=OFF" for name in ("SCHEDULEGYM_LLVM", "SCHEDULEGYM_TESTS", "SCHEDULEGYM_PYTHON",
                                               "SCHEDULEGYM_BENCHMARKS")]
        for words in (["cmake", "--preset", "release", "-B", BUILD, "-DCMAKE_DISABLE_FIND_PACKAGE_Torch=ON",
                       *options],
                      ["ninja", "-C", BUILD, "schedulegym"]):
            result = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
            if result.returncode != 0:
                raise AssertionError(result.stdout[-4000:] + result.stderr[-4000:])

    def run_program(self, *words, stdin=None):
        return subprocess.run([self.program, *map(str, words)], capture_output=True, text=True, input=stdin,
                              cwd=self.folder, timeout=600, check=False)

    def diagnostics(self):
        return {event["name"]: event for event in self.events("doctor")}

    def test_text_of_gpus(self):
        self.assertIn("__kernel", self.succeed("show", SMALL, "--target", "opencl", "--as", "source"))
        self.assertIn("__global__", self.succeed("show", SMALL, "--target", "cuda(card=h100)", "--as", "source"))
        self.succeed("export", SMALL, "--target", "opencl", "--reference", "-o", "mm")
        self.assertTrue((self.folder / "mm.cl").exists())
        names = {event["name"].split("(")[0] for event in self.events("list", "targets")}
        self.assertLessEqual({"llvm", "interpreter", "opencl", "cuda"}, names)

    def test_processors_are_refused(self):
        for words in (("tune", SMALL, "--trials", "2"), ("show", SMALL, "--as", "asm"),
                      ("export", SMALL, "--reference", "-o", "mm")):
            result = self.run_program(*words)
            self.assertEqual(result.returncode, 3, result.stdout + result.stderr)
            self.assertIn("this build has no llvm backend: expected LLVM 19", result.stderr)
        self.assertFalse(self.diagnostics()["backend llvm"]["ready"])
        self.assertIn("for ", self.succeed("show", SMALL, "--target", "interpreter"))

    def test_a_search_on_a_driver(self):
        """The interpreter says what outputs are expected."""
        if not self.diagnostics()["backend opencl"]["ready"]:
            self.skipTest("no OpenCL driver")
        result = self.run_program("tune", SMALL, "--target", "opencl", "--trials", "4", "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        outcomes = [event["outcome"] for event in self.parse(result.stdout) if event.get("event") == "trial"]
        self.assertEqual(len(outcomes), 4)
        need_success(self, outcomes)
        self.assertNotIn("wrong_output", outcomes)
        self.assertNotIn("could not be checked", result.stderr)


if __name__ == "__main__":
    unittest.main()
