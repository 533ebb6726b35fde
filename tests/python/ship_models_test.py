"""Models that come with the program: their script, lists of them, and what takes them."""
import gzip
import math
import os
import unittest
from unittest import mock

from harness import ROOT, PackageTest, ProgramTest, load_benchmark

FOLDER = ROOT / "agents/cost/shipped"
MATMUL = ("tune", "matmul(m=16,n=16,k=16)", "--space", "ansor", "--trials", "3", "--measure")


class ShipModelsTest(PackageTest, ProgramTest):
    def setUp(self):
        super().setUp()
        self.script = load_benchmark("ship_models")

    def test_floats_keep_seven_bits(self):
        import struct
        for number, expected in ((1.0, 1.0), (-0.75, -0.75), (1 + 2**-7, 1 + 2**-7), (1 + 2**-9, 1.0),
                                 (1 - 2**-10, 1.0), (0.0, 0.0)):
            kept, = struct.unpack("<f", self.script.rounded(struct.pack("<f", number)))
            self.assertEqual(kept, expected)
        kept, = struct.unpack("<f", self.script.rounded(struct.pack("<f", math.pi)))
        self.assertLess(abs(kept / math.pi - 1), 2**-8)

    def test_what_is_shipped_needs_no_more_shrinking(self):
        for file in sorted(FOLDER.glob("*.model.gz")):
            model = gzip.decompress(file.read_bytes())
            self.assertEqual(self.script.shrunk(model), model, f"{file.name}: also its checksum")

    def test_a_shrunk_network_predicts_nearly_the_same(self):
        train = ("train", "mlp(width=4,epochs=1)", "--data", ROOT / "experiments/data/sample.points.gz",
                 "-o", "whole.model")
        result = self.run_program(*train)
        if result.returncode == 3:
            self.skipTest(result.stderr.strip())
        self.assertEqual(result.returncode, 0, result.stderr)
        whole = (self.folder / "whole.model").read_bytes()
        small = self.script.shrunk(whole)
        self.assertLess(len(small), len(whole) / 3)
        (self.folder / "small.model").write_bytes(small)
        rows = [row for row in self.events("evaluate", "whole.model", "small.model", "--data",
                                           ROOT / "experiments/data/sample.points.gz", "--split", "valid")
                if row["event"] == "row" and row["metric"] == "pairs" and not row.get("network")]
        one, other = [row["value"] for row in rows if row["model"] != "ceiling"]
        self.assertAlmostEqual(one, other, delta=0.01)


class ShippedEnvironmentTest(PackageTest):
    def test_an_environment_is_paid_by_one(self):
        import gymnasium
        speeds = {}
        for model in ("pretrained_tuna", "pretrained_mlp"):
            try:
                env = gymnasium.make("ScheduleGym/ModifyModel-v1", workload="matmul(m=16,n=16,k=16)",
                                     steps=4, model=model)
                env.reset(seed=1)
            except Exception as fault:
                if "libtorch-dev" not in str(fault):
                    raise
                continue
            self.addCleanup(env.close)
            speeds[model] = env.step(0)[4]
        self.assertIn("pretrained_tuna", speeds)


class ShippedModelsTest(ProgramTest):
    def names(self):
        return [item["name"] for item in self.events("list", "models") if "card" in item]

    def test_lists_have_a_card_of_each(self):
        self.assertEqual(sorted(self.names()),
                         sorted(file.name.removesuffix(".model.gz") for file in FOLDER.glob("*.gz")))
        for name in self.names():
            text = self.succeed("list", "models", name)
            for line in (FOLDER / f"{name}.card").read_text().splitlines():
                self.assertIn(f"\n  {line}", text)

    def test_all_files_have_a_megabyte_and_a_half(self):
        sizes = {file.name.removesuffix(".model.gz"): file.stat().st_size for file in FOLDER.glob("*.gz")}
        self.assertLessEqual(sum(sizes.values()), 1_500_000)
        for name, size in sizes.items():
            self.assertIn(f"bytes: {size:,}\n", (FOLDER / f"{name}.card").read_text())

    def test_a_search_is_paid_by_each(self):
        for name in self.names():
            result = self.run_program(*MATMUL, f"model({name})", "--agent", "random")
            if result.returncode == 3 and "libtorch-dev" in result.stderr:
                continue
            if name == "pretrained_stages":  # of schedules that are points of a sketch
                self.assertIn("does not judge the reference schedule", result.stderr)
                continue
            self.assertEqual(result.returncode, 0, result.stderr)

    def test_a_search_goes_on_with_what_a_network_predicted(self):
        words = (*MATMUL, "model(pretrained_mlp)", "--agent", "random", "--store", "one.db")
        if self.run_program(*words).returncode == 3:
            self.skipTest("no LibTorch")
        done = self.events(*words, "--seed", "1")[-1]
        self.assertGreater(done["best_known"]["seconds"], 0)

    def test_a_search_begins_with_one(self):
        for agent in ("ansor(model=pretrained_tuna,population=16)", "es(model=pretrained_mlp,steps=1,samples=4)",
                      "value(model=pretrained_stages)"):
            result = self.run_program(*MATMUL, "analytical", "--agent", agent)
            if result.returncode == 3 and "libtorch-dev" in result.stderr:
                continue
            self.assertEqual(result.returncode, 0, result.stderr)

    def test_what_is_not_there_is_said_in_a_line(self):
        for agent in ("ansor(model=pretrained_forest)", "value(model=pretrained_forest)"):
            result = self.run_program(*MATMUL, "analytical", "--agent", agent)
            if result.returncode == 3 and "libtorch-dev" in result.stderr:
                continue
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertIn("pretrained_recursive", result.stderr)
        with mock.patch.dict(os.environ, SCHEDULEGYM_AGENT="/nowhere/schedulegym-agent"):
            line = self.refused(3, *MATMUL, "analytical", "--agent", "ansor(model=pretrained_mlp)")
            self.assertIn("/nowhere/schedulegym-agent", line)


if __name__ == "__main__":
    unittest.main()
