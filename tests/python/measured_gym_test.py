"""Measured environments: send and recv, Ctrl-C, killed workers, forks."""
import os
import pathlib
import pickle
import signal
import subprocess
import sys
import threading
import time
import unittest
import warnings

from harness import NOISE, need_success
from measured_harness import (
    IDS, LARGER, MODEL, ONE, QUICK, SMALL, MeasuredTest, draw, is_worker, standing, workers,
    sg)

if sg is not None:
    import gymnasium
    import numpy as np
    from gymnasium.utils.env_checker import check_env
    from gymnasium.vector import AsyncVectorEnv


class SpecTest(MeasuredTest):
    def test_gymnasiums_checker_is_content(self):
        for name in IDS:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                warnings.filterwarnings("ignore", ".*is out of date")  # there is a version 1
                env = gymnasium.make(name, **QUICK, steps=4)
                self.assertTrue(env.spec.nondeterministic)
                check_env(env.unwrapped)

    def test_a_thousand_environments_start_nothing(self):
        self.need_llvm()
        threads = threading.active_count(), len(os.listdir("/proc/self/task"))
        for i in range(1000):
            env = gymnasium.make(IDS[i % 2], workload=SMALL, target=ONE, store="a.db")
            env.reset(seed=i)
            env.unwrapped.fork().step(env.unwrapped.legal_actions()[1])
        self.assertEqual(workers(), [])
        self.assertEqual((threading.active_count(), len(os.listdir("/proc/self/task"))), threads)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_closing_ends_the_workers_with_the_last_fork(self):
        self.need_llvm()
        env = self.make(workload=LARGER, target=ONE)
        self.measured(env)
        fork = env.fork()
        text, trace = env.to_text(), env.trace
        env.close()
        self.assertNotEqual(workers(), [])
        self.assertEqual((env.to_text(), env.trace), (text, trace))
        fork.close()
        self.assertEqual(workers(), [])
        vector = self.vector(2, workload=LARGER, target=ONE)
        vector.reset(seed=1)
        vector.step([0, 1])
        self.assertNotEqual(workers(), [])
        texts = self.texts(vector)
        vector.close()
        self.assertEqual(workers(), [])
        self.assertEqual(self.texts(vector), texts)
        self.assertTrue(pickle.loads(pickle.dumps(vector)).closed)

    def test_what_a_machine_lacks_is_named_with_what_works_without(self):
        for name in IDS:
            fault = self.refused(sg.MachineError, "lacks 'xop'", self.make, name,
                                 target='llvm(features="xop")')
            self.assertRegex(str(fault), "Model or Table")
        # The package alone, as where no worker was built or shipped.
        (self.folder / "schedulegym").mkdir()
        for file in pathlib.Path(sg.__file__).parent.iterdir():
            if file.is_file() and not file.name.startswith("schedulegym"):
                copy = self.folder / "schedulegym" / file.name
                copy.write_bytes(file.read_bytes())
        script = ("import gymnasium, schedulegym\n"
                  "gymnasium.make('ScheduleGym/ModifyModel-v0')\n"
                  "gymnasium.make('ScheduleGym/Modify-v0', target='interpreter')\n"
                  "try:\n  gymnasium.make('ScheduleGym/Modify-v0')\n"
                  "except schedulegym.MachineError as fault:\n  print(fault)\n")
        variables = {key: value for key, value in os.environ.items() if key != "SCHEDULEGYM_WORKER"}
        said = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True,
                              cwd=self.folder, env={**variables, "PYTHONPATH": str(self.folder)})
        self.assertRegex(said.stdout, "no schedulegym-worker beside .*Model or Table", said.stderr)
        self.assertEqual(len(said.stdout.splitlines()), 1)


