"""Studies and boards on a real Ray: two nodes on this machine, one killed in the midst.

It needs the extra `ray` and half a minute of work, minutes where others use the machine:
./sg test nightly runs it.
"""
import json
import os
import pathlib
import subprocess
import sys
import threading
import time
import unittest
from unittest import mock

from harness import PackageTest

os.environ.setdefault("RAY_AUTH_MODE", "disabled")
os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
os.environ.setdefault("RAY_raylet_start_wait_time_s", "300")  # others use the machine
try:
    import ray
    from ray.cluster_utils import Cluster

    from schedulegym import MachineError
    from schedulegym.leaderboard.command import run_leaderboard
    from schedulegym.studies.ray_engine import MEASURE, RayCluster
    from schedulegym.studies.tune_runner import TuneRunner
    from leaderboard_run_test import CLIMBER, TABLES
    from studies_engine_test import study_of
    from studies_synthetic import SyntheticRunner
    from schedulegym.studies.folder import Folder
    from schedulegym.studies.placing import place_runs
    from schedulegym.studies.study import runs_of
except ImportError as fault:
    raise unittest.SkipTest(f"no Ray, or no studies: {fault}") from None

STUDY = """measure = "table"
cases = ["matmul", "conv2d"]
seeds = 12
trials = 60
[arms]
random.agent = "random"
hill.agent = "hill"
"""


class RayTest(PackageTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        paths = mock.patch.dict(os.environ, PYTHONPATH=os.pathsep.join(filter(None, sys.path)))
        paths.start()  # nodes have the runner that draws
        cls.addClassCleanup(paths.stop)
        cls.cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
        cls.addClassCleanup(cls.cluster.shutdown)
        cls.here = ["--engine", "ray", "--ray-address", cls.cluster.address]

    def setUp(self):
        super().setUp()
        self.addCleanup(ray.shutdown)

    def node(self, **resources):
        node = self.cluster.add_node(num_cpus=1, resources=resources)
        self.addCleanup(lambda: node in self.cluster.list_all_nodes() and
                        self.cluster.remove_node(node))
        return node

    def files(self, out):
        """All but wall times and dates; the page but for the command, which names the folder."""
        place = self.folder / out
        return {str(path.relative_to(place)): path.read_bytes().replace(
            f"-o {out}".encode(), b"-o OUT") for path in sorted(place.rglob("*"))
            if path.is_file() and "timing" not in str(path) and "lock" not in path.name
            and path.name != "source.toml"}

    def check_same_files(self):
        here, there = self.files("here"), self.files("there")
        self.assertEqual(here.keys(), there.keys())
        self.assertEqual([name for name in here if here[name] != there[name]], [])

    def study(self, out, *words):
        return subprocess.run(
            [sys.executable, "-m", "schedulegym.studies", "study", "s.toml", "-o", out, "--json",
             *words], cwd=self.folder, capture_output=True, text=True, timeout=600)

    def test_a_node_is_killed_and_nothing_is_lost_or_doubled(self):
        (self.folder / "s.toml").write_text(STUDY)
        self.assertEqual(self.study("here").returncode, 0)
        doomed, made = self.node(), self.folder / "there/runs"

        def kill():
            while len(list(made.glob("*"))) < 8:
                time.sleep(0.01)
            self.cluster.remove_node(doomed, allow_graceful=False)

        killer = threading.Thread(target=kill, daemon=True)
        killer.start()
        result = self.study("there", *self.here)
        killer.join(1)
        self.assertEqual((result.returncode, killer.is_alive()), (0, False), result.stderr)
        self.check_same_files()
        told = [json.loads(line) for line in result.stdout.splitlines()]
        runs = [(one["case"], one["arm"], one["seed"]) for one in told if one["event"] == "run"]
        self.assertEqual((len(runs), len(set(runs))), (48, 48))

    def test_a_board_with_an_entry_of_ones_own(self):
        self.node()
        (self.folder / "small.toml").write_text(TABLES)
        for out, words in (("here", []), ("there", self.here)):
            self.assertEqual(run_leaderboard(
                ["run", "small.toml", "-o", out, "--entry", str(CLIMBER), "--quiet", *words],
                TuneRunner()), 0)
        self.check_same_files()

    def test_live_runs_want_nodes_that_measure(self):
        with self.assertRaisesRegex(MachineError, f"no node with resource {MEASURE}, expected one"):
            RayCluster(self.cluster.address, 1, live=True)
        nodes = [self.node(**{MEASURE: 1}) for _ in range(2)]
        self.cluster.wait_for_nodes()
        study = study_of(measure="host", seeds=1)
        folder = Folder.begin(self.folder / "live", study)
        cluster = RayCluster(self.cluster.address, 1, live=True)
        self.assertEqual(cluster.slots(live=True), len(nodes))
        end = place_runs(runs_of(study), folder, SyntheticRunner(), cluster=cluster,
                         tell=lambda *_: None)
        self.assertEqual((end.made, end.failed), (4, []))
        for run in runs_of(study):
            self.assertEqual(folder.store(run).read_text(), "records")

    def test_a_process_that_dies_is_begun_again(self):
        study = study_of(arms={"plain": "random", "deadly": "deadly"}, seeds=1, cases=["a"])
        folder = Folder.begin(self.folder / "deadly", study)
        cluster = RayCluster(self.cluster.address, 1, live=False)
        end = place_runs(runs_of(study), folder, SyntheticRunner(deaths=str(self.folder)),
                         cluster=cluster, tell=lambda *_: None)
        self.assertEqual((end.made, end.failed), (2, []))
        self.assertTrue(pathlib.Path(self.folder, "second").exists())

    def test_where_no_cluster_is(self):
        with self.assertRaisesRegex(MachineError, "no cluster of Ray at '127.0.0.1:1'"):
            RayCluster("127.0.0.1:1", 1, live=False)


if __name__ == "__main__":
    unittest.main()
