"""The examples of the package's docstrings do what they say."""
import doctest
import importlib.util
import inspect
import os
import re
import subprocess
import sys
import unittest

from harness import PROGRAM, PackageTest, schedulegym as sg


class DocstringsTest(PackageTest):
    def setUp(self):
        super().setUp()
        self.need_llvm()

    def run_examples(self, things, names):
        parser, runner = doctest.DocTestParser(), doctest.DocTestRunner()
        told = []
        for name, thing in things.items():
            test = parser.get_doctest(inspect.getdoc(thing) or "", dict(names), name, None, 0)
            runner.run(test, out=told.append, clear_globs=False)
        self.assertEqual(runner.failures, 0, "".join(told))
        return runner.tries

    def test_the_package(self):
        things = {name: getattr(sg, name) for name in sg.__all__}
        self.assertGreater(self.run_examples(things, things), 40)

    def test_measured_programs(self):
        import numpy as np

        from schedulegym import data
        names = {**vars(sg), **vars(data), "np": np}
        things = {name: thing for name, thing in vars(data).items()
                  if str(getattr(thing, "__module__", None)).startswith(data.__name__)}
        self.assertGreater(self.run_examples(things, names), 1)

    def test_the_wrappers(self):
        import gymnasium

        from schedulegym.wrappers import MaskedDictObservation
        names = {"gymnasium": gymnasium, "MaskedDictObservation": MaskedDictObservation}
        self.run_examples({"MaskedDictObservation": MaskedDictObservation}, names)

    @unittest.skipIf(importlib.util.find_spec("sb3_contrib") is None, "needs sb3_contrib: ./sg setup train")
    def test_policies_of_stable_baselines(self):
        """The head of the module: a policy is trained, and a search takes it."""
        from schedulegym import sb3
        program, command = re.search(r"\n\n(    from .*?)\n\n    (schedulegym tune .*?)\n\n", sb3.__doc__,
                                     re.DOTALL).groups()
        os.environ["SCHEDULEGYM_PYTHON"] = sys.executable
        self.addCleanup(os.environ.pop, "SCHEDULEGYM_PYTHON")
        program = inspect.cleandoc(program)
        for said, short in (("n_steps=256", "n_steps=8, batch_size=16, n_epochs=1"), ("100_000", "16")):
            self.assertIn(said, program)
            program = program.replace(said, short)
        exec(program, {})
        self.assertTrue((self.folder / "policy.zip").exists())
        command = command.replace("schedulegym", f"'{PROGRAM}'", 1)
        result = subprocess.run(["sh", "-ec", f"{command} --trials 2 --measure analytical"],
                                capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stderr)
        wrong = subprocess.run(["sh", "-ec", f"{command} --trials 2 --measure analytical --space ansor"],
                               capture_output=True, text=True)
        self.assertNotEqual(wrong.returncode, 0)
