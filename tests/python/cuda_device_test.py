"""Measuring on cuda by the command: a stand-in driver and compiler, and what is said without any."""
import fcntl
import os
import pathlib
import subprocess
import unittest

from harness import PROGRAM, ProgramTest, need_success

STAND_IN = pathlib.Path(PROGRAM).parent.parent / "tests" / "cuda-stand-in.so"
SMALL = "matmul(m=16,n=16,k=16)"


class CudaDeviceTest(ProgramTest):
    def use(self, **variables):
        for name, value in variables.items():
            self.addCleanup(os.environ.pop, name, None)
            os.environ[name] = str(value)

    def test_without_a_driver_it_says_where_it_looked(self):
        self.use(SCHEDULEGYM_CUDA_DRIVER="/nowhere/libcuda.so.1")
        line = self.refused(3, "tune", SMALL, "--target", "cuda(card=h100)", "--trials", "2")
        for part in ("looked for /nowhere/libcuda.so.1", "nvidia-driver", "--measure analytical"):
            self.assertIn(part, line)

    def test_a_search_verifies_and_times_each_trial(self):
        if not STAND_IN.exists():
            self.skipTest("no stand-in driver: it is built with the tests")
        self.use(SCHEDULEGYM_CUDA_DRIVER=STAND_IN, SCHEDULEGYM_NVRTC=STAND_IN)
        events = self.events("tune", SMALL, "--target", "cuda", "--trials", "3", "--agent", "random",
                             "--protocol", "cpu1(seconds=0.02,rounds=5)")
        outcomes = [event["outcome"] for event in events if event.get("event") == "trial"]
        need_success(self, outcomes)
        self.assertNotIn("wrong_output", outcomes)
        start = next(event for event in events if event.get("event") == "start")
        self.assertIn("Stand-in H100 0", str(start))
        self.check_resources()

    def test_a_search_waits_for_the_lease_of_the_device(self):
        if not STAND_IN.exists():
            self.skipTest("no stand-in driver: it is built with the tests")
        lock = pathlib.Path(self.folder, "lock")
        self.use(SCHEDULEGYM_CUDA_DRIVER=STAND_IN, SCHEDULEGYM_NVRTC=STAND_IN, SCHEDULEGYM_LOCK=lock)
        with open(f"{lock}.device", "w", encoding="utf-8") as lease:
            fcntl.flock(lease, fcntl.LOCK_EX)
            search = subprocess.Popen(
                [PROGRAM, "tune", SMALL, "--target", "cuda", "--trials", "1", "--agent", "random", "--quiet",
                 "--protocol", "cpu1(seconds=0.02,rounds=5)"], cwd=self.folder)
            with self.assertRaises(subprocess.TimeoutExpired):
                search.wait(6)
            fcntl.flock(lease, fcntl.LOCK_UN)
            self.assertEqual(search.wait(120), 0)

    def check_resources(self):
        """The stand-in compiler reports 32 registers and a barrier of each kernel."""
        best = self.events("records", "best")[0]
        self.assertEqual([(kernel["kernel"], kernel["registers"], kernel["spill_store_bytes"], kernel["barriers"])
                          for kernel in best["resources"]], [("kernel_0", 32, 0, 1)])
        self.assertIn("    kernel_0: 32 registers, 0 + 0 bytes of spill", self.succeed("records", "best"))
        shown = self.run_program("show", SMALL, "--target", "cuda", "--record", best["record"])
        self.assertIn("  kernel_0: 32 registers", shown.stderr)
        self.succeed("records", "export", "-o", "records.jsonl")
        self.assertIn('"resources":[{"barriers":1,"kernel":"kernel_0","registers":32',
                      pathlib.Path(self.folder, "records.jsonl").read_text())


if __name__ == "__main__":
    unittest.main()
