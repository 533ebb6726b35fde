"""Data sets: collected by a search, packed by the command, loaded by the package."""
import gzip
import hashlib
import importlib
import importlib.util
import json
import os
import subprocess
import unittest
import unittest.mock

from ansor_log_test import foreign
from harness import NOISE, ROOT, PackageTest, ProgramTest, need_success, schedulegym
from packed_points import HEADER, ROWS

data = None if schedulegym is None else importlib.import_module("schedulegym.data")


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

    def test_some_programs_of_a_split_stay_with_all_others(self):
        other = {**HEADER["tasks"][0], "key": "1" * 32, "split": "train"}
        header = {**HEADER, "tasks": [*HEADER["tasks"], other]}
        name = self.pack(header, *ROWS, *([1, *row[1:]] for row in ROWS))
        with unittest.mock.patch("builtins.print"):
            for out in ("some.points.gz", "again.points.gz"):
                self.assertEqual(data.main(["some", name, "--rows", "2", "-o", out]), 0)
        some = data.load("some.points.gz")
        self.assertEqual(len(some.of_split("train")), 2)
        self.assertEqual(some.of_split("networks"), data.load(name, split="networks"))
        self.assertEqual((self.folder / "some.points.gz").read_bytes(),
                         (self.folder / "again.points.gz").read_bytes())
        self.assertEqual(data.write_some(name, 9, "all.points.gz"), 6)

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
        (self.folder / "tenset.json").write_text('{"i": [], "r": []}\n')
        refused("'tenset.json': found no success of Ansor's in 1 lines", "tenset.json")
        (self.folder / "text.json").write_text("no programs\n")
        refused("'text.json'", "text.json")

    def test_tables_and_logs_are_read_as_pack_reads_them(self):
        table = ROOT / "bindings/schedulegym/tables/conv2d.table"
        programs = data.load(table)
        self.assertGreater(len(programs), 100)
        self.assertEqual({task.workload for task in programs.tasks},
                         {"conv2d(n=1,h=14,w=14,ci=64,co=64,k=3,s=1,p=1)"})
        self.assertEqual(max(programs.speeds()), 1)
        (self.folder / "log.json").write_text(foreign("one", "two"))
        log = data.load("log.json")
        self.assertEqual((len(log), [task.dag for task in log.tasks]), (12, ["", ""]))

    def test_programs_without_a_split_are_told(self):
        task = {**HEADER["tasks"][0], "split": ""}
        name = self.pack({**HEADER, "tasks": [task]}, *ROWS)
        self.refused(schedulegym.InputError, "but 3 of tasks without a split; expected split=None", data.load, name,
                     split="train")
        other = {**HEADER["tasks"][0], "key": "1" * 32, "split": "train"}
        name = self.pack({**HEADER, "tasks": [task, other]}, *ROWS, *([1, *row[1:]] for row in ROWS))
        with self.assertWarnsRegex(UserWarning, "3 programs of tasks without a split are left out"):
            self.assertEqual(len(data.load(name, split="train")), 3)

    def test_a_task_without_a_field_is_refused(self):
        task = HEADER["tasks"][0]
        for name in task:
            fields = {key: value for key, value in task.items() if key != name}
            self.refused(schedulegym.InputError, f"line 1: found a task without '{name}'", data.load,
                         self.pack({**HEADER, "tasks": [fields]}, *ROWS))
        # A later program may add fields.
        self.assertEqual(len(data.load(self.pack({**HEADER, "tasks": [{**task, "more": 1}]}, *ROWS))), 3)

    def test_stores_are_read_as_they_are_packed(self):
        for seed, store in enumerate(("one.db", "two.db")):
            schedulegym.tune("softmax(n=4,m=8)", target="interpreter", agent="random", space="ansor",
                             trials=3, measure="analytical", store=store, seed=seed)
        for store in ("one.db", "two.db"):
            self.refused(schedulegym.InputError, "found no measured program", data.load, store)
        made = [schedulegym.tune("softmax(n=4,m=8)", target="interpreter", agent="random", trials=2,
                                 space="ansor", store=f"{seed}.db", seed=seed, finalists=0,
                                 protocol="collect") for seed in (0, 1)]
        both = data.load_stores(["0.db", "1.db"])
        self.assertEqual([len(both.tasks), len(both)], [1, sum(len(one.history) for one in made)])
        for one, alone in zip(both.programs, data.load("0.db").programs, strict=False):
            self.assertEqual((one.trace, one.ratio, one.samples), (alone.trace, alone.ratio, alone.samples))
        self.refused(schedulegym.InputError, "nowhere.db", data.load_stores, ["0.db", "nowhere.db"])
        if importlib.util.find_spec("pyarrow") is None:
            self.skipTest("no pyarrow: ./sg setup data installs it")
        with unittest.mock.patch("builtins.print"):
            self.assertEqual(data.main(["parquet", "0.db", "1.db", "-o", "both.parquet"]), 0)
        self.assertEqual(data.load("both.parquet"), both)


    def test_keys_stand_by_their_programs(self):
        keys = ["a" * 16, "b" * 16, "c" * 16]
        name = self.pack({**HEADER, "keys": keys}, *ROWS)
        self.assertEqual([one.key for one in data.load(name).programs], keys)
        self.assertEqual([one.key for one in data.load(self.pack(HEADER, *ROWS, name="old.points.gz")).programs],
                         [""] * 3)
        with unittest.mock.patch("builtins.print"):
            self.assertEqual(data.main(["some", name, "--rows", "2", "--split", "networks", "-o",
                                        "some.points.gz"]), 0)
        whole = data.load(name)
        some = data.load("some.points.gz")
        self.assertEqual(len(some), 2)
        self.assertLess(set(some.programs), set(whole.programs))
        for count in (2, 4):
            self.refused(schedulegym.InputError, "index out of range|found 3 programs, expected 4", data.load,
                         self.pack({**HEADER, "keys": (keys * 2)[:count]}, *ROWS))


