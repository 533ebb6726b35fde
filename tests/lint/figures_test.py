"""Holds the tree to figures that make it quick to read. usage: figures_test.py SOURCE_DIR"""
import collections
import pathlib
import statistics
import sys
import unittest

import rules
from limited_case import LimitedTest

SOURCE = pathlib.Path(sys.argv[1]).resolve()

MOST_FILES = 1356  # of C++, without tests; 1,150 before GPUs, CUDA, cost models, networks and tuners
LEAST_MEDIAN = 70  # lines of such a file
SHORT_FILE, MOST_SHORT = 50, 0.33  # a file below this many lines is short; the share that may be
# Without the comments that files open with: 101,000 before GPUs and data (9,000), cost models (4,800),
# the tuners of the field (6,200: nine rows, with a solver of constraints and three networks), networks
# that score schedules (2,400), CUDA with its driver and bundles, reductions that threads share,
# resources in records, and value iteration (1,200), warp shuffles, asynchronous copies, shipped models
# and a store for what is repeated (1,000). f16 and bf16 took eight files and 500 lines, logs of Ansor
# four files and 650; a switch for each part of a tuner, tables as programs, lists of tasks and boards
# by name, drivers without doubles and bundles with a README 900. Names of outputs that are checked, and
# prints and rows of bundles, took 300; limits of launches, models that lack facts and measurers of
# environments 400. Drafts by models, parts of the estimate and two published searches took 300; labels
# of networks and how they learn in a search, sums shared by threads and tiles of GPUs 1,500.
MOST_LINES = 139_600
MOST_IN_A_FOLDER = 40
# What each search is asked for; a struct with all of it is one form of that, of which a request and the
# message to an agent's process are enough.
OF_A_SEARCH, SEARCH_STRUCTS = {"agent", "space", "trials", "seed"}, {"AgentSetupText", "SearchRequest"}


def files():
    """(path from the root, lines, lines of the opening comment) of each C++ file without tests."""
    texts = {path: path.read_text()
             for folder in rules.TOP_LEVEL for path in (SOURCE / folder).rglob("*")
             if path.suffix in (".h", ".cc", ".cu", ".cuh")}
    return [(path.relative_to(SOURCE).as_posix(), len(text.splitlines()), rules.opening(text))
            for path, text in texts.items()]


class FiguresTest(LimitedTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.files = files()
        cls.lines = [lines for _, lines, _ in cls.files]
        cls.opening = sum(opening for _, _, opening in cls.files)

    def test_files(self):
        self.assertGreater(len(self.files), 20)
        self.assertLessEqual(len(self.files), MOST_FILES)
        self.assertLessEqual(sum(self.lines) - self.opening, MOST_LINES)

    def test_sizes(self):
        self.assertGreaterEqual(statistics.median(self.lines), LEAST_MEDIAN)
        short = sum(lines < SHORT_FILE for lines in self.lines)
        self.assertLessEqual(short / len(self.lines), MOST_SHORT, f"{short} files below {SHORT_FILE} lines")

    def test_folders(self):
        folders = collections.Counter(path.rsplit("/", 1)[0] for path, _, _ in self.files)
        large = {folder: count for folder, count in folders.items()
                 if count > MOST_IN_A_FOLDER}
        self.assertEqual(large, {}, f"more than {MOST_IN_A_FOLDER} files")


    def test_structs_of_one_search(self):
        found = {name for path, _, _ in self.files if not path.endswith(".cu")
                 for name, members in rules.structs((SOURCE / path).read_text()) if OF_A_SEARCH <= members}
        self.assertEqual(found, SEARCH_STRUCTS)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
