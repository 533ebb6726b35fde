"""The command `python -m schedulegym.data`, and Parquet files."""
import contextlib
import gzip
import importlib
import importlib.util
import io
import json
import os
import pathlib
import resource
import subprocess
import sys
import unittest
import unittest.mock

from harness import PackageTest, schedulegym
from packed_points import HEADER, ROWS

data = None if schedulegym is None else importlib.import_module("schedulegym.data")


class CommandTest(PackageTest):
    """`python -m schedulegym.data`: what is wrong is one line, and no file is half-written."""

    def setUp(self):
        super().setUp()
        text = "".join(json.dumps(line) + "\n" for line in (HEADER, *ROWS))
        (self.folder / "set.points.gz").write_bytes(gzip.compress(text.encode()))
        (self.folder / "old").write_text("old")

    def main(self, *words):
        """The exit code, and what was printed on either stream."""
        with (contextlib.redirect_stdout(io.StringIO()) as out,
              contextlib.redirect_stderr(io.StringIO()) as fault):
            code = data.main(list(words))
        return code, out.getvalue(), fault.getvalue()

    def main_refuses(self, pattern, *words):
        before = {path: path.read_bytes() for path in self.folder.iterdir() if path.is_file()}
        code, out, fault = self.main(*words)
        self.assertEqual((code, out, len(fault.splitlines())), (2, "", 1), fault)
        self.assertRegex(fault, f"^error: .*{pattern}")
        self.assertEqual({path: path.read_bytes() for path in self.folder.iterdir() if path.is_file()}, before)

    def run_limited(self, *words, **options):
        place = str(pathlib.Path(schedulegym.__file__).parents[1])
        return subprocess.run([sys.executable, "-m", "schedulegym.data", *words], stderr=subprocess.PIPE,
                              text=True, timeout=300, env={**os.environ, "PYTHONPATH": place}, **options)

    def test_a_place_that_cannot_be_written_is_refused(self):
        for words in (("parquet", "set.points.gz"), ("some", "set.points.gz", "--rows", "1", "--split",
                                                     "networks"), ("likely", "resnet18")):
            self.main_refuses("cannot write 'nowhere/out'", *words, "-o", "nowhere/out")
            self.main_refuses("cannot write '.*'", *words, "-o", str(self.folder))
            if words[0] != "parquet" or importlib.util.find_spec("pyarrow") is not None:
                self.main_refuses("No space left on device", *words, "-o", "/dev/full")

    def test_what_stood_there_stays_where_the_disk_is_full(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (16, 16))

        for words in (("likely", "resnet18"), ("some", "set.points.gz", "--rows", "1", "--split", "networks")):
            result = self.run_limited(*words, "-o", "old", preexec_fn=limit)
            self.assertEqual((result.returncode, len(result.stderr.splitlines())), (2, 1), result.stderr)
            self.assertIn("error: cannot write 'old': ", result.stderr)
            self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["old", "set.points.gz"])
            self.assertEqual((self.folder / "old").read_text(), "old")

    def test_a_full_standard_output_is_told(self):
        with open("/dev/full", "w") as full:
            result = self.run_limited("likely", "resnet18", "-o", "a.net", stdout=full)
        self.assertEqual(result.returncode, 1)
        self.assertEqual(result.stderr, "error: cannot write standard output: No space left on device\n")

    def test_wrong_words_are_one_line(self):
        self.main_refuses("required: command")
        self.main_refuses("invalid choice: 'size'", "parquet", "set.points.gz", "-o", "x", "--by", "size")
        self.main_refuses("invalid int value: 'many'", "some", "set.points.gz", "--rows", "many", "-o", "x")
        self.main_refuses("found no 'nowhere'", "parquet", "nowhere", "-o", "x")
        self.main_refuses("store 'nowhere.db' does not exist", "parquet", "set.points.gz", "nowhere.db", "-o", "x")

    def test_some_takes_what_there_is(self):
        some = ("some", "set.points.gz", "-o", "x")
        self.main_refuses("split: 'trian' is not known; expected one of: train, valid", *some, "--rows", "1",
                          "--split", "trian")
        self.main_refuses("split: found no program of 'train' in 'set.points.gz', which has: networks", *some,
                          "--rows", "1")
        self.main_refuses("rows: found -5, expected at least 0", *some, "--rows", "-5")
        self.main_refuses("seed: found -1, expected at least 0", *some, "--rows", "1", "--seed", "-1")
        (self.folder / "set.parquet").write_bytes(b"PAR1")
        self.main_refuses("found Parquet, expected a file of programs or a store", "some", "set.parquet",
                          "--rows", "1", "--split", "networks", "-o", "x")

    def test_some_replaces_its_own_file(self):
        code, out, _ = self.main("some", "set.points.gz", "--rows", "2", "--split", "networks", "-o",
                                 "set.points.gz")
        self.assertEqual((code, out), (0, "set.points.gz: 2 programs\n"))
        self.assertEqual(len(data.load("set.points.gz")), 2)

    def test_some_of_a_store(self):
        schedulegym.tune("softmax(n=4,m=8)", target="interpreter", agent="random", trials=4, space="ansor",
                         store="a.db", finalists=0, protocol="collect")
        self.main_refuses("which has: none", "some", "a.db", "--rows", "1", "-o", "x")
        with unittest.mock.patch.object(schedulegym._schedulegym, "packed_programs") as packed:
            packed.return_value = "".join(json.dumps(line) + "\n" for line in (HEADER, *ROWS))
            code, _, fault = self.main("some", "a.db", "--rows", "1", "--split", "networks", "-o", "x.points.gz")
        self.assertEqual(code, 0, fault)
        self.assertEqual(len(data.load("x.points.gz")), 1)

    def test_layers_without_numbers_are_drawn(self):
        (self.folder / "a.net").write_text("2 conv2d_add\n1 softmax(n=4,m=8)\n")
        code, _, fault = self.main("likely", "a.net", "-o", "b.net")
        self.assertEqual(code, 0, fault)
        self.assertEqual(sorted((self.folder / "b.net").read_text().splitlines()),
                         ["1 conv2d_add", "1 softmax(n=4,m=8)"])
        for option, least in (("count", 1), ("agree", 0), ("seed", 0)):
            self.main_refuses(f"{option}: found -2, expected at least {least}", "likely", "a.net", "-o", "x",
                              f"--{option}", "-2")

    def test_a_missing_package_is_named(self):
        with unittest.mock.patch.dict(sys.modules, pyarrow=None, pandas=None):
            code, _, fault = self.main("parquet", "set.points.gz", "-o", "x.parquet")
            self.assertEqual((code, fault), (3, "error: parquet: found no pyarrow; install it: ./sg setup "
                                                "data, or pip install pyarrow\n"))
            self.refused(schedulegym.MachineError, "no pandas; install it: ./sg setup data",
                         data.load("set.points.gz").frame)
        self.assertFalse((self.folder / "x.parquet").exists())