class DatasetTest(PackageTest):
    """Of a matmul: the naive program, a parallel one, and a failure."""
    WORDS = ["ansor", "chance", "one", "ok", "compile_error"]
    STEPS = ["trace 1", "parallel(stage=C, loop=0)"]

    def setUp(self):
        super().setUp()
        task = schedulegym.Task("matmul(m=64,n=64,k=64)", "llvm(cores=2)")
        self.header = {"format": "points", "version": 1, "words": self.WORDS, "steps": self.STEPS,
                       "tasks": [{"key": "0" * 32, "workload": "matmul(m=64,n=64,k=64)",
                                  "target": str(task.target), "dag": str(task.dag), "split": "train"}]}
        rows = [[0, 0, 1, 2, 3, [0], 2e-3, [0.5, 0.49, 0.51], [2e-3, 2e-3]],
                [0, 0, 1, 2, 3, [0, 1], 1e-3, [1.0, 0.99, 1.01], [1e-3]],
                [0, 0, 1, 2, 4, [0, 1]]]
        self.write(rows)
        place = unittest.mock.patch.dict(os.environ, XDG_CACHE_HOME=str(self.folder / "cache"))
        place.start()
        self.addCleanup(place.stop)

    def write(self, rows, name="set.points.gz"):
        text = "".join(json.dumps(line) + "\n" for line in (self.header, *rows))
        (self.folder / name).write_bytes(gzip.compress(text.encode()))

    def test_programs_have_rows_labels_and_groups(self):
        dataset = data.load(self.folder / "set.points.gz").dataset(features="ansor")
        self.assertEqual(len(dataset), 2)
        rows, label, group = dataset[0]
        self.assertEqual((rows.shape[1], label, group), (164, 0.5, 0))
        self.assertEqual(dataset[1][1], 1.0)
        self.assertEqual(dataset.begin[-1], len(dataset.rows))
        self.assertRaises(IndexError, lambda: dataset[2])
        self.assertFalse((dataset[0][0] == dataset[1][0]).all())

    def test_features_are_of_choice(self):
        programs = data.load(self.folder / "set.points.gz")
        for features, columns in (("estimated", 182), ("tokens(length=4,fields=2)", None),
                                  ("loops(rows=2)", 4 + 2 * 16), ("knobs(most=3)", 2 + 3 * 2)):
            dataset = programs.dataset(features=features, failures=True)
            self.assertEqual(len(dataset), 3)
            if columns:
                self.assertEqual(dataset.rows.shape[1], columns)
        self.refused(schedulegym.InputError, "", programs.dataset, features="sounds")
        self.refused(schedulegym.InputError, "label: 'speed' is not known", programs.dataset, label="speed")

    def test_failures_have_no_share(self):
        programs = data.load(self.folder / "set.points.gz")
        self.assertEqual(list(programs.dataset(failures=True).labels), [0.5, 1, 0])
        seconds = programs.dataset(failures=True, label="seconds").labels
        self.assertTrue(seconds[2] != seconds[2])

    def test_features_are_kept(self):
        programs = data.load(self.folder / "set.points.gz")
        first = programs.dataset()
        kept, = (self.folder / "cache/schedulegym").iterdir()
        with unittest.mock.patch.object(data._features, "features_of", side_effect=AssertionError):
            again = programs.dataset()
        self.assertTrue((first.rows == again.rows).all())
        kept.write_bytes(kept.read_bytes()[:40])
        self.assertTrue((programs.dataset().rows == first.rows).all())

    def test_sets_are_found_by_name(self):
        folder = self.folder / "sets"
        folder.mkdir()
        (self.folder / "set.points.gz").rename(folder / "mine-v1.points.gz")
        with unittest.mock.patch.dict(os.environ, SCHEDULEGYM_DATA=str(folder)):
            self.assertEqual(len(data.load("mine-v1", split="train")), 3)
        self.refused(schedulegym.InputError, "records pack STORE -o mine-v1.points.gz", data.load, "mine-v1")
        kept = self.folder / "cache/schedulegym"
        kept.mkdir(parents=True)
        (folder / "mine-v1.points.gz").rename(kept / "mine-v1.points.gz")
        self.assertEqual(len(data.load("mine-v1")), 3)

    def test_a_trace_that_does_not_replay_is_refused(self):
        self.header["steps"] = ["trace 1", "fly(stage=C)"]
        self.write([[0, 0, 1, 2, 3, [0, 1], 1e-3, [1, 1, 1], []]])
        programs = data.load(self.folder / "set.points.gz")
        self.refused(schedulegym.InputError, "program 1", programs.dataset)
        self.write([[0, 0, 1, 2, 3, [-1], 1e-3, [1, 1, 1], []]])
        self.refused(schedulegym.InputError, "line 2: found a negative", data.load,
                     self.folder / "set.points.gz")

    def test_pairs_are_those_of_a_group(self):
        self.assertEqual(data.pairwise_accuracy([1, 2, 1, 2], [1, 0.5, 0.5, 1], [0, 0, 1, 1]), 0.5)
        self.assertEqual(data.pairwise_accuracy([1], [1], [0]), 0.5)

    def test_frames_hold_the_set(self):
        programs = data.load(self.folder / "set.points.gz")
        if importlib.util.find_spec("pandas") is None:
            self.skipTest("no pandas: ./sg setup data installs it")
        self.assertEqual(list(programs.frame()["outcome"]), ["ok", "ok", "compile_error"])

    def test_batches_add_up(self):
        if importlib.util.find_spec("torch") is None:
            self.skipTest("no torch")
        dataset = data.load(self.folder / "set.points.gz").dataset()
        rows, positions, labels, groups = dataset.collate([dataset[0], dataset[1]])
        self.assertEqual(rows.shape[0], len(positions))
        self.assertEqual(positions.max(), 1)
        self.assertEqual(labels.tolist(), [0.5, 1.0])
        self.assertEqual(groups.tolist(), [0, 0])


