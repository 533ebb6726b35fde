"""Runs of a study placed on a cluster that is made up, whose nodes die; the options of engines."""
import argparse
import contextlib
import dataclasses
import io
import os
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

try:
    from schedulegym import MachineError
    from schedulegym.studies import engine, engines, run_files
    from schedulegym.studies.__main__ import main
    from schedulegym.studies.faults import StudyError
    from schedulegym.studies.folder import Folder
    from schedulegym.studies.placing import MOST_DEATHS, Died, Made, place_runs
    from schedulegym.studies.study import runs_of
    from studies_engine_test import study_of
    from studies_synthetic import SyntheticRunner
except ImportError as fault:
    raise unittest.SkipTest(f"no studies: {fault}") from None


class FakeCluster:
    """Makes runs here; each node makes one at a time. `deaths` says who dies: run to how often."""

    def __init__(self, nodes=2, deaths=None):
        self.nodes, self.deaths = nodes, dict(deaths or {})
        self.begun, self.most = [], 0  # (place, node that was asked for) of each; at once
        self._under_way = {}

    def slots(self, live):
        return self.nodes

    def begin(self, runner, run, node):
        self.begun.append((run.place, node))
        self._under_way[len(self.begun)] = runner, run, node
        self.most = max(self.most, len(self._under_way))
        return len(self.begun)

    def wait(self, begun):
        return [max(begun)]  # later ones are over first

    def made(self, begun):
        runner, run, node = self._under_way.pop(begun)
        if self.deaths.get(run.place, 0):
            self.deaths[run.place] -= 1
            raise Died("its node is gone")
        with tempfile.TemporaryDirectory() as place:
            store = pathlib.Path(place, "store")
            outcome, timing = runner.make(run, store)
            records = store.read_bytes() if store.exists() else None
        return Made(outcome, timing, records, node or f"node{begun}")


class FolderTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.place = pathlib.Path(folder.name)


class PlacingTest(FolderTest):
    def place_on(self, cluster, study, name="placed", **options):
        folder, told = Folder.begin(self.place / name, study), []
        end = place_runs(runs_of(study), folder, SyntheticRunner(), cluster=cluster,
                         tell=lambda run, *_: told.append(run.place), **options)
        self.assertEqual(len(told), len(set(told)))
        self.assertEqual(len(told), end.made)
        return folder, end

    def files(self, name):
        return {path.name: path.read_bytes() for path in (self.place / name / "runs").iterdir()}

    def test_what_is_placed_is_what_is_made_here(self):
        study = study_of(seeds=3)
        engine.make_runs(runs_of(study), Folder.begin(self.place / "here", study),
                         SyntheticRunner(), workers=2, tell=lambda *_: None)
        cluster = FakeCluster(deaths={run.place: 1 for run in runs_of(study)[::3]})
        _, end = self.place_on(cluster, study)
        self.assertEqual((end.made, end.left, end.failed), (12, 0, []))
        self.assertEqual(len(cluster.begun), 12 + 4)
        self.assertEqual(cluster.most, 2)
        self.assertEqual(self.files("placed"), self.files("here"))
        _, end = self.place_on(cluster, study)
        self.assertEqual((end.made, len(cluster.begun)), (0, 12 + 4))

    def test_what_dies_again_and_again_is_left_out_and_told(self):
        study = study_of(seeds=1)
        deadly = runs_of(study)[0]
        cluster = FakeCluster(deaths={deadly.place: MOST_DEATHS})
        _, end = self.place_on(cluster, study)
        self.assertEqual(end.failed, [(deadly, "died 3 times: its node is gone")])
        self.assertEqual((end.made, end.left), (3, 0))
        _, end = self.place_on(cluster, study)
        self.assertEqual((end.made, end.failed), (1, []))

    def test_a_block_stays_on_its_node_until_that_dies(self):
        study = study_of(measure="host", arms={name: "random" for name in "abc"})
        runs = runs_of(study)
        dying = runs[1].place  # the second of its block
        cluster = FakeCluster(deaths={dying: 1})
        folder, end = self.place_on(cluster, study)
        self.assertEqual(end.made, 12)
        self.assertEqual(folder.store(runs[0]).read_text(), "records")
        nodes = {}
        for place, node in cluster.begun:
            nodes.setdefault((place[0], place[2]), []).append(node)
        for (case, seed), found in nodes.items():
            self.assertIsNone(found[0])
            if (case, seed) == (dying[0], dying[2]):
                self.assertEqual(len(found), 4)
                self.assertEqual(found[1], found[2])  # it asks for the same; the cluster knows
            else:
                self.assertEqual((len(found), len(set(found[1:]))), (3, 1))

    def test_a_cluster_without_nodes_is_waited_for(self):
        cluster = FakeCluster(nodes=0)
        _, end = self.place_on(cluster, study_of(seeds=1))
        self.assertEqual((end.made, cluster.most), (4, 1))

    def test_seconds_end_it_where_it_can_go_on(self):
        times = iter([0.0] * 5 + [9.0] * 100)
        _, end = self.place_on(FakeCluster(), study_of(), seconds=5, clock=lambda: next(times))
        self.assertTrue(0 < end.made < 8)
        self.assertEqual(end.made + end.left, 8)
        _, end = self.place_on(FakeCluster(), study_of())
        self.assertEqual(len(self.files("placed")), 8)


