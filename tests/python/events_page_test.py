"""The page on JSON events names each event that the sources send, and the fields of the larger ones."""
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/reference/events.md"
# By the word that sends it in C++ and in Python.
SENT = {".cc": re.compile(r'\bEvent\("(\w+)"'), ".py": re.compile(r'\.event\("(\w+)"')}
FOLDERS = ("cli", "studies", "leaderboard")
# Sources whose objects a table of the page describes whole.
DESCRIBED = ("cli/bench/bench_events.cc", "cli/simulate_report.cc", "cli/evaluate/evaluation_report.cc",
             "cli/evaluate/train_network.cc")
FIELD = re.compile(r'\{"(\w+)",')
# Parts of objects that are named elsewhere on the page or are a prefix.
NAMES_OF_PARTS = {"geomean_ratio", "geomean_ratio_plain"}


def sent():
    """The names of events, each with a file that sends it."""
    return {name: path for folder in FOLDERS for path in sorted((ROOT / "experiments" / folder).rglob("*"))
            if path.suffix in SENT for name in SENT[path.suffix].findall(path.read_text())}


class EventsPageTest(unittest.TestCase):
    def test_each_event_is_named(self):
        rows = set(re.findall(r"^\| `(\w+)` \|", PAGE.read_text(), re.MULTILINE))
        names = sent()
        self.assertIn("trial", names)
        self.assertIn("run", names)
        missing = {name: str(path) for name, path in names.items() if name not in rows}
        self.assertEqual(missing, {})

    def test_each_field_of_results_is_named(self):
        named = set(re.findall(r"`([\w.]+)`", PAGE.read_text()))
        for source in DESCRIBED:
            fields = set(FIELD.findall((ROOT / "experiments" / source).read_text()))
            self.assertGreater(len(fields), 1, source)
            self.assertEqual(fields - named - NAMES_OF_PARTS, set(), source)


if __name__ == "__main__":
    unittest.main()
