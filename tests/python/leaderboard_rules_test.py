"""The rules of docs/reference/leaderboard.md by their numbers, on boards that can be reckoned by hand."""
import dataclasses
import hashlib
import math
import unittest

from harness import ProgramTest
from leaderboard_entry_test import BOARD, FolderTest
from leaderboard_chance_test import outcome

try:
    import numpy as np

    from schedulegym.leaderboard import claims
    from schedulegym.leaderboard.board import builtin_boards, find_board, read_board
    from schedulegym.leaderboard.board_page import lead_of
    from schedulegym.studies.random_baseline import Chance, chance_of_all, chance_of_sample
    from schedulegym.leaderboard.contest import begin_folder, contest_of
    from schedulegym.leaderboard.held_out import HeldOut, draw_held_out
    from schedulegym.leaderboard.scores import TARGETS, scores_of
    from schedulegym.leaderboard.standings import Standings, letters_of
    from schedulegym.studies.faults import StudyError
except ImportError as fault:
    raise unittest.SkipTest(f"no leaderboard: {fault}") from None

# Chance has times 2, 1, 0.5 after 1, 2, 3 draws, the optimum 0; scores are taken at 2 and 3.
KNOWN = Chance(np.array([2.0, 1.0, 0.5]), 2.0, 0.0, 4.0, 10.0)
SMALL = BOARD.replace("trials = 10", "trials = 3")


def constant(time):
    """A run that has this time from its first trial on."""
    return outcome(*[math.exp(-time)] * 3, elapsed=(10.0, 20.0, 30.0))


def score_of(time):
    """Of such a run, by hand."""
    return ((1 - time) / 1 + (0.5 - time) / 0.5) / 2


class ListedBoardsTest(ProgramTest):
    """`list boards` and the help are of the files that come along."""

    def test_each_board_is_listed_as_its_file_has_it(self):
        listed = {item["name"]: item["parameters"] for item in self.events("list", "boards")}
        boards = {name: read_board(find_board(name)) for name in builtin_boards()}
        self.assertEqual(listed, {
            name: f"track={board.track}, trials={board.trials}, seeds={board.seeds}"
            for name, board in boards.items()})
        self.assertEqual([board.name for board in boards.values()], list(boards))

    def test_the_help_names_them(self):
        text = " ".join(self.succeed("leaderboard", "--help").split())
        self.assertIn(f"a board ({', '.join(builtin_boards())}, or a file)", text)


class RuledTest(FolderTest):
    """Boards of three trials, whose chance is known."""

    def standings(self, times, held_out=None, text=SMALL, **changes):
        """Of runs by (entry, seed) at constant times, on each case alike."""
        contest = contest_of(self.board(text), [], held_out)
        names = [case.name for case in contest.study.cases]
        contest = dataclasses.replace(contest, chances=dict.fromkeys(names, KNOWN), **changes)
        runs = {(case, name, seed): constant(time) for case in names
                for (name, seed), time in times.items()}
        return Standings(contest, runs)

    def ranked(self, **times):
        """Of a board with five held-out cases, on which each entry has these times with all seeds."""
        contest = contest_of(self.board(SMALL.replace("count = 2", "count = 5")), [], 5)
        names = [case.name for case in contest.study.cases]
        contest = dataclasses.replace(contest, chances=dict.fromkeys(names, KNOWN))
        return Standings(contest, {(case, name, seed): constant(time) for name, found in times.items()
                                   for case, time in zip(contest.held_out, found) for seed in range(3)})

    def times(self, **entries):
        """A list of times by seed for each entry; those that are not named are as chance."""
        told = {"random": [1, 1, 1], "hill": [1, 1, 1], "slow": [1, 1], **entries}
        return {(name, seed): time for name, seeds in told.items()
                for seed, time in enumerate(seeds)}

    def true_claims(self, contest):
        """Of all runs of the entry that came last, whose speeds are 0.5, 1 and 0.5."""
        return [claims.Claim(contest.identity, run.case.name, run.seed, 3, 1.0, None)
                for run in contest.runs() if run.arm.name == contest.entries[-1].name and
                run.case.name in contest.public]


