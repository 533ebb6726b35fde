"""Training with the libraries of the training extra: checks of their own, and every example."""
import importlib.util
import json
import math
import os
import pathlib
import subprocess
import sys
import unittest
import warnings

import foreign_table
from harness import ROOT, PackageTest, has_llvm, need_confinement, schedulegym as sg

EXAMPLES = ROOT / "bindings/schedulegym/examples"
IDS = ("ScheduleGym/ConstructModel-v1", "ScheduleGym/ModifyModel-v1")
SMALL = "matmul(m=64,n=48,k=96)"


def need(test, module):
    if importlib.util.find_spec(module) is None:
        test.skipTest(f"no {module}: ./sg test training installs it")


class StableBaselinesTest(PackageTest):
    def setUp(self):
        super().setUp()
        need(self, "sb3_contrib")

    def vector(self, **arguments):
        from schedulegym.sb3 import make_vec_env
        return make_vec_env(IDS[1], 4, **{"workload": SMALL, "steps": 8, **arguments})

    def test_its_checker_is_content(self):
        from stable_baselines3.common.env_checker import check_env
        import gymnasium
        for name in sg.environments():
            env = gymnasium.make(f"ScheduleGym/{name}-v0", **self.arguments_of(name)).unwrapped
            self.addCleanup(env.close)
            with self.subTest(name=name), warnings.catch_warnings():
                warnings.simplefilter("error")
                check_env(env)

    def arguments_of(self, name):
        """Of each id with its usual observation, what makes it quick."""
        source = sg.environments()[name]["source"]
        if name == "File":
            return {"table": foreign_table.write(self.folder / "results.json")}
        if source == "table":
            return {}
        if source == "model":
            return {"workload": SMALL}
        if not has_llvm():
            self.skipTest("nothing measures here")
        return {"workload": "matmul(m=8,n=8,k=8)", "target": "interpreter",
                "protocol": "cpu1(seconds=0.05)",
                **({"slots": 2, "batch": 1} if name == "Network" else {"steps": 4})}

    def test_a_vector_equals_single_environments(self):
        import gymnasium
        import numpy as np
        vector = self.vector(reward="difference")
        vector.seed(5)
        singles = [gymnasium.make(IDS[1], workload=SMALL, steps=8, reward="difference").unwrapped
                   for _ in range(4)]
        seen = vector.reset()
        for i, single in enumerate(singles):
            np.testing.assert_array_equal(seen[i], single.reset(seed=5 + i)[0])
        rng, sums, ends = np.random.default_rng(1), np.zeros(4), 0
        for _ in range(40):
            masks = np.stack(vector.env_method("action_masks"))
            actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])
            seen, rewards, done, infos = vector.step(actions)
            for i, single in enumerate(singles):
                expected, reward, ended, _, info = single.step(actions[i])
                sums[i] += reward
                self.assertEqual(done[i], ended)
                self.assertEqual(rewards[i], reward)  # float64, or sums would not be exact
                if ended:
                    ends += 1
                    np.testing.assert_array_equal(infos[i]["terminal_observation"], expected)
                    self.assertFalse(infos[i]["TimeLimit.truncated"])
                    self.assertAlmostEqual(infos[i]["episode"]["r"], sums[i])
                    self.assertEqual(infos[i]["speed"], info["speed"])
                    expected, sums[i] = single.reset()[0], 0
                else:
                    self.assertEqual(infos[i], {})
                np.testing.assert_array_equal(seen[i], expected)
        self.assertGreater(ends, 4)

    def test_observations_of_steps_are_arrays_of_their_own(self):
        vector = self.vector()
        first = vector.reset()
        kept = first.copy()
        vector.step([1] * 4)
        self.assertTrue((first == kept).all())

    def test_what_stable_baselines_asks_of_it(self):
        vector = self.vector()
        self.assertEqual(vector.get_attr("render_mode"), [None] * 4)
        self.assertTrue(vector.has_attr("action_masks"))
        self.assertEqual(vector.env_is_wrapped(object), [False] * 4)
        with self.assertRaises(AttributeError):
            vector.set_attr("steps", 3)
        vector.close()
        vector.close()

    def test_processes_of_stable_baselines(self):
        from stable_baselines3.common.vec_env import SubprocVecEnv
        import numpy as np

        def made():
            return sg.ScheduleEnv(SMALL, actions="modify", steps=8)

        for method in ("fork", "spawn"):
            vector = SubprocVecEnv([made] * 2, start_method=method)
            try:
                vector.seed(3)
                seen = vector.reset()
                masks = np.stack(vector.env_method("action_masks"))
                self.assertEqual(masks.shape[0], 2)
                vector.step(np.array([1, 1]))
            finally:
                vector.close()
            self.assertEqual(seen.shape[0], 2)

    def test_rllibs_dict(self):
        from gymnasium.utils.env_checker import check_env
        from schedulegym.wrappers import MaskedDictObservation
        env = MaskedDictObservation(sg.ScheduleEnv(SMALL, actions="modify"))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that a wrapper is no environment of its own
            check_env(env)
        observation, info = env.reset(seed=1)
        self.assertIn(observation, env.observation_space)
        self.assertEqual(observation["action_mask"].tolist(), info["action_mask"].tolist())