class SendTest(MeasuredTest):
    def test_some_of_many_go_the_way_of_single_ones(self):
        for name in (MODEL, IDS[1]):
            for mode in ("NextStep", "SameStep"):
                with self.subTest(name=name, mode=mode):
                    self.compare(name, autoreset_mode=mode)

    def compare(self, name, **arguments):
        """Places as in step() alone, and of the model rewards, too."""
        sent = self.vector(5, name, batch_size=2, **arguments)
        alone = [self.vector(1, MODEL, **arguments) for _ in range(5)]
        sent.async_reset(seed=7)
        for i, one in enumerate(alone):
            one.reset(seed=7 + i)
        observation, rewards, terminated, truncated, infos = sent.recv(5)
        self.assertEqual(infos["env_id"].tolist(), [0, 1, 2, 3, 4])
        self.assertFalse(rewards.any() or terminated.any() or truncated.any())
        rng = np.random.default_rng(3)
        for _ in range(30):
            actions = draw(infos["action_mask"], rng)
            sent.send(actions, infos["env_id"])
            expected = {i: alone[i].step([action])
                        for i, action in zip(infos["env_id"].tolist(), actions)}
            self.assertTrue(set(expected) <= set(sent.in_flight))
            for i, one in expected.items():
                alone[i].kept = one
            observation, rewards, terminated, truncated, infos = sent.recv()
            self.assertEqual(len(rewards), 2)
            for row, i in enumerate(infos["env_id"].tolist()):
                one = alone[i].kept
                np.testing.assert_array_equal(observation[row], one[0][0])
                np.testing.assert_array_equal(infos["action_mask"][row], one[4]["action_mask"][0])
                np.testing.assert_array_equal(sent.action_masks()[i], alone[i].action_masks()[0])
                self.assertEqual((terminated[row], truncated[row]), (one[2][0], one[3][0]))
                self.assertTrue(np.isfinite(rewards[row]))
                if name == MODEL:
                    self.assertEqual(rewards[row], one[1][0])
        while sent.in_flight:
            sent.recv()

    def test_who_is_not_judged_does_not_wait_for_who_is(self):
        vector = self.vector(3)
        vector.reset(seed=1)
        vector.send([0, 1, 1])
        first = vector.recv(2)[4]
        self.assertEqual(first["env_id"].tolist(), [1, 2])
        self.assertNotIn("outcome", first)
        _, rewards, terminated, _, infos = vector.recv()
        self.assertEqual(infos["env_id"].tolist(), [0])
        self.assertEqual(terminated.tolist(), [True])
        need_success(self, infos["outcome"].tolist())
        self.assertAlmostEqual(rewards[0], float(np.log(infos["speed"][0])), delta=1)
        vector.step([1, 1, 1])  # in step again

    def test_some_are_reset(self):
        vector = self.vector(2, MODEL, autoreset_mode="Disabled")
        self.refused(ValueError, "all to be reset", vector.async_reset,
                     options={"reset_mask": np.array([True, False])})
        vector.async_reset(seed=1)
        vector.recv()
        vector.send([0, 1])
        vector.recv()
        self.refused(ValueError, "has ended", vector.send, [1], [0])
        vector.async_reset(options={"reset_mask": np.array([True, False])})
        vector.send([1], [1])
        self.assertEqual(vector.recv()[4]["env_id"].tolist(), [0, 1])
        vector.send([1], [0])
        self.assertEqual(vector.recv()[4]["env_id"].tolist(), [0])

    def test_misuse_is_one_line(self):
        vector = self.vector(3, MODEL)
        self.refused(ValueError, "found no episodes", vector.send, [1, 1, 1])
        self.refused(ValueError, "nothing|no environment in flight", vector.recv)
        vector.async_reset(seed=1)
        for call in (lambda: vector.step([1, 1, 1]), vector.reset, vector.look,
                     lambda: vector.async_reset(seed=2), lambda: vector.to_text(1),
                     lambda: vector.send([1], [2]), lambda: pickle.dumps(vector)):
            self.refused(ValueError, "in flight", call)
        vector.recv()
        for pattern, words in (
                ("twice", ([1, 1], [2, 2])), ("from 0 to 2", ([1], [3])),
                ("from 0 to 2", ([1], [-1])), ("shape", ([1], [0, 1])),
                ("whole numbers", ([1], [0.5])), ("env_ids", ([1], [[1]])),
                ("actions: found -1", ([-1], [0]))):
            self.refused(ValueError, pattern, vector.send, *words)
        for count in (0, 4, 1.5, True, "1"):
            self.refused(ValueError, "count: found", vector.recv, count)
            self.refused(ValueError, "batch_size: found", self.vector, 3, MODEL, batch_size=count)
        self.refused(ValueError, "no environment in flight", vector.recv)
        vector.close()
        for call in (vector.recv, vector.async_reset, lambda: vector.send([1, 1, 1])):
            self.refused(ValueError, "closed", call)


