"""Policies that were trained in the gym, as search agents; and what is said where nothing can train them."""
import importlib.util
import os
import pathlib
import shutil
import stat
import sys
import tempfile
import unittest

from harness import PackageTest, ProgramTest, schedulegym as sg

TRAINED = "matmul(m=64,n=48,k=96)"
HAS_TRAINING = importlib.util.find_spec("sb3_contrib") is not None
AGENT = "python(module=schedulegym.sb3,class=PolicyAgent,policy=policy.zip%s)"


class WithoutTrainingTest(ProgramTest):
    def test_what_is_missing_is_one_line(self):
        if HAS_TRAINING or sg is None:
            self.skipTest("nothing is missing here, or nothing is there")
        os.environ["SCHEDULEGYM_PYTHON"] = sys.executable
        self.addCleanup(os.environ.pop, "SCHEDULEGYM_PYTHON")
        said = self.refused(3, "tune", "matmul(m=8,n=8,k=8)", "--measure", "analytical", "--trials",
                            "4", "--agent", AGENT % "")
        self.assertRegex(said, r"missing Python package \w+ .*pip install 'schedulegym\[train\]'")


@unittest.skipUnless(HAS_TRAINING, "no sb3_contrib: ./sg test training installs it")
class SavePolicyTest(PackageTest):
    def setUp(self):
        super().setUp()
        from sb3_contrib import MaskablePPO
        from schedulegym.sb3 import make_vec_env, save_policy
        self.save = save_policy
        env = make_vec_env("ScheduleGym/ModifyModel-v0", 2, workload=TRAINED, steps=8)
        self.model = MaskablePPO("MlpPolicy", env, n_steps=8, batch_size=16, seed=0, device="cpu",
                                 policy_kwargs={"net_arch": [8]})
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        self.folder = pathlib.Path(made.name)

    def test_it_follows_the_rule_of_outputs(self):
        from sb3_contrib import MaskablePPO
        (self.folder / "link.zip").symlink_to("target.zip")
        self.save(self.model, self.folder / "link.zip")
        self.assertTrue((self.folder / "link.zip").is_symlink())
        loaded = MaskablePPO.load(self.folder / "target.zip", device="cpu")
        self.assertEqual(loaded.menu, self.model.get_env().get_attr("menu")[0])
        self.save(self.model, self.folder / "policy")
        self.assertTrue((self.folder / "policy.zip").is_file())
        (self.folder / "store.db").write_bytes(b"SQLite format 3\0" + bytes(84))
        with self.assertRaisesRegex(sg.InputError, "found a store"):
            self.save(self.model, self.folder / "store.db")

    def test_a_device_stays_one(self):
        device = self.folder / "null"
        try:
            os.mknod(device, stat.S_IFCHR | 0o600, os.makedev(1, 3))
        except PermissionError:
            self.skipTest("only root makes devices")
        self.save(self.model, device)
        self.assertTrue(stat.S_ISCHR(os.lstat(device).st_mode))
        self.assertEqual(os.listdir(self.folder), ["null"])


class PolicyAgentTest(PackageTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        if not HAS_TRAINING:
            raise unittest.SkipTest("no sb3_contrib: ./sg test training installs it")
        made = tempfile.TemporaryDirectory()
        cls.addClassCleanup(made.cleanup)
        cls.policy = pathlib.Path(made.name, "policy.zip")
        cls.train(cls.policy, TRAINED)

    def setUp(self):
        super().setUp()
        os.environ["SCHEDULEGYM_PYTHON"] = sys.executable
        self.addCleanup(os.environ.pop, "SCHEDULEGYM_PYTHON")

    @staticmethod
    def train(file, workload):
        """A policy that has seen hardly anything."""
        from sb3_contrib import MaskablePPO
        from schedulegym.sb3 import make_vec_env
        env = make_vec_env("ScheduleGym/ModifyModel-v0", 2, workload=workload, steps=8)
        model = MaskablePPO("MlpPolicy", env, n_steps=8, batch_size=16, n_epochs=1, seed=0,
                            device="cpu", policy_kwargs={"net_arch": [8]})
        model.learn(16)
        model.save(file)

    def tune(self, workload, options=",steps=8", seed=1, trials=6):
        with sg.RecordStore() as store:
            result = sg.tune(workload, agent=AGENT % options, measure="analytical", space="ansor",
                             store=store, trials=trials, seed=seed)
            return result, [record.trace for record in store]

    def test_it_searches_shapes_that_it_was_not_trained_on(self):
        shutil.copy(self.policy, "policy.zip")
        for workload in (TRAINED, "matmul(m=128,n=32,k=80)"):
            result, traces = self.tune(workload)
            self.assertEqual((result.trials, len(set(traces))), (6, 6))
        self.assertEqual(self.tune(workload)[1], traces)
        self.assertNotEqual(self.tune(workload, seed=2)[1], traces)

    def test_what_does_not_fit(self):
        shutil.copy(self.policy, "policy.zip")
        conv = "conv2d(n=1,h=8,w=8,ci=8,co=8,k=3,p=1)"
        self.refused(ValueError, "conv2d.*found .* actions .*which the policy was trained for",
                     self.tune, conv)
        result, _ = self.tune(conv, ",steps=8,otherwise=random")
        self.assertEqual(result.trials, 6)
        self.refused(ValueError, "otherwise: found 'chance'", self.tune, conv, ",otherwise=chance")
        os.remove("policy.zip")
        self.refused(ValueError, "policy: found no file 'policy.zip'", self.tune, TRAINED)

    def test_chance_reads_its_space_once(self):
        """A table's rows were read anew for each schedule drawn, minutes a run."""
        from unittest import mock
        from schedulegym import sb3
        agent = sb3.PolicyAgent(str(self.policy), steps=8, otherwise="random")
        conv = sg.Task("conv2d(n=1,h=8,w=8,ci=8,co=8,k=3,p=1)")
        with mock.patch.object(sb3, "SearchSpace", wraps=sb3.SearchSpace) as made:
            drawn = agent.propose(conv, 4) + agent.propose(conv, 4)
        self.assertEqual(len({state.key for state in drawn}), 8)
        self.assertEqual(made.call_count, 1)

    def test_one_that_was_trained_on_several_kinds(self):
        conv = "conv2d(n=1,h=8,w=8,ci=8,co=8,k=3,p=1)"
        self.train("policy.zip", [TRAINED, conv])
        with open("both.net", "w") as file:
            file.write(f"1 {TRAINED}\n1 {conv}\n")
        result, _ = self.tune("matmul(m=32,n=32,k=32)", ",steps=8,like=both.net")
        self.assertEqual(result.trials, 6)


if __name__ == "__main__":
    unittest.main()