class RunFilesTest(FolderTest):
    def test_pieces_are_unpacked_once(self):
        piece = self.place / "there/mine"
        (piece / "inner/__pycache__").mkdir(parents=True)
        (piece / "inner/__pycache__/agent.pyc").touch()
        (piece / "inner/agent.py").write_text("pass")
        label, content = run_files.pack(piece)
        self.assertEqual((label, content), run_files.pack(piece))
        shelf, fetched = run_files.shelf_of_user(self.place), []
        for _ in range(2):
            place = run_files.unpack(label, lambda: fetched.append(1) or content, shelf)
            self.assertEqual([path.relative_to(place).as_posix() for path in
                              sorted(place.rglob("*"))], ["inner", "inner/agent.py"])
        self.assertEqual((len(fetched), place.name), (1, "mine"))
        self.assertEqual(len(list(shelf.iterdir())), 1)
        (piece / "inner/agent.py").write_text("1")
        self.assertNotEqual(run_files.pack(piece)[0], label)

    def test_a_run_is_the_same_in_another_place(self):
        run = runs_of(study_of())[0]
        case = dataclasses.replace(run.case, file="/a/one.table")
        arm = dataclasses.replace(run.arm, folder="/a/mine", plugins=("/a/x.so", "/a/y.so"))
        run = dataclasses.replace(run, case=case, arm=arm)
        self.assertEqual(run_files.pieces_of(run), ["/a/mine", "/a/one.table", "/a/x.so", "/a/y.so"])
        moved = run_files.moved(run, {piece: piece.replace("/a", "/b")
                                    for piece in run_files.pieces_of(run)})
        self.assertEqual(moved, run)
        self.assertEqual(moved.key, run.key)
        self.assertEqual(run_files.pieces_of(moved),
                         ["/b/mine", "/b/one.table", "/b/x.so", "/b/y.so"])

    def test_a_shelf_that_others_may_write_is_refused(self):
        shelf = run_files.shelf_of_user(self.place)
        self.assertEqual(shelf, run_files.shelf_of_user(self.place))
        shelf.chmod(0o777)
        with self.assertRaisesRegex(StudyError, "that others may write"):
            run_files.shelf_of_user(self.place)


class OptionsTest(unittest.TestCase):
    def given(self, *words):
        parser = argparse.ArgumentParser()
        engines.add_options(parser)
        return parser.parse_args(words)

    def test_faults(self):
        engines.check_options(self.given("--engine", "ray", "--ray-address", "local"))
        with self.assertRaisesRegex(StudyError, "unknown engine 'rya': expected one of local, ray "
                                    r"\(did you mean 'ray'\?\)"):
            engines.check_options(self.given("--engine", "rya"))
        with self.assertRaisesRegex(StudyError, "--ray-address: found engine local"):
            engines.check_options(self.given("--ray-address", "auto"))
        for address in ("", "host", "host:", "ray://host:10001", "host:99:99"):
            with self.subTest(address), self.assertRaisesRegex(StudyError, "expected HOST:PORT, auto"):
                engines.check_options(self.given("--engine", "ray", "--ray-address", address))

    def test_the_page_tells_of_no_engine(self):
        words = ["study", "--engine", "ray", "f.toml", "--ray-address=auto", "-o", "out"]
        self.assertEqual(engines.without_options(words), ["study", "f.toml", "-o", "out"])

    def test_a_missing_ray_is_named(self):
        study = ('measure = "table"\ncases = ["conv2d"]\nseeds = 1\ntrials = 4\n'
                 'arms.a = {agent = "random"}\n')
        lines = {"ray": (3, "error: missing Python package ray (to install what --engine ray "
                         "needs: ./sg setup ray, or pip install ray)\n"),
                 "moon": (2, "error: unknown engine 'moon': expected one of local, ray\n")}
        with tempfile.TemporaryDirectory() as place:
            self.addCleanup(os.chdir, os.getcwd())
            os.chdir(place)
            pathlib.Path("s.toml").write_text(study)
            for words in (["study", "s.toml"], ["leaderboard", "run", "smoke"]):
                for name, (code, line) in lines.items():
                    told = io.StringIO()
                    with mock.patch.dict(sys.modules, {"ray": None}), \
                            contextlib.redirect_stderr(told):
                        sys.modules.pop("schedulegym.studies.ray_engine", None)
                        found = main([*words, "-o", "out", "--engine", name])
                    self.assertEqual((found, told.getvalue()), (code, line))
                    self.assertEqual(os.listdir(), ["s.toml"])


if __name__ == "__main__":
    unittest.main()
