"""The script that runs Kernel Tuner's Bayesian optimisation beside ours, as far as it goes without it."""
import os
import sys
import unittest

from harness import ROOT
from peer_script import PeerScriptTest

BENCH = ROOT / "experiments/bench"
sys.path.insert(0, str(BENCH))
import kernel_tuner_peer  # noqa: E402
import kernel_tuner_runs  # noqa: E402

SCRIPT = BENCH / "kernel_tuner_peer.py"
HEADER = {"kind": "knobs", "target": "llvm(cores=1)",
          "knobs": [{"name": "Y: unroll", "values": ["0", "16"]},
                    {"name": "Y: tile, length 1", "values": ["1", "4", "8"]}]}
# Point, trace, outcome, seconds, ratio with interval, cost.
ROWS = [[[0, 0], 0, [], "ok", 2e-3, 1, 1, 1, 0.5], [[1, 2], 0, [], "ok", 5e-4, 4, 4, 4, 0.25],
        [[1, 1], 0, [], "wrong result", 0, 0, 0, 0, 0.1]]


class CacheTest(unittest.TestCase):
    def setUp(self):
        self.cache = kernel_tuner_peer.cache_of(HEADER, ROWS)

    def test_parameters_are_positions_in_the_order_of_the_knobs(self):
        self.assertEqual(self.cache["tune_params_keys"], ["k0", "k1"])
        self.assertEqual(self.cache["tune_params"], {"k0": [0, 1], "k1": [0, 1, 2]})

    def test_a_row_is_an_entry_in_milliseconds(self):
        self.assertEqual([*self.cache["cache"]], ["0,0", "1,2", "1,1"])
        entry = self.cache["cache"]["1,2"]
        self.assertEqual((entry["k0"], entry["k1"], entry["time"], entry["benchmark_time"]),
                         (1, 2, 0.5, 250.0))

    def test_a_failure_is_one_of_kernel_tuners(self):
        self.assertEqual(self.cache["cache"]["1,1"]["time"], "RuntimeFailedConfig")

    def test_a_table_that_comes_along(self):
        header, rows = kernel_tuner_peer.read_table("contest_depthwise_v2")
        cache = kernel_tuner_peer.cache_of(header, rows)
        self.assertEqual(len(cache["cache"]), 4096)
        for entry in list(cache["cache"].values())[:50]:
            for name, values in cache["tune_params"].items():
                self.assertIn(entry[name], values)
        best = min(entry["time"] for entry in cache["cache"].values())
        told = self.ratio_of_best(header)
        self.assertAlmostEqual(float(header["reference_seconds"]) * 1e3 / best, told, delta=0.03)

    def ratio_of_best(self, header):
        """As docs/results/tables.md tells it of this table."""
        text = (ROOT / "docs/results/tables.md").read_text()
        row = next(line for line in text.splitlines() if line.startswith("| `contest_depthwise_v2` | 3"))
        return float(row.split("|")[4])


class SharesTest(unittest.TestCase):
    def test_shares_are_those_of_the_best_so_far(self):
        times = [None, 4.0, 8.0, 2.0]
        self.assertEqual(kernel_tuner_peer.shares_of(times, 1.0, (1, 2, 3, 4, 9)),
                         [0.0, 0.25, 0.25, 0.5, 0.5])

    def test_an_interval_holds_the_mean(self):
        mean, low, high = kernel_tuner_peer.interval_of([0.5, 0.7, 0.9, 0.9])
        self.assertEqual(mean, 0.75)
        self.assertTrue(0.5 <= low < mean < high <= 0.9)
        self.assertEqual(kernel_tuner_peer.interval_of([0.5, 0.5]), (0.5, 0.5, 0.5))

    def test_rows_say_where_intervals_are_apart_from_kernel_tuners(self):
        runs = {"Kernel Tuner": [[1.0] * 200, [1.0] * 200], "same": [[1.0] * 200, [1.0] * 200],
                "slower": [[2.0] * 200, [2.0] * 200]}
        rows = kernel_tuner_peer.rows_of("t", runs, 1.0)
        self.assertEqual([set(row["overlaps"].values()) for row in rows], [{True}, {True}, {False}])
        self.assertIn("64: 0.500 [0.500, 0.500] apart", kernel_tuner_peer.row_text(rows[2]))

    def test_what_is_no_number_is_a_failure(self):
        class InvalidConfig:
            pass

        self.assertEqual(kernel_tuner_runs.times_of([{"time": 1.5}, {"time": InvalidConfig()}]),
                         [1.5, None])


class ScriptTest(PeerScriptTest):
    __test__ = True
    SCRIPT = SCRIPT
    OPTIONS = ("--seeds", "--method", "--environment", "--json")

    def test_help_needs_no_environment(self):
        self.check_help()

    def test_wrong_input_is_one_line(self):
        for words, expected in [
            (["none"], "table 'none'"), (["matmul_tree"], "expected a table of the kind modify"),
            (["matmul", "--seeds", "1"], "--seeds: found '1'"), ([], "TABLE"),
        ]:
            with self.subTest(words=words):
                place = self.folder / "none"
                self.assertIn(expected, self.refusal(2, *words, "--environment", place))
                self.assertFalse(place.exists())

    def test_without_a_package_index_it_says_so(self):
        line = self.refusal(3, "matmul", "--environment", self.folder / "venv",
                            PIP_INDEX_URL="http://127.0.0.1:9/simple", PIP_RETRIES="0",
                            PIP_NO_CACHE_DIR="1", PIP_CONFIG_FILE=os.devnull)
        self.assertIn("cannot make the environment of Kernel Tuner", line)

    def test_the_list_of_packages_pins_the_release(self):
        lines = (BENCH / "kernel-tuner-requirements.txt").read_text().splitlines()
        self.assertIn("kernel-tuner==1.5.0", lines)

    def test_ours_on_a_small_table(self):
        times = kernel_tuner_peer.our_times("conv2d", "bayes(first=4)", 12, 2)
        self.assertEqual([len(one) for one in times], [12, 12])
        self.assertEqual(times, kernel_tuner_peer.our_times("conv2d", "bayes(first=4)", 12, 2))


if __name__ == "__main__":
    unittest.main()
