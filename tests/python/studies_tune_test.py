"""Studies on tables and on the estimate, as users run them: they repeat to the byte."""
import contextlib
import csv
import dataclasses
import datetime
import json
import os
import pathlib
import random
import shutil
import sqlite3
import subprocess
import sys
import time
import unittest
from unittest import mock

from harness import PROGRAM, PackageTest, ProgramTest

try:
    import schedulegym
    from schedulegym import RecordStore, ScheduleState, Task
    from schedulegym.studies import command, curves, machine, pictures, source, study_file, tune_runner
    from schedulegym.studies.chosen import chosen_of
    from schedulegym.studies.command import run_command
    from schedulegym.studies.faults import StudyError
    from schedulegym.studies.recorded import find_table, read_recorded
    from schedulegym.studies.study import runs_of
    from schedulegym.studies.tune_runner import TuneRunner, suite_workloads, workload_anywhere
    from studies_synthetic import SyntheticRunner
except ImportError as fault:
    raise unittest.SkipTest(f"no studies: {fault}") from None

TABLES = """
measure = "table"
cases = ["matmul", "matmul_tree"]
seeds = 2
trials = 24
controls = ["random", "blind(breeds)"]
[arms.breeds]
agent = "genetic(population=8)"
[arms.climbs]
agent = "hill"
"""
MODEL = """
measure = "analytical"
cases = ["matmul(m=64,n=64,k=64)"]
seeds = 2
trials = 8
arms = {chance = "random", breeds = "ansor(features=ansor,round=8,population=64)"}
"""
SMALL = "matmul(m=16,n=16,k=16)"


def run_of(folder, **changes):
    """The only run of a study."""
    values = {"measure": "table", "cases": ["matmul"], "seeds": 1, "trials": 40,
              "arms": {"chance": "random"}, **changes}
    run, = runs_of(study_file.study_of(values, "test", suite_workloads, folder))
    return run


def made(run):
    TuneRunner().check(run)
    return TuneRunner().make(run, pathlib.Path("none.db"))


def facts_of(store):
    """Of references that were verified."""
    with contextlib.closing(sqlite3.connect(store)) as database:
        return list(database.execute("SELECT * FROM whole_reference"))


