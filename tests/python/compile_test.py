"""Compiled schedules, called with NumPy arrays."""
import re
import threading
import unittest

import numpy as np

from harness import PackageTest, need_success, schedulegym as sg

ONE = "llvm(cores=1)"
LINEAR = """
input X[24, 40]
weight W[40, 56]
input bias[56]
Y[i:24, j:56] = sum(k:40) X[i, k] * W[k, j]
Z[i:24, j:56] = max(Y[i, j] + bias[j], 0)
"""
PACKED = "trace 1\npack(stage=W, readers=[Y], tile=[1, 8], order=[1, 0, 2])\n"
TWO_OUTPUTS = """
input X[10, 30]: f64
Q[i:10, j:30] = X[i, j] * X[i, j]
R[i:10] = sum(j:30) Q[i, j]
output R
output Q
"""

class CompileTest(PackageTest):
    def setUp(self):
        super().setUp()
        self.need_llvm()
        rng = np.random.default_rng(1)
        self.x, self.w, self.bias = (rng.standard_normal(shape).astype(np.float32)
                                     for shape in ((24, 40), (40, 56), (56,)))
        self.want = np.maximum(self.x.astype(float) @ self.w + self.bias, 0)

    def expect(self, result):
        self.assertEqual(result.dtype, np.float32)
        np.testing.assert_allclose(result, self.want, rtol=2e-5, atol=1e-5)

    def test_the_best_of_a_store(self):
        result = sg.tune(LINEAR, target=ONE, trials=4, agent="random")
        need_success(self, [trial.outcome for trial in result.history])
        self.expect(sg.compile(LINEAR, target=ONE)(self.x, self.w, self.bias))
        with sg.RecordStore("schedulegym.db") as store:
            kernel = sg.compile(sg.ComputeDag(LINEAR), store=store, target=ONE)
            best = store.best(sg.Task(LINEAR, ONE))
        self.expect(kernel(self.x, self.w, self.bias))
        self.assertEqual(kernel.source, "search" if best.measurement.ratio >= 1 else "reference")
        self.assertEqual(sg.compile(LINEAR, best, target=ONE).source, "record")

    def test_every_kind_of_schedule(self):
        task = sg.Task(LINEAR, ONE)
        state = sg.reference_schedule(task)
        for kernel in (sg.compile(state), sg.compile(LINEAR, state, target=ONE),
                       sg.compile(task, state.trace), sg.compile(task, state.trace.text),
                       sg.compile(task, "trace 1\n")):
            self.expect(kernel(self.x, self.w, self.bias))
            self.assertEqual(kernel.source, "trace")

    # The sum is in float32 and rounded once; each other operation is rounded.
    def test_halves(self):
        halves = re.sub(r"((?:input|weight) .*\])", r"\1: f16", LINEAR)
        x, w, bias = (array.astype(np.float16) for array in (self.x, self.w, self.bias))
        state = sg.reference_schedule(sg.Task(halves, ONE))
        for trace in ("trace 1\n", state.trace.text):
            result = sg.compile(halves, trace, target=ONE)(x, w, bias)
            self.assertEqual(result.dtype, np.float16)
            want = np.maximum((x.astype(float) @ w.astype(float)).astype(np.float16) + bias, 0)
            np.testing.assert_allclose(result, want, rtol=2e-3, atol=2e-3)

    def test_weights_given_once(self):
        kernel = sg.compile(LINEAR, PACKED, target=ONE)
        self.expect(kernel(self.x, self.w, self.bias))
        for trace in (PACKED, "trace 1\n"):
            weights = self.w.copy()
            bound = sg.compile(LINEAR, trace, target=ONE).with_weights(W=weights)
            weights[:] = 0
            self.expect(bound(self.x, self.bias))
            self.assertEqual(bound.source, "trace")
        self.refused(ValueError, "unknown weight 'X'", kernel.with_weights, X=self.x)

    def test_outputs(self):
        x = np.random.default_rng(4).standard_normal((10, 30))
        kernel = sg.compile(TWO_OUTPUTS, "trace 1\n", target=ONE)
        sums, squares = kernel(x)
        np.testing.assert_allclose(sums, (x * x).sum(1))
        np.testing.assert_allclose(squares, x * x)
        given = (np.empty(10), np.empty((10, 30)))
        self.assertIs(kernel(x, out=given)[1], given[1])
        np.testing.assert_allclose(given[0], sums)
        for out in (given[0], (given[1], given[0]), (given[0], x), (given[0], given[1][::-1])):
            self.refused(ValueError, "found", kernel, x, out=out)

    def test_integers(self):
        text = ("input A[6, 5]: i8\ninput B[5, 7]: i8\n"
                "C[i:6, j:7] = sum(k:5) i32(A[i, k]) * i32(B[k, j])\n")
        rng = np.random.default_rng(3)
        a, b = (rng.integers(-128, 128, shape, np.int8) for shape in ((6, 5), (5, 7)))
        result = sg.compile(text, "trace 1\n", target=ONE)(a, b)
        np.testing.assert_array_equal(result, a.astype(np.int32) @ b.astype(np.int32))
        self.assertEqual(result.dtype, np.int32)

    def test_any_memory_will_do(self):
        kernel = sg.compile(LINEAR, "trace 1\n", target=ONE)
        odd = np.zeros(self.x.nbytes + 1, np.uint8)[1:].view(np.float32).reshape(self.x.shape)
        odd[:] = self.x
        self.expect(kernel(odd, np.asfortranarray(self.w), np.repeat(self.bias, 2)[::2]))

    def test_what_does_not_fit_is_refused(self):
        kernel = sg.compile(LINEAR, "trace 1\n", target=ONE)
        self.refused(ValueError, "found 2 arrays, expected 3: X float32", kernel, self.x, self.w)
        self.refused(ValueError, r"W: found float32\[40, 55\], expected float32\[40, 56\]",
                     kernel, self.x, self.w[:, :55], self.bias)
        self.refused(ValueError, "bias: found float64", kernel, self.x, self.w,
                     self.bias.astype(float))
        self.refused(ValueError, "does not exist", sg.compile, LINEAR, target=ONE)
        self.refused(ValueError, "no record", sg.compile, LINEAR, store=sg.RecordStore())
        self.refused(ValueError, "line 2", sg.compile, LINEAR, "trace 1\nnonsense(stage=Y)\n")
        self.refused(ValueError, "expected llvm", sg.compile, LINEAR, "trace 1\n",
                     target="interpreter")

    def test_threads_may_call_at_once(self):
        kernel = sg.compile(LINEAR, PACKED, target="llvm(cores=2)")
        results = []

        def call():
            results.extend(kernel(self.x, self.w, self.bias) for _ in range(20))

        threads = [threading.Thread(target=call) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(results), 80)
        for result in results:
            self.expect(result)


if __name__ == "__main__":
    unittest.main()
