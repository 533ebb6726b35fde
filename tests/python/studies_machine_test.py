"""What made a run: kept with it, and told of many that were made here and there."""
import pathlib
import re
import tempfile
import unittest

try:
    from schedulegym.studies import machine
except ImportError as fault:
    raise unittest.SkipTest(f"no studies: {fault}") from None


class FactsTest(unittest.TestCase):
    def test_of_here(self):
        facts = machine.facts_here()
        self.assertTrue(facts["schedulegym"].startswith(machine.schedulegym.__version__))
        self.assertEqual(int(facts["cores"]), machine.cores())
        self.assertTrue(all(facts.values()))

    def test_a_commit_is_that_of_the_checkout_that_has_the_file(self):
        commit = machine._commit(pathlib.Path(__file__).resolve())
        if commit is not None:  # else these are no checkout's
            self.assertRegex(commit, r"^[0-9a-f]{7,}(-dirty)?$")
        with tempfile.NamedTemporaryFile() as file:
            self.assertIsNone(machine._commit(pathlib.Path(file.name)))

    def test_where_runs_agree_it_is_said_once(self):
        self.assertEqual(machine.told_facts([{"cores": "2"}] * 3)["cores"], "2")
        self.assertEqual(machine.told_facts([])["processor"], "-")

    def test_where_they_do_not_it_is_counted(self):
        told = machine.told_facts([{"cores": "2", "grade": "A"}, {"cores": "4", "grade": "B"},
                                   {"cores": "2", "grade": "A"}, {}])
        self.assertEqual(told["cores"], "- (1 runs), 2 (2 runs), 4 (1 runs)")
        self.assertEqual(told["grade"], "- (1 runs), A (2 runs), B (1 runs)")

    def test_the_date_is_told_where_it_is_asked_for(self):
        made = [{"date": "2026-11-27"}, {"date": "2026-11-28"}, {"date": "2026-11-28"}]
        self.assertNotIn("date", machine.told_facts(made))
        self.assertEqual(machine.told_facts(made, ["date"])["date"],
                         "2026-11-27 (1 runs), 2026-11-28 (2 runs)")

    def test_noise_has_its_ends(self):
        told = machine.told_facts([{"noise": "0.02"}, {"noise": "0.004"}, {}, {"noise": "0.01"}])
        self.assertEqual(told["noise"], "equal kernels differ by 0.4 % to 2 %")
        self.assertNotIn("to", machine.told_facts([{"noise": "0.02"}])["noise"].split("by")[1])

    def test_versions_are_counted(self):
        self.assertEqual(machine.versions_of([{"schedulegym": "2"}, {}, {"schedulegym": "2"}]),
                         {"-": 1, "2": 2})


if __name__ == "__main__":
    unittest.main()
