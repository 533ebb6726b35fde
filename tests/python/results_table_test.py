"""The script that writes the tables of results, on what `bench --json` printed once."""
import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from doc_pages import blocks
from harness import ROOT
from limited import LimitedTest

SCRIPT = ROOT / "experiments/bench/results_table.py"
SAMPLE = pathlib.Path(__file__).with_name("bench_sample.jsonl")


class ResultsTableTest(LimitedTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.events = [json.loads(line) for line in SAMPLE.read_text().splitlines()]
        self.rows = [event for event in self.events if event["event"] == "row"]

    def call(self, *words):
        return subprocess.run([sys.executable, SCRIPT, *map(str, words)], capture_output=True,
                              text=True)

    def write(self, events):
        path = self.folder / "run.jsonl"
        path.write_text("".join(json.dumps(event) + "\n" for event in events))
        return path

    def text(self, events=None):
        path = SAMPLE if events is None else self.write(events)
        result = self.call(f"Some cases={path}")
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def cells(self, text, first):
        """Of the line of a table that begins so."""
        line = next(line for line in text.splitlines() if line.startswith(f"| {first}"))
        return [cell.strip() for cell in line.strip("|").split("|")]

    def refusal(self, *words):
        result = self.call(*words)
        self.assertEqual(result.returncode, 2, result.stdout)
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
        return result.stderr

    def test_the_head_says_when_where_and_how(self):
        text = self.text()
        self.assertIn("### Some cases\n\n2026-11-22, x86-64-v4, 512-bit vectors, 1 core, "
                      "machine grade C, ", text)
        self.assertIn("\n```sh\n./sg bench 'smoke(batch=1,operator=C2D)' ", text)

    def test_the_head_names_the_libraries_that_rows_tell_of(self):
        self.assertNotIn("beside ", self.text().split("```")[0])
        self.rows[0]["peer_versions"] = {"openblas": "0.3.21", "onednn": "2.6.3"}
        self.rows[1]["peer_versions"] = {"openblas": "0.3.21"}
        self.assertIn(", beside onednn 2.6.3 and openblas 0.3.21:\n", self.text(self.events))

    def test_the_test_of_pages_runs_the_smallest_case(self):
        smallest = min(row["gflops"] * row["seconds"] for row in self.rows)
        summary = self.events[-1]
        for words, replaced in (("--trials 1000", "--trials 1000"),
                                ("--most-gflop 5 --trials 300 --seed 1", "--most-gflop 5 --trials 300")):
            summary["command"] = f"schedulegym bench smoke {words}"
            block, = blocks("page.md", self.text(self.events))
            part, = block.values("replaced")
            self.assertEqual(part["old"], replaced)
            most = float(re.fullmatch(r"--processes 1 --most-gflop (\S+) --trials 1", part["new"])[1])
            self.assertLess(smallest, most)
            self.assertLess(most, 1.02 * smallest)
        summary["command"] = "schedulegym bench smoke --trials 0"
        block, = blocks("page.md", self.text(self.events))
        self.assertFalse(block.is_run)

    def test_a_dagger_marks_what_was_cut_short(self):
        first = f"`{self.rows[0]['workload']}`"
        for stopped, mark in (("seconds", " †"), ("interrupted", " †"), ("trials", ""), (None, "")):
            self.rows[0]["short_of_cores"] = False
            self.rows[0]["stopped"] = stopped
            self.assertEqual(self.cells(self.text(self.events), first)[0], first + mark)
        self.assertIn("a dagger one whose search\nwas cut short", self.text())

    def test_each_row_has_a_line_in_the_fold(self):
        text = self.text()
        fold = text.index(f"<details><summary>{len(self.rows)} rows</summary>\n\n| ")
        self.assertLess(fold, text.index("| workload |"))
        self.assertIn("|\n\n</details>", text[fold:])
        for row in self.rows:
            cells = self.cells(text, f"`{row['workload']}`")
            self.assertAlmostEqual(float(cells[2]), row["gflops"], delta=0.051)
            self.assertEqual(int(cells[6]), row["trials"])
        gmm = self.rows[1]
        cells = self.cells(text, f"`{gmm['workload']}`")
        ratio, low, high = map(float, re.findall(r"[0-9.]+", cells[4]))
        self.assertAlmostEqual(ratio, gmm["peers"]["openblas"] / gmm["seconds"], delta=0.05)
        self.assertLessEqual(low, ratio)
        self.assertLessEqual(ratio, high)
        self.assertTrue(cells[4].endswith("openblas"))

    def test_a_row_without_a_peer_says_so(self):
        cells = self.cells(self.text(), "`attention(")
        self.assertEqual(cells[4:6], ["no peer", "no peer"])

    def test_means_by_operator_and_of_all(self):
        text = self.text()
        ratios = [row["ratio"] for row in self.rows if row["group"] == "GMM"]
        self.assertEqual(len(ratios), 2)
        self.assertEqual(self.cells(text, "GMM")[1], "2")
        self.assertAlmostEqual(float(self.cells(text, "GMM")[2]), math.sqrt(math.prod(ratios)),
                               delta=0.001)
        self.assertEqual(self.cells(text, "ATT")[2], "-")
        known = [row["ratio"] for row in self.rows if row["ratio"] is not None]
        worst = self.cells(text, "all")[4]
        self.assertTrue(worst.startswith(f"{min(known):.3f} `"), worst)

    def test_stars_failures_and_what_was_left_out(self):
        text = self.text()
        self.assertIn("Left out: `matmul(m=512,n=512,k=512)`.", text)
        self.assertNotIn("failed", text)
        row = {**self.rows[0], "short_of_cores": False, "failure": "line 3: no such stage"}
        text = self.text([row, self.events[-1]])
        self.assertFalse(self.cells(text, "`conv2d")[0].endswith("*"))
        self.assertIn("failed: line 3: no such stage", text)
        text = self.text([{**row, "short_of_cores": True}, self.events[-1]])
        self.assertTrue(self.cells(text, "`conv2d")[0].endswith("*"))

    def test_what_is_unknown_is_a_dash(self):
        unknown = dict.fromkeys(("seconds", "gflops", "peak_fraction", "ratio", "ratio_plain",
                                 "trials", "trials_per_second", "grade"))
        text = self.text([{**self.rows[0], **unknown}, self.events[-1]])
        self.assertEqual(self.cells(text, "`conv2d")[1:], ["-"] * 7)
        self.assertIn("machine grade unknown", text)

    def test_other_events_are_left_out(self):
        extra = [{"event": "trial", "seconds": 1}, *self.events]
        self.assertEqual(self.text(extra), self.text())

    def test_a_page_keeps_all_but_what_stands_between_the_marks(self):
        page = self.folder / "page.md"
        frame = "# A\n\n<!-- results -->\n{}\n<!-- end of results -->\n\n## B\n"
        page.write_text(frame.format("old"))
        for _ in range(2):  # written again, it stays the same
            result = self.call(f"Some cases={SAMPLE}", "--page", page)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertEqual(page.read_text(), frame.format(self.text().rstrip("\n")))

    def test_our_page_has_the_marks(self):
        text = (ROOT / "docs/benchmarks.md").read_text()
        self.assertLess(text.index("<!-- results -->"), text.index("<!-- end of results -->"))

    def test_wrong_input_is_one_line(self):
        self.assertIn("expected TITLE=FILE", self.refusal("ops.jsonl"))
        self.assertIn("none.jsonl: No such file", self.refusal("A=none.jsonl"))
        self.assertIn("no summary", self.refusal(f"A={self.write(self.rows)}"))
        self.assertIn("found 0 rows", self.refusal(f"A={self.write(self.events[-1:])}"))
        path = self.folder / "text.jsonl"
        path.write_text(json.dumps(self.rows[0]) + "\nnot JSON\n")
        self.assertIn("text.jsonl:2: found no event", self.refusal(f"A={path}"))
        path.write_text("plain")
        self.assertIn("found no lines <!-- results -->",
                      self.refusal(f"A={SAMPLE}", "--page", path))
        self.assertEqual(path.read_text(), "plain")
        self.assertIn("--pagee", self.refusal("A=b", "--pagee", "x"))


if __name__ == "__main__":
    unittest.main()
