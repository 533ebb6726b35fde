"""Offline studies: cost models trained and evaluated on measured programs, and their page."""
import copy
import gzip
import json
import pathlib
import re
import subprocess
import tempfile
import unittest

from harness import PROGRAM, ROOT

try:
    from schedulegym.studies import offline, offline_claims, offline_page, task_terms
    from schedulegym.studies.command import run_command
    from schedulegym.studies.faults import StudyError
    from schedulegym.studies.kept import read_kept
    from schedulegym.studies.source import source_text
    from schedulegym.studies.specs import parse_spec
    from schedulegym.studies.tune_runner import TuneRunner, suite_workloads
except ImportError as fault:
    raise unittest.SkipTest(f"no studies: {fault}") from None

RESULTS = ROOT / "experiments/results"
SHIPPED = ROOT / "experiments/studies/models/offline.toml"
ROW = {"value": 0.8, "low": 0.7, "high": 0.9, "least": 0.79, "most": 0.81}
METRICS = {**{metric: ROW for metric in ("pairs", "rank", "top-1", "features-us-512")},
           "predict-us-512": {**ROW, "value": 5.2, "low": None, "high": None}}
TOLD = {"study": {"data": ["programs-v1"], "split": "valid", "seeds": 2,
                  "models": [{"name": "one", "model": "", "train": "mlp(width=8)"},
                             {"name": "two", "model": "random", "train": ""}]},
        "models": {"one": {"seeds": 2, "training_seconds": 3.0, "metrics": METRICS},
                   "two": {"seeds": 1, "training_seconds": None,
                           "metrics": {**METRICS, "pairs": {**ROW, "value": 0.5}}}},
        "ceiling": {"pairs": {"value": 0.97, "low": 0.96, "high": 0.98}}, "version": "0"}