class ShippedTest(PackageTest):
    """The sets in the clone's `experiments/data`."""

    def setUp(self):
        super().setUp()
        self.files = ROOT / "experiments/data"

    def test_files_are_whole_and_listed(self):
        lines = (self.files / "SHA256SUMS").read_text().splitlines()
        listed = {name: checksum for checksum, name in (line.split() for line in lines)}
        self.assertEqual(set(listed), {file.name for file in self.files.glob("*.gz")})
        page = (self.files / "README.md").read_text()
        for name, checksum in listed.items():
            packed = (self.files / name).read_bytes()
            self.assertEqual(hashlib.sha256(packed).hexdigest(), checksum, name)
            programs = data.load(self.files / name)
            used = {one.task for one in programs.programs}
            self.assertIn(f"| `{name}` | {len(used)} | {len(programs.programs):,} | {len(packed):,} |", page)

    def test_other_targets_have_the_same_schedules(self):
        def schedules(name, target=None):
            programs = data.load(self.files / f"{name}.points.gz")
            if target:
                self.assertTrue(all(target in task.target for task in programs.tasks), name)
            return {(programs.tasks[one.task].workload, one.trace) for one in programs.programs}

        first = schedules("programs-v1")
        for name, target in (("haswell", "cpu=haswell"), ("one-core", "cores=1")):
            other = schedules(f"programs-v1-{name}", target)
            self.assertGreater(len(other), 5000)
            self.assertEqual(other - first, set())


