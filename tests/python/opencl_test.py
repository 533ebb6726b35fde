"""The target opencl by the command: text needs no driver; where one is installed, a search runs."""
import unittest

from harness import ProgramTest, need_success


class OpenClTest(ProgramTest):
    def test_source_has_a_kernel_for_each_stage(self):
        text = self.succeed("show", "softmax(m=8,n=16)", "--target", "opencl", "--as", "source")
        self.assertEqual(text.count("__kernel"), 3)

    def test_export_writes_text_and_launches(self):
        self.succeed("export", "matmul(m=8,n=8,k=8)", "--target", "opencl", "--reference", "-o", "mm")
        self.assertIn("__kernel", (self.folder / "mm.cl").read_text())
        self.assertIn('{"kernel_0", {64, 1, 1}, {32, 1, 1}, 3, {0, 1, 2}}',
                      (self.folder / "mm.h").read_text())

    def test_halves_need_no_extension(self):
        text = self.succeed("show", "matmul(m=8,n=8,k=8,dtype=f16)", "--target", "opencl",
                            "--as", "source")
        self.assertIn("vstore_half_rte", text)
        self.assertNotIn("#pragma OPENCL", text)
        self.succeed("export", "matmul(m=8,n=8,k=8,dtype=bf16)", "--target", "opencl", "--reference",
                     "-o", "half")
        self.assertIn("__global ushort*", (self.folder / "half.cl").read_text())
        self.assertIn("bf16[8, 8]", (self.folder / "half.h").read_text())

    def test_refusals_name_what_was_found(self):
        small = "matmul(m=8,n=8,k=8)"
        for words, expected in (
                (("--target", "cuda"), "no card is named"),
                (("--target", "cuda(card=tpu)"), "unknown card 'tpu'"),
                (("--target", "opencl", "--space", "schedulegym"), "no rules for target opencl"),
                (("--target", "opencl", "--measure", "analytical"), "no formula"),
                (("--target", "opencl(device=nowhere,arch=x)", "--space", "schedulegym"),
                 "no rules for target opencl")):
            self.assertIn(expected, self.refused_tune(small, *words))

    def refused_tune(self, workload, *words):
        result = self.run_program("tune", workload, "--trials", "2", "--quiet", *words)
        self.assertIn(result.returncode, (2, 3), result.stdout)
        return result.stderr

    def test_a_search_verifies_and_times_each_trial(self):
        doctor = {event.get("name"): event for event in self.events("doctor")}
        if not doctor.get("backend opencl", {}).get("ready"):
            self.skipTest("no OpenCL driver")
        events = self.events("tune", "matmul(m=32,n=32,k=32)", "--target", "opencl", "--trials", "4")
        outcomes = [event["outcome"] for event in events if event.get("event") == "trial"]
        need_success(self, outcomes)
        self.assertNotIn("wrong_output", outcomes)
        halves = self.events("tune", "matmul(m=32,n=32,k=32,dtype=f16)", "--target", "opencl",
                             "--trials", "4")
        self.assertEqual([event["outcome"] for event in halves if event.get("event") == "trial"],
                         ["ok"] * 4)
        # A second search finds the first one's records: they carry the same toolchain.
        again = self.events("tune", "matmul(m=32,n=32,k=32)", "--target", "opencl", "--trials", "6")
        start = next(event for event in again if event.get("event") == "start")
        self.assertEqual(start["known"], len(outcomes))


if __name__ == "__main__":
    unittest.main()
