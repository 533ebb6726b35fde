"""Promises of time, and of never ending with nothing."""
import json
import os
import signal
import subprocess
import time
import unittest

from harness import PROGRAM, ProgramTest, need_success

LARGE = "matmul(m=1024,n=1024,k=1024)"
SMALL = "matmul(m=48,n=32,k=40)"
# What others may take of a busy machine: then no bound on time says anything.
MOST_LOAD = 1.5


class PromisesTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.need_llvm()

    def start(self, *words):
        process = subprocess.Popen([PROGRAM, *map(str, words), "--json"], cwd=self.folder,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def assert_within(self, seconds, begin):
        took = time.monotonic() - begin
        if took > seconds and os.getloadavg()[0] > MOST_LOAD * os.cpu_count():
            self.skipTest(f"{took:.1f} s: others keep the machine busy")
        self.assertLessEqual(took, seconds)

    def done_of(self, *words, codes=(0,)):
        result = self.run_program(*words, "--json")
        self.assertIn(result.returncode, codes, result.stderr)
        return self.parse(result.stdout)[-1]

    def test_seconds_hold_finalists_included(self):
        for workload, seconds in ((SMALL, 2), (LARGE, 4)):
            with self.subTest(workload=workload, seconds=seconds):
                begin = time.monotonic()
                done = self.done_of("tune", workload, "--seconds", seconds, "--trials", 100000,
                                    "--finalists", 5, codes=(0, 1))
                self.assert_within(seconds + 1, begin)
                self.assertEqual(done["stopped"], "seconds")
                self.assertNotIn("cut_off", done["failed"])

    def interrupt(self, after, *words):
        """What `tune` said after SIGINT came so many seconds after its start."""
        process = self.start("tune", *words)
        time.sleep(after)
        begin = time.monotonic()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=100)
        self.assert_within(5, begin)
        self.assertEqual(process.returncode, 130, err)
        return self.parse(out)[-1]

    def test_ctrl_c_cuts_a_long_trial_off(self):
        done = self.interrupt(3, "matmul(m=4096,n=4096,k=4096)")
        self.assertEqual((done["event"], done["stopped"]), ("done", "interrupted"))

    def test_ctrl_c_cuts_the_interpreter_off(self):
        done = self.interrupt(3, "matmul(m=512,n=512,k=512)", "--target", "interpreter")
        self.assertEqual((done["event"], done["stopped"], done["trials"]),
                         ("done", "interrupted", 0))

    def test_sigterm_ends_what_runs_in_the_background(self):
        """Where shells ignore SIGINT; its help says so."""
        self.assertIn("SIGTERM", self.succeed("tune", "--help"))
        process = subprocess.Popen(
            ["/bin/sh", "-c", 'trap "" INT; exec "$@"', "sh", PROGRAM, "tune", SMALL, "--trials",
             "100000", "--json"], cwd=self.folder, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True)
        for _ in range(2):
            process.stdout.readline()
        process.terminate()
        out, _ = process.communicate(timeout=100)
        self.assertEqual(process.returncode, 143)
        self.assertEqual(self.parse(out)[-1]["stopped"], "interrupted")

    def test_without_a_success_the_reference_is_the_best(self):
        done = self.done_of("tune", SMALL, "--seconds", 0.01, "--trace-out", "best.trace", codes=(1,))
        self.assertEqual((done["trials"], done["stopped"]), (0, "seconds"))
        best = done["best"]
        self.assertEqual((best["source"], best["record"], best["seconds"]),
                         ("reference", None, None))
        (shown,) = self.events("show", SMALL, "--as", "trace")
        self.assertEqual(best["trace"], shown["text"])
        self.assertEqual((self.folder / "best.trace").read_text(), shown["text"])

    def succeed_but_for_noise(self, *words):
        done = self.done_of("tune", SMALL, *words, codes=(0, 1))
        need_success(self, ["ok"] * done["ok"] + list(done["failed"]))

    def test_a_best_of_a_search_that_was_cut_short_says_so(self):
        self.succeed_but_for_noise("--seconds", 4, "--trials", 100000)
        note = "the best of a search that was cut short (seconds)"
        for words in (("show", SMALL, "--as", "trace"), ("export", SMALL, "-o", "kernel")):
            result = self.run_program(*words, "--json")
            item = json.loads(result.stdout.splitlines()[0])
            if item["source"] == "reference":
                self.skipTest("nothing that was found is faster than the reference")
            self.assertEqual((item["stopped"], item["cut_short"]), ("seconds", True))
            self.assertIn(note, self.run_program(*words).stderr)
        self.succeed_but_for_noise("--trials", 1)
        (shown,) = self.events("show", SMALL, "--as", "trace")
        self.assertIs(shown["cut_short"], False)


if __name__ == "__main__":
    unittest.main()
