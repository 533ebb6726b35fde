"""The search as a user sees it: events, exit codes, Ctrl-C, what the store gives back."""
import json
import os
import re
import signal
import subprocess
import sys
import termios
import time
import unittest

from harness import PROGRAM, ProgramTest, need_success

MATMUL = "matmul(m=64,n=64,k=64)"
# Of a busy machine one core is easier to get.
ONE_CORE = ("--target", "llvm(cores=1)")
INTERPRETED = ("--target", "interpreter")
# Where nothing about measuring is tested: at once, and the same on every machine.
UNSTORED = (*ONE_CORE, "--measure", "analytical")
ESTIMATED = (*UNSTORED, "--store", "schedulegym.db")
# A busy machine may not keep a test for long that asks for no narrow interval.
BRIEF = ("--protocol", "cpu1(seconds=0.2)")
HEX = re.compile(r"[0-9a-f]{32}")

START = ["event", "workload", "task", "target", "agent", "seed", "host", "known", "known_best_seconds"]
TRIAL = ["event", "task", "index", "outcome", "seconds", "gflops", "ratio", "ratio_low",
         "ratio_high", "record", "best_seconds", "elapsed", "verdict", "message", "stderr",
         "reproduce", "best_known_seconds"]
DONE = ["event", "task", "workload", "trials", "ok", "failed", "elapsed", "stopped", "best", "time",
        "failures", "refined", "finalists", "best_known"]
BEST = ["seconds", "gflops", "ratio", "ratio_low", "ratio_high", "trace", "record", "verdict",
        "source", "verified"]