class ExamplesTest(PackageTest):
    def environment(self):
        return {**os.environ, "RAY_AUTH_MODE": "disabled", "XDG_CACHE_HOME": str(self.folder / "cache"),
                "SCHEDULEGYM_DATA": str(ROOT / "experiments/data"),
                "PYTHONPATH": str(pathlib.Path(sg.__file__).parents[1])}

    def run_example(self, name, *words):
        result = subprocess.run([sys.executable, EXAMPLES / name, *map(str, words)],
                                capture_output=True, text=True, cwd=self.folder,
                                env=self.environment(), timeout=1200)
        self.assertEqual(result.returncode, 0, result.stderr[-4000:])
        return result.stdout

    def check_curve(self, path):
        points = [json.loads(line) for line in path.read_text().splitlines()]
        self.assertGreater(len(points), 1)
        for point in points:
            self.assertTrue(math.isfinite(point["mean"]) and point["best"] >= point["mean"])

    def test_types_hold(self):
        for module in ("mypy", "torch", "sb3_contrib", "ray", "matplotlib"):
            need(self, module)
        result = subprocess.run(
            [sys.executable, "-m", "mypy", "--config-file", ROOT / "pyproject.toml",
             "--allow-untyped-calls", "--cache-dir", self.folder, "schedulegym"],
            capture_output=True, text=True, cwd=ROOT / "bindings")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_plot_curves(self):
        need(self, "matplotlib")
        for seed in (1, 2):
            (self.folder / f"{seed}.jsonl").write_text("".join(
                json.dumps({"step": 100 * step, "mean": seed * step, "best": 9}) + "\n"
                for step in range(1, 4)))
        self.run_example("plot_curves.py", "-o", "curves.svg", "--line", "random=-3.5",
                         "a learner=1.jsonl,2.jsonl", "--value", "mean")
        picture = (self.folder / "curves.svg").read_text()
        self.assertIn("<svg", picture)
        self.assertIn("a learner, 2 seeds", picture)

    def test_maskable_ppo(self):
        need(self, "sb3_contrib")
        self.run_example("maskable_ppo.py", "--workload", SMALL, "--steps", 5000, "--envs", 4,
                         "--curve", "curve.jsonl", "--save", "policy.zip")
        self.check_curve(self.folder / "curve.jsonl")
        self.assertTrue((self.folder / "policy.zip").exists())

    def test_a_policy_is_an_entry(self):
        need(self, "sb3_contrib")
        other = "matmul(m=32,n=64,k=48)"
        said = self.run_example("train_policy.py", "--seconds", 3, "-o", "mine", "--envs", 4,
                                "--length", 8, "--workload", SMALL, other)
        self.assertIn("leaderboard run smoke -o smoke-policy --entry mine", said)
        self.stands_on_a_board("mine")
        again = subprocess.run([sys.executable, EXAMPLES / "train_policy.py", "-o", "mine"],
                               capture_output=True, text=True, cwd=self.folder,
                               env=self.environment())
        self.assertEqual(again.returncode, 2)
        self.assertIn("found mine with files in it", again.stderr)

    def stands_on_a_board(self, folder):
        """On a table, and on a shape that it was not trained on; confined where the kernel can."""
        from schedulegym.leaderboard.command import run_leaderboard
        from schedulegym.studies.tune_runner import TuneRunner
        need_confinement(self)
        os.environ["SCHEDULEGYM_PYTHON"] = sys.executable
        self.addCleanup(os.environ.pop, "SCHEDULEGYM_PYTHON")
        for track, case in (("table", "matmul"), ("model", "matmul(m=96,n=32,k=64)")):
            pathlib.Path("a.toml").write_text(
                f'board = 1\nname = "a"\nedition = "1"\ndivision = "open"\ntrack = "{track}"\n'
                f'cases = ["{case}"]\ntrials = 8\nseeds = 2\n'
                + ('space = "ansor"\n' if track == "model" else "") + '[entries]\nhill = "hill"\n')
            words = ["run", "a.toml", "-o", track, "--entry", folder, "--quiet"]
            self.assertEqual(run_leaderboard(words, TuneRunner()), 0)
            told = json.loads(pathlib.Path(track, "results.json").read_text())["entries"]["policy"]
            self.assertEqual(told["division"], "open")
            self.assertEqual(told["runs"], {"planned": 2, "made": 2})
            self.assertGreaterEqual(told["tuning"]["training_seconds"], 3)

    def test_torch_ppo(self):
        need(self, "torch")
        self.run_example("torch_ppo.py", "--workload", SMALL, "--steps", 5000, "--envs", 8,
                         "--curve", "curve.jsonl", "--save", "policy.pt")
        self.check_curve(self.folder / "curve.jsonl")
        self.assertTrue((self.folder / "policy.pt").exists())

    def test_rank_programs(self):
        need(self, "torch")
        words = self.run_example("rank_programs.py", "sample", "--epochs", 3)
        last = words.splitlines()[-3:]
        self.assertRegex(last[0], r"^pairs of \d+ programs, of \d+ tasks that no model has seen:$")
        pairs = {line[:13].strip(): float(line[13:]) for line in last[1:]}
        self.assertEqual(list(pairs), ["this model", "boosted trees"])
        for name, value in pairs.items():
            self.assertGreater(value, 0.55, name)  # a coin has a half

    def test_rllib_ppo(self):
        need(self, "ray")
        self.run_example("rllib_ppo.py", "--workload", SMALL, "--iterations", 2, "--batch", 400,
                         "--curve", "curve.jsonl")
        self.check_curve(self.folder / "curve.jsonl")

    def test_searches(self):
        for name, words in (("beam_search.py", ("--width", 2, "--tries", 6)),
                            ("mcts.py", ("--rounds", 50))):
            trace = self.run_example(name, "--workload", SMALL, "--curve", "curve.jsonl", *words)
            self.check_curve(self.folder / "curve.jsonl")
            task = sg.Task(SMALL)
            text = "".join(line for line in trace.splitlines(True) if not line.startswith("#"))
            self.assertGreater(len(sg.ScheduleState.replay(task, text).trace), 0)

    def test_table_agent(self):
        words = self.run_example("table_agent.py", "--steps", 2000, "--curve", "curve.jsonl")
        self.assertIn("had they been measured", words)
        self.check_curve(self.folder / "curve.jsonl")

    def test_quick_start(self):
        self.assertIn("times as fast", self.run_example("quick_start.py", "--trials", 4))


if __name__ == "__main__":
    unittest.main()
