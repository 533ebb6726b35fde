"""Logs of Ansor and TenSet: written from records, and learned from by `tlp`."""
import gzip
import json
import re
import unittest
import zlib

from harness import ProgramTest

TLP = "tlp(width=8,attention_heads=2,epochs=2)"


def line(key, cost, steps, error=0):
    """As TenSet has it."""
    task = [json.dumps([key, 64, 64]), "llvm -keys=cpu", [4, 64, 64, 0, 0, 0, 0, 0], "llvm", 0, []]
    return json.dumps({"i": [task, [[], steps]], "r": [[cost], error, 0.5, 1.6e9], "v": "v0.6"}) + "\n"


def foreign(*keys):
    """Six programs of each key."""
    return "".join(line(key, 1e-3 * length, [["SP", 2, 0, 64, [length, 2], 1], ["AN", 2, 0, 3]])
                   for key in keys for length in (1, 2, 4, 8, 16, 32))


def as_measured(text):
    """A line of `records export` with the name of a protocol, and the checksum that belongs to it."""
    text = re.sub(r'"crc":"[0-9a-f]{8}",', "", text)
    text, count = re.subn(r'"protocol":"analytical[^,]*",', '"protocol":"cpu1(rounds=5)",', text)
    assert count == 1, text
    crc = f'"crc":"{zlib.crc32(text.encode()):08x}",'
    return text.replace('"host":', crc + '"host":', 1) + "\n"


def traces(path):
    """Of a file of programs: workload and trace of each, in order of these."""
    with gzip.open(path, "rt") as lines:
        header, *rows = map(json.loads, lines)
    return sorted((header["tasks"][row[0]]["workload"], [header["steps"][step] for step in row[5]])
                  for row in rows)


