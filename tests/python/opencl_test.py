"""The target opencl by the command: text needs no driver; where one is installed, a search runs."""
import math
import os
import pathlib
import subprocess
import unittest
import unittest.mock

from harness import NOISE, PackageTest, ProgramTest, need_success, schedulegym as sg

if sg is not None:
    import gymnasium

SMALL = "matmul(m=8,n=8,k=8)"
CPU_TRACE = "trace 1\nsplit(stage=C, loop=0, lengths=[4])\nreorder(stage=C, order=[2, 0, 1, 3])\n"
# A driver of two devices, the first of a simulator; neither has doubles. Nothing runs on them.
STAND_IN = r"""
#include <stdint.h>
#include <stdio.h>
#include <string.h>
static int text(const char *value, size_t size, void *out, size_t *needed) {
  if (needed) *needed = strlen(value) + 1;
  if (out) snprintf(out, size, "%s", value);
  return 0;
}
static int list(unsigned room, void **out, unsigned *count, unsigned all) {
  for (unsigned i = 0; out && i < room && i < all; ++i) out[i] = (void *)(intptr_t)(i + 1);
  if (count) *count = all;
  return 0;
}
int clGetPlatformIDs(unsigned room, void **out, unsigned *count) { return list(room, out, count, 2); }
int clGetPlatformInfo(void *platform, unsigned what, size_t size, void *out, size_t *needed) {
  return text(platform == (void *)1 ? "Oclgrind" : "Stand-in", size, out, needed);
}
int clGetDeviceIDs(void *platform, uint64_t type, unsigned room, void **out, unsigned *count) {
  if (out) out[0] = platform;
  if (count) *count = 1;
  return 0;
}
int clGetDeviceInfo(void *device, unsigned what, size_t size, void *out, size_t *needed) {
  switch (what) {
    case 0x102B: return text(device == (void *)1 ? "A simulator" : "Stand-in GPU", size, out, needed);
    case 0x102D: case 0x102F: return text("1", size, out, needed);
    case 0x1030: return text("cl_khr_byte_addressable_store", size, out, needed);
    case 0x1032: memset(out, 0, size); return 0;
  }
  if (!out || size > 8) return -30;
  uint64_t value = what == 0x101F ? 1 << 30 : what == 0x1010 ? 1 << 20 : 256;
  memcpy(out, &value, size);
  return 0;
}
"""
# What else the library must have.
UNUSED = """CreateContext ReleaseContext CreateCommandQueue ReleaseCommandQueue CreateBuffer CreateSubBuffer
ReleaseMemObject CreateProgramWithSource BuildProgram GetProgramBuildInfo ReleaseProgram CreateKernel
ReleaseKernel SetKernelArg EnqueueNDRangeKernel EnqueueReadBuffer EnqueueWriteBuffer Finish"""
VENDORS = pathlib.Path("/etc/OpenCL/vendors")
OCLGRIND = pathlib.Path("/usr/lib/oclgrind/liboclgrind-rt-icd.so")