class RunnerTest(PackageTest):
    def test_a_table_tells_task_space_and_the_best_there_is(self):
        run = run_of(self.folder)
        outcome, timing = made(run)
        table = read_recorded(pathlib.Path(run.case.file))
        self.assertEqual(len(set(outcome.speeds)), 40)
        self.assertLessEqual(set(outcome.speeds), set(table.speeds.values()))
        self.assertEqual((outcome.chosen, outcome.measured), (max(outcome.speeds),) * 2)
        self.assertEqual((outcome.best_of_space, outcome.best_of_all), (table.best,) * 2)
        task = Task("matmul(m=512,n=512,k=512)", run.target)
        key = ScheduleState.replay(task, outcome.trace).key
        self.assertEqual(table.speeds[key], outcome.chosen)
        self.assertIn("schedulegym replay 'matmul(m=512,n=512,k=512)'", outcome.replay)
        self.assertIsNone(outcome.truths)
        self.assertEqual(set(timing.phases), {"propose"})

    def test_a_winner_is_named_so_that_it_can_be_replayed_anywhere(self):
        outcome, _ = made(run_of(self.folder, cases=["contest_linear_gelu"], trials=2))
        self.assertIn("schedulegym replay 'linear_gelu(m=64,n=128,k=128)'", outcome.replay)
        table = read_recorded(find_table("contest_linear_gelu", self.folder))
        self.assertEqual(Task("linear_gelu(m=64,n=128,k=128)", "llvm").key, Task(table.dag, "llvm").key)
        mine = self.folder / "relu.dag"  # a file that is not what is built in by its name
        mine.write_text("input A[8]\nB[i:8] = A[i] + 1\n")
        os.chdir(self.folder)
        self.addCleanup(os.chdir, "/")
        for name, told in [("relu.dag", str(mine)), ("matmul(m=8,n=8,k=8)",) * 2]:
            self.assertEqual(workload_anywhere(name, "llvm"), told)

    def test_seconds_are_those_that_measuring_took(self):
        run = run_of(self.folder, trials=3)
        outcome, _ = made(run)
        table = read_recorded(pathlib.Path(run.case.file))
        costs = dict(zip(table.speeds.values(), table.costs))
        self.assertAlmostEqual(outcome.total, sum(costs[speed] for speed in outcome.speeds))
        self.assertAlmostEqual(outcome.elapsed[0], costs[outcome.speeds[0]])

    def test_a_budget_in_seconds_counts_these(self):
        whole, _ = made(run_of(self.folder))
        budget = (whole.elapsed[9] + whole.elapsed[10]) / 2
        part, _ = made(run_of(self.folder, seconds=budget))
        self.assertEqual((part.speeds, part.stopped, part.total),
                         (whole.speeds[:10], "seconds", budget))
        self.assertEqual(part.chosen, max(whole.speeds[:10]))
        ample, _ = made(run_of(self.folder, seconds=1e6))
        self.assertEqual(ample, whole)

    def test_a_run_ends_with_what_it_found(self):
        outcome, _ = made(run_of(self.folder, cases=["conv2d"]))
        self.assertLess(outcome.chosen, 1)  # though the reference is faster
        self.assertIsNotNone(outcome.trace)

    def test_failures_are_counted(self):
        run = run_of(self.folder, cases=["matmul_tree"], trials=650)
        outcome, _ = made(run)
        table = read_recorded(pathlib.Path(run.case.file))
        self.assertEqual(set(outcome.failures), {"compile_error", "compile_timeout", "run_timeout"})
        self.assertEqual(sum(outcome.failures.values()), table.failed)
        self.assertEqual(len(outcome.speeds), table.failed + len(table.speeds))
        self.assertEqual(outcome.stopped, "exhausted")

    def test_an_agent_may_be_told_its_seed(self):
        (self.folder / "seeded.py").write_text(
            "import schedulegym\n"
            "class Seeded(schedulegym.Agent):\n"
            "    def __init__(self, seed):\n"
            "        raise ValueError(f'seed {seed}')\n"
            "    def propose(self, task, count):\n"
            "        return []\n")
        os.environ["SCHEDULEGYM_PYTHON"] = sys.executable
        self.addCleanup(os.environ.pop, "SCHEDULEGYM_PYTHON")
        run = run_of(self.folder, seeds=[7],
                     arms={"own": "python(module=seeded,class=Seeded,seed={seed})"})
        with self.assertRaisesRegex(Exception, "seed 7"):
            made(run)

    def test_what_cannot_be_made_is_said_before(self):
        for arms, pattern in [({"a": "genetik"}, "genetic"), ({"a": "hill(patience=-1)"}, "patience")]:
            with self.subTest(arms), self.assertRaisesRegex(ValueError, pattern):
                TuneRunner().check(run_of(self.folder, arms=arms))
        with self.assertRaisesRegex(ValueError, "samples|noise"):  # this one has none
            made(run_of(self.folder, measure="table(noise=true)"))


class NoiseTest(ProgramTest):
    def test_what_was_chosen_is_told_by_the_table_not_by_the_reading(self):
        self.need_llvm()
        self.succeed("table", SMALL, "--kind", "modify", "--points", 12, "-o", "small.table",
                     "--quiet")
        os.chdir(self.folder)
        self.addCleanup(os.chdir, "/")
        run = run_of(self.folder, measure="table(file=small.table,noise=true)", cases=None,
                     trials=12)
        outcome, _ = made(run)
        table = read_recorded(pathlib.Path(run.case.file))
        true = set(table.speeds.values())
        self.assertGreater(len(set(outcome.speeds) - true), 0)
        self.assertIn(outcome.chosen, true)
        self.assertIn(outcome.measured, true)
        self.assertLessEqual(outcome.chosen, outcome.measured)
        successes = [(speed, true) for speed, true in zip(outcome.speeds, outcome.truths)
                     if speed is not None]
        self.assertEqual(len(outcome.truths), len(outcome.speeds))
        self.assertLessEqual({true for _, true in successes}, true)
        self.assertEqual(max(successes)[1], outcome.chosen)
        self.assertEqual(curves.best_so_far(outcome.speeds, outcome.truths)[-1], outcome.chosen)
        self.assertEqual(made(run)[0], outcome)


