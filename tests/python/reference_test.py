"""What a search ends with, and what serves as its best, where it finds nothing faster than the
reference schedule.
"""
import json
import pickle
import subprocess
import unittest

import numpy as np

from harness import PROGRAM, PackageTest, need_success, schedulegym as sg

MATMUL = "matmul(m=64,n=64,k=64)"
ONE = "llvm(cores=1)"
BRIEF = ("--protocol", "cpu1(seconds=0.2)")


class Naive(sg.Agent if sg else object):
    """Proposes the naive program, which is many times slower than the reference."""

    def propose(self, task, count):
        return [sg.ScheduleState.initial(task)]

    def learn(self, records):
        pass


class ReferenceTest(PackageTest):
    kept = None  # the result of the search that all begin with, and its store

    def setUp(self):
        super().setUp()
        self.need_llvm()
        store = self.folder / "schedulegym.db"
        if ReferenceTest.kept is None:
            result = sg.tune(MATMUL, target=ONE, agent=Naive(), trials=4)
            need_success(self, [trial.outcome for trial in result.history])
            ReferenceTest.kept = result, store.read_bytes()
        self.result, content = ReferenceTest.kept
        store.write_bytes(content)
        self.reference = sg.reference_schedule(sg.Task(MATMUL, ONE))

    def events(self, *words):
        result = subprocess.run([PROGRAM, *words, "--target", ONE, "--json"], capture_output=True,
                                text=True)
        events = [json.loads(line) for line in result.stdout.splitlines()]
        if result.returncode == 1 and events[-1].get("failed"):
            need_success(self, events[-1]["failed"])
        self.assertEqual(result.returncode, 0, result.stderr)
        return events

    def test_the_search_ends_with_it(self):
        result = self.result
        self.assertEqual(result.source, "reference")
        self.assertEqual(result.trace, self.reference.trace.text)
        self.assertEqual((result.ratio, result.ratio_low, result.ratio_high), (1, 1, 1))
        self.assertIsNone(result.record, "it was no candidate")
        found = min(trial.seconds for trial in result.history if trial.seconds)
        self.assertLess(result.seconds, found)
        self.assertAlmostEqual(result.gflops, result.task.dag.flops / result.seconds / 1e9)
        self.assertEqual(result.state(), self.reference)
        self.assertEqual(pickle.loads(pickle.dumps(result)), result)
        self.assertEqual(result.stopped, "trials")
        self.assertFalse(result.cut_short)

    def test_it_is_shown_exported_and_compiled(self):
        (shown,) = self.events("show", MATMUL, "--as", "trace")
        self.assertEqual((shown["source"], shown["text"]), ("reference", self.result.trace))
        exported = self.events("export", MATMUL, "-o", "kernel")
        self.assertEqual({item["source"] for item in exported}, {"reference"})
        kernel = sg.compile(MATMUL, target=ONE)
        self.assertEqual((kernel.state, kernel.source), (self.reference, "reference"))

    def test_it_is_timed_beside_the_libraries(self):
        row = self.events("bench", MATMUL, "--trials", "0", "--processes", "1", "--peers", "",
                          *BRIEF)[0]
        self.assertEqual(row["origin"], "reference")

    def test_a_record_is_still_what_it_is(self):
        with sg.RecordStore("schedulegym.db") as store:
            best = store.best(self.result.task)
        self.assertEqual(best.trace, "trace 1\n")
        for words in (("show", MATMUL, "--as", "trace"), ("export", MATMUL, "-o", "naive")):
            item = self.events(*words, "--record", best.id)[0]
            self.assertEqual(item["source"], "record")
        (replayed,) = self.events("replay", MATMUL, *BRIEF)
        self.assertEqual(replayed["best"]["record"], best.id)
        self.assertEqual(replayed["best"]["source"], "search")


class ExportReferenceTest(PackageTest):
    def setUp(self):
        super().setUp()
        self.need_llvm()

    def run_export(self, *words):
        return subprocess.run([PROGRAM, "export", MATMUL, "-o", "kernel", "--target", ONE, *words],
                              capture_output=True, text=True)

    def test_it_needs_no_store(self):
        self.assertEqual(self.run_export().returncode, 2, "nothing is known")
        self.assertIn("expected --trace, --record, --reference or a tuned store",
                      self.run_export().stderr)
        result = self.run_export("--reference", "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        items = [json.loads(line) for line in result.stdout.splitlines()]
        self.assertEqual([item["source"] for item in items], ["reference"] * 3)
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()),
                         ["kernel.h", "kernel.o", "kernel.so"])
        header = (self.folder / "kernel.h").read_text()
        trace = sg.reference_schedule(sg.Task(MATMUL, ONE)).trace.text
        (self.folder / "reference.trace").write_text(trace)
        item = json.loads(self.run_export("--trace", "reference.trace", "--json")
                          .stdout.splitlines()[0])
        self.assertEqual(item["source"], "trace")
        self.assertEqual((self.folder / "kernel.h").read_text(), header)

    def test_it_computes_the_product(self):
        rng = np.random.default_rng(2)
        a, b = (rng.standard_normal((64, 64)).astype(np.float32) for _ in range(2))
        kernel = sg.compile(sg.reference_schedule(sg.Task(MATMUL, ONE)))
        np.testing.assert_allclose(kernel(a, b), a @ b, rtol=2e-4, atol=1e-4)

    def test_it_is_one_schedule_of_several(self):
        (self.folder / "a.trace").write_text("trace 1\n")
        for words in (("--trace", "a.trace"), ("--record", "0" * 32)):
            result = self.run_export("--reference", *words)
            self.assertEqual(result.returncode, 2)
            self.assertEqual(result.stderr, "error: --reference is given beside --trace or "
                                            "--record, expected one of them\n")


if __name__ == "__main__":
    unittest.main()
