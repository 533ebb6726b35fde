"""Environments over a network through Gymnasium: its checker, masks, rewards, texts, bad input."""
import copy
import gzip
import json
import os
import pathlib
import pickle
import subprocess
import sys
import threading
import unittest
import warnings
from unittest import mock

import foreign_table
import processes
from harness import PackageTest, ProgramTest, has_llvm, schedulegym as sg
from measured_harness import standing, workers

if sg is not None:
    import gymnasium
    import numpy as np
    from gymnasium.utils.env_checker import check_env

MODEL, MEASURED = "ScheduleGym/NetworkModel-v0", "ScheduleGym/Network-v0"
TABLE = "ScheduleGym/NetworkTable-v0"
LARGE, SMALL, SOFTMAX = "matmul(m=512,n=512,k=512)", "matmul(m=16,n=16,k=16)", "softmax(n=16,m=64)"
NETWORK = [(2, LARGE), (1, SMALL), (1, SOFTMAX)]
TARGET = "llvm(cores=2)"
# Beside the defaults: each reward, other agents and spaces, no warm-up, rows to spare.
ARGUMENTS = (
    {}, {"reward": "final"}, {"reward": "improvement"}, {"reward": "difference(discount=0.9)"},
    {"warm_up": False}, {"max_tasks": 7}, {"space": "schedulegym"}, {"workload": SMALL},
    {"agent": "ansor(population=64,generations=1)", "slots": 3}, {"render_mode": "ansi"})

# An agent that leaves word of what it was asked.
DRAWER = """
import schedulegym

class Drawer(schedulegym.Agent):
    def begin(self, setup):
        self.space, self.rng = schedulegym.SearchSpace(setup.space), schedulegym.Rng(setup.seed)

    def propose(self, task, count):
        print(task.name, file=open("asked.txt", "a"))
        return [self.space.sample(task, self.rng) for _ in range(count)]
"""


def same(one, other):
    """Whether two observations, infos or results of steps are equal."""
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return np.array_equal(one, other)


def play(env, policy, seed):
    """The latency at the end of an episode, and what it paid."""
    _, info = env.reset(seed=seed)
    ended, paid = False, 0.0
    while not ended:
        _, reward, ended, _, info = env.step(policy(env))
        paid += reward
    return info["latency"], paid


def in_turn(env):
    """The task with the fewest trials."""
    return 1 + int(np.argmin(env.trials))


def greedy(env):
    """The task with the largest share of the latency."""
    return 1 + int(np.argmax(np.multiply(env.latencies, env.weights)))


