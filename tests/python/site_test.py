"""The manual as a site: it builds without a broken link, and its search finds the field's words."""
import importlib.util
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from harness import ROOT, PackageTest

# Words that a newcomer searches for, each with the beginnings of pages that answer.
WORDS = {
    "cost model": ("reference/terms", "design/agents"), "vectorize": ("reference/terms", "reference/primitives"),
    "action mask": ("reference/terms", "guide/train"), "autoreset": ("reference/terms", "guide/train"),
    "checkpoint": ("reference/terms", "design/harl"), "baseline": ("reference/terms", "guide/compare"),
    "plugin": ("guide/agent-cpp", "reference/terms"), "ONNX": ("reference/terms", "guide/troubleshoot"),
    "quantise": ("reference/terms",), "quantization": ("reference/terms",),
    "regret": ("reference/terms", "guide/compare"), "ablation": ("guide/compare", "reference/terms"),
    "warm-up": ("reference/terms",), "budget": ("reference/terms",), "worker": ("reference/terms", "design/measuring"),
    "confidence interval": ("guide/trust", "reference/terms"), "exit code": ("reference/records",),
    "GPU": ("reference/terms", "guide/troubleshoot"), "PyTorch": ("guide/use-a-kernel",),
    "leaderboard": ("guide/run-a-board", "reference/leaderboard"), "learning rate": ("reference/terms",),
    "reward": ("reference/rewards", "reference/terms"), "attention": ("reference/workloads", "guide/first-kernel"),
    "search space": ("reference/spaces", "reference/terms"), "transfer learning": ("reference/terms",),
    "dynamic shapes": ("reference/terms",), "hyperparameters": ("reference/terms",),
}
FIRST = 3


def missing():
    names = ("mkdocs", "material", "lunr", "gymnasium")
    return [name for name in names if importlib.util.find_spec(name) is None]


@unittest.skipIf(missing(), f"needs the extra 'docs': {', '.join(missing())}")
class SiteTest(PackageTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = tempfile.TemporaryDirectory(prefix="schedulegym site ")
        cls.addClassCleanup(folder.cleanup)
        cls.site = pathlib.Path(folder.name)
        cls.result = subprocess.run(
            [sys.executable, ROOT / "experiments/docs/build_site.py", "--build", cls.site],
            capture_output=True, text=True, env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"})

    def page(self, name):
        return (self.site / name).read_text(encoding="utf-8")

    def test_it_builds_strictly(self):
        self.assertEqual(self.result.returncode, 0, self.result.stderr)
        self.assertRegex(self.result.stderr, r"docs: built \d+ pages in \d+ s")

    def test_every_kind_of_page_is_there(self):
        for name in ("index", "guide/install", "results/benchmarks", "design/measuring",
                     "tutorials/tune_and_use", "reference/commands", "reference/agents",
                     "reference/python", "reference/cpp", "reference/environments/ModifyModel",
                     "reference/environments/NetworkTable"):
            self.assertTrue((self.site / f"{name}.html").is_file(), name)

    def test_an_environment_has_the_sections_of_gymnasium(self):
        for name in ("ConstructTable", "ModifyModel", "Network", "File"):
            text = self.page(f"reference/environments/{name}.html")
            for section in ("Action Space", "Observation Space", "Rewards", "Starting State",
                            "Episode End", "Arguments"):
                self.assertRegex(text, rf"<h2[^>]*>{section}", name)

    def test_nothing_is_fetched_when_a_page_is_read(self):
        for path in self.site.rglob("*.html"):
            text = path.read_text(encoding="utf-8")
            fetched = re.findall(r"<(?:script|img)[^>]* src=\"?https?:[^>]*>"
                                 r"|<link[^>]* rel=\"?stylesheet\"?[^>]* href=\"?https?:[^>]*>", text)
            self.assertEqual(fetched, [], path.name)

    def test_the_search_finds_the_words_of_the_field(self):
        from lunr import lunr
        documents = [{"location": one["location"], "title": one["title"],
                      "text": re.sub(r"<[^>]+>", " ", one["text"])}
                     for one in json.loads(self.page("search/search_index.json"))["docs"]]
        # As the theme's search weighs them.
        index = lunr(ref="location", documents=documents,
                     fields=[{"field_name": "title", "boost": 1000}, "text"])
        self.assertGreaterEqual(len(WORDS), 20)
        for words, answers in WORDS.items():
            asked = " ".join(f"+{word}" for word in re.split(r"[ -]", words))
            pages = list(dict.fromkeys(found["ref"].partition("#")[0] for found in index.search(asked)))
            with self.subTest(words):
                self.assertTrue(any(page.startswith(answers) for page in pages[:FIRST]), pages[:FIRST])


if __name__ == "__main__":
    unittest.main()