class ReplayTest(PackageTest):
    """Each trace of the sets in the clone replays to the schedule that was measured."""

    def check(self, programs):
        tasks = [schedulegym.Task(task.dag, task.target) for task in programs.tasks]
        for task, known in zip(tasks, programs.tasks, strict=True):
            self.assertEqual(task.key, known.key, known.workload)
        for number, program in enumerate(programs.programs):
            state = schedulegym.ScheduleState.replay(tasks[program.task], program.trace)
            self.assertEqual(state.key[:16], program.key, f"program {number}: {program.trace}")

    def test_the_sample(self):
        self.check(data.load(ROOT / "experiments/data/sample.points.gz"))

    def test_the_rows_of_a_parquet_file_alone(self):
        if importlib.util.find_spec("pyarrow") is None:
            self.skipTest("no pyarrow: ./sg setup data installs it")
        programs = data.load(ROOT / "experiments/data/sample.points.gz")
        data.to_parquet(programs, "sample.parquet")
        loaded = data.load("sample.parquet")
        self.assertEqual(loaded.rows(), programs.rows())
        self.check(loaded)


class WholeReplayTest(PackageTest):
    """Nightly: of all sets."""

    check = ReplayTest.check

    def test_all(self):
        for file in sorted((ROOT / "experiments/data").glob("programs-v1*.points.gz")):
            with self.subTest(file.name):
                self.check(data.load(file))


class MakeTest(PackageTest):
    """`experiments/data/make.sh`, which makes the sets."""

    def setUp(self):
        super().setUp()
        self.script = ROOT / "experiments/data/make.sh"
        self.fake = self.folder / "fake sg"

    def make(self, *words, program=None):
        return subprocess.run([self.script, *words], capture_output=True, text=True, timeout=300,
                              env={**os.environ, "SCHEDULEGYM": str(program or self.fake)})

    def commands(self):
        result = self.make("--dry-run", "sets")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertFalse((self.folder / "sets").exists())
        return [line.split() for line in result.stdout.splitlines()]

    def test_each_set_of_the_folder_is_made_of_what_was_collected(self):
        commands = self.commands()
        packed = {words[words.index("-o") + 1] for words in commands if "-o" in words}
        self.assertEqual(packed, {file.name for file in (ROOT / "experiments/data").glob("*.points.gz")})
        stores = set()
        for words in commands:
            if "--store" in words:
                stores.add(words[words.index("--store") + 1])
            else:
                used = {word for word in words if word.endswith(".db")}
                self.assertLessEqual(used, stores)
                self.assertEqual(len(used), sum(word.endswith(".db") for word in words))

    def test_it_goes_on_where_it_was_interrupted(self):
        self.fake.write_text('#!/bin/sh\necho "$*" >>log\n[ ! -e stop ] || [ "$(wc -l <log)" -lt 3 ] || exit 130\n')
        self.fake.chmod(0o755)
        (self.folder / "my sets").mkdir()
        (self.folder / "my sets/stop").touch()
        self.assertEqual(self.make("my sets").returncode, 130)
        log = self.folder / "my sets/log"
        begun = log.read_text().splitlines()
        self.assertEqual(len(begun), 3)
        (self.folder / "my sets/stop").unlink()
        log.unlink()
        self.assertEqual(self.make("my sets").returncode, 0)
        rest = log.read_text().splitlines()
        self.assertEqual([*begun[:2], *rest], [" ".join(words) for words in self.commands()])
        self.assertEqual(rest[0], begun[2])

    def test_it_wants_a_folder(self):
        result = self.make()
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertEqual(result.stderr, "error: found 0 words, expected: make.sh [--dry-run] FOLDER\n")

    def test_missing_sets_name_it(self):
        with unittest.mock.patch.dict(os.environ, XDG_CACHE_HOME=str(self.folder)):
            for name in ("programs-v1-far", "sample"):
                with unittest.mock.patch.object(data.files, "folders", return_value=[]):
                    self.refused(schedulegym.InputError, "make it in a clone: experiments/data/make.sh FOLDER",
                                 data.load, name)


