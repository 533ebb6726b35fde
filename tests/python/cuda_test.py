"""The target cuda by the command: text needs neither a toolkit nor a driver."""
import shutil
import subprocess
import unittest

from harness import ProgramTest

H100 = ("--target", "cuda(card=h100)")


class CudaTest(ProgramTest):
    def test_source_has_a_kernel_for_each_stage(self):
        text = self.succeed("show", "softmax(m=8,n=16)", *H100, "--as", "source")
        self.assertEqual(text.count("__global__ void __launch_bounds__"), 3)

    def test_export_writes_text_launches_and_a_function(self):
        self.succeed("export", "matmul(m=8,n=8,k=8)", *H100, "--reference", "-o", "mm")
        source = (self.folder / "mm.cu").read_text()
        self.assertIn("mm_kernel_0<<<dim3(2, 1, 1), dim3(32, 1, 1), 0,", source)
        self.assertIn('{"mm_kernel_0", {2, 1, 1}, {32, 1, 1}, 0, 3, {0, 1, 2}}',
                      (self.folder / "mm.h").read_text())

    def test_nvcc_compiles_what_is_exported(self):
        nvcc = shutil.which("nvcc")
        if not nvcc:
            self.skipTest("no nvcc")
        self.succeed("export", "softmax(m=64,n=100)", *H100, "--reference", "-o", "soft")
        subprocess.run([nvcc, "-arch=sm_90a", "-Werror=all-warnings", "-c", "soft.cu"],
                       cwd=self.folder, check=True)
        subprocess.run(["gcc", "-std=c99", "-Wall", "-c", "-x", "c", "-include", "soft.h",
                        "/dev/null", "-o", "soft.o"], cwd=self.folder, check=True)


if __name__ == "__main__":
    unittest.main()
