"""Task schedulers compared on curves, as a user does it."""
import gzip
import json
import signal
import subprocess
import time
import unittest
from xml.etree import ElementTree

from harness import PROGRAM, ProgramTest, need_success

NETWORK = "3 matmul(m=4,n=4,k=4)\n1 softmax(n=4,m=4)\n"
QUICK = "cpu1(rounds=3,min_rounds=2,long_rounds=2,warmup_seconds=0.001)"
DRAWN = ("--curves", "drawn(trials=64)")


class SimulateTest(ProgramTest):
    def record(self, scheduler, *words):
        """What the search said; its curves are in the file `some.curves`."""
        self.write("my.net", NETWORK)
        return self.events("tune", "my.net", "--target", "interpreter", "--agent", "random",
                           "--protocol", QUICK, "--trials", "24", "--scheduler", scheduler,
                           "--curves-out", "some.curves", *words)

    def test_a_recorded_search_leads_the_same_way_again(self):
        events = self.record("gradient")
        need_success(self, [e["outcome"] for e in events if e["event"] == "trial"])
        lines = self.parse((self.folder / "some.curves").read_text())
        self.assertEqual([line["schedulegym_curve"] for line in lines], [1] * len(lines))
        if len(lines) < 2:
            self.skipTest("a task had no success but noise")
        self.assertEqual([line["counts"] for line in lines], [[3], [1]])
        places = sorted((turn["at"], i) for i, line in enumerate(lines) for turn in line["turns"])
        row, summary = self.events("simulate", "--schedulers", "gradient", "--curves", "some.curves",
                                   "--trials", "24")
        self.assertEqual(row["task_names"], [line["task"] for line in lines])
        self.assertEqual(row["order"], [task for _, task in places])
        self.assertEqual(row["trials"], 24)
        self.assertEqual(summary["runs"], 1)

    def test_it_comes_to_the_latency_that_was_recorded(self):
        for scheduler in ("gradient", "linear", "round_robin", "swucb",
                          "dynamic_round_robin(slot=trials(n=8))", "dynatune(slot=trials(n=8))"):
            with self.subTest(scheduler=scheduler):
                (network,) = [e for e in self.record(scheduler, "--measure", "analytical")
                              if e["event"] == "network"]
                lines = self.parse((self.folder / "some.curves").read_text())
                places = sorted((turn["at"], i) for i, line in enumerate(lines)
                                for turn in line["turns"])
                row, _ = self.events("simulate", "--schedulers", scheduler, "--curves",
                                     "some.curves", "--trials", "24")
                self.assertEqual(row["order"], [task for _, task in places])
                self.assertAlmostEqual(row["latency"] / network["latency"], 1, places=9)

    def test_curves_begin_afresh(self):
        self.record("linear")
        events = self.record("linear")
        self.assertEqual({e["trials"] for e in events if e["event"] == "network"}, {24})
        lines = self.parse((self.folder / "some.curves").read_text())
        self.assertEqual(sum(len(t["trials"]) for line in lines for t in line["turns"]), 24)

    def test_the_same_seed_says_the_same(self):
        words = ("simulate", "--schedulers", "dynamic_random,gradient,round_robin", *DRAWN,
                 "--problems", "5", "--seeds", "2")
        first, again = self.events(*words), self.events(*words, "--threads", "1")
        for event in first + again:
            event.pop("deciding")
        self.assertEqual(first, again)
        self.assertEqual(len(first), 5 * 2 * 3 + 3)
        other = self.events(*words, "--seed", "9")
        self.assertNotEqual(first[0]["area"], other[0]["area"])
        rows = [e for e in first if e["event"] == "row"]
        self.assertEqual({(r["problem"], r["seed"]) for r in rows},
                         {(p, s) for p in range(5) for s in range(2)})
        for row in rows:
            self.assertGreaterEqual(row["latency"] / row["oracle_latency"], 0.9)
            self.assertEqual(row["seconds_to_final"][row["scheduler"]] <= row["horizon"], True)

    def test_people_see_a_table(self):
        text = self.succeed("simulate", "--schedulers", "linear,gradient(alpha=0.5,beta=3)", *DRAWN)
        lines = text.splitlines()
        self.assertTrue(lines[0].startswith("scheduler"))
        self.assertTrue(lines[2].startswith("gradient(alpha=0.5,beta=3)"), lines[2])

    def test_pictures_show_what_was_seen_and_what_may_come(self):
        self.record("gradient", "--measure", "analytical", "--picture", "live.svg")
        self.succeed("simulate", "--schedulers", "dynatune,linear", *DRAWN, "--problems", "2",
                     "--picture", "played.svg")
        for name, words in (("live.svg", ("2 tasks, agent random, scheduler gradient",
                                          "0  matmul(m=4,n=4,k=4)")),
                            ("played.svg", ("tasks as dynatune saw them", "oracle: ", "linear: ",
                                            "stroke-dasharray"))):
            text = (self.folder / name).read_text()
            ElementTree.fromstring(text)
            for word in words:
                self.assertIn(word, text)
        self.assertIn("nowhere", self.refused(
            2, "simulate", "--schedulers", "linear", *DRAWN, "--picture", "nowhere/some.svg"))

    def test_compressed_curves_are_read_as_they_are(self):
        self.record("gradient", "--measure", "analytical")
        words = ("simulate", "--schedulers", "linear,gradient", "--trials", "24", "--curves")
        text = (self.folder / "some.curves").read_bytes()
        packed = gzip.compress(text)
        (self.folder / "some.curves.gz").write_bytes(packed)
        plain, same = self.events(*words, "some.curves"), self.events(*words, "some.curves.gz")
        for event in plain + same:
            event.pop("deciding")
        self.assertEqual(same, plain)
        (self.folder / "cut.gz").write_bytes(packed[:-9])
        line = self.refused(2, *words, "cut.gz")
        self.assertIn("cannot read 'cut.gz': its compressed data are cut short, expected recorded "
                      "curves", line)

    def joined(self, *changes):
        """Two recorded tasks, whose lines were changed by these, as the file `joined.curves`."""
        self.record("linear", "--measure", "analytical")
        lines = self.parse((self.folder / "some.curves").read_text())
        self.assertEqual(len(lines), 2)
        for line, change in zip(lines, changes):
            change(line)
        self.write("joined.curves", "".join(json.dumps(line) + "\n" for line in lines))
        return "simulate", "--schedulers", "round_robin,gradient", "--curves", "joined.curves"

    @staticmethod
    def fail_always(line):
        del line["reference"]
        for turn in line["turns"]:
            turn["failures"] = len(turn["trials"])
            turn["trials"] = [[seconds] for seconds, *_ in turn["trials"]]

    def test_searches_of_other_numbers_of_networks_make_no_whole(self):
        words = self.joined(lambda line: None, lambda line: line.update(counts=[1, 2]))
        self.assertEqual(self.refused(2, *words), "error: --curves: found searches of 1 and of 2 "
                         "networks together, expected searches of as many (or --problems N, which "
                         "draws weights)\n")
        self.succeed(*words, "--problems", "2")

    def test_what_was_not_measured_is_named(self):
        done = self.run_program(*self.joined(lambda line: line.update(measure="host")))
        self.assertIn("1 of 2 curves were not measured: speeds are those of analytical",
                      done.stderr)

    def test_a_task_that_never_succeeded_has_no_latency(self):
        words = self.joined(self.fail_always)
        row = self.events(*words, "--trials", "24")[0]
        self.assertEqual((set(row["order"]), row["trials"]), ({0, 1}, 24))
        _, line = self.parse((self.folder / "some.curves").read_text())
        speed = max(trial[1] for turn in line["turns"] for trial in turn["trials"] if trial[1:])
        self.assertAlmostEqual(row["latency"] / (line["reference"] / max(speed, 1)), 1)
        self.assertEqual(self.events(*words, "--problems", "1")[0]["tasks"], 1, "it is left out")
        words = self.joined(self.fail_always, self.fail_always)
        for more in ((), ("--problems", "1")):
            self.assertEqual(self.refused(2, *words, *more), "error: --curves: found no task that "
                             "ever succeeded, expected at least one\n")

    def test_over_nothing_nobody_is_sooner(self):
        events = self.events("simulate", "--schedulers", "linear,round_robin", *DRAWN, "--seconds",
                             "0.000001")
        for event in events[2:]:
            (speed_up,) = event["speed_up"].values()
            self.assertEqual(speed_up, {"times": None, "unreached": 0})

    def test_bad_input(self):
        self.write("old.curves", '{"schedulegym_curve": 0}\n')
        self.write("cut.curves", '{"schedulegym_curve": 1, "search"')
        self.write("other.jsonl", '{"event": "row"}\n')
        for words, expected in [
            (("--schedulers", "gradiant", *DRAWN), "did you mean 'gradient'?"),
            (("--schedulers", "linear,,random", *DRAWN), "expected a name"),
            (("--schedulers", "linear,linear", *DRAWN), "twice"),
            (("--schedulers", "random(slot=seconds(s=0))", *DRAWN), "more than 0 seconds"),
            (("--schedulers", "linear", "--curves", "none.curves"), "none.curves"),
            (("--schedulers", "linear", "--curves", "old.curves"), "old.curves:1: found a curve of version 0"),
            (("--schedulers", "linear", "--curves", "cut.curves"), "cut.curves:1: "),
            (("--schedulers", "linear", "--curves", "other.jsonl"), "tune --curves-out"),
            (("--schedulers", "linear", "--curves", "drawn(trials=0)"), "expected 1 to"),
            (("--schedulers", "linear", "--curves", "drawn(jumps=1)"), "'jumps'"),
            (("--schedulers", "linear", *DRAWN, "--half", "heldout"), "--half"),
            (("--schedulers", "linear", "--half", "heldaut", *DRAWN), "did you mean 'heldout'?"),
            (("--schedulers", "linear", *DRAWN, "--problems", "0"), "--problems"),
            (("--schedulers", "linear", *DRAWN, "--problems", "1000000", "--seeds", "2"), "at most"),
            (("--schedulers", "linear", *DRAWN, "--seconds", "-1"), "--seconds"),
            (("--schedulers", "linear", *DRAWN, "--fit-seconds", "-1"), "--fit-seconds"),
            ((*DRAWN,), "--schedulers"),
        ]:
            with self.subTest(words=words):
                self.assertIn(expected, self.refused(2, "simulate", *words))

    def test_an_interrupt_leaves_what_was_whole(self):
        process = subprocess.Popen(
            [PROGRAM, "simulate", "--schedulers", "gradient", "--curves", "drawn(trials=3000)",
             "--problems", "100000", "--json"], cwd=self.folder, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True)
        process.stderr.readline()  # of progress: it runs
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)
        events = [json.loads(line) for line in output.splitlines()]
        self.assertEqual({e["event"] for e in events}, {"row", "summary"})

    def test_fits_take_simulated_time_where_they_are_to(self):
        def runs(*words):
            row, summary = self.events("simulate", "--schedulers", "dynatune(fit=least_squares)",
                                       *DRAWN, "--problems", "1", "--trials", "380", *words)
            return row, summary
        (free, _), (slow, summary) = runs(), runs("--fit-seconds", "0.5")
        self.assertEqual(runs("--fit-seconds", "0.0")[0]["seconds"], free["seconds"])
        self.assertGreater(free["fits"], 0)
        self.assertEqual(slow["fits"], summary["fits"])
        self.assertGreaterEqual(slow["seconds"], 0.5 * slow["fits"])
        self.assertLess(free["seconds"], slow["seconds"])

    def test_an_old_key_of_dynatune_is_warned_of_once(self):
        words = (*DRAWN, "--problems", "1", "--trials", "20")
        old, new = (self.run_program("simulate", "--schedulers", f"dynatune({key}=pow2,fit=least_squares)", *words)
                    for key in ("belief", "curve_model"))
        self.assertEqual((old.returncode, new.returncode), (0, 0), old.stderr)
        self.assertEqual(old.stderr.count("scheduler: 'belief' is an old name of 'curve_model'"), 1)
        self.assertNotIn("old name", new.stderr)

    def test_an_interrupt_reaches_a_fit(self):
        endless = "dynatune(curve_model=nine,steps=1000000)"
        process = subprocess.Popen(
            [PROGRAM, "simulate", "--schedulers", endless, *DRAWN, "--problems", "1", "--json"],
            cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        with self.assertRaises(subprocess.TimeoutExpired):
            process.wait(timeout=1)
        begin = time.monotonic()
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=60)
        self.assertLess(time.monotonic() - begin, 5)
        self.assertEqual((process.returncode, output), (130, ""))


if __name__ == "__main__":
    unittest.main()
