"""Where results go: every output, store and print of every command, found by asking the program.

Each option whose value is a place stands in PLACES, each command in PRINTS: one that is new fails here
until it is listed, and with that tried.
"""
import os
import pathlib
import re
import resource
import shutil
import signal
import stat
import subprocess
import sys
import threading
import unittest

from harness import PROGRAM, ROOT, ProgramTest, schedulegym
from leaderboard_state import own_state

SMALL = "matmul(m=8,n=8,k=8)"
TARGET = ("--target", "interpreter")
SEARCH = ("tune", SMALL, *TARGET, "--measure", "analytical", "--trials", "2", "--quiet")
RANDOM = (*SEARCH, "--agent", "random")
STORED = ("--store", "schedulegym.db")
STUDY = ('measure = "analytical"\ncases = ["matmul(m=64,n=64,k=64)"]\ntrials = 8\nseeds = 1\n'
         '[arms]\na = "random"\n')
FACTORS = ('measure = "analytical"\ncases = ["matmul(m=64,n=64,k=64)"]\ntrials = 8\nseeds = 2\n'
           '[factors]\nagent = ["random", "hill"]\n')
BOARD = ('board = 1\nname = "mine"\nedition = "1"\ntrack = "model"\ncases = ["matmul(m=64,n=64,k=64)"]\n'
         'trials = 8\nseeds = 2\n[entries]\nhill = "hill"\n')

# What the help texts call a place.
PLACE_TYPES = {"FILE", "FILE.so", "FOLDER", "PATH", "PREFIX", "PICTURE", "RESULTS.csv"}
# And what else: a new word for a value is put into one of the two.
VALUE_TYPES = {"", "SPEC", "FORMAT", "N", "S", "K", "G", "LIST", "NAMES", "ID", "VIEW", "KIND", "HALF", "SPLIT", "NAME",
               "K/N", "ADDRESS", "ARM", "16,64,end", "SEED", "BOARD", "SHARE"}
# By command and option, "" for the words without one: what its value is.
PLACES = {
    "tune": {"--plugin": "input", "--save-model": "output", "--curves-out": "output",
             "--picture": "output", "--trace-out": "output"},
    "train": {"-o": "output", "--tensorboard": "folder", "--data": "input", "--from": "input"},
    "evaluate": {"-o": "output", "--data": "input"},
    "replay": {"--trace": "input"},
    "repeat": {"-o": "output", "FILE": "input"},
    "show": {"--trace": "input"},
    "show-tree": {"-o": "output", "FILE": "input"},
    "export": {"--trace": "input", "-o": "output"},
    "list": {"--plugin": "input"},
    "records": {"-o": "output", "FILE": "input"},
    "table": {"-o": "output", "--input": "input", "FILE": "input"},
    "bench": {"--plugin": "input"},
    "simulate": {"--curves": "input", "--picture": "output"},
    "study": {"FILE": "input", "-o": "folder", "--merge": "input"},
    "ablate": {"FILE": "input", "-o": "folder", "--merge": "input"},
    "report": {"-o": "output", "--known": "input"},
    "leaderboard": {"-o": "output", "--entry": "input", "--from": "input", "--merge": "input"},
    "conformance": {"--plugin": "input"},
    "doctor": {},
}
for _places in PLACES.values():
    _places["--store"] = "store"
# The same within specs, as `list` describes them.
KEYS = {("agents", "ansor", "model"): "input", ("agents", "mcts", "tree"): "output",
        ("agents", "mcts", "file"): "input", ("schedulers", "gradient", "model"): "input",
        ("schedulers", "swucb", "model"): "input", ("measurers", "table", "file"): "input",
        ("models", "boosted", "file"): "input", ("models", "tuna", "file"): "input",
        ("agents", "transfer", "from"): "input", ("agents", "autotvm", "transfer"): "input"}


# Of options that stand for several outputs, by what tells them apart.
FORMS = {("records", "-o"): {"best", "export", "pack"}, ("leaderboard", "-o"): {"report", "submit"},
         ("train", "-o"): {"", "--data"}, ("report", "-o"): {"", "--over"}}
# What a command of several actions does without an output, or into a folder.
OTHER_ACTIONS = {"records": {"import", "stats", "check"}, "leaderboard": {"run", "verify"}}


