"""The native vector of environments: equal to single ones, in each autoreset mode."""
import gc
import os
import pickle
import unittest
import warnings

import processes
from harness import PackageTest, schedulegym as sg

if sg is not None:
    import gymnasium
    import numpy as np
    from gymnasium.vector import AsyncVectorEnv, AutoresetMode

IDS = ("ScheduleGym/ConstructModel-v1", "ScheduleGym/ModifyModel-v1")
SMALL = "matmul(m=64,n=48,k=96)"
COUNT = 5


def draw(masks, rng, stop=0.1):
    """A legal action for each row."""
    return np.array([0 if rng.random() < stop else int(rng.choice(np.flatnonzero(mask)))
                     for mask in masks])


class GymVectorTest(PackageTest):
    def vector(self, name=IDS[1], count=COUNT, **arguments):
        env = gymnasium.make_vec(name, count, **{"workload": SMALL, "steps": 12, **arguments})
        self.addCleanup(env.close)
        self.assertIsInstance(env, sg.ScheduleVectorEnv)
        return env

    def singles(self, name=IDS[1], count=COUNT, **arguments):
        arguments = {"workload": SMALL, "steps": 12, **arguments}
        return [gymnasium.make(name, **arguments).unwrapped for _ in range(count)]

    def check_row(self, index, single, observation, infos, expected):
        np.testing.assert_array_equal(observation[index], expected)
        np.testing.assert_array_equal(infos["action_mask"][index], single.action_masks())

    def test_it_equals_single_environments(self):
        for name in IDS:
            for arguments in ({}, {"reward": "difference"}, {"reward": "improvement", "threads": 3},
                              {"workload": [SMALL, "softmax(n=32,m=64)"], "threads": 1}):
                with self.subTest(name=name, **arguments):
                    self.compare_next_step(name, arguments)

    def test_info_has_the_doubt_of_a_model_that_knows_its_own(self):
        for model, is_known in (("pretrained", True), ("analytical", False)):
            vector, single = self.vector(count=2, model=model), self.singles(count=1, model=model)[0]
            vector.reset(seed=3)
            single.reset(seed=3)
            infos, info = vector.step(np.zeros(2, int))[4], single.step(0)[4]
            self.assertEqual("doubt" in info, is_known)
            self.assertEqual("doubt" in infos, is_known)
            if is_known:
                self.assertTrue(0 < info["doubt"] < 1, info)
                self.assertEqual(infos["doubt"][0], info["doubt"])
                self.assertTrue(infos["_doubt"][0])

    def compare_next_step(self, name, arguments):
        vector = self.vector(name, **arguments)
        arguments.pop("threads", None)
        singles = self.singles(name, **arguments)
        observation, infos = vector.reset(seed=7)
        for i, single in enumerate(singles):
            self.check_row(i, single, observation, infos, single.reset(seed=7 + i)[0])
        rng, over = np.random.default_rng(1), [False] * COUNT
        for _ in range(60):
            actions = draw(infos["action_mask"], rng)
            observation, rewards, terminated, truncated, infos = vector.step(actions)
            self.assertFalse(truncated.any())
            for i, single in enumerate(singles):
                if over[i]:
                    expected, reward, over[i] = single.reset()[0], 0.0, False
                else:
                    expected, reward, over[i], _, info = single.step(actions[i])
                    if over[i]:
                        self.assertEqual(infos["speed"][i], info["speed"] or 0.0, "None is 0 in an array")
                        self.assertTrue(infos["_speed"][i])
                        self.assertEqual(infos["outcome"][i], info["outcome"])
                    self.assertEqual("speed" in info, "_speed" in infos and infos["_speed"][i])
                self.check_row(i, single, observation, infos, expected)
                self.assertEqual(rewards[i], reward)
                self.assertEqual(terminated[i], over[i])

    def test_each_environment_plays_its_workload(self):
        workloads, plays = [SMALL, "softmax(n=32,m=64)", "matmul(m=8,n=8,k=8)"], [2, 0, 0, 1, 2]
        for mode in (AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP):
            vector = self.vector(workload=workloads, workload_of=plays, autoreset_mode=mode)
            singles = self.singles(workload=workloads)
            observation, infos = vector.reset(seed=7)
            for i, single in enumerate(singles):
                expected = single.reset(seed=7 + i, options={"workload": plays[i]})[0]
                self.check_row(i, single, observation, infos, expected)
            rng, tasks = np.random.default_rng(1), [sg.Task(workload) for workload in workloads]
            for _ in range(40):  # some episodes each
                infos = vector.step(draw(infos["action_mask"], rng, stop=0.3))[4]
                for i, play in enumerate(plays):
                    self.assertEqual(vector.state(i).task.name, tasks[play].name)
            twin = pickle.loads(pickle.dumps(vector))
            twin.reset(seed=3)
            self.assertEqual([twin.state(i).task.name for i in range(COUNT)],
                             [tasks[play].name for play in plays])
        for workload_of, words in (([0, 1], "found 2 positions"), ([0, 1, 2, 3, 0], "found 3"),
                                   ([0, -1, 0, 0, 0], "found -1"), ([0.5] * 5, "whole number"),
                                   (1, "found 1 positions")):
            with self.assertRaisesRegex(ValueError, words):
                self.vector(workload=workloads, workload_of=workload_of)

    def test_same_step_has_the_end_in_its_infos(self):
        vector = self.vector(reward="difference", autoreset_mode=AutoresetMode.SAME_STEP)
        singles = self.singles(reward="difference")
        observation, infos = vector.reset(seed=7)
        for i, single in enumerate(singles):
            single.reset(seed=7 + i)
        rng, ends = np.random.default_rng(2), 0
        for _ in range(60):
            actions = draw(infos["action_mask"], rng)
            observation, rewards, terminated, _, infos = vector.step(actions)
            for i, single in enumerate(singles):
                expected, reward, ended, _, info = single.step(actions[i])
                self.assertEqual((rewards[i], terminated[i]), (reward, ended))
                if ended:
                    ends += 1
                    self.assertTrue(infos["_final_obs"][i] and infos["_final_info"][i])
                    np.testing.assert_array_equal(infos["final_obs"][i], expected)
                    self.assertEqual(infos["final_info"]["speed"][i], info["speed"] or 0.0)
                    expected = single.reset()[0]
                elif "final_obs" in infos:
                    self.assertFalse(infos["_final_obs"][i])
                    self.assertIsNone(infos["final_obs"][i])
                self.check_row(i, single, observation, infos, expected)
        self.assertGreater(ends, 5)

    def test_illegal_actions_have_their_reasons(self):
        for mode in AutoresetMode:
            vector = self.vector(autoreset_mode=mode)
            singles = self.singles()
            infos = vector.reset(seed=7)[1]
            actions = np.array([int(np.flatnonzero(mask == (i % 2))[-1])
                                for i, mask in enumerate(infos["action_mask"])])
            infos = vector.step(actions)[4]
            for i, single in enumerate(singles):
                single.reset(seed=7 + i)
                info = single.step(actions[i])[4]
                self.assertEqual(infos["_illegal"][i], i % 2 == 0)
                self.assertEqual(infos["illegal"][i], info.get("illegal"))
                self.assertEqual(bool(infos["illegal"][i]), i % 2 == 0)

    def test_disabled_waits_for_its_reset(self):
        vector = self.vector(count=2, autoreset_mode="Disabled")
        self.assertIs(vector.metadata["autoreset_mode"], AutoresetMode.DISABLED)
        first, _ = vector.reset(seed=1)
        observation, _, terminated, _, infos = vector.step([0, 1])
        self.assertEqual(terminated.tolist(), [True, False])
        with self.assertRaisesRegex(ValueError, "reset_mask"):
            vector.step([1, 1])
        mask = np.array([True, False])
        again, masks = vector.reset(options={"reset_mask": mask})
        np.testing.assert_array_equal(again[1], observation[1])
        np.testing.assert_array_equal(masks["action_mask"][1], infos["action_mask"][1])
        self.assertEqual(again[0].shape, first[0].shape)
        vector.step([1, 1])
        for bad in ([True], np.array([False, False]), np.array([1, 0])):
            with self.assertRaisesRegex(ValueError, "reset_mask"):
                vector.reset(options={"reset_mask": bad})

    def test_gymnasium_knows_its_mode(self):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            for mode in AutoresetMode:
                env = self.vector(autoreset_mode=mode)
                self.assertIs(env.metadata["autoreset_mode"], mode)
        self.assertEqual(env.observation_space.shape, (COUNT, *env.single_observation_space.shape))
        self.assertEqual(env.action_space.shape, (COUNT,))

    def test_limits_truncate_unpaid(self):
        vector = self.vector(count=1, max_episode_steps=3)
        _, infos = vector.reset(seed=1)
        for step in range(3):
            action = np.flatnonzero(infos["action_mask"][0])[1:2]
            _, rewards, terminated, truncated, infos = vector.step(action)
            self.assertEqual((rewards[0], terminated[0], truncated[0]), (0, False, step == 2))

    def test_observations_by_name(self):
        vector = self.vector(observation=["history", "loops"])
        observation, _ = vector.reset(seed=1)
        self.assertIn(observation, vector.observation_space)
        self.assertEqual(list(observation), ["history", "loops"])
        with self.assertRaisesRegex(ValueError, "vectorization_mode='sync'"):
            self.vector(observation="text")
        sync = gymnasium.make_vec(IDS[1], 2, vectorization_mode="sync", workload=SMALL,
                                  observation="text")
        self.assertIn("for", sync.reset(seed=1)[0][0])

    def test_arrays_that_are_held_are_never_written(self):
        vector = self.vector()
        rng, kept = np.random.default_rng(3), []
        observation, infos = vector.reset(seed=1)
        for _ in range(12):
            kept.append((observation, observation.copy(), infos["action_mask"][1:],
                         infos["action_mask"][1:].copy()))
            observation, _, _, _, infos = vector.step(draw(infos["action_mask"], rng))
        for array, copied, mask, copied_mask in kept:
            np.testing.assert_array_equal(array, copied)
            np.testing.assert_array_equal(mask, copied_mask)

    def test_seeds(self):
        one, other = self.vector(), self.vector()
        np.testing.assert_array_equal(one.reset(seed=4)[0], other.reset(seed=[4, 5, 6, 7, 8])[0])
        np.testing.assert_array_equal(one.reset()[0], other.reset()[0])
        with self.assertRaisesRegex(ValueError, "seed"):
            one.reset(seed=[1, 2])

    def test_bad_actions_are_value_errors(self):
        vector = self.vector()
        with self.assertRaisesRegex(ValueError, "reset"):
            vector.step([1] * COUNT)
        vector.reset(seed=1)
        texts = [vector.to_text(i) for i in range(COUNT)]
        for actions in ([1] * (COUNT - 1), [1.0] * COUNT, [float("nan")] * COUNT, [-1] * COUNT,
                        [vector.single_action_space.n] * COUNT, 1, "x", [[1]] * COUNT,
                        [True] * COUNT):
            with self.assertRaisesRegex(ValueError, "expected whole numbers"):
                vector.step(actions)
        self.assertEqual([vector.to_text(i) for i in range(COUNT)], texts)
        with self.assertRaisesRegex(ValueError, "expected 'reset_mask'"):
            vector.reset(options={"mask": 1})

    def test_bad_arguments_are_value_errors(self):
        for arguments in ({"count": 0}, {"count": -3}, {"threads": -1},
                          {"autoreset_mode": "never"}, {"workload": "matmull(m=8)"}):
            with self.assertRaises(ValueError):
                self.vector(**arguments)

    def test_texts_and_pickles_lead_back(self):
        vector = self.vector(reward="difference")
        _, infos = vector.reset(seed=1)
        rng = np.random.default_rng(1)
        for _ in range(5):
            infos = vector.step(draw(infos["action_mask"], rng, stop=0))[4]
        twin = pickle.loads(pickle.dumps(vector))
        np.testing.assert_array_equal(twin.action_masks(), vector.action_masks())
        for _ in range(20):
            actions = draw(vector.action_masks(), rng)
            expected, found = vector.step(actions), twin.step(actions)
            for a, b in zip(expected[:4], found[:4]):
                np.testing.assert_array_equal(a, b)
        single = self.singles(reward="difference")[0]
        single.replay(vector.to_text(2))
        vector.replay(0, single.to_text())
        self.assertEqual(vector.state(0), vector.state(2))

    def test_closed_vectors_refuse(self):
        vector = self.vector()
        vector.reset(seed=1)
        vector.close()
        vector.close()
        for call in (vector.reset, lambda: vector.step([1] * COUNT)):
            with self.assertRaisesRegex(ValueError, "closed"):
                call()

    def test_many_leave_nothing(self):
        def some(number):
            for i in range(number):
                vector = self.vector(count=3)
                vector.reset(seed=i)
                vector.step([1] * 3)
                vector.close()
            self.doCleanups()
            gc.collect()
            return len(gc.get_objects())

        before = some(10)
        self.assertLess(some(200) - before, 200)

    def test_a_forked_process_steps_alone_and_lets_go(self):
        vector = self.vector(count=4, threads=3)
        twin = self.vector(count=4, threads=3)
        for each in (vector, twin):
            each.reset(seed=1)
        expected = twin.step([1] * 4)[0]
        child = os.fork()
        if child == 0:
            processes.end_after(60)  # what waits for threads that are not there waits for ever
            code = 1
            try:
                code = 0 if np.array_equal(vector.step([1] * 4)[0], expected) else 2
                vector.close()
                del vector
                gc.collect()
            finally:
                os._exit(code)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)
        np.testing.assert_array_equal(vector.step([1] * 4)[0], expected)

    def test_processes_of_gymnasium(self):
        def made():
            return gymnasium.make("schedulegym:" + IDS[1], workload=SMALL, steps=12)

        expected = self.vector(count=2).reset(seed=3)[0]
        for context in ("fork", "spawn"):
            vector = AsyncVectorEnv([made] * 2, context=context)
            try:
                np.testing.assert_array_equal(vector.reset(seed=3)[0], expected)
                vector.step(np.array([1, 1]))
            finally:
                vector.close()


if __name__ == "__main__":
    unittest.main()
