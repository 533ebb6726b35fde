"""The script that compares task schedulers as a TOML file says, on few small problems."""
import gzip
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import unittest

from harness import PROGRAM, ROOT, ProgramTest, load_benchmark

try:
    import tomllib
except ModuleNotFoundError:  # Python 3.10
    try:
        import tomli as tomllib
    except ModuleNotFoundError:
        raise unittest.SkipTest("no tomllib") from None

SCRIPT = ROOT / "experiments/bench/scheduler_study.py"
SHIPPED = ROOT / "experiments/studies/dynatune"
STUDY = """
name = "small"
problems = 3
seeds = 1
baseline = "gradient"
[schedulers]
"gradient" = "gradient"
"in turn" = "round_robin"
"at random" = "dynamic_random(slot=trials(n=8))"
[curves]
"drawn" = "drawn(trials=32)"
"""


class SchedulerStudyTest(ProgramTest):
    def call(self, text, *words):
        self.write("study.toml", text)
        return subprocess.run(
            [sys.executable, SCRIPT, "-o", "out", "study.toml", *words], capture_output=True,
            text=True, cwd=self.folder, env={**os.environ, "SCHEDULEGYM_PROGRAM": str(PROGRAM)},
            check=False)

    def tables(self, text):
        done = self.call(text)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.strip(), (self.folder / "out/study/report.md").read_text().strip())
        rows = [[cell.strip() for cell in line.strip("|").split("|")]
                for line in done.stdout.splitlines() if line.startswith("|")]
        return [row for row in rows if row[1] != "---:"]

    def test_each_scheduler_has_a_row(self):
        titles, *rows = self.tables(STUDY)
        self.assertEqual([row[0] for row in rows], ["gradient", "in turn", "at random"])
        self.assertEqual(titles[2], "less gradient's")
        self.assertEqual(rows[0][2], "+0.0000 ± 0.0000")
        self.assertIn("of 2 |", self.call(STUDY, "--problems", "2").stdout)
        self.assertEqual(self.call(STUDY, "--seeds", "0").returncode, 2)
        for row in rows:
            self.assertRegex(row[1], r"^\d\.\d{4} ± \d\.\d{4}$")
            self.assertRegex(row[5], r"^\d of 3$")

    def test_curves_may_have_fewer_schedulers_and_files(self):
        self.call(STUDY)
        self.assertTrue((self.folder / "out/study/results.json").exists())
        self.write("my.net", "1 matmul(m=4,n=4,k=4)\n1 softmax(n=4,m=4)\n")
        self.succeed("tune", "my.net", "--agent", "random", "--measure", "analytical", "--trials",
                     "16", "--scheduler", "linear", "--curves-out", "my.curves")
        text = (self.folder / "my.curves").read_bytes()
        (self.folder / "my.curves.gz").write_bytes(gzip.compress(text))
        rows = self.tables(STUDY + '"ours" = {files = ["my.curves.gz"], problems = 2,'
                           ' schedulers = ["in turn"]}\n')
        self.assertEqual(len(rows), 4 + 2)
        self.assertEqual(rows[-1][0], "in turn")
        self.assertEqual(rows[-1][2], "-", "the baseline did not play")
        told = json.loads((self.folder / "out/study/summary.json").read_text())
        self.assertEqual(told["ours"]["area_beyond_baseline"], {})

    def test_the_summary_has_what_is_above_the_baseline(self):
        cells = {row[0]: row[2] for row in self.tables(STUDY)[1:]}
        out = self.folder / "out/study"
        areas = {}
        for row in json.loads((out / "results.json").read_text())["drawn"]["rows"]:
            areas.setdefault(row["scheduler"], []).append(row["area"])
        told = json.loads((out / "summary.json").read_text())["drawn"]
        self.assertEqual(told["baseline"], "gradient")
        field = told["area_beyond_baseline"]["round_robin"]
        apart = [ours - theirs for ours, theirs in zip(areas["round_robin"], areas["gradient"])]
        self.assertAlmostEqual(field["mean"], sum(apart) / 3)
        half = 1.959964 * statistics.stdev(apart) / math.sqrt(3)
        self.assertAlmostEqual(field["high"] - field["mean"], half)
        self.assertEqual(cells["in turn"], f"{field['mean']:+.4f} ± {half:.4f}")

    def test_curves_may_be_drawn_by_another_seed(self):
        rows = self.tables(STUDY + '"other" = {drawn = "drawn(trials=32)", seed = 1}\n'
                           '"same" = {drawn = "drawn(trials=32)", seed = 0}\n')
        drawn, other, same = rows[1:4], rows[5:8], rows[9:12]
        self.assertEqual(same, drawn)
        self.assertNotEqual(other, drawn)

    def test_the_papers_claim_has_its_columns(self):
        text = STUDY.replace("[curves]", '"one by one" = "linear"\n[curves]')
        titles, *rows = self.tables(text)
        self.assertEqual(titles[6:], ["sooner than linear", "sooner than round_robin"])
        by_name = {row[0]: row[6:] for row in rows}
        self.assertEqual((by_name["one by one"][0], by_name["in turn"][1]), ("-", "-"))
        for name, row in by_name.items():
            for cell in row:
                self.assertRegex(cell, r"^(-|\d+\.\d\d \[\d+\.\d\d, \d+\.\d\d\](, \d unreached)?)$",
                                 name)
        (told,) = json.loads((self.folder / "out/study/summary.json").read_text()).values()
        speed_up = told["summaries"][0]["speed_up"]
        nothing = {"speed_up": {"linear": {"times": None, "unreached": 0}}}
        self.assertEqual(load_benchmark("scheduler_study").sooner(nothing, "linear"), "-")
        unreached = speed_up["linear"]["unreached"]
        self.assertEqual(f", {unreached} unreached" in by_name["gradient"][0], unreached > 0)

    def test_other_curves_may_take_the_place_of_the_files(self):
        self.write("my.net", "1 matmul(m=4,n=4,k=4)\n1 softmax(n=4,m=4)\n")
        self.succeed("tune", "my.net", "--agent", "random", "--measure", "analytical", "--trials",
                     "16", "--scheduler", "linear", "--curves-out", "my.curves")
        text = STUDY + '"ours" = {files = ["nowhere.gz"]}\n"theirs" = {files = ["none.gz"]}\n'
        self.write("second.toml", text)
        done = self.call(text, "second.toml", "--recorded", "my.curves")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.count("2 recorded curves, not measured: their speeds are "
                                           "those of `analytical`."), 2, "once a study")
        self.assertTrue((self.folder / "out/second/report.md").is_file())

    def test_what_was_answered_is_not_asked_again(self):
        self.call(STUDY)
        kept_at = self.folder / "out/study/results.json"
        kept = json.loads(kept_at.read_text())
        kept["drawn"]["summaries"][0]["area"] = {"mean": 9, "low": 9, "high": 9}
        kept_at.write_text(json.dumps(kept))
        self.assertIn("9.0000 ± 0.0000", self.call(STUDY).stdout)
        self.assertNotIn("9.0000", self.call(STUDY.replace("trials=32", "trials=48")).stdout)

    def test_bad_input_is_one_line(self):
        for text, expected in [("name = 3 3", "study.toml"),
                               (STUDY.replace("seeds", "sseeds"), "seeds"),
                               (STUDY.replace('= "gradient"\n[', '= "none"\n['), "baseline"),
                               (STUDY + '"no" = {half = "all"}\n', "expected drawn or files"),
                               (STUDY + '"no" = {drawn = "drawn", schedulers = ["x"]}\n', "'x'"),
                               (STUDY + '"no" = {files = ["nowhere.gz"]}\n', "nowhere.gz")]:
            with self.subTest(text[-40:]):
                done = self.call(text)
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn(expected, done.stderr)

    def test_those_that_come_along_are_whole(self):
        files = sorted(pathlib.Path(SHIPPED).glob("*.toml"))
        self.assertGreater(len(files), 0)
        for file in files:
            study = tomllib.loads(file.read_text())
            with self.subTest(file.name, part="schedulers"):
                self.succeed("simulate", "--schedulers", ",".join(study["schedulers"].values()),
                             "--curves", "drawn(trials=32)", "--seconds", "0.001")
            if "networks" in study:
                continue  # of live_schedulers.py
            with self.subTest(file.name):
                self.assertIn(study["baseline"], study["schedulers"])
                for curves in study["curves"].values():
                    for path in [] if isinstance(curves, str) else curves.get("files", []):
                        self.assertTrue((SHIPPED / path).is_file(), path)


if __name__ == "__main__":
    unittest.main()
