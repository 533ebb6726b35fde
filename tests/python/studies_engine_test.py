"""Runs of a study: kept, resumed after kills, merged; on a runner that draws them."""
import dataclasses
import io
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time
import unittest

try:
    from schedulegym.studies import engine, study_file
    from schedulegym.studies import outcome as outcome_module
    from schedulegym.studies.expected import expected_seconds
    from schedulegym.studies.faults import StudyError
    from schedulegym.studies.folder import Folder, read_study_of
    from schedulegym.studies.outcome import Timing, outcome_text, read_outcome
    from schedulegym.studies.progress import Progress, duration
    from schedulegym.studies.study import runs_of, shard_of
    from studies_synthetic import SyntheticRunner, outcome_of
except ImportError as fault:
    raise unittest.SkipTest(f"no studies: {fault}") from None

VALUES = {"measure": "analytical", "cases": ["a(m=1)", "bb(m=1)"], "seeds": 2, "trials": 20,
          "arms": {"plain": "random", "good": "random(retries=5)"}}
PATHS = os.pathsep.join([str(pathlib.Path(__file__).parent), *filter(None, sys.path)])


def study_of(**changes):
    return study_file.study_of({**VALUES, **changes}, "test", None)


class EngineTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.place = pathlib.Path(folder.name)
        self.told = []

    def make(self, study, name="study", runner=SyntheticRunner(), runs=None, **options):
        folder = Folder.begin(self.place / name, study)
        end = engine.make_runs(runs_of(study) if runs is None else runs, folder, runner, workers=2,
                               tell=lambda run, *_: self.told.append(run.place), **options)
        return folder, end

    def files(self, name):
        return {path.name: path.read_bytes() for path in (self.place / name / "runs").iterdir()}

    def test_all_runs_are_made_once(self):
        folder, end = self.make(study_of())
        self.assertEqual((end.made, end.left, end.failed), (8, 0, []))
        self.assertEqual(sorted(self.told), sorted(run.place for run in runs_of(study_of())))
        for run in runs_of(study_of()):
            self.assertEqual(folder.outcome(run), outcome_of(run))
        before = self.files("study")
        _, end = self.make(study_of())
        self.assertEqual(end.made, 0)
        self.assertEqual(self.files("study"), before)

    def test_live_runs_come_one_after_another_in_the_drawn_order(self):
        study = study_of(measure="host")
        folder, _ = self.make(study, runner=SyntheticRunner(pause=0.01))
        self.assertEqual(self.told, [run.place for run in runs_of(study)])
        self.assertTrue(folder.store(runs_of(study)[0]).exists())

    def test_a_store_that_was_cut_off_teaches_nothing(self):
        study = study_of(measure="host")
        folder = Folder.begin(self.place / "study", study)
        for run in runs_of(study):
            folder.store(run).write_text("of a run that was killed")  # the runner refuses it
        _, end = self.make(study)
        self.assertEqual(end.made, 8)

    def test_a_reference_is_verified_once_for_all_live_runs_of_its_case(self):
        study = study_of(measure="host", seeds=3)
        folder, end = self.make(study)  # the runner refuses a second time
        self.assertEqual(end.made, 12)
        self.assertEqual(folder.makers(runs_of(study)), [{"verified": "True"}] * 12)
        self.assertEqual(len({folder.verified(run) for run in runs_of(study)}), 2)
        self.make(study_of(measure="host", seeds=4))  # the fact is there when the study goes on

    def test_where_it_cannot_be_verified_it_is_asked_once(self):
        asked = self.place / "asked"
        runner = SyntheticRunner(doubtful=str(asked))
        study = study_of(measure="host", seeds=3, cases=["a(m=1)"])
        folder, end = self.make(study, runner=runner)
        self.assertEqual((end.made, asked.read_text()), (6, "a"))
        self.assertEqual(folder.makers(runs_of(study)), [{"verified": "False"}] * 6)

    def test_seconds_end_it_where_it_can_go_on(self):
        study = study_of()
        times = iter([0.0] + [0.0] * 3 + [9.0] * 100)
        _, end = self.make(study, seconds=5, clock=lambda: next(times))
        self.assertTrue(0 < end.made < 8)
        self.assertEqual(end.made + end.left, 8)
        _, end = self.make(study)
        self.assertEqual(len(self.files("study")), 8)

    def test_a_run_that_kills_its_process_is_tried_once_more(self):
        study = study_of(arms={"plain": "random", "deadly": "deadly"}, seeds=1, cases=["a"])
        _, end = self.make(study, runner=SyntheticRunner(deaths=str(self.place)))
        self.assertEqual((end.made, [run.arm.name for run, _ in end.failed]), (1, ["deadly"]))
        _, end = self.make(study, runner=SyntheticRunner(deaths=str(self.place)))
        self.assertEqual((end.made, end.failed), (1, []))

    def test_an_arm_that_raises_is_named_and_the_others_go_on(self):
        study = study_of(arms={"plain": "random", "broken": "broken"}, seeds=3, cases=["a", "b"])
        folder, end = self.make(study)
        self.assertEqual((end.made, len(end.failed)), (6, 6))
        self.assertTrue(all(folder.has(run) == (run.arm.name == "plain") for run in runs_of(study)))
        self.assertEqual(end.lines(), ["not made: case 'a', arm 'broken', seed 0, and 5 more runs: "
                                       "broken by its own fault"])

    def test_every_spec_is_made_before_anything_runs(self):
        study = study_of(arms={"plain": "random", "other": "refused"})
        with self.assertRaisesRegex(ValueError, "case '.*', arm 'other': found 'refused'"):
            engine.check_runs(runs_of(study), SyntheticRunner())

    def test_each_warning_is_printed_once_before_anything_runs(self):
        study = study_of(arms={"plain": "random", "other": "leaky"}, cases=["a", "b"], seeds=3)
        lines: list[str] = []
        engine.check_runs(runs_of(study), SyntheticRunner(), lines.append, lambda: 0.0)
        self.assertEqual(lines, ["case 'a', arm 'other': its donor is near a test task"])

    def test_long_checks_say_how_far_they_are(self):
        study = study_of(arms={"plain": "random", "other": "random"}, cases=["a", "b"], seeds=3)
        lines: list[str] = []
        engine.check_runs(runs_of(study), SyntheticRunner(), lines.append, lambda: 0.0)
        self.assertEqual(lines, [])
        seconds = iter(range(0, 100, 3))
        engine.check_runs(runs_of(study), SyntheticRunner(), lines.append, lambda: next(seconds))
        self.assertEqual(lines[0], "checked 0 of 4 arms with their cases")
        self.assertEqual(len(lines), 4)

    def test_shards_merge_and_the_same_merge_changes_nothing(self):
        study = study_of(seeds=3)
        self.make(study, "whole")
        for number in (1, 2):
            self.make(study, f"shard {number}", runs=shard_of(study, number, 2))
        whole = Folder.begin(self.place / "merged", study)
        for expected in ([6, 6], [0, 0]):
            self.assertEqual([whole.merge(Folder(self.place / f"shard {number}", study),
                                          runs_of(study)) for number in (1, 2)], expected)
            self.assertEqual(self.files("merged"), self.files("whole"))

    def test_shards_that_contradict_each_other_are_refused(self):
        study = study_of()
        ours, _ = self.make(study, "ours")
        theirs = Folder.begin(self.place / "theirs", study)
        first, second = runs_of(study)[:2]
        theirs.keep(first, outcome_of(second), Timing(0, {}))
        with self.assertRaisesRegex(StudyError, "expected shards of one study"):
            ours.merge(theirs, runs_of(study))

    def test_kills_at_any_moment_lose_nothing(self):
        study = study_of(seeds=5)
        self.make(study, "undisturbed")
        script = ("import pathlib, sys, studies_engine_test as t\n"
                  "if __name__ == '__main__':\n"
                  "    from schedulegym.studies import engine, folder, study\n"
                  "    s = t.study_of(seeds=5)\n"
                  "    f = folder.Folder.begin(pathlib.Path(sys.argv[1]), s)\n"
                  "    engine.make_runs(study.runs_of(s), f, t.SyntheticRunner(pause=0.05),\n"
                  "                     workers=2, tell=lambda *_: None)\n")
        file = self.place / "again.py"
        file.write_text(script)
        rng = random.Random(0)
        kills = int(os.environ.get("SCHEDULEGYM_KILLS", "3"))
        for _ in range(kills + 1):
            process = subprocess.Popen([sys.executable, file, self.place / "killed"],
                                       env={**os.environ, "PYTHONPATH": PATHS})
            try:
                process.wait(rng.uniform(0.3, 1.5) if _ < kills else 60)
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                process.wait()
        self.assertEqual(process.returncode, 0)
        self.assertEqual(self.files("killed"), self.files("undisturbed"))

    def test_ctrl_c_ends_a_live_run_though_another_thread_takes_the_signal(self):
        script = ("import pathlib, signal, sys, threading, time, studies_engine_test as t\n"
                  "def press(folder, run):\n"
                  "    while not folder.store(run).exists():\n"
                  "        time.sleep(0.05)\n"
                  "    print('under way', flush=True)\n"
                  "    time.sleep(0.5)  # the main thread waits for the run by then\n"
                  "    signal.pthread_kill(threading.get_ident(), signal.SIGINT)\n"
                  "if __name__ == '__main__':\n"
                  "    signal.signal(signal.SIGINT, signal.default_int_handler)\n"
                  "    from schedulegym.studies import engine, folder, study\n"
                  "    s = t.study_of(measure='host')\n"
                  "    f = folder.Folder.begin(pathlib.Path(sys.argv[1]), s)\n"
                  "    runs = study.runs_of(s)\n"
                  "    threading.Thread(target=press, args=(f, runs[0]), daemon=True).start()\n"
                  "    engine.make_runs(runs, f, t.SyntheticRunner(pause=60), workers=1,\n"
                  "                     tell=lambda *_: None)\n")
        file = self.place / "pressed.py"
        file.write_text(script)
        with subprocess.Popen([sys.executable, file, self.place / "study"], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              env={**os.environ, "PYTHONPATH": PATHS}) as process:
            self.addCleanup(process.kill)
            self.assertEqual(process.stdout.readline(), "under way\n")
            try:
                _, errors = process.communicate(timeout=30)
            except subprocess.TimeoutExpired:
                self.fail("it waits for the run that is under way")
            finally:
                process.kill()
        self.assertIn("KeyboardInterrupt", errors)
        self.assertEqual(self.files("study"), {})  # what was cut off is no result


