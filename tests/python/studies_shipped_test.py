"""The studies that come along, each in its smallest form."""
import contextlib
import csv
import dataclasses
import pathlib
import re
import subprocess
import tempfile
import unittest
from unittest import mock

from harness import PROGRAM, ROOT

try:
    import schedulegym
    import schedulegym.studies
    from schedulegym.studies import engine, pictures
    from schedulegym.studies.command import run_command
    from schedulegym.studies.offline import is_offline
    from schedulegym.studies.study import runs_of
    from schedulegym.studies.study_file import read_study
    from schedulegym.studies.tune_runner import TuneRunner, suite_workloads
except ImportError as fault:
    raise unittest.SkipTest(f"no studies: {fault}") from None

FILES = {path.stem: path for path in
         sorted(pathlib.Path(schedulegym.studies.__file__).parent.glob("*.toml"))}
# Of the published tuners.
ZOO = {path.stem: path for path in
       sorted((pathlib.Path(schedulegym.studies.__file__).parent / "zoo").glob("*.toml"))}


# What some begin with, as docs/results/harl.md makes it, but small.
MADE_BEFORE = (("tune", "matmul(m=64,n=64,k=64)", "--measure", "analytical", "--trials", "64",
                "--space", "ansor", "--agent", "ansor(features=ansor)", "--save-model", "others.sgm"),
               ("train", "harl", "--space", "ansor", "--rounds", "1", "-o", "policy.sgp"),
               ("tune", "matmul(m=64,n=64,k=64)", "--measure", "analytical", "--trials", "64",
                "--space", "ansor", "--agent", "ansor", "--save-model", "measured.sgm"),
               ("train", "harl(model=measured.sgm)", "--space", "ansor", "--rounds", "1", "-o",
                "measured.sgp"))


# What zoo/transfer.toml begins with, but small.
TREES_OF_AUTOTVM = ("tune", "matmul(m=64,n=64,k=64)", "--measure", "analytical", "--trials", "32",
                    "--space", "ansor", "--agent", "autotvm(features=ansor)", "--save-model",
                    "others.sgm")


# Studies of one other agent, which say what is known of the cases of another.
BEST_KNOWN = {"unseen_best"}


def spec_of(run):
    """What is made of it, by whatever names it goes."""
    return (dataclasses.replace(run.arm, name="", cell=None), run.case.kind, run.trials)


def with_shipped(agent):
    """A spec with shipped models and programs in place of the files that the head of its study makes."""
    kinds = {"adapt": "mlp", "momentum": "pacm", "oneshot": "oneshot_net"}
    agent = re.sub(r'"\w+\.db"', f'"{ROOT}/experiments/data/programs-v1.points.gz"', agent)
    return re.sub(r'"(\w+)[\w-]*\.model"',
                  lambda file: "pretrained_" + kinds.get(file[1], file[1]), agent)


