"""Offline studies: cost models trained and evaluated on measured programs, and their page."""
import copy
import gzip
import json
import pathlib
import tempfile
import unittest

from harness import ROOT

try:
    from schedulegym.studies import offline, offline_page
    from schedulegym.studies.command import run_command
    from schedulegym.studies.faults import StudyError
    from schedulegym.studies.source import source_text
    from schedulegym.studies.tune_runner import TuneRunner, suite_workloads
except ImportError as fault:
    raise unittest.SkipTest(f"no studies: {fault}") from None

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
        self.assertIn("| Orders | >= 0.80 | `one`, `pairs`: 0.800 [0.700, 0.900] | 6 |", page)
        self.assertIn("`one` over `two`, `pairs`: +0.300 (0.800 [0.700, 0.900] and 0.500 [0.700, 0.900])", page)
        self.assertIn("| `mlp(width=8)` | 0.800 [0.700, 0.900]", page)
        self.assertIn("| ceiling | 0.970 [0.960, 0.980] | - |", page)
        self.assertIn("2 | 0.790 to 0.810 |", page)

    def test_further_splits_have_tables_and_claims(self):
        better = {**METRICS, "pairs": {**ROW, "value": 0.75}}
        told = {**TOLD, "also": {"networks": {
            "models": {name: {**model, "training_seconds": None, "metrics": better}
                       for name, model in TOLD["models"].items()}, "ceiling": TOLD["ceiling"]}}}
        claim = {"text": "Orders", "bar": "", "model": "one", "metric": "pairs", "split": "networks"}
        page = self.page([claim], told)
        self.assertIn("| `one`, `pairs` on networks: 0.750 [0.700, 0.900] | 6 |", page)
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

    def test_means_are_over_seeds(self):
        run = {"training": {"elapsed": 2.0}, "rows": {
            "model": {"pairs": {"value": 0.8, "low": 0.7, "high": 0.9}}, "ceiling": {}}}
        other = copy.deepcopy(run)
        other["rows"]["model"]["pairs"] = {"value": 0.9, "low": 0.8, "high": None}
        study = offline.OfflineStudy("n", "", ("sample",), "valid", "", 2,
                                     (offline.OfflineModel("one", "", "mlp", 2),))
        found = offline._results(study, {"valid": {"one": [run, other]}})["models"]["one"]["metrics"]["pairs"]
        self.assertAlmostEqual(found["value"], 0.85)
        self.assertAlmostEqual(found["low"], 0.75)
        self.assertIsNone(found["high"])
        self.assertEqual((found["least"], found["most"]), (0.8, 0.9))


if __name__ == "__main__":
    unittest.main()