class Outputs(ProgramTest):
    def setUp(self):
        super().setUp()
        own_state(self)

    def commands(self):
        text = self.succeed("--help")
        return re.findall(r"(?m)^  ([a-z][a-z-]+) ", text[text.index("commands:"):])

    def run_it(self, words, **options):
        """As a user's shell would; skipped where this build or this machine lacks what it takes."""
        result = subprocess.run([PROGRAM, *words], cwd=self.folder, timeout=300, check=False, **{
            "stdout": subprocess.PIPE, "stderr": subprocess.PIPE,
            "env": {**os.environ, "SCHEDULEGYM_PYTHON": sys.executable}, **options})
        if result.returncode == 3:
            self.skipTest(f"{words[0]}: {result.stderr.decode().strip()}")
        return result


class ListedTest(Outputs):
    def test_every_place_is_listed(self):
        self.assertEqual(set(self.commands()), set(PLACES))
        for command in self.commands():
            found = set()
            for line in self.succeed(command, "--help").splitlines():
                option = re.match(r"  (-\S+)(?: (\S+))?(?: \.\.\.)?(?: REQUIRED)?(?:  |$)", line)
                word = re.match(r"  ([A-Z|]+) \S+", line)
                if word and word[1] in PLACE_TYPES:
                    found.add(word[1])
                if not option:
                    continue
                self.assertIn(option[2] or "", PLACE_TYPES | VALUE_TYPES, f"{command}: {line}")
                if option[2] in PLACE_TYPES:
                    found.add(option[1].split(",")[0])
            self.assertEqual(found, set(PLACES[command]), command)

    def test_every_place_within_a_spec_is_listed(self):
        found = set()
        for kind in ("agents", "schedulers", "spaces", "measurers", "models", "protocols",
                     "targets"):
            for item in self.events("list", kind):
                parameters = item.get("parameters", "")
                keys = re.findall(r"(\w+)=(?:FILE|FOLDER|PATH)\b", item["description"] + parameters)
                keys += re.findall(r"\bfile\b", parameters)
                found |= {(kind, item["name"], key) for key in keys}
        self.assertEqual(found, set(KEYS))

    def test_every_output_is_tried(self):
        outputs = {(command, option, form) for command, places in PLACES.items()
                   for option, what in places.items() if what == "output"
                   for form in FORMS.get((command, option), {""})}
        self.assertEqual({tuple(each[:3]) for each in OUTPUTS if each[1] != "tree"}, outputs)

    def test_every_action_is_listed(self):
        for command, word in (("records", "WHAT"), ("leaderboard", "ACTION")):
            line = re.search(rf"  {word} TEXT REQUIRED +(.*)", self.succeed(command, "--help"))[1]
            actions = re.findall(r"(?:^|; )([a-z]+)\b", line) if command == "records" else \
                re.findall(r"[a-z]+", line.replace(" or ", ", "))
            self.assertEqual(set(actions), FORMS[command, "-o"] | OTHER_ACTIONS[command])

    def test_every_folder_is_tried(self):
        folders = {(command, option) for command, places in PLACES.items()
                   for option, what in places.items() if what == "folder"}
        self.assertEqual({(command, option) for command, option, *_ in FOLDERS},
                         folders | {("leaderboard", "-o")})


def _searched(test):
    test.succeed(*RANDOM, *STORED)


def _measured(test):
    test.succeed("tune", SMALL, *TARGET, "--agent", "random", "--space", "ansor", "--trials", "4",
                 "--finalists", "0", *BRIEF, "--store", "measured.db", "--quiet")


def _curves(test):
    test.succeed(*RANDOM, *STORED, "--curves-out", "a.curves")


def _tree(test):
    test.succeed(*SEARCH, "--space", "ansor", "--agent", "mcts(tree=a.tree,iterations=16)")


def _board(test):
    test.need_package()
    if not (test.folder / "board").exists():
        result = test.run_it(["leaderboard", "run", "smoke", "-o", "board", "--seconds", "0.001",
                              "--quiet"])
        test.assertEqual(result.returncode, 0, result.stderr)


def _study_packages(test):
    test.need_package()
    _searched(test)


def _entry(test):
    test.need_package()
    if not (test.folder / "entry").exists():
        climber = pathlib.Path(schedulegym.__file__).parent / "leaderboard/examples/climber"
        shutil.copytree(climber, test.folder / "entry", ignore=shutil.ignore_patterns("__pycache__"))
    test.write("board.toml", BOARD)


