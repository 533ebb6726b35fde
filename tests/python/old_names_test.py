"""Names of before: they work, and each warns once by the name of today."""
import importlib
import sys
import unittest
import warnings

from harness import PackageTest, schedulegym as sg

if sg:
    from schedulegym import _schedulegym, old_names


class OldNamesTest(PackageTest):
    def test_modules(self):
        for old, new in old_names.MODULES.items():
            try:
                importlib.import_module(new)
            except ModuleNotFoundError:
                continue  # the extra `studies` is not there
            sys.modules.pop(old, None)
            with self.subTest(old), warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                self.assertIs(importlib.import_module(old), importlib.import_module(new))
                importlib.import_module(old)
                said = [w for w in caught if issubclass(w.category, DeprecationWarning)
                        and "schedulegym" in str(w.message)]
                self.assertEqual([str(w.message) for w in said], [f"{old} is {new} now"])

    def test_a_name_from_its_package(self):
        sys.modules.pop("schedulegym.studies.gap", None)
        with self.assertWarns(DeprecationWarning) as caught:
            from schedulegym.studies import gap
        self.assertEqual(gap.PARTS[0], "space")
        self.assertEqual(caught.filename, __file__)

    def test_the_code_of_a_program(self):
        with self.assertWarns(DeprecationWarning):
            found = old_names._OldNames().get_code("schedulegym.studies.planted")
        self.assertTrue(found.co_filename.endswith("power.py"))

    def test_the_evaluations_of_an_environment(self):
        env = sg.ScheduleEnv("matmul(m=8,n=8,k=8)", source="model")
        env.reset(seed=0)
        with self.assertWarnsRegex(DeprecationWarning, "evaluations"):
            self.assertEqual(env.judgements, env.evaluations)

    def test_the_warnings_of_a_search(self):
        request = _schedulegym.SearchRequest()
        with self.assertWarnsRegex(DeprecationWarning, "on_remark is on_warning now"):
            request.on_remark = print
        self.assertIs(request.on_warning, print)
        with self.assertWarnsRegex(DeprecationWarning, "on_remark is on_warning now"):
            self.assertIs(request.on_remark, print)

    def test_the_status_of_a_trial(self):
        known = []

        class Drawing(sg.Agent):
            def __init__(self):
                self.space, self.rng = sg.SearchSpace(), sg.Rng(3)

            def propose(self, task, count):
                return [self.space.sample(task, self.rng)]

            def learn_trials(self, trials):
                known.extend(trials)

        sg.tune("softmax(n=4,m=8)", agent=Drawing(), trials=1, measure="analytical")
        with self.assertWarnsRegex(DeprecationWarning, "status"):
            self.assertEqual(known[0].told, known[0].status)


if __name__ == "__main__":
    unittest.main()
