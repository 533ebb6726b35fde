"""Files that strangers made: one line, exit code 2, and no waiting; and signals, whatever is done."""
import gzip
import json
import os
import resource
import signal
import subprocess
import time
import unittest

import foreign_table
from harness import PROGRAM, ProgramTest

MATMUL = "matmul(m=8,n=8,k=8)"
TARGET = ("--target", "llvm(cores=1)")


def readers(path):
    """Every command that reads a file that a user names, as a word or as an option."""
    return [("tune", f"{path}.dag"), ("tune", f"{path}.net"), ("show", f"{path}.dag", "--as", "dag"),
            ("show", MATMUL, "--as", "loops", "--trace", path), ("table", "show", path),
            ("table", "show", "t4.json", "--input", path), ("records", "import", path), ("show-tree", path),
            ("tune", MATMUL, "--agent", f"ansor(model={path})"),
            ("tune", MATMUL, "--agent", f"harl(model={path})"),
            ("tune", MATMUL, "--agent", f"harl(checkpoint={path})"),
            ("tune", MATMUL, "--agent", f"harl(policy={path})"),
            ("train", f"harl(policy={path})", "--workloads", MATMUL, "-o", "learned.sgp"),
            ("tune", MATMUL, "--scheduler", f"swucb(model={path})"),
            ("tune", MATMUL, "--scheduler", f"gradient(model={path})"),
            ("simulate", "--schedulers", "linear", "--curves", path),
            ("records", "best", "--store", path), ("tune", MATMUL, "--store", path)]


