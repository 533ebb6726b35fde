"""Searches on what tells how fast a candidate is: this machine, the estimate, a table."""
import unittest

from harness import ROOT, PackageTest, ProgramTest, schedulegym as sg

SMALL = "matmul(m=16,n=16,k=16)"
TABLE = f"table(file={ROOT / 'bindings/schedulegym/tables/matmul.table'})"


class MeasureCommandTest(ProgramTest):
    def test_they_are_listed(self):
        lines = self.events("list", "measurers")
        self.assertEqual([line["name"] for line in lines], ["host", "analytical", "model", "table"])

    def test_the_estimate_answers_without_running_anything(self):
        events = self.events("tune", SMALL, "--measure", "analytical", "--agent", "random",
                             "--trials", 20)
        trials = [event for event in events if event["event"] == "trial"]
        self.assertEqual([trial["outcome"] for trial in trials], ["ok"] * 20)
        self.assertEqual(events[-1]["finalists"], 0)
        self.assertEqual(list(self.folder.iterdir()), [], "records are kept in memory")

    def test_a_table_implies_its_task(self):
        done = self.events("tune", "--measure", TABLE, "--agent", "random", "--trials", 16)[-1]
        self.assertEqual((done["event"], done["trials"]), ("done", 16))
        self.assertTrue(done["workload"].startswith("matmul("), done["workload"])

    def test_equal_seeds_measure_equally(self):
        def bests():
            return [event["best"]["seconds"] for event in self.events(
                "tune", "--measure", TABLE, "--agent", "genetic", "--trials", 40, "--seed", 5)
                if event["event"] == "done"]
        self.assertEqual(bests(), bests())

    def test_what_was_not_measured_never_serves_as_measured(self):
        self.succeed("tune", SMALL, "--measure", "analytical", "--agent", "random", "--trials", 8,
                     "--store", "model.db")
        for command in (("replay", SMALL), ("export", SMALL, "-o", "kernel")):
            fault = self.run_program(*command, "--store", "model.db")
            self.assertEqual(fault.returncode, 2, command)
            self.assertFalse((self.folder / "kernel").exists())
        timed = self.events("bench", SMALL, "--trials", 0, "--peers", "", "--processes", 1,
                            "--store", "model.db", "--protocol",
                            "cpu1(seconds=0.2,final_seconds=0.2,final_rounds=15)")
        rows = [event for event in timed if event["event"] == "row"]
        self.assertEqual([(row["origin"], row["trials"]) for row in rows], [("reference", None)])
        resumed = self.events("tune", SMALL, "--measure", "analytical", "--agent", "random",
                              "--trials", 4, "--store", "model.db")
        self.assertTrue(any(event["event"] == "done" for event in resumed))

    def test_a_model_answers_in_the_machines_place(self):
        self.succeed("tune", SMALL, "--measure", "analytical", "--agent", "ansor", "--trials", 64,
                     "--save-model", "trees.model")
        for spec in ("model(trees.model)", "model(model=trees.model)", "model(boosted(file=trees.model))"):
            events = self.events("tune", SMALL, "--measure", spec, "--agent", "random", "--trials", 8)
            outcomes = [event["outcome"] for event in events if event["event"] == "trial"]
            self.assertEqual(outcomes, ["ok"] * 8, spec)
            self.assertEqual(events[-1]["finalists"], 0, spec)
        for model in ("boosted", "tuna"):
            self.assertIn(f"model {model} is not trained",
                          self.refused(2, "tune", SMALL, "--measure", f"model({model})"))
        self.assertIn("list models", self.refused(2, "tune", SMALL, "--measure", "model"))

    def test_a_network_by_its_name_is_refused_alike_wherever_a_model_stands(self):
        line = "a network is trained beforehand, expected the file of train mlp --data FILE -o MODEL, or pretrained_mlp"
        for model in ("mlp", "mlp(width=8)"):
            for place in (("--measure", f"model({model})"),
                          *(("--measure", "analytical", "--agent", f"{agent}(model={model})")
                            for agent in ("ansor", "harl", "beam", "es"))):
                result = self.run_program("tune", SMALL, "--trials", 4, *place)
                self.assertEqual(result.returncode, 2, place)
                self.assertIn(line, result.stderr, place)

    def test_wrong_measurers(self):
        for measure, words in (("hosts", ("hosts", "host", "analytical", "model", "table")),
                               ("table(file=none.table)", ("none.table",)),
                               ("table", ("file",)),
                               ("analytical(seed=1)", ("seed",))):
            fault = self.refused(2, "tune", SMALL, "--measure", measure)
            for word in words:
                self.assertIn(word, fault, measure)

    def test_a_table_knows_its_task_alone(self):
        fault = self.refused(2, "tune", SMALL, "--measure", TABLE)
        self.assertIn("matmul", fault)


class MeasureTest(PackageTest):
    def test_they_are_named(self):
        self.assertEqual([line["name"] for line in sg.measurers()],
                         ["host", "analytical", "model", "table"])

    def test_a_search_on_the_estimate_leaves_no_store(self):
        result = sg.tune(SMALL, measure="analytical", agent="random", trials=12, seed=2)
        self.assertEqual((result.trials, result.ok, result.finalists), (12, 12, 0))
        self.assertEqual(result.failures, {})
        self.assertIsNone(result.refined)
        self.assertEqual(set(result.time), {"propose", "compile", "verify", "measure", "store",
                                            "schedule", "wait", "wait_lock", "wait_calm",
                                            "wait_workers", "other", "load"})
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_a_table_implies_its_task(self):
        result = sg.tune(measure=TABLE, agent="hill", trials=30, seed=1)
        self.assertEqual(result.trials, 30)
        self.assertEqual(result.ratio, max(trial.ratio for trial in result.history))
        again = sg.tune(measure=TABLE, agent="hill", trials=30, seed=1)
        self.assertEqual([t.seconds for t in result.history], [t.seconds for t in again.history])

    def test_refining_is_told(self):
        result = sg.tune(measure=TABLE, agent="random", trials=40, refine="droplet(trials=20)")
        self.assertIsNotNone(result.refined)

    def test_wrong_measurers(self):
        with self.assertRaisesRegex(sg.InputError, "hosts.*host, analytical, model, table"):
            sg.tune(SMALL, measure="hosts", trials=1)
        with self.assertRaisesRegex(sg.InputError, "matmul"):
            sg.tune(SMALL, measure=TABLE, trials=1)


if __name__ == "__main__":
    unittest.main()
