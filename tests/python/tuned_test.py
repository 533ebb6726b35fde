"""The best schedules that come with the project can be imported whole."""
import json
import unittest

from harness import ROOT, ProgramTest


class TunedTest(ProgramTest):
    def test_every_file_is_intact(self):
        files = sorted((ROOT / "experiments/tuned").glob("*.jsonl"))
        self.assertTrue(files)
        for number, path in enumerate(files):
            store = ("--store", f"{number}.db")
            (item,) = self.events("records", "import", path, *store)
            lines = len(path.read_text().splitlines()) - 1
            self.assertEqual((item["new"], item["put_aside"], item["trailer"]), (lines, 0, True))
            self.succeed("records", "check", *store)

    def test_no_case_stands_twice(self):
        for path in (ROOT / "experiments/tuned").glob("*.jsonl"):
            records = [json.loads(line) for line in path.read_text().splitlines()[:-1]]
            tasks = [record["task"]["key"] for record in records]
            self.assertEqual(len(tasks), len(set(tasks)))
            self.assertEqual({record["outcome"] for record in records}, {"ok"})


if __name__ == "__main__":
    unittest.main()