class NetworkEnvTest(PackageTest, ProgramTest):
    def make(self, name=MODEL, **arguments):
        arguments = {"workload": NETWORK, "target": TARGET, "slots": 8, "batch": 4, **arguments}
        env = gymnasium.make(name, **arguments).unwrapped
        self.addCleanup(env.close)
        return env

    def begun(self, seed=3, **arguments):
        env = self.make(**arguments)
        env.reset(seed=seed)
        return env

    def test_gymnasiums_checker_is_content(self):
        for arguments in ARGUMENTS:
            with self.subTest(**{k: str(v) for k, v in arguments.items()}):
                with warnings.catch_warnings():
                    warnings.simplefilter("error")
                    warnings.filterwarnings("ignore", ".*is out of date")  # there is a version 1
                    check_env(gymnasium.make(MODEL, **{
                        "workload": NETWORK, "target": TARGET, "slots": 8, "batch": 4,
                        **arguments}).unwrapped)

    def test_ids_are_registered(self):
        self.assertFalse(gymnasium.spec(MODEL).nondeterministic)
        self.assertTrue(gymnasium.spec(MEASURED).nondeterministic)
        for name in (MODEL, MEASURED):
            text = gymnasium.spec(name).to_json()
            self.assertEqual(gymnasium.envs.registration.EnvSpec.from_json(text).to_json(), text)

    def test_arguments_survive_json(self):
        env = gymnasium.make(MODEL, workload=NETWORK, target=TARGET)
        spec = json.loads(json.dumps(env.spec.kwargs))
        again = gymnasium.make(MODEL, **spec)
        self.assertEqual(again.unwrapped.weights, [2, 1, 1])
        self.assertEqual(again.unwrapped.tasks, env.unwrapped.tasks)

    def test_an_action_gives_a_slot_to_a_task(self):
        env = self.begun()
        self.assertEqual(env.action_space.n, 4)
        self.assertEqual(env.trials, [4, 4, 4])
        before = env.latencies
        _, reward, terminated, truncated, info = env.step(1)
        self.assertEqual(env.trials, [8, 4, 4])
        self.assertEqual(info["trials"], 16)
        self.assertEqual(env.latencies[1:], before[1:])
        self.assertLessEqual(env.latencies[0], before[0])
        self.assertEqual((terminated, truncated), (False, False))
        self.assertEqual(info["action_mask"].dtype, np.int8)
        self.assertAlmostEqual(info["latency"], float(np.dot(env.latencies, env.weights)))
        self.assertAlmostEqual(
            reward, float(np.log(np.dot(before, env.weights) / info["latency"])))
        self.assertEqual([env.decode(action) for action in env.legal_actions()],
                         ["stop", LARGE, SMALL, SOFTMAX])

    def test_agents_in_python_search_its_tasks(self):
        pathlib.Path("drawer.py").write_text(DRAWER)
        with mock.patch.dict(os.environ, {"SCHEDULEGYM_PYTHON": sys.executable}):
            env = self.begun(agent="python(module=drawer,class=Drawer)")
            env.step(2)
            self.assertEqual(env.trials, [4, 8, 4])
            env.close()
        asked = pathlib.Path("asked.txt").read_text().split()
        self.assertEqual(asked, [LARGE, SMALL, SOFTMAX, SMALL])

    def test_records_are_the_best_schedules(self):
        env = self.begun()
        env.step(1)
        for record, task, latency in zip(env.records, env.tasks, env.latencies):
            self.assertAlmostEqual(record.measurement.seconds, latency)
            self.assertTrue(sg.ScheduleState.replay(task, record.trace))

    def test_networks_are_files_suites_and_lists(self):
        path = self.write("model.net", f"3 {SMALL}\n1 {SOFTMAX}\n2 {SMALL}\n")
        for workload in (path, str(path), [path], [(5, SMALL), SOFTMAX],
                         [*sg.read_network(path)], (SMALL for _ in range(5)), (5, SMALL)):
            env = self.make(workload=workload)
            self.assertEqual(env.weights[0], 5)
            self.assertEqual(env.tasks[0].name, SMALL)
        self.assertEqual(len(self.make(workload="dcgan").tasks), 5)
        suite = sg.suite("smoke")
        env = sg.ScheduleNetworkEnv(suite, batch=1)
        self.assertEqual(sum(env.weights), len(suite))

    def test_rewards_add_up_to_the_final_one(self):
        difference, final = self.make(warm_up=False), self.make(warm_up=False, reward="final")
        latency, paid = play(difference, in_turn, 5)
        self.assertEqual((latency, paid), (latency, play(difference, in_turn, 5)[1]))
        self.assertAlmostEqual(play(final, in_turn, 5)[1], paid)

    def test_illegal_actions_cost_a_slot(self):
        env = self.begun(max_tasks=5)
        self.assertEqual(env.action_masks().tolist(), [True] * 4 + [False] * 2)
        observation, reward, _, _, info = env.step(5)
        self.assertEqual((reward, info["illegal_actions"], info["trials"]), (0, 1, 12))
        self.assertIn("expected one of the network's 3", info["illegal"])
        self.assertIn(observation, env.observation_space)
        self.assertNotIn("illegal", env.step(1)[4])
        with self.assertRaisesRegex(ValueError, "network's 3"):
            env.decode(5)

    def test_stopping_and_the_last_slot_terminate(self):
        env = self.begun(slots=2)
        self.assertEqual(env.step(1)[2:4], (False, False))
        self.assertEqual(env.step(1)[2:4], (True, False))
        env.reset()
        self.assertEqual(env.step(0)[1:4], (0.0, True, False))

    def test_the_same_seed_leads_the_same_way(self):
        one, other = self.make(), self.make()
        for episode in range(2):
            seed = 4 if episode == 0 else None
            self.assertTrue(same(one.reset(seed=seed), other.reset(seed=seed)))
            for action in (1, 2, 3, 1):
                self.assertTrue(same(one.step(action), other.step(action)))
        self.assertFalse(same(one.reset(seed=5), one.reset(seed=6)))

    def test_texts_and_pickles_lead_back(self):
        env = self.begun()
        for action in (1, 1, 3):
            env.step(action)
        other = self.make()
        observation, info = other.replay(env.to_text())
        self.assertIn(observation, env.observation_space)
        self.assertEqual(info["trials"], 24)
        twins = [other, pickle.loads(pickle.dumps(env)), copy.copy(env), copy.deepcopy(env)]
        expected = env.step(1)
        for twin in twins:
            self.assertTrue(same(twin.step(1), expected))
            self.assertEqual(twin.to_text(), env.to_text())
        self.assertTrue(same(twins[1].reset(), env.reset()))
        with self.assertRaisesRegex(ValueError, "options"):
            self.make(batch=5).replay(env.to_text())

    def test_environments_that_have_not_begun_can_be_pickled(self):
        for name in (MODEL, MEASURED):
            if name == MEASURED and not has_llvm():
                continue
            env = pickle.loads(pickle.dumps(self.make(name)))
            with self.assertRaisesRegex(ValueError, "reset"):
                env.step(1)

    def test_greed_beats_taking_turns(self):
        env = self.make(slots=24)
        gains = [np.log(play(env, in_turn, seed)[0] / play(env, greedy, seed)[0])
                 for seed in range(12)]
        self.assertGreater(np.mean(gains), 0.1, gains)

    def test_several_step_in_turn(self):
        env = gymnasium.make_vec(MODEL, 3, vectorization_mode="sync", workload=NETWORK,
                                 target=TARGET, batch=2, slots=3)
        self.addCleanup(env.close)
        observation, infos = env.reset(seed=1)
        self.assertEqual(observation.shape[0], 3)
        self.assertEqual(infos["action_mask"].shape, (3, 4))
        for _ in range(3):
            _, _, terminated, _, _ = env.step(np.array([1, 2, 3]))
        self.assertTrue(terminated.all())

    def test_rendering_and_feature_names(self):
        env = self.begun(render_mode="ansi")
        lines = env.render().splitlines()
        self.assertEqual(len(lines), 4)
        self.assertIn(f"2 x {LARGE}", lines[0])
        self.assertIsNone(self.begun().render())
        self.assertIn("share of the network's latency", env.feature_names)
        with self.assertWarnsRegex(DeprecationWarning, "feature_names"):
            self.assertEqual(env.legend, env.feature_names)

    def test_bad_arguments_are_named(self):
        for arguments, words in (
                ({"workload": "matmull(m=8)"}, "matmul"), ({"workload": []}, "none"),
                ({"workload": 5}, "a workload or several"), ({"workload": [5]}, "a workload"),
                ({"workload": [(0, SMALL)]}, "0 times"), ({"workload": [(-1, SMALL)]}, "count"),
                ({"workload": "/nowhere/model.net"}, "model.net"),
                ({"source": "guess"}, "model, measured"), ({"agent": "randon"}, "random"),
                ({"agent": "random(retries=0)"}, "retries=0"), ({"space": "ansr"}, "ansor"),
                ({"reward": "speed"}, "final, difference, improvement"),
                ({"slots": 0}, "slots: found 0"), ({"slots": 2.5}, "whole number"),
                ({"batch": 0}, "batch: found 0"), ({"batch": True}, "whole number"),
                ({"max_tasks": 0}, "expected 1 to"), ({"warm_up": 1}, "True or False"),
                ({"target": "gpu"}, "llvm"), ({"render_mode": "human"}, "ansi"),
                ({"measuring_seed": -1}, "whole number")):
            with self.subTest(**{k: str(v) for k, v in arguments.items()}):
                self.refused_making(words, **arguments)

    def refused_making(self, words, **arguments):
        with self.assertRaisesRegex(ValueError, words) as raised:
            sg.ScheduleNetworkEnv(**{"workload": SMALL, **arguments})
        self.assertNotIn("\n", str(raised.exception))

    def test_bad_actions_are_value_errors(self):
        env = self.begun()
        before = env.to_text()
        for action in (-1, 4, 1.5, "1", None, True, 2**70):
            with self.assertRaisesRegex(ValueError, "expected a whole number from 0 to 3"):
                env.step(action)
            self.assertEqual(env.to_text(), before)
        env.step(np.int64(1))

    def test_steps_outside_of_an_episode_are_value_errors(self):
        env = self.make()
        for call in (lambda: env.step(0), env.action_masks, env.legal_actions,
                     lambda: env.latencies, lambda: env.records):
            with self.assertRaisesRegex(ValueError, "reset"):
                call()
        env.reset(seed=1)
        env.step(0)
        with self.assertRaisesRegex(ValueError, "ended"):
            env.step(0)
        with self.assertRaisesRegex(ValueError, "options"):
            env.reset(options={"workload": 0})

    def test_closed_environments_refuse(self):
        env = self.begun()
        env.close()
        env.close()
        for call in (lambda: env.step(0), env.reset, env.action_masks, env.render):
            with self.assertRaisesRegex(ValueError, "closed"):
                call()

    def test_a_second_thread_is_refused_or_waits_its_turn(self):
        env = self.begun(batch=64, slots=400)
        faults = []

        def run():
            for _ in range(20):
                try:
                    env.step(1)
                except ValueError as fault:
                    faults.append(str(fault))

        threads = [threading.Thread(target=run) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(set(faults) - {
            "found a step that another thread takes, expected one thread at a time"}, set())

    def test_an_interrupted_episode_is_gone(self):
        script = (
            "import signal, schedulegym\n"
            f"env = schedulegym.ScheduleNetworkEnv({LARGE!r}, batch=4096)\n"
            "env.reset(seed=1)\n"
            "signal.signal(signal.SIGALRM, signal.default_int_handler)\n"
            "signal.setitimer(signal.ITIMER_REAL, 0.05)\n"
            "try:\n  env.step(1)\nexcept KeyboardInterrupt:\n  print('interrupted')\n"
            "try:\n  env.step(1)\nexcept ValueError as fault:\n  print(fault)\n"
            "print(len(env.reset(seed=1)))\n")
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True,
                              timeout=120)
        self.assertEqual(done.stdout.splitlines(),
                         ["interrupted", "found no episode, expected reset() before", "2"],
                         done.stderr)

    def test_measured_networks(self):
        self.need_llvm()
        usual = gymnasium.make(MEASURED).unwrapped  # its checker resets it a dozen times
        usual.reset(seed=1)
        self.assertEqual(usual.trials, [1, 1])
        usual.close()
        env = self.make(MEASURED, workload=[(2, SMALL), "matmul(m=8,n=8,k=8)"],
                        target="llvm(cores=1)", batch=2, slots=2)
        observation, info = env.reset(seed=1)
        self.assertIn(observation, env.observation_space)
        self.assertGreater(info["latency"], 0)
        observation, reward, _, _, info = env.step(1)
        self.assertTrue(np.isfinite(reward))
        self.assertEqual(env.trials, [4, 2])
        with self.assertRaisesRegex(ValueError, "measured times"):
            env.to_text()
        with self.assertRaisesRegex(ValueError, "measured times"):
            pickle.dumps(env)
        started = {pid for pid, *_ in standing(workers())}
        self.assertNotEqual(started, set())
        self.check_forked(env)
        self.assertLessEqual(started, {pid for pid, _, _ in workers()})
        env.close()
        self.assertEqual(workers(), [])
        self.assertEqual(env.trials, [4, 2])

    def check_forked(self, env):
        """A process that was forked measures with workers of its own, and ends them."""
        child = os.fork()
        if child == 0:
            processes.end_after(120)
            code = 1
            try:
                env.step(2)
                code = 0 if env.trials == [4, 4] and workers() else 2
                env.close()
                code = code or (3 if workers() else 0)
            finally:
                os._exit(code)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)


