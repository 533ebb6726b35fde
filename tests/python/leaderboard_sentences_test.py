"""Each sentence of the rules on docs/reference/leaderboard.md, by its number, and the tests that hold it."""
import ast
import dataclasses
import math
import pathlib
import re
import unittest
from unittest import mock

from leaderboard_chance_test import outcome
from leaderboard_entry_test import BOARD, ENTRY
from leaderboard_rules_test import KNOWN, SMALL, RuledTest, constant
from leaderboard_state import LookingRunner

try:
    from schedulegym.leaderboard import winners
    from schedulegym.leaderboard.board_page import lead_of
    from schedulegym.leaderboard.contest import begin_folder, contest_of
    from schedulegym.leaderboard.standings import Standings
    from schedulegym.studies import engine
    from schedulegym.studies.outcome import Timing
except ImportError as fault:
    raise unittest.SkipTest(f"no leaderboard: {fault}") from None

HERE = pathlib.Path(__file__).parent
PAGE = HERE.parents[1] / "docs/reference/leaderboard.md"
RULES, BELIEVED = "rules.RulesTest.test_rule_", "believed.BelievedTest.test_rule_"
OWN, LIVE = "sentences.SentenceTest.test_", "live.WinnersTest.test_"
CLAIMS, AGAIN = "claims.ClaimTest.test_", "again.AgainTest.test_"
# By the rule's number and the sentence's or the half sentence's: how it begins, and who holds it.
SENTENCES = {
    "1.1": ("What a board's file says",
            "entry.BoardTest.test_an_edition_is_what_the_file_says_and_its_tables_hold"),
    "1.2": ("a folder of one edition", RULES + "1_a_folder_takes_one_edition"),
    "2.1": ("Every entry makes the same", RULES + "2_all_make_the_same_runs",
            OWN + "2_1_from_an_empty_store"),
    "2.2": ("baselines", RULES + "2_all_make_the_same_runs"),
    "3.1": ("Chance is always", RULES + "3_chance_is_an_entry"),
    "4.1": ("What chance should reach", RULES + "4_chance_is_reckoned",
            "chance.ChanceTest.test_without_replacement_it_is_the_mean_over_all_orders"),
    "4.2": ("on the estimate and live", RULES + "4_chance_is_reckoned"),
    "5.1": ("A run's score at a budget", RULES + "5_the_score_at_a_budget"),
    "6.1": ("A run's score is the mean", RULES + "6_the_score_of_a_run",
            "chance.ChanceTest.test_the_window"),
    "7.1": ("A run that has found nothing", RULES + "7_nothing_found_is_the_slowest"),
    "7.2": ("none is dropped", BELIEVED + "22_a_lost_run_found_nothing"),
    "8.1": ("Scores by trials", RULES + "8_trials_and_seconds_are_two_numbers"),
    "8.2": ("seconds are what measuring", "chance.ChanceTest.test_median_optimum_slowest_and_cost",
            "run.RunTest.test_on_the_estimate_there_are_no_seconds"),
    "8.3": ("on a live board", LIVE + "thinking_is_a_column_and_seconds_are_the_wall_s"),
    "9.1": ("An entry's score", RULES + "9_the_score_of_an_entry",
            OWN + "9_1_an_interval_of_95_percent"),
    "9.2": ("its typical run", RULES + "9_the_typical_run"),
    "10.1": ("An entry that lacks", RULES + "10_a_missing_run_is_no_score"),
    "11.1": ("Ranks go by the score", RULES + "11_ranks", RULES + "11_never_against_the_score",
             "order.OrderTest.test_who_is_apart_keeps_the_order_on_other_held_out_cases"),
    "11.2": ("entries that cannot", RULES + "11_ranks", RULES + "11_letters"),
    "12.1": ("Targets are", RULES + "12_targets"),
    "12.2": ("of all pairs", RULES + "12_targets"),
    "12.3": ("A target above", RULES + "12_targets_above_a_noise_ceiling_are_left_out"),
    "13.1": ("A board ranks", RULES + "13_held_out_cases_rank"),
    "13.2": ("else its page", RULES + "13_held_out_cases_rank"),
    "14.1": ("Held-out cases follow", RULES + "14_the_generator",
             "entry.HeldOutTest.test_nothing_public_and_nothing_twice"),
    "15.1": ("An entry of the closed division", BELIEVED + "15_the_closed_division"),
    "15.2": ("that its code holds nothing learned", OWN + "15_2_what_no_check_can_see_is_declared"),
    "16.1": ("Every entry declares", BELIEVED + "16_what_was_spent_is_declared"),
    "17.1": ("One search has one name", BELIEVED + "17_one_search_has_one_name"),
    "18.1": ("On the estimate", BELIEVED + "18_no_agent_sees_its_judge"),
    "19.1": ("The mark *verified* holds", BELIEVED + "19_the_mark_holds_for_one_state"),
    "19.2": ("any change", BELIEVED + "19_the_mark_holds_for_one_state",
             "entry.EntryTest.test_its_code_is_all_that_its_folder_holds",
             "entry.EntryTest.test_what_could_change_unseen_is_refused"),
    "19.3": ("It is given for all", CLAIMS + "an_incomplete_claim_is_refused",
             CLAIMS + "a_mark_of_ones_own_making_does_not_count"),
    "20.1": ("A record that does not", BELIEVED + "20_what_does_not_replay_is_refused"),
    "20.2": ("a live one", "again.ClaimTest.test_a_speed_holds_within_its_interval",
             "again.ClaimTest.test_what_does_not_hold_is_refused"),
    "21.1": ("An entry's own code", BELIEVED + "21_code_reads_itself_and_no_answers",
             "cheats.HarmTest.test_each_loses_its_runs_and_nothing_else",
             "cheats.HarmTest.test_the_table_that_it_is_told_of_has_no_answers"),
    "21.2": ("so does what builds", "plugin.PluginTest.test_what_is_wrong_is_one_line",
             "plugin.PluginTest.test_one_from_its_source"),
    "22.1": ("A run that its code loses", BELIEVED + "22_a_lost_run_found_nothing"),
    "22.2": ("nothing else is lost", "cheats.HarmTest.test_each_loses_its_runs_and_nothing_else"),
    "23.1": ("A live run ends", BELIEVED + "23_a_live_run_ends_with_what_its_winner_has_then",
             OWN + "23_1_in_fresh_processes_on_inputs_drawn_then", AGAIN + "outputs_on_fresh_inputs"),
    "23.2": ("one that is wrong", AGAIN + "what_is_wrong_or_too_fast_is_refused",
             LIVE + "one_that_is_wrong_loses_its_run"),
    "23.3": ("one that a busy", LIVE + "a_busy_machine_decides_nothing",
             AGAIN + "three_attempts_while_the_machine_is_busy"),
    "24.1": ("What was measured", BELIEVED + "24_a_board_has_one_kind_of_machine"),
    "25.1": ("Final speeds", BELIEVED + "25_final_speeds", "vendor.FinalTest.test_by_hand"),
    "25.2": ("cases with different", BELIEVED + "25_final_speeds",
             "vendor.FinalTest.test_other_libraries_and_unknown_ones_read_as_nothing"),
    "26.1": ("A winner on an estimate", OWN + "26_1_a_winner_on_an_estimate_is_told_by_it_alone"),
}


