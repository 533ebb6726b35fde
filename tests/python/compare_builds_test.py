"""Two builds compared: by programs that answer as benchmarks do."""
import contextlib
import io
import json
import pathlib
import random
import tempfile
import unittest

from harness import load_benchmark

compare_builds = load_benchmark("compare_builds")


class CompareBuildsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="schedulegym test ")
        self.addCleanup(folder.cleanup)
        self.place = pathlib.Path(folder.name)

    def build(self, name, **seconds):
        """A build whose step_benchmark says so."""
        told = [{"name": key, "run_type": "iteration", "real_time": value * 1e6, "time_unit": "us"}
                for key, value in seconds.items()]
        told.append({"name": "mean", "run_type": "aggregate", "real_time": 1, "time_unit": "s"})
        program = self.place / name / "bin/step_benchmark"
        program.parent.mkdir(parents=True)
        program.write_text(f"#!/bin/sh\ncat <<'END'\n{json.dumps({'benchmarks': told})}\nEND\n")
        program.chmod(0o755)
        return self.place / name

    def compare(self, *words, rounds=6):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            code = compare_builds.main([*map(str, words), "--programs", "step_benchmark", "--rounds", str(rounds)])
        return code, out.getvalue()

    def test_what_is_slower_is_named(self):
        old = self.build("old", replay=1.0, lower=2.0, gone=1.0)
        new = self.build("new", replay=0.5, lower=4.0)
        code, text = self.compare(old, new)
        self.assertEqual(code, 1)
        self.assertIn("| step_benchmark | replay | 2.000 [2.000, 2.000] |  |", text)
        self.assertIn("| step_benchmark | lower | 0.500 [0.500, 0.500] | slower |", text)
        self.assertNotIn("gone", text)
        self.assertNotIn("mean", text)

    def test_few_rounds_have_no_verdict(self):
        old, new = self.build("old", lower=2.0), self.build("new", lower=4.0)
        code, text = self.compare(old, new, rounds=5)
        self.assertEqual(code, 0)
        self.assertIn("no verdict: found --rounds 5, expected at least 6", text)

    def test_a_build_is_as_fast_as_itself(self):
        old = self.build("old", replay=1.0)
        self.assertEqual(self.compare(old, old)[0], 0)

    def test_the_bar(self):
        interval = compare_builds.median_interval
        self.assertFalse(compare_builds.is_slower(interval([0.98] * 20), 0.97))
        self.assertTrue(compare_builds.is_slower(interval([0.96] * 20), 0.97))
        self.assertFalse(compare_builds.is_slower(interval([0.5, 1.5] * 10), 0.97))

    def test_both_take_turns_in_a_drawn_order(self):
        calls = []

        def run(program):
            calls.append(program.parent.parent.name)
            return {"a": 1.0}
        ratios = compare_builds.compared([pathlib.Path("x"), pathlib.Path("y")], ["p"], 20, run, random.Random(0))
        self.assertEqual([{*calls[i:i + 2]} for i in range(0, 40, 2)], [{"x", "y"}] * 20)
        self.assertEqual({calls[i] for i in range(0, 40, 2)}, {"x", "y"})
        self.assertEqual(ratios, {("p", "a"): [1.0] * 20})

    def test_what_is_no_build_is_refused(self):
        errors = io.StringIO()
        with contextlib.redirect_stderr(errors), self.assertRaises(SystemExit):
            self.compare(self.build("old", a=1.0), self.place / "none")
        self.assertIn("none: found no bin/step_benchmark", errors.getvalue())


if __name__ == "__main__":
    unittest.main()
