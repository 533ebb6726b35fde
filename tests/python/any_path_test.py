"""Paths may have any bytes but NUL: the command and the package work there, and what they print is
UTF-8."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

from harness import PROGRAM, PackageTest, schedulegym as sg

DAG = "input A[8, 8]\nB[i:8, j:8] = A[i, j] + 1.5\n"
NAMES = (b"\xff \xc3", "ü€ 中".encode(), b"-a", b"a\nb\x1b[31m")


class AnyPathTest(PackageTest):
    def folders(self):
        """One for each name."""
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        for name in NAMES:
            folder = os.path.join(place.name.encode(), name)
            os.mkdir(folder)
            yield folder

    def run_in(self, folder, *words):
        done = subprocess.run([PROGRAM, *words], capture_output=True, cwd=folder, timeout=300)
        self.assertEqual(done.returncode, 0, done.stderr)
        for text in (done.stdout, done.stderr):
            self.assertNotIn(b"\xff", text)
            self.assertNotIn(b"\x1b", text)
            text.decode()
        return done.stdout.decode()

    def test_the_command(self):
        for folder in self.folders():
            name = os.path.basename(folder)
            dag = os.path.join(folder, name + b".dag")
            pathlib.Path(os.fsdecode(dag)).write_text(DAG, encoding="utf-8")
            out = {key: os.path.join(folder, key + name)
                   for key in (b"store", b"trace", b"model", b"curves")}
            text = self.run_in(
                folder, "tune", dag, "--measure", "analytical", "--trials", "4", "--agent",
                "ansor(population=16,round=2)", "--store", out[b"store"], "--trace-out",
                out[b"trace"], "--save-model", out[b"model"], "--curves-out", out[b"curves"],
                "--json")
            for line in text.splitlines():
                json.loads(line)
            for key, path in out.items():
                self.assertTrue(os.path.exists(path), key)
            self.run_in(folder, "show", dag, "--trace", out[b"trace"])
            self.run_in(folder, "records", "stats", "--store", out[b"store"])
            self.run_in(folder, "show", "--", name + b".dag")

    def test_the_package(self):
        for folder in self.folders():
            name = os.fsdecode(os.path.join(folder, b"x" + os.path.basename(folder)))
            path = pathlib.Path(name + ".dag")
            path.write_text(DAG, encoding="utf-8")
            texts = [] if "\n" in str(path) else [str(path)]  # what has lines is .dag text
            for workload in (path, sg.Workload(path), *texts):
                self.assertEqual(sg.Task(workload).dag, sg.ComputeDag(DAG))
            self.assertEqual(sg.Workload(path).name, str(path))
            with sg.RecordStore(name + ".db", "w"):
                pass
            self.assertTrue(os.path.exists(name + ".db"))
            with sg.RecordStore(name + ".db"):
                pass
            with self.assertRaises(sg.InputError) as caught:
                sg.Task(pathlib.Path(name + "none.dag"))
            str(caught.exception).encode()
            self.assertIn("none.dag", str(caught.exception))


if __name__ == "__main__":
    unittest.main()
