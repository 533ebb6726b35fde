"""The target cuda by the command: text needs neither a toolkit nor a driver."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import unittest
import unittest.mock

from harness import PROGRAM, ROOT, ProgramTest

H100 = ("--target", "cuda(card=h100)")
STAND_IN = pathlib.Path(PROGRAM).parent.parent / "tests" / "cuda-stand-in.so"
# Stages that share memory, that reduce, and that only move values.
EXPORTED = ("softmax(m=64,n=100)", "matmul(m=64,n=64,k=64)", "matmul(m=13,n=17,k=11,dtype=f16)",
            "conv2d(h=8,w=8,ci=4,co=8,k=3,p=1)", "norm(m=16,n=64)", "matmul(m=32,n=32,k=32,dtype=f64)")


def find_nvcc():
    """Of the system, of CUDA_HOME, or of Python packages in .venv."""
    folders = [pathlib.Path(os.environ[name]) / "bin" for name in ("CUDA_HOME", "CUDA_PATH") if os.environ.get(name)]
    folders += sorted(ROOT.glob(".venv/lib/python3*/site-packages/nvidia/*/bin"))
    folders.append(pathlib.Path("/usr/local/cuda/bin"))
    found = [folder / "nvcc" for folder in folders if (folder / "nvcc").exists()]
    return shutil.which("nvcc") or (str(found[0]) if found else None)


class CudaTest(ProgramTest):
    def doctor(self, *names):
        """What it says of these."""
        events = map(json.loads, self.succeed("doctor", "--json").splitlines())
        return [event for event in events if event.get("name") in names]

    def test_source_has_a_kernel_for_each_stage(self):
        text = self.succeed("show", "softmax(m=8,n=16)", *H100, "--as", "source")
        self.assertEqual(text.count("__global__ void __launch_bounds__"), 3)

    def test_export_writes_text_launches_and_a_function(self):
        self.succeed("export", "matmul(m=8,n=8,k=8)", *H100, "--reference", "-o", "mm")
        source = (self.folder / "mm.cu").read_text()
        self.assertIn("mm_kernel_0<<<dim3(1, 1, 1), dim3(64, 1, 1), 0,", source)
        self.assertIn('{"mm_kernel_0", {1, 1, 1}, {64, 1, 1}, 0, 3, {0, 1, 2}}',
                      (self.folder / "mm.h").read_text())

    def test_refusals_name_what_was_looked_for(self):
        small = "matmul(m=8,n=8,k=8)"
        with unittest.mock.patch.dict(os.environ, SCHEDULEGYM_NVRTC="/none"):
            result = self.run_program("show", small, *H100, "--as", "ir")
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertIn("no NVRTC: looked for /none; ./sg setup cuda installs it", result.stderr)

    def test_an_empty_variable_names_nothing(self):
        names = ("SCHEDULEGYM_NVRTC", "SCHEDULEGYM_NVDISASM", "SCHEDULEGYM_CUDA_DRIVER", "SCHEDULEGYM_LOCK",
                 "SCHEDULEGYM_PYTHON", "SCHEDULEGYM_DATA", "CUDA_HOME", "CUDA_PATH", "XDG_CACHE_HOME")
        # Machines with a toolkit have some of them set.
        with unittest.mock.patch.dict(os.environ):
            for name in names:
                os.environ.pop(name, None)
            unset = self.doctor("backend cuda", "measuring lock")
        self.assertEqual(len(unset), 2)
        with unittest.mock.patch.dict(os.environ, dict.fromkeys(names, "")):
            self.assertEqual(self.doctor("backend cuda", "measuring lock"), unset)

    def test_texts_that_no_device_launches_are_refused(self):
        (self.folder / "wide.trace").write_text("trace 1\nbind(stage=C, loop=0, thread=threadIdx.x)\n"
                                                "bind(stage=C, loop=1, thread=threadIdx.y)\n")
        words = ("matmul(m=64,n=64,k=8)", "--target")
        for command in (("show", "--as", "source"), ("show", "--as", "loops"), ("show", "--as", "ir"),
                        ("export", "-o", "wide"), ("replay",)):
            result = self.run_program(command[0], *words, "cuda(card=h100)", "--trace", "wide.trace",
                                      *command[1:])
            self.assertEqual(result.returncode, 2, result.stdout)
            self.assertIn("trace 'wide.trace' on target 'cuda': kernel_0 has 4096 threads a block, expected "
                          "at most 1024", result.stderr)
        self.assertFalse((self.folder / "wide.cu").exists())

    def test_the_formula_drafts_for_a_model(self):
        self.succeed("tune", "matmul(m=64,n=64,k=64)", *H100, "--measure", "analytical", "--trials", "8", "--agent",
                     "ansor(population=16,draft=estimate,drafted=8,trusted=2,round=4)")

    def test_actions_are_those_of_processors(self):
        result = self.run_program("show", "matmul(m=8,n=8,k=8)", *H100, "--as", "actions")
        self.assertEqual(result.returncode, 2, result.stdout)
        self.assertIn("construct has no rules for target cuda yet", result.stderr)

    def test_asynchronous_copies_are_a_feature_of_the_target(self):
        words = ("show", "matmul(m=64,n=64,k=64)", "--as", "source", "--target")
        self.assertNotIn("copy_async", self.succeed(*words, "cuda(card=a100)"))
        result = self.run_program(*words, "cuda(arch=sm_75,features=async_copy)")
        self.assertEqual(result.returncode, 2)
        self.assertIn("feature 'async_copy' of sm_75, expected sm_80 or later", result.stderr)

    def test_machine_code_where_nvrtc_is_found(self):
        if not self.diagnostic()["ready"]:
            self.skipTest("no NVRTC")
        small = "matmul(m=8,n=8,k=8)"
        text = self.succeed("show", small, *H100, "--as", "ir")
        self.assertRegex(text, r"\A// kernel_0: \d+ registers, 0 \+ 0 bytes of spill")
        self.assertIn(".target sm_90a", text)
        self.succeed("export", small, *H100, "--reference", "-o", "code")
        self.assertEqual((self.folder / "code.cubin").read_bytes()[:4], b"\x7fELF")
        old = self.run_program("show", small, "--target", "cuda(arch=sm_35)", "--as", "ir")
        self.assertEqual(old.returncode, 2, old.stderr)
        self.assertIn("no architecture 'sm_35', expected one of sm_", old.stderr)
        if self.diagnostic()["nvdisasm"] == "missing":
            self.skipTest("no nvdisasm")
        self.assertTrue(self.succeed("show", small, *H100, "--as", "asm").startswith("// kernel_0: "))

    def test_a_search_by_the_formula(self):
        words = ("matmul(m=64,n=64,k=64)", *H100, "--measure", "analytical", "--agent", "random", "--trials", "16")
        best = set()
        for store in ("a.db", "b.db"):
            events = self.events("tune", *words, "--store", store)
            done = next(event for event in events if event.get("event") == "done")
            self.assertEqual(done["trials"], 16)
            best.add(done["best"]["seconds"])
        self.assertEqual(len(best), 1)
        self.succeed("records", "export", "--store", "a.db", "-o", "records.jsonl")
        self.assertIn("analytical, pruner draft 1", (self.folder / "records.jsonl").read_text())

    def test_export_takes_the_best_by_the_formula(self):
        small = "matmul(m=64,n=64,k=64)"
        events = self.events("tune", small, *H100, "--measure", "analytical", "--agent", "random",
                             "--trials", "16", "--store", "a.db")
        best = next(event for event in events if event.get("event") == "done")["best"]
        item = self.events("export", small, *H100, "--store", "a.db", "-o", "mm")[0]
        self.assertEqual(item["source"], "estimate" if best["ratio"] > 1 else "reference")
        shown = self.run_program("show", small, *H100, "--store", "a.db", "--as", "trace")
        if item["source"] == "estimate":
            self.assertEqual(shown.stdout.strip(), best["trace"].strip())
            self.assertIn("not measured (analytical, pruner draft 1)", shown.stderr)
        # A processor's estimates are no schedules to export.
        self.events("tune", small, "--measure", "analytical", "--agent", "random", "--trials", "4",
                    "--store", "a.db")
        self.refused(2, "export", small, "--store", "a.db", "-o", "mm2")

    def test_trees_of_processors_are_refused(self):
        result = self.run_program("tune", "matmul(m=8,n=8,k=8)", *H100, "--measure", "analytical",
                                  "--agent", "ansor(model=pretrained)", "--trials", "2")
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn("expected that of a processor", result.stderr)

    def test_the_formula_needs_facts(self):
        result = self.run_program("tune", "matmul(m=8,n=8,k=8)", "--target", "cuda(arch=sm_80)",
                                  "--measure", "analytical", "--trials", "2")
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn("key 'bandwidth' is missing", result.stderr)

    def diagnostic(self):
        doctor = {event.get("name"): event for event in self.events("doctor")}
        return doctor["backend cuda"]

    def test_an_architecture_that_nvrtc_lacks_is_exported_without_machine_code(self):
        if not STAND_IN.exists():
            self.skipTest("no stand-in compiler: it is built with the tests")
        with unittest.mock.patch.dict(os.environ, SCHEDULEGYM_NVRTC=str(STAND_IN)):
            result = self.run_program("export", "matmul(m=8,n=8,k=8)", "--target", "cuda(arch=sm_35)",
                                      "--reference", "-o", "old")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn("without a cubin: NVRTC 13.0 has no architecture 'sm_35', expected one of sm_", result.stderr)
            self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["old.cu", "old.h"])
            self.assertTrue(self.succeed("show", "matmul(m=8,n=8,k=8)", *H100, "--as", "ir").startswith(
                "// kernel_0: 32 registers"))

    def test_devices_are_an_option(self):
        text = self.succeed("list", "targets", "cuda")
        self.assertRegex(text, r"(?m)^\s*device\b.*text")

    def test_nvcc_compiles_what_is_exported(self):
        nvcc = find_nvcc()
        if not nvcc:
            self.skipTest("no nvcc: ./sg setup cuda")
        release = re.search(r"release (\S+),", subprocess.run(
            [nvcc, "--version"], capture_output=True, text=True, check=True).stdout).group(1)
        beside = sorted(pathlib.Path(nvcc).resolve().parent.parent.glob("lib*/libnvrtc.so.1[23]"))
        if beside:
            changed = unittest.mock.patch.dict(os.environ, SCHEDULEGYM_NVRTC=str(beside[0]))
            changed.start()
            self.addCleanup(changed.stop)
        is_same = f"NVRTC {release} " in (self.diagnostic().get("nvrtc") or "")
        kernels = 0
        for number, workload in enumerate(EXPORTED):
            name = f"exported{number}"
            self.succeed("export", workload, *H100, "--reference", "-o", name)
            result = subprocess.run(
                [nvcc, "-arch=sm_90a", "-Werror=all-warnings", "-Xptxas=-v", "-c", f"{name}.cu"],
                cwd=self.folder, capture_output=True, text=True, check=False)
            self.assertEqual(result.returncode, 0, result.stderr)
            registers = re.findall(rf"function '{name}_kernel_(\d+)'.*?Used (\d+) registers",
                                   result.stderr, re.DOTALL)
            kernels += len(registers)
            if is_same:
                shown = self.succeed("show", workload, *H100, "--as", "ir")
                own = re.findall(r"// kernel_(\d+): (\d+) registers", shown)
                # One release, two programs: of unrolled loops they keep more or fewer addresses in registers.
                for (kernel, ours), (same, theirs) in zip(sorted(registers), sorted(own), strict=True):
                    self.assertEqual(kernel, same, workload)
                    self.assertAlmostEqual(int(ours), int(theirs), delta=0.12 * int(theirs), msg=workload)
            subprocess.run(["gcc", "-std=c99", "-Wall", "-c", "-x", "c", "-include", f"{name}.h",
                            "/dev/null", "-o", f"{name}.o"], cwd=self.folder, check=True)
        print(f"nvcc {release}: {kernels} kernels, registers {'as' if is_same else 'not compared with'} NVRTC's")
        self.assertGreaterEqual(kernels, len(EXPORTED))


if __name__ == "__main__":
    unittest.main()
