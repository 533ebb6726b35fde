"""Environments through Gymnasium: its checker, masks, forks, texts, pickles, bad input."""
import copy
import gc
import pickle
import re
import threading
import unittest
import warnings

from harness import PackageTest, ProgramTest, schedulegym as sg

if sg is not None:
    import gymnasium
    import numpy as np
    from gymnasium.utils.env_checker import check_env

IDS = ("ScheduleGym/ConstructModel-v1", "ScheduleGym/ModifyModel-v1")
SMALL = "matmul(m=64,n=48,k=96)"
# Beside the defaults: each observation, each reward, several workloads, another space.
ARGUMENTS = (
    {}, {"reward": "difference(discount=0.9)"}, {"reward": "improvement"},
    {"observation": "text"}, {"observation": "ansor"}, {"observation": "ansor(pooled=true)"},
    {"observation": "tokens"}, {"observation": "history"}, {"observation": "task"},
    {"observation": "loops(rows=3)"}, {"observation": ["loops", "history", "text"]},
    {"workload": [SMALL, "softmax(n=32,m=64)"], "steps": 5},
    {"space": "schedulegym", "start": "origin"}, {"target": "llvm(cores=1)", "steps": 1},
)


def rng_of(seed):
    return np.random.default_rng(seed)


def draw(env, rng):
    """A legal action, most often not to stop."""
    legal = env.legal_actions()
    return legal[0] if len(legal) == 1 or rng.random() < 0.05 else int(rng.choice(legal[1:]))


def assert_same(test, one, other):
    """Equal observations, rewards, flags and infos, arrays among them."""
    if isinstance(one, dict):
        test.assertEqual(one.keys(), other.keys())
        for key, value in one.items():
            assert_same(test, value, other[key])
    elif isinstance(one, tuple):
        test.assertEqual(len(one), len(other))
        for a, b in zip(one, other):
            assert_same(test, a, b)
    elif isinstance(one, np.ndarray):
        np.testing.assert_array_equal(one, other)
    else:
        test.assertEqual(one, other)