class OpenClTest(ProgramTest):
    def test_source_has_a_kernel_for_each_stage(self):
        text = self.succeed("show", "softmax(m=8,n=16)", "--target", "opencl", "--as", "source")
        self.assertEqual(text.count("__kernel"), 3)

    def test_export_writes_text_and_launches(self):
        self.succeed("export", "matmul(m=8,n=8,k=8)", "--target", "opencl", "--reference", "-o", "mm")
        self.assertIn("__kernel", (self.folder / "mm.cl").read_text())
        self.assertIn('{"kernel_0", {64, 1, 1}, {64, 1, 1}, 3, {0, 1, 2}}',
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
        for words, expected in (
                (("--target", "cuda(card=tpu)"), "unknown card 'tpu'"),
                (("--target", "opencl", "--measure", "analytical"), "no formula"),
                (("--target", "opencl(memory=100)"), "tensor 'A' needs 256.0 bytes, more than the device's"),
                (("--target", "opencl(features=f16)"), "key 'features' is 'f16', expected no_f64")):
            self.assertIn(expected, self.refused(2, "tune", SMALL, "--trials", "2", *words))
        self.assertIn("'A' needs f64, which the device 'generic' lacks", self.refused(
            2, "show", "matmul(m=8,n=8,k=8,dtype=f64)", "--target", "opencl(arch=x,features=no_f64)"))

    def test_kernels_are_not_compared_with_those_of_processors(self):
        result = self.run_program("bench", "matmul(m=8,n=8,k=8)", "--target", "opencl(arch=x)",
                                  "--trials", "2", "--store", "none.db")
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn("found 'opencl', of which bench compares no kernels, expected llvm", result.stderr)
        self.assertFalse((self.folder / "none.db").exists())

    def test_without_a_driver_there_is_text_alone(self):
        self.use(OCL_ICD_VENDORS=self.folder)
        for words in ((), ("--space", "schedulegym")):
            line = self.refused(3, "tune", SMALL, "--target", "opencl", "--trials", "2", *words)
            self.assertIn("no OpenCL device: expected a driver", line)
            self.assertIn("pocl-opencl-icd", line)
        self.assertFalse(self.opencl()["ready"])
        self.assertIn("__kernel", self.succeed("show", SMALL, "--target", "opencl", "--as", "source"))

    def test_spaces_and_devices_are_named(self):
        self.use_stand_in()
        result = self.run_program("tune", SMALL, "--target", "opencl", "--trials", "2", "--space",
                                  "schedulegym")
        self.assertEqual(result.returncode, 2, result.stdout)
        self.assertIn("error: space schedulegym: it has no rules for target opencl", result.stderr)
        self.assertIn("device: found 'nowhere', expected a part of 'Stand-in GPU' or 'A simulator'",
                      self.refused(2, "tune", SMALL, "--target", "opencl(device=nowhere)", "--trials", "2"))

    def test_models_that_cannot_rank_are_refused(self):
        self.use_stand_in()
        for agent, expected in (
                ("es(model=analytical)", "model analytical on target 'opencl': key 'bandwidth' is missing"),
                ("ansor(draft=estimate)", "draft=estimate on target 'opencl': key 'bandwidth' is missing"),
                ("beam(model=tuna)", "model tuna on target 'opencl': its terms are of a processor")):
            result = self.run_program("tune", SMALL, "--target", "opencl", "--trials", "2", "--agent", agent)
            self.assertEqual(result.returncode, 2, result.stdout)
            self.assertIn(expected, result.stderr)

    def test_doubles_that_a_driver_lacks_are_refused(self):
        self.use_stand_in()
        for command in ("show", "tune"):
            line = self.refused(2, command, "matmul(m=8,n=8,k=8,dtype=f64)", "--target", "opencl")
            self.assertIn("'A' needs f64, which the device 'Stand-in GPU' lacks (no_f64)", line)

    def test_tensors_larger_than_a_buffer_of_the_device_are_refused(self):
        self.use_stand_in()
        # A MiB is the driver's most, of which the tensor's borders take 2 * 4096 bytes.
        for command in (("show",), ("tune", "--trials", "2"), ("export", "--reference", "-o", "mm")):
            self.assertIn("tensor 'A' needs 1.0 MiB, more than the 1016.0 KiB of a buffer of the device "
                          "'Stand-in GPU'",
                          self.refused(2, command[0], "matmul(m=512,n=512,k=512)", *command[1:], "--target",
                                       "opencl"))
        self.succeed("show", "matmul(m=512,n=512,k=504)", "--target", "opencl(features=no_f64)")

    def test_of_two_drivers_the_simulator_comes_last(self):
        self.use_stand_in()
        self.assertEqual(self.opencl()["devices"], "Stand-in GPU, A simulator")

    def test_of_the_installed_drivers_the_simulator_comes_last(self):
        files = sorted(VENDORS.glob("*.icd")) if VENDORS.is_dir() else []
        if not files or not OCLGRIND.exists():
            self.skipTest("no OpenCL driver, or no Oclgrind")
        for file in files:
            (self.folder / file.name).write_text(file.read_text())
        (self.folder / "a.icd").write_text(f"{OCLGRIND}\n")
        self.use(OCL_ICD_VENDORS=self.folder)
        devices = self.opencl()["devices"].split(", ")
        self.assertGreater(len(devices), 1)
        self.assertEqual([name for name in devices if "Oclgrind" in name], devices[-1:])

    def test_a_trace_for_processors(self):
        (self.folder / "cpu.trace").write_text(CPU_TRACE)
        small = ("matmul(m=8,n=8,k=8)", "--trace", "cpu.trace", "--target")
        for command in (("show", "--as", "source"), ("export", "-o", "mm")):
            result = self.run_program(command[0], *small, "opencl", *command[1:])
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn("a trace that binds no loop, so that one thread computes all: target opencl "
                          "expects bind(stage=..., thread=threadIdx.x)", result.stderr)
        self.assertIn("{1, 1, 1}, {1, 1, 1}", (self.folder / "mm.h").read_text())
        self.assertNotIn("binds no loop", self.run_program("show", *small, "interpreter").stderr)
        (self.folder / "cpu.trace").write_text("trace 1\nparallel(stage=C, loop=0)\n")
        self.assertIn("line 2: parallel: target opencl has no parallel loops, expected bind",
                      self.refused(2, "show", *small, "opencl"))

    def test_a_trace_for_a_gpu_on_a_processor(self):
        (self.folder / "gpu.trace").write_text("trace 1\nbind(stage=C, loop=0, thread=threadIdx.x)\n")
        for target in ("llvm", "interpreter"):
            self.assertIn(f"line 2: bind: target {target} has no threadIdx.x, expected target cuda or opencl",
                          self.refused(2, "show", SMALL, "--trace", "gpu.trace", "--target", target))

    def test_traces_beyond_a_limit_are_refused_by_every_door(self):
        for text, threads, limit in (
                ("bind(stage=C, loop=0, thread=threadIdx.x)", 32, "64 threads a block, expected at most 32"),
                ("bind(stage=C, loop=0, thread=vthread)", 64, "64 virtual threads a thread, expected at most 8"),
                ("split(stage=C, loop=1, lengths=[8])\nreorder(stage=C, order=[0, 1, 3, 2])\n"
                 "vectorize(stage=C, loop=3)", 64, "32 bytes a vector, expected at most 8"),
                ("bind(stage=C, loop=0, thread=blockIdx.x)\nbind(stage=C, loop=1, thread=threadIdx.x)\n"
                 "cache_read(stage=A, scope=shared, readers=[C])\ncompute_at(stage=A.shared, target=C, loop=0)",
                 64, "256 shared bytes a block, expected at most 128")):
            (self.folder / "wide.trace").write_text(f"trace 1\n{text}\n")
            target = f"opencl(arch=x,threads={threads},vthreads=8,vector=8,shared=128)"
            for command in (("show", "--as", "source"), ("show",), ("export", "-o", "wide"), ("replay",)):
                line = self.refused(2, command[0], "matmul(m=64,n=64,k=64)", *command[1:], "--target", target,
                                    "--trace", "wide.trace")
                self.assertIn(f"trace 'wide.trace' on target 'opencl': kernel_0 has {limit}", line)
            self.assertFalse((self.folder / "wide.cl").exists())

    def test_actions_are_those_of_processors(self):
        self.assertIn("construct has no rules for target opencl yet, expected llvm or interpreter",
                      self.refused(2, "show", SMALL, "--target", "opencl", "--as", "actions"))

    def use(self, **variables):
        changed = unittest.mock.patch.dict(os.environ, {name: str(value) for name, value in variables.items()})
        changed.start()
        self.addCleanup(changed.stop)

    def use_stand_in(self):
        """A library of drivers in the place of the system's."""
        folder = self.folder / "library"
        folder.mkdir()
        stubs = "".join(f"int cl{name}(void) {{ return -30; }}\n" for name in UNUSED.split())
        (folder / "opencl.c").write_text(STAND_IN + stubs)
        subprocess.run(["gcc", "-shared", "-fPIC", "-o", "libOpenCL.so.1", "opencl.c"], cwd=folder, check=True)
        self.use(LD_LIBRARY_PATH=folder)

    def opencl(self):
        return next(event for event in self.events("doctor") if event["name"] == "backend opencl")

    def test_a_search_verifies_and_times_each_trial(self):
        if not self.opencl()["ready"]:
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


    def every_trial_is_right(self, workload):
        if not self.opencl()["ready"]:
            self.skipTest("no OpenCL driver")
        events = self.events("tune", workload, "--target", "opencl", "--trials", "4", "--protocol",
                             "cpu1(seconds=0.05)")
        outcomes = [event["outcome"] for event in events if event.get("event") == "trial"]
        need_success(self, outcomes)
        self.assertEqual(len(outcomes), 4)
        self.assertLessEqual(set(outcomes), {"ok", *NOISE})
        done = next(event for event in events if event.get("event") == "done")
        self.assertTrue(done["best"]["verified"], done)

    def test_a_convolution_with_batch_norm_is_searched(self):
        self.every_trial_is_right("conv_layer(h=4,w=4,ci=4,co=8,k=3,p=1)")

    def test_a_softmax_is_searched(self):
        self.every_trial_is_right("softmax(n=16,m=96)")


class GpuEnvironmentsTest(PackageTest):
    def test_modify_measures_on_a_device(self):
        try:
            env = gymnasium.make("ScheduleGym/Modify-v1", workload=SMALL, target="opencl", space="ansor",
                                 measure="host", protocol="cpu1(seconds=0.05)")
        except sg.MachineError as lack:
            self.skipTest(str(lack))
        self.addCleanup(env.close)
        _, info = env.reset(seed=1)
        env.step(next(action for action, legal in enumerate(info["action_mask"]) if legal and action))
        _, reward, terminated, _, info = env.step(0)
        self.assertTrue(terminated)
        need_success(self, [info["outcome"]])
        self.assertTrue(math.isfinite(reward))

    def test_construct_has_no_actions_for_gpus(self):
        for name, options in (("ConstructModel-v1", {"target": "cuda(card=a100)", "model": "analytical"}),
                              ("Construct-v0", {"target": "opencl(arch=x)"})):
            self.refused(ValueError, "the actions 'construct' have no column yet, expected llvm", gymnasium.make,
                         f"ScheduleGym/{name}", workload=SMALL, **options)


if __name__ == "__main__":
    unittest.main()
