"""Studies whose cases are networks: told by what the network takes with all of its tasks."""
import csv
import dataclasses
import json
import pathlib
import unittest
from unittest import mock

from harness import PackageTest, ProgramTest
from studies_tune_test import facts_of, made, run_of

try:
    from schedulegym import Tuner
    from schedulegym.studies import pictures, study_file, vendors
    from schedulegym.studies.command import run_command
    from schedulegym.studies.network_run import Searched, network_outcome, trials_of
    from schedulegym.studies.study import Case, runs_of
    from schedulegym.studies.tune_runner import TuneRunner, suite_workloads
except ImportError as fault:
    raise unittest.SkipTest(f"no studies: {fault}") from None

COUNTS = (3, 1)
NET = "3 softmax(n=64,m=64)\n1 matmul(m=64,n=64,k=64)\n"
TINY = "2 matmul(m=16,n=16,k=16)\n1 softmax(n=4,m=8)\n"
AGENT = "genetic(population=8)"
TARGET = "llvm(cores=2,vector_bits=256,vector_registers=16,l1=32768,l2=524288,l3=33554432)"
TURNS, LINE = {"agent": AGENT}, {"agent": AGENT, "scheduler": "linear"}
STUDY = """
cases = ["two.net"]
seeds = 1
trials = 900
[arms.turns]
agent = "random"
[arms.line]
agent = "random"
scheduler = "linear"
"""


def search(trials, **options):
    """The results of both tasks, of what no study had a hand in."""
    return Tuner("two.net", measure="analytical", store=None, **options).run(trials=trials)


def reference_of(result):
    return next(trial.seconds * trial.ratio for trial in result.history if trial.ratio is not None)


def by_hand(results):
    """The network's speed after each trial: seconds, counted."""
    references = [reference_of(result) for result in results]
    seconds, speeds = list(references), []
    for trial in sorted((trial for result in results for trial in result.history),
                        key=lambda trial: trial.elapsed):
        place = next(place for place, result in enumerate(results) if trial in result.history)
        seconds[place] = min(seconds[place], trial.seconds)
        speeds.append(sum(count * one for count, one in zip(COUNTS, references)) /
                      sum(count * one for count, one in zip(COUNTS, seconds)))
    return speeds


