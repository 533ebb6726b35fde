"""The page of a board: what it says, and what a browser makes of it."""
import concurrent.futures
import dataclasses
import math
import unittest

from leaderboard_chance_test import outcome
from leaderboard_entry_test import BOARD, FolderTest
from studies_page_test import COLOPHON, assert_it_fits, browse

try:
    import numpy as np

    from schedulegym.leaderboard.board_page import family, lead_of
    from schedulegym.studies.random_baseline import Chance
    from schedulegym.leaderboard.contest import contest_of
    from schedulegym.leaderboard.standings import Standings
    from schedulegym.studies import page, pictures
    from schedulegym.studies.summary import Summary
except ImportError as fault:
    raise unittest.SkipTest(f"no leaderboard: {fault}") from None


class BoardPageTest(FolderTest):
    def setUp(self):
        super().setUp()
        contest = contest_of(self.board(), [self.entry()], 5)
        known = Chance(np.geomspace(2, 0.01, 10), 2.0, 0.0, 4.0, 1.0)
        contest = dataclasses.replace(contest, chances={
            case.name: known for case in contest.study.cases})
        runs = {run.place: dataclasses.replace(
            outcome(*[math.exp(-1 / (trial + run.seed)) for trial in range(1, 11)]),
            replay=f"schedulegym replay <{run.arm.name}>") for run in contest.runs()
            if run.arm.name != "slow" or run.seed == 0}
        self.standings = Standings(contest, runs)
        self.told = self.standings.told()
        self.lead = lead_of(self.standings, self.told)
        summary = Summary(contest.study, runs, 100)
        self.text = page.page_of(summary, summary.told(), COLOPHON, self.lead)

    def test_it_tells_all(self):
        for word in ("no ranks: 2 cases held out", "<h2>Scores</h2>", "Cases", "held out", "climber-2", "A. Climber", "MIT",
                     "40 trials, 0.5 hours: patience, 10 to 100", "unverified", self.told["identity"],
                     "schedulegym replay &lt;hill&gt;", "How soon targets are reached",
                     "Held out, drawn from the seed 5"):
            self.assertIn(word, self.text)

    def test_it_is_small(self):
        self.assertLess(len(self.text.encode()), 1_500_000)

    def test_every_cell_leads_to_its_command(self):
        for place in range(3):
            for entry in range(4):
                name = f"replay-{place}-{entry}"
                self.assertIn(f'href="#{name}"', self.text)
                self.assertEqual(self.text.count(f'id="{name}"'), 1)

    def test_families(self):
        self.assertEqual([family("a", "matmul(m=8)"), family("conv.table", None)],
                         ["matmul", "conv"])
        self.assertIn('data-family="matmul"', self.text)

    @unittest.skipUnless(pictures.find_chromium(), "Chromium is not installed")
    def test_a_browser_draws_sorts_and_filters(self):
        script = """<script>
          document.querySelectorAll('table.sortable')[0].querySelectorAll('th')[1].click();
          const first = document.querySelectorAll('table.sortable')[0].tBodies[0].rows;
          document.documentElement.dataset.sorted =
              [...first].map(row => row.cells[0].textContent).join(' ');
          const choice = document.getElementById('family');
          choice.value = 'matmul';
          choice.dispatchEvent(new Event('change'));
          document.documentElement.dataset.shown = [...document.querySelectorAll('tr[data-family]')]
              .filter(row => row.dataset.family && !row.hidden).map(row => row.dataset.family);
          location.hash = 'replay-0-1';
          openTarget();
          document.documentElement.dataset.open = document.querySelectorAll('details[open]').length;
        </script></body>"""
        text, sizes = self.text.replace("</body>", script), ("1200,900", "420,900")
        with concurrent.futures.ThreadPoolExecutor() as pool:  # a browser waits most of the time
            shown = list(pool.map(lambda size: browse(text, f"--window-size={size}"), sizes))
        for dom, log in shown:
            root = dom.partition(">")[2].partition("<head>")[0]
            self.assertNotIn("data-fault", root)
            self.assertEqual(log, [])
            self.assertIn('data-open="1"', root)
            ranked = {name: one["scores"]["ranked"]["by_trials"]
                      for name, one in self.told["entries"].items()}
            order = root.partition('data-sorted="')[2].partition('"')[0].split()
            values = [ranked[name]["value"] for name in order if ranked[name]]
            self.assertEqual(values, sorted(values, reverse=True))
            self.assertEqual(order[-1], "slow")  # without a score
            families = root.partition('data-shown="')[2].partition('"')[0].split(",")
            self.assertEqual(set(families), {"matmul"})
            self.assertIn("main-svg", dom.partition('id="ecdf"')[2][:200_000])

    @unittest.skipUnless(pictures.find_chromium(), "Chromium is not installed")
    def test_nothing_is_wider_than_a_narrow_window(self):
        assert_it_fits(self, self.text)


if __name__ == "__main__":
    unittest.main()
