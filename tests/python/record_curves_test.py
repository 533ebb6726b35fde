"""The script that records the curves of searches, on tiny tasks: resumed, repeated, read again."""
import gzip
import json
import os
import shlex
import signal
import subprocess
import sys
import unittest

from harness import PROGRAM, ROOT, PackageTest, ProgramTest, load_benchmark, schedulegym

SCRIPT = ROOT / "experiments/bench/record_curves.py"
NETWORK = "3 matmul(m=8,n=8,k=8)\n1 softmax(n=4,m=8)\n2 matmul(m=8,n=8,k=8)\n"


class RecordCurvesTest(PackageTest, ProgramTest):
    def begin(self, *words, program=PROGRAM):
        words = ["--networks", self.write("my.net", NETWORK), "--trials", 8, "--agent", "random",
                 "--measure", "analytical", *words]
        command = [sys.executable, SCRIPT, "-o", "out.gz", *map(str, words)]
        # As a shell starts what is to run in the background: SIGINT is ignored.
        return subprocess.Popen(
            ["sh", "-c", 'trap "" INT; exec "$@"', "sh", *command], stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, cwd=self.folder, start_new_session=True,
            env={**os.environ, "SCHEDULEGYM_PROGRAM": str(program)})

    def call(self, *words, **more):
        process = self.begin(*words, **more)
        said, complaint = process.communicate()
        return subprocess.CompletedProcess(words, process.returncode, said, complaint)

    def record(self, *words, **more):
        done = self.call(*words, **more)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout, self.parse(gzip.decompress((self.folder / "out.gz").read_bytes())
                                       .decode())

    def test_each_task_is_searched_with_each_seed(self):
        said, curves = self.record()
        self.assertEqual([(c["task"], c["seed"]) for c in curves],
                         [(t, s) for t in ("matmul(m=8,n=8,k=8)", "softmax(n=4,m=8)")
                          for s in (0, 1)])
        self.assertEqual({c["measure"] for c in curves}, {"analytical"})
        self.assertIn("4 curves of 2 tasks", said)
        self.assertEqual(len(self.record("--tasks", 1, "--seeds", 1)[1]), 1)

    def test_large_tasks_can_be_left_out(self):
        large = self.write("large.net", "1 matmul(m=1000,n=1000,k=1000)\n1 softmax(n=4,m=8)\n")
        _, curves = self.record("--networks", large, "--tasks", 1, "--seeds", 1, "--most-gflop", 1)
        self.assertEqual([c["task"] for c in curves], ["softmax(n=4,m=8)"])

    def test_seconds_of_a_model_follow_from_its_speeds(self):
        _, curves = self.record()
        for curve in curves:
            speed = 1
            for turn in curve["turns"]:
                self.assertAlmostEqual(turn["seconds"], 0.5 + sum(t[0] for t in turn["trials"]))
                for seconds, *better in turn["trials"]:
                    speed = max([speed, *better])
                    self.assertAlmostEqual(seconds, 0.1 + 30 * curve["reference"] / speed, places=3)

    def test_it_goes_on_after_the_last_search_that_was_over(self):
        self.record()
        whole = (self.folder / "out.gz").read_bytes()
        parts = sorted((self.folder / "out.gz.parts").iterdir())
        self.assertEqual(len(parts), 4)
        parts[1].unlink()
        parts[1].with_suffix(".new").write_text('{"cut')
        said, _ = self.record()
        self.assertEqual(len(said.splitlines()), 2, said)
        self.assertEqual((self.folder / "out.gz").read_bytes(), whole, "it repeats to the byte")
        self.assertEqual(len(self.record()[0].splitlines()), 1)

    def test_parts_of_another_version_are_left_alone(self):
        self.record()
        other = self.write("other", "#!/bin/sh\nif [ \"$1\" = --version ]; then echo another; "
                           f"else exec {shlex.quote(str(PROGRAM))} \"$@\"; fi\n")
        other.chmod(0o755)
        said, curves = self.record(program=other)
        self.assertEqual((len(said.splitlines()), len(curves)), (5, 4), said)
        self.assertEqual(len(list((self.folder / "out.gz.parts").iterdir())), 8)
        self.assertEqual(len(self.record(program=other)[0].splitlines()), 1)

    def test_what_there_is_goes_on_elsewhere(self):
        _, curves = self.record("--parts", "one")
        for curve in curves[:3]:
            curve["tag"] = "known"  # no search says so
        begun = self.folder / "begun.gz"
        begun.write_bytes(gzip.compress("".join(json.dumps(c) + "\n" for c in curves[:3]).encode()))
        said, found = self.record("--parts", "two", "--known", begun)
        self.assertEqual(found, curves)
        self.assertEqual(len(said.splitlines()), 2, said)

    def test_curves_of_another_agent_are_not_taken_over(self):
        self.record("--parts", "one")
        (self.folder / "out.gz").rename(self.folder / "begun.gz")
        said, curves = self.record("--agent", "hill", "--known", "begun.gz", "--tasks", 1)
        self.assertEqual({c["agent"] for c in curves}, {"hill"})
        self.assertEqual(len(said.splitlines()), 3, said)

    def test_when_the_seconds_are_over_what_there_is_is_written(self):
        said, curves = self.record("--seeds", 5000, "--seconds", 1)
        self.assertGreater(len(curves), 0)
        self.assertRegex(said, rf"{len(curves)} curves of 1 tasks in 'out.gz', {10000 - len(curves)} "
                         "searches left")

    def test_a_protocol_is_part_of_what_was_searched(self):
        measured = ("--measure", "host", "--target", "interpreter", "--tasks", 1, "--seeds", 1)
        self.record(*measured)
        said, _ = self.record(*measured, "--protocol", "cpu1(seconds=0.1)")
        self.assertEqual(len(said.splitlines()), 2, "it was searched again")

    def test_an_interrupt_is_told_in_one_line(self):
        process = self.begin("--seeds", 5000)
        process.stdout.readline()  # a search is over
        os.killpg(process.pid, signal.SIGINT)
        _, complaint = process.communicate()
        self.assertEqual(process.returncode, 130, complaint)
        self.assertRegex(complaint, r"^interrupted: [1-9]\d* of 10000 searches are kept; the same "
                         r"command goes on\n$")

    def test_stores_stay_where_they_are_asked_for(self):
        measured = ("--measure", "host", "--target", "interpreter", "--tasks", 1, "--seeds", 1)
        self.record(*measured)
        self.assertEqual(list((self.folder / "out.gz.parts").glob("*.db*")), [])
        _, curves = self.record(*measured, "--parts", "kept", "--keep-stores")
        store, = (self.folder / "kept").glob("*.db*")
        with schedulegym.RecordStore(str(store)) as records:
            self.assertEqual(len(records), sum(len(turn["trials"]) for turn in curves[0]["turns"]))

    def test_two_recordings_are_the_same_to_the_byte(self):
        # The agent of the shipped curves, for so long that its trees are trained and believed.
        words = ("--agent", "ansor(features=ansor,population=64,round=16)", "--trials", 72,
                 "--seeds", 1, "--tasks", 2)
        said, curves = self.record(*words, "--parts", "one")
        first = (self.folder / "out.gz").read_bytes()
        self.assertIn("2 curves of 2 tasks", said)
        self.assertGreater(sum(len(turn["trials"]) for turn in curves[0]["turns"]), 48)
        self.record(*words, "--parts", "two")
        self.assertEqual((self.folder / "out.gz").read_bytes(), first)

    def test_the_model_tells_of_one_target_wherever_it_is_asked(self):
        script = load_benchmark("record_curves")
        for words, expected in (([], None), (["--measure", "analytical"], "vector_bits=256"),
                                (["--measure", "analytical", "--target", "interpreter"], "interpreter")):
            with self.subTest(words):
                options = script.read_options(["-o", "out.gz", *words])
                asked = script.Recorder(options, self.folder).words("mine.dag", 0, "out")
                self.assertEqual("--target" in asked, expected is not None)
                if expected is not None:
                    self.assertIn(expected, asked[asked.index("--target") + 1])

    def test_simulate_reads_them_and_says_whose_they_are(self):
        self.record()
        done = self.run_program("simulate", "--schedulers", "linear", "--curves", "out.gz")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("4 of 4 curves were not measured: speeds are those of analytical",
                      done.stderr)

    def test_bad_input_is_one_line(self):
        torn = self.folder / "torn.gz"
        torn.write_bytes(gzip.compress(b'{"cut'))
        for words, expected in [(["--networks", "nowhere.net"], "nowhere.net"),
                                (["--agent", "nobody"], "nobody"),
                                (["--trials", "0"], "from 1 on"),
                                (["--known", "my.net"], "expected a file of curves"),
                                (["--known", torn], "expected a curve")]:
            done = self.call(*words)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(expected, done.stderr)


if __name__ == "__main__":
    unittest.main()