class NetworkCaseTest(PackageTest):
    def setUp(self):
        super().setUp()
        (self.folder / "two.net").write_text(NET)

    def test_each_trial_is_told_by_the_latency_of_all_tasks(self):
        found = {}
        for arm in (TURNS, LINE):
            run = run_of(self.folder, measure="analytical", cases=["two.net"], trials=40,
                         arms={"one": arm}, target=TARGET)
            outcome, timing = made(run)
            results = search(40, target=run.target, **arm)
            speeds = by_hand(results)
            self.assertEqual(len(outcome.speeds), 40)
            for told, expected in zip(outcome.speeds, speeds):
                self.assertAlmostEqual(told, expected, places=9)
            self.assertGreater(speeds[-1], 1)
            self.assertAlmostEqual(outcome.chosen, speeds[-1], places=9)
            self.assertEqual(outcome.measured, outcome.speeds[-1])
            self.assertEqual((outcome.elapsed, outcome.total), ((0.0,) * 40, 0.0))
            self.assertEqual((outcome.stopped, outcome.failures), ("trials", {}))
            self.assertEqual((outcome.trace, outcome.replay), (None, None))
            self.assertEqual(set(timing.phases), {"propose"})
            self.assertEqual(made(run)[0], outcome)
            found[arm.get("scheduler")] = [len(result.history) for result in results]
        self.assertNotEqual(*found.values())  # what they find may be equal

    def test_failures_repeat_what_was_known_and_untried_tasks_count(self):
        first, second = search(2, agent="random")
        success = dataclasses.replace(first.history[0], elapsed=2.0, ratio=2.0,
                                      seconds=5 * reference_of(first))  # ten times the estimate
        trials = [dataclasses.replace(success, outcome="run_timeout", seconds=None, ratio=None,
                                      elapsed=elapsed) for elapsed in (1.0, 3.0)]
        tried = dataclasses.replace(first, history=(trials[0], success, trials[1]), best=None,
                                    failed={"run_timeout": 2}, stopped="exhausted", elapsed=4.0)
        untried = dataclasses.replace(second, history=(), best=None, failed={}, stopped="seconds",
                                      elapsed=5.0)
        tasks = [Searched(tried, 3), Searched(untried, 1)]
        a, b = reference_of(first), reference_of(second)
        outcome = network_outcome(tasks)
        self.assertIsNone(outcome.speeds[0])
        self.assertAlmostEqual(outcome.speeds[1], (3 * a + b) / (3 * a / 2 + b))
        self.assertEqual(outcome.speeds[2], outcome.speeds[1])
        self.assertEqual((outcome.elapsed, outcome.total), ((1.0, 2.0, 3.0), 5.0))
        self.assertEqual((outcome.failures, outcome.stopped), ({"run_timeout": 2}, "seconds"))
        self.assertEqual((outcome.chosen, outcome.measured), (1.0, None))  # by references
        all_over = [tasks[0], Searched(dataclasses.replace(untried, stopped="exhausted"), 1)]
        self.assertEqual(network_outcome(all_over).stopped, "exhausted")

    def test_slower_schedules_than_references_count_as_these(self):
        results = search(2, agent="random")
        slow = [Searched(dataclasses.replace(result, best=None, history=tuple(
            dataclasses.replace(trial, ratio=0.5, seconds=2 * reference_of(result))
            for trial in result.history)), count) for result, count in zip(results, COUNTS)]
        self.assertEqual(network_outcome(slow).speeds, (1.0,) * len(trials_of(slow)))

    def test_a_network_is_known_by_name_or_file(self):
        for workload, expected in [("two.net", True), ("resnet18", True), ("resnet50(n=16)", True),
                                   ("matmul(m=8,n=8,k=8)", False), ("conv2d_relu", False),
                                   (None, False)]:
            self.assertIs(Case("one", workload, "analytical").is_network, expected, workload)

    def test_what_cannot_be_made_is_said_before(self):
        for case, pattern in [("resnet50(m=16)", "unknown parameter 'm'"),
                              ("none.net", "none.net"),
                              ({"workload": "two.net", "measure": "table(file=matmul)"},
                               "found a table of .*512.*, expected one of softmax")]:
            with self.subTest(case), self.assertRaisesRegex(ValueError, pattern):
                TuneRunner().check(run_of(self.folder, measure="analytical", cases=[case]))

    def test_no_vendor_is_measured_beside_it(self):
        with mock.patch.object(vendors, "call", side_effect=AssertionError("expected no call")):
            found = vendors.measure_vendor(Case("one", "two.net", "host"), "llvm")
        self.assertEqual((found.vendor, found.is_final), (None, True))
        self.assertIn("network", found.why)

    def test_a_study_in_its_smallest_form(self):
        (self.folder / "mine.toml").write_text(STUDY)
        with mock.patch.object(pictures, "find_chromium", lambda: None):
            self.assertEqual(run_command(["study", "mine.toml", "-o", "out", "--quiet", "--smoke"],
                                         TuneRunner(), suite_workloads), 0)
        with open(self.folder / "out/results.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([(row["case"], row["arm"], row["trials"]) for row in rows],
                         [("two.net", "turns", "8"), ("two.net", "line", "8")])
        expected = by_hand(search(8, agent="random", target="llvm"))[-1]
        self.assertAlmostEqual(float(rows[0]["best_after_8"]), expected, places=9)
        told = json.loads((self.folder / "out/results.json").read_text())
        self.assertEqual(told["runs"], {"planned": 2, "made": 2})
        page = (self.folder / "out/report.html").read_text()
        self.assertIn("times as fast as the reference", page)


class LiveNetworkTest(ProgramTest):
    def test_all_references_are_verified_and_all_tasks_searched(self):
        self.need_llvm()
        file = self.folder / "tiny.net"
        file.write_text(TINY)
        values = {"measure": "host", "cases": {"tiny": str(file)}, "seeds": 1, "trials": 4,
                  "arms": {"chance": "random"}}
        run, = runs_of(study_file.study_of(values, "test", suite_workloads, self.folder))
        fact = self.folder / "verified.db"
        self.assertTrue(TuneRunner().verify(run, fact))
        self.assertEqual(len(facts_of(fact)), 2)
        outcome, timing = TuneRunner().make(run, fact)
        self.assertEqual(len(facts_of(fact)), 2)
        self.assertEqual(len(outcome.speeds), 4)
        self.assertEqual(list(outcome.elapsed), sorted(outcome.elapsed))
        self.assertGreaterEqual(outcome.total, outcome.elapsed[-1])
        known = [speed for speed in outcome.speeds if speed is not None]
        self.assertEqual(known, sorted(known))
        self.assertGreater(outcome.chosen, 0)
        self.assertIsNone(outcome.measured)
        self.assertIn("measure", timing.phases)

    def test_one_that_cannot_be_verified_leaves_all_to_the_searches(self):
        (self.folder / "tiny.net").write_text(TINY)
        run = run_of(self.folder, measure="host", cases={"tiny": str(self.folder / "tiny.net")})
        answers = iter([(0, '{"best": {"verified": true}}\n', ""), (1, "", "")])
        with mock.patch("schedulegym.studies.verified.call", lambda *_: next(answers)):
            self.assertFalse(TuneRunner().verify(run, self.folder / "verified.db"))
        self.assertFalse((self.folder / "verified.db").exists())


if __name__ == "__main__":
    unittest.main()