def computed_by_children():
    """Seconds of a processor that programs which ended took."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class UntrustedFilesTest(ProgramTest):
    def setUp(self):
        super().setUp()
        foreign_table.write(self.folder / "t4.json")

    def refuse_all(self, name, *expected):
        for suffix in (".dag", ".net"):
            os.symlink(self.folder / name, self.folder / f"{name}{suffix}")
        for words in readers(name):
            with self.subTest(words=words):
                line = self.refused_in_time(*words)
                self.assertTrue(any(one in line for one in expected), line)

    def refused_in_time(self, *words, **options):
        """Two seconds of computing, whatever is read; how long that takes is up to who else computes."""
        begin, computed = time.monotonic(), computed_by_children()
        line = self.refused(2, *words, **options)
        self.assertLess(computed_by_children() - computed, 2)
        self.assertLess(time.monotonic() - begin, 30)
        return line

    def test_fifos(self):
        os.mkfifo(self.folder / "fifo")
        self.refuse_all("fifo", "it is a FIFO", "is no file")

    def test_folders(self):
        (self.folder / "folder").mkdir()
        self.refuse_all("folder", "Is a directory", "is no file")

    def test_devices(self):
        os.symlink("/dev/zero", self.folder / "zero")
        self.refuse_all("zero", "it is a device", "is no file")

    def test_files_of_gigabytes(self):
        """Of holes: they are refused for their size, unread."""
        for name, size in (("large", 3 << 30), ("lines", 1 << 40)):
            with open(self.folder / name, "wb") as file:
                file.truncate(size)
        for words in readers("large"):
            if "import" in words or "--store" in words:
                continue
            if words[1].startswith("large."):
                os.rename(self.folder / "large", self.folder / words[1])
            with self.subTest(words=words):
                self.assertIn("larger than", self.refused_in_time(*words))
            if words[1].startswith("large."):
                os.rename(self.folder / words[1], self.folder / "large")
        self.assertIn("larger than", self.refused_in_time("records", "import", "lines"))
        self.assertIn("not a database", self.refused_in_time("records", "best", "--store", "large"))

    def test_a_pipe_is_a_trace_as_ever(self):
        self.succeed("show", MATMUL, "--as", "loops", "--trace", "-", stdin="trace 1\n")
        line = self.refused_in_time("show", MATMUL, "--as", "loops", "--trace", "-",
                                    stdin="#" * (17 << 20))
        self.assertIn("cannot read standard input: larger than 16 MiB", line)

    def test_brackets_by_the_hundred_thousand(self):
        deep = "[" * 200000 + "]" * 200000
        self.write("deep.json", '{"results": ' + deep + "}")
        self.assertIn("nests deeper than 64 levels", self.refused_in_time("table", "show", "deep.json"))
        self.write("deep.table", '{"schedulegym_table":1,"x":' + deep + "}\n")
        self.assertIn("nests deeper", self.refused_in_time("table", "show", "deep.table"))
        self.assertIn("nests deeper", self.refused_in_time("table", "show", "t4.json",
                                                              "--input", "deep.json"))
        self.assertIn("it is no model", self.refused_in_time("tune", MATMUL, "--agent",
                                                                "ansor(model=deep.json)"))
        self.assertIn("found no search tree", self.refused_in_time("show-tree", "deep.json"))
        self.write("deep.dag", "B[i:4] = " + "(" * 200000)
        self.assertIn("nests too deep", self.refused_in_time("tune", "deep.dag"))

    def test_compressed_tables(self):
        """Read as they are, whatever they are called; what is damaged or large is refused."""
        shown = self.succeed("table", "show", "t4.json")
        content = gzip.compress((self.folder / "t4.json").read_bytes())
        (self.folder / "t4.json").write_bytes(content)
        self.assertEqual(self.succeed("table", "show", "t4.json"), shown)
        for name, damaged, words in (("short", content[:-9], "its compressed data are cut short"),
                                     ("torn", content[:-8] + bytes(8), "its compressed data are torn"),
                                     ("bomb", gzip.compress(bytes(257 << 20), 1), "it holds more than")):
            (self.folder / name).write_bytes(damaged)
            self.assertIn(f"cannot read '{name}': {words}", self.refused_in_time("table", "show", name))

    def test_twenty_thousand_definitions(self):
        self.write("many.dag", "".join(f"B{i}[i:4] = 1\n" for i in range(20000)))
        self.assertIn("many.dag:2002:1: found more than 2000 tensors",
                      self.refused_in_time("tune", "many.dag"))

    def test_a_model_whose_root_is_its_own_child(self):
        tree = {"left_children": [0, -1, -1], "right_children": [2, -1, -1],
                "split_indices": [0, 0, 0], "split_conditions": [1.0, 0.5, 0.5],
                "default_left": [0, 0, 0]}
        for name, key, value, said in (
                ("round", "left_children", [0, -1, -1], "node 0: its child is node 0"),
                ("far", "left_children", [1000000, -1, -1], "its child is node 1000000"),
                ("wide", "split_indices", [1000000, 0, 0], "it asks for column 1000000")):
            tree["left_children"] = [1, -1, -1]
            model = {"learner": {"attributes": {"schedulegym_features": "ansor 1"},
                                 "learner_model_param": {"base_score": "5E-1",
                                                         "num_feature": "164"},
                                 "gradient_booster": {"model": {"trees": [{**tree, key: value}]}}}}
            self.write(name, json.dumps(model))
            with self.subTest(model=name):
                line = self.refused_in_time("tune", MATMUL, "--agent", f"ansor(model={name})")
                self.assertIn(f"cost model '{name}': tree 0, node 0: ", line)
                self.assertIn(said, line)

    def test_what_steers_a_terminal_is_not_passed_on(self):
        self.write("steer.dag", "B[i:4] = \x1b[2J\n")
        self.assertNotIn("\x1b", self.refused_in_time("tune", "steer.dag"))


class SignalTest(ProgramTest):
    def start(self, *words, **options):
        process = subprocess.Popen([PROGRAM, *words], cwd=self.folder, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True, **options)
        self.addCleanup(process.kill)
        return process

    def end(self, process, number):
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
        return process.returncode, out, err

    def test_one_signal_ends_what_waits_for_its_input(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            process = self.start("show", MATMUL, "--as", "loops", "--trace", "-",
                                 stdin=subprocess.PIPE)
            time.sleep(0.5)
            with self.subTest(number=number):
                self.assertEqual(self.end(process, number)[0], 128 + number)


if __name__ == "__main__":
    unittest.main()
