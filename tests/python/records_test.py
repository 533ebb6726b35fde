"""The store as a user sees it: what there is, carried away and back, checked, refused."""
import gzip
import json
import os
import resource
import signal
import sqlite3
import subprocess
import time
import unittest

from harness import NOISE, PROGRAM, ROOT, ProgramTest, need_success

MATMUL = "matmul(m=8,n=8,k=8)"
# Quick, and there in every build.
TARGET = ("--target", "interpreter")
BRIEF = ("--protocol", "cpu1(seconds=0.2)")
# What writes until it is ended, quicker still.
WRITER = ("tune", MATMUL, *TARGET, "--measure", "analytical", "--store", "schedulegym.db",
          "--agent", "random", "--trials", "100000", "--json")
ANSOR = ('{"i": [["[\\"matmul\\", 8]", "llvm", [8, 64], "", 1, []], [[], [["AN", 2, 0, 3]]]], '
         '"r": [[0.001], 0, 2.5, 1617500000], "v": "v0.6"}\n')
AUTOTVM = ('{"input": ["llvm", "dense.x86", [["TENSOR", [8, 8], "float32"]], {}], "config": '
           '{"index": 3, "code_hash": null, "entity": []}, "result": [[0.002], 0, 1.5, 1600000000], '
           '"version": 0.2, "tvm_version": "0.8.0"}\n')