class InterruptTest(MeasuredTest):
    def interrupt_within(self, name, act):
        """Ctrl-C while `act`, again and again, is in the function of that name."""
        while True:
            timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
            timer.start()
            try:
                while True:
                    act()
            except KeyboardInterrupt as interrupt:
                timer.join()
                trace = interrupt.__traceback__
                while trace.tb_next:
                    trace = trace.tb_next
                if trace.tb_frame.f_code.co_name == name:
                    return

    def take_back(self, act, place, before):
        """A few times, since what comes within microseconds of a step's end finds it taken."""
        for _ in range(5):
            self.interrupt_within("step", act)
            if place() == before[0]:
                return
        self.fail("a step was taken though it was interrupted")

    def test_a_step_that_is_interrupted_was_not_taken(self):
        vector, before = self.vector(16, reward="difference"), [None]
        vector.reset(seed=1)
        rng = np.random.default_rng(1)

        def act():
            before[0] = self.texts(vector)
            vector.step(draw(vector.action_masks(), rng))

        self.take_back(act, lambda: self.texts(vector), before)
        self.assertTrue(np.isfinite(vector.step(draw(vector.action_masks(), rng))[1]).all())

    def test_so_it_is_with_a_single_one(self):
        env, before = self.make(workload="matmul(m=24,n=24,k=24)", reward="difference"), [None]
        env.reset(seed=1)

        def act():
            if env.legal_actions() == [0]:
                env.reset()
            before[0] = env.to_text()
            if env.step(env.legal_actions()[1])[2]:
                env.reset()

        self.take_back(act, env.to_text, before)
        self.assertTrue(env.step(0)[2])

    def test_recv_that_is_interrupted_can_be_called_again(self):
        vector = self.vector(16, reward="difference")
        vector.reset(seed=1)
        rng = np.random.default_rng(1)

        def act():
            if not vector.in_flight:
                vector.send(draw(vector.action_masks(), rng, stop=0))
            vector.recv()

        for _ in range(5):
            self.interrupt_within("recv", act)
            if vector.in_flight:
                break
        self.assertEqual(vector.in_flight, list(range(16)))
        self.assertEqual(len(vector.recv()[1]), 16)

    def test_other_handlers_raise_what_they_raise(self):
        def handler(*_):
            raise RuntimeError("mine")

        self.addCleanup(signal.signal, signal.SIGUSR1, signal.signal(signal.SIGUSR1, handler))
        vector = self.vector(16)
        vector.reset(seed=1)
        timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGUSR1))
        timer.start()
        self.addCleanup(timer.join)
        with self.assertRaisesRegex(RuntimeError, "mine"):
            while True:
                vector.step([0] * 16)

    def test_a_script_leaves_no_workers(self):
        self.need_llvm()
        for body in ("while True:\n  vector.step([0] * 8); print('step', flush=True)",
                     "while True:\n  vector.send([0] * 8); vector.recv(); print('x', flush=True)"):
            script = ("import gymnasium\nvector = gymnasium.make_vec('schedulegym:ScheduleGym/"
                      f"Modify-v0', 8, workload='{SMALL}', target='{ONE}',\n"
                      "  protocol='cpu1(seconds=0.05)')\n"
                      f"vector.reset(seed=1)\n{body}\n")
            process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE, text=True)
            self.assertTrue(process.stdout.readline())
            started = [pid for pid, _, _ in workers(process.pid)]
            self.assertTrue(started)
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=120)
            self.assertEqual(process.returncode, -signal.SIGINT, errors)
            self.assertEqual(errors.splitlines()[-1], "KeyboardInterrupt")
            while any(map(is_worker, started)):  # what outlives it ends by itself
                time.sleep(0.05)


