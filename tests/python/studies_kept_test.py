"""What experiments/results keeps: it follows from runs that are kept, or that can be made again."""
import csv
import pathlib
import tarfile
import tempfile
import unittest
from unittest import mock

from harness import ROOT

try:
    from schedulegym.studies import pictures
    from schedulegym.studies.command import run_command
    from schedulegym.studies.folder import read_study_of
    from schedulegym.studies.packed import text_of
    from schedulegym.studies.study import runs_of
    from schedulegym.studies.study_file import read_study
    from schedulegym.studies.tune_runner import TuneRunner, suite_workloads
except ImportError as fault:
    raise unittest.SkipTest(f"no studies: {fault}") from None

RESULTS = ROOT / "experiments" / "results"


class KeptTest(unittest.TestCase):
    def test_what_is_told_follows_from_the_runs_that_are_kept(self):
        archives = sorted(RESULTS.rglob("runs.tar.xz"))
        self.assertTrue(archives)
        for archive in archives:
            with self.subTest(archive.parent.name), tempfile.TemporaryDirectory() as place, \
                    mock.patch.object(pictures, "find_chromium", lambda: None):
                with tarfile.open(archive) as kept:
                    kept.extractall(place)
                page = pathlib.Path(place, "report.html")
                words = ["report", place, "-o", str(page), "--quiet"]
                self.assertEqual(run_command(words, TuneRunner(), suite_workloads), 0)
                for told in ("results.json", "results.csv"):
                    self.assertEqual(pathlib.Path(place, told).read_text(),
                                     text_of(archive.parent / f"{told}.gz"), told)
                self.assertIn("<html", page.read_text())
                study = read_study_of(pathlib.Path(place))
                rows = text_of(archive.parent / "results.csv.gz").splitlines()
                self.assertEqual(len(rows) - 1, len(runs_of(study)), "all runs are kept")

    def test_compressed_files_hold_no_time_of_their_making(self):
        for file in sorted(RESULTS.rglob("*.gz")):
            self.assertEqual(file.read_bytes()[4:8], bytes(4), file)

    def test_each_live_study_keeps_its_runs(self):
        files = sorted(RESULTS.rglob("results.csv.gz"))
        self.assertTrue(files)
        for told in files:
            rows = csv.DictReader(text_of(told).splitlines())
            is_live = all(row["measured"] == "" for row in rows)  # known of what was chosen alone
            self.assertEqual((told.parent / "runs.tar.xz").exists(), is_live, told)

    def test_runs_on_tables_repeat_anywhere(self):
        rows = csv.DictReader(text_of(RESULTS / "baselines/results.csv.gz").splitlines())
        told = {(row["case"], row["arm"], int(row["seed"])): row for row in rows}
        study = read_study(ROOT / "experiments/studies/baselines.toml", suite_workloads)
        some = [run for run in runs_of(study)
                if run.arm.name in ("random", "hill", "genetic") and run.seed == 0]
        self.assertEqual(len(some), 12)
        for run in some:
            outcome, _ = TuneRunner().make(run, pathlib.Path("none.db"))
            row = told[run.place]
            self.assertEqual((str(outcome.chosen), str(len(outcome.speeds))),
                             (row["chosen"], row["trials"]), run.place)


if __name__ == "__main__":
    unittest.main()
