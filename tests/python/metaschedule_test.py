"""The script that times MetaSchedule beside ours, as far as it goes without Apache TVM."""
import ast
import contextlib
import io
import json
import os
import pathlib
import random
import sys
import unittest

from harness import ROOT
from peer_script import PeerScriptTest

BENCH = ROOT / "experiments/bench"
sys.path.insert(0, str(BENCH))
import host_flags  # noqa: E402
import interleaved  # noqa: E402
import metaschedule_peer  # noqa: E402

SCRIPT = BENCH / "metaschedule_peer.py"
MATMUL = "matmul(m=8,n=8,k=8)"


class ScriptTest(PeerScriptTest):
    __test__ = True
    SCRIPT = SCRIPT
    OPTIONS = ("--trials", "--agent", "--space", "--target", "--store", "--work-dir", "--rounds", "--seed",
               "--environment", "--json")

    def test_help_needs_no_environment(self):
        self.check_help()

    def test_wrong_input_is_one_line(self):
        for words, expected in [
            (["softmax(n=4,m=4)"], "is not supported beside MetaSchedule"),
            (["my.dag"], "expected matmul or conv2d"),
            (["matmul(m=8,n=8)"], "k missing"),
            (["matmul(m=8,n=8,k=8,dtype=f64)"], "found 'dtype=f64'"),
            (["matmul(m=8,n=8,k=-1)"], "found 'k=-1'"),
            ([MATMUL, "--trials", "0"], "--trials: found '0'"),
            ([MATMUL, "--rounds", "-1"], "--rounds: found '-1'"),
            ([MATMUL, "--target", "cuda"], "expected llvm or llvm(cores=N)"),
            ([MATMUL, "--trails", "3"], "--trails"),
            ([], "WORKLOAD"),
        ]:
            with self.subTest(words=words):
                place = self.folder / "none"
                self.assertIn(expected, self.refusal(2, *words, "--environment", place))
                self.assertFalse(place.exists())

    def test_without_a_package_index_it_says_so(self):
        line = self.refusal(3, MATMUL, "--environment", self.folder / "venv",
                            PIP_INDEX_URL="http://127.0.0.1:9/simple", PIP_RETRIES="0",
                            PIP_NO_CACHE_DIR="1", PIP_CONFIG_FILE=os.devnull)
        self.assertIn("cannot make the environment of Apache TVM", line)
        self.assertIn("a package index", line)

    def test_what_runs_beside_tvm_can_be_compiled(self):
        ast.parse((BENCH / "metaschedule_tuning.py").read_text())

    def test_the_list_of_packages_pins_what_is_known_to_work(self):
        lines = (BENCH / "metaschedule-requirements.txt").read_text().splitlines()
        pinned = dict(line.split("==") for line in lines if "==" in line)
        self.assertEqual(pinned["apache-tvm"], "0.27.0.post1")
        self.assertEqual(pinned["apache-tvm-ffi"], "0.1.14.post0")


class WorkloadTest(unittest.TestCase):
    def test_keys_and_their_defaults(self):
        self.assertEqual(metaschedule_peer.parse_workload("matmul(m=2, n=3,k=4)"),
                         ("matmul", {"b": 1, "m": 2, "n": 3, "k": 4}))
        operator, keys = metaschedule_peer.parse_workload("conv2d(h=5,w=6,ci=7,co=8,k=3,p=1)")
        self.assertEqual(operator, "conv2d")
        self.assertEqual((keys["s"], keys["p"], keys["groups"]), (1, 1, 1))

    def test_shapes(self):
        def shapes(text):
            return metaschedule_peer.shapes_of(*metaschedule_peer.parse_workload(text))

        self.assertEqual(shapes("matmul(m=2,n=3,k=4)"), ({"A": (2, 4), "B": (4, 3)}, (2, 3)))
        self.assertEqual(shapes("matmul(b=5,m=2,n=3,k=4)"),
                         ({"A": (5, 2, 4), "B": (5, 4, 3)}, (5, 2, 3)))
        # Three taps, two apart, reach over five of 9 + 2 pixels: seven places, every other one.
        self.assertEqual(
            shapes("conv2d(n=2,h=9,w=9,ci=8,co=6,k=3,s=2,p=1,dilation=2,groups=2)"),
            ({"X": (2, 9, 9, 8), "W": (3, 3, 4, 6)}, (2, 4, 4, 6)))

    def test_cores(self):
        self.assertEqual(metaschedule_peer.cores_of("llvm(cores=3)"), 3)
        self.assertEqual(metaschedule_peer.cores_of("llvm"), len(os.sched_getaffinity(0)))
        for wrong in ("llvm(cores=0)", "llvm(cpu=skylake)", "interpreter"):
            with self.subTest(target=wrong), self.assertRaises(SystemExit), \
                    contextlib.redirect_stderr(io.StringIO()):
                metaschedule_peer.cores_of(wrong)


class HostFlagsTest(unittest.TestCase):
    def test_the_first_cpus_flags(self):
        text = "processor\t: 0\nflags\t\t: fpu avx2\n\nprocessor\t: 1\nflags\t\t: fpu\n"
        self.assertEqual(host_flags.cpu_flags(text), ["fpu", "avx2"])
        self.assertEqual(host_flags.cpu_flags("Features: neon\n"), [])

    def test_what_the_host_hides(self):
        features = {"avx2", "avx512f", "avx512vnni", "amx-bf16", "gfni", "sse4.2", "64bit"}
        flags = ["avx2", "avx512_vnni", "amx_bf16"]
        self.assertEqual(host_flags.hidden_features(features, flags), ["avx512f", "gfni"])
        self.assertEqual(host_flags.hidden_features(features, [*flags, "avx512f", "gfni"]), [])


