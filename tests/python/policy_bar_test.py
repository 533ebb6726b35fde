"""What the script policy_bar.py makes of what policies found."""
import contextlib
import io
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

from harness import ROOT


class PolicyBarTest(unittest.TestCase):
    def setUp(self):
        sys.path.append(str(ROOT / "experiments/bench/environments"))
        self.addCleanup(sys.path.pop)
        try:
            import policy_bar
        except ImportError as fault:
            raise unittest.SkipTest(f"no NumPy or Gymnasium: {fault}") from None
        self.script = policy_bar

    def test_tasks_are_one_of_each_kind_and_held_out(self):
        import schedulegym
        valid = {str(task) for _, task in schedulegym.read_network("programs_valid")}
        self.assertEqual(len(set(self.script.TASKS)), 10)
        kinds = [task.partition("(")[0] for task in self.script.TASKS[1:]]
        self.assertEqual(len(set(kinds)), 8)  # conv2d with stride 1 and 2
        for task in self.script.TASKS[1:]:
            self.assertIn(task, valid)

    def test_what_is_kept_is_not_trained_again(self):
        def found(task, policies, steps, late, model):
            self.calls += 1
            yield self.script.Found("policy, best episode", 0, 2.0, task)
            yield self.script.Found("policy, last tenth", 0, 9.0, "")
        self.calls = 0
        with tempfile.TemporaryDirectory() as folder:
            words = ["policy_bar.py", "--keep", folder, "--tasks", "a(n=1);b(n=2)"]
            measured = mock.Mock(side_effect=[mock.Mock(speed=0.5), mock.Mock(speed=2.0)])
            with mock.patch.object(self.script, "policies", found), \
                    mock.patch.object(self.script, "measure", measured):
                for more in ([], ["--measure"]):
                    out = io.StringIO()
                    with mock.patch.object(sys, "argv", words + more), \
                            contextlib.redirect_stdout(out):
                        self.script.main()
            self.assertEqual(self.calls, 2)
            self.assertEqual(len(list(pathlib.Path(folder).iterdir())), 2)
            self.assertIn("| `a(n=1)` | 1 | 2.000 (2.000 to 2.000) | 0.500", out.getvalue())
            self.assertIn("| geometric mean of 2 | | | 1.000 | |", out.getvalue())


if __name__ == "__main__":
    unittest.main()
