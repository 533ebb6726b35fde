"""The page of a search's store: its searches as a study, each on the target that it was made for."""
import unittest

from harness import PackageTest

try:
    import schedulegym
    from schedulegym import RecordStore
    from schedulegym.studies import page
    from schedulegym.studies.command import run_command
    from schedulegym.studies.faults import StudyError
    from schedulegym.studies.searches import read_searches
except ImportError as fault:
    raise unittest.SkipTest(f"no studies: {fault}") from None

SMALL = "matmul(m=8,n=8,k=8)"


class SearchesTest(PackageTest):
    def search(self, target, **options):
        schedulegym.tune(SMALL, target=target, agent="random", store=self.folder / "s.db", trials=2,
                         finalists=0, **options)

    def read(self):
        return read_searches(self.folder / "s.db")

    def test_a_search_is_a_run_on_its_target(self):
        self.search("interpreter", seed=3)
        found = self.read()
        (place, outcome), = found.outcomes.items()
        self.assertEqual(place, (SMALL, "random in schedulegym", 3))
        with RecordStore(self.folder / "s.db") as store:
            records = list(store)
        self.assertEqual(outcome.speeds, tuple(one.measurement.ratio for one in records))
        self.assertIsNone(outcome.measured)  # readings are no true speeds
        self.assertEqual(found.study.target, "interpreter")
        self.assertIn("--target interpreter", outcome.replay)
        timing, = found.timings["random in schedulegym"]
        self.assertEqual(set(timing.phases), {"compile", "verify", "measure"})
        self.assertAlmostEqual(timing.wall, outcome.total)
        self.assertEqual(found.facts[0]["target"], "interpreter")
        self.check_page()

    def check_page(self):
        out = self.folder / "page.html"
        words = ["report", str(self.folder / "s.db"), "-o", str(out), "--quiet"]
        self.assertEqual(run_command(words, None, None), 0)
        text = out.read_text()
        for word in ("Time by phase", "--target interpreter", "<dt>machine</dt>",
                     page.escaped("random in schedulegym")):
            self.assertIn(word, text)

    def test_targets_are_cases_of_their_own(self):
        for cores in (2, 3):
            self.search(f"interpreter(cores={cores})")
        found = self.read()
        self.assertEqual(len(found.study.cases), 2)
        for (case, _, _), outcome in found.outcomes.items():
            self.assertIn(f"cores={2 if 'cores=2' in case else 3}", outcome.replay)
            self.assertEqual(len(outcome.speeds), 2)

    def test_what_was_not_measured_is_a_case_of_its_own(self):
        self.search("interpreter")
        self.search("interpreter", measure="analytical", seed=1)
        found = self.read()
        self.assertEqual({(case.name, case.kind) for case in found.study.cases},
                         {(f"{SMALL}, by host", "host"), (f"{SMALL}, by analytical", "analytical")})
        self.assertEqual({place[0]: len(outcome.speeds) for place, outcome in found.outcomes.items()},
                         {f"{SMALL}, by host": 2, f"{SMALL}, by analytical": 2})
        self.assertEqual(run_command(["report", str(self.folder / "s.db"), "-o",
                                      str(self.folder / "page.html"), "--quiet"], None, None), 0)
        self.assertIn("judged by the analytical model, measured on the host",
                      (self.folder / "page.html").read_text())

    def test_an_empty_store_is_refused(self):
        RecordStore(self.folder / "s.db", "w").close()
        with self.assertRaisesRegex(StudyError, "found no records"):
            self.read()


if __name__ == "__main__":
    unittest.main()