class FolderTest(unittest.TestCase):
    setUp = EngineTest.setUp

    def test_a_study_is_read_back(self):
        study = study_of(controls=["random", "blind"], measure="host", seconds=2.5)
        Folder.begin(self.place / "a", study)
        self.assertEqual(read_study_of(self.place / "a"), study)
        factors = study_file.study_of({**{key: VALUES[key] for key in VALUES if key != "arms"},
                                       "factors": {"agent": ["random", "droplet"]}}, "f", None)
        Folder.begin(self.place / "b", factors)
        self.assertEqual(read_study_of(self.place / "b"), factors)

    def test_a_folder_of_another_study_is_refused(self):
        Folder.begin(self.place / "a", study_of())
        with self.assertRaisesRegex(StudyError, "another study, 'test': its trials differ"):
            Folder.begin(self.place / "a", study_of(trials=21))
        with self.assertRaisesRegex(StudyError, "its arms differ"):
            Folder.begin(self.place / "a", study_of(arms={"other": "random"}))
        (self.place / "b").mkdir()
        (self.place / "b/letters.txt").touch()
        with self.assertRaisesRegex(StudyError, "something else"):
            Folder.begin(self.place / "b", study_of())
        with self.assertRaisesRegex(StudyError, "expected the folder of a study"):
            read_study_of(self.place / "b")

    def test_seeds_may_be_added(self):
        Folder.begin(self.place / "a", study_of())
        Folder.begin(self.place / "a", study_of(seeds=4))
        with self.assertRaisesRegex(StudyError, "seeds may be added"):
            Folder.begin(self.place / "a", study_of(seeds=3))

    def test_a_torn_result_is_refused(self):
        study = study_of()
        folder = Folder.begin(self.place / "a", study)
        run = runs_of(study)[0]
        folder.keep(run, outcome_of(run), Timing(1, {}))
        file, = (self.place / "a/runs").iterdir()
        whole = file.read_text()
        for torn in (whole[:-20], "", whole.replace('"trials"', '"seconds"'), "[]", "null"):
            file.write_text(torn)
            with self.subTest(torn), self.assertRaisesRegex(StudyError, "remove the file"):
                folder.outcome(run)

    def test_what_made_a_run_is_kept_with_it(self):
        study = study_of()
        folder, other = (Folder.begin(self.place / name, study) for name in ("a", "b"))
        first, second, third = runs_of(study)[:3]
        folder.keep(first, outcome_of(first), Timing(1, {}, {"schedulegym": "1"}))
        other.keep(second, outcome_of(second), Timing(1, {}, {"schedulegym": "2"}))
        folder.merge(other, runs_of(study))
        folder.keep(third, outcome_of(third), Timing(1, {}))
        folder._file("timing", third).unlink()
        self.assertEqual(folder.makers([first, second, third, runs_of(study)[3]]),
                         [{"schedulegym": "1"}, {"schedulegym": "2"}, {}])

    def test_outcomes_are_read_back(self):
        run, other = runs_of(study_of())[:2]
        text = outcome_text(run.key, run.place, outcome_of(run))
        self.assertEqual(read_outcome(text, run.key), outcome_of(run))
        with self.assertRaisesRegex(StudyError, "expected"):
            read_outcome(text, other.key)

    def test_true_speeds_of_trials_are_read_back_and_older_files_have_none(self):
        run = runs_of(study_of())[0]
        noisy = dataclasses.replace(outcome_of(run), truths=(1.0, None))
        self.assertEqual(read_outcome(outcome_text(run.key, run.place, noisy), run.key), noisy)
        older = json.loads(outcome_text(run.key, run.place, outcome_of(run)))
        del older["truths"], older["sum"]
        older["sum"] = outcome_module._sum(older)
        self.assertIsNone(read_outcome(json.dumps(older), run.key).truths)

    def test_two_processes_do_not_make_the_same_runs(self):
        folder = Folder.begin(self.place / "a", study_of())
        for one, other in [(None, None), (None, "1/2"), ("1/2", None), ("1/2", "1/2"), ("1/2", "2/3")]:
            with self.subTest(f"{one}, {other}"), folder.locked(one):
                with self.assertRaisesRegex(StudyError, "another process"), folder.locked(other):
                    pass
        with folder.locked("1/2"), folder.locked("2/2"):
            pass
        for shard in (None, "1/3"):  # nothing is left of those that are over
            with folder.locked(shard):
                pass

    def test_nor_through_another_name_of_the_folder(self):
        folder = Folder.begin(self.place / "a", study_of())
        (self.place / "link").symlink_to("a")
        other = Folder.begin(self.place / "link", study_of())
        for one, another in [(folder, other), (other, folder)]:
            with one.locked(), self.assertRaisesRegex(StudyError, "another process"), another.locked():
                pass

    def test_a_folder_of_another_version_is_refused_with_it(self):
        Folder.begin(self.place / "a", study_of())
        file = self.place / "a/study.json"
        fields = json.loads(file.read_text())
        for version in (0, "two"):
            file.write_text(json.dumps({**fields, "version": version}))
            with self.assertRaisesRegex(StudyError, f"study.json: found version {version!r}, expected version "):
                Folder.begin(self.place / "a", study_of())

    def test_finished_runs_are_counted_and_torn_ones_found(self):
        study = study_of()
        folder = Folder.begin(self.place / "a", study)
        for run in runs_of(study)[:3]:
            folder.keep(run, outcome_of(run), Timing(1, {}))
        self.assertEqual(folder.check(runs_of(study)), 3)
        next((self.place / "a/runs").iterdir()).write_text("torn")
        with self.assertRaisesRegex(StudyError, "remove the file"):
            folder.check(runs_of(study))