class LiveTest(ProgramTest):
    def test_a_verified_reference_is_known_to_the_search_and_nothing_else_is(self):
        self.need_llvm()
        run = run_of(self.folder, measure="host", cases=[SMALL], trials=2)
        fact = self.folder / "verified.db"
        self.assertTrue(TuneRunner().verify(run, fact))
        with RecordStore(fact) as store:
            self.assertEqual(len(store), 0)
        made_by = facts_of(fact)
        self.assertEqual(len(made_by), 1)
        outcome, _ = TuneRunner().make(run, fact)
        self.assertEqual(len(outcome.speeds), 2)
        self.assertEqual(facts_of(fact), made_by)  # nobody has found it out again
        with RecordStore(fact) as store:
            keys = [record.state_key for record in store]
        self.assertGreater(len(keys), len(set(keys)))  # the best was measured again, of few, too

    def test_the_reference_does_not_step_in_for_what_was_found(self):
        run = run_of(self.folder, measure="host", cases=[SMALL], trials=2)
        store = self.folder / "run.db"
        found, = schedulegym.tune(SMALL, target="interpreter", agent="random", store=store,
                                  trials=2, finalists=0).history[:1]
        whole = schedulegym.tune(SMALL, target="interpreter", agent="random", store=store, trials=1)
        beaten = dataclasses.replace(whole, source="reference")
        with mock.patch.object(schedulegym.TuneResult, "ratio", 1.0):
            outcome = tune_runner._live_outcome(run, beaten, store)
        with RecordStore(store) as kept:
            chosen = chosen_of(kept)
        self.assertIsNotNone(found.ratio)
        self.assertEqual((outcome.chosen, outcome.trace), (chosen.measurement.ratio, chosen.trace))
        with mock.patch.object(tune_runner, "chosen_of", lambda _: None):
            self.assertIsNone(tune_runner._live_outcome(run, beaten, store).chosen)

    def test_what_cannot_be_verified_is_not_said_to_be(self):
        run = run_of(self.folder, measure="host", cases=[SMALL], trials=2)
        with mock.patch.dict(os.environ, SCHEDULEGYM_PROGRAM="/bin/false"):
            self.assertFalse(TuneRunner().verify(run, self.folder / "verified.db"))
        self.assertFalse((self.folder / "verified.db").exists())