def sentences():
    """By their numbers, as they stand on the page."""
    found, rules = {}, PAGE.read_text().partition("## Rules\n")[2]
    for block in filter(None, map(str.strip, re.split(r"\n(?=\S)", rules))):
        number, _, text = " ".join(block.split()).partition(". ")
        for place, sentence in enumerate(re.split(r"(?<=[.;]) ", text), 1):
            found[f"{number}.{place}"] = sentence
    return found


def methods(file):
    """Class.method of each test of leaderboard_FILE_test.py."""
    tree = ast.parse((HERE / f"leaderboard_{file}_test.py").read_text())
    return {f"{file}.{kind.name}.{one.name}" for kind in tree.body if isinstance(kind, ast.ClassDef)
            for one in kind.body if isinstance(one, ast.FunctionDef)}


class EachTest(unittest.TestCase):
    def test_each_sentence_has_a_test(self):
        told = sentences()
        self.assertEqual(list(told), list(SENTENCES))
        for number, (beginning, *_) in SENTENCES.items():
            self.assertTrue(told[number].startswith(beginning), f"{number}: {told[number]}")
        named = {test for _, *tests in SENTENCES.values() for test in tests}
        there = set().union(*(methods(file) for file in {name.split(".")[0] for name in named}))
        self.assertEqual(named - there, set())
        self.assertFalse([number for number, held in SENTENCES.items() if len(held) < 2])

    def test_each_test_of_a_rule_holds_a_sentence(self):
        named = {test for _, *tests in SENTENCES.values() for test in tests}
        own = {name for file in ("rules", "believed", "sentences") for name in methods(file)
               if name.startswith((RULES, BELIEVED, OWN))}
        self.assertEqual(own - named, set())