class TuneTest(ProgramTest):
    kept = None  # by `tuned`

    def tune(self, *words, how=ONE_CORE):
        result = self.run_program("tune", *words, *how, "--json")
        events = self.parse(result.stdout)
        if result.returncode == 1:
            need_success(self, [e["outcome"] for e in events if e["event"] == "trial"])
        self.assertEqual(result.returncode, 0, result.stderr)
        return ([e for e in events if e["event"] == "start"],
                [e for e in events if e["event"] == "trial"],
                [e for e in events if e["event"] == "done"])

    def estimate(self, *words):
        """What nobody else's work disturbs."""
        return self.tune(*words, how=UNSTORED if "--store" in words else ESTIMATED)

    def tuned(self):
        """A search of six trials with seed 3, made once; its store and best.trace are here."""
        names = ("schedulegym.db", "best.trace")
        if TuneTest.kept is None:
            events = self.tune(MATMUL, "--trials", "6", "--seed", "3", "--trace-out", "best.trace",
                               *BRIEF)
            TuneTest.kept = events, [(self.folder / name).read_bytes() for name in names]
        events, contents = TuneTest.kept
        for name, content in zip(names, contents):
            (self.folder / name).write_bytes(content)
        return events

    def test_events(self):
        (start,), trials, (done,) = self.tuned()
        self.assertEqual(list(start), START)
        self.assertEqual((start["workload"], start["seed"]), (MATMUL, 3))
        self.assertRegex(start["task"], HEX)
        self.assertEqual([t["index"] for t in trials], list(range(6)))
        for trial in trials:
            self.assertEqual(list(trial), TRIAL)
            self.assertEqual(trial["task"], start["task"])
            self.assertRegex(trial["record"], HEX)
            if trial["outcome"] == "ok":
                self.assertLessEqual(trial["ratio_low"], trial["ratio"])
                self.assertLessEqual(trial["ratio"], trial["ratio_high"])
                # Two flops for each multiply-add.
                self.assertAlmostEqual(trial["gflops"], 2 * 64**3 / trial["seconds"] / 1e9)
            else:
                self.assertIsNone(trial["seconds"])
                self.assertIn(trial["record"], trial["reproduce"])
        self.assertEqual(list(done), DONE)
        self.assertEqual((done["trials"], done["stopped"]), (6, "trials"))
        self.assertEqual(done["ok"] + sum(done["failed"].values()), 6)
        need_success(self, [t["outcome"] for t in trials])
        self.assertEqual(list(done["best"]), BEST)
        self.assertEqual(list(done["time"]), ["propose", "compile", "verify", "measure", "store",
                                              "schedule", "wait", "other", "wait_lock",
                                              "wait_calm", "wait_workers"])
        self.accounted(done)
        best = max((t for t in trials if t["outcome"] == "ok"), key=lambda t: t["ratio"])
        # Six trials may all be slower than the reference; then nothing is measured of it.
        found = best["ratio"] >= 1
        self.assertEqual(done["best"]["source"], "search" if found else "reference")
        self.assertEqual(done["best"]["record"], best["record"] if found else None)
        self.assertTrue(done["best"]["trace"].startswith("trace 1\n"))
        self.assertIsInstance(done["best"]["verified"], bool)

    def accounted(self, done):
        """Phases may overlap; all that is left of the search is waited or other, which is little."""
        parts = {key: done["time"][key] for key in ("wait_lock", "wait_calm", "wait_workers")}
        seconds = sum(done["time"].values()) - sum(parts.values())
        self.assertGreaterEqual(seconds, done["elapsed"] - 0.01)
        self.assertAlmostEqual(sum(parts.values()), done["time"]["wait"])
        self.assertLessEqual(done["time"]["other"], 0.05 * done["elapsed"], done["time"])

    def test_time_beside_a_busy_loop(self):
        with subprocess.Popen([sys.executable, "-c", "while True: pass"]) as busy:
            try:
                result = self.run_program("tune", MATMUL, "--trials", "6", "--seed", "3", "--json",
                                          *ONE_CORE, *BRIEF)
            finally:
                busy.kill()
        self.accounted(self.parse(result.stdout)[-1])

    def test_the_best_is_measured_again(self):
        _, trials, (done,) = self.tune(MATMUL, "--trials", "16", "--finalists", "3", *BRIEF)
        self.assertEqual((len(trials), done["trials"]), (16, 16))
        # In a tenth of the search's time, which is enough for one at least where it is any good.
        self.assertLessEqual(done["finalists"], 3)
        self.succeed("records", "export", "-o", "all.jsonl")
        records = [r for r in self.parse((self.folder / "all.jsonl").read_text()) if "trace" in r]
        traces = [r["trace"] for r in records]
        again = [r for i, r in enumerate(records) if r["trace"] in traces[:i]]
        self.assertGreaterEqual(len(again), done["finalists"])
        for record in again:
            self.assertEqual(record["index"], records[traces.index(record["trace"])]["index"])

    def test_few_trials_have_no_finalists(self):
        _, _, (done,) = self.tuned()
        self.assertEqual(done["finalists"], 0)
        self.assertIn("--finalists", self.refused(2, "tune", MATMUL, "--finalists", "-1"))

    def test_the_same_seed_gives_the_same_candidates(self):
        traces = {}
        for store, seed in (("a.db", 5), ("b.db", 5), ("c.db", 6)):
            trials = self.estimate(MATMUL, "--trials", "3", "--seed", seed, "--store", store)[1]
            traces[store] = [self.succeed("show", MATMUL, *ONE_CORE, "--as", "trace", "--store",
                                          store, "--record", t["record"]) for t in trials]
        self.assertEqual(traces["a.db"], traces["b.db"])
        self.assertNotEqual(traces["a.db"], traces["c.db"])

    def test_a_second_run_goes_on_with_what_is_known(self):
        (first,), trials, _ = self.estimate(MATMUL, "--trials", "4")
        self.assertEqual(first["known"], 0)
        result = self.run_program("tune", MATMUL, *ESTIMATED, "--trials", "3", "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        events = self.parse(result.stdout)
        self.assertRegex(result.stderr, r"(?m)^4 known records of this task, best")
        self.assertEqual(events[0]["known"], 4)
        self.assertEqual([e["index"] for e in events[1:-1]], [0, 1, 2])
        self.assertIn(events[-1]["best"]["record"], [None, *(e["record"] for e in events[1:-1])])
        shown = [self.succeed("show", MATMUL, *ONE_CORE, "--as", "loops", "--record", t["record"])
                 for t in trials + events[1:-1]]
        self.assertEqual(len(set(shown)), 7, "nothing is measured twice")

    def test_a_resumed_search_tells_what_it_found_and_what_is_known(self):
        *_, (first,) = self.estimate(MATMUL, "--agent", "ansor", "--trials", "60")
        result = self.run_program("tune", MATMUL, *ESTIMATED, "--agent", "random", "--trials", "2",
                                  "--seed", "9", "--json", "--trace-out", "best.trace", "--picture",
                                  "a.svg")
        self.assertEqual(result.returncode, 0, result.stderr)
        start, *trials, done = self.parse(result.stdout)
        best = first["best"]
        self.assertEqual(start["known_best_seconds"], best["seconds"])
        self.assertEqual({t["best_known_seconds"] for t in trials}, {best["seconds"]})
        self.assertGreater(done["best"]["seconds"], best["seconds"])
        self.assertEqual(done["best_known"], {**best, "source": "known"})
        self.assertEqual((self.folder / "best.trace").read_text(), best["trace"])
        picture = (self.folder / "a.svg").read_text()
        self.assertRegex(picture, r"best known: \d")
        self.assertRegex(picture, r"best of this run: \d")
        text = self.succeed("tune", MATMUL, *ESTIMATED, "--agent", "random", "--trials", "2", "--seed", "8")
        self.assertRegex(text, r"(?m)^  best of this run  \d")
        self.assertRegex(text, r"(?m)^  best known        \d.*, of an earlier search$")
        self.assertIn(f"  record  {best['record']}\n", text)

    def test_a_networks_latency_is_one(self):
        self.write("a.net", f"3 {MATMUL}\n2 softmax(n=64,m=64)\n")
        words = ("tune", "a.net", *ESTIMATED, "--picture", "a.svg")
        first = self.events(*words, "--trials", "64")[-1]
        *others, network = self.events(*words, "--trials", "2", "--agent", "random", "--seed", "9")
        done = [e for e in others if e["event"] == "done"]
        for key, found in (("latency", "best_known"), ("latency_of_run", "best")):
            self.assertAlmostEqual(network[key], sum(
                count * e[found]["seconds"] for count, e in zip((3, 2), done)), delta=1e-12)
        self.assertEqual(network["latency"], first["latency"])
        self.assertGreater(network["latency_of_run"], network["latency"])
        result = self.run_program(*words, "--trials", "2", "--agent", "random", "--seed", "7")
        told = re.search(r"(?m)^network of 2 tasks: latency (.*) known, .* of this run$", result.stdout)[1]
        self.assertRegex(result.stdout, rf"(?m)^ +all, by count +{told} ")
        self.assertIn(f"best known: {told}<", (self.folder / "a.svg").read_text())

    def test_a_space_that_earlier_searches_used_up_is_no_failure(self):
        self.write("small.dag", "input A[2]\nB[i:2] = A[i] * 2.0\n")
        words = ("tune", "small.dag", *INTERPRETED, *BRIEF, "--agent", "random(retries=200)")
        first = self.events(*words)[-1]
        self.assertEqual(first["stopped"], "exhausted")
        again = self.events(*words)[-1]
        self.assertEqual((again["stopped"], again["trials"]), ("exhausted", 0))
        # Of some 10 ns no timing tells which is faster: where the reference was, it is the answer.
        if again["best"] is not None:
            self.assertEqual(again["best"]["source"], "reference")

    def test_people_read_progress_on_stderr_and_the_result_on_stdout(self):
        words = ("tune", MATMUL, *ESTIMATED, "--trials", "2")
        result = self.run_program(*words)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn(f"tuning {MATMUL}", result.stderr)
        self.assertIn("stopped: trials", result.stdout)
        self.assertIn("trace 1", result.stdout)
        self.assertEqual(self.run_program(*words, "--seed", "1", "--quiet").stderr, "")

    def test_seconds_end_a_search(self):
        # Which begins at once, as workers do not.
        (done,) = self.tune("matmul(m=8,n=8,k=8)", "--seconds", "1", *BRIEF, how=INTERPRETED)[2]
        self.assertEqual(done["stopped"], "seconds")
        self.assertGreaterEqual(done["trials"], 1)
        self.assertIn("stopped: seconds, cut short\n",
                      self.succeed("tune", MATMUL, *ESTIMATED, "--agent", "random",
                                   "--seconds", "0.2"))

    def test_a_network_weighs_its_tasks(self):
        self.write("two.dag", "param n = 8\ninput A[n]\nB[i:n] = A[i] * 2.0\n")
        self.write("a.net", f"# a comment\n3 {MATMUL}\n2 two.dag(n=512)\n1 {MATMUL}\n")
        events = self.events("tune", "a.net", "--trials", "8", *ESTIMATED)
        done = [e for e in events if e["event"] == "done"]
        self.assertEqual(len(done), 2, "equal tasks are one")
        (network,) = [e for e in events if e["event"] == "network"]
        self.assertEqual(list(network), ["event", "latency", "tasks", "trials", "elapsed",
                                         "stopped", "latency_of_run"])
        self.assertEqual(network["latency"], network["latency_of_run"])
        self.assertEqual(network["stopped"], "trials")
        self.assertEqual((network["tasks"], network["trials"]), (2, 8))
        counts = {MATMUL: 4, "two.dag(n=512)": 2}
        self.assertAlmostEqual(network["latency"], sum(
            counts[e["workload"]] * e["best"]["seconds"] for e in done), delta=1e-12)

    def write_layers(self):
        """Two alike, one of which makes nearly all of the work, and one that is not."""
        self.write("layers.net", "1 matmul(m=96,n=96,k=96)\n2 matmul(m=16,n=16,k=16)\n"
                                 "1 softmax(m=16,n=16)\n")

    def test_the_gradient_scheduler_shares_trials_among_a_networks_tasks(self):
        self.write_layers()
        words = ("tune", "layers.net", "--trials", "24", *ESTIMATED, "--scheduler")
        events = self.events(*words, "gradient")
        first = [e for e in events if e["event"] == "done"]
        # A round each to warm up: 24 / 3.
        self.assertEqual([e["trials"] for e in first], [8, 8, 8])
        events = self.events(*words, "gradient", "--seed", "1")
        done = [e for e in events if e["event"] == "done"]
        trials = [e["trials"] for e in done]
        self.assertEqual(sum(trials), 24)
        self.assertEqual(trials[0], max(trials), "it has 216 times the work")
        self.assertIsNotNone(events[-1]["latency"], "what is known counts")

    def test_what_a_scheduler_learned_is_where_the_next_search_starts(self):
        self.write_layers()
        words = ("tune", "layers.net", "--trials", "24", *ESTIMATED, "--scheduler")
        result = self.run_program(*words, "swucb", "--save-model", "learned")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("what was learned (boosted 1, swucb 1)", result.stderr)
        result = self.run_program(*words, "swucb(model=learned)", "--agent",
                                  "ansor(model=learned)")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.write("fewer.net", "1 matmul(m=96,n=96,k=96)\n1 softmax(m=16,n=16)\n")
        self.assertIn("it is of other tasks: found 3, expected the same 2", self.refused(
            2, "tune", "fewer.net", *ESTIMATED, "--scheduler", "swucb(model=learned)"))
        self.assertIn("for several tasks a scheduler: gradient, swucb", self.refused(
            2, "tune", "layers.net", *ESTIMATED, "--agent", "random", "--scheduler", "dynatune",
            "--save-model", "learned"))

    def test_patience_ends_a_search(self):
        self.write_layers()
        events = self.events("tune", "layers.net", "--trials", "500", *ESTIMATED, "--scheduler",
                             "gradient(task_patience=1)", "--seconds", "100")
        done = [e for e in events if e["event"] == "done"]
        self.assertEqual({e["stopped"] for e in done}, {"stagnated"})

    def test_people_read_a_table_of_tasks(self):
        self.write_layers()
        words = ("tune", "layers.net", "--trials", "6", *ESTIMATED)
        result = self.run_program(*words)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r"(?m)^  id  task +latency +share +speed +trials$")
        self.assertRegex(result.stdout, r"(?m)^   1  matmul\(m=16,n=16,k=16\) .* 2$")
        self.assertRegex(result.stdout, r"\Anetwork of 3 tasks: latency (\d|unknown)")
        self.assertNotIn("trace 1", result.stdout)
        self.assertEqual(self.succeed(*words, "--verbose", "--seed", "1").count("    trace 1\n"), 3)
        single = self.succeed("tune", MATMUL, "--trials", "1", *ESTIMATED)
        self.assertNotIn("  id  task", single)

    def on_terminal(self, *words):
        """What a call writes to a terminal as its stderr, and to stdout."""
        master, slave = os.openpty()
        termios.tcsetwinsize(slave, (40, 90))
        shown = b""
        with open(self.folder / "out", "w+") as out:
            with subprocess.Popen([PROGRAM, *words], cwd=self.folder, stdout=out, stderr=slave):
                os.close(slave)
                try:
                    while part := os.read(master, 4096):
                        shown += part
                except OSError:  # so Linux ends it
                    os.close(master)
            out.seek(0)
            return shown.decode(), out.read()

    def test_on_a_terminal_the_line_names_task_share_and_latency(self):
        self.write_layers()
        shown, _ = self.on_terminal("tune", "layers.net", "--trials", "1000000", "--seconds", "2",
                                    "--agent", "random", *UNSTORED)
        self.assertRegex(shown, r"\x1b\[Ktune \d+/1000000, .*latency \d\S* [mun]s, \w+\([^ ]*\) \d+\.\d %")

    def test_on_a_terminal_the_table_is_redrawn(self):
        self.write_layers()
        words = ("tune", "layers.net", "--trials", "40", "--agent", "random", *ESTIMATED)
        shown, _ = self.on_terminal(*words)
        self.assertIn("  next\r\n", shown)
        self.assertIn("  <--\r\n", shown)
        # Three tasks, the titles and the line for all.
        self.assertIn("\r\x1b[5A\x1b[J", shown)
        shown, out = self.on_terminal(*words, "--json", "--seed", "1")
        self.assertNotIn("\x1b[5A", shown, "where events may stand between")
        self.assertEqual(self.parse(out)[-1]["event"], "network")
        self.assertEqual(self.on_terminal(*words, "--quiet", "--seed", "2")[0], "")

    def test_dpansor_says_what_its_descent_gained(self):
        words = (MATMUL, "--agent", "dpansor(k=6, agent=random)", "--trials", "12")
        (done,) = self.estimate(*words)[2]
        refined = done["refined"]
        self.assertEqual(list(refined), ["gain", "trials", "after", "agent"])
        self.assertGreaterEqual(refined["gain"], 1)
        self.assertEqual((refined["trials"], refined["after"], refined["agent"]), (6, 6, "random"))
        # The store has what is asked for: all trials of a second run are the descent's.
        (done,) = self.estimate(*words)[2]
        self.assertEqual(done["refined"]["trials"], done["trials"])
        result = self.succeed("tune", *words, *ESTIMATED, "--seed", "1")
        line = r"(?m)^  droplet \S.* of the best after \d+ trials of random, by \d+"
        self.assertRegex(result, line)
        self.assertIsNone(self.estimate(MATMUL, "--trials", "1")[2][0]["refined"])

    def test_the_last_trials_refine_the_best(self):
        starts, trials, (done,) = self.tune(MATMUL, "--refine", "droplet(trials=5)",
                                            "--trials", "9", *BRIEF)
        self.assertEqual((len(starts), starts[0]["agent"]), (1, "ansor"))
        need_success(self, [t["outcome"] for t in trials[:4]])
        first = [t for t in trials[:4] if t["outcome"] == "ok"]
        self.assertEqual([t["index"] for t in trials], list(range(9)))
        self.assertEqual((done["trials"], done["stopped"]), (9, "trials"))
        refined = done["refined"]
        self.assertEqual((refined["trials"], refined["after"], refined["agent"]), (5, 4, "ansor"))
        self.assertGreaterEqual(refined["gain"] or 1, 1)
        # What it begins with is the best of the first four.
        best = max(first, key=lambda t: t["ratio"])
        traces = [self.succeed("show", MATMUL, *ONE_CORE, "--as", "trace", "--record", t["record"])
                  for t in (best, trials[4])]
        self.assertEqual(traces[0], traces[1])
        self.assertNotEqual(trials[4]["ratio"], best["ratio"], "it is measured anew")

    def test_refining_a_network_begins_with_its_largest_part(self):
        self.write_layers()
        words = ("layers.net", "--refine", "droplet(trials=12)", "--trials", "24")
        _, trials, done = self.estimate(*words)
        self.assertEqual(len(done), 3)
        self.assertEqual(sum(e["trials"] for e in done), len(trials))
        refined = {e["task"]: e["refined"]["trials"] for e in done if e["refined"]}
        self.assertEqual(sum(refined.values()), len(trials) - 12)
        self.assertEqual(trials[12]["task"], done[0]["task"], "it has 216 times the work")
        result = self.succeed("tune", *words, *ESTIMATED, "--seed", "1")
        line = r"(?m)^  droplet \S.* of the best after 4 trials of ansor, by \d+"
        self.assertRegex(result, line)

    def replay(self, *words):
        """How a schedule was measured again, unless noise hides it."""
        result = self.run_program("replay", MATMUL, *words, *ONE_CORE, *BRIEF, "--json")
        done = self.parse(result.stdout)[-1]
        if result.returncode == 1:
            need_success(self, done["failed"])
        self.assertEqual(result.returncode, 0, result.stderr)
        return done

    def test_the_store_is_what_show_replay_and_records_read(self):
        _, trials, (done,) = self.tuned()
        best = done["best"]
        need_success(self, [t["outcome"] for t in trials])
        fastest = max((t for t in trials if t["outcome"] == "ok"), key=lambda t: t["ratio"])
        (shown,) = self.events("show", MATMUL, "--as", "trace", *ONE_CORE)
        self.assertEqual(shown["text"].strip(), best["trace"].strip())
        self.assertEqual(shown["source"], best["source"])
        (item,) = self.events("records", "best")
        self.assertEqual(item["record"], fastest["record"])
        replayed = self.replay()
        self.assertEqual(list(replayed), [*DONE, "reproduced"])
        self.assertEqual(replayed["best"]["record"], fastest["record"])
        self.assertGreater(replayed["best"]["seconds"], 0)
        self.write("best.trace", best["trace"])
        again = self.replay("--trace", "best.trace")
        self.assertEqual(again["ok"], 1)

    def test_trace_out_is_the_best_trace(self):
        (done,) = self.tuned()[2]
        self.assertEqual((self.folder / "best.trace").read_text(), done["best"]["trace"])

    def test_a_saved_model_is_where_the_next_search_starts(self):
        space = ("--space", "ansor", "--trials", "20")
        self.estimate(MATMUL, *space, "--agent", "ansor", "--save-model", "model.json")
        (start,), trials, (done,) = self.estimate(
            MATMUL, *space, "--agent", "ansor(model=model.json)", "--store", "other.db")
        self.assertEqual(start["agent"], "ansor(model=model.json)")
        self.assertEqual((done["trials"], len(trials)), (20, 20))
        # As an earlier build wrote it.
        self.write("old.json", (self.folder / "model.json").read_text().split("\n", 1)[1])
        self.estimate(MATMUL, *space, "--agent", "ansor(model=old.json)", "--store", "old.db")
        # One of another version of the features, as a later build would write it.
        model = (self.folder / "model.json").read_text()
        self.assertIn('"ansor 1, estimate 2"', model)
        self.write("other.json", model.replace("ansor 1, ", "ansor 0, "))
        self.assertIn("expected 182 features 'ansor 1, estimate 2'",
                      self.refused(2, "tune", MATMUL, "--agent", "ansor(model=other.json)"))

    def test_an_interrupted_search_saves_its_model(self):
        returned, _ = self.interrupt(signal.SIGINT, "--space", "ansor", "--agent", "ansor",
                                     "--save-model", "model.json", trials=20, how=ESTIMATED)
        self.assertEqual(returned, 130)
        kind, model = (self.folder / "model.json").read_text().split("\n", 1)
        self.assertEqual(kind, "schedulegym memory: boosted 1")
        self.assertEqual(json.loads(model)["learner"]["learner_model_param"]["num_feature"], "182")

    def interrupt(self, number, *words, trials=3, how=ONE_CORE):
        """Sends a signal after some trials; the exit code and the events."""
        process = subprocess.Popen(
            [PROGRAM, "tune", MATMUL, *how, "--trials", "100000", "--json", *words],
            cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        lines = [process.stdout.readline() for _ in range(1 + trials)]
        process.send_signal(number)
        # By the same stream: several lines may have come at once.
        rest = process.stdout.read()
        process.stdout.close()
        return process.wait(timeout=60), self.parse("".join(lines) + rest)

    def test_interrupts_print_the_best_so_far(self):
        self.need_llvm()
        for number, code, how in ((signal.SIGINT, 130, (*ONE_CORE, *BRIEF)),
                                  (signal.SIGTERM, 143, ESTIMATED)):
            with self.subTest(signal=number):
                returned, events = self.interrupt(number, how=how)
                self.assertEqual(returned, code)
                self.assertEqual(events[-1]["event"], "done")
                self.assertEqual(events[-1]["stopped"], "interrupted")
                self.assertEqual(events[-1]["trials"],
                                 sum(e["event"] == "trial" for e in events))

    def test_an_interrupt_reaches_a_fit(self):
        self.write_layers()
        process = subprocess.Popen(
            [PROGRAM, "tune", "layers.net", *ESTIMATED, "--agent", "random", "--trials", "96",
             "--scheduler", "dynatune(curve_model=nine,steps=1000000)", "--json"], cwd=self.folder,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        lines = [process.stdout.readline() for _ in range(3 + 3 * 16)]  # a slot of each task
        time.sleep(0.5)
        begin = time.monotonic()
        process.send_signal(signal.SIGINT)
        rest = process.stdout.read()
        process.stdout.close()
        self.assertEqual(process.wait(timeout=60), 130)
        self.assertLess(time.monotonic() - begin, 5)
        events = self.parse("".join(lines) + rest)
        self.assertEqual(sum(e["event"] == "trial" for e in events), 3 * 16)
        self.assertEqual({e["stopped"] for e in events if e["event"] == "done"}, {"interrupted"})

    def test_a_scheduler_says_what_it_fitted(self):
        self.write_layers()
        words = ("tune", "layers.net", *ESTIMATED, "--agent", "random", "--trials", "96")
        (told,) = [e for e in self.events(*words, "--scheduler", "dynatune(slot=trials(n=16))")
                   if e["event"] == "scheduler"]
        self.assertEqual(told["scheduler"], "dynatune(slot=trials(n=16))")
        self.assertGreaterEqual(told["fits"], 3)
        self.assertGreaterEqual(told["fits"], told["fallbacks"])
        self.assertGreater(told["seconds"], 0)
        self.assertRegex(self.succeed(*words), r"(?m)^scheduler round_robin: chose for ")

    def test_a_record_is_durable_before_its_trial_is_printed(self):
        process = subprocess.Popen(
            [PROGRAM, "tune", MATMUL, *ESTIMATED, "--trials", "100000", "--json"], cwd=self.folder,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        events = [json.loads(process.stdout.readline()) for _ in range(4)]
        process.kill()
        process.communicate(timeout=60)
        for trial in events[1:]:
            if trial["outcome"] == "ok":
                self.succeed("show", MATMUL, *ONE_CORE, "--as", "trace", "--record",
                             trial["record"])


if __name__ == "__main__":
    unittest.main()
