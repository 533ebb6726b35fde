"""How much later one build starts than another: the figures, and the script on one program twice."""
import random
import subprocess
import sys

from harness import PROGRAM, ROOT, ProgramTest, load_benchmark
from limited import LimitedTest

SCRIPT = ROOT / "experiments/bench/start_time.py"


class FiguresTest(LimitedTest):
    script = load_benchmark("start_time")

    def test_pairs_have_one_of_each_in_either_order_and_the_first_is_not_counted(self):
        asked = []

        def start(which):
            asked.append(which)
            return 10 * which + len(asked)

        taken = self.script.pairs_of(start, 20, random.Random(1))
        self.assertEqual(len(taken), 20)
        orders = {tuple(asked[i:i + 2]) for i in range(0, 42, 2)}
        self.assertEqual(orders, {(0, 1), (1, 0)})
        self.assertEqual({second - first for first, second in taken}, {9, 11})
        self.assertEqual(min(min(first, second - 10) for first, second in taken), 3)

    def test_what_is_later_is_by_pairs(self):
        lines = self.script.lines_of(["one", "two"], [(1.0, 2.5), (9.0, 10.0), (4.0, 9.0)])
        self.assertEqual([line.split() for line in lines],
                         [["4.00", "ms", "one"], ["9.00", "ms", "two"],
                          "+1.50 ms the second later, [+1.00, +5.00]".split()])


    def test_a_difference_counts_by_its_whole_interval(self):
        taken = [(10.0, 12.0), (20.0, 21.0), (9.0, 13.0)]  # later by 1 to 4
        later = self.script.later_of(taken)
        self.assertEqual([self.script.is_within(later, most) for most in (5, 4, 3.9, 2)],
                         [True, True, False, False])
        sooner = self.script.later_of([(second, first) for first, second in taken])
        self.assertEqual([self.script.is_within(sooner, most) for most in (4, 3.9)], [True, False])


class ScriptTest(ProgramTest):
    def run_script(self, *words):
        return subprocess.run([sys.executable, SCRIPT, *words], capture_output=True, text=True, timeout=100)

    def test_a_program_is_started_beside_itself(self):
        result = self.run_script("--pairs", "2", PROGRAM, PROGRAM)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r"(?m)^ +[+-]\d+\.\d\d ms  the second later, \[.*\]$")

    def test_the_exit_code_tells_a_difference(self):
        for most, code in (("10000", 0), ("1e-9", 1)):
            result = self.run_script("--pairs", "2", "--most", most, PROGRAM, PROGRAM)
            self.assertEqual(result.returncode, code, result.stderr)

    def test_words_that_mean_nothing_are_refused(self):
        for words, complaint in ((("--pairs", "0", PROGRAM, PROGRAM), "--pairs is 0, expected at least 1"),
                                 (("--most", "0", PROGRAM, PROGRAM), "--most is 0.0, expected"),
                                 ((PROGRAM, "/nowhere"), "'/nowhere': No such file or directory, expected"),
                                 ((PROGRAM, "/bin/false"), "'/bin/false' ended with 1")):
            result = self.run_script(*words)
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertIn(complaint, result.stderr)
