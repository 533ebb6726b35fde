"""The examples of the package's docstrings do what they say."""
import doctest
import inspect

from harness import PackageTest, schedulegym as sg


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
