"""Tables as a user makes them: measured whole, looked at, gone on with after an interrupt."""
import json
import math
import re
import signal
import string
import subprocess
import unittest

from harness import PROGRAM, ROOT, ProgramTest

MATMUL = "matmul(m=32,n=32,k=32)"
QUICK = "cpu1(rounds=3,min_rounds=2,long_rounds=2,warmup_seconds=0.001)"
TARGET = ("--target", "llvm(cores=1)")
RESULTS = {"schema_version": "1.0.0", "results": [
    {"timestamp": "2026-01-02", "configuration": {"block": block, "filter": 3},
     "times": {"compilation": 900, "benchmark": 90, "validation": 10}, "invalidity": invalidity,
     "correctness": 1, "objectives": ["time"],
     "measurements": [{"name": "time", "value": milliseconds, "unit": "ms"}]}
    for block, milliseconds, invalidity in ((16, 4.0, "correct"), (32, 2.0, "correct"),
                                            (64, 9.0, "runtime"), (128, 8.0, "correct"))]}
INPUT = {"General": {"BenchmarkName": "blur"}, "ConfigurationSpace": {"TuningParameters": [
    {"Name": "block", "Type": "int", "Values": "[16, 32, 64, 128]", "Default": 16},
    {"Name": "filter", "Type": "int", "Values": "[3]"}]},
    "KernelSpecification": {"KernelName": "blur"}}


def rounds_of(row):
    """How many samples a row keeps of its schedule: the last digit of each is below 32."""
    return sum(digit in string.ascii_uppercase + "abcdef" for digit in row[-2])