class InterleavedTest(unittest.TestCase):
    def test_the_interval_of_a_median(self):
        # At most 18 of 51 fair coins fall so with a chance of 0.0245, 4 of 17 with 0.0245 as well.
        values = list(range(1, 18))
        random.Random(1).shuffle(values)
        self.assertEqual(interleaved.median_interval(values), (9, 5, 13))
        self.assertEqual(interleaved.median_interval(range(1, 52)), (26, 19, 33))
        self.assertEqual(interleaved.median_interval([3, 1, 2]), (2, 1, 3))
        self.assertEqual(interleaved.median_interval([7]), (7, 7, 7))

    def test_a_sample_leaves_out_its_first_call(self):
        now = [0.0]
        durations = iter([100.0] + [0.25] * 10)

        def function():
            now[0] += next(durations)

        seconds, share = interleaved.sample(function, 1.0, clock=lambda: now[0],
                                            cpu=lambda: 2 * now[0])
        self.assertEqual((seconds, share), (0.25, 2.0))

    def test_a_contest_finds_the_faster_one(self):
        def wait(count):
            return lambda: sum(range(count))

        result = interleaved.run_interleaved(wait(10_000), wait(100_000), 7, 0.002, random.Random(0),
                                     sleep=lambda seconds: None)
        self.assertEqual(len(result.ours.samples), 7)
        self.assertGreater(result.ratio.median, 1)  # by far, also where others take the cores
        self.assertLess(result.ours.seconds, result.theirs.seconds)

    def held(self, *shares):
        """Results whose sides kept so many cores busy, one after the other."""
        results = [interleaved.InterleavedResult(interleaved.Side(1, [], 2), interleaved.Side(1, [], share), None)
                   for share in shares]
        return results, iter(results).__next__

    def test_it_is_held_again_without_the_cores(self):
        results, hold = self.held(1.0, 1.5, 1.9, 2.0)
        result = interleaved.with_cores(hold, 2)
        self.assertIs(result, results[2])
        self.assertFalse(result.is_short(2))

    def test_and_then_the_best_attempt_counts(self):
        results, hold = self.held(1.0, 1.5, 1.2)
        result = interleaved.with_cores(hold, 2, attempts=3)
        self.assertIs(result, results[1])
        self.assertTrue(result.is_short(2))


class RowTest(unittest.TestCase):
    def row(self, difference=1e-7):
        ours = interleaved.Side(0.5, [], 1.0)
        theirs = interleaved.Side(1.0, [], 0.5)
        result = interleaved.InterleavedResult(ours, theirs, interleaved.Interval(2.0, 1.5, 2.5))
        own = {"workload": MATMUL, "gflops": 8.0, "seconds": 0.25, "origin": "record 1f",
               "group": "matmul", "trials": 16, "search_seconds": 3.0, "trials_per_second": 5.0,
               "grade": "B"}

        class Tuned:
            trials, seconds = 16, None

        return metaschedule_peer.row_fields(own, result, Tuned, 1, difference)

    def test_a_row_has_both_sides(self):
        row = self.row()
        self.assertEqual(row["peers"], {"metaschedule": 1.0})
        self.assertEqual((row["seconds"], row["gflops"]), (0.5, 4.0))  # of 2 GFLOP
        self.assertEqual((row["ratio"], row["ratio_low"], row["ratio_high"]), (2.0, 1.5, 2.5))
        self.assertTrue(row["short_of_cores"])
        self.assertIsNone(row["failure"])
        text = metaschedule_peer.row_text(row)
        self.assertIn("= 4.0 GFLOP/s (16 trials in 3 s)", text)
        self.assertIn("= 2.0 GFLOP/s (16 trials in an earlier run)", text)
        self.assertIn("ratio 2.000 [1.500, 2.500]", text)
        self.assertIn("cores were busy", text)

    def test_the_layout_is_plain(self):
        row = self.row()
        self.assertEqual((row["ratio_plain"], row["ratio_plain_low"]), (2.0, 1.5))
        self.assertEqual(row["plain_peers"], row["peers"])

    def test_a_summary_as_that_of_bench(self):
        rows = [self.row(), {**self.row(), "ratio": 0.5, "workload": "conv2d(...)",
                             "group": "conv2d", "trials_per_second": 2.0}]
        summary = metaschedule_peer.summary_fields(rows, 100.0, 5.0, "a machine")
        self.assertEqual((summary["rows"], summary["failures"]), (2, 0))
        self.assertAlmostEqual(summary["geomean_ratio"], 1.0)
        self.assertEqual(summary["worst"], {"workload": "conv2d(...)", "ratio": 0.5})
        self.assertEqual(summary["groups"]["matmul"]["geomean_ratio"], 2.0)
        self.assertEqual(summary["trials_per_second"], 3.5)
        own = pathlib.Path(__file__).with_name("bench_sample.jsonl").read_text().splitlines()
        for ours, theirs in ((rows[0], json.loads(own[0])), (summary, json.loads(own[-1]))):
            self.assertLessEqual(set(theirs), set(ours), "what `bench` prints")

    def test_another_result_is_a_failure(self):
        row = self.row(difference=0.25)
        self.assertEqual(row["failure"], "results differ by 2.5e-01 of the largest value")
        self.assertIn("failed: results differ", metaschedule_peer.row_text(row))


if __name__ == "__main__":
    unittest.main()