class OfflineTest(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.addCleanup(self.place.cleanup)
        self.folder = pathlib.Path(self.place.name)

    def study(self, file, *words):
        return run_command(["study", str(file), "-o", str(self.folder / "out"), "--quiet", *words],
                           TuneRunner(), suite_workloads)

    def refusal(self, text, *words):
        """The one line of what the study raises."""
        file = self.folder / "s.toml"
        file.write_text(text)
        with self.assertRaises(StudyError) as caught:
            self.study(file, *words)
        self.assertEqual(len(str(caught.exception).splitlines()), 1)
        return str(caught.exception)

    def test_the_shipped_one_in_its_smallest_form_is_made_once(self):
        self.assertEqual(self.study(SHIPPED, "--smoke"), 0)
        results = json.loads((self.folder / "out/results.json").read_text())
        self.assertEqual(set(results["models"]), {"analytical", "boosted"})
        trained, fixed = results["models"]["boosted"], results["models"]["analytical"]
        self.assertGreater(trained["training_seconds"], 0)
        self.assertIsNone(fixed["training_seconds"])
        for model in (trained, fixed):
            pairs = model["metrics"]["pairs"]
            self.assertTrue(0.5 < pairs["low"] <= pairs["value"] <= pairs["high"] <= 1, pairs)
        self.assertGreater(results["ceiling"]["pairs"]["value"], trained["metrics"]["pairs"]["value"])
        self.assertIn("command = ", (self.folder / "out/source.toml").read_text())
        runs = {file: file.stat().st_mtime_ns for file in (self.folder / "out/runs").iterdir()}
        self.assertEqual(self.study(SHIPPED, "--smoke"), 0)
        self.assertEqual(runs, {file: file.stat().st_mtime_ns for file in runs})

    def test_the_others_are_made_in_their_smallest_form(self):
        for name in ("switches", "targets"):
            with self.subTest(name):
                file = SHIPPED.with_name(f"{name}.toml")
                self.assertEqual(run_command(["study", str(file), "-o", str(self.folder / name), "--quiet",
                                              "--smoke"], TuneRunner(), suite_workloads), 0)
                results = json.loads((self.folder / name / "results.json").read_text())
                asked = offline.read_offline(file, smallest=True)
                self.assertEqual([*results["models"]], [model.name for model in asked.models])
                for model in results["models"].values():
                    self.assertGreater(model["metrics"]["pairs"]["value"], 0.5)
                    self.assertEqual(len(model["metrics"]["pairs"]["terms"]), 1)

    def test_shipped_ones_name_models_and_options_that_exist(self):
        files = [file for file in SHIPPED.parent.glob("*.toml") if offline.is_offline(file)]
        self.assertGreaterEqual({file.stem for file in files}, {"offline", "switches", "targets"})
        options = {}
        for file in files:
            smallest = offline.read_offline(file, smallest=True)
            self.assertEqual(smallest.data, ("sample",))
            for one in (*offline.read_offline(file).models, *smallest.models):
                spec = parse_spec(one.train or one.model)
                if spec.name not in options:
                    text = subprocess.run([PROGRAM, "list", "models", spec.name], capture_output=True,
                                          text=True, check=True).stdout
                    options[spec.name] = set(re.findall(r"(?m)^  (\w+) \(", text))
                self.assertLessEqual({key for key, _ in spec.options}, options[spec.name], spec.text)

    def test_a_model_may_learn_from_other_data_and_from_less(self):
        file = self.folder / "s.toml"
        trees = 'train = "boosted(rounds=5,depth=2)"\n'
        file.write_text('kind = "offline"\ndata = ["sample"]\nsplit = "valid"\nseeds = 1\n'
                        f'[models.all]\n{trees}[models.said]\n{trees}data = ["sample"]\n'
                        f'[models.most]\n{trees}rows = {{sample = 100000}}\n'
                        f'[models.few]\n{trees}rows = {{sample = 12}}\n')
        self.assertEqual(self.study(file), 0)
        told = json.loads((self.folder / "out/results.json").read_text())["models"]
        every, said, most, few = ({metric: row["value"] for metric, row in told[name]["metrics"].items()
                                   if "-us-" not in metric} for name in ("all", "said", "most", "few"))
        self.assertEqual(every, said)
        self.assertEqual(every, most)
        self.assertNotEqual(every, few)

    def test_data_to_learn_from_are_checked(self):
        text = 'kind = "offline"\ndata = ["sample"]\n[models.one]\n'
        for line, expected in {
                'model = "random"\ndata = ["sample"]': "models.one: data goes with train",
                'train = "mlp"\ndata = "sample"': "expected a list of files or sets of programs",
                'train = "mlp"\nrows = {sample = 0}': "expected a table of files with how many programs",
                'train = "mlp"\nrows = {other = 5}': "'other'"}.items():
            self.assertIn(expected, self.refusal(text + line))

    def test_a_training_is_evaluated_on_further_splits(self):
        file = self.folder / "s.toml"
        text = ('kind = "offline"\ndata = ["sample"]\nsplit = "valid"\nseeds = 1\n'
                '[models.chance]\nmodel = "random"\n[models.trees]\ntrain = "boosted(rounds=5,depth=2)"\n')
        file.write_text(text)
        self.assertEqual(self.study(file), 0)
        first = json.loads((self.folder / "out/results.json").read_text())
        self.assertNotIn("also", first)
        model = self.folder / "out/trees-0.model"
        made = model.stat().st_mtime_ns
        # Later: what was trained stays.
        file.write_text(text.replace("seeds = 1", 'seeds = 1\nalso = ["train"]'))
        self.assertEqual(self.study(file), 0)
        self.assertEqual(model.stat().st_mtime_ns, made)
        results = json.loads((self.folder / "out/results.json").read_text())
        self.assertEqual((results["models"], results["ceiling"]), (first["models"], first["ceiling"]))
        train = results["also"]["train"]["models"]
        self.assertEqual(set(train), {"chance", "trees"})
        # It has learned from these.
        self.assertGreater(train["trees"]["metrics"]["pairs"]["value"], 0.6)
        self.assertAlmostEqual(train["chance"]["metrics"]["pairs"]["value"], 0.5, delta=0.1)
        self.assertNotEqual(results["also"]["train"]["ceiling"], results["ceiling"])

    def test_what_is_wrong_is_one_line(self):
        good = 'kind = "offline"\ndata = ["sample"]\n[models.a]\nmodel = "random"\n'
        for said, text in {
                "unknown key of the study 'dat'": good.replace("data", "dat"),
                "a list of files": good.replace('["sample"]', '"sample"'),
                "expected one of model and train": good + 'train = "mlp"\n',
                "tables [models.NAME]": good.partition("[models")[0],
                "unknown split 'x'": good.replace("[models", 'split = "x"\n[models'),
                "expected each once": good.replace("[models", 'also = ["valid"]\n[models'),
                "a list of splits": good.replace("[models", 'also = "networks"\n[models'),
                "found no 'nowhere'": good.replace("sample", "nowhere"),
                "found 'ceiling'": good.replace("[models.a]", "[models.ceiling]")}.items():
            with self.subTest(said):
                self.assertIn(said, self.refusal(text))
        self.assertIn("--shard: found it with an offline study", self.refusal(good, "--shard", "1/2"))


class OfflinePageTest(unittest.TestCase):
    def page(self, claims, told=None):
        with tempfile.TemporaryDirectory() as place:
            folder = pathlib.Path(place, "models")
            folder.mkdir()
            (folder / "offline.json.gz").write_bytes(gzip.compress(json.dumps(told or TOLD).encode()))
            (folder / "source.toml").write_text(source_text({"date": "2026-11-29"}))
            return offline_page.page_of(pathlib.Path(place), "models",
                                        {"title": "T", "question": "Q?", "claims": claims})

    def test_claims_are_of_one_model_or_beside_another(self):
        claim = {"text": "Orders", "bar": ">= 0.80", "model": "one", "metric": "pairs"}
        page = self.page([claim, {**claim, "over": "two"}])
        self.assertIn("| Orders | >= 0.80 | `one`, `pairs`: 0.800 [0.700, 0.900] | not run | 6 |", page)
        self.assertIn("`one` over `two`, `pairs`: +0.300 (0.800 [0.700, 0.900] and 0.500 [0.700, 0.900])", page)
        self.assertIn("| `mlp(width=8)` | 0.800 [0.700, 0.900]", page)
        self.assertIn("| ceiling | 0.970 [0.960, 0.980] | - |", page)
        self.assertIn("2 | 0.790 to 0.810 |", page)

    def test_a_share_of_the_ceiling_is_computed(self):
        claim = {"text": "Orders", "bar": ">= 0.85", "model": "best", "metric": "pairs", "of_ceiling": True}
        self.assertIn("`one`, `pairs`: 0.825 of the ceiling (0.800 [0.700, 0.900] of 0.970)", self.page([claim]))
        with self.assertRaises(StudyError):
            self.page([{**claim, "over": "two"}])
        with self.assertRaises(StudyError):
            self.page([{**claim, "metric": "rank"}])

    def test_what_is_claimed_is_paired_where_terms_are_kept(self):
        told = copy.deepcopy(TOLD)
        told["models"]["one"]["metrics"]["pairs"].update(terms=[[[3, 4], [7, 8]]], value=10 / 12)
        told["models"]["two"]["metrics"]["pairs"].update(terms=[[[2, 4], [5, 8]]], value=7 / 12)
        told["ceiling"]["pairs"].update(terms=[[[4, 4], [8, 8]]], value=1)
        claim = {"text": "Orders", "bar": "", "model": "one", "metric": "pairs"}
        page = self.page([{**claim, "over": "two"}, {**claim, "of_ceiling": True}], told)
        self.assertIn("`one` over `two`, `pairs`: +0.250 [+0.250, +0.250] (0.833 and 0.583)", page)
        self.assertIn("`one`, `pairs`: 0.833 [0.750, 0.875] of the ceiling (0.833 of 1.000)", page)
        self.assertIn("paired by task", page)

    def test_a_claim_links_another_study(self):
        claim = {"text": "Orders.", "bar": "", "model": "one", "metric": "pairs", "link": "models/adapt"}
        self.assertIn("| [in a search](models/adapt.md) | 6 |", self.page([claim]))
        self.assertEqual(offline_claims.claim_cells(TOLD, claim, "models/offline")[3],
                         "[in a search](adapt.md)")
        claim["online"] = "{none over no network after 16} of no network's speed"
        kept = {"models/adapt": read_kept(RESULTS, "models/adapt", {"title": "T", "question": "Q?"})}
        cell = offline_claims.claim_cells(TOLD, claim, "models/offline", kept)[3]
        ratio = kept["models/adapt"].ratio("none", "no network", "16")
        self.assertIn(f"[{ratio.mean:.2f} ", cell)
        self.assertIn(" of no network's speed](adapt.md)", cell)

    def test_notes_have_values(self):
        text = offline_claims.with_values("{one pairs}, {two pairs}, {one cost} us, {one training} s", TOLD)
        self.assertEqual(text, "0.800, 0.500, 6 us, 3 s")
        for wrong in ("{three pairs}", "{one pears}", "{one pairs on nowhere}"):
            with self.assertRaises(StudyError):
                offline_claims.with_values(wrong, TOLD)

    def test_a_spec_that_stands_twice_has_its_name(self):
        told = copy.deepcopy(TOLD)
        told["study"]["models"][1].update(model="", train="mlp(width=8)")
        page = self.page([], told)
        self.assertIn("| `mlp(width=8)`, `one` | 0.800", page)
        self.assertIn("| `mlp(width=8)`, `two` | 0.500", page)

    def test_further_splits_have_tables_and_claims(self):
        better = {**METRICS, "pairs": {**ROW, "value": 0.75}}
        told = {**TOLD, "also": {"networks": {
            "models": {name: {**model, "training_seconds": None, "metrics": better}
                       for name, model in TOLD["models"].items()}, "ceiling": TOLD["ceiling"]}}}
        claim = {"text": "Orders", "bar": "", "model": "one", "metric": "pairs", "split": "networks"}
        page = self.page([claim], told)
        self.assertIn("| `one`, `pairs` on networks: 0.750 [0.700, 0.900] | not run | 6 |", page)
        self.assertIn("## On the split networks", page)
        self.assertIn("| `mlp(width=8)` | 0.750 [0.700, 0.900]", page)
        with self.assertRaises(StudyError):
            self.page([{**claim, "split": "strange"}], told)

    def test_a_claim_of_what_is_not_there_is_refused(self):
        claim = {"text": "Orders", "bar": "", "model": "one", "metric": "pairs"}
        for wrong in ({"model": "three"}, {"metric": "mape"}, {"over": "four"}, {"unit": "x"}):
            with self.assertRaises(StudyError):
                self.page([{**claim, **wrong}])

    def test_a_model_may_have_seeds_of_its_own(self):
        with tempfile.TemporaryDirectory() as place:
            file = pathlib.Path(place, "s.toml")
            file.write_text('kind = "offline"\ndata = ["sample"]\nseeds = 3\n[models.a]\nmodel = "random"\n'
                            '[models.b]\ntrain = "mlp"\n[models.c]\ntrain = "tlp"\nseeds = 1\n')
            runs = [(model.name, seed) for model, seed in offline.read_offline(file).runs]
        self.assertEqual(runs, [("a", 0), ("b", 0), ("b", 1), ("b", 2), ("c", 0)])

    def test_means_and_intervals_are_over_trainings_and_tasks(self):
        run = {"training": {"elapsed": 2.0}, "rows": {
            "model": {"pairs": {"value": 0.6, "low": 0.6, "high": 0.6, "terms": [[6, 10]]},
                      "predict-us-1": {"value": 3.0, "low": None, "high": None, "terms": None}},
            "ceiling": {"pairs": {"value": 0.9, "low": 0.9, "high": 0.9, "terms": [[9, 10]]}}}}
        other = copy.deepcopy(run)
        other["rows"]["model"]["pairs"].update(value=0.8, terms=[[8, 10]])
        other["rows"]["model"]["predict-us-1"]["value"] = 5.0
        study = offline.OfflineStudy("n", "", ("sample",), "valid", "", 2,
                                     (offline.OfflineModel("one", "", "mlp", 2),))
        results = offline._results(study, {"valid": {"one": [run, other]}})
        found = results["models"]["one"]["metrics"]
        self.assertAlmostEqual(found["pairs"]["value"], 0.7)
        # Of two trainings one is drawn.
        self.assertAlmostEqual(found["pairs"]["low"], 0.6)
        self.assertAlmostEqual(found["pairs"]["high"], 0.8)
        self.assertEqual((found["pairs"]["least"], found["pairs"]["most"]), (0.6, 0.8))
        self.assertEqual(found["pairs"]["terms"], [[[6, 10]], [[8, 10]]])
        self.assertEqual(found["predict-us-1"], {"value": 4, "low": None, "high": None, "least": 3, "most": 5})
        self.assertAlmostEqual(results["ceiling"]["pairs"]["low"], 0.9)


class TaskTermsTest(unittest.TestCase):
    # Shares 1/2 and 3/4 of two tasks, of four programs and of eight: 8/12 of both.
    TASKS = [[2, 4], [6, 8]]

    def sample(self, *trainings, metric="pairs"):
        return task_terms.sample_of(metric, trainings)

    def near(self, found, value, low, high):
        for one, expected in zip((found.value, found.low, found.high), (value, low, high)):
            self.assertAlmostEqual(one, expected)

    def test_tasks_are_drawn(self):
        # One draw in four has only the first task, and one in four only the second.
        self.near(task_terms.interval_of(self.sample(self.TASKS)), 8 / 12, 1 / 2, 3 / 4)

    def test_trainings_are_drawn_one_fewer_than_there_are(self):
        of_one = [[[share, 1]] for share in (0.3, 0.6, 0.9)]
        # Of three two are drawn: both the lowest once in nine draws.
        self.near(task_terms.interval_of(self.sample(*of_one)), 0.6, 0.3, 0.9)
        # Of four three: once in 64, which is within the 2.5 %; next to it twice 0.3, once 0.4.
        four = [[[share, 1]] for share in (0.3, 0.4, 0.8, 0.9)]
        self.near(task_terms.interval_of(self.sample(*four)), 0.6, 1 / 3, 2.6 / 3)

    def test_an_error_is_the_root_of_a_ratio(self):
        self.near(task_terms.interval_of(self.sample([[4, 16], [9, 16]], metric="rmse")),
                  (13 / 32) ** 0.5, 1 / 2, 3 / 4)

    def test_a_difference_is_paired_by_task(self):
        one, below = self.sample(self.TASKS), self.sample([[1, 4], [4, 8]])
        # On both tasks it is 1/4 lower, however far apart the tasks are.
        self.near(task_terms.difference_of(one, below), 1 / 4, 1 / 4, 1 / 4)
        # 1/4 on one task, 0 on the other; of both 8/12 and 7/12.
        self.near(task_terms.difference_of(one, self.sample([[1, 4], [6, 8]])), 1 / 12, 0, 1 / 4)

    def test_trainings_of_two_models_are_drawn_apart(self):
        two = self.sample([[1, 2]], [[2, 2]])
        # 1/2 or 1 of each, independently: -1/2, 0, 0, 1/2.
        self.near(task_terms.difference_of(two, two), 0, -1 / 2, 1 / 2)

    def test_a_share_of_the_ceiling_is_paired_by_task(self):
        ceiling = self.sample([[4, 4], [8, 8]])
        self.near(task_terms.share_of(self.sample(self.TASKS), ceiling), 8 / 12, 1 / 2, 3 / 4)
        self.near(task_terms.share_of(self.sample(self.TASKS), self.sample(self.TASKS)), 1, 1, 1)

    def test_models_of_other_tasks_are_not_compared(self):
        with self.assertRaises(StudyError):
            task_terms.difference_of(self.sample(self.TASKS), self.sample([[1, 4]]))
        with self.assertRaises(StudyError):
            self.sample(self.TASKS, [[1, 4]])


if __name__ == "__main__":
    unittest.main()
