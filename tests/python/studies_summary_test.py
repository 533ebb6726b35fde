"""What is told of a study, on outcomes small enough to be reckoned by hand."""
import csv
import dataclasses
import io
import json
import math
import pathlib
import tempfile
import unittest


try:
    from schedulegym.studies import figures, study_file
    from schedulegym.studies.folder import Folder
    from schedulegym.studies.outcome import Outcome, Timing
    from schedulegym.studies.study import runs_of
    from schedulegym.studies.summary import Summary
    from schedulegym.studies.tables import results_csv, significant, write_results
    from studies_synthetic import outcome_of
except ImportError as fault:
    raise unittest.SkipTest(f"no studies: {fault}") from None


def study_of(**changes):
    return study_file.study_of({"measure": "analytical", "cases": ["a", "b"], "seeds": 2,
                                "trials": 4, "arms": {"base": "random", "new": "droplet"},
                                **changes}, "test", None)


def outcome(*speeds, chosen=None, measured=None, stopped="trials", **facts):
    found = [speed for speed in speeds if speed is not None]
    best = max(found, default=None)
    return Outcome(tuple(speeds), tuple(float(2 * place + 1) for place in range(len(speeds))),
                   2.0 * len(speeds), stopped, {"timeout": speeds.count(None)},
                   chosen or best, measured or best, **facts)


OUTCOMES = {
    ("a", "base", 0): outcome(None, 0.5, 0.5, 1.0), ("a", "base", 1): outcome(0.5, 0.5, 0.5, 1.0),
    ("b", "base", 0): outcome(1.0, 1.0, 1.0, 2.0), ("b", "base", 1): outcome(1.0, 1.0, 1.0, 2.0),
    ("a", "new", 0): outcome(1.0, 1.0, 1.5, 1.5, best_of_space=2.0),
    ("a", "new", 1): outcome(1.0, 1.0, 1.5, 2.0, chosen=1.5, best_of_space=2.0),
    ("b", "new", 0): outcome(2.0, 4.0, stopped="exhausted"),
    ("b", "new", 1): outcome(2.0, 2.0, 3.0, 3.0)}


