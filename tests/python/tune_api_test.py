"""Searches from Python: results, stores, agents in Python, Ctrl-C."""
import os
import pathlib
import pickle
import signal
import subprocess
import sys
import threading
import time
import unittest

from harness import NOISE, PackageTest, assert_at_once, need_success, schedulegym as sg

SMALL = "matmul(m=16,n=16,k=16)"
ONE = "llvm(cores=1)"
QUICK = "interpreter"  # measures without workers
TINY = "matmul(m=4,n=4,k=4)"  # for which it takes little
BRIEF = "cpu1(seconds=0.05)"


def drawing_agent(**overrides):
    """An agent that draws schedules, with some methods of its own."""
    class Drawing(sg.Agent):
        def __init__(self):
            self.space, self.rng, self.told, self.asked = sg.SearchSpace(), sg.Rng(3), [], []

        def propose(self, task, count):
            self.asked.append((task, count))
            return [self.space.sample(task, self.rng) for _ in range(count)]

        def learn(self, records):
            self.told += records

    return type("Mine", (Drawing,), {"__module__": __name__, **overrides})()


class TuneTest(PackageTest):
    def setUp(self):
        super().setUp()
        self.need_llvm()

    def test_a_search_tells_its_result_and_keeps_it(self):
        seen = []
        result = sg.tune(SMALL, target=ONE, trials=5, seed=1, progress=seen.append, protocol=BRIEF)
        self.assertEqual((result.trials, result.stopped), (5, "trials"))
        need_success(self, [trial.outcome for trial in result.history])
        self.assertEqual(result.ok + sum(result.failed.values()), 5)
        self.assertEqual(list(result.history), seen)
        self.assertEqual([trial.index for trial in seen], [0, 1, 2, 3, 4])
        self.assertAlmostEqual(result.gflops, result.task.dag.flops / result.seconds / 1e9)
        self.assertLessEqual(result.ratio_low, result.ratio)
        self.assertLessEqual(result.ratio, result.ratio_high)
        with sg.RecordStore("schedulegym.db") as store:
            best = store.best(result.task)
            # Five trials may all be slower than the reference.
            self.assertEqual(result.source, "search" if best.measurement.ratio >= 1 else "reference")
            if result.source == "search":
                self.assertEqual((result.best, result.record), (best, best.id))
            self.assertEqual(len(store.for_task(result.task.key)), 5)
            self.assertEqual(store.by_id(best.id).state().trace.text, best.trace)
            self.assertEqual(len(store.export_lines().splitlines()), 6)
            self.assertEqual(pickle.loads(pickle.dumps(best)), best)
        self.assertEqual(pickle.loads(pickle.dumps(result)), result)
        self.assertRaisesRegex(ValueError, "is closed", store.best, result.task)

    def test_a_second_search_goes_on(self):
        with sg.RecordStore("my.db", "w") as store:
            options = {"target": QUICK, "agent": "random", "store": store, "protocol": BRIEF}
            first = sg.tune(TINY, trials=3, **options)
            second = sg.tune(TINY, trials=3, seed=1, **options)
            learned = sum(trial.outcome not in NOISE for trial in first.history)
            self.assertEqual((first.known, second.known), (0, learned))
            alone = sg.tune(TINY, trials=1, resume=False, **options)
            self.assertEqual(alone.known, 0)

    def test_several_tasks_share_the_trials(self):
        (self.folder / "two.net").write_text(f"3 {TINY}\n1 softmax(n=4,m=8)\n")
        results = sg.Tuner("two.net", target=QUICK, agent="random", store=None,
                           protocol=BRIEF).run(trials=6)
        self.assertEqual([r.trials for r in results], [3, 3])
        self.assertEqual([len(r.history) for r in results], [3, 3])

    def test_measuring_alone(self):
        task = sg.Task(SMALL, ONE)
        measurer = sg.Measurer(ONE)
        measurements = measurer.measure([sg.reference_schedule(task),
                                         sg.ScheduleState.initial(task)])
        for measurement in measurements:
            self.assertIn(measurement.outcome, ("ok", *NOISE))  # the machine may be busy
            self.assertEqual(measurement.ok, (measurement.seconds or 0) > 0)
            self.assertEqual(measurement.ok, len(measurement.samples) > 2)
        other = sg.ScheduleState.initial(sg.Task(SMALL, "interpreter"))
        self.refused(ValueError, "found a schedule for interpreter", measurer.measure, [other])

    def test_the_interpreters_lock_is_free_while_measuring(self):
        ticks, done = [], threading.Event()

        def tick():
            while not done.wait(0.002):
                ticks.append(time.monotonic())

        thread = threading.Thread(target=tick)
        thread.start()
        begin = time.monotonic()
        sg.tune(SMALL, target=ONE, trials=2, agent="random", store=None)
        elapsed = time.monotonic() - begin
        done.set()
        thread.join()
        self.assertGreater(len(ticks), elapsed / 0.002 / 10)

    def test_what_was_learned_is_kept(self):
        """As --save-model does; refused before anything is measured where nobody learns."""
        options = {"target": QUICK, "measure": "analytical", "space": "ansor", "trials": 32}
        sg.tune(SMALL, agent="ansor(population=16)", save_model="learned.json", **options)
        self.assertGreater((self.folder / "learned.json").stat().st_size, 100)
        result = sg.tune(SMALL, agent="ansor(population=16,model=learned.json)", **options)
        self.assertEqual(result.trials, 32)
        self.refused(ValueError, "save_model: agent random trains no cost model", sg.tune, SMALL,
                     agent="random", save_model=self.folder / "other.json", **options)
        self.assertFalse((self.folder / "other.json").exists())

    def test_what_is_wrong_is_said_before_a_store_is_made(self):
        for pattern, options in (
                ("trials: found 0", {"trials": 0}), ("seconds", {"seconds": -1.0}),
                ("unknown agent 'randon'", {"agent": "randon"}), ("space", {"space": "x"}),
                ("protocol", {"protocol": "x"}), ("refine", {"refine": "droplet(trials=1000)"}),
                ("unknown target", {"target": "tpu"}), ("seed", {"seed": -1})):
            self.refused(ValueError, pattern, sg.tune, SMALL, **options)
        self.refused(ValueError, "unknown workload", sg.tune, "matmull(m=1)")
        self.refused(sg.MachineError, "no CUDA driver", sg.tune, SMALL, target="cuda(card=a100)")
        for options in ({"trials": 2.5}, {"agent": object()}, {"progress": 3}, {"space": 1}):
            with self.assertRaises(TypeError):
                sg.tune(SMALL, **options)
        self.assertEqual(list(self.folder.iterdir()), [])


