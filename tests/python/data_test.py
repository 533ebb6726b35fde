"""Data sets: collected by a search, packed by the command, loaded by the package."""
import gzip
import importlib
import importlib.util
import json
import unittest

from harness import PackageTest, ProgramTest, schedulegym

data = None if schedulegym is None else importlib.import_module("schedulegym.data")

HEADER = {"format": "points", "version": 1, "words": ["ansor", "chance", "one", "ok", "compile_error"],
          "steps": ["trace 1", "unroll(stage=C, loop=0)"],
          "tasks": [{"key": "0" * 32, "workload": "softmax(n=1,m=1000)", "target": "llvm", "dag": "",
                     "split": "networks"}]}
ROWS = [[0, 0, 1, 2, 3, [0, 1], 2e-3, [0.5, 0.49, 0.51], [2e-3, 2.1e-3]],
        [0, 0, 1, 2, 3, [0], 1e-3, [1.0, 0.99, 1.01], [1e-3]],
        [0, 0, 1, 2, 4, [0]]]


class DataTest(PackageTest):
    def pack(self, *lines, name="set.points.gz"):
        text = "".join(json.dumps(line) + "\n" for line in lines)
        (self.folder / name).write_bytes(gzip.compress(text.encode()))
        return name

    def test_programs_have_their_task_and_labels(self):
        programs = data.load(self.pack(HEADER, *ROWS))
        self.assertEqual(len(programs), 3)
        self.assertEqual(programs.programs[0].trace, "trace 1\nunroll(stage=C, loop=0)\n")
        self.assertEqual(programs.speeds(), [0.5, 1.0, 0.0])
        self.assertEqual(programs.rows()["workload"], ["softmax(n=1,m=1000)"] * 3)
        self.assertEqual(programs.rows()["ratio_low"], [0.49, 0.99, None])

    def test_a_split_has_its_programs_alone(self):
        name = self.pack(HEADER, *ROWS)
        self.assertEqual(len(data.load(name, split="networks")), 3)
        self.assertEqual(len(data.load(name, split="train")), 0)
        self.refused(schedulegym.InputError, "split: 'tests' is not known", data.load, name,
                     split="tests")

    def test_what_is_no_set_is_refused(self):
        refused = lambda pattern, name: self.refused(
            schedulegym.InputError, pattern, data.load, name)
        refused("found no 'nowhere'", "nowhere")
        refused("found no file of programs", self.pack({"format": "other"}))
        refused("found version 2, expected 1", self.pack({**HEADER, "version": 2}))
        refused("line 2", self.pack(HEADER, [7, 0, 0, 0, 3, [0]]))
        (self.folder / "torn.points.gz").write_bytes(
            (self.folder / self.pack(HEADER, *ROWS)).read_bytes()[:60])
        refused("torn.points.gz", "torn.points.gz")

    def test_parquet_holds_all_columns(self):
        if importlib.util.find_spec("pyarrow") is None:
            self.skipTest("no pyarrow")
        import pyarrow.parquet
        name = self.pack(HEADER, *ROWS)
        self.assertEqual(data.main(["parquet", name, "-o", "set.parquet"]), 0)
        table = pyarrow.parquet.read_table("set.parquet")
        self.assertEqual(table.num_rows, 3)
        self.assertEqual(table.column("seconds").to_pylist(), [2e-3, 1e-3, None])


class PackTest(ProgramTest):
    def test_a_collection_is_packed(self):
        self.succeed("tune", "softmax(n=4,m=16)", "--target", "interpreter", "--agent",
                     "collect(agent=ansor(population=32,generations=1))", "--space", "ansor",
                     "--trials", "8", "--store", "points.db")
        event, = [event for event in self.events("records", "pack", "points.db", "-o", "set.points.gz")
                  if event["event"] == "item"]
        self.assertEqual(event["tasks"], 1)
        with gzip.open(self.folder / "set.points.gz", "rt") as lines:
            header, *rows = map(json.loads, lines)
        self.assertEqual(len(rows), event["programs"])
        parts = [header["words"][row[2]] for row in rows]
        self.assertEqual({part: parts.count(part) for part in set(parts)},
                         {"chance": 4, "bred": 2, "searched": 2})

    def test_nothing_is_packed_of_nothing(self):
        self.assertIn("does not exist", self.refused(2, "records", "pack", "none.db", "-o", "x.points.gz"))
        self.assertIn("expected -o FILE", self.refused(2, "records", "pack"))


if __name__ == "__main__":
    unittest.main()