class RobustnessTest(MeasuredTest):
    def killing(self, choose, once):
        """A thread that kills the workers chosen, until the event that comes with it is set."""
        done, killed = threading.Event(), []

        def run():
            while not done.wait(0.001) and not (once and killed):
                for pid in choose(workers())[:1]:
                    try:
                        os.kill(pid, signal.SIGKILL)
                        killed.append(pid)
                    except ProcessLookupError:
                        pass

        thread = threading.Thread(target=run)
        self.addCleanup(thread.join)
        self.addCleanup(done.set)
        thread.start()
        return done, killed, thread

    def test_a_killed_worker_costs_one_reward_at_most(self):
        self.need_llvm()
        vector = self.vector(8, workload=LARGER, target=ONE)
        vector.reset(seed=1)
        vector.step([0] * 8)
        for role in ("compile", "check", "zygote"):
            with self.subTest(role=role):
                vector.step([0] * 8)  # begins
                done, killed, thread = self.killing(
                    lambda found, role=role: [pid for pid, what, _ in found if what == role], True)
                while not killed:
                    time.sleep(0.001)
                _, rewards, terminated, _, infos = vector.step([0] * 8)
                done.set()
                thread.join()
                self.assertTrue(terminated.all())
                self.assertTrue(np.isfinite(rewards).all())
                lost = [outcome for outcome in infos["outcome"] if outcome not in ("ok", *NOISE)]
                self.assertLessEqual(len(lost), 1, lost)

    def test_failures_have_types_and_finite_rewards(self):
        self.need_llvm()
        # With one core a second checker may time the reference late, whose end is the machine's fault.
        env = self.make(workload=LARGER, target="llvm(cores=2)")
        self.measured(env)

        def candidates(found):
            zygotes = {pid for pid, what, _ in found if what == "zygote"}
            return [pid for pid, _, parent in found if parent in zygotes]

        done, killed, thread = self.killing(candidates, False)
        for _ in range(20):
            env.reset()
            _, reward, terminated, _, info = env.step(0)
            if info["outcome"] not in ("ok", *NOISE):
                break
        done.set()
        thread.join()
        self.assertTrue(killed)
        self.assertEqual((reward, terminated, info["speed"]), (-8.0, True, None))
        self.assertIn(info["outcome"], ("out_of_memory", "crash", "infra", "killed"))
        self.assertNotIn("seconds", info)
        self.measured(env)

    def test_a_process_may_fork_after_measuring(self):
        for target in ("interpreter", ONE):
            with self.subTest(target=target):
                if target == ONE:
                    self.need_llvm()
                env = self.make(target=target)
                self.measured(env)
                before = standing(workers())
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")  # that a process of threads forks
                    forked = AsyncVectorEnv([env.fork] * 2, context="fork")
                try:
                    forked.reset(seed=3)
                    rewards, terminated = forked.step(np.array([0, 0]))[1:3]
                finally:
                    forked.close()
                self.assertTrue(np.isfinite(rewards).all() and terminated.all())
                self.assertEqual(standing(workers()), before)

    def test_a_fork_has_nothing_in_flight(self):
        vector = self.vector(4)
        vector.reset(seed=1)
        before = self.texts(vector)
        vector.send([0] * 4)
        child = os.fork()
        if child == 0:
            try:
                same = vector.in_flight == [] and self.texts(vector) == before
                vector.send([0] * 4)
                same = same and len(vector.recv(4)[1]) == 4
                os._exit(0 if same else 1)
            finally:
                os._exit(2)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)
        self.assertEqual(len(vector.recv(4)[1]), 4)

    def test_a_store_of_another_process_is_refused(self):
        with sg.RecordStore("a.db", "w") as store:
            env = self.make(store=store)
            self.measured(env)
            child = os.fork()
            if child == 0:
                try:
                    self.refused(ValueError, "another process", self.measured, env)
                    os._exit(0)
                finally:
                    os._exit(2)
            self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)
            self.assertEqual(len(store), 1)


if __name__ == "__main__":
    unittest.main()
