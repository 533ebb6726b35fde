"""The script that sets what was predicted beside what was measured, on records made up here."""
import json
import subprocess
import sys
import unittest

from harness import ROOT, ProgramTest

SCRIPT = ROOT / "experiments/bench/predicted_notes.py"


def record(index, predicted, measured, seed=0, workload="matmul(m=8,n=8,k=8)"):
    """Without a note where nothing was predicted, failed where nothing was measured."""
    note = f"predicted(seconds={predicted})" if predicted else ""
    return {"state_key": f"{index:032}", "agent": "mcts", "seed": seed, "space": "ansor",
            "note": note, "started": 1.0, "index": index,
            "outcome": "ok" if measured else "wrong_output",
            "timing": measured and {"ratio": 1 / measured, "seconds": measured},
            "task": {"workload": workload}}


class PredictedNotesTest(ProgramTest):
    def export(self, name, records):
        return self.write(name, "".join(json.dumps(one) + "\n" for one in records))

    def call(self, *words):
        return subprocess.run([sys.executable, SCRIPT, *map(str, words)], capture_output=True,
                              text=True)

    def cells(self, *words):
        """Of each row, without the titles."""
        result = self.call(*words)
        self.assertEqual(result.returncode, 0, result.stderr)
        return [[cell.strip() for cell in line.strip("|").split("|")]
                for line in result.stdout.splitlines()[2:]]

    def test_spearmans_by_hand(self):
        # Ranks 1 2 3 4 beside 2 1 4 3: 1 - 6 (1 + 1 + 1 + 1) / (4 * 15) = 0.6.
        mixed = self.export("mixed.jsonl", [record(0, 1e-4, 2.0), record(1, 2e-4, 1.0),
                                            record(2, 3e-4, 4.0), record(3, 4e-4, 3.0)])
        self.assertEqual(self.cells(f"mcts={mixed}"),
                         [["mcts", "`matmul(m=8,n=8,k=8)`", "1", "4", "0.60 [0.60, 0.60]", "0.60"]])

    def test_ties_share_their_ranks(self):
        # 1.5 1.5 3 beside 1 2 3: 1.5 / sqrt(1.5 * 2) = 0.866.
        tied = self.export("tied.jsonl", [record(0, 1, 1.0), record(1, 1, 2.0), record(2, 2, 3.0)])
        alike = self.export("alike.jsonl", [record(i, 1, 1.0 + i) for i in range(5)])
        rows = self.cells(f"tied={tied}", f"alike={alike}")
        self.assertEqual(rows[0][4:], ["0.87 [0.87, 0.87]", "0.87"])
        self.assertEqual(rows[1][4:], ["-", "-"])

    def test_ten_of_each_search_and_the_mean_of_all(self):
        # The twelve of seed 0: the ten fastest in order, two slow ones predicted fastest of all and
        # measured last; those of seed 1 against the order.
        records = [record(i, 10 + i, 1.0 + i) for i in range(10)]
        records += [record(10, 1, 50.0), record(11, 2, 60.0)]
        records += [record(i, 10 - i, 1.0 + i, seed=1) for i in range(4)]
        records += [record(12, None, 0.1), record(13, 3, None)]
        path = self.export("some.jsonl", records)
        fastest = self.cells(f"mcts={path}")[0]
        self.assertEqual(fastest[2:5], ["2", "16", "0.00 [-1.00, 1.00]"])
        last = self.cells(f"mcts={path}", "--final", "last")[0]
        # Ranks 3..10 and 1 2 beside 1..10: 1 - 6 (8 * 4 + 2 * 64) / 990 = 0.0303.
        self.assertEqual(last[4], "-0.48 [-1.00, 0.03]")

    def test_refuses_what_is_no_such_file(self):
        plain = self.export("plain.jsonl", [record(0, None, 1.0)])
        for expected, words in {"expected LABEL=FILE": [plain],
                                "found no record with a note": [f"a={plain}"],
                                "nowhere": ["a=nowhere"],
                                "--final": [f"a={plain}", "--final", "first"]}.items():
            with self.subTest(expected):
                result = self.call(*words)
                self.assertEqual(result.returncode, 2)
                self.assertIn(expected, result.stderr)
                self.assertEqual(result.stderr.count("\n"), 1, result.stderr)


if __name__ == "__main__":
    unittest.main()
