"""Exported kernels, called from NumPy as a C user would, against NumPy's own answer."""
import ctypes
import os
import pathlib
import subprocess
import sys
import threading
import unittest

import numpy as np

from harness import PROGRAM, ROOT, ProgramTest, need_success

sys.path.insert(0, str(ROOT / "experiments/bench"))
from exported_kernel import ExportedKernel  # noqa: E402

LINEAR = """
input X[24, 40]
weight W[40, 56]
input bias[56]
Y[i:24, j:56] = sum(k:40) X[i, k] * W[k, j]
Z[i:24, j:56] = max(Y[i, j] + bias[j], 0)
"""
SOFTMAX = """
input X[12, 33]
M[i:12] = max(j:33) X[i, j]
E[i:12, j:33] = exp(X[i, j] - M[i])
S[i:12] = sum(j:33) E[i, j]
P[i:12, j:33] = E[i, j] / S[i]
"""
INTEGERS = """
input A[16, 20]: i8
input B[20, 24]: i8
C[i:16, j:24] = sum(k:20) i32(A[i, k]) * i32(B[k, j])
"""
TWO_OUTPUTS = """
input X[10, 30]: f64
Q[i:10, j:30] = X[i, j] * X[i, j]
R[i:10] = sum(j:30) Q[i, j]
output R
output Q
"""


PROGRAMS = {"linear": LINEAR, "softmax": SOFTMAX, "integers": INTEGERS, "outputs": TWO_OUTPUTS}
BRIEF = ("--protocol", "cpu1(seconds=0.2)")


class Library:
    """An exported kernel with its weights packed where it asks for that."""

    def __init__(self, prefix):
        self.library = ctypes.CDLL(f"{prefix}.so")
        self.name = pathlib.Path(prefix).name

    def bind(self, inputs):
        """Pointers to the inputs (name to array), packed where the kernel wants it."""
        self.keep, self.arguments = [], []
        for name, array in inputs.items():
            array = np.ascontiguousarray(array)
            self.keep.append(array)
            self.arguments.append(self._pack(name, array))
        return self

    def _pack(self, name, array):
        plain = ctypes.c_void_p(array.ctypes.data)
        if not hasattr(self.library, f"{self.name}_pack_{name}"):
            return plain
        size = getattr(self.library, f"{self.name}_packed_{name}_bytes")
        size.restype, size.argtypes = ctypes.c_size_t, []
        memory = np.zeros(size() + 64, np.uint8)
        self.keep.append(memory)
        packed = ctypes.c_void_p(memory.ctypes.data + (-memory.ctypes.data) % 64)
        assert getattr(self.library, f"{self.name}_pack_{name}")(plain, packed) == 0
        return packed

    def __call__(self, *outputs):
        pointers = [ctypes.c_void_p(o.ctypes.data) for o in outputs]
        return getattr(self.library, self.name)(*self.arguments, *pointers)