class NetworksTest(PackageTest):
    def test_a_name_or_a_file_stands_for_all_layers(self):
        (self.folder / "mine.net").write_text(
            "param n = 4\n3 matmul(m=n,n=4,k=4)\n1 softmax(n=n,m=8)\n")
        for word, names in [("mine.net", [TINY, "softmax(n=4,m=8)"]),
                            ("mine.net(n=2)", ["matmul(m=2,n=4,k=4)", "softmax(n=2,m=8)"])]:
            tasks = sg.Tuner(word, measure="analytical").tasks
            self.assertEqual([(task.key, count) for task, count in tasks],
                             [(sg.Task(name).key, count) for name, count in zip(names, (3, 1))])
        one, two = (sg.Tuner(word, measure="analytical").tasks for word in ("dcgan", "dcgan(n=2)"))
        self.assertEqual((len(one), len(two)), (5, 5))
        self.assertFalse({task for task, _ in one} & {task for task, _ in two})

    def test_what_is_wrong_with_one_is_named(self):
        for word, pattern in [("dcgan(m=2)", "unknown parameter 'm'"), ("none.net", "none.net"),
                              ("dcgam", "unknown workload")]:
            self.refused(ValueError, pattern, sg.Tuner, word, measure="analytical")
        self.refused(ValueError, "found 5 tasks, expected one", sg.tune, "dcgan")

    def test_a_table_of_another_task_is_refused(self):
        table = pathlib.Path(sg.__file__).with_name("tables") / "matmul.table"
        self.refused(ValueError, "found a table of matmul.*, expected one of softmax", sg.Tuner,
                     "softmax(n=4,m=8)", measure=f'table(file="{table}")')