class SentenceTest(RuledTest):
    def test_2_1_from_an_empty_store(self):
        contest = contest_of(self.board(BOARD.replace('"model"', '"live"')), [], None)
        folder = begin_folder(self.folder / "out", contest)
        run = contest.runs()[0]
        folder.store(run).write_text("of a run that was killed")
        folder.store(run).with_name(folder.store(run).name + "-wal").write_text("more of it")
        engine.make_runs([run], folder, LookingRunner(), workers=1, tell=lambda *_: None)
        self.assertEqual(folder.outcome(run).speeds, (1.0,))
        self.assertEqual(len({folder.store(one) for one in contest.runs()}), len(contest.runs()))

    def test_9_1_an_interval_of_95_percent(self):
        """Of forty runs whose scores are 1.5 off the mean to both sides."""
        contest = contest_of(self.board(SMALL.replace("seeds = 3", "seeds = 40")), [], None)
        case = contest.study.cases[0].name
        contest = dataclasses.replace(contest, chances={case: KNOWN})
        runs = {(case, "hill", seed): constant(seed % 2 * 2) for seed in range(40)}
        told = Standings(contest, runs).told()["entries"]["hill"]["scores"]["ranked"]["by_trials"]
        # Student's interval of 95 % at 39 degrees of freedom is 2.0227 standard errors; that of 90 %
        # 1.685, that of 99 % 2.708.
        error = 1.5 * math.sqrt(40 / 39) / math.sqrt(40)
        for end, sign in ((told["low"], -1), (told["high"], 1)):
            self.assertAlmostEqual((end - told["value"]) * sign / error, 2.0227, delta=0.15)

    def test_15_2_what_no_check_can_see_is_declared(self):
        """Weights in the code of an entry pass; its card says closed, and what it declared."""
        mine = self.entry(ENTRY.replace("hill(patience=20)", "python(module=own,class=A)"),
                          own="WEIGHTS = [0.25, 0.75]")
        contest = contest_of(self.board(SMALL), [mine], None)
        contest = dataclasses.replace(contest, chances={contest.study.cases[0].name: KNOWN})
        standings = Standings(contest, {})
        told = standings.told()
        self.assertEqual(told["entries"]["climber-2"]["division"], "closed")
        card = lead_of(standings, told).body.partition('id="card-climber-2"')[2]
        self.assertIn("<dt>division</dt><dd>closed</dd>", card)
        self.assertIn("<dt>tuned beforehand</dt><dd>40 trials, 0.5 hours: patience, 10 to 100</dd>", card)
        self.assertIn("<dt>trained</dt><dd>0 s</dd>", card)

    def test_23_1_in_fresh_processes_on_inputs_drawn_then(self):
        contest = contest_of(self.board(BOARD.replace('"model"', '"live"')), [], None)
        calls = []

        def call(words, trace):
            calls.append((words, trace))
            return 0, '{"best": {"ratio": 2, "ratio_low": 1, "ratio_high": 3}}', ""

        with mock.patch.object(winners, "call", call):
            for _ in range(2):
                self.assertEqual(winners.measure_again(contest.runs()[0], "trace 1").speed, 2)
        replays, checks = calls[::2], calls[1::2]
        self.assertEqual({words[1] for words, _ in replays}, {"replay"})
        self.assertEqual({words[2] for words, _ in checks}, {"schedulegym.leaderboard.fresh_outputs"})
        seeds = {words[words.index("--seed") + 1] for words, _ in replays}
        seeds |= {words[-1] for words, _ in checks}
        self.assertEqual(len(seeds), 4)  # of 62 bits each
        self.assertEqual({trace for _, trace in calls}, {"trace 1"})

    def test_26_1_a_winner_on_an_estimate_is_told_by_it_alone(self):
        contest = contest_of(self.board(SMALL), [], None)
        folder = begin_folder(self.folder / "out", contest)
        for run in contest.runs():
            folder.keep(run, dataclasses.replace(outcome(1.0, 3.0, 2.0), trace="trace 1"), Timing(1.0, {}))
        self.assertEqual(winners.missing_winners(contest.runs(), folder), [])  # nothing is measured
        told = winners.outcomes_of(contest.runs(), folder)
        self.assertEqual({one.chosen for one in told.values()}, {3.0})
        final = Standings(contest, told).told()["entries"]["hill"]["final_over_reference"]
        self.assertAlmostEqual(final["value"], 3.0)


if __name__ == "__main__":
    unittest.main()