def _results(test):
    """Two arms that have been compared."""
    test.need_package()
    if not (test.folder / "compared").exists():
        test.write("two.toml", STUDY + 'b = "hill"\n')
        result = test.run_it(["study", "two.toml", "-o", "compared", "--quiet"])
        test.assertEqual(result.returncode, 0, result.stderr)


BRIEF = ("--protocol", "cpu1(rounds=3,min_rounds=2,long_rounds=2,warmup_seconds=0.001)")
# Programs to evaluate models on, few of them.
SAMPLE = ("--data", str(ROOT / "experiments/data/sample.points.gz"), "--split", "valid", "--space", "ansor",
          "--quiet")

# (command, option, which of several, what is made before, the words for a place)
OUTPUTS = [
    ("tune", "--trace-out", "", None, lambda place: (*RANDOM, "--trace-out", place)),
    ("tune", "--curves-out", "", None, lambda place: (*RANDOM, "--curves-out", place)),
    ("tune", "--picture", "", None, lambda place: (*RANDOM, "--picture", place)),
    ("tune", "--save-model", "", None,
     lambda place: (*SEARCH, "--agent", "ansor(round=1)", "--save-model", place)),
    ("tune", "tree", "", None, lambda place: (*SEARCH, "--space", "ansor", "--agent",
                                          f"mcts(tree={place},iterations=16)")),
    ("train", "-o", "", None, lambda place: ("train", "harl", "--rounds", "1", "--quiet", "-o", place)),
    ("evaluate", "-o", "", None, lambda place: ("evaluate", "analytical", *SAMPLE, "-o", place)),
    ("show-tree", "-o", "", _tree, lambda place: ("show-tree", "a.tree", "-o", place)),
    ("records", "-o", "export", _searched, lambda place: ("records", "export", "-o", place, "--quiet")),
    ("records", "-o", "best", _searched, lambda place: ("records", "best", "-o", place, "--quiet")),
    ("repeat", "-o", "", _measured,
     lambda place: ("repeat", "measured.db", *TARGET, *BRIEF, "--quiet", "-o", place)),
    ("table", "-o", "", None,
     lambda place: ("table", SMALL, *TARGET, "--kind", "construct", "--points", "2", "--protocol",
                    "cpu1(rounds=3,min_rounds=2,long_rounds=2,warmup_seconds=0.001)", "--quiet", "-o",
                    place)),
    ("simulate", "--picture", "", _curves,
     lambda place: ("simulate", "--schedulers", "gradient", "--curves", "a.curves", "--quiet",
                    "--picture", place)),
    ("report", "-o", "", _study_packages,
     lambda place: ("report", "schedulegym.db", "-o", place, "--quiet")),
    ("records", "-o", "pack", None,
     lambda place: ("records", "pack", SAMPLE[1], "--tasks", "1", "-o", place, "--quiet")),
    ("train", "-o", "--data", None, lambda place: ("train", "boosted(rounds=2)", *SAMPLE, "-o", place)),
    ("report", "-o", "--over", _results,
     lambda place: ("report", "compared", "--over", "a", "-o", place, "--quiet")),
    ("leaderboard", "-o", "submit", _entry,
     lambda place: ("leaderboard", "submit", "entry", "--board", "board.toml", "-o", place, "--quiet")),
    ("leaderboard", "-o", "report", _board,
     lambda place: ("leaderboard", "report", "board", "-o", place, "--quiet")),
    # Three files of this name; the one that is a link is PREFIX.h.
    ("export", "-o", "", None, lambda place: ("export", SMALL, "--reference", "--target", "llvm", "-o",
                                          str(place).removesuffix(".h"))),
]


# (command, option, the words for a folder, a file in it afterwards)
FOLDERS = [
    ("study", "-o", lambda place: ("study", "mine.toml", "-o", place, "--quiet"), "results.csv"),
    ("ablate", "-o", lambda place: ("ablate", "factors.toml", "-o", place, "--quiet"), "results.csv"),
    ("leaderboard", "-o", lambda place: ("leaderboard", "run", "board.toml", "-o", place, "--quiet"),
     "results.json"),
    ("train", "--tensorboard", lambda place: ("train", "harl", "--rounds", "1", "--quiet", "-o", "a.sgp",
                                              "--tensorboard", place), "events.*"),
]