class PythonAgentTest(PackageTest):
    def tune(self, agent, **options):
        """On the estimate, which no other work disturbs."""
        return sg.tune(SMALL, target=QUICK, agent=agent, measure="analytical",
                       **{"trials": 6, "store": "a.db", **options})

    def test_it_proposes_and_learns(self):
        agent = drawing_agent()
        result = self.tune(agent)
        self.assertEqual(sum(count for _, count in agent.asked), 6)
        self.assertEqual([r.index for r in agent.told], list(range(6)))
        self.assertEqual(agent.asked[0][0], result.task)
        self.assertRegex(agent.told[0].agent, r'python\(module=".*tune_api_test",\s?class="Mine"\)')
        again = drawing_agent()
        self.tune(again, trials=1)
        self.assertEqual(len(again.told), 7)

    def test_its_notes_are_kept(self):
        agent = drawing_agent(propose=lambda self, task, count: [
            (self.space.sample(task, self.rng), "track(step=17)") for _ in range(count)])
        self.tune(agent, trials=2)
        self.assertEqual([record.note for record in agent.told], ["track(step=17)"] * 2)
        with sg.RecordStore("a.db") as store:
            self.assertEqual([record.note for record in store], ["track(step=17)"] * 2)
        bad = drawing_agent(propose=lambda self, task, count: [
            (self.space.sample(task, self.rng), 17)])
        self.refused(TypeError, "expected a ScheduleState and a note", self.tune, bad)

    def test_it_may_hear_of_every_proposal(self):
        agent = drawing_agent(learn_trials=lambda self, trials: self.told.extend(trials))
        result = self.tune(agent, trials=3)
        self.assertEqual([trial.status for trial in agent.told], ["measured"] * 3)
        for trial in agent.told:
            self.assertEqual((trial.task, trial.key), (result.task, trial.record.state_key))
            self.assertEqual(trial.state.trace.text, trial.record.trace)
        again = drawing_agent(learn_trials=agent.learn_trials.__func__,
                              begin=lambda self, setup: setattr(self, "setup", setup))
        self.tune(again, trials=1)
        self.assertEqual([trial.status for trial in again.told], ["known"] * 3 + ["measured"])
        self.assertEqual((again.setup.tasks, again.setup.trials), ([(result.task, 1.0)], 1))

    def test_it_begins_once_in_a_search(self):
        begun = []
        self.tune(drawing_agent(begin=lambda self, setup: begun.append(setup.trials)),
                  trials=2, store="begun.db")
        self.assertEqual(begun, [2])

    def test_a_builtin_agent_may_be_wrapped(self):
        inner = sg.BuiltinAgent("random", seed=2)
        agent = drawing_agent(propose=lambda self, task, count: inner.propose(task, count))
        self.assertEqual(self.tune(agent).trials, 6)
        self.assertEqual(self.tune(inner, store=None).trials, 6)

    def test_states_that_were_pickled_are_measured(self):
        agent = drawing_agent(propose=lambda self, task, count: [
            pickle.loads(pickle.dumps(sg.ScheduleState.initial(task)))])
        self.assertEqual(self.tune(agent, trials=1).ok, 1)

    def test_nothing_more_to_propose_ends_the_search(self):
        self.assertEqual(self.tune(drawing_agent(propose=lambda *_: [])).stopped, "exhausted")

    def test_what_it_raises_reaches_the_caller(self):
        def raising(*_):
            raise KeyError("mine")

        for method in ("propose", "learn", "check_task"):
            with self.assertRaisesRegex(KeyError, "mine"):
                self.tune(drawing_agent(**{method: raising}), store="b.db")
        with sg.RecordStore("b.db") as store:  # what was measured before is kept
            self.assertEqual(len(store), 6)
        with self.assertRaisesRegex(KeyError, "mine"):
            self.tune("random", progress=raising)

    def test_senseless_proposals(self):
        other = sg.ScheduleState.initial(sg.Task("matmul(m=2,n=2,k=2)", QUICK))
        for kind, pattern, answer in (
                (TypeError, "item of type str", ["trace 1"]), (TypeError, "found int", 3),
                (TypeError, "found NoneType", None),
                (ValueError, "of matmul", [other]), (ValueError, "more than", [other] * 99)):
            agent = drawing_agent(propose=lambda *_, answer=answer: answer)
            if pattern == "more than":
                agent = drawing_agent(propose=lambda self, task, count: [
                    sg.ScheduleState.initial(task)] * (count + 1))
            self.refused(kind, pattern, self.tune, agent)

    def test_searches_in_several_threads(self):
        results = []
        threads = [threading.Thread(target=lambda: results.append(
            self.tune(drawing_agent(), store=None))) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual([result.trials for result in results], [6, 6, 6])

    def test_an_agent_lacks_propose(self):
        with self.assertRaises(TypeError):
            sg.Agent()


class InterruptTest(PackageTest):
    def setUp(self):
        super().setUp()
        self.need_llvm()

    def interrupt(self, agent, begun, progress=None):
        """Ctrl-C a moment after that event."""
        def run():
            begun.wait()
            time.sleep(0.1)
            self.signalled = time.monotonic()
            os.kill(os.getpid(), signal.SIGINT)

        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        with self.assertRaises(KeyboardInterrupt) as caught:
            sg.tune(SMALL, target=ONE, agent=agent, trials=100000, store="i.db",
                    protocol=BRIEF, progress=progress)
        self.took = time.monotonic() - self.signalled
        thread.join()
        return caught.exception.results[0]

    def test_ctrl_c_ends_a_search_in_order(self):
        begun = threading.Event()
        result = self.interrupt("random", begun, lambda _: begun.set())
        self.assertEqual(result.stopped, "interrupted")
        self.assertGreater(result.trials, 0)
        with sg.RecordStore("i.db", "w") as store:
            self.assertEqual(len(store), result.trials)

    def test_ctrl_c_while_the_agent_thinks(self):
        begun = threading.Event()
        agent = drawing_agent(propose=lambda *_: begun.set() or time.sleep(60))
        result = self.interrupt(agent, begun)
        self.assertEqual((result.stopped, result.trials), ("interrupted", 0))
        self.assertEqual((result.source, result.seconds), ("reference", None))
        self.assertIsNotNone(result.trace)
        assert_at_once(self, self.took)

    def test_a_script_ends_as_scripts_do(self):
        script = ("import schedulegym\nschedulegym.tune('matmul(m=16,n=16,k=16)', trials=100000,\n"
                  "  progress=lambda t: print('trial', flush=True))\n")
        process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        self.assertEqual(process.stdout.readline(), "trial\n")
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, -signal.SIGINT)
        self.assertIn("KeyboardInterrupt", errors.splitlines()[-1])


if __name__ == "__main__":
    unittest.main()