class ExportTest(ProgramTest):
    kept = {}  # by `tuned`, for each target

    def tuned(self, programs, target):
        """A store with six trials of each, made once, and what came of these."""
        if target not in ExportTest.kept:
            for name in programs:
                self.write(f"{name}.dag", PROGRAMS[name])
            self.write("all.net", "".join(f"1 {name}.dag\n" for name in programs))
            result = self.run_program("tune", "all.net", "--trials", 6 * len(programs), "--seed", 1,
                                      "--target", target, *BRIEF, "--json")
            events = self.parse(result.stdout)
            names = {e["task"]: e["workload"] for e in events if e["event"] == "start"}
            outcomes = {name: [e["outcome"] for e in events if e["event"] == "trial"
                               and names[e["task"]] == name] for name in names.values()}
            need_success(self, sum(outcomes.values(), []))
            self.assertEqual(result.returncode, 0, result.stderr)
            store = self.folder / "schedulegym.db"
            ExportTest.kept[target] = store.read_bytes(), outcomes
        return ExportTest.kept[target]

    def export(self, name, cores=1):
        """The library of a tuned program."""
        target = f"llvm(cores={cores})"
        store, outcomes = self.tuned(PROGRAMS if cores == 1 else ["linear"], target)
        need_success(self, outcomes[f"{name}.dag"])
        (self.folder / "schedulegym.db").write_bytes(store)
        dag = self.write(f"{name}.dag", PROGRAMS[name])
        self.succeed("export", dag, "-o", "kernel", "--target", target)
        return Library(self.folder / "kernel")

    def expect(self, kernel, *wanted):
        outputs = [np.full(w.shape, 77, w.dtype) for w in wanted]
        self.assertEqual(kernel(*outputs), 0)
        for output, want in zip(outputs, wanted):
            if want.dtype.kind == "i":
                np.testing.assert_array_equal(output, want)
            else:
                np.testing.assert_allclose(output, want, rtol=2e-5, atol=1e-5)

    def linear(self):
        rng = np.random.default_rng(1)
        shapes = {"X": (24, 40), "W": (40, 56), "bias": (56,)}
        inputs = {n: rng.standard_normal(s).astype(np.float32) for n, s in shapes.items()}
        exact = {n: a.astype(np.float64) for n, a in inputs.items()}
        want = np.maximum(exact["X"] @ exact["W"] + exact["bias"], 0).astype(np.float32)
        return inputs, want

    def test_linear_layer(self):
        inputs, want = self.linear()
        self.expect(self.export("linear").bind(inputs), want)

    def test_a_packed_weight(self):
        inputs, want = self.linear()
        dag = self.write("program.dag", LINEAR)
        # The layout of W becomes panels of 8 columns, 40 rows each.
        trace = self.write("pack.trace", "trace 1\npack(stage=W, readers=[Y], tile=[1, 8], "
                                         "order=[1, 0, 2])\n")
        self.succeed("export", dag, "--trace", trace, "-o", "kernel")
        kernel = Library(self.folder / "kernel")
        self.assertTrue(hasattr(kernel.library, "kernel_pack_W"))
        self.assertFalse(hasattr(kernel.library, "kernel_pack_X"))
        self.expect(kernel.bind(inputs), want)

    def test_the_benches_kernels_pack_and_call_alike(self):
        inputs, want = self.linear()
        dag = self.write("program.dag", LINEAR)
        trace = self.write("pack.trace", "trace 1\npack(stage=W, readers=[Y], tile=[1, 8], "
                                         "order=[1, 0, 2])\n")
        self.succeed("export", dag, "--trace", trace, "-o", "kernel")
        kernel = ExportedKernel(self.folder / "kernel", inputs, want.shape)
        kernel()
        np.testing.assert_allclose(kernel.output, want, rtol=2e-5, atol=1e-5)
        self.assertEqual(kernel.output.ctypes.data % 64, 0)

    def test_softmax(self):
        x = np.random.default_rng(2).standard_normal((12, 33)).astype(np.float32)
        e = np.exp(x.astype(np.float64) - x.max(1, keepdims=True))
        want = (e / e.sum(1, keepdims=True)).astype(np.float32)
        self.expect(self.export("softmax").bind({"X": x}), want)

    def test_integers_to_the_bit(self):
        rng = np.random.default_rng(3)
        a = rng.integers(-128, 128, (16, 20), np.int8)
        b = rng.integers(-128, 128, (20, 24), np.int8)
        want = a.astype(np.int32) @ b.astype(np.int32)
        self.expect(self.export("integers").bind({"A": a, "B": b}), want)

    def test_outputs_come_in_the_order_of_their_lines(self):
        x = np.random.default_rng(4).standard_normal((10, 30))
        self.expect(self.export("outputs").bind({"X": x}), (x * x).sum(1), x * x)

    def test_several_threads_may_call(self):
        inputs, want = self.linear()
        kernel = self.export("linear", cores=2).bind(inputs)
        outputs = [np.empty_like(want) for _ in range(4)]
        threads = [threading.Thread(target=lambda o=o: [kernel(o) for _ in range(20)])
                   for o in outputs]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for output in outputs:
            np.testing.assert_allclose(output, want, rtol=2e-5, atol=1e-5)

    def test_the_header_and_the_object_serve_a_c_program(self):
        dag = self.write("program.dag", LINEAR)
        self.succeed("export", dag, "--trace", self.write("naive.trace", "trace 1\n"), "-o", "kernel")
        # Sums of 40 ones, plus a bias.
        self.write("main.c", """
            #include "kernel.h"
            float x[24 * 40], w[40 * 56], bias[56], z[24 * 56];
            int main(void) {
              for (int i = 0; i < 24 * 40; ++i) x[i] = 1;
              for (int i = 0; i < 40 * 56; ++i) w[i] = 1;
              bias[3] = 2;
              if (kernel(x, w, bias, z) != 0) return 1;
              return z[0] == 40 && z[3] == 42 && z[24 * 56 - 1] == 40 ? 0 : 2;
            }
            """)
        subprocess.run(["cc", "-Wall", "-Werror", "-std=c99", "main.c", "kernel.o", "-o", "main",
                        "-fopenmp", "-lm"], check=True, cwd=self.folder)
        subprocess.run([self.folder / "main"], check=True)

    def test_objects_of_two_kernels_serve_one_program(self):
        dag = self.write("program.dag", LINEAR)
        trace = self.write("split.trace", "trace 1\nparallel(stage=Z, loop=0)\n")
        for name in ("first", "second"):
            self.succeed("export", dag, "--trace", trace, "--target", "llvm(cores=2)", "-o", name)
        # Sums of 40 ones, minus a bias where that is larger.
        self.write("main.c", """
            #include "first.h"
            #include "second.h"
            float x[24 * 40], w[40 * 56], bias[56], z[24 * 56], y[24 * 56];
            int main(void) {
              for (int i = 0; i < 24 * 40; ++i) x[i] = 1;
              for (int i = 0; i < 40 * 56; ++i) w[i] = 1;
              bias[3] = -50;
              if (first(x, w, bias, z) != 0 || second(x, w, bias, y) != 0) return 1;
              for (int i = 0; i < 24 * 56; ++i) {
                if (z[i] != (i % 56 == 3 ? 0 : 40) || y[i] != z[i]) return 2;
              }
              return 0;
            }
            """)
        subprocess.run(["cc", "-Wall", "-Werror", "-std=c99", "main.c", "first.o", "second.o", "-o",
                        "main", "-pthread", "-lm"], check=True, cwd=self.folder)
        subprocess.run([self.folder / "main"], check=True)

    def test_the_library_needs_only_what_every_system_has(self):
        self.export("linear", cores=2)
        text = subprocess.run(["readelf", "-d", "kernel.so"], capture_output=True, text=True,
                              check=True, cwd=self.folder).stdout
        needed = {line.split("[")[1].split("]")[0].split(".")[0]
                  for line in text.splitlines() if "NEEDED" in line}
        self.assertLessEqual(needed, {"libc", "libm", "libmvec", "libpthread", "libgomp"})

    def test_a_trace_and_one_core(self):
        inputs, want = self.linear()
        self.write("program.dag", LINEAR)
        self.write("naive.trace", "trace 1\n")
        self.succeed("export", "program.dag", "--trace", "naive.trace", "--target", "llvm(cores=1)",
                     "-o", "naive")
        self.expect(Library(self.folder / "naive").bind(inputs), want)
        self.assertEqual(sorted(p.name for p in self.folder.glob("naive.*")),
                         ["naive.h", "naive.o", "naive.so", "naive.trace"])

    def test_the_benchmark_among_strangers_tells_each_workload(self):
        self.need_llvm()
        script = ROOT / "experiments/bench/among_strangers.py"
        words = ["--rounds", "1", "--calls", "20", "--pauses", "1", "--trials", "1", "--before", PROGRAM]
        result = subprocess.run([sys.executable, script, *words, "--only", "norm(b=2,n=64,m=64)"],
                                capture_output=True, text=True, cwd=self.folder,
                                env={**os.environ, "SCHEDULEGYM_PROGRAM": PROGRAM})
        self.assertEqual(result.returncode, 0, result.stderr)
        calls, pauses = (table.splitlines()[2:] for table in result.stdout.split("\n\n"))
        self.assertEqual([len(calls), len(pauses)], [1, 6])
        for row in calls:
            self.assertRegex(row, r"^\| `\w+\(.*\)` \|( \d+\.\d \|){2}"
                                  r"( \d+\.\d\d \[\d+\.\d\d, \d+\.\d\d\] \|){3}"
                                  r" \d\.\d\d\d \[\d\.\d\d\d, \d\.\d\d\d\] \|$")
        for row in pauses:
            self.assertRegex(row, r"^\| `\w+\(.*\)` \| (alone|beside|one thread) \| (15|100) ms \|"
                                  r" \d+\.\d \| (\d+, ){8}\d+ \|( \d+\.\d\d \|){2}$")

    def test_the_benchmark_of_exported_calls_compares_both_sides(self):
        self.need_llvm()
        script = ROOT / "experiments/bench/exported_calls.py"
        result = subprocess.run([sys.executable, script, "--size", "16", "--rounds", "1",
                                 "--trials", "2", "--target", "llvm(cores=1)"],
                                capture_output=True, text=True, cwd=self.folder,
                                env={**os.environ, "SCHEDULEGYM_PROGRAM": PROGRAM})
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout.splitlines()[-1], r"called over measured \d+\.\d{3} ")


if __name__ == "__main__":
    unittest.main()
