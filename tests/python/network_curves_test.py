"""Networks whose searches were recorded, played again through Gymnasium."""
import json
import pickle
import unittest
import warnings

from harness import PackageTest, schedulegym as sg

if sg is not None:
    import gymnasium
    import numpy as np
    from gymnasium.utils.env_checker import check_env

TABLE = "ScheduleGym/NetworkTable-v0"


def curve(task, count, speeds, seed=0, batch=2):
    """A line: the best after each trial, which takes a quarter of a second; a reference of 1 s."""
    turns, best = [], 0
    for at in range(0, len(speeds), batch):
        trials = []
        for speed in speeds[at:at + batch]:
            trials.append([0.25, speed] if speed > best else [0.25])
            best = max(best, speed)
        turns.append({"at": at, "seconds": 1 + 0.25 * len(trials), "thinking": 1, "failures": 0,
                      "faults": 0, "trials": trials})
    return json.dumps({
        "schedulegym_curve": 1, "search": f"{task} {seed}", "number": 0, "of": 1, "task": task,
        "agent": "ansor", "measure": "host", "scheduler": "linear", "seed": seed,
        "counts": [count], "flops": 2e9, "tag": "sum", "reference": 1.0, "turns": turns}) + "\n"


CURVES = curve("matmul(m=8)", 3, [1, 2, 3, 4]) + curve("conv2d(h=4)", 1, [2, 2, 5, 6, 7, 8])


class NetworkCurvesTest(PackageTest):
    def write(self, text, name="some.curves"):
        path = self.folder / name
        path.write_text(text)
        return path

    def make(self, text=CURVES, **arguments):
        env = gymnasium.make(TABLE, curves=self.write(text), **{"slots": 6, **arguments}).unwrapped
        self.addCleanup(env.close)
        return env

    def test_gymnasiums_checker_is_content(self):
        for arguments in ({}, {"reward": "final"}, {"warm_up": False}, {"max_tasks": 5},
                          {"render_mode": "ansi"}):
            with self.subTest(**arguments), warnings.catch_warnings():
                warnings.simplefilter("error")
                check_env(self.make(**arguments))

    def test_a_slot_is_a_recorded_turn(self):
        env = self.make()
        self.assertEqual((env.names, env.weights), (["matmul(m=8)", "conv2d(h=4)"], [3, 1]))
        self.assertEqual(env.tasks, [])
        _, info = env.reset(seed=1)
        self.assertEqual(env.latencies, [1 / 2, 1 / 2])
        self.assertEqual(env.trials, [2, 2])
        self.assertEqual(env.clock, 3)
        _, reward, *_, info = env.step(1)
        self.assertAlmostEqual(info["latency"], 3 / 4 + 1 / 2)
        self.assertAlmostEqual(reward, float(np.log(2 / 1.25)))
        self.assertEqual(env.clock, 4.5)
        self.assertEqual(env.records, [None, None])
        self.assertEqual(env.action_masks().tolist(), [True, False, True])
        self.assertIn("nothing left to try", env.step(1)[4]["illegal"])

    def test_people_see_the_tasks(self):
        env = self.make(render_mode="ansi")
        env.reset(seed=1)
        self.assertIn("3 x matmul(m=8): 500 ms after 2 trials", env.render())

    def test_episodes_draw_one_of_several_searches_and_repeat(self):
        env = self.make(CURVES + curve("matmul(m=8)", 3, [9, 9], seed=1))
        self.assertEqual(len(env.names), 2)
        found = {env.reset(seed=seed)[1]["latency"] for seed in range(20)}
        self.assertEqual(len(found), 2)
        self.assertEqual(env.reset(seed=3)[1]["latency"], env.reset(seed=3)[1]["latency"])
        env.step(2)
        twin = pickle.loads(pickle.dumps(env))
        self.assertEqual(twin.latencies, env.latencies)
        again = self.make(CURVES)
        with self.assertRaisesRegex(ValueError, "options"):
            again.replay(env.to_text())

    def test_halves_are_split_by_the_names(self):
        text = "".join(curve(f"matmul(m={m})", 1, [1, 2]) for m in range(1, 20))
        halves = [self.make(text, half=half).names for half in ("development", "heldout")]
        self.assertEqual(sorted(halves[0] + halves[1]), sorted(self.make(text).names))
        self.assertTrue(all(halves))

    def test_several_files_are_one_network(self):
        paths = [self.write(curve("matmul(m=8)", 3, [1, 2]), "a"),
                 str(self.write(curve("softmax(n=8)", 2, [1, 2]), "b"))]
        env = sg.ScheduleNetworkEnv(source="table", curves=paths)
        self.assertEqual(env.weights, [3, 2])

    def test_tasks_that_never_succeeded_are_left_out(self):
        dead = json.loads(curve("softmax(n=4)", 2, [0, 0]))
        del dead["reference"]
        env = self.make(json.dumps(dead) + "\n" + CURVES)
        self.assertEqual(env.names, ["matmul(m=8)", "conv2d(h=4)"])
        with self.assertRaisesRegex(ValueError, "no task that ever succeeded"):
            self.make(json.dumps(dead) + "\n")

    def test_bad_arguments_are_named(self):
        path = self.write(CURVES)
        old = self.write(CURVES.replace('_curve": 1', '_curve": 9'), "old")
        cut = self.write(CURVES[:-20], "cut")
        for arguments, words in (
                ({"curves": []}, "curves: found none"), ({"curves": 3}, "a path or several"),
                ({"curves": [(2, "a")]}, "expected paths"), ({"curves": "nowhere"}, "nowhere"),
                ({"curves": old}, "version 9"), ({"curves": cut}, "cut short"),
                ({"half": "left"}, "development"), ({"table": "matmul"}, "one of the two"),
                ({"workload": "matmul(m=8,n=8,k=8)"}, "curves alone"),
                ({"target": "llvm"}, "know of none"), ({"source": "model"}, "source 'table'"),
                ({"curves": None, "half": "heldout", "table": "matmul"}, "curves alone")):
            with self.subTest(**{k: str(v) for k, v in arguments.items()}):
                with self.assertRaisesRegex(ValueError, words) as raised:
                    sg.ScheduleNetworkEnv(**{"source": "table", "curves": path, **arguments})
                self.assertNotIn("\n", str(raised.exception))


if __name__ == "__main__":
    unittest.main()
