"""Noise ceilings of a study's tables: the line on its pages, the warning, and which tables studies take."""
import dataclasses
import pathlib
import unittest

try:
    import schedulegym.studies
    from schedulegym.studies import noise, page, recorded, study_file
    from schedulegym.studies.kept import kept_names
    from schedulegym.studies.offline import is_offline
    from schedulegym.studies.pages import RESULTS
    from schedulegym.studies.study import runs_of
    from schedulegym.studies.summary import Summary
    from schedulegym.studies.tune_runner import suite_workloads
    from studies_synthetic import outcome_of
except ImportError as fault:
    raise unittest.SkipTest(f"no studies: {fault}") from None

FOLDER = pathlib.Path(schedulegym.studies.__file__).parent
CEILINGS = {"quiet": 0.97, "noisy": 0.9694, "bare": None}


class NoiseTest(unittest.TestCase):
    def test_the_line_names_each_table(self):
        self.assertEqual(noise.ceilings_text(CEILINGS), "`quiet` 0.970, `noisy` 0.969, `bare` unknown")

    def test_a_warning_names_those_below_the_least_alone(self):
        self.assertEqual(noise.too_noisy(CEILINGS), ["noisy"])
        self.assertIn("0.97: noisy. Near the best of this table", noise.warning_text(CEILINGS, "{}"))
        self.assertIsNone(noise.warning_text({"quiet": 0.97, "bare": None}))

    def test_a_table_that_comes_along_is_known_by_what_it_holds(self):
        table = recorded.find_table("contest_depthwise", FOLDER)
        self.assertEqual(noise.shipped_ceiling(recorded.digest_of(table)), recorded.noise_ceiling_of(table))
        self.assertIsNone(noise.shipped_ceiling("0" * 16))


class PagesTest(unittest.TestCase):
    def page_of(self, ceiling):
        study = study_file.study_of(
            {"measure": "table", "cases": ["contest_depthwise", "matmul"], "seeds": 2, "trials": 4,
             "arms": {"plain": "random", "other": "hill"}}, "test", FOLDER)
        outcomes = {run.place: dataclasses.replace(outcome_of(run), noise_ceiling=ceiling[run.case.name])
                    for run in runs_of(study)}
        summary = Summary(study, outcomes, 100)
        return page.page_of(summary, summary.told(), page.Colophon("study", {}, {}))

    def test_the_page_of_a_study_on_tables_has_the_line(self):
        text = self.page_of({"contest_depthwise": 0.5, "matmul": None})
        self.assertIn("Noise ceilings: contest_depthwise 0.500, matmul unknown.", text)
        self.assertIn("<p class=warning>Noise ceiling below 0.97: contest_depthwise.", text)
        self.assertNotIn("Noise ceiling below", self.page_of({"contest_depthwise": 0.99, "matmul": None}))

    def test_studies_without_kept_results_take_tables_that_can_judge(self):
        kept = {FOLDER / f"{name}.toml" for name in kept_names(RESULTS)}
        for file in sorted(FOLDER.rglob("*.toml")):
            if file in kept or "[schedulers]" in file.read_text().splitlines() or is_offline(file):
                continue
            with self.subTest(str(file.relative_to(FOLDER))):
                cases = study_file.read_study(file, suite_workloads).cases
                self.assertEqual(noise.too_noisy(
                    {case.name: noise.shipped_ceiling(case.table) for case in cases if case.table}), [])


if __name__ == "__main__":
    unittest.main()
