"""Where commands put results: each option whose value is a place, and a call that writes each output."""
import os
import pathlib
import re
import shutil
import subprocess
import sys

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
               "K/N", "HASH=WORKLOAD", "ADDRESS", "ARM", "16,64,end", "SEED", "BOARD", "SHARE"}
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
# The same within specs, as `list` describes them. A checkpoint is gone on with where there is one.
KEYS = {("agents", "ansor", "draft"): "input", ("agents", "ansor", "model"): "input",
        ("agents", "autotvm", "transfer"): "input",
        ("agents", "beam", "model"): "input", ("agents", "es", "model"): "input",
        ("agents", "greedy", "model"): "input", ("agents", "guided", "model"): "input",
        ("agents", "harl", "checkpoint"): "checkpoint", ("agents", "harl", "model"): "input",
        ("agents", "harl", "policy"): "input", ("agents", "mcts", "file"): "input",
        ("agents", "mcts", "model"): "input", ("agents", "mcts", "prior"): "input",
        ("agents", "mcts", "tree"): "output", ("agents", "oneshot", "model"): "input",
        ("agents", "transfer", "from"): "input", ("agents", "value", "model"): "input",
        ("schedulers", "gradient", "model"): "input", ("schedulers", "swucb", "model"): "input",
        ("measurers", "model", "model"): "input", ("measurers", "table", "file"): "input",
        ("models", "boosted", "file"): "input", ("models", "tuna", "file"): "input"}


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


def searched(test):
    test.succeed(*RANDOM, *STORED)


def measured(test):
    test.succeed("tune", SMALL, *TARGET, "--agent", "random", "--space", "ansor", "--trials", "4",
                 "--finalists", "0", *BRIEF, "--store", "measured.db", "--quiet")


def curves(test):
    test.succeed(*RANDOM, *STORED, "--curves-out", "a.curves")


def tree(test):
    test.succeed(*SEARCH, "--space", "ansor", "--agent", "mcts(tree=a.tree,iterations=16)")


def board(test):
    test.need_package()
    if not (test.folder / "board").exists():
        result = test.run_it(["leaderboard", "run", "smoke", "-o", "board", "--seconds", "0.001",
                              "--quiet"])
        test.assertEqual(result.returncode, 0, result.stderr)


def study_packages(test):
    test.need_package()
    searched(test)


def entry(test):
    test.need_package()
    if not (test.folder / "entry").exists():
        climber = pathlib.Path(schedulegym.__file__).parent / "leaderboard/examples/climber"
        shutil.copytree(climber, test.folder / "entry", ignore=shutil.ignore_patterns("__pycache__"))
    test.write("board.toml", BOARD)


def results(test):
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
    ("show-tree", "-o", "", tree, lambda place: ("show-tree", "a.tree", "-o", place)),
    ("records", "-o", "export", searched, lambda place: ("records", "export", "-o", place, "--quiet")),
    ("records", "-o", "best", searched, lambda place: ("records", "best", "-o", place, "--quiet")),
    ("repeat", "-o", "", measured,
     lambda place: ("repeat", "measured.db", *TARGET, *BRIEF, "--quiet", "-o", place)),
    ("table", "-o", "", None,
     lambda place: ("table", SMALL, *TARGET, "--kind", "construct", "--points", "2", "--protocol",
                    "cpu1(rounds=3,min_rounds=2,long_rounds=2,warmup_seconds=0.001)", "--quiet", "-o",
                    place)),
    ("simulate", "--picture", "", curves,
     lambda place: ("simulate", "--schedulers", "gradient", "--curves", "a.curves", "--quiet",
                    "--picture", place)),
    ("report", "-o", "", study_packages,
     lambda place: ("report", "schedulegym.db", "-o", place, "--quiet")),
    ("records", "-o", "pack", None,
     lambda place: ("records", "pack", SAMPLE[1], "--tasks", "1", "-o", place, "--quiet")),
    ("train", "-o", "--data", None, lambda place: ("train", "boosted(rounds=2)", *SAMPLE, "-o", place)),
    ("report", "-o", "--over", results,
     lambda place: ("report", "compared", "--over", "a", "-o", place, "--quiet")),
    ("leaderboard", "-o", "submit", entry,
     lambda place: ("leaderboard", "submit", "entry", "--board", "board.toml", "-o", place, "--quiet")),
    ("leaderboard", "-o", "report", board,
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