class ProgressTest(unittest.TestCase):
    def test_lines(self):
        out, err, times = io.StringIO(), io.StringIO(), iter([0.0, 30.0, 60.0])
        progress = Progress(10, 6, as_json=True, out=out, err=err, clock=lambda: next(times))
        for run in runs_of(study_of())[:2]:
            progress.run(run, outcome_of(run), Timing(2.0, {}))
        lines = err.getvalue().splitlines()
        self.assertTrue(lines[0].startswith("study: 7 of 10 runs, 2 a minute, 90 s left"
                                            .replace("90 s", duration(90))), lines)
        events = [json.loads(line) for line in out.getvalue().splitlines()]
        self.assertEqual([(event["made"], event["left"]) for event in events], [(7, 90), (8, 60)])

    def test_the_time_left_of_a_resumed_study(self):
        """What is left takes ten times as long as what is there: by the runs of each arm that are."""
        study = study_of(arms={"quick": "random", "slow": "other"}, seeds=6, cases=["a"])
        with tempfile.TemporaryDirectory() as place:
            folder = Folder.begin(pathlib.Path(place, "f"), study)
            runs = sorted(runs_of(study), key=lambda run: (run.arm.name, run.seed))
            for run in runs[:7]:  # all quick ones, and one slow
                folder.keep(run, outcome_of(run), Timing(1.0 if run.arm.name == "quick" else 10.0, {}))
            expected = expected_seconds(runs, folder, SyntheticRunner(), 2)
            self.assertEqual(list(expected.values()), [10.0 / 2] * 5)
            # One more takes 6 s of two workers, in which another four begin: 24 s are left.
            err = io.StringIO()
            clock = iter([0.0, 6.0])
            progress = Progress(12, 7, err=err, clock=lambda: next(clock), expected=expected)
            progress.run(runs[7], outcome_of(runs[7]), Timing(12.0, {}))
            self.assertIn("24 s left", err.getvalue())

    def test_a_guess_is_scaled_by_what_finished_runs_took(self):
        study = study_of(arms={"first": "random", "second": "other"}, seeds=2, cases=["a"])
        with tempfile.TemporaryDirectory() as place:
            folder = Folder.begin(pathlib.Path(place, "f"), study)
            runs, guess = runs_of(study), SyntheticRunner(pause=0.5)
            known = [run for run in runs if run.arm.name == "first"]
            for run in known:
                folder.keep(run, outcome_of(run), Timing(7 * guess.expected_seconds(run), {}))
            expected = expected_seconds(runs, folder, guess, 1)
            for run in runs:
                if run not in known:
                    self.assertAlmostEqual(expected[run.place], 7 * guess.expected_seconds(run))

    def test_durations(self):
        self.assertEqual([duration(seconds) for seconds in (5, 600, 9000)],
                         ["5 s", "10 min", "2.5 h"])


if __name__ == "__main__":
    unittest.main()