class FoldersTest(Outputs):
    """Folders that are made, or gone on with."""

    def each(self, test):
        if schedulegym is None:
            self.skipTest("this build has no Python package")
        self.write("mine.toml", STUDY)
        self.write("factors.toml", FACTORS)
        self.write("board.toml", BOARD)
        for command, option, words, file in FOLDERS:
            with self.subTest(f"{command} {option}"):
                test(words, file)

    def test_a_link_to_a_folder_is_followed(self):
        def follow(words, file):
            (self.folder / "real").mkdir()
            (self.folder / "link").symlink_to("real")
            result = self.run_it(words("link"))
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertTrue((self.folder / "link").is_symlink())
            self.assertTrue(list((self.folder / "real").rglob(file)))
            (self.folder / "link").unlink()
            shutil.rmtree(self.folder / "real")

        self.each(follow)

    def test_what_is_no_folder_is_refused_and_stays(self):
        (self.folder / "loop").symlink_to("other")
        (self.folder / "other").symlink_to("loop")
        self.write("file", "old")
        self.write("target", "old")
        (self.folder / "to-file").symlink_to("target")

        def refuse(words, _):
            for place in ("loop", "file", "to-file", "/dev/null", "file/below"):
                with self.subTest(place):
                    result = self.run_it(words(place))
                    self.assertEqual(result.returncode, 2, result.stderr)
                    lines = [line for line in result.stderr.decode().splitlines() if line.startswith("error: ")]
                    self.assertEqual(len(lines), 1, result.stderr)
                    self.assertIn(place, lines[0])
            self.assertTrue((self.folder / "loop").is_symlink())
            self.assertEqual([(self.folder / name).read_text() for name in ("file", "target")], ["old", "old"])
            self.assertTrue(stat.S_ISCHR(os.lstat("/dev/null").st_mode))

        self.each(refuse)


class OutputsTest(Outputs):
    """`place.h`, because `export` puts the ending after a name."""

    def need_package(self):
        if schedulegym is None:
            self.skipTest("this build has no Python package")

    def each(self, test, without=()):
        """Calls test(words) in a folder that holds only what the output's command needs."""
        for command, option, form, prepare, words in OUTPUTS:
            if command in without:
                continue
            with self.subTest(f"{command} {option} {form}"):
                for file in self.folder.iterdir():
                    if file.is_symlink() or not file.is_dir():
                        file.unlink()
                if prepare:
                    prepare(self)
                test(words)

    def test_of_a_link_the_target_is_replaced(self):
        def replace(words):
            self.write("target", "old")
            (self.folder / "place.h").symlink_to("target")
            result = self.run_it(words("place.h"))
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertTrue((self.folder / "place.h").is_symlink())
            self.assertTrue(stat.S_ISREG(os.lstat(self.folder / "target").st_mode))
            self.assertNotIn((self.folder / "target").read_bytes(), (b"old", b""))

        self.each(replace)

    def test_a_pipe_is_written_to(self):
        def through_a_pipe(words):
            read, write = os.pipe()
            got = []

            def take():
                with open(read, "rb") as pipe:
                    got.append(pipe.read())

            reader = threading.Thread(target=take)
            reader.start()
            try:
                result = self.run_it(words(f"/dev/fd/{write}"), pass_fds=(write,))
            finally:
                os.close(write)
                reader.join()
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertTrue(got[0])

        self.each(through_a_pipe, without=["export"])  # whose names cannot be those of descriptors

    def test_devices_are_written_to(self):
        """Nodes of the test's own, which nobody misses."""
        full, null = self.folder / "full.h", self.folder / "null.h"

        def to_devices(words):
            try:
                os.mknod(null, stat.S_IFCHR | 0o600, os.makedev(1, 3))
                os.mknod(full, stat.S_IFCHR | 0o600, os.makedev(1, 7))
            except PermissionError:
                self.skipTest("only root makes devices")
            result = self.run_it(words("null.h"))
            self.assertEqual(result.returncode, 0, result.stderr)
            result = self.run_it(words("full.h"))
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertIn(b"No space left on device", result.stderr)
            for device in (null, full):
                self.assertTrue(stat.S_ISCHR(os.lstat(device).st_mode), device)

        self.each(to_devices)

    def test_what_is_no_file_is_refused(self):
        def refuse(words):
            (self.folder / "loop.h").symlink_to("other.h")
            (self.folder / "other.h").symlink_to("loop.h")
            (self.folder / "folder.h").mkdir(exist_ok=True)
            for place in ("loop.h", "folder.h", "nowhere/place.h"):
                if place == "nowhere/place.h" and words(place)[0] in ("report", "leaderboard"):
                    continue  # they make the folder
                result = self.run_it(words(place))
                self.assertEqual(result.returncode, 2, result.stderr)
                error = result.stderr.decode().splitlines()[-1]
                self.assertTrue(error.startswith("error: "), error)
            self.assertTrue((self.folder / "loop.h").is_symlink())
            (self.folder / "folder.h").rmdir()

        self.each(refuse)

    def test_a_store_a_table_and_a_checkpoint_are_not_replaced(self):
        """But by what is of their own kind."""
        kept = {"a store": b"SQLite format 3\0" + bytes(84),
                "a table": b'{"schedulegym_table":1,"kind":"knobs"}\n',
                "a checkpoint": b"schedulegym memory: boosted 1\n{}"}
        own = {"a table": [("table", "-o")],
               "a checkpoint": [("train", "-o"), ("tune", "--save-model")]}

        def refuse(words):
            for name, content in kept.items():
                (self.folder / "place.h").write_bytes(content)
                call = words("place.h")
                option = "--save-model" if "--save-model" in call else "-o"
                result = self.run_it(call)
                if (call[0], option) in own.get(name, []):
                    self.assertEqual(result.returncode, 0, result.stderr)
                    continue
                self.assertEqual(result.returncode, 2, result.stderr)
                self.assertIn(f"error: cannot write 'place.h': found {name}, which this output would "
                              "replace", result.stderr.decode())
                self.assertEqual((self.folder / "place.h").read_bytes(), content)

        self.each(refuse)

    def test_a_search_does_not_replace_the_store_that_it_makes(self):
        result = self.run_it([*RANDOM, "--store", "new.db", "--trace-out", "new.db"])
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn("found a store", result.stderr.decode())
        self.assertIn("records    2 of 2", self.succeed("records", "stats", "--store", "new.db"))

    def test_a_file_that_may_not_grow_is_told(self):
        """`ulimit -f`: of what stood there nothing is lost."""
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (16, 16))

        def refuse(words):
            self.write("place.h", "old")
            result = self.run_it(words("place.h"), preexec_fn=limit)
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertIn(b"error: cannot write 'place.h': ", result.stderr)
            self.assertEqual((self.folder / "place.h").read_text(), "old")

        # Of those the store, the linker or the folder is full before; see full_disk_test.py.
        self.each(refuse, without=["tune", "train", "repeat", "table", "export", "leaderboard"])


