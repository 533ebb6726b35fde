"""The nouns of the package: their texts, their equality, what they refuse."""
import gc
import pathlib
import pickle
import threading
import unittest

from harness import PackageTest, schedulegym as sg

MATMUL = "matmul(m=32,n=48,k=64)"
LINEAR = """
param n = 8
input X[n, 4]
weight W[4, 6]
Y[i:n, j:6] = sum(k:4) X[i, k] * W[k, j]
"""


class NounsTest(PackageTest):
    def setUp(self):
        super().setUp()
        self.task = sg.Task(MATMUL, "llvm(cores=1)")
        self.naive = sg.ScheduleState.initial(self.task)
        self.split = self.naive.apply("split(stage=C, loop=0, lengths=[4, 8])")

    def test_workloads(self):
        workload = sg.Workload(MATMUL)
        self.assertEqual(workload.name, "matmul")
        self.assertEqual(workload.parameters, {"m": 32, "n": 48, "k": 64})
        self.assertEqual(sg.Workload(str(workload)), workload)
        self.assertEqual(workload.dag().flops, 2 * 32 * 48 * 64)
        self.assertIn("conv2d", sg.builtin_workloads())
        self.assertGreater(len(sg.suite("smoke")), 2)

    def test_files_and_texts_are_workloads_too(self):
        path = self.folder / "a name with (brackets).dag"
        path.write_text(LINEAR)
        for workload in (path, str(path), LINEAR, sg.ComputeDag(LINEAR), sg.Workload(path)):
            self.assertEqual(sg.Task(workload).dag, sg.ComputeDag(LINEAR))
        self.assertEqual(sg.Task(f"{path}(n=3)").dag, sg.ComputeDag(LINEAR, {"n": 3}))
        self.assertEqual(sg.ComputeDag.read(path, {"n": 3}), sg.ComputeDag(LINEAR, {"n": 3}))

    def test_networks(self):
        path = self.folder / "two.net"
        path.write_text(f"3 {MATMUL}\n1 softmax(n=4,m=8)\n")
        self.assertEqual([(n, str(w)) for n, w in sg.read_network(path)],
                         [(3, MATMUL), (1, "softmax(n=4,m=8)")])

    def test_computations(self):
        dag = sg.ComputeDag(LINEAR)
        self.assertEqual(sg.ComputeDag(dag.text), dag)
        self.assertEqual([(t.name, t.kind, t.dtype, t.shape) for t in dag.tensors],
                         [("X", "input", "f32", (8, 4)), ("W", "weight", "f32", (4, 6)),
                          ("Y", "definition", "f32", (8, 6))])
        self.assertEqual([t.name for t in dag.outputs], ["Y"])
        self.assertNotEqual(dag, sg.ComputeDag(LINEAR, {"n": 9}))

    def test_targets_and_tasks(self):
        target = sg.Target("llvm(cores=1)")
        self.assertEqual(target.facts["cores"], 1)
        self.assertEqual(sg.Target(target.spec), target)
        self.assertEqual(self.task, sg.Task(sg.Workload(MATMUL), target))
        self.assertNotEqual(self.task.key, sg.Task(MATMUL, "interpreter").key)

    def test_primitives(self):
        made = sg.Primitive("split", stage="C", loop=0, lengths=[4, 8])
        self.assertEqual(made, sg.Primitive("split( stage = C,loop=0,  lengths=[4,8] )"))
        self.assertEqual(hash(made), hash(self.split.trace[0]))
        self.assertEqual(made.fields, {"stage": "C", "loop": 0, "lengths": [4, 8],
                                       "inner_to_outer": True})
        self.assertEqual(self.naive.apply(made), self.split)
        self.assertEqual(set(sg.primitives()["split"]), set(made.fields))

    def test_traces(self):
        trace = self.split.trace
        self.assertEqual(sg.Trace(trace.text), trace)
        self.assertEqual(sg.Trace(list(trace)), trace)
        self.assertEqual(len(trace), 1)
        self.assertEqual(trace[-1].name, "split")
        self.assertEqual(sg.ScheduleState.replay(self.task, trace), self.split)
        with self.assertRaises(IndexError):
            trace[1]

    def test_states_never_change_and_are_equal_by_their_loops(self):
        self.assertEqual(len(self.naive.trace), 0)
        self.assertNotEqual(self.naive, self.split)
        self.assertIn("for i.2 in 0..8", self.split.loops)
        self.assertEqual(self.split.names, ["A", "B", "C"])
        steps = ["parallel(stage=C, loop=0)", "unroll(stage=C, loop=1)"]
        one = self.naive.apply(steps[0]).apply(steps[1])
        other = self.naive.apply(steps[1]).apply(steps[0])
        self.assertEqual(one, other)
        self.assertNotEqual(one.trace, other.trace)
        self.assertEqual(len({self.naive, self.split, sg.ScheduleState.initial(self.task)}), 2)

    def test_checks_say_why(self):
        self.assertIsNone(self.naive.check("parallel(stage=C, loop=0)"))
        self.assertIn("innermost", self.naive.check("vectorize(stage=C, loop=0)"))
        self.assertIn("unknown stage", self.naive.check("vectorize(stage=D, loop=0)"))

    def test_everything_travels_in_a_pickle(self):
        for thing in (sg.Workload(MATMUL), self.task.dag, self.task.target, self.task, self.split,
                      self.split.trace, self.split.trace[0]):
            again = pickle.loads(pickle.dumps(thing))
            self.assertEqual(again, thing)
            self.assertEqual(hash(again), hash(thing))

    def test_what_is_wrong_is_said_in_one_line(self):
        fault = self.refused(ValueError, "did you mean 'matmul'", sg.Workload, "matmull(m=1)")
        self.assertIsInstance(fault, sg.InputError)
        self.refused(ValueError, "key 'n' is missing", sg.Task, "matmul(m=1,k=1)")
        self.refused(ValueError, "unknown target 'tpu'", sg.Target, "tpu")
        self.refused(ValueError, "unknown suite", sg.suite, "none")
        self.refused(ValueError, r"text:1:9: found", sg.ComputeDag, "nonsense")
        self.refused(ValueError, "unknown primitive 'spilt'", sg.Primitive, "spilt(stage=C)")
        self.refused(ValueError, "line 2", sg.Trace, "trace 1\nspilt(stage=C)\n")
        self.refused(ValueError, "line 1", sg.Trace, "")
        self.refused(sg.ScheduleError, "innermost", self.naive.apply, "vectorize(stage=C, loop=0)")
        self.refused(ValueError, "unknown space", sg.SearchSpace, "nowhere")
        self.refused(ValueError, "does not exist", sg.RecordStore, "no.db")
        self.refused(ValueError, "mode", sg.RecordStore, "no.db", "x")
        self.refused(ValueError, "no.dag", sg.Task, pathlib.Path("no.dag"))

    def test_wrong_types(self):
        for call in (lambda: sg.Task(3), lambda: sg.Workload(None), lambda: self.naive.apply(1),
                     lambda: sg.Primitive("split", stage=object()), lambda: sg.Rng("x"),
                     lambda: sg.RecordStore().best(1.5), lambda: sg.Trace([1])):
            with self.assertRaises(TypeError):
                call()
        self.assertNotEqual(self.task, MATMUL)
        self.assertNotEqual(self.naive, None)

    def test_spaces_draw_the_same_for_the_same_seed(self):
        space = sg.SearchSpace("schedulegym(pack=false)")
        draws = [space.sample(self.task, sg.Rng(7)) for _ in range(2)]
        self.assertEqual(draws[0], draws[1])
        self.assertIsNone(space.admit(draws[0]))
        rng = sg.Rng(1)
        self.assertTrue(any(space.mutate(draws[0], rng) != draws[0] for _ in range(8)))
        self.assertEqual(sg.reference_schedule(self.task).task, self.task)

    def test_threads_may_share_states(self):
        found = []

        def walk(seed):
            rng, space = sg.Rng(seed), sg.SearchSpace()
            for _ in range(20):
                found.append(space.sample(self.task, rng).key)
                self.split.apply("parallel(stage=C, loop=0)")

        threads = [threading.Thread(target=walk, args=(seed,)) for seed in (1, 1, 2, 2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(found), 80)

    def test_objects_leave_nothing_behind(self):
        def resident():
            return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * 4096

        def make():
            for _ in range(1000):
                state = sg.ScheduleState.replay(self.task, self.split.trace)
                pickle.loads(pickle.dumps(state.trace))
                self.assertIsNotNone(state.check("nonsense"))
            gc.collect()

        make()
        before = resident()
        for _ in range(5):
            make()
        self.assertLess(resident() - before, 4 << 20)


if __name__ == "__main__":
    unittest.main()
