"""Programs of a data set measured again by the command `repeat`."""
import csv
import gzip
import json
import signal
import subprocess
import time
import unittest

from harness import PROGRAM, ProgramTest, need_success

TARGET = ("--target", "interpreter")


class RepeatTest(ProgramTest):
    def collect(self, workload="matmul(m=8,n=8,k=8)"):
        events = self.events("tune", workload, *TARGET, "--agent", "random", "--space", "ansor",
                             "--trials", "6", "--protocol", "collect", "--finalists", "0",
                             "--store", "points.db")
        need_success(self, [event["outcome"] for event in events if event["event"] == "trial"])
        self.succeed("records", "pack", "points.db", "-o", "set.points.gz")

    def test_programs_are_measured_again_and_compared(self):
        self.collect()
        found, = self.events("repeat", "set.points.gz", *TARGET, "--programs", "4", "-o", "rows.csv")
        self.assertEqual((found["name"], found["drawn"], found["foreign"]), ("repeat", 4, 0))
        self.assertEqual(found["measured"], 4)
        with open(self.folder / "rows.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), 4)
        both = [row for row in rows if row["outcome"] == row["again"] == "ok"]
        self.assertEqual(found["successes"], len(both))
        moved = sorted(max(float(row["ratio"]) / float(row["again_ratio"]),
                           float(row["again_ratio"]) / float(row["ratio"])) - 1 for row in both)
        if moved:
            self.assertAlmostEqual(found["largest"], moved[-1], places=9)
            self.assertLessEqual(found["median"], found["most"])

    def test_a_store_will_do_and_another_target_is_told(self):
        self.collect()
        text = self.succeed("repeat", "points.db", "--target", "interpreter", "--programs", "1")
        self.assertIn("measured   1 of 1 drawn programs", text)
        header, *rows = gzip.decompress((self.folder / "set.points.gz").read_bytes()).decode().splitlines()
        header = json.loads(header)
        header["tasks"][0]["target"] = "llvm(cores=1)"
        whole = "".join(line + "\n" for line in (json.dumps(header), *rows))
        (self.folder / "other.points.gz").write_bytes(gzip.compress(whole.encode()))
        text = self.succeed("repeat", "other.points.gz", *TARGET, "--programs", "2")
        self.assertIn("2 were measured on another before", text)

    def test_a_store_keeps_what_was_measured_and_the_same_command_goes_on(self):
        self.collect()
        words = ("repeat", "set.points.gz", *TARGET, "--store", "again.db", "--programs")
        some, = self.events(*words, "6")
        stats, *_ = self.events("records", "stats", "--store", "again.db")
        self.assertEqual((stats["records"], some["measured"]), (6, 6))
        same, = self.events(*words, "6")
        stats, *_ = self.events("records", "stats", "--store", "again.db")
        self.assertEqual(stats["records"], 6, "nothing was measured twice")
        self.assertEqual(same, some)
        self.succeed("records", "pack", "again.db", "-o", "again.points.gz")
        packed, first = ([json.loads(line) for line in gzip.decompress(
            (self.folder / name).read_bytes()).decode().splitlines()]
            for name in ("again.points.gz", "set.points.gz"))
        self.assertEqual(packed[0]["tasks"], first[0]["tasks"])
        traces = [sorted([head["words"][row[1]], *(head["steps"][step] for step in row[5])]
                         for row in rows) for head, *rows in (packed, first)]
        self.assertEqual(*map(sorted, traces))

    def test_what_a_store_has_of_another_target_is_measured(self):
        self.collect()
        measured, = self.events("repeat", "set.points.gz", "--target", "llvm(cores=1)", "--programs",
                                "2", "--store", "points.db")
        self.assertEqual((measured["measured"], measured["foreign"]), (2, 2))
        stats, *_ = self.events("records", "stats", "--store", "points.db")
        self.assertEqual(stats["records"], 8)

    def test_an_interrupt_ends_it_with_what_there_is(self):
        self.collect()
        process = subprocess.Popen([PROGRAM, "repeat", "set.points.gz", *TARGET, "--protocol",
                                    "cpu1(seconds=20, sample=1)", "--json"], cwd=self.folder,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(2)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)
        self.assertLess(self.parse(out)[-1]["measured"], 6)

    def test_wrong_words_are_refused(self):
        self.assertIn("found no 'nothing'", self.refused(2, "repeat", "nothing"))
        self.collect()
        for words, expected in {("--protocol", "cpu2"): "unknown protocol 'cpu2'",
                                ("--programs", "0"): "--programs: found '0', expected a whole number of at least 1",
                                ("-o", "nowhere/rows.csv"): "nowhere"}.items():
            self.assertIn(expected, self.refused(2, "repeat", "set.points.gz", *TARGET, *words))


if __name__ == "__main__":
    unittest.main()