class RecordsTest(ProgramTest):
    kept = None  # by `tune`

    def tune(self, store="schedulegym.db"):
        """The trials of a search that was made once, and its store under that name."""
        if RecordsTest.kept is None:
            result = self.run_program("tune", MATMUL, *TARGET, *BRIEF, "--trials", "4", "--store",
                                      "kept.db", "--json")
            trials = [e for e in self.parse(result.stdout) if e["event"] == "trial"]
            # What noise hid is a record like others.
            self.assertTrue(result.returncode == 0 or {t["outcome"] for t in trials} <= {*NOISE},
                            result.stderr)
            RecordsTest.kept = trials, (self.folder / "kept.db").read_bytes()
            (self.folder / "kept.db").unlink()
        trials, content = RecordsTest.kept
        (self.folder / store).write_bytes(content)
        return trials

    def items(self, *words):
        return {e["name"]: e for e in self.events("records", *words)}

    def export(self, name="all.jsonl", *words):
        self.succeed("records", "export", "-o", name, *words)
        return (self.folder / name).read_text()

    def test_export_and_import_carry_everything(self):
        trials = self.tune()
        text = self.export()
        lines = [json.loads(line) for line in text.splitlines()]
        self.assertEqual([line.get("record") for line in lines[:-1]],
                         [t["record"] for t in trials])
        self.assertEqual(lines[-1]["trailer"]["count"], len(trials))
        for line in lines[:-1]:
            for key in ("v", "record", "task", "trace", "state_key", "agent", "seed", "index",
                        "host", "started", "outcome", "message", "timing", "session", "crc"):
                self.assertIn(key, line)
        item = self.items("import", "all.jsonl", "--store", "other.db")["all.jsonl"]
        self.assertEqual((item["lines"], item["new"], item["known"], item["put_aside"]),
                         (4, 4, 0, 0))
        self.assertTrue(item["trailer"])
        self.assertEqual(self.export("again.jsonl", "--store", "other.db"), text)
        item = self.items("import", "all.jsonl", "--store", "other.db")["all.jsonl"]
        self.assertEqual((item["new"], item["known"]), (0, 4))
        self.assertEqual(self.succeed("records", "best", "--store", "other.db"),
                         self.succeed("records", "best"))
        self.succeed("show", MATMUL, *TARGET, "--as", "loops", "--store", "other.db",
                     "--record", trials[0]["record"])

    def test_a_full_disk_is_one_line_and_loses_nothing(self):
        acknowledged = [t["record"] for t in self.tune()]
        size = (self.folder / "schedulegym.db").stat().st_size

        def fill():
            resource.setrlimit(resource.RLIMIT_FSIZE, (size + 8192, size + 8192))

        result = subprocess.run(
            [PROGRAM, *WRITER], capture_output=True, text=True, cwd=self.folder, timeout=300,
            preexec_fn=fill)
        self.assertEqual(result.returncode, 2, result.stderr)
        events = self.parse(result.stdout)
        self.assertEqual(events[-1]["event"], "error")
        errors = [l for l in result.stderr.splitlines() if l.startswith("error: ")]
        self.assertEqual(len(errors), 1, result.stderr)
        acknowledged += [e["record"] for e in events if e["event"] == "trial"]
        self.items("check")
        kept = {json.loads(line).get("record") for line in self.export().splitlines()}
        self.assertLessEqual(set(acknowledged), kept)

    def test_bad_lines_are_put_aside(self):
        self.tune()
        lines = self.export().splitlines(keepends=True)
        bad = ["garbage\n", lines[1][:100] + "\n", lines[2].replace('"index":', '"index":9')]
        (self.folder / "mixed.jsonl").write_text(
            bad[0] + lines[0] + bad[1] + bad[2] + lines[3] + lines[2])
        result = self.run_program("records", "import", "mixed.jsonl", "--store", "new.db", "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        (item,) = self.parse(result.stdout)
        self.assertEqual((item["new"], item["put_aside"]), (3, 3))
        self.assertEqual([r["line"] for r in item["rejected"]], [1, 3, 4])
        self.assertIn("put aside: line 4: its checksum does not match", result.stderr)
        self.assertEqual((self.folder / "mixed.jsonl.rejected").read_text(), "".join(bad))
        self.assertIsNone(item["trailer"])
        self.assertIn("cut short", result.stderr)

    def interrupt(self, is_under_way, *words):
        """Ends a call by Ctrl-C as soon as it is under way; its exit code and what it said."""
        process = subprocess.Popen([PROGRAM, *words], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, text=True, cwd=self.folder)
        self.addCleanup(process.kill)
        while not is_under_way() and process.poll() is None:
            time.sleep(0.001)
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=60)[1]
        return process.returncode, said

    def test_transfers_end_in_order_and_go_on(self):
        # The signal may come when all is done: then there is to be more to do.
        for count in (20000, 100000):
            store = self.folder / "schedulegym.db"
            store.unlink(missing_ok=True)
            if self.interrupt_transfers(count, store):
                return
        self.skipTest("the machine is too busy to interrupt a call in time")

    def interrupt_transfers(self, count, store):
        """Whether the signals came in time."""
        self.write("many.json", "".join(ANSOR.replace("[0.001]", f"[{n}.5]") for n in range(count)))
        code, said = self.interrupt(lambda: store.exists() and store.stat().st_size > 1 << 17,
                                    "records", "import", "many.json")
        if code == 0:
            return False
        self.assertEqual(code, 130, said)
        self.assertIn("the same command goes on", said)
        item = self.items("import", "many.json")["many.json"]
        self.assertEqual(item["new"] + item["known"], count)
        self.assertGreater(item["known"], 0)
        self.succeed("records", "check")
        self.write("all.jsonl", "as it was")
        code, said = self.interrupt(lambda: list(self.folder.glob("all.jsonl.*")),
                                    "records", "export", "-o", "all.jsonl")
        if code == 0:
            return False
        self.assertEqual(code, 130, said)
        self.assertIn("as it was", said)
        self.assertEqual((self.folder / "all.jsonl").read_text(), "as it was")
        self.assertEqual(list(self.folder.glob("all.jsonl.*")), [])
        return True

    def test_the_best_of_each_task_is_a_file_for_others(self):
        need_success(self, [trial["outcome"] for trial in self.tune()])
        result = self.run_program("tune", "norm(n=4,m=4)", "--trials", "4", "--agent", "random",
                                  *TARGET, *BRIEF, "--json")
        need_success(self, [e["outcome"] for e in self.parse(result.stdout)
                            if e["event"] == "trial"])
        best = self.items("best")
        self.assertEqual(self.items("best", "-o", "best.jsonl"),
                         {"best.jsonl": {"event": "item", "name": "best.jsonl", "records": 2}})
        self.assertEqual(len((self.folder / "best.jsonl").read_text().splitlines()), 3)
        there = ("--store", "there.db")
        item = self.items("import", "best.jsonl", *there)["best.jsonl"]
        self.assertEqual((item["new"], item["trailer"]), (2, True))
        self.assertEqual(self.items("best", *there), best)
        self.assertIn("a file of the store",
                      self.refused(2, "records", "best", "-o", "schedulegym.db"))

    def test_other_systems_records(self):
        self.write("tvm.log", ANSOR + AUTOTVM + ANSOR + "# a comment\n")
        item = self.items("import", "tvm.log")["tvm.log"]
        self.assertEqual(item["foreign"], {"ansor": 1, "autotvm": 1})
        self.assertEqual(set(item["foreign_targets"]), {"ansor", "autotvm"})
        self.assertEqual((item["new"], item["known"], item["put_aside"]), (2, 1, 0))
        self.assertEqual(self.items("stats")["foreign"],
                         {"event": "item", "name": "foreign", "ansor": 1, "autotvm": 1})
        text = self.succeed("records", "stats")
        self.assertIn("1 ansor, 1 autotvm: costs and configurations kept, not replayable", text)
        item = self.items("import", "tvm.log")["tvm.log"]
        self.assertEqual((item["new"], item["known"]), (0, 3))

    def test_another_target_is_named(self):
        line = json.loads(ANSOR)
        line["i"][0][1] = "cuda -keys=cuda,gpu -max_threads_per_block=1024"
        self.write("tenset.json", json.dumps(line) + "\n")
        said = self.succeed("records", "import", "tenset.json")
        self.assertIn("1 of ansor, for cuda: costs and configurations kept, not replayable here", said)
        self.assertEqual(self.items("import", "tenset.json")["tenset.json"]["foreign_targets"], {"ansor": "cuda"})
        self.write("autotvm.json", AUTOTVM)
        self.assertIn("found lines of autotvm for the target llvm",
                      self.refused(2, "records", "pack", "autotvm.json", "-o", "x.points.gz"))

    def test_a_table_is_packed(self):
        table = ROOT / "bindings/schedulegym/tables/conv2d.table"
        self.assertIn("512 programs of 1 tasks", self.succeed("records", "pack", table, "-o", "t.points.gz"))
        rows = [json.loads(line) for line in gzip.decompress(table.read_bytes()).splitlines()[1:]]
        packed = [json.loads(line) for line in
                  gzip.decompress((self.folder / "t.points.gz").read_bytes()).splitlines()[1:]]
        for row, program in zip(rows, packed, strict=True):
            outcome = row.index("ok")
            self.assertEqual(program[6:8], [row[outcome + 1], row[outcome + 2:outcome + 5]])
        self.assertIn("found the table", self.refused(2, "train", "mlp", "--data", table, "-o", "m.model"))
        self.assertIn("split all: 1 tasks, 512 programs",
                      self.succeed("evaluate", "random", "--data", table, "--split", "all", "--quiet"))
        foreign = ROOT / "bindings/schedulegym/tables/matmul_t4.json"
        self.assertIn("schedulegym table show takes the results of other tuners",
                      self.refused(2, "evaluate", "analytical", "--data", foreign))

    def test_an_old_store_is_read_and_brought_up_to_date_when_written(self):
        old = ROOT / "tests/env/measure/data/store_v1.sqlite"
        (self.folder / "schedulegym.db").write_bytes(old.read_bytes())
        self.assertEqual(len(self.events("records", "best")), 2)
        self.assertEqual(self.items("stats")["store"]["format"], 1)
        self.succeed("records", "check")
        self.assertEqual((self.folder / "schedulegym.db").read_bytes(), old.read_bytes())
        result = self.run_program(*WRITER[:-2], "1")
        self.assertIn("was of format 1 and is now of format 3", result.stderr)
        self.assertEqual(self.items("stats")["store"]["records"], 5)
        self.assertEqual(len(self.events("records", "best", "--store",
                                         "schedulegym.db-backup-v1")), 2)

    def test_stats_count(self):
        trials = self.tune()
        stats = self.items("stats")
        self.assertEqual(stats["store"]["records"], 4)
        self.assertEqual(stats["store"]["tasks"], 1)
        self.assertEqual(stats["store"]["format"], 3)
        outcomes = {}
        for trial in trials:
            outcomes[trial["outcome"]] = outcomes.get(trial["outcome"], 0) + 1
        self.assertEqual({k: v for k, v in stats["outcomes"].items() if k not in ("event", "name")},
                         outcomes)

    def test_check_passes_beside_a_writer_and_finds_damage(self):
        self.tune()
        self.assertEqual(self.items("check")["check"]["faults"], 0)
        process = subprocess.Popen([PROGRAM, *WRITER, "--seed", "5"], cwd=self.folder,
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        for _ in range(3):
            process.stdout.readline()
        self.succeed("records", "check")
        self.export("beside.jsonl")
        process.kill()
        process.communicate(timeout=60)
        self.succeed("records", "check")
        with sqlite3.connect(self.folder / "schedulegym.db") as database:
            database.execute("UPDATE candidate SET trace = 'trace 1\n' WHERE id = 2")
        database.close()
        result = self.run_program("records", "check", "--json")
        self.assertEqual(result.returncode, 1)
        (item,) = self.parse(result.stdout)
        self.assertEqual(item["faults"], 2)
        self.assertEqual(len(item["lines"]), 2)

    def test_damaged_pages_fail_the_check_and_are_refused_elsewhere(self):
        self.tune()
        path = self.folder / "schedulegym.db"
        damaged = bytearray(path.read_bytes())
        for page in range(4096, len(damaged), 4096):
            damaged[page:page + 64] = b"\x5a" * 64
        path.write_bytes(damaged)
        self.assertEqual(self.run_program("records", "check").returncode, 1)
        for words in (("records", "best"), ("tune", MATMUL, *TARGET, "--trials", "1")):
            self.assertIn("damaged", self.refused(2, *words))
        self.assertEqual(path.read_bytes(), bytes(damaged))

    def test_what_is_no_store_is_refused_and_left_alone(self):
        self.write("text.db", "hello\n" * 100)
        with sqlite3.connect(self.folder / "other.db") as database:
            database.execute("CREATE TABLE task (x)")
        database.close()
        self.tune("newer.db")
        with sqlite3.connect(self.folder / "newer.db") as database:
            database.execute("PRAGMA user_version = 99")
        database.close()
        for name, said in (("text.db", "not a database"), ("other.db", "another kind of database"),
                           ("newer.db", "written by a newer version"), (".", "is no file")):
            before = (self.folder / name).read_bytes() if name != "." else None
            for words in (("records", "best"), ("records", "stats"), ("records", "check"),
                          ("records", "export", "-o", "x.jsonl"),
                          ("tune", MATMUL, *TARGET, "--trials", "1")):
                with self.subTest(store=name, words=words):
                    self.assertIn(said, self.refused(2, *words, "--store", name))
            if before is not None:
                self.assertEqual((self.folder / name).read_bytes(), before)

    def test_imports_of_the_wrong_kind_are_refused_and_nothing_is_made(self):
        self.write("text.txt", "hello\nworld\n")
        self.write("empty", "")
        self.tune("a.db")
        for name, said in (("text.txt", "no intact line of 2; expected JSON lines"),
                           ("empty", "holds nothing"), ("none.jsonl", "No such file"),
                           ("a.db", "is a database"), (".", "Is a directory")):
            with self.subTest(file=name):
                self.assertIn(said, self.refused(2, "records", "import", name))

    def test_wrong_words_are_refused(self):
        self.tune()
        self.assertIn("best, export, import, pack, stats, check", self.refused(2, "records", "bst"))
        self.assertIn("expected -o FILE", self.refused(2, "records", "export"))
        self.assertIn("expected FILE", self.refused(2, "records", "import"))
        self.assertIn("unexpected word 'x'", self.refused(2, "records", "best", "x"))
        self.assertIn("a file of the store",
                      self.refused(2, "records", "export", "-o", "schedulegym.db"))
        self.assertIn("cannot write", self.refused(2, "records", "export", "-o", "no/such/a"))
        self.assertIn("no record", self.refused(2, "show", MATMUL, *TARGET, "--record", "0" * 32))
        self.assertIn("no record", self.refused(2, "replay", MATMUL, *TARGET, "--record", "12"))
        for word in ("best", "stats", "check"):
            self.assertIn("does not exist", self.refused(2, "records", word, "--store", "none.db"))

    def test_a_second_writer_is_refused_and_told_of_the_first(self):
        process = subprocess.Popen([PROGRAM, *WRITER], cwd=self.folder, stdout=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL, text=True)
        for _ in range(2):
            process.stdout.readline()
        second = self.run_program("tune", MATMUL, *TARGET, "--trials", "1")
        process.kill()
        process.communicate(timeout=60)
        self.assertEqual(second.returncode, 2)
        self.assertEqual(len(second.stderr.splitlines()), 1, second.stderr)
        self.assertIn(f"being written by process {process.pid} since ", second.stderr)
        self.succeed(*WRITER[:-2], "1", "--seed", "9")

    def test_a_full_disk_ends_a_search_and_harms_nothing(self):
        trials = self.tune()
        before = (self.folder / "schedulegym.db").stat().st_size
        limited = ["bash", "-c", f"ulimit -f {before // 1024 + 64}; exec \"$@\"", "sh", PROGRAM]
        result = subprocess.run([*limited, *WRITER, "--seed", "7"], cwd=self.folder,
                                capture_output=True, text=True, timeout=300)
        self.assertEqual(result.returncode, 2, result.stderr)
        errors = [line for line in result.stderr.splitlines() if line.startswith("error: ")]
        self.assertEqual(len(errors), 1, result.stderr)
        self.assertIn("with room", errors[0])
        said = [e for e in self.parse(result.stdout) if e["event"] == "trial"]
        text = self.export()
        for trial in trials + said:
            self.assertIn(trial["record"], text)
        self.succeed("records", "check")

    def test_an_export_onto_a_full_disk_leaves_nothing(self):
        self.tune()
        (self.folder / "a.jsonl").write_text("as it was\n")
        result = subprocess.run(["bash", "-c", 'ulimit -f 4; exec "$@"', "sh", PROGRAM, "records",
                                 "export", "-o", "a.jsonl"], cwd=self.folder, capture_output=True,
                                text=True, timeout=60)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn("cannot write 'a.jsonl'", result.stderr)
        self.assertEqual((self.folder / "a.jsonl").read_text(), "as it was\n")
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()),
                         ["a.jsonl", "schedulegym.db"])

    def test_a_store_on_a_full_disk_is_not_begun(self):
        self.tune("good.db")
        self.export("all.jsonl", "--store", "good.db")
        for words in (("tune", MATMUL, *TARGET, "--trials", "1", "--quiet"),
                      ("records", "import", "all.jsonl")):
            result = subprocess.run(["bash", "-c", 'ulimit -f 4; exec "$@"', "sh", PROGRAM, *words],
                                    cwd=self.folder, capture_output=True, text=True, timeout=60)
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
            self.assertIn("expected a folder that may be written, with room", result.stderr)
            self.assertEqual(sorted(p.name for p in self.folder.iterdir()),
                             ["all.jsonl", "good.db"])

    def test_half_a_store_is_damaged(self):
        self.tune()
        path = self.folder / "schedulegym.db"
        half = path.read_bytes()[:path.stat().st_size // 2]
        path.write_bytes(half)
        result = self.run_program("records", "check")
        self.assertEqual((result.returncode, result.stderr), (1, ""))
        self.assertIn("malformed", result.stdout)
        for words in (("records", "best"), ("records", "stats"), ("replay", MATMUL, *TARGET),
                      ("records", "export", "-o", "x"), ("tune", MATMUL, *TARGET, "--trials", "1")):
            self.assertIn("is damaged: ", self.refused(2, *words))
        self.assertEqual(path.read_bytes(), half)

    def test_a_folder_that_may_not_be_written(self):
        self.tune()
        before = (self.folder / "schedulegym.db").read_bytes()
        self.folder.chmod(0o555)
        self.addCleanup(self.folder.chmod, 0o755)
        # Root may write everywhere; nobody may not.
        user = {"user": 65534, "group": 65534} if os.geteuid() == 0 else {}

        def run(*words):
            try:
                return subprocess.run([PROGRAM, *words], cwd=self.folder, capture_output=True,
                                      text=True, timeout=300, **user)
            except PermissionError as error:
                self.skipTest(f"nobody may not run the program: {error}")

        result = run("tune", MATMUL, *TARGET, "--trials", "1")
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
        self.assertIn("cannot write store", result.stderr)
        self.assertEqual(run("records", "best").returncode, 0)
        self.assertEqual((self.folder / "schedulegym.db").read_bytes(), before)


if __name__ == "__main__":
    unittest.main()