class AnsorLogTest(ProgramTest):
    def write(self, text, name="log.json"):
        (self.folder / name).write_text(text)

    def collect(self, space="ansor", *workloads):
        """Records as of a measurement, whatever else the machine does: a model's, under a protocol's name."""
        for workload in workloads or ("softmax(n=4,m=16)", "matmul(m=8,n=8,k=8)"):
            self.succeed("tune", workload, "--target", "interpreter", "--agent", "random", "--space", space,
                         "--trials", "12", "--measure", "analytical", "--store", "made.db")
        self.succeed("records", "export", "--store", "made.db", "-o", "made.jsonl")
        self.write("".join(as_measured(one) for one in (self.folder / "made.jsonl").read_text().splitlines()
                           if '"record"' in one), "made.jsonl")
        self.succeed("records", "import", "made.jsonl", "--store", "mine.db")

    def train(self, *words):
        result = self.run_program("train", TLP, "--data", "log.json", "-o", "t.model", *words)
        if result.returncode == 3 and "libtorch-dev" in result.stderr:
            self.skipTest(result.stderr.strip())
        self.assertEqual(result.returncode, 0, result.stderr)
        return result

    def test_records_become_a_log_that_tlp_learns_from(self):
        self.collect()
        self.collect("schedulegym")
        text = self.succeed("records", "export", "--as", "ansor", "--store", "mine.db", "-o", "log.json")
        lines = [json.loads(one) for one in (self.folder / "log.json").read_text().splitlines()]
        self.assertEqual(len(lines), 24)
        self.assertIn(f"{len(lines)} records in 'log.json'", text)
        self.assertIn("of other spaces", text)
        for one in lines:
            task, (stages, steps) = one["i"]
            function, key, tensors = json.loads(task[0])
            self.assertEqual((function, len(key), stages, one["v"]), ("schedulegym_task", 32, [], "v0.6"))
            self.assertEqual(len(task), 6)
            self.assertTrue(all(step[1] < 2 * tensors for step in steps), steps)
            self.assertEqual(len(one["r"]), 4)
        imported, = self.items("records", "import", "log.json", "--store", "other.db")
        self.assertEqual(imported["foreign"], {"ansor": len(lines)})

        self.train()
        events = self.events("evaluate", "t.model", "--data", "log.json")
        summary, = [event for event in events if event["event"] == "summary"]
        self.assertEqual(summary["tasks"], 2)
        metrics = {event["metric"] for event in events if event["event"] == "row"}
        self.assertIn("pairs", metrics)
        self.assertNotIn("predict-us-1", metrics)
        self.succeed("tune", "matmul(m=8,n=8,k=16)", "--measure", "analytical", "--space", "ansor",
                     "--agent", "ansor(model=t.model,population=16)", "--trials", "2")

    def test_what_a_log_has_beside_is_left_out_and_counted(self):
        self.write(foreign("a", "b") + line("a", 1e10, [], error=4) + line("a", 1, [["ZZ", 1]]) +
                   line("b", 1, [["ZZ", 1]]) + "{}\n")
        result = self.train()
        self.assertEqual(result.stderr.count("unknown step 'ZZ'"), 1, result.stderr)
        self.assertIn("2 of its lines left out, line 14 first: unknown step 'ZZ'", result.stderr)
        self.assertIn("the measurement failed", result.stderr)
        result = self.run_program("evaluate", "t.model", "--data", "log.json")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stderr.count("unknown step 'ZZ'"), 1, result.stderr)

    def test_named_computations_are_those_of_the_store(self):
        self.collect()
        self.succeed("records", "export", "--as", "ansor", "--store", "mine.db", "-o", "log.json")
        pack = ("records", "pack", "--target", "interpreter")
        keys = {json.loads(one)["i"][0][0] for one in (self.folder / "log.json").read_text().splitlines()}
        matmul, softmax = sorted(keys, key=lambda key: json.loads(key)[2])
        named = ("--computation", f"{matmul}=matmul(m=8,n=8,k=8)",
                 "--computation", f"{softmax}=softmax(n=4,m=16)")
        self.succeed(*pack, "log.json", *named, "-o", "named.points.gz")
        self.succeed(*pack, "mine.db", "-o", "mine.points.gz")
        of_log, of_store = (traces(self.folder / f"{name}.points.gz") for name in ("named", "mine"))
        self.assertEqual(len(of_log), 24)
        self.assertEqual(of_log, of_store)
        self.succeed("evaluate", "analytical", "--data", "named.points.gz", "--split", "all")

        self.succeed(*pack, "log.json", "-o", "unnamed.points.gz")
        refused = lambda *words: self.refused(2, *pack, "log.json", "-o", "x.points.gz", *words)
        self.assertIn("expected HASH=WORKLOAD", refused("--computation", "abc"))
        line = refused("--computation", "abc=matmul(m=8,n=8,k=8)")
        self.assertIn("found 'abc', of which no program is left; the logs have also: [", line)
        self.assertIn("unknown workload 'matmull'", refused("--computation", "abc=matmull"))
        self.assertIn("expected them with pack", self.refused(2, "records", "stats", *named))

    def test_what_cannot_learn_or_judge_is_refused(self):
        self.write(foreign("a", "b"))
        train = lambda model, data="log.json": self.refused(2, "train", model, "--data", data, "-o", "x.model")
        evaluate = lambda model: self.refused(2, "evaluate", model, "--data", "log.json")
        self.assertIn("computations are not known", train("boosted"))
        self.assertIn("computations are not known", evaluate("analytical"))
        self.assertIn("computations are not known", evaluate("boosted"))
        self.write(line("a", 1e10, [], error=4), "failed.json")
        self.assertIn("found no success of Ansor's in 1 lines", train("boosted", "failed.json"))
        self.write("{" * 1000, "torn.json")
        self.assertIn("found no success of Ansor's", train("boosted", "torn.json"))
        (self.folder / "dag.pkl").write_bytes(b"\x80\x04\x95\x00")
        self.assertIn("a Python pickle, which is never loaded", train("boosted", "dag.pkl"))
        self.train()  # or there is no LibTorch
        for model in ("mlp", "pacm", "recursive", "oneshot_net", "tlp(task=numbers)"):
            self.assertIn("expected the model tlp(task=none)", train(model), model)

    def test_an_export_is_of_something_and_in_a_known_format(self):
        self.collect("schedulegym")
        export = lambda *words: self.refused(2, "records", *words, "-o", "x.json", "--store", "mine.db")
        self.assertIn("found no measured record of the space 'ansor'", export("export", "--as", "ansor"))
        self.assertIn("tvm", export("export", "--as", "tvm"))
        self.assertIn("expected it with export", export("best", "--as", "ansor"))

    def test_what_ansor_has_no_step_for_is_left_out(self):
        self.collect()
        self.collect("ansor(layout=true)", "conv2d(h=4,w=4,ci=4,co=16,k=1)")
        result = self.run_program("records", "export", "--as", "ansor", "--store", "mine.db", "-o", "x.json",
                                  "--json")
        item, = self.parse(result.stdout)
        self.assertEqual((item["records"], item["refused"]), (24, 12))
        self.assertEqual(result.stderr.count("pack has no step of Ansor's"), 10)

    def items(self, *words):
        return [event for event in self.events(*words) if event["event"] == "item"]


if __name__ == "__main__":
    unittest.main()