class NetworkTableTest(PackageTest):
    """Networks of recorded schedules, those that come with the package."""

    def make(self, **arguments):
        env = gymnasium.make(TABLE, **{"slots": 8, **arguments}).unwrapped
        self.addCleanup(env.close)
        return env

    def test_gymnasiums_checker_is_content(self):
        for arguments in ({}, {"reward": "final"}, {"table": "matmul_tree"}, {"agent": "ansor"},
                          {"table": [(3, "matmul"), "conv2d", "matmul_tree"], "max_tasks": 5}):
            with self.subTest(**{k: str(v) for k, v in arguments.items()}):
                with warnings.catch_warnings():
                    warnings.simplefilter("error")
                    check_env(gymnasium.make(TABLE, **{"slots": 8, **arguments}).unwrapped)

    def test_it_repeats_and_is_registered_so(self):
        self.assertFalse(gymnasium.spec(TABLE).nondeterministic)
        one, other = self.make(), self.make()
        self.assertTrue(same(one.reset(seed=4), other.reset(seed=4)))
        for action in (1, 2, 2):
            self.assertTrue(same(one.step(action), other.step(action)))
        twin = pickle.loads(pickle.dumps(one))
        self.assertTrue(same(twin.step(1), one.step(1)))

    def test_times_are_the_tables(self):
        env = self.make(table=[(3, "matmul"), "conv2d"], batch=64, slots=40)
        _, info = env.reset(seed=1)
        self.assertEqual(env.weights, [3, 1])
        while 1 in env.legal_actions():
            _, _, ended, _, info = env.step(1)
            self.assertFalse(ended)
        best = self.best_of("matmul")
        self.assertLessEqual(env.trials[0], best["rows"])
        self.assertEqual(env.trials[1], 64)  # the warm-up's
        reference = env.latencies[0] * best["speed"]
        self.assertAlmostEqual(env.records[0].measurement.ratio, best["speed"])
        self.assertAlmostEqual(reference / best["reference"], 1, places=1)
        self.assertIn("nothing left to try", env.step(1)[4]["illegal"])

    @staticmethod
    def best_of(name):
        """The highest ratio of a table, how many rows it has, its reference's seconds."""
        text = gzip.decompress((sg.environment.TABLES / f"{name}.table").read_bytes()).decode()
        lines = text.splitlines()
        rows = [json.loads(line) for line in lines[1:]]
        ratios = [row[row.index("ok") + 2] for row in rows if "ok" in row]
        return {"speed": max(ratios), "rows": len(rows),
                "reference": json.loads(lines[0])["reference_seconds"]}

    def test_the_clock_tells_what_measuring_would_take(self):
        env = self.make()
        env.reset(seed=1)
        before = env.clock
        self.assertGreater(before, 0)
        env.step(1)
        self.assertGreater(env.clock, before)
        self.assertIsNone(sg.ScheduleNetworkEnv(SMALL).clock)

    def test_droplet_descends_on_the_tables_grid(self):
        env = sg.ScheduleNetworkEnv(source="table", table="matmul", agent="droplet", slots=6)
        env.reset(seed=1)
        latencies, ended = [env.latencies[0]], False
        while not ended:
            *_, ended, _, info = env.step(1)
            latencies.append(info["latency"])
        self.assertEqual(latencies, sorted(latencies, reverse=True))
        self.assertLess(latencies[-1], latencies[0])

    def test_bad_arguments_are_named(self):
        foreign = str(foreign_table.write(self.folder / "results.json"))
        for arguments, words in (
                ({"table": None}, "table: found none"), ({"table": []}, "table: found none"),
                ({"table": "nowhere.table"}, "nowhere.table"), ({"table": 3}, "a table or several"),
                ({"table": [3]}, "expected the path"), ({"table": [(0, "matmul")]}, "0 times"),
                ({"table": [(-1, "matmul")]}, "table: count"),
                ({"table": ["matmul", "matmul"]}, "each workload once"),
                ({"table": foreign}, "results.json"),
                ({"workload": SMALL}, "expected tables alone"),
                ({"target": "llvm(cores=3)"}, "expected one for llvm"),
                ({"source": "model"}, "expected source 'table'"),
                ({"agent": "droplet(sketch=1)"}, "expected 0..0")):
            with self.subTest(**{k: str(v) for k, v in arguments.items()}):
                with self.assertRaisesRegex(ValueError, words) as raised:
                    sg.ScheduleNetworkEnv(**{"source": "table", "table": "matmul", **arguments})
                self.assertNotIn("\n", str(raised.exception))


if __name__ == "__main__":
    unittest.main()