class RulesTest(RuledTest):
    def test_rule_1_a_folder_takes_one_edition(self):
        begin_folder(self.folder / "out", contest_of(self.board(), [], None))
        with self.assertRaisesRegex(StudyError, "editions are never mixed"):
            begin_folder(self.folder / "out", contest_of(self.board(BOARD + "\n"), [], None))

    def test_rule_2_all_make_the_same_runs(self):
        contest = contest_of(self.board(), [self.entry()], None)
        runs = {entry.name: {(run.case.name, run.seed, run.trials, run.seconds)
                             for run in contest.runs() if run.arm.name == entry.name}
                for entry in contest.entries}
        self.assertEqual(runs["climber-2"], {(case.name, seed, 10, None)
                                             for case in contest.study.cases for seed in range(3)})
        self.assertEqual(runs["random"], runs["climber-2"])
        self.assertLess(runs["slow"], runs["random"])

    def test_rule_3_chance_is_an_entry(self):
        text = BOARD[:BOARD.index("[entries]")]
        self.assertEqual([one.name for one in self.board(text).baselines], ["random"])

    def test_rule_4_chance_is_reckoned(self):
        # Of times 0, 1, 2 the best of two distinct ones is 0, 0 or 1; of two draws from the three,
        # with replacement, it is 0 in five, 1 in three and 2 in one of nine.
        speeds = [1.0, math.exp(-1), math.exp(-2)]
        self.assertAlmostEqual(chance_of_all(speeds, 0, [1.0], 2).best[1], 1 / 3)
        self.assertAlmostEqual(chance_of_sample(speeds, 0, 1.0, None, 2).best[1], (3 + 2) / 9)
        contest = contest_of(self.board(SMALL), [], None)
        case = contest.study.cases[0].name
        runs = {(case, "random", 0): outcome(*speeds[:2]), (case, "random", 1): outcome(speeds[2]),
                (case, "hill", 0): outcome(2.0)}
        found = Standings(contest, runs).chances[case]
        self.assertAlmostEqual(found.best[1], (3 + 2) / 9)
        self.assertAlmostEqual(found.optimum, -math.log(2))  # of all entries

    def test_rule_5_the_score_at_a_budget(self):
        one = Chance(np.array([1.0]), 2.0, 0.0, 4.0, None)  # scored at one budget
        for time, score in ((1, 0), (0, 1), (0.5, 0.5), (2, -1)):
            self.assertAlmostEqual(scores_of(constant(time), one).by_trials, score)

    def test_rule_6_the_score_of_a_run(self):
        self.assertEqual(KNOWN.window, (2, 3))
        self.assertAlmostEqual(scores_of(constant(0.75), KNOWN).by_trials, (0.25 - 0.5) / 2)

    def test_rule_7_nothing_found_is_the_slowest(self):
        self.assertAlmostEqual(scores_of(outcome(None, None, None), KNOWN).by_trials, score_of(4))

    def test_rule_8_trials_and_seconds_are_two_numbers(self):
        late = outcome(1.0, elapsed=(25.0,))  # at 20 s it has nothing, at 30 s the optimum
        found = scores_of(late, KNOWN)
        self.assertAlmostEqual(found.by_trials, 1)
        self.assertAlmostEqual(found.by_seconds, ((1 - 4) / 1 + 1) / 2)
        free = dataclasses.replace(KNOWN, cost=None)
        self.assertIsNone(scores_of(late, free).by_seconds)

    def test_rule_9_the_score_of_an_entry(self):
        told = self.standings(self.times(hill=[0, 0.5, 1])).told()["entries"]["hill"]
        expected = (score_of(0) + score_of(0.5) + score_of(1)) / 3
        self.assertAlmostEqual(told["scores"]["ranked"]["by_trials"]["value"], expected)
        self.assertLess(told["scores"]["ranked"]["by_trials"]["low"], expected)
        # Cases weigh the same, whatever number of runs they have.
        contest = contest_of(self.board(SMALL), [], 5)
        names = list(contest.held_out)
        contest = dataclasses.replace(contest, chances=dict.fromkeys(
            [case.name for case in contest.study.cases], KNOWN))
        runs = {(names[0], "hill", seed): constant(0) for seed in range(3)}
        runs |= {(names[1], "hill", seed): constant(1) for seed in range(3)}
        value = Standings(contest, runs).told()["entries"]["hill"]["scores"]["held_out"]["by_trials"]
        self.assertAlmostEqual(value["value"], (score_of(0) + score_of(1)) / 2)

    def test_rule_9_the_typical_run(self):
        contest = contest_of(self.board(SMALL), [], 5)
        names = list(contest.held_out)
        contest = dataclasses.replace(contest, chances=dict.fromkeys(
            [case.name for case in contest.study.cases], KNOWN))
        runs = {(case, "hill", seed): constant(time) for case, times in zip(names, ((0, 0.5, 1), (1, 1, 3)))
                for seed, time in enumerate(times)}
        told = Standings(contest, runs).told()["entries"]["hill"]["scores"]["held_out"]["by_trials"]
        # Of six runs the best and the worst are left out: 0.5, 1, 1 and 1 are.
        self.assertAlmostEqual(told["typical"]["value"], (score_of(0.5) + 3 * score_of(1)) / 4)
        self.assertLess(told["typical"]["low"], told["typical"]["value"])
        self.assertGreater(told["typical"]["high"], told["typical"]["value"])
        again = Standings(contest, runs).told()["entries"]["hill"]["scores"]["held_out"]["by_trials"]
        self.assertEqual(told, again)

    def test_rule_10_a_missing_run_is_no_score(self):
        standings = self.standings(self.times(hill=[0, 0]))
        told = standings.told()
        hill = told["entries"]["hill"]
        self.assertEqual((hill["rank"], hill["scores"]["ranked"]["by_trials"]), (None, None))
        self.assertEqual(hill["runs"], {"planned": 3, "made": 2})
        standings = self.ranked(random=[1] * 5, hill=[0] * 4)
        row = next(row for row in lead_of(standings, standings.told()).body.split("<tr")
                   if "#card-hill" in row)
        self.assertTrue(row.partition("<td>")[2].startswith("-</td><td>-</td>"), row)

    def test_rule_11_ranks(self):
        # A score falls by 1.5 with the time: hill is ahead of chance by 1.5 in four cases and 1.635 in
        # one, which is 1.527 with a standard error of 0.027.
        told = self.ranked(hill=[0, 0, 0, 0, 0.01], random=[1, 1, 1, 1, 1.1],
                           slow=[1, 1.2, 1, 1, 1]).told()["entries"]
        self.assertEqual({name: (one["rank"], one["group"]) for name, one in told.items()},
                         {"hill": (1, "a"), "random": (2, "b"), "slow": (3, "b")})
        self.assertEqual(told["hill"]["beside_chance"]["verdict"], "better")
        # Where the fifth case says the contrary, it is still the first, and none can be told apart.
        told = self.ranked(hill=[0, 0, 0, 0, 3], random=[1, 1, 1, 1, 1.1],
                           slow=[1, 1.2, 1, 1, 1]).told()["entries"]
        self.assertEqual({name: (one["rank"], one["group"]) for name, one in told.items()},
                         {"hill": (1, "a"), "random": (2, "a"), "slow": (3, "a")})

    def test_no_difference_beside_chance_names_its_size(self):
        told = self.ranked(hill=[1, 1, 1, 1, 1.1], random=[1, 1, 1, 1, 1.1]).told()["entries"]
        self.assertEqual(told["hill"]["beside_chance"]["verdict"], "no difference larger than 0.01")

    def test_rule_11_never_against_the_score(self):
        """Whatever the runs are: by the score, in the table, too; who is apart shares no letter."""
        rng = np.random.default_rng(5)
        for _ in range(20):
            base = rng.uniform(0, 2, 3)
            standings = self.ranked(**{name: list(np.abs(base[place] + rng.normal(0, 0.5, 5)))
                                       for place, name in enumerate(("random", "hill", "slow"))})
            told = standings.told()
            scores = {name: one["scores"]["ranked"]["by_trials"] for name, one in told["entries"].items()}
            by_score = sorted(scores, key=lambda name: -scores[name]["value"])
            self.assertEqual([told["entries"][name]["rank"] for name in by_score], [1, 2, 3])
            table = lead_of(standings, told).body.partition("<tbody>")[2].partition("</tbody>")[0]
            self.assertEqual(sorted(by_score, key=lambda name: table.index(f'"#card-{name}"')), by_score)
            groups = [told["entries"][name]["group"] for name in by_score]
            self.assertIn("a", groups[0])
            self.assertTrue(all(groups))

    def test_rule_11_letters(self):
        def pairs(letters):
            return {(one, other) for one in letters for other in letters
                    if one < other and not set(letters[one]) & set(letters[other])}

        for apart in (set(), {("a", "c")}, {("a", "b"), ("a", "c"), ("b", "c")},
                      {("a", "d"), ("b", "d")}, {("a", "c"), ("b", "d"), ("a", "d")}):
            self.assertEqual(pairs(letters_of("abcd", apart)), apart)
        self.assertEqual(letters_of("abc", {("a", "c")}), {"a": "a", "b": "ab", "c": "b"})
        rng = np.random.default_rng(0)
        for _ in range(50):
            apart = {(one, other) for one in "abcdefgh" for other in "abcdefgh"
                     if one < other and rng.random() < 0.4}
            self.assertEqual(pairs(letters_of("abcdefgh", apart)), apart)

    def test_rule_12_targets(self):
        self.assertEqual(TARGETS, (0.5, 0.8, 0.9, 0.95, 0.99))
        # Time 0.3 is 0.85 of the way from 2 to 0: two of five targets at the first trial.
        standings = self.standings(self.times(hill=[0.3, 0.3, 0.3]))
        self.assertEqual(standings.ecdf("hill", [1, 2]), [0.4, 0.4])
        told = standings.told()["entries"]["hill"]
        self.assertEqual(told["targets"], {"0.5": 1.0, "0.8": 1.0, "0.9": 0.0, "0.95": 0.0,
                                           "0.99": 0.0})

    def test_rule_12_targets_above_a_noise_ceiling_are_left_out(self):
        # exp(2 (target - 1)) of the best speed: 0.368, 0.670, 0.819, 0.905 and 0.980.
        standings = self.standings(self.times(hill=[0.3, 0.3, 0.3]))
        contest = dataclasses.replace(standings.contest, chances={
            name: dataclasses.replace(KNOWN, ceiling=0.81) for name in standings.contest.chances})
        standings = Standings(contest, {place: constant(0.3 if place[1] == "hill" else 1)
                                        for place in standings.scores})
        self.assertEqual(standings.ecdf("hill", [1, 2]), [1.0, 1.0])
        told = standings.told()
        self.assertEqual(told["entries"]["hill"]["targets"],
                         {"0.5": 1.0, "0.8": 1.0, "0.9": None, "0.95": None, "0.99": None})
        self.assertEqual({(one["noise_ceiling"], *one["left_out"]) for one in told["cases"].values()},
                         {(0.81, 0.9, 0.95, 0.99)})
        name = next(iter(told["cases"]))
        self.assertIn(f"{name}: 0.9, 0.95, 0.99", lead_of(standings, told).body)
        noisy = dataclasses.replace(KNOWN, ceiling=0.82)
        self.assertEqual([noisy.can_judge(target) for target in TARGETS], [True] * 3 + [False] * 2)

    def test_the_ceiling_of_a_table_comes_with_its_case(self):
        contest = contest_of(read_board(find_board("smoke")), [], None)
        ceilings = {name: chance.ceiling for name, chance in contest.chances.items()}
        self.assertIsNone(ceilings["matmul"])
        self.assertTrue(0.97 <= ceilings["contest_depthwise_v2"] < 1)
        self.assertFalse(contest.chances["contest_depthwise_v2"].can_judge(0.999))

    def test_rule_13_held_out_cases_rank(self):
        for held_out, words in ((None, "no ranks: 0 cases held out"), (5, "no ranks: 2 cases held out")):
            few = self.standings(self.times(hill=[0, 0, 0]), held_out)
            told = few.told()
            self.assertIsNone(told["ranked_on"])
            self.assertEqual({(one["rank"], one["group"]) for one in told["entries"].values()},
                             {(None, None)})
            body = lead_of(few, told).body
            self.assertIn(words, body)
            for word in ("<h2>Ranks</h2>", "<button>rank</button>", "<button>group</button>"):
                self.assertNotIn(word, body)
            self.assertIsNotNone(told["entries"]["hill"]["scores"]["ranked"]["by_trials"])  # of all cases
        text = SMALL.replace("count = 2", "count = 5")
        contest = contest_of(self.board(text), [], 5)
        names = [case.name for case in contest.study.cases]
        contest = dataclasses.replace(contest, chances=dict.fromkeys(names, KNOWN))
        runs = {(case, name, seed): constant(0 if (name == "hill") == (case in contest.public) else 1)
                for case in names for name in ("random", "hill", "slow") for seed in range(3)}
        standings = Standings(contest, runs)  # hill is the best on public cases alone
        told = standings.told()
        self.assertEqual(told["entries"]["hill"]["rank"], 3)
        self.assertEqual(told["ranked_on"], "held-out cases")
        body = lead_of(standings, told).body
        self.assertIn("<h2>Ranks</h2>", body)
        self.assertNotIn("no ranks", body)

    def test_rule_14_the_generator(self):
        held = HeldOut(1, shapes={"softmax": {"n": (1, 2, 3)}})
        numbers = [hashlib.sha256(f"mine 2.0 9 {place}".encode()).digest()
                   for place in range(2)]
        self.assertEqual(draw_held_out(held, "mine 2.0", 9, []),
                         [f"softmax(n={(1, 2, 3)[int.from_bytes(numbers[1], 'big') % 3]})"])
        contest = contest_of(self.board(), [], 9)
        self.assertFalse(set(contest.held_out) & set(contest.public))


if __name__ == "__main__":
    unittest.main()