class GymTest(PackageTest, ProgramTest):
    def make(self, name=IDS[1], **arguments):
        env = gymnasium.make(name, **{"workload": SMALL, **arguments}).unwrapped
        self.addCleanup(env.close)
        return env

    def begun(self, name=IDS[1], seed=3, steps=4, **arguments):
        env = self.make(name, **arguments)
        env.reset(seed=seed)
        rng = rng_of(seed)
        for _ in range(steps):
            env.step(int(rng.choice(env.legal_actions()[1:])))
        return env

    def test_gymnasiums_checker_is_content(self):
        for name in IDS:
            for arguments in ARGUMENTS:
                with self.subTest(name=name, **{k: str(v) for k, v in arguments.items()}):
                    if "steps" in arguments and arguments["steps"] == 1:
                        continue  # the checker wants two steps
                    with warnings.catch_warnings():
                        warnings.simplefilter("error")
                        env = gymnasium.make(name, **{"workload": SMALL, **arguments})
                        check_env(env.unwrapped)

    def test_ids_are_registered(self):
        known = {name for name in gymnasium.registry if name.startswith("ScheduleGym/")}
        for name in IDS:
            self.assertIn(name, known)
            self.assertFalse(gymnasium.spec(name).nondeterministic)
            self.assertEqual(gymnasium.spec(name).to_json(),
                             gymnasium.envs.registration.EnvSpec.from_json(
                                 gymnasium.spec(name).to_json()).to_json())
        for name in ("ScheduleGym/Construct-v0", "ScheduleGym/Modify-v0"):
            self.assertTrue(gymnasium.spec(name).nondeterministic)

    def test_masks_say_what_is_legal(self):
        for name in IDS:
            env = self.begun(name, steps=0)
            rng = rng_of(1)
            for _ in range(8):
                mask = env.action_masks()
                self.assertEqual(mask.dtype, np.bool_)
                self.assertTrue(mask[0])
                for action in rng.choice(env.action_space.n, min(env.action_space.n, 60), replace=False):
                    info = env.fork().step(int(action))[4]
                    self.assertEqual(mask[action], "illegal" not in info, action)
                env.step(int(rng.choice(np.flatnonzero(mask)[1:])))

    def test_illegal_actions_are_counted_with_their_reason(self):
        env = self.begun()
        action = int(np.flatnonzero(~env.action_masks())[0])
        before = env.trace
        observation, reward, terminated, truncated, info = env.step(action)
        self.assertEqual(reward, 0)
        self.assertFalse(terminated or truncated)
        self.assertEqual(info["illegal_actions"], 1)
        self.assertTrue(info["illegal"])
        self.assertEqual(env.trace, before)
        self.assertNotIn("illegal", env.step(env.legal_actions()[1])[4])
        self.assertIn(observation, env.observation_space)

    def test_observations_are_within_their_space(self):
        for name in IDS:
            for arguments in ARGUMENTS:
                env = self.make(name, **arguments)
                rng = rng_of(5)
                observation, info = env.reset(seed=5)
                for _ in range(20):
                    self.assertIn(observation, env.observation_space, str(arguments))
                    self.assertEqual(info["action_mask"].dtype, np.int8)
                    self.assertEqual(info["action_mask"].shape, (env.action_space.n,))
                    observation, reward, terminated, truncated, info = env.step(draw(env, rng))
                    self.assertIs(type(reward), float)
                    self.assertIs(type(terminated), bool)
                    self.assertIs(type(truncated), bool)
                    if terminated:
                        observation, info = env.reset()

    def test_arrays_are_fresh(self):
        env = self.begun()
        first, info = env.step(env.legal_actions()[1])[::4]
        kept, mask = first.copy(), info["action_mask"].copy()
        env.step(env.legal_actions()[1])
        np.testing.assert_array_equal(first, kept)
        np.testing.assert_array_equal(info["action_mask"], mask)

    def test_the_same_seed_leads_the_same_way(self):
        for name in IDS:
            one, other = self.make(name), self.make(name)
            for episode in range(3):
                seed = 9 if episode == 0 else None  # later ones follow from it
                assert_same(self, one.reset(seed=seed), other.reset(seed=seed))
                rng = rng_of(episode)
                for _ in range(15):
                    action = int(rng.choice(one.legal_actions()[1:]))
                    assert_same(self, one.step(action), other.step(action))
        begins = set()
        for seed in range(5):
            one.reset(seed=seed)
            begins.add(one.trace)
        self.assertGreater(len(begins), 1)

    def test_forks_go_their_own_way(self):
        for name in IDS:
            env = self.begun(name, reward="difference")
            for fork in (env.fork(), copy.copy(env), copy.deepcopy(env)):
                action = env.legal_actions()[2]
                before = env.to_text()
                result = fork.step(action)
                self.assertEqual(env.to_text(), before)
                again = env.fork()
                assert_same(self, again.step(action), result)
                self.assertEqual(again.to_text(), fork.to_text())
                # Their next episodes are the same, too, and so is their chance.
                assert_same(self, again.reset(), fork.reset())
                self.assertEqual(again.np_random.integers(1000), fork.np_random.integers(1000))

    def test_texts_and_pickles_lead_back(self):
        for name in IDS:
            env = self.begun(name, reward="difference", observation=["loops", "history"])
            other = self.make(name, reward="difference", observation=["loops", "history"])
            other.replay(env.to_text())
            pickled = pickle.loads(pickle.dumps(env))
            action = env.legal_actions()[1]
            expected = env.step(action)
            for twin in (other, pickled):
                assert_same(self, twin.step(action), expected)
                self.assertEqual(twin.to_text(), env.to_text())
        fresh = pickle.loads(pickle.dumps(self.make()))
        self.assertIn(fresh.reset(seed=1)[0], fresh.observation_space)

    def test_traces_replay_to_the_state(self):
        for name in IDS:
            env = self.begun(name)
            self.assertEqual(sg.ScheduleState.replay(env.task, env.trace), env.state)

    def test_decode_and_encode_are_inverse(self):
        for name in IDS:
            env = self.begun(name)
            for action in env.legal_actions()[::7]:
                self.assertEqual(env.decode(env.encode(env.decode(action))), env.decode(action))
            self.assertEqual(env.decode(0), "stop")
            self.assertIsNone(env.encode("no such action"))
            self.assertIn("0: stop", env.menu)

    def test_final_reward_is_the_logarithm_of_the_speed(self):
        env = self.begun()
        self.assertEqual(env.evaluations, [])
        reward, terminated, _, info = env.step(0)[1:]
        self.assertTrue(terminated)
        self.assertEqual(info["outcome"], "ok")
        self.assertAlmostEqual(reward, float(np.log(info["speed"])))
        self.assertGreater(info["seconds"], 0)
        self.assertEqual(len(env.evaluations), 1)

    def test_differences_add_up(self):
        env = self.make(reward="difference")
        env.reset(seed=2)
        begin = env.evaluations[0]["speed"]
        rng, total, ended = rng_of(2), 0.0, False
        while not ended:
            _, reward, ended, _, _ = env.step(draw(env, rng))
            total += reward
        self.assertAlmostEqual(total, float(np.log(env.evaluations[-1]["speed"] / begin)))

    def test_the_horizon_terminates(self):
        env = self.make(steps=3)
        env.reset(seed=1)
        flags = [env.step(env.legal_actions()[1])[2:4] for _ in range(3)]
        self.assertEqual(flags, [(False, False), (False, False), (True, False)])

    def test_rendering(self):
        env = self.make(render_mode="ansi")
        env.reset(seed=1)
        self.assertIn("for", env.render())
        self.assertIsNone(self.begun().render())

    def test_pictures(self):
        env = self.make(render_mode="rgb_array", reward="difference")
        env.reset(seed=1)
        first = env.render()
        self.assertEqual((first.shape, first.dtype), ((540, 960, 3), np.uint8))
        for _ in range(3):
            env.step(env.legal_actions()[1])
        second = env.render()
        # Loops stand on the left, speeds on the right; both have changed.
        self.assertFalse(np.array_equal(first[:, :560], second[:, :560]))
        self.assertFalse(np.array_equal(first[:, 560:], second[:, 560:]))
        np.testing.assert_array_equal(second, env.render())
        curve = (second[:, 560:] == (17, 85, 204)).all(axis=2)
        self.assertGreater(curve.sum(), 3 * 25)  # a dot for each judgement
        blank = self.make(render_mode="rgb_array")
        blank.reset(seed=1)
        self.assertFalse((blank.render()[:, 560:] == (17, 85, 204)).all(axis=2).any())

    def test_a_saved_model_judges(self):
        path = self.folder / "model.json"
        path.write_text("not a model")
        with self.assertRaisesRegex(ValueError, "model.json"):
            self.make(model=str(path))
        small = "matmul(m=8,n=8,k=8)"
        self.succeed("tune", small, "--target", "interpreter", "--agent", "ansor", "--trials", 40,
                     "--save-model", path)
        env = self.begun(model=str(path), reward="difference", workload=small)
        speeds = [judgement["speed"] for judgement in env.evaluations]
        self.assertEqual(len(speeds), 5)
        self.assertTrue(all(speed > 0 for speed in speeds))
        # Its scores are none: the seconds are the estimate's of the reference over the speed.
        references = {round(one["seconds"] * one["speed"], 15) for one in env.evaluations}
        self.assertEqual(len(references), 1)
        self.assertGreater(references.pop(), 0)
        other = self.write("other.json", re.sub(
            '"schedulegym_features":"[^"]*"', '"schedulegym_features":"ansor 0"', path.read_text()))
        with self.assertRaisesRegex(ValueError, "other.json.* features 'ansor 0', expected "):
            self.make(model=str(other))

    def test_bad_arguments_are_named(self):
        for arguments, words in (
                ({"workload": "matmull(m=8)"}, "matmul"), ({"workload": []}, "none"),
                ({"observation": "loop"}, "loops"), ({"observation": []}, "observation"),
                ({"observation": ["loops", "loops"]}, "once"),
                ({"observation": "loops(rows=0)"}, "rows=0"),
                ({"reward": "speed"}, "final, difference, improvement"),
                ({"actions": "edit"}, "construct, modify"), ({"source": "guess"}, "model, measured"),
                ({"space": "ansr"}, "ansor"), ({"start": "end"}, "random, origin"),
                ({"steps": 0}, "1 to"), ({"steps": 2.5}, "whole number"),
                ({"model": "/nowhere/model.json"}, "model.json"), ({"target": "gpu"}, "llvm"),
                ({"render_mode": "human"}, "rgb_array")):
            with self.subTest(**{k: str(v) for k, v in arguments.items()}):
                with self.assertRaisesRegex(ValueError, words) as raised:
                    sg.ScheduleEnv(**{"actions": "modify", **arguments})
                self.assertNotIn("\n", str(raised.exception))

    def test_bad_actions_are_value_errors(self):
        env = self.begun()
        for action in (-1, env.action_space.n, 1.5, float("nan"), "1", None, [1], True, 2**70,
                       np.float32(1), np.array([1, 2])):
            before = env.to_text()
            with self.assertRaisesRegex(ValueError, "expected a whole number"):
                env.step(action)
            self.assertEqual(env.to_text(), before)
        for action in (np.int64(1), np.uint8(1), np.array(1)):
            self.assertEqual(len(env.step(action)), 5)

    def test_steps_outside_of_an_episode_are_value_errors(self):
        env = self.make()
        for call in (lambda: env.step(0), env.action_masks, env.legal_actions, lambda: env.trace):
            with self.assertRaisesRegex(ValueError, "reset"):
                call()
        env.reset(seed=1)
        env.step(0)
        with self.assertRaisesRegex(ValueError, "ended"):
            env.step(0)
        env.reset(options={"workload": 0})
        for options in ({"workloads": 0}, {"workload": 7}, {"workload": "x"}):
            with self.assertRaises(ValueError):
                env.reset(options=options)
        with self.assertRaisesRegex(ValueError, "expected 'space"):
            env.replay("environment 1\n")

    def test_closed_environments_refuse(self):
        env = self.begun()
        env.close()
        env.close()
        for call in (lambda: env.step(0), env.reset, env.fork, env.action_masks, env.render):
            with self.assertRaisesRegex(ValueError, "closed"):
                call()

    def test_a_thousand_environments_leave_nothing(self):
        def count():
            gc.collect()
            return len(gc.get_objects())

        def some(number):
            for i in range(number):
                env = self.make(IDS[i % 2])
                env.reset(seed=i)
                env.fork().step(env.legal_actions()[1])
                env.close()
            self.doCleanups()

        some(20)
        before = count()
        some(1000)
        self.assertLess(count() - before, 200)

    def test_threads_have_environments_of_their_own(self):
        texts = [None] * 4

        def run(index):
            env = sg.ScheduleEnv(SMALL, actions="modify", reward="difference")
            env.reset(seed=1)
            rng = rng_of(1)
            for _ in range(200):
                if env.step(draw(env, rng))[2]:
                    env.reset()
            texts[index] = env.to_text()

        threads = [threading.Thread(target=run, args=(i,)) for i in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertIsNotNone(texts[0])
        self.assertEqual(len(set(texts)), 1)


if __name__ == "__main__":
    unittest.main()