class StudyCommandTest(PackageTest):
    def setUp(self):
        """No browser draws pictures, which takes seconds; studies_page_test.py draws them."""
        super().setUp()
        drawn = mock.patch.object(pictures, "find_chromium", lambda: None)
        drawn.start()
        self.addCleanup(drawn.stop)

    def run_study(self, text, out, *words):
        (self.folder / "mine.toml").write_text(text)
        return run_command(["study", "mine.toml", "-o", out, "--quiet", *words], TuneRunner(),
                           suite_workloads)

    def files(self, out):
        """All but wall times and dates, and the page but for the command, which names its folder."""
        return {str(path.relative_to(out)): path.read_bytes().replace(str(out).encode(), b"OUT")
                for path in sorted((self.folder / out).relative_to(self.folder).rglob("*"))
                if path.is_file() and "timing" not in str(path) and path.name != "source.toml"}

    def test_machine_date_and_command_stand_beside_the_results(self):
        before = datetime.date.today().isoformat()
        self.run_study(MODEL, "out")
        told = source.read_source(self.folder / "out/source.toml")
        self.assertEqual(tuple(told), source.KEYS)
        self.assertIn(told["date"], (before, datetime.date.today().isoformat()))
        self.assertEqual(told["version"], machine.version())
        self.assertEqual(told["machine"], machine.processor())
        self.assertEqual((told["grade"], told["compiler"]), ("unknown", "unknown"))  # none measured
        self.assertEqual(told["command"], "schedulegym study mine.toml -o out --quiet")

    def test_the_same_study_gives_the_same_files(self):
        for text in (TABLES, MODEL):
            first, second = (f"{len(text)}-{word}" for word in ("first", "again"))
            for out in (first, second):
                self.assertEqual(self.run_study(text, out), 0)
            self.assertEqual(self.files(first).keys(), self.files(second).keys())
            for name, content in self.files(first).items():
                self.assertEqual(self.files(second)[name], content, name)
            self.assertIn("report.html", self.files(first))

    def test_runs_of_two_versions_are_told_apart(self):
        self.run_study(MODEL, "out")
        for file in (self.folder / "out/timing").iterdir():
            file.write_text(file.read_text().replace(machine.version(), "0.0.9"))
        with mock.patch.object(command.Progress, "say") as say:
            self.run_study(MODEL.replace("seeds = 2", "seeds = 3"), "out")
        self.assertIn(mock.call("found 4 runs made by schedulegym 0.0.9, this is "
                                f"{machine.version()}: results.csv names each run's"), say.mock_calls)
        self.assertEqual(json.loads((self.folder / "out/results.json").read_text())["versions"],
                         {"0.0.9": 4, machine.version(): 2})
        with open(self.folder / "out/results.csv", newline="") as file:
            versions = {row["seed"]: row["version"] for row in csv.DictReader(file)}
        self.assertEqual(versions, {"0": "0.0.9", "1": "0.0.9", "2": machine.version()})
        self.assertIn("0.0.9 (4 runs)", (self.folder / "out/report.html").read_text())

    def test_the_folder_is_asked_before_agents_are_made(self):
        (self.folder / "out").mkdir()
        (self.folder / "out/letters.txt").touch()
        for out, words in (("out", "something else"), ("mine", "its trials differ")):
            with self.subTest(out):
                if out == "mine":
                    self.assertEqual(self.run_study(MODEL, out), 0)
                with mock.patch.object(command.engine, "check_runs") as check, \
                        self.assertRaisesRegex(StudyError, words):
                    self.run_study(MODEL.replace("trials = ", "trials = 1"), out)
                check.assert_not_called()
        self.assertEqual([path.name for path in (self.folder / "out").iterdir()], ["letters.txt"])

    def test_without_a_browser_that_is_a_line(self):
        with mock.patch.object(command.Progress, "say") as say:
            self.assertEqual(self.run_study(MODEL, "out"), 0)
            page = self.folder / "again.html"
            self.assertEqual(run_command(["report", "out", "-o", str(page)], TuneRunner(),
                                         suite_workloads), 0)
        lines = [call.args[0] for call in say.mock_calls]
        self.assertEqual(lines.count("no pictures as SVG and PNG: Chromium is not installed (./sg setup browser)"), 2)
        self.assertFalse((self.folder / "out/figures").exists())

    def test_a_run_that_cannot_be_made_is_named_and_ends_it_with_1(self):
        deadly = MODEL.replace('"ansor(features=ansor,round=8,population=64)"', '"deadly"')
        (self.folder / "mine.toml").write_text(deadly.replace("seeds = 2", "seeds = 1"))
        with mock.patch.object(command.Progress, "say") as say:
            status = run_command(["study", "mine.toml", "-o", "out"],
                                 SyntheticRunner(deaths=str(self.folder)), suite_workloads)
        self.assertEqual(status, 1)
        self.assertIn("not made: case 'matmul(m=64,n=64,k=64)', arm 'breeds', seed 0: its process died, twice",
                      [call.args[0] for call in say.mock_calls])
        told = json.loads((self.folder / "out/results.json").read_text())
        self.assertEqual(told["runs"], {"planned": 2, "made": 1})

    def test_kills_at_any_moment_change_no_byte(self):
        """SCHEDULEGYM_KILLS=50 is the longer form."""
        self.run_study(TABLES, "undisturbed")
        words = [sys.executable, "-m", "schedulegym.studies", "study", "mine.toml", "-o", "killed",
                 "--quiet"]
        found = self.folder / "bin"  # git alone: no browser, which would draw pictures
        found.mkdir()
        if shutil.which("git"):
            (found / "git").symlink_to(shutil.which("git"))
        changed = mock.patch.dict(os.environ, PATH=str(found))
        changed.start()
        self.addCleanup(changed.stop)
        rng, killed = random.Random(0), 0
        for _ in range(int(os.environ.get("SCHEDULEGYM_KILLS", "2"))):
            killed += self.kill_in_the_midst(words, rng)
        self.assertGreaterEqual(killed, 2)  # of the longer form the last may find nothing left to do
        self.assertEqual(subprocess.run(words, cwd=self.folder, timeout=120).returncode, 0)
        for name in ("results.json", "results.csv"):
            self.assertEqual((self.folder / "killed" / name).read_bytes(),
                             (self.folder / "undisturbed" / name).read_bytes(), name)
        pages = [(self.folder / name / "report.html").read_text().replace(name, "OUT")
                 for name in ("killed", "undisturbed")]
        self.assertEqual(*pages)
        runs = [{path.name: path.read_bytes() for path in (self.folder / name / "runs").glob("[!.]*")}
                for name in ("killed", "undisturbed")]
        self.assertEqual(*runs)

    def kill_in_the_midst(self, words, rng):
        """Whether there was a process left to kill, none or one more run having been finished by it."""
        def finished():
            return len(list((self.folder / "killed/runs").glob("[!.]*")))

        more = rng.randrange(2)
        enough = finished() + more
        process = subprocess.Popen(words, cwd=self.folder)
        while process.poll() is None and finished() < enough:
            time.sleep(0.001)
        try:
            process.wait(rng.uniform(0, 0.05 if more else 0.8))
        except subprocess.TimeoutExpired:
            process.kill()
        return process.wait() != 0

    def test_wall_times_stand_apart(self):
        self.run_study(MODEL, "out")
        timing = json.loads((self.folder / "out/timing.json").read_text())
        self.assertEqual(len(timing["runs"]), 4)
        self.assertGreater(timing["runs"][0]["wall"], 0)
        self.assertNotIn("wall", (self.folder / "out/results.json").read_text())
        self.assertNotIn("Time by phase", (self.folder / "out/report.html").read_text())

    def test_agents_that_see_their_judge_are_told_beside_each_result(self):
        sees = MODEL.replace("features=ansor,", "")
        with self.assertRaisesRegex(StudyError, "features=ansor.*cheating = true"):
            self.run_study(sees, "out")
        self.assertFalse((self.folder / "out").exists())
        self.run_study("cheating = true\n" + sees, "out")
        told = json.loads((self.folder / "out/results.json").read_text())
        self.assertEqual({name: arm["sees_evaluator"] for name, arm in told["arms"].items()},
                         {"chance": False, "breeds": True})
        rows = (self.folder / "out/results.csv").read_text().splitlines()[1:]
        self.assertEqual([row.split(",")[-8:] and "yes" in row for row in rows],
                         ["breeds" in row for row in rows])
        page = (self.folder / "out/report.html").read_text()
        self.assertIn("breeds <small>sees the evaluator", page)
        self.assertNotIn("chance <small>sees the evaluator", page)

    def test_a_torn_file_of_another_shard_is_met_before_anything_runs(self):
        self.run_study(MODEL, "out", "--shard", "1/2")
        torn = next((self.folder / "out/runs").iterdir())
        torn.write_text("torn")
        for out, more in (("out", []), ("other", ["--merge", "out"])):
            with self.assertRaisesRegex(StudyError, "remove the file"):
                self.run_study(MODEL, out, "--shard", "2/2", *more)
            self.assertEqual(len(list((self.folder / out / "runs").iterdir())),
                             2 if out == "out" else 0)

    def test_the_smallest_form(self):
        self.run_study(MODEL.replace('"analytical"', '"host"').replace("trials = 8", "trials = 900"),
                       "out", "--smoke")
        told = json.loads((self.folder / "out/results.json").read_text())
        self.assertEqual(told["arms"]["chance"]["trials"], 16)


class ProgramStudyTest(ProgramTest):
    def test_the_program_hands_over(self):
        self.write("mine.toml", MODEL)
        self.assertTrue(pathlib.Path(PROGRAM).exists())
        # No browser is found, which would draw pictures for seconds.
        changed = mock.patch.dict(os.environ, SCHEDULEGYM_PYTHON=sys.executable, PATH="nowhere")
        changed.start()
        self.addCleanup(changed.stop)
        events = self.events("study", "mine.toml", "-o", "out", "--quiet")
        self.assertEqual([event["event"] for event in events].count("run"), 4)
        self.assertEqual((events[0]["event"], events[-1]["event"], events[-1]["left"]),
                         ("start", "done", 0))
        message = self.refused(2, "study", "mine.toml", "-o", "other", "--shard", "3/2")
        self.assertIn("K/N", message)


if __name__ == "__main__":
    unittest.main()
