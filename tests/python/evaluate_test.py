"""Cost models on measured programs: trained, evaluated and refused by the commands."""
import csv
import gzip
import json
import os
import pickle
import unittest

from harness import ROOT, ProgramTest

QUICK = "boosted(rounds=8,depth=3)"


class Opened:
    """What makes a folder where a pickle of it is loaded."""

    def __reduce__(self):
        return os.mkdir, ("opened",)


class EvaluateTest(ProgramTest):
    def collect(self):
        for workload in ("softmax(n=4,m=16)", "matmul(m=8,n=8,k=8)"):
            self.succeed("tune", workload, "--target", "interpreter", "--agent", "random", "--space",
                         "ansor", "--trials", "12", "--store", "points.db")
        self.succeed("records", "pack", "points.db", "-o", "set.points.gz")

    def lines(self):
        return gzip.decompress((self.folder / "set.points.gz").read_bytes()).decode().splitlines()

    def pack(self, header, *rows):
        text = "".join(line + "\n" for line in (json.dumps(header), *rows))
        (self.folder / "other.points.gz").write_bytes(gzip.compress(text.encode()))

    def test_a_store_of_estimates_is_refused(self):
        self.succeed("tune", "softmax(n=4,m=16)", "--measure", "analytical", "--agent", "random", "--trials", "4",
                     "--store", "points.db")
        data = ("--data", "points.db", "--split", "all")
        for command in (("evaluate", "boosted", "analytical", *data), ("train", "boosted", *data, "-o", "t.model"),
                        ("records", "pack", "points.db", "-o", "p.points.gz"),
                        ("records", "pack", "--store", "points.db", "-o", "p.points.gz"),
                        ("tune", "softmax(n=4,m=32)", "--measure", "analytical", "--trials", "2", "--agent",
                         "transfer(from=points.db,then=none)")):
            result = self.run_program(*command)
            self.assertEqual(result.returncode, 2, result.stdout)
            self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
            self.assertIn("found no measured program, but records that were not measured (4 of --measure "
                          "analytical), expected those of --measure host", result.stderr)

    def test_models_are_trained_and_evaluated(self):
        self.collect()
        events = self.events("evaluate", "analytical", "random", QUICK, "--data", "points.db", "--split",
                             "all", "--folds", "2", "-o", "rows.csv")
        rows = [event for event in events if event["event"] == "row"]
        summary, = [event for event in events if event["event"] == "summary"]
        self.assertEqual(summary["tasks"], 2)
        self.assertEqual({row["model"] for row in rows}, {"analytical", "random", QUICK, "ceiling"})
        for metric in ("top-1", "top-5", "drafts", "peak@1", "peak@5", "pairs", "recall"):
            for row in rows:
                if row["metric"] == metric:
                    self.assertTrue(0 < row["value"] <= 1, row)
                    self.assertTrue(row["low"] <= row["value"] <= row["high"], row)
        self.assertEqual({row["model"] for row in rows if row["metric"] == "mape"}, {"analytical", QUICK, "ceiling"})
        self.assertEqual({row["metric"] for row in rows if row["low"] is None},
                         {"features-us-1", "predict-us-1", "features-us-512", "predict-us-512"})
        with open(self.folder / "rows.csv", newline="") as file:
            self.assertEqual(len(list(csv.DictReader(file))), len(rows))

        trained, = self.events("train", QUICK, "--data", "set.points.gz", "--split", "all", "-o", "t.model")
        self.assertEqual(trained["tasks"], 2)
        text = self.succeed("evaluate", "t.model", "--data", "set.points.gz", "--split", "all")
        self.assertIn("split all: 2 tasks", text)
        self.assertIn("metric", text)
        self.succeed("tune", "matmul(m=8,n=8,k=16)", "--measure", "analytical", "--space", "ansor",
                     "--agent", "ansor(model=t.model,population=16)", "--trials", "2")

    def test_what_cannot_be_evaluated_is_refused(self):
        self.collect()
        header, *rows = self.lines()
        header = json.loads(header)
        refused = lambda *words: self.refused(2, *words)
        evaluate = lambda *words: refused("evaluate", "analytical", "--data", *words)
        self.assertIn("found no 'nothing'", evaluate("nothing"))
        self.assertIn("the data has programs of: none", evaluate("points.db"))
        self.assertIn("split", evaluate("points.db", "--split", "tests"))
        self.assertIn("--folds", evaluate("points.db", "--folds", "1"))
        self.assertIn("twice", evaluate("points.db", "--split", "all", "--", "analytical", "analytical"))
        self.assertIn("analyticol", refused("evaluate", "analyticol", "--data", "points.db"))
        self.assertIn("would be evaluated on", refused("evaluate", QUICK, "--data", "points.db", "--split",
                                                       "all", "--train", "all"))
        self.pack({**header, "steps": [step.replace("split(", "spilt(") for step in header["steps"]]}, *rows)
        self.assertIn("program ", evaluate("other.points.gz", "--split", "all"))
        self.pack(header, rows[0][:-3])
        self.assertIn("line 2", evaluate("other.points.gz"))
        whole = (self.folder / "set.points.gz").read_bytes()
        (self.folder / "torn.points.gz").write_bytes(whole[:len(whole) // 2])
        self.assertIn("torn.points.gz", evaluate("torn.points.gz"))
        (self.folder / "notes.model").write_text("no trees")
        self.assertIn("notes.model", refused("evaluate", "notes.model", "--data", "points.db"))

    def test_without_samples_there_is_no_ceiling(self):
        text = gzip.decompress((ROOT / "experiments/data/sample.points.gz").read_bytes()).decode()
        header, *rows = map(json.loads, text.splitlines())
        del header["keys"]  # one for each row
        rows = [row for row in rows if row[0] < 2][:40]
        bare = [row[:8] + [[]] if len(row) > 8 else row for row in rows]
        self.assertNotEqual(rows, bare)
        for kept in (rows, bare):
            self.pack(header, *map(json.dumps, kept))
            result = self.run_program("evaluate", "analytical", "--split", "all", "--data", "other.points.gz", "--json")
            self.assertEqual(result.returncode, 0, result.stderr)
            models = {event["model"] for event in self.parse(result.stdout) if event["event"] == "row"}
            self.assertEqual("ceiling" in models, kept is rows)
            note = "no noise ceiling: the programs have fewer than two samples each"
            self.assertEqual(note in result.stderr, kept is bare)

    def test_a_pickle_is_neither_a_model_nor_data(self):
        content = pickle.dumps({"model": Opened()})
        for name, written in (("a.pkl", content), ("b.points.gz", content), ("c.points.gz", gzip.compress(content))):
            (self.folder / name).write_bytes(written)
            for words in (("evaluate", name, "--data", "sample"),
                          ("evaluate", "analytical", "--data", name, "--split", "all"),
                          ("train", QUICK, "--data", name, "--split", "all", "-o", "t.model"),
                          ("tune", "softmax(n=4,m=16)", "--measure", f"model({name})"),
                          ("tune", "softmax(n=4,m=16)", "--measure", "analytical", "--agent", f"ansor(model={name})"),
                          ("records", "import", name)):
                with self.subTest(words=words):
                    self.refused(2, *words)

    def test_what_cannot_be_trained_is_refused(self):
        self.collect()
        header, *rows = self.lines()
        header = json.loads(header)
        train = lambda *words: self.refused(2, "train", *words, "-o", "t.model")
        self.assertIn("learns nothing", train("random", "--data", "set.points.gz"))
        self.assertIn("--rounds", train(QUICK, "--data", "set.points.gz", "--rounds", "3"))
        self.assertIn("--split", train("harl", "--split", "train"))
        leaking = [{**task, "workload": "softmax(n=1,m=1000)"} for task in header["tasks"]]
        self.pack({**header, "tasks": leaking}, *rows)
        self.assertIn("near softmax(n=1,m=1000) of networks",
                      train(QUICK, "--data", "other.points.gz", "--split", "all"))
        self.assertFalse((self.folder / "t.model").exists())


if __name__ == "__main__":
    unittest.main()
