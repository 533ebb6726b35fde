"""Measured environments that record what they measure."""
import unittest

from measured_harness import IDS, LARGER, MODEL, ONE, SMALL, MeasuredTest, sg


class RecordingTest(MeasuredTest):
    def test_measurements_are_recorded(self):
        self.need_llvm()
        env = self.make(workload=LARGER, target=ONE, store="a.db", measuring_seed=5)
        self.assertEqual(list(self.folder.iterdir()), [])  # nothing was measured
        infos = [self.measured(env)]
        for _ in range(2):
            env.reset()
            infos.append(env.step(0)[4])
        env.close()
        with sg.RecordStore("a.db") as store:
            records = store.for_task(env.task)
            self.assertEqual([r.measurement.outcome for r in records],
                             [info["outcome"] for info in infos])
            self.assertEqual([r.measurement.seconds for r in records],
                             [info.get("seconds") for info in infos])
            self.assertEqual([r.index for r in records], [0, 1, 2])
            self.assertEqual({(r.agent, r.space, r.seed) for r in records}, {("gym", "ansor", 5)})
            self.assertEqual(records[-1].state(), env.state)
            best = store.best(env.task)
        if best is not None:  # the machine may be busy
            said = self.events("replay", LARGER, "--target", ONE, "--record", best.id,
                               "--store", "a.db")
            self.assertTrue(said)

    def test_a_search_goes_on_from_them(self):
        with sg.RecordStore("a.db", "w") as store:
            vector = self.vector(4, store=store)
            vector.reset(seed=1)
            vector.step([0] * 4)
            self.assertEqual(len(store), 4)
            result = sg.tune(SMALL, target="interpreter", trials=1, agent="random", store=store)
            outcomes = [r.measurement.outcome for r in store.for_task(result.task)
                        if r.agent == "gym"]
            # What a busy machine made of one is asked again, not told.
            self.assertEqual(result.known, 4 - outcomes.count("noisy"))
            other = self.make(IDS[0], store=store)  # several share an open one
            self.measured(other)
            self.assertEqual(len(store), 6)
            self.assertEqual(store.for_task(other.task)[-1].space, "construct")

    def test_what_cannot_be_recorded_is_not_measured(self):
        with sg.RecordStore("a.db", "w"):
            env = self.make(store="a.db")
            env.reset(seed=1)
            before = env.to_text()
            self.refused(ValueError, "a.db", env.step, 0)
            self.assertEqual(env.to_text(), before)
        self.measured(env)
        self.refused(ValueError, "expected source 'measured'", self.make, MODEL, store="b.db")
        with self.assertRaises(TypeError):
            self.make(store=3)
        with sg.RecordStore("c.db", "w") as store:
            pass
        self.refused(ValueError, "is closed", self.make, store=store)


if __name__ == "__main__":
    unittest.main()