class ParquetTest(PackageTest):
    def setUp(self):
        super().setUp()
        if importlib.util.find_spec("pyarrow") is None:
            self.skipTest("no pyarrow: ./sg setup data installs it")
        other = {**HEADER["tasks"][0], "key": "1" * 32, "workload": "matmul(m=1,n=2,k=3)", "dag": "x = 1"}
        header = {**HEADER, "tasks": [*HEADER["tasks"], other]}
        text = "".join(json.dumps(line) + "\n" for line in (header, *ROWS, [1, *ROWS[0][1:]]))
        (self.folder / "set.points.gz").write_bytes(gzip.compress(text.encode()))
        self.programs = data.load("set.points.gz")

    def test_the_file_holds_all_columns(self):
        import pyarrow.parquet
        data.to_parquet(self.programs, "set.parquet")
        table = pyarrow.parquet.read_table("set.parquet")
        self.assertEqual(table.column_names, list(self.programs.rows()))
        self.assertEqual(table.column("seconds").to_pylist(), [2e-3, 1e-3, None, 2e-3])
        for name in ("dag", "target"):
            self.assertTrue(pyarrow.types.is_dictionary(table.schema.field(name).type), name)
        self.assertEqual(table.column("dag").to_pylist(), ["", "", "", "x = 1"])
        self.assertEqual(data.load("set.parquet"), self.programs)

    def test_an_older_file_has_no_keys(self):
        import pyarrow.parquet
        pyarrow.parquet.write_table(self.programs.table().drop_columns(["key"]), "older.parquet")
        self.assertEqual(data.load("older.parquet"), self.programs)

    def test_failures_alone_are_a_set(self):
        failures = data.ProgramSet(self.programs.tasks[:1], self.programs.programs[2:3])
        data.to_parquet(failures, "failures.parquet")
        self.assertEqual(data.load("failures.parquet"), failures)

    def test_a_file_a_kind(self):
        with unittest.mock.patch("builtins.print"):
            self.assertEqual(data.main(["parquet", "set.points.gz", "--by", "kind", "-o", "kinds"]), 0)
        self.assertEqual(sorted(os.listdir()), ["kinds", "set.points.gz"])
        self.assertEqual({file: len(data.load(f"kinds/{file}")) for file in os.listdir("kinds")},
                         {"softmax.parquet": 3, "matmul.parquet": 1})
        both = data.load("kinds")
        self.assertEqual(sorted(both.rows()["workload"]), sorted(self.programs.rows()["workload"]))
        self.refused(schedulegym.InputError, "'kinds': found something there, expected a new folder",
                     data.kinds_to_parquet, self.programs, "kinds")
        self.refused(schedulegym.InputError, "'nowhere' is no folder", data.kinds_to_parquet, self.programs,
                     "nowhere/kinds")

    def test_a_folder_is_whole_or_not_there(self):
        with (unittest.mock.patch.object(pathlib.Path, "write_bytes", side_effect=OSError(28, "full")),
              unittest.mock.patch("sys.stderr", io.StringIO()) as fault):
            self.assertEqual(data.main(["parquet", "set.points.gz", "--by", "kind", "-o", "kinds"]), 2)
        self.assertEqual(fault.getvalue(), "error: cannot write 'kinds': full\n")
        self.assertEqual(os.listdir(), ["set.points.gz"])

    def refused_file(self, pattern, table):
        import pyarrow.parquet
        pyarrow.parquet.write_table(table, "other.parquet")
        self.refused(schedulegym.InputError, f"'other.parquet'.*{pattern}", data.load, "other.parquet")

    def test_what_is_no_set_is_refused(self):
        import pyarrow
        table = self.programs.table()
        data.to_parquet(self.programs, "torn.parquet")
        for size in (0, 3, 20, 400, os.path.getsize("torn.parquet") - 20):
            os.truncate("torn.parquet", size) if size > 400 else pathlib.Path("torn.parquet").write_bytes(
                pathlib.Path("torn.parquet").read_bytes()[:size])
            self.refused(schedulegym.InputError, "found no Parquet file", data.load, "torn.parquet")
        self.refused_file("found format 'none', expected 'points 1'", pyarrow.table({"a": [1]}))
        self.refused_file("found format 'points 2', expected 'points 1'",
                          table.replace_schema_metadata({"schedulegym": "points 2"}))
        for name in set(table.column_names) - {"key"}:
            self.refused_file(f"found no column '{name}'", table.drop_columns([name]))

    def test_a_missing_value_is_refused(self):
        import pyarrow
        table = self.programs.table()

        def with_column(name, values, kind):
            position = table.column_names.index(name)
            return table.set_column(position, name, pyarrow.array(values, kind))

        texts, numbers = pyarrow.string(), pyarrow.list_(pyarrow.float64())
        samples = table.column("samples").to_pylist()
        self.refused_file("row 2: found null in column 'samples'",
                          with_column("samples", [samples[0], None, *samples[2:]], numbers))
        self.refused_file("row 1: found null in column 'samples'",
                          with_column("samples", [[1e-3, None], *samples[1:]], numbers))
        self.refused_file("row 4: found null in column 'seconds'",
                          with_column("seconds", [1, 1, None, None], pyarrow.float64()))
        self.refused_file("row 1: found null in column 'dag'", with_column("dag", [None] * 4, texts))
        self.refused_file("found string in column 'seconds', expected double",
                          with_column("seconds", ["fast"] * 4, texts))
        self.refused_file("in column 'samples', expected list", with_column("samples", [1] * 4, pyarrow.int64()))


if __name__ == "__main__":
    unittest.main()