class MadeTest(ProgramTest):
    """Nightly: the program takes each search of `make.sh`."""

    def test_each_search_runs(self):
        result = subprocess.run([ROOT / "experiments/data/make.sh", "--dry-run", "sets"],
                                capture_output=True, text=True, timeout=300)
        searches = [line.split() for line in result.stdout.splitlines() if line.startswith("tune ")]
        self.assertGreater(len(searches), 10)
        for words in searches:
            with self.subTest(words=words):
                words[words.index("--trials") + 1] = "1"
                words[words.index("--store") + 1] = "one.db"
                self.succeed(*words, "--measure", "analytical", "--quiet")
                (self.folder / "one.db").unlink()


class LikelyLayersTest(PackageTest):
    def test_values_agree_as_those_of_a_layer_do(self):
        layers = ["a(k=1,m=1)", "b(k=2,m=2)"]
        drawn = data.likely_layers(layers, 9)
        self.assertEqual(sorted(drawn), layers)
        wide = ["a(k=1,m=1,n=1)", "a(k=1,m=2,n=2)", "a(k=2,m=2,n=3)"]
        self.assertEqual(sorted(data.likely_layers(wide, 9)), wide)
        mixed = data.likely_layers(wide, 99, agree=1)
        self.assertGreater(set(mixed), set(wide))
        for layer in mixed:
            self.assertNotIn("m=1,n=3", layer)
        self.assertEqual(data.likely_layers(wide, 2, seed=3),
                         data.likely_layers(wide, 2, seed=3))

    def test_a_file_of_them_is_a_network(self):
        out = "drawn.net"
        with unittest.mock.patch("builtins.print"):
            self.assertEqual(data.main(["likely", "resnet18", "mobilenet_v2", "-o", out,
                                                    "--count", "5", "--agree", "2"]), 0)
        self.assertEqual(len(schedulegym.read_network(out)), 5)


class PackTest(ProgramTest):
    def search(self, *words):
        """Skips the test where a busy machine made noise of a trial: it is not packed."""
        result = self.run_program("tune", "softmax(n=4,m=16)", "--target", "interpreter", "--space", "ansor",
                                  *words, "--json")
        outcomes = [event["outcome"] for event in self.parse(result.stdout) if event["event"] == "trial"]
        need_success(self, outcomes)
        if set(outcomes) & set(NOISE):
            self.skipTest("the machine is too busy: " + ", ".join(sorted(set(outcomes) & set(NOISE))))

    def test_packed_files_are_packed_again_and_together(self):
        for seed in ("0", "1"):
            self.search("--agent", "random", "--trials", "3", "--finalists", "0", "--seed", seed, "--store",
                        f"{seed}.db")
            self.succeed("records", "pack", f"{seed}.db", "-o", f"{seed}.points.gz")
        self.succeed("records", "pack", "0.points.gz", "-o", "same.points.gz")
        self.assertEqual(*((self.folder / name).read_bytes() for name in ("0.points.gz", "same.points.gz")))
        for name, files in (("stores", ("0.db", "1.db")), ("files", ("0.points.gz", "1.points.gz")),
                            ("both", ("0.points.gz", "1.db"))):
            self.succeed("records", "pack", *files, "-o", f"{name}.points.gz")
        stores, files, both = (gzip.decompress((self.folder / f"{name}.points.gz").read_bytes())
                               for name in ("stores", "files", "both"))
        self.assertEqual(stores, files)
        self.assertEqual(stores, both)
        self.assertIn("torn.points.gz", self.refused(2, "records", "pack", "torn.points.gz", "-o", "x.points.gz"))

    def test_a_collection_is_packed(self):
        self.search("--agent", "collect(agent=ansor(population=32,generations=1))", "--trials", "8", "--store",
                    "points.db")
        event, = [event for event in self.events("records", "pack", "points.db", "-o", "set.points.gz")
                  if event["event"] == "item"]
        self.assertEqual(event["tasks"], 1)
        with gzip.open(self.folder / "set.points.gz", "rt") as lines:
            header, *rows = map(json.loads, lines)
        self.assertEqual(len(rows), event["programs"])
        self.assertEqual(len(header["keys"]), len(rows))
        parts = [header["words"][row[2]] for row in rows]
        self.assertEqual({part: parts.count(part) for part in set(parts)},
                         {"chance": 4, "bred": 2, "searched": 2})

    def test_nothing_is_packed_of_nothing(self):
        self.assertIn("does not exist", self.refused(2, "records", "pack", "none.db", "-o", "x.points.gz"))
        self.assertIn("expected -o FILE", self.refused(2, "records", "pack"))


if __name__ == "__main__":
    unittest.main()