def _prints(test):
    """The words of a call that prints, by command; None where there is none."""
    test.write("mine.toml", STUDY)
    _measured(test)
    return {
        "tune": (*RANDOM, "--json"), "train": ("train", "boosted(rounds=2)", *SAMPLE[:-1], "-o", "a.model"),
        "evaluate": ("evaluate", "analytical", *SAMPLE),
        "replay": ("replay", SMALL, *TARGET, "--trace", "empty.trace", "--protocol",
                   "cpu1(rounds=3,min_rounds=2,long_rounds=2,warmup_seconds=0.001)"),
        "repeat": ("repeat", "measured.db", *TARGET, *BRIEF),
        "show": ("show", SMALL, *TARGET), "show-tree": ("show-tree", "a.tree"),
        "export": ("export", SMALL, "--reference", "-o", "kernel"), "list": ("list", "agents"),
        "records": ("records", "stats"),
        "table": ("table", SMALL, *TARGET, "--kind", "construct", "--points", "2", *BRIEF, "-o", "a.table"),
        "bench": ("bench", SMALL, *TARGET, "--peers", "", "--trials", "1", "--processes", "1", *BRIEF),
        "simulate": ("simulate", "--schedulers", "gradient", "--curves", "a.curves"),
        "study": ("study", "mine.toml", "-o", "mine", "--json"),
        "ablate": ("ablate", "mine.toml", "-o", "mine", "--json"),
        "report": ("report", "schedulegym.db", "-o", "page.html", "--json"),
        "leaderboard": ("leaderboard", "report", "nothing", "-o", "page.html", "--json"),
        "conformance": ("conformance", "--agent", "random"), "doctor": ("doctor",),
    }