class ShippedTest(unittest.TestCase):
    def smoke(self, name):
        """The rows of its results, by arm."""
        return self.smoke_of(FILES[name], read_study(FILES[name], suite_workloads))

    def smoke_of(self, path, study):
        """The same of a file, with the arms and cases of a study of it."""
        with tempfile.TemporaryDirectory() as place, \
                mock.patch.object(pictures, "find_chromium", lambda: None):
            out = pathlib.Path(place, "out")
            self.assertEqual(run_command(["study", str(path), "-o", str(out), "--smoke",
                                          "--quiet"], TuneRunner(), suite_workloads), 0)
            rows = list(csv.DictReader((out / "results.csv").read_text().splitlines()))
            self.assertIn(study.name.replace("'", "&#x27;"), (out / "report.html").read_text())
        self.assertEqual(len(rows), 2 * len(study.cases) * len(study.arms))
        self.assertEqual({row["arm"] for row in rows}, {arm.name for arm in study.arms})
        for row in rows:
            self.assertTrue(1 <= int(row["trials"]) <= 8, row)
        return study, rows

    def test_those_of_folders_are_read(self):
        folders = pathlib.Path(schedulegym.studies.__file__).parent
        files = sorted(set(folders.rglob("*.toml")) - set(FILES.values()))
        self.assertGreater(len(files), 0)
        for file in files:
            if "[schedulers]" in file.read_text().splitlines() or is_offline(file):
                continue  # of scheduler_study.py, and of studies_offline_test.py
            with self.subTest(str(file.relative_to(folders))):
                study = read_study(file, suite_workloads)
                self.assertGreater(len(study.arms), 0 if file.stem in BEST_KNOWN else 1)
                if any(case.kind == "analytical" for case in study.cases):  # it repeats anywhere
                    for fact in ("cores", "vector_bits", "vector_registers", "l1", "l2", "l3"):
                        self.assertRegex(study.target, rf"\b{fact}=\d")

    def test_policies_are_trained_on_other_shapes_than_they_are_asked_of(self):
        folder = ROOT / "experiments/studies/harl"
        others = {str(task) for _, task in schedulegym.read_network(str(folder / "others.net"))}
        for name in ("unseen.toml", "unseen_best.toml", "unseen_rounds.toml"):
            cases = read_study(folder / name, suite_workloads).cases
            self.assertEqual(len(cases), 12)
            self.assertEqual(others & {case.workload for case in cases}, set())
            self.assertEqual({spec.split("(")[0] for spec in others},
                             {case.workload.split("(")[0] for case in cases})

    def test_those_of_models_in_their_smallest_form(self):
        folder = pathlib.Path(schedulegym.studies.__file__).parent / "models"
        for name in ("starts", "transfer", "families", "zero"):
            with self.subTest(name):
                path = folder / f"{name}.toml"
                self.assertEqual(read_study(path, suite_workloads).baseline,
                                 "run" if name == "families" else "ansor")
                self.smoke_of(path, read_study(path, suite_workloads, smallest=True))

    def smoke_of_zoo(self, names):
        for name in names:
            with self.subTest(name):
                file = ZOO[name]
                self.smoke_of(file, read_study(file, suite_workloads, smallest=True))

    def test_the_zoo_on_tables_in_its_smallest_form(self):
        self.smoke_of_zoo(["tables", "settle"])

    def test_the_zoo_on_the_estimate_in_its_smallest_form(self):
        self.smoke_of_zoo(["analytical"])

    def test_the_rest_of_the_zoo_in_its_smallest_form(self):
        with tempfile.TemporaryDirectory() as place, contextlib.chdir(place):
            self.make_what_they_begin_with((TREES_OF_AUTOTVM,))
            self.smoke_of_zoo(sorted(ZOO.keys() - {"tables", "settle", "analytical"}))

    def test_all_are_tested(self):
        self.assertEqual(set(FILES), {name.removeprefix("test_the_study_of_")
                                      for name in dir(self) if name.startswith("test_the_study_of")})

    def test_the_study_of_baselines(self):
        study, rows = self.smoke("baselines")
        self.assertEqual({case.kind for case in study.cases}, {"table"})
        self.assertEqual(len([arm for arm in study.arms if arm.blind]), 6)
        self.assertTrue(all(row["chosen"] for row in rows if row["arm"] == "random"))

    def test_the_study_of_beginnings(self):
        study, _ = self.smoke("beginnings")
        self.assertEqual(study.arm("estimate first").agent, "ansor")  # what the others are switched from

    def test_the_study_of_learning(self):
        study, _ = self.smoke("learning")
        self.assertTrue(study.arm("blind ansor").blind)
        self.assertEqual(study.baseline, "blind ansor")

    def test_the_study_of_ansor(self):
        study, _ = self.smoke("ansor")
        self.assertEqual([arm.space for arm in study.arms].count("ansor"), 4)

    def test_the_study_of_dpansor(self):
        study, _ = self.smoke("dpansor")
        self.assertLess(300, study.trials)  # so that the longest k still walks

    def test_the_study_of_droplet(self):
        study, _ = self.smoke("droplet")
        self.assertEqual([factor.levels for factor in study.factors],
                         [("faithful", "fixed"), ("0.05", "0.01", "0.1", "0.25", "1")])

    def test_the_study_of_rules_tiles(self):
        self.hold_to_defaults("rules_tiles")

    def test_the_study_of_rules_rows(self):
        self.hold_to_defaults("rules_rows")

    def test_the_study_of_rules_parity(self):
        self.hold_to_defaults("rules_parity")

    def test_each_rule_of_the_space_is_asked_for(self):
        asked = [factor.name.removeprefix("space.") for name, path in FILES.items()
                 if name.startswith("rules_") for factor in read_study(path, suite_workloads).factors]
        switches = re.findall(r"(\w+)=true", schedulegym.spaces()["schedulegym"])
        self.assertEqual(sorted(asked), sorted([*switches, "heuristic", "sensible"]))

    def hold_to_defaults(self, name):
        """Whatever is switched exists, and stands at its default first."""
        study, _ = self.smoke(name)
        spaces = schedulegym.spaces()["schedulegym"]
        for factor in study.factors:
            self.assertIn(f"{factor.name.removeprefix('space.')}={factor.levels[0]}", spaces)

    def test_the_study_of_seeding(self):
        study, _ = self.smoke("seeding")
        agents, spaces = (factor.levels for factor in study.factors)
        self.assertEqual({(arm.agent, arm.space) for arm in study.arms},
                         {(agent, space) for agent in agents for space in spaces})
        usual = schedulegym.spaces()["schedulegym"]
        for option in ("heuristic=0.05", "sensible=0.75"):
            self.assertIn(option, usual)  # seeded is the default
            self.assertIn(option, spaces[0])

    def test_studies_of_one_agent_can_be_run(self):
        """They take from minutes to days: here all that can be wrong with their specs is found, on the
        first case, and one run of each is made, for agents of another process take a while to start.
        """
        with tempfile.TemporaryDirectory() as place, contextlib.chdir(place):
            self.make_what_they_begin_with()
            self.check_studies_of_one_agent()

    def make_what_they_begin_with(self, commands=MADE_BEFORE):
        for words in commands:
            self.run_program(*words)

    def check_studies_of_one_agent(self):
        seen = set()  # several studies have some arms in common
        for agent, least in (("mcts", 6), ("harl", 4)):
            files = sorted(FILES["ansor"].parent.glob(f"{agent}/*.toml"))
            self.assertGreaterEqual(len(files), least)
            for path in files:
                with self.subTest(f"{agent}/{path.name}"):
                    study = read_study(path, suite_workloads)
                    runs = [run for run in runs_of(study) if run.case == study.cases[0]]
                    new = [run for run in runs if spec_of(run) not in seen]
                    seen.update(map(spec_of, new))
                    try:
                        engine.check_runs(new, TuneRunner())
                    except schedulegym.MachineError as fault:  # this build has no LibTorch
                        self.skipTest(str(fault))
                    mine = [run for run in runs if run.arm.agent.startswith(agent)]
                    if path.stem not in BEST_KNOWN:
                        self.make_smallest(mine[0])

    def test_studies_of_models_can_be_run(self):
        """The same where arms begin with trained models or donors, for which those that come along stand in."""
        files = [path for path in sorted(FILES["ansor"].parent.glob("models/*.toml")) if not is_offline(path)]
        self.assertGreaterEqual(len(files), 6)
        for path in files:
            with self.subTest(path.name):
                self.check_study_of_models(path)

    def check_study_of_models(self, path):
        study = read_study(path, suite_workloads)
        runs = [dataclasses.replace(run, arm=dataclasses.replace(run.arm, agent=with_shipped(run.arm.agent)))
                for run in runs_of(study) if run.case == study.cases[0]]
        try:
            engine.check_runs(runs, TuneRunner())
        except schedulegym.MachineError as fault:  # this build has no LibTorch
            self.skipTest(str(fault))
        self.assertGreater(len(read_study(path, suite_workloads, smallest=True).arms), 1)

    def run_program(self, *words):
        """Skipped where the build lacks LibTorch."""
        made = subprocess.run([PROGRAM, *words, "--quiet"], capture_output=True, text=True)
        if made.returncode == 3 and "libtorch-dev" in made.stderr:
            self.skipTest(made.stderr.strip())
        self.assertEqual(made.returncode, 0, made.stderr)

    def make_smallest(self, run):
        """Two trials of a small case on the estimate, or of its table."""
        case = run.case if run.case.kind == "table" else dataclasses.replace(
            run.case, workload="matmul(m=64,n=64,k=64)", measure="analytical")
        small = dataclasses.replace(run, case=case, trials=2)
        outcome, _ = TuneRunner().make(small, pathlib.Path("none.db"))
        self.assertEqual(len(outcome.speeds), 2)


if __name__ == "__main__":
    unittest.main()
