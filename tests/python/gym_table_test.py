"""Environments on tables: recorded speeds, deterministic, without a compiler."""
import json
import math
import pickle
import unittest
import warnings

import foreign_table
from harness import PackageTest, ProgramTest, schedulegym as sg

if sg is not None:
    import gymnasium
    import numpy as np
    from gymnasium.utils.env_checker import check_env

SMALL = "matmul(m=8,n=8,k=8)"


class GymTableTest(PackageTest, ProgramTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.texts = {}

    def table(self, kind):
        """The path of a table that the command made, once for all tests."""
        path = self.folder / f"{kind}.table"
        if kind == "file":
            return foreign_table.write(path)
        if kind not in self.texts:
            self.succeed("table", SMALL, "--kind", kind, "--points", 32, "--target", "interpreter",
                         "-o", path)
            self.texts[kind] = path.read_text()
        path.write_text(self.texts[kind])
        return path

    def make(self, kind, **arguments):
        name = {"modify": "ModifyTable", "construct": "ConstructTable", "file": "File"}[kind]
        env = gymnasium.make(f"ScheduleGym/{name}-v0", table=self.table(kind), **arguments)
        self.addCleanup(env.close)
        return env.unwrapped

    def test_gymnasiums_checker_is_content(self):
        for kind in ("modify", "construct", "file"):
            for arguments in ({}, {"reward": "difference"}, {"observation": ["history", "knobs"]}):
                with self.subTest(kind=kind, **{k: str(v) for k, v in arguments.items()}):
                    with warnings.catch_warnings():
                        warnings.simplefilter("error")
                        check_env(self.make(kind, **arguments))
            self.assertFalse(gymnasium.spec(self.make(kind).spec.id).nondeterministic)

    def test_another_tuners_table_comes_along(self):
        env = gymnasium.make("ScheduleGym/File-v0", reward="difference").unwrapped
        self.addCleanup(env.close)
        check_env(env)
        _, info = env.reset(seed=0)
        rng, speeds = np.random.default_rng(0), set()
        for _ in range(40):
            action = int(rng.choice(np.flatnonzero(info["action_mask"][1:]) + 1))  # never to stop
            info = env.step(action)[4]
            speeds.add(info["speed"])
        self.assertGreater(len(speeds), 5)

    def test_speeds_are_those_recorded(self):
        for kind in ("modify", "construct"):
            rows = [json.loads(line) for line in self.table(kind).read_text().splitlines()[1:]]
            recorded = {row[row.index("ok") + 1] for row in rows if "ok" in row}
            env, rng = self.make(kind, reward="difference"), np.random.default_rng(1)
            seen = set()
            for episode in range(10):
                env.reset(seed=episode)
                for _ in range(12):
                    env.step(int(rng.choice(env.legal_actions()[1:] or [0])))
                    if env.ended:
                        break
                seen |= {j["seconds"] for j in env.evaluations if j["outcome"] == "ok"}
            self.assertGreater(len(seen), 3)
            self.assertLessEqual(seen, recorded)

    def test_the_best_can_be_found(self):
        env = self.make("modify", start="random")
        best = 0.0
        todo, known = [], set()
        env.reset(seed=1)
        todo.append(env.fork())
        while todo:  # every point that can be reached
            place = todo.pop()
            text = place.to_text().splitlines()[-1]
            if text in known:
                continue
            known.add(text)
            end = place.fork()
            info = end.step(0)[4]
            best = max(best, info["speed"] or 0)
            for action in place.legal_actions()[1:]:
                fork = place.fork()
                fork.step(action)
                if not fork.ended:
                    todo.append(fork)
        self.assertEqual(len(known), 32)
        self.assertGreater(best, 0)

    def test_the_clock_counts_what_measuring_took(self):
        env = self.make("file")
        self.assertEqual(env.clock, 0)
        env.reset(seed=1)
        env.step(0)
        self.assertGreater(env.clock, 1)  # a second of compiling
        self.assertIsNone(sg.ScheduleEnv(SMALL).clock)

    def test_foreign_kernels_have_no_schedule(self):
        env = self.make("file")
        observation, info = env.reset(seed=2)
        self.assertEqual(observation.shape, (98,))
        self.assertEqual(int(info["action_mask"].sum()), 1 + len(env.legal_actions()[1:]))
        with self.assertRaises(ValueError):
            env.state
        speeds = set()
        for seed in range(12):
            env.reset(seed=seed)
            reward, _, _, info = env.step(0)[1:]
            speeds.add(info["speed"])
            expected = env.evaluations[-1]["speed"]
            self.assertEqual(reward, -8.0 if expected is None else math.log(expected))
        # The median of all successes is the reference: 2 ms.
        self.assertLessEqual({s for s in speeds if s}, {0.5, 1.0, 2.0})

    def test_forks_texts_and_pickles(self):
        for kind in ("modify", "construct", "file"):
            env = self.make(kind, reward="difference")
            env.reset(seed=4)
            env.step(env.legal_actions()[-1])
            if env.ended:
                env.reset()
            for twin in (env.fork(), pickle.loads(pickle.dumps(env))):
                self.assertEqual(twin.to_text(), env.to_text())
                self.assertEqual(twin.legal_actions(), env.legal_actions())

    def test_vectors(self):
        vector = gymnasium.make_vec("ScheduleGym/ModifyTable-v0", 3, table=self.table("modify"))
        observation, infos = vector.reset(seed=1)
        for i in range(3):
            single = self.make("modify")
            np.testing.assert_array_equal(single.reset(seed=1 + i)[0], observation[i])
            np.testing.assert_array_equal(single.action_masks(), vector.action_masks()[i])

    def test_tables_come_with_the_package(self):
        for name in ("ModifyTable", "ConstructTable"):
            env = gymnasium.make(f"ScheduleGym/{name}-v0").unwrapped
            env.reset(seed=1)
            self.assertEqual(env.step(env.legal_actions()[-1])[4]["action_mask"][0], 1)
        with self.assertRaisesRegex(ValueError, "comes along: .*matmul"):
            sg.ScheduleEnv(actions="modify", source="table")

    def test_bad_tables_are_named(self):
        modify = self.table("modify")
        for arguments, words in (
                ({"table": None}, "table: found none"), ({"table": "/nowhere.table"}, "nowhere"),
                ({"actions": "construct"}, "expected one for construct"),
                ({"actions": "file"}, "expected one for file"),
                ({"target": "llvm(cores=3)"}, "expected one for llvm"),
                ({"workload": "matmul(m=9,n=8,k=8)", "target": "interpreter"}, "matmul")):
            with self.subTest(**{k: str(v) for k, v in arguments.items()}):
                with self.assertRaisesRegex(ValueError, words) as raised:
                    sg.ScheduleEnv(**{"actions": "modify", "source": "table", "table": modify,
                                      **arguments})
                self.assertNotIn("\n", str(raised.exception))
        bad = self.write("bad.table", "no table\n")
        with self.assertRaisesRegex(ValueError, "bad.table"):
            sg.ScheduleEnv(actions="modify", source="table", table=bad)


if __name__ == "__main__":
    unittest.main()