class TableTest(ProgramTest):
    def make(self, *words, points=8, out="small.table"):
        return ("table", MATMUL, *TARGET, "--protocol", QUICK, "--points", str(points), "-o", out,
                *words)

    def rows(self, name="small.table"):
        header, *rows = self.parse((self.folder / name).read_text())
        return header, rows

    def test_a_grid_is_measured_whole_and_shown(self):
        *trials, item = self.events(*self.make("--kind", "modify", "--space", "ansor"))
        header, rows = self.rows()
        self.assertEqual(header["schedulegym_table"], 2)
        self.assertRegex(header["command"], r"^schedulegym table .* --kind modify")
        self.assertEqual(item["command"], header["command"])
        self.assertGreaterEqual(item["samples"], 2 * item["ok"])
        self.assertEqual((header["kind"], header["workload"]), ("knobs", MATMUL))
        self.assertEqual(header["rows"], len(rows))
        self.assertEqual((item["kind"], item["points"]), ("modify", len(rows)))
        self.assertLessEqual(len(rows), 8)
        self.assertTrue(trials)
        self.assertEqual({t["event"] for t in trials}, {"trial"})
        self.assertEqual(item["ok"] + sum(item["failed"].values()), len(rows))
        self.assertGreater(item["measure_seconds"], 0)
        self.assertGreaterEqual(item["best"]["ratio"], item["worst"]["ratio"])
        self.assertEqual(item["chance"], {"trials": len(rows), "of_best": 1.0,
                                          "ratio": item["best"]["ratio"]})
        self.assertGreater(item["within_10_percent"], 0)
        (shown,) = self.events("table", "show", "small.table")
        self.assertEqual(shown, item)
        text = self.succeed("table", "show", "small.table")
        for word in (MATMUL, f"points     {len(rows)}", "reference", "best", "worst", "knobs",
                     f"median best of {len(rows)} random trials"):
            self.assertIn(word, text)
        # A second call measures what a busy machine disturbed, and else nothing.
        before = (self.folder / "small.table").read_bytes()
        *again, _ = self.events(*self.make("--kind", "modify", "--space", "ansor"))
        self.assertLess(len(again), len(trials))
        if not again:
            self.assertEqual((self.folder / "small.table").read_bytes(), before)

    def test_the_best_are_timed_again(self):
        quick = QUICK.replace(")", ",best_rounds=3,final_rounds=7,final_processes=2)")
        words = ("table", MATMUL, *TARGET, "--kind", "modify", "--space", "ansor", "--points", "8",
                 "--protocol", quick, "--retime", "0.4", "-o", "small.table")
        *trials, item = self.events(*words)
        _, rows = self.rows()
        rounds = sorted((rounds_of(row) for row in rows if row[3] == "ok"))
        again = sum(count == 14 for count in rounds)
        self.assertGreaterEqual(again, math.ceil(0.4 * item["ok"]))
        self.assertGreaterEqual(len(trials), len(rows) + again)
        best = max((row for row in rows if row[3] == "ok"), key=lambda row: row[5])
        self.assertEqual(rounds_of(best), 14)
        *trials, _ = self.events(*words)
        self.assertLess(len(trials), again)  # of those, only what a busy machine disturbed
        line = self.refused(2, "table", MATMUL, "--kind", "modify", "-o", "a", "--retime", "1.5")
        self.assertIn("--retime: found 1.5, expected a share from 0 to 1", line)

    def test_tables_on_boards_can_judge(self):
        """Every case, held-out ones too; the small tables of `smoke` kept no samples."""
        import tomllib
        boards = [tomllib.loads(path.read_text()) for path in
                  sorted((ROOT / "experiments/leaderboard/boards").glob("*.toml"))]
        cases = {case for board in boards if board["track"] == "table"
                 for case in (*board["cases"], *board.get("held_out", {}).get("tables", ()))}
        self.assertGreaterEqual(len(cases), 6)
        unknown = set()
        for case in sorted(cases):
            (shown,) = self.events("table", "show", str(ROOT / f"bindings/schedulegym/tables/{case}.table"))
            if shown["noise"] is None:
                unknown.add(case)
                continue
            self.assertGreaterEqual(shown["noise"]["ceiling"], 0.97, case)
            self.assertGreaterEqual(shown["noise"]["rank_correlation"], 0.9, case)
            self.assertLessEqual(shown["chance"]["of_best"], 0.95, case)
        self.assertEqual(unknown, {"matmul", "conv2d", "matmul_tree"})

    def test_an_old_option_warns(self):
        result = self.run_program("table", MATMUL, "-o", "a", "--kind", "construct", "--contest")
        self.assertIn("--contest is --hard now", result.stderr)
        self.assertIn("--hard: they go with --kind modify alone", result.stderr)

    def test_an_old_name_in_a_protocol_warns_once(self):
        words = ("table", MATMUL, "-o", "a", "--kind", "modify", "--retime", "1.5")
        result = self.run_program(*words, "--protocol", "cpu1(sentinel_drift=0.1)")
        self.assertIn("--retime: found 1.5", result.stderr)
        self.assertEqual(result.stderr.count("'sentinel_drift' is an old name of 'control_drift'"), 1)

    def test_a_hard_table_may_be_of_all_sketches(self):
        words = self.make("--kind", "modify", "--space", "ansor", "--sketch", "all", "--hard")
        result = self.run_program(*words)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stderr, r"by the estimate, the median best of \d+ random trials lies "
                                        r"[\d.]+ % under the best")
        header, rows = self.rows()
        self.assertEqual(header["knobs"][0]["name"], "sketch")
        self.assertGreater(len({row[0][0] for row in rows}), 1)

    def test_a_tree_is_measured_whole(self):
        item = self.events(*self.make("--kind", "construct"))[-1]
        header, rows = self.rows()
        self.assertEqual((header["kind"], len(rows)), ("tree", 8))
        self.assertEqual(rows[0][:2], [-1, ""])
        for index, (parent, step, *_) in enumerate(rows[1:], 1):
            self.assertIn(parent, range(index))
            self.assertRegex(step, r"^\w+\(stage=C")
        self.assertEqual((item["kind"], item["points"], item["knobs"]), ("construct", 8, None))

    def test_an_interrupt_leaves_no_table_and_the_same_command_goes_on(self):
        self.need_llvm()
        words = self.make("--kind", "construct", "--json", points=60)
        process = subprocess.Popen([PROGRAM, *words], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True, cwd=self.folder)
        self.addCleanup(process.kill)
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        said, told = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, told)
        self.assertIn("the same command goes on", told)
        self.assertEqual([p.name for p in self.folder.glob("*.table*")], [])
        self.assertLess(1 + len(said.splitlines()), 60)
        *trials, item = self.parse(self.succeed(*words))
        self.assertEqual(item["points"], 60)
        self.assertLess(len(trials), 60)

    def test_files_of_other_tuners_are_shown(self):
        self.write("results.json", json.dumps(RESULTS))
        self.write("input.json", json.dumps(INPUT))
        (item,) = self.events("table", "show", "results.json")
        self.assertEqual((item["kind"], item["workload"], item["points"]), ("file", "results", 4))
        self.assertEqual(item["knobs"], {"block": 4})
        self.assertEqual((item["ok"], item["failed"]), (3, {"run_signal": 1}))
        self.assertAlmostEqual(item["reference_seconds"], 0.004)
        self.assertAlmostEqual(item["measure_seconds"], 4.0)
        (item,) = self.events("table", "show", "results.json", "--input", "input.json")
        self.assertEqual(item["workload"], "blur")
        self.assertEqual(item["best"]["ratio"], 2)

    def test_what_cannot_be_is_refused(self):
        for words, said in (
                (("table", MATMUL, "-o", "a"), "expected --kind modify or --kind construct"),
                (("table", MATMUL, "-o", "a", "--kind", "tree"), "unknown kind 'tree'"),
                (("table", MATMUL, "--kind", "modify"), "expected -o FILE"),
                (("table", MATMUL, "-o", "a", "--kind", "modify", "--points", "20001"),
                 "expected at most 20000"),
                (("table", MATMUL, "-o", "a", "--kind", "modify", "--points", "x"), "--points"),
                (("table", MATMUL, "-o", "a", "--kind", "modify", "--sketch", "99"),
                 "--sketch: found 99"),
                (("table", MATMUL, "-o", "a", "--kind", "construct", "--space", "ansor"),
                 "with --kind modify alone"),
                (("table", MATMUL, "-o", "a", "--kind", "construct", "--hard"),
                 "with --kind modify alone"),
                (("table", MATMUL, "b", "-o", "a", "--kind", "construct"), "unexpected word 'b'"),
                (("table", MATMUL, "-o", "none/a", "--kind", "construct"), "none/a"),
                (("table", "show"), "expected FILE"),
                (("table", "show", "none.table"), "cannot read 'none.table': No such file")):
            with self.subTest(words=words):
                self.assertIn(said, self.refused(2, *words))
        self.write("text.table", "hello\n")
        self.assertIn("is no JSON", self.refused(2, "table", "show", "text.table"))
        self.write("new.table", '{"schedulegym_table": 7}\n')
        self.assertIn("version 7", self.refused(2, "table", "show", "new.table"))


if __name__ == "__main__":
    unittest.main()