class SummaryTest(unittest.TestCase):
    def setUp(self):
        self.told = Summary(study_of(), OUTCOMES, draws=200).told()
        self.new, self.base = (self.told["arms"][name] for name in ("new", "base"))

    def test_what_was_run(self):
        self.assertEqual(self.told["runs"], {"planned": 8, "made": 8})
        self.assertEqual((self.base["runs"], self.base["trials"]), (4, 16))
        self.assertEqual(self.base["failures"], {"timeout": 1})

    def test_a_target_above_what_samples_tell_is_left_out_for_its_case(self):
        noisy = {place: dataclasses.replace(one, noise_ceiling=0.97) if place[0] == "a" else one
                 for place, one in OUTCOMES.items()}
        told = Summary(study_of(), noisy, draws=200).told()
        targets = {one["target"]: one for one in told["arms"]["new"]["targets"]}
        self.assertEqual({share: (one["runs"], one.get("too_noisy")) for share, one in targets.items()},
                         {0.9: (4, None), 0.95: (4, None), 0.98: (2, ["a"]), 1.0: (2, ["a"])})
        # Of case b one of two runs found the best known, after two trials.
        self.assertEqual((targets[1.0]["reached"], targets[1.0]["expected_trials"]), (1, 6.0))

    def test_the_best_known_of_a_case(self):
        self.assertEqual({case: one["best_known"] for case, one in self.told["cases"].items()},
                         {"a": 2.0, "b": 4.0})

    def test_by_trials(self):
        points = self.base["best_by_trials"]["over_reference"]
        self.assertEqual([point["at"] for point in points], [1, 2, 4])
        # After one trial 0, 0.5, 1, 1: without the ends 0.75.
        self.assertEqual([point["value"] for point in points], [0.75, 0.75, 1.5])
        over_best = self.base["best_by_trials"]["over_best_known"]
        self.assertEqual([point["value"] for point in over_best], [0.25, 0.25, 0.5])

    def test_a_search_that_ended_by_itself_stays_what_it_was(self):
        # After four trials 1.5, 2, 4 (it ended with two) and 3.
        self.assertEqual(self.new["best_by_trials"]["over_reference"][2]["value"], 2.5)

    def test_by_seconds(self):
        points = self.base["best_by_seconds"]["over_reference"]
        self.assertEqual([point["at"] for point in points], [1, 2, 4, 8])
        self.assertEqual([point["value"] for point in points], [0.75, 0.75, 0.75, 1.5])

    def test_the_final_speed_is_of_what_was_chosen(self):
        # 1.5, 1.5 (not the 2 that was measured), 4, 3.
        self.assertEqual(self.new["final"]["over_reference"]["value"], 2.25)

    def test_targets(self):
        # 0.9 of 2 and of 4: one run of "new" on each case, after 4 and 2 trials.
        target = self.new["targets"][0]
        self.assertEqual((target["target"], target["runs"], target["reached"]), (0.9, 4, 2))
        self.assertIsNone(target["trials"], "half of the runs never got there")
        self.assertEqual(target["expected_trials"], (4 + 2 + 4 + 4) / 2)
        self.assertEqual(target["expected_seconds"], (7 + 3 + 8 + 8) / 2)
        self.assertEqual(self.base["targets"][3]["reached"], 0)

    def test_the_gap(self):
        # Of "new" on a: space 2 over 2; exploration 1.5 / 2 and 2 / 2; selection 1 and 1.5 / 2.
        # On b the best of the same space is 4: exploration 1 and 3 / 4.
        gap = self.new["gap"]
        self.assertAlmostEqual(gap["space"]["value"], 1)
        self.assertAlmostEqual(gap["exploration"]["value"], (0.75 * 1 * 1 * 0.75)**0.25)
        self.assertAlmostEqual(gap["selection"]["value"], 0.75**0.25)
        self.assertAlmostEqual(gap["whole"]["value"], (0.75 * 0.75 * 1 * 0.75)**0.25)

    def test_a_space_is_the_same_however_it_is_written(self):
        written = {"base": "schedulegym(sensible=0.75, fuse=false)", "new": "schedulegym(fuse=false)"}
        alone = {place: one if place[1] == "base" else dataclasses.replace(one, chosen=1, measured=1)
                 for place, one in OUTCOMES.items()}
        study = study_of()
        arms = tuple(dataclasses.replace(arm, space=written[arm.name]) for arm in study.arms)
        for study, same in ((dataclasses.replace(study, arms=arms), True),
                            (dataclasses.replace(study, arms=(arms[0], study.arms[1])), False)):
            gaps = Summary(study, alone, draws=200).gaps("new", "b")
            self.assertEqual(gaps[0].exploration == 1, not same)

    def test_of_noisy_readings_curves_and_targets_tell_the_truth(self):
        # Its second reads 4 and is 1; the first, 2 in truth, is what it takes to reach 0.9 of 2.
        noisy = outcome(1.5, 4.0, 2.0, 3.0, chosen=1.0, measured=2.0, best_of_all=2.0,
                        truths=(2.0, 1.0, None, 1.0))
        runs = {(case, "base", seed): noisy for case in "ab" for seed in (0, 1)}
        summary = Summary(study_of(), runs, draws=200)
        base = summary.told()["arms"]["base"]
        self.assertEqual([point["value"] for point in base["best_by_trials"]["over_reference"]],
                         [2, 1, 1])
        self.assertEqual([point["value"] for point in base["best_by_seconds"]["over_best_known"]],
                         [1, 1, 0.5, 0.5])
        for target in base["targets"]:
            self.assertEqual((target["reached"], target["trials"], target["seconds"]), (4, 1, 1))
        row = next(csv.DictReader(io.StringIO(results_csv(summary, {}))))
        self.assertEqual([row[f"best_after_{count}"] for count in (1, 2, 4)], ["2.0", "1.0", "1.0"])

    def test_the_comparison(self):
        comparison, = self.told["comparisons"]
        self.assertEqual((comparison["name"], comparison["over"]), ("new", "base"))
        # On a 1.5 over 1 twice, on b 4 over 2 and 3 over 2.
        effect = (2 * math.log(1.5) + math.log(2) + math.log(1.5)) / 4
        self.assertAlmostEqual(comparison["effect"], math.exp(effect) - 1)
        self.assertAlmostEqual(comparison["by_case"]["a"], 0.5)
        self.assertEqual(comparison["improvement"]["value"], 1)

    def test_a_run_without_success_counts_as_the_slowest(self):
        outcomes = {**OUTCOMES, ("a", "new", 0): outcome(None, None, None, None)}
        told = Summary(study_of(), outcomes, draws=200).told()
        self.assertEqual(told["arms"]["new"]["without_success"], 1)
        self.assertAlmostEqual(told["comparisons"][0]["by_case"]["a"], math.sqrt(1.5) - 1)
        # Where speeds are averaged it has none: 0, 1.5, 3, 4.
        self.assertEqual(told["arms"]["new"]["final"]["over_reference"]["value"], 2.25)

    def test_a_verdict_names_the_smallest_difference_that_matters(self):
        outcomes = {**OUTCOMES, **{(case, "new", seed): OUTCOMES[case, "base", seed] for case in ("a", "b")
                                   for seed in (0, 1)}}
        for margin, text in ((0.01, "1 %"), (0.025, "2.5 %")):
            told = Summary(study_of(margin=margin), outcomes, draws=200).told()
            self.assertEqual(told["comparisons"][0]["verdict"], f"no difference larger than {text}")
            self.assertEqual(figures.verdict_text(told["comparisons"][0]["verdict"], margin),
                             f"no difference larger than {text}")
        # As results of earlier versions have it.
        self.assertEqual(figures.verdict_text("no difference larger than d", 0.025),
                         "no difference larger than 2.5 %")

    def test_what_was_not_measured_is_unknown(self):
        told = Summary(study_of(), {}, draws=200).told()
        self.assertEqual(told["runs"], {"planned": 8, "made": 0})
        self.assertIsNone(told["arms"]["new"]["final"]["over_reference"])
        self.assertEqual(told["comparisons"][0]["verdict"], "-")
        json.dumps(told, allow_nan=False)
        some = Summary(study_of(), {("a", "base", 0): OUTCOMES["a", "base", 0]}, draws=200).told()
        self.assertEqual(some["arms"]["base"]["final"]["over_reference"],
                         {"value": 1.0, "low": None, "high": None})

    def test_factors(self):
        study = study_file.study_of(
            {"measure": "analytical", "cases": ["a"], "seeds": 2, "trials": 1, "factors": {
                "agent": ["random", "droplet"], "space": ["ansor", "schedulegym"]}}, "f", None)
        speeds = {(0, 0): 1.0, (0, 1): 2.0, (1, 0): 1.5, (1, 1): 6.0}
        outcomes = {("a", arm.name, seed): outcome(speeds[arm.cell])
                    for arm in study.arms for seed in (0, 1)}
        told = Summary(study, outcomes, draws=200).told()
        agent, space = told["main_effects"]
        self.assertEqual(agent["name"], "agent=droplet over random")
        self.assertAlmostEqual(agent["effect"], math.sqrt(1.5 * 3) - 1)
        self.assertAlmostEqual(space["effect"], math.sqrt(2 * 4) - 1)
        self.assertAlmostEqual(told["interactions"][0]["effect"], 6 / 2 / 1.5 - 1)

    def test_a_row_for_each_run(self):
        rows = list(csv.DictReader(io.StringIO(results_csv(Summary(study_of(), OUTCOMES),
                                                          {("a", "base", 0): "1.2 (abc)"}))))
        self.assertEqual(len(rows), 8)
        self.assertEqual((rows[0]["case"], rows[0]["arm"], rows[0]["best_after_4"]),
                         ("a", "base", "1.0"))
        self.assertEqual([row["version"] for row in rows[:2]], ["1.2 (abc)", ""])

    def test_the_same_outcomes_give_the_same_files(self):
        study = study_of(seeds=3, trials=30)
        written = []
        for _ in range(2):
            with tempfile.TemporaryDirectory() as place:
                folder = Folder.begin(pathlib.Path(place), study)
                for run in runs_of(study):
                    folder.keep(run, outcome_of(run), Timing(1.5, {"measure": 1.0}))
                outcomes = {run.place: folder.outcome(run) for run in runs_of(study)}
                write_results(folder, runs_of(study), Summary(study, outcomes, 200), {"cores": 2})
                written.append([pathlib.Path(place, name).read_bytes() for name in
                                ("results.json", "results.csv", "timing.json")])
        self.assertEqual(written[0], written[1])
        self.assertEqual(len(json.loads(written[0][2])["runs"]), 12)

    def test_numbers_that_another_processor_rounds_otherwise_are_told_alike(self):
        third = 1 / 3
        for told in (third, math.nextafter(third, 0), math.nextafter(third, 1)):
            self.assertEqual(significant({"a": [told, 7, None, True, "x"], "b": (2.5e-7 * told,)}),
                             {"a": [0.333333333, 7, None, True, "x"], "b": [8.33333333e-08]})


if __name__ == "__main__":
    unittest.main()
