"""The script that tells where on their tracks schedules were met, on records made up here."""
import json
import subprocess
import sys
import unittest

from harness import ROOT, ProgramTest

SCRIPT = ROOT / "experiments/bench/track_notes.py"


def record(ratio, note="", seed=0):
    """Failed where the ratio is none."""
    return {"state_key": "0" * 32, "agent": "harl", "seed": seed, "space": "ansor", "note": note,
            "outcome": "ok" if ratio else "wrong_output", "timing": ratio and {"ratio": ratio},
            "task": {"workload": "matmul(m=8,n=8,k=8)"}}


class TrackNotesTest(ProgramTest):
    def export(self, name, records):
        return self.write(name, "".join(json.dumps(one) + "\n" for one in records))

    def call(self, *words):
        return subprocess.run([sys.executable, SCRIPT, *map(str, words)], capture_output=True,
                              text=True)

    def tables(self, *words):
        result = self.call(*words)
        self.assertEqual(result.returncode, 0, result.stderr)
        return [[[cell.strip() for cell in line.strip("|").split("|")]
                 for line in table.splitlines() if not line.startswith("| ---")]
                for table in result.stdout.strip().split("\n\n")]

    def test_the_best_of_each_search_and_all_that_were_measured(self):
        policy = self.export("policy.jsonl", [
            record(1.0, "track(step=0,gain=1)"), record(3.0, "track(step=21,gain=2)"),
            record(2.0), record(None, "track(step=9,gain=9)"),
            record(1.5, "track(step=20,gain=0.5)", seed=1), record(1.4, seed=1)])
        uniform = self.export("uniform.jsonl", [record(1.0, "track(step=1,gain=0.25)")])
        places, gains = self.tables(f"policy={policy}", f"uniform={uniform}")
        self.assertEqual(places, [
            ["steps of the track", "policy: bests", "policy: measured", "uniform: bests",
             "uniform: measured"],
            ["0", "0", "1", "0", "0"], ["1-20", "1", "1", "1", "1"], ["21-40", "1", "1", "0", "0"],
            ["no track", "0", "2", "0", "0"]])
        self.assertEqual(gains[1][:3], ["policy", "2", "1.000"])
        self.assertEqual(gains[1][-1], "50 %")
        self.assertEqual(gains[2][:3], ["uniform", "1", "0.250"])

    def test_refuses_what_is_no_such_file(self):
        plain = self.export("plain.jsonl", [record(1.0)])
        text = self.write("text.jsonl", '{"state_key": ""}\n')
        for expected, words in {"expected LABEL=FILE": [plain],
                                "found no record with a note": [f"a={plain}"],
                                "text.jsonl:1: found no record": [f"a={text}"],
                                "nowhere": ["a=nowhere"],
                                "--width 0": [f"a={plain}", "--width", "0"]}.items():
            with self.subTest(expected):
                result = self.call(*words)
                self.assertEqual(result.returncode, 2)
                self.assertIn(expected, result.stderr)
                self.assertEqual(len(result.stderr.splitlines()), 1)


if __name__ == "__main__":
    unittest.main()
