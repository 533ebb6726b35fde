"""Environments take `measure`, a spec as `tune` takes it, in place of source, model and table."""
import pickle
import unittest
import warnings

from harness import PackageTest, schedulegym as sg

if sg is not None:
    import gymnasium
    from schedulegym.environment import TABLES, UsualTable, evaluation_of

SMALL = {"workload": "matmul(m=8,n=8,k=8)", "target": "llvm(cores=1)"}


class MeasureOptionTest(PackageTest):
    def test_a_spec_stands_for_the_three_options(self):
        self.assertEqual(evaluation_of(None, "model", "a.json", None), ("model", "a.json", None, ""))
        self.assertEqual(evaluation_of("host", "model"), ("measured", "analytical", None, "host"))
        self.assertEqual(evaluation_of(" analytical ", "table", table=UsualTable("x")),
                         ("model", "analytical", None, " analytical "))
        self.assertEqual(evaluation_of('table(file="a b")', "model"),
                         ("table", "analytical", "a b", 'table(file="a b")'))

    def test_what_is_named_beside_it_is_warned_of(self):
        for options, said in (({"table": "matmul"}, "table: found 'matmul' beside measure 'analytical'"),
                              ({"model": "pretrained"}, "model: found 'pretrained' beside measure 'analytical'")):
            with self.assertWarnsRegex(UserWarning, said) as caught:
                gymnasium.make("ScheduleGym/ModifyTable-v0", measure="analytical", **SMALL, **options).close()
            self.assertEqual(len(caught.warnings), 1)
        with self.assertWarnsRegex(UserWarning, "table: found 'matmul' beside measure 'analytical'"):
            gymnasium.make_vec("ScheduleGym/ModifyTable-v0", 2, measure="analytical", table="matmul", **SMALL).close()
        with self.assertWarnsRegex(UserWarning, "table: found .*matmul.* beside measure 'analytical'"):
            gymnasium.make("ScheduleGym/NetworkTable-v0", measure="analytical", table=["matmul"], slots=2,
                           target="llvm(cores=1)").close()

    def test_what_an_id_has_is_not_warned_of(self):
        table = f'table(file="{TABLES / "matmul.table"}")'
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            for id in ("ConstructTable-v0", "ModifyTable-v0"):
                gymnasium.make(f"ScheduleGym/{id}", measure="analytical", **SMALL).close()
            gymnasium.make("ScheduleGym/NetworkTable-v0", measure="analytical", slots=2, target="llvm(cores=1)").close()
            env = gymnasium.make("ScheduleGym/ModifyTable-v0", measure=table).unwrapped
            pickle.loads(pickle.dumps(env)).close()
            env.close()

    def test_options_of_a_spec_are_kept(self):
        for spec, source, table in (("analytical(version=2)", "model", None),
                                    ("table(file=a, noise=true)", "table", "a")):
            self.assertEqual(evaluation_of(spec, "measured"), (source, "analytical", table, spec))

    def test_a_model_may_be_short(self):
        self.assertEqual(evaluation_of('model(model="a b")', "table")[1], "a b")
        for spec in ("model(a.model)", " model( model=a.model ) ", 'model("a.model")'):
            self.assertEqual(evaluation_of(spec, "table"), ("model", "a.model", None, ""), spec)
        self.assertEqual(evaluation_of("model(boosted(file=a.model))", "table")[1],
                         "boosted(file=a.model)")

    def test_others_are_refused(self):
        for spec, why in (("guess", "unknown measurer 'guess': expected one of host, analytical, model"),
                          ("host(cores=2)", "'host'.*'cores'"), ("table", "key 'file' is missing"),
                          ("table(path=a)", "'path'"), ("analytical(version=3)", "version"),
                          ("table(file=a, noise=perhaps)", "noise")):
            self.refused(sg.InputError, why, evaluation_of, spec, "model")

    def episode(self, env_id, **options):
        env = gymnasium.make(env_id, **options)
        self.addCleanup(env.close)
        steps = [env.reset(seed=3)[1]["action_mask"].tolist()]
        for _ in range(4):
            action = max(i for i, legal in enumerate(steps[-1]) if legal)
            _, reward, ended, _, info = env.step(action)
            steps += [reward, info.get("speed"), info["action_mask"].tolist()]
            if ended:
                break
        return steps

    def test_the_model_by_either_word(self):
        self.assertEqual(self.episode("ScheduleGym/Modify-v0", measure="analytical", **SMALL),
                         self.episode("ScheduleGym/ModifyModel-v0", **SMALL))

    def test_versions_of_the_estimate_differ(self):
        paid = {**SMALL, "reward": "difference"}
        first, second = (self.episode("ScheduleGym/ModifyModel-v0", measure=spec, **paid)
                         for spec in ("analytical(version=1)", "analytical(version=2)"))
        self.assertEqual(first, self.episode("ScheduleGym/ModifyModel-v0", **paid))
        self.assertNotEqual(first, second)

    def test_pickles_keep_it(self):
        for id, options in (("ModifyModel-v0", SMALL), ("NetworkModel-v0", {"slots": 2, "target": "llvm(cores=1)"})):
            env = gymnasium.make(f"ScheduleGym/{id}", measure="analytical(version=2)", **options).unwrapped
            self.addCleanup(env.close)
            copy = pickle.loads(pickle.dumps(env))
            self.addCleanup(copy.close)
            self.assertEqual(copy._options["measure"], "analytical(version=2)")

    def test_noise_of_a_table(self):
        def paid(seed, options):
            measure = f'table(file="{TABLES / "contest_matmul.table"}"{options})'
            return self.episode("ScheduleGym/ModifyTable-v0", measure=measure, measuring_seed=seed,
                                reward="difference")
        noisy = paid(5, ", noise=true")
        self.assertEqual(paid(5, ", noise=true"), noisy)
        for other in (paid(6, ", noise=true"), paid(5, "")):
            self.assertNotEqual(other, noisy)
        self.refused(sg.InputError, "without raw samples", gymnasium.make,
                     "ScheduleGym/File-v0", measure=f'table(file="{TABLES / "matmul_t4.json"}", noise=true)')

    def test_old_names_in_a_protocol_are_warned_of(self):
        old = "cpu1(sentinel_candidates=3)"
        for id, options in (("ModifyModel-v0", SMALL), ("NetworkModel-v0", {"slots": 2})):
            with self.assertWarnsRegex(UserWarning, "'sentinel_candidates' is an old name of"):
                gymnasium.make(f"ScheduleGym/{id}", protocol=old, **options).close()
        with self.assertWarnsRegex(UserWarning, "'sentinel_candidates' is an old name of"):
            gymnasium.make_vec("ScheduleGym/ModifyModel-v0", 2, protocol=old, **SMALL).close()

    def test_a_table_by_either_word(self):
        table = f'table(file="{TABLES / "matmul.table"}")'
        self.assertEqual(self.episode("ScheduleGym/ModifyModel-v0", measure=table),
                         self.episode("ScheduleGym/ModifyTable-v0"))

    def test_networks_have_no_other_model(self):
        self.refused(ValueError, "measure: found .*expected one of: analytical, host, table", gymnasium.make,
                     "ScheduleGym/Network-v0", measure="model(pretrained)")

    def test_vectors_and_networks(self):
        vector = gymnasium.make_vec("ScheduleGym/Modify-v0", 2, measure="analytical", **SMALL)
        self.addCleanup(vector.close)
        self.assertEqual(vector.reset(seed=1)[0].shape[0], 2)
        network = gymnasium.make("ScheduleGym/NetworkTable-v0", measure="analytical", slots=2,
                                 target="llvm(cores=1)")
        self.addCleanup(network.close)
        self.assertIsNone(network.unwrapped._core.clock)


if __name__ == "__main__":
    unittest.main()
