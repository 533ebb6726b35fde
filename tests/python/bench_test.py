"""What bench tunes, times and prints."""
import signal
import subprocess
import unittest

from harness import PROGRAM, ROOT, ProgramTest

MATMUL = "matmul(m=64,n=64,k=64)"
SMALL = "matmul(m=24,n=16,k=8)"
TINY = "matmul(m=8,n=8,k=8)"
SOFTMAX = "softmax(n=4,m=4)"
# No vendors, and rows that are timed briefly: ours alone, fast.
BRIEF = ("--peers", "", "--protocol", "cpu1(seconds=0.2,final_seconds=0.2,final_rounds=15)")
ALONE = (*BRIEF, "--target", "llvm(cores=1)", "--processes", "1")
# Where nothing about kernels is tested.
INTERPRETED = (*BRIEF, "--target", "interpreter", "--processes", "1")
ROW = ["event", "workload", "cores", "seconds", "gflops", "peers", "ratio", "ratio_low",
       "ratio_high", "peak_gflops", "peak_fraction"]


class BenchTest(ProgramTest):
    kept = None  # by `tuned`

    def bench(self, *words, how=INTERPRETED):
        return self.events("bench", *words, *how)

    def tuned(self):
        """What a bench of two cases with four trials each told, made once; its store is here."""
        store = self.folder / "schedulegym.db"
        if BenchTest.kept is None:
            events = self.bench(TINY, SOFTMAX, "--trials", 4, how=ALONE)
            BenchTest.kept = events, store.read_bytes()
        events, content = BenchTest.kept
        store.write_bytes(content)
        return events

    def trials(self, events):
        """How many of each workload, as `done` tells."""
        return {e["workload"]: e["trials"] for e in events if e["event"] == "done"}

    def rows(self, events):
        return [e for e in events if e["event"] == "row"]

    def test_rows_and_a_summary(self):
        events = self.tuned()
        rows = self.rows(events)
        self.assertEqual([r["workload"] for r in rows], [TINY, SOFTMAX])
        for row in rows:
            self.assertEqual(list(row)[:len(ROW)], ROW)
            self.assertEqual(row["peers"], {})
            self.assertEqual(row["plain_peers"], {})
            self.assertIsNone(row["ratio"])
            self.assertIsNone(row["ratio_plain"])
            self.assertGreater(row["seconds"], 0)
        self.assertEqual([r["group"] for r in rows], ["matmul", "softmax"])
        self.assertEqual(list(events[-1])[:4], ["event", "rows", "geomean_ratio", "elapsed"])
        self.assertEqual(events[-1]["rows"], 2)
        self.assertEqual(set(events[-1]["groups"]), {"matmul", "softmax"})

    def test_each_case_has_all_the_trials_and_then_no_more(self):
        first = self.tuned()
        self.assertEqual(self.trials(first), {TINY: 4, SOFTMAX: 4})
        for row in self.rows(first):
            self.assertEqual(row["trials"], 4)
            self.assertGreater(row["search_seconds"], 0)
            self.assertAlmostEqual(row["trials_per_second"], 4 / row["search_seconds"])
        self.assertGreater(first[-1]["trials_per_second"], 0)

        again = self.bench(TINY, SOFTMAX, "--trials", 4, how=ALONE)
        self.assertEqual(self.trials(again), {}, "the store had them")
        self.assertEqual([r["trials"] for r in self.rows(again)], [4, 4])
        self.assertTrue(all(r["search_seconds"] > 0 for r in self.rows(again)))

        more = self.bench(TINY, SOFTMAX, "--trials", 6, how=ALONE)
        self.assertEqual(self.trials(more), {TINY: 2, SOFTMAX: 2}, "the rest alone")

    def test_only_trials_of_the_same_agent_count(self):
        self.bench(TINY, "--trials", 4)
        other = self.bench(TINY, "--trials", 4, "--agent", "random(retries=50)")
        self.assertEqual(self.trials(other), {TINY: 4})
        self.assertEqual(self.rows(other)[0]["trials"], 8, "the best is that of all")

    def test_a_case_named_twice_is_tuned_once(self):
        events = self.bench(TINY, TINY, "--trials", 4)
        self.assertEqual(self.trials(events), {TINY: 4})
        self.assertEqual(len(self.rows(events)), 2)

    def test_without_trials_the_stores_best_is_timed(self):
        self.tuned()
        events = self.bench(TINY, SMALL, "--trials", 0, how=ALONE)
        self.assertEqual({e["event"] for e in events}, {"row", "summary"})
        tuned, untuned = self.rows(events)
        # Where four trials found nothing faster, the reference is the best.
        self.assertRegex(tuned["origin"], "^(record [0-9a-f]{32}|reference)$")
        self.assertEqual(tuned["trials"], 4)
        self.assertEqual(untuned["origin"], "reference")
        self.assertIsNone(untuned["trials"])
        self.assertIsNone(untuned["search_seconds"])
        self.assertGreater(untuned["seconds"], 0)

    def test_an_interrupted_bench_goes_on_where_it_was(self):
        words = ["bench", TINY, SOFTMAX, *INTERPRETED, "--json"]
        process = subprocess.Popen([PROGRAM, *words, "--trials", "100000"], cwd=self.folder,
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        lines = [process.stdout.readline() for _ in range(4)]
        process.send_signal(signal.SIGINT)
        lines.append(process.stdout.read())
        process.stdout.close()
        self.assertEqual(process.wait(timeout=60), 130)
        events = self.parse("".join(lines))
        self.assertEqual(events[-1]["event"], "summary")
        self.assertEqual(events[-1]["rows"], 0)
        done = self.trials(events)
        self.assertEqual(list(done), [TINY], "the second was not begun")
        rest = self.bench(TINY, SOFTMAX, "--trials", done[TINY] + 3)
        self.assertEqual(self.trials(rest), {TINY: 3, SOFTMAX: done[TINY] + 3})

    def test_large_cases_are_left_out_and_named(self):
        # 524288 and 6144 operations.
        events = self.bench(MATMUL, SMALL, "--trials", 0, "--most-gflop", 0.0001)
        self.assertEqual([r["workload"] for r in self.rows(events)], [SMALL])
        self.assertEqual(events[-1]["left_out"], [MATMUL])
        line = self.refused(2, "bench", MATMUL, SMALL, "--trials", 0, "--most-gflop", "1e-9")
        self.assertIn("--most-gflop", line)
        self.assertIn("--most-gflop", self.refused(2, "bench", MATMUL, "--most-gflop", "0"))

    def test_the_agent_of_an_only_case_is_made_once(self):
        walker = ROOT / "experiments/agents/walker.py"
        (self.folder / "walker").write_text(f"#!/bin/sh\necho begun >> starts\nexec python3 '{walker}'\n")
        (self.folder / "walker").chmod(0o755)
        events = self.bench(TINY, "--trials", 2, "--agent", 'process(command="./walker")')
        self.assertEqual(self.trials(events), {TINY: 2})
        self.assertEqual((self.folder / "starts").read_text(), "begun\n")

    def test_part_of_a_suite(self):
        events = self.bench("smoke(batch=2,operator=GMM)", "--trials", 0)
        self.assertEqual([r["workload"] for r in self.rows(events)], ["matmul(b=2,m=6,n=11,k=7)"])
        self.assertEqual(list(events[-1]["groups"]), ["GMM"])
        self.assertIn("batch 1 or 16", self.refused(2, "bench", "ansor_ops(batch=4)"))
        self.assertIn("did you mean 'GMM'?", self.refused(2, "bench", "ansor_ops(operator=GM)"))

    def test_rows_are_timed_in_several_processes(self):
        (row,) = self.rows(self.bench(SMALL, "--trials", 0, how=ALONE[:-2]))
        self.assertGreaterEqual(row["processes"], 3)
        (row,) = self.rows(self.bench(SMALL, "--trials", 0, how=ALONE))
        self.assertEqual(row["processes"], 1)
        self.assertIn("--processes", self.refused(2, "bench", SMALL, "--processes", "0"))

    def test_people_read_lines(self):
        text = self.succeed("bench", SMALL, "attention(heads=1,t=4,d=4)", "--trials", "0", *ALONE)
        header, row, other, summary = text.splitlines()[:4]
        self.assertIn("ratio to plain layout", header)
        self.assertTrue(row.startswith(SMALL))
        self.assertIn("no peer", other)
        self.assertTrue(summary.startswith("2 rows, 0 failed"))

    def test_help_says_what_counts_for_each_case(self):
        text = " ".join(self.succeed("bench", "--help").split())
        self.assertIn("how many candidates for each case", text)
        self.assertIn("leaves out cases of more work a call", text)
        self.assertNotIn("--scheduler", text)

    def test_wrong_input_is_refused_before_anything_is_tuned(self):
        for words, expected in [
            (("--peers", "openblass", "--trials", "0"), "did you mean 'openblas'?"),
            (("--agent", "randon"), "did you mean 'random'?"),
            (("--space", "anser"), "did you mean 'ansor'?"),
            (("--protocol", "cpu2"), "cpu1"),
            (("--trials", "-1"), "--trials"),
            (("--seconds", "0"), "--seconds"),
        ]:
            with self.subTest(words=words):
                self.assertIn(expected, self.refused(2, "bench", MATMUL, *words))


if __name__ == "__main__":
    unittest.main()