class PrintsTest(Outputs):
    def setUp(self):
        super().setUp()
        _curves(self)
        _tree(self)
        self.write("empty.trace", "trace 1\n")
        self.prints = _prints(self)

    def each(self, test):
        """Calls test(words) of each command, and of what is no command."""
        self.assertEqual(set(self.prints), set(self.commands()))
        for command, words in [*self.prints.items(), ("help", ["--help"]), ("version", ["--version"]),
                               ("error", ["tune", "nothing", "--json"])]:
            if command in ("study", "ablate", "report", "leaderboard") and schedulegym is None:
                continue
            with self.subTest(command):
                test(words)

    def test_a_full_disk_is_told(self):
        def fill(words):
            with open("/dev/full", "wb") as full:
                result = self.run_it(words, stdout=full)
            self.assertIn(result.returncode, (1, 2), result.stderr)
            lines = [line for line in result.stderr.decode().splitlines()
                     if line.startswith("error: cannot write standard output: ")]
            self.assertEqual(lines, ["error: cannot write standard output: No space left on device"])

        self.each(fill)

    def test_a_closed_stdout_is_told(self):
        """And its number is no other file's: none has the lines."""
        result = self.run_it([*RANDOM, "--json"], stdout=None,
                             preexec_fn=lambda: os.close(1))
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn(b"cannot write standard output: Bad file descriptor", result.stderr)
        self.succeed("records", "check")

    def test_a_closed_pipe_ends_it_in_silence(self):
        def close_it(words):
            read, write = os.pipe()
            os.close(read)
            with open(write, "wb") as pipe:
                result = self.run_it(words, stdout=pipe)
            self.assertIn(result.returncode, (-signal.SIGPIPE, 128 + signal.SIGPIPE), result.stderr)
            self.assertNotIn(b"Traceback", result.stderr)
            self.assertNotIn(b"standard output", result.stderr)

        self.each(close_it)

    def test_where_that_signal_is_ignored_too(self):
        read, write = os.pipe()
        os.close(read)
        with open(write, "wb") as pipe:
            result = self.run_it(["list", "agents"], stdout=pipe, preexec_fn=lambda: signal.signal(
                signal.SIGPIPE, signal.SIG_IGN), restore_signals=False)
        self.assertEqual((result.returncode, result.stderr), (-signal.SIGPIPE, b""))


class StoresTest(Outputs):
    """--store of each command that has records to read or to write."""

    WRITERS = {"tune": RANDOM, "bench": ("bench", SMALL, *TARGET, "--peers", "", "--trials", "1"),
               "records": ("records", "import", "all.jsonl"),
               "replay": ("replay", SMALL, *TARGET, "--trace", "empty.trace", "--quiet"),
               "table": ("table", SMALL, *TARGET, "--kind", "construct", "--points", "2", "-o", "t")}
    READERS = {"show": ("show", SMALL, *TARGET, "--record", "0" * 32),
               "export": ("export", SMALL, "--record", "0" * 32, "-o", "kernel"),
               "records": ("records", "best")}
    # These look at no store, whatever --store says: those of studies lie in their folders.
    OTHERS = {"train", "evaluate", "repeat", "show-tree", "list", "simulate", "study", "ablate", "report", "leaderboard",
              "conformance", "doctor"}

    def setUp(self):
        super().setUp()
        _searched(self)
        self.succeed("records", "export", "-o", "all.jsonl", "--quiet")
        self.write("empty.trace", "trace 1\n")

    def test_each_command_is_listed(self):
        self.assertEqual({*self.WRITERS, *self.READERS, *self.OTHERS}, set(self.commands()))

    def test_a_loop_of_links_is_bad_input(self):
        (self.folder / "a.db").symlink_to("b.db")
        (self.folder / "b.db").symlink_to("a.db")
        for words in [*self.WRITERS.values(), *self.READERS.values(), ("records", "stats"),
                      ("records", "check"), ("records", "export", "-o", "out.jsonl")]:
            with self.subTest(words):
                error = self.refused(2, *words, "--store", "a.db")
                self.assertIn("store 'a.db': Too many levels of symbolic links", error)

    def test_what_lies_beside_a_store_lies_beside_the_file_itself(self):
        (self.folder / "sub").mkdir()
        (self.folder / "sub/link.db").symlink_to("../real.db")
        self.succeed(*RANDOM, "--store", "sub/link.db")
        self.assertEqual([file.name for file in (self.folder / "sub").iterdir()], ["link.db"])
        self.assertTrue((self.folder / "sub/link.db").is_symlink())
        self.assertEqual(self.succeed("records", "stats", "--store", "real.db"),
                         self.succeed("records", "stats", "--store", "sub/link.db"))


if __name__ == "__main__":
    unittest.main()
