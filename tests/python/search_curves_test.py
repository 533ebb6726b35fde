"""The script that tells how fast searches found what they found, on records made up here."""
import json
import subprocess
import sys
import unittest

from harness import ROOT, ProgramTest

SCRIPT = ROOT / "experiments/bench/search_curves.py"


def record(index, ratio, workload="matmul(m=8,n=8,k=8)", agent="ansor", seed=0, space="-",
           started=0.0, candidate=None):
    """With an interval of two percent; failed where the ratio is none."""
    timing = None
    if ratio is not None:
        timing = {"ratio": ratio, "ratio_low": 0.98 * ratio, "ratio_high": 1.02 * ratio}
    return {"state_key": candidate or f"{index:032x}", "index": index, "agent": agent, "seed": seed,
            "space": space, "started": started, "outcome": "ok" if timing else "wrong_output",
            "task": {"workload": workload}, "timing": timing}


class SearchCurvesTest(ProgramTest):
    def export(self, records):
        return self.write("records.jsonl", "".join(json.dumps(one) + "\n" for one in records))

    def call(self, *words):
        return subprocess.run([sys.executable, SCRIPT, *map(str, words)], capture_output=True,
                              text=True)

    def tables(self, records, *words):
        """Lists of lines, each a list of cells, titles first."""
        result = self.call(f"here={self.export(records)}", *words)
        self.assertEqual(result.returncode, 0, result.stderr)
        return [[[cell.strip() for cell in line.strip("|").split("|")]
                 for line in table.splitlines() if not line.startswith("| ---")]
                for table in result.stdout.strip().split("\n\n")]

    def refusal(self, *words):
        result = self.call(*words)
        self.assertEqual(result.returncode, 2, result.stdout)
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
        return result.stderr

    def test_the_best_of_the_first_as_a_share_of_the_best(self):
        ratios = [0.5, None, 1.0, 0.8, 2.0]
        (curves,) = self.tables([record(i, r) for i, r in enumerate(ratios)], "--at", "2,4,9")
        self.assertEqual(curves[0][5:], ["trials", "best", "of 2", "of 4", "of 9"])
        self.assertEqual(curves[1][5:], ["5", "2.000", "0.250", "0.500", "-"])

    def test_records_may_come_in_any_order_and_more_than_once(self):
        records = [record(2, 2.0), record(0, 0.5), record(1, 1.9), record(1, 1.0)]
        (curves,) = self.tables(records, "--at", "1,2")
        self.assertEqual(curves[1][5:], ["3", "2.000", "0.250", "0.500"])

    def test_a_later_sitting_goes_on(self):
        records = [record(0, 2.0, started=9.0, candidate="c"), record(0, 0.5, candidate="a"),
                   record(1, 1.0, candidate="b"), record(1, 1.6, started=9.0, candidate="d")]
        (curves,) = self.tables(records, "--at", "2,3")
        self.assertEqual(curves[1][5:], ["4", "2.000", "0.500", "1.000"])

    def test_what_was_measured_again_keeps_its_place(self):
        records = [record(0, 4.0, candidate="a"), record(1, 1.0, started=1.0, candidate="b"),
                   record(0, 0.5, started=2.0, candidate="a")]
        (curves,) = self.tables(records, "--at", "1")
        self.assertEqual(curves[1][5:], ["2", "1.000", "0.500"])

    def test_the_mean_of_all_searches(self):
        records = [record(0, 0.5), record(1, 1.0), record(0, 0.125, "norm(n=8,m=8)"),
                   record(1, 1.0, "norm(n=8,m=8)")]
        (curves,) = self.tables(records, "--at", "1")
        self.assertEqual(curves[-1][0], "geomean")
        self.assertEqual(curves[-1][-1], "0.250")

    def test_seeds_have_a_spread(self):
        records = [record(0, ratio, seed=seed) for seed, ratio in enumerate([1.0, 1.25, 1.2])]
        _, spread = self.tables(records, "--at", "1")
        self.assertEqual(spread[1][4:], ["3", "1.000", "1.200", "1.250", "25.0 %"])

    def test_trials_until_another_agent_is_equalled(self):
        other = [0.9, 0.97, 1.0, 1.1]
        records = [record(0, 1.0)] + [record(i, r, agent="droplet") for i, r in enumerate(other)]
        _, equal = self.tables(records, "--at", "1", "--equal", "ansor")
        self.assertEqual(equal[1][5:], ["4", "1.100", "3 [2, 4]"])

    def test_what_was_never_equalled(self):
        records = [record(0, 0.5), record(1, 2.0), record(0, 0.6, agent="droplet")]
        _, equal = self.tables(records, "--at", "1", "--equal", "ansor")
        self.assertEqual(equal[1][-1], "never [never, never]")
        _, first = self.tables(records, "--at", "1", "--equal", "ansor:1")
        self.assertEqual(first[1][-1], "1 [1, 1]")

    def test_the_best_against_that_of_another_space(self):
        records = [record(0, 1.0, space="ansor"), record(1, 2.0, space="ansor"), record(0, 2.5, space="mine")]
        _, against = self.tables(records, "--at", "1", "--against", "ansor")
        # Intervals of two percent each: 0.98 / 1.02 and 1.02 / 0.98 of it.
        self.assertEqual(against[1][3:], ["mine", "0", "1", "1.250 [1.201, 1.301]"])
        self.assertEqual(against[2], ["geomean", "matmul", "", "", "", "", "1.250"])
        self.assertEqual(len(against), 3)

    def test_spaces_compare_by_operator(self):
        norm = "norm(n=8,m=8)"
        records = [record(0, 1.0, space="a"), record(0, 2.0, space="b"), record(0, 1.0, norm, space="a"),
                   record(0, 8.0, norm, space="b"), record(0, 1.0, "tbs(l=4)", space="b")]
        _, against = self.tables(records, "--at", "1", "--against", "a")
        means = {line[1]: line[-1] for line in against if line[0] == "geomean"}
        self.assertEqual(means, {"matmul": "2.000", "norm": "8.000", "all": "4.000"})

    def test_bad_words(self):
        path = self.export([record(0, 1.0)])
        self.assertIn("found 'x', expected LABEL=FILE", self.refusal("x"))
        self.assertIn("No such file", self.refusal("here=" + str(self.folder / "none")))
        self.assertIn("expected numbers", self.refusal(f"here={path}", "--at", "4,x"))
        self.assertIn("only of ansor", self.refusal(f"here={path}", "--equal", "random"))
        self.assertIn("only of -", self.refusal(f"here={path}", "--against", "ansor"))
        self.assertIn("a number of trials", self.refusal(f"here={path}", "--equal", "ansor:x"))
        path.write_text("[]\n")
        self.assertIn(f"{path}:1: found no record", self.refusal(f"here={path}"))
        path.write_text("")
        self.assertIn("found no records", self.refusal(f"here={path}"))

    def test_what_an_export_holds(self):
        store, out = self.folder / "store.db", self.folder / "out.jsonl"
        self.succeed("tune", "matmul(m=16,n=16,k=16)", "--agent", "random", "--trials", "4", "--target",
                 "llvm(cores=1)", "--store", store, "--quiet")
        self.succeed("records", "export", "--store", store, "-o", out)
        result = self.call(f"here={out}", "--at", "4")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r"`matmul\(m=16,n=16,k=16\)` \| random \| schedulegym \| 0 \| 4 \| "
                                        r"[0-9.]+ \| 1\.000 \|")


if __name__ == "__main__":
    unittest.main()
