"""Best vendors beside a study's searches: told by its file, or measured when live ones are through."""
import json
import pathlib
import tempfile
import unittest
from unittest import mock

try:
    from schedulegym.studies import command, engine, packed, study_file, vendors
    from schedulegym.studies.faults import StudyError
    from schedulegym.studies.folder import Folder, read_study_of
    from schedulegym.studies.outcome import Timing
    from schedulegym.studies.progress import Progress
    from schedulegym.studies.study import runs_of
    from schedulegym.studies.vendors import Measured, Vendor
    from studies_synthetic import outcome_of
except ImportError as fault:
    raise unittest.SkipTest(f"no studies: {fault}") from None

TOLD = {"library": "oneDNN", "version": "3.5", "seconds": 0.001}
BEST = Measured("a(m=1)", Vendor("onednn", 1e-6, 1.25), None, True, 2.0)


def study_of(**changes):
    return study_file.study_of({"measure": "table", "cases": ["matmul", "conv2d"], "seeds": 1,
                                "trials": 8, "arms": {"chance": "random"}, **changes}, "test", None)


class VendorsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.place = pathlib.Path(folder.name)

    def begun(self, **changes):
        study = study_of(**changes)
        return Folder.begin(self.place / "out", study), runs_of(study)

    def test_of_a_table_the_file_tells_it(self):
        study = study_of(vendors={"matmul": TOLD})
        first, *_ = packed.text_of(study.cases[0].file).splitlines()
        reference = json.loads(first)["reference_seconds"]
        self.assertEqual(study.vendors, (("matmul", Vendor("oneDNN 3.5", 0.001, reference / 0.001)),))

    def test_it_is_kept_and_may_be_told_later(self):
        folder, _ = self.begun()
        folder, _ = self.begun(vendors={"matmul": TOLD})
        self.assertEqual(read_study_of(folder.path), folder.study)

    def test_what_is_wrong_with_it(self):
        for changes, words in [({"vendors": {"matmal": TOLD}}, "nearest.*matmul|matmul"),
                               ({"vendors": {"matmul": {"library": "oneDNN"}}}, "expected library"),
                               ({"measure": "host", "vendors": {"matmul": TOLD}}, "on a table")]:
            with self.subTest(changes), self.assertRaisesRegex(StudyError, words):
                study_of(**changes)

    def test_the_page_draws_its_line(self):
        folder, runs = self.begun(vendors={"conv2d": TOLD})
        for run in runs:
            folder.keep(run, outcome_of(run), Timing(1, {}))
        with mock.patch.object(command.pictures, "draw_pictures", lambda *_: None):
            command.report_folder(folder, "again", Progress(0, 0, as_json=False, quiet=True))
        told = json.loads((folder.path / "results.json").read_text())["cases"]
        self.assertAlmostEqual(told["conv2d"]["vendor"] / folder.study.vendors[0][1].speed, 1)
        self.assertIn("best vendor", (folder.path / "report.html").read_text())

    def measure(self, left=0, seconds=None, times=(0.0,)):
        """The cases that bench was asked for, after the runs."""
        folder, runs = self.begun(measure="host", cases=["a(m=1)", "b(m=1)"])
        asked, clock = [], iter([*times, *[times[-1]] * 9])

        def beside(case, target):
            asked.append((case.name, target))
            return Measured(case.name, BEST.vendor, None, True, 2.0)

        make = vendors.with_vendors(lambda *_, **__: engine.Ending(left=left),
                                    Progress(0, 0, as_json=False, quiet=True), beside,
                                    lambda: next(clock))
        make(runs, folder, None, tell=None, seconds=seconds)
        return asked, vendors.measured_vendors(folder)

    def test_of_live_cases_it_is_measured_once_when_all_runs_are_made(self):
        self.assertEqual(self.measure(left=1), ([], {}))
        both = {"a(m=1)": BEST.vendor, "b(m=1)": BEST.vendor}
        self.assertEqual(self.measure(), ([("a(m=1)", "llvm"), ("b(m=1)", "llvm")], both))
        self.assertEqual(self.measure(), ([], both))

    def test_libraries_of_another_machine_than_the_runs_are_not_measured(self):
        def asked():
            raise AssertionError("expected no library to be asked")

        folder, runs = self.begun(measure="host", cases=["a(m=1)", "b(m=1)"])
        folder.keep(runs[0], outcome_of(runs[0]), Timing(1, {}, {"processor": "another"}))
        found = list(vendors.measure_missing(runs, folder, lambda: False, lambda *_: asked()))
        self.assertEqual([one.why for one in found], ["runs were made on another"] * 2)
        self.assertEqual(vendors.measured_vendors(folder), {})

    def test_merging_takes_what_a_shard_has_measured(self):
        folder, runs = self.begun(measure="host", cases=["a(m=1)", "b(m=1)"])
        shard = Folder.begin(folder.path / "../shard", folder.study)
        (shard.path / "vendors").mkdir()
        vendors.keep_measured(shard, 0, BEST)
        self.assertEqual(folder.merge(shard, runs), 0)
        self.assertEqual(vendors.measured_vendors(folder), {"a(m=1)": BEST.vendor})

    def test_none_begins_once_the_seconds_are_over(self):
        asked, found = self.measure(seconds=5, times=(0.0, 1.0, 6.0))
        self.assertEqual((len(asked), len(found)), (1, 1))


if __name__ == "__main__":
    unittest.main()
