"""The page of DynaTune tells its options as they are."""
import re
import unittest

import doc_pages
from harness import ProgramTest

DRAWN = ("--curves", "drawn(trials=64)", "--problems", "2")


def options():
    """By key: what the page says of it in either mode, and its range."""
    page = doc_pages.read("docs/dynatune.md")
    section = page.split("\n## What can be set\n")[1].split("\n## ")[0]
    table = {}
    for line in section.splitlines():
        if line.startswith("| `"):
            key, improved, faithful, span, _ = (cell.strip() for cell in line.strip("|").split("|"))
            table[key.strip("`")] = (improved.strip("`"), faithful.strip("`"), span.replace(",", ""))
    return table


class DynatunePageTest(ProgramTest):
    def listed(self):
        """By key what the program says that it takes, by default the first."""
        (entry,) = [e for e in self.events("list", "schedulers") if e["name"] == "dynatune"]
        return dict(part.split("=", 1) for part in re.split(r", (?=[a-z_]+=)", entry["parameters"]))

    def played(self, spec):
        rows = [e for e in self.events("simulate", "--schedulers", spec, *DRAWN)
                if e["event"] == "row"]
        return [(row["area"], row["latency"], row["trials"], row["fits"]) for row in rows]

    def test_the_table_has_every_key_and_its_default(self):
        self.assertEqual({key: words.split("|")[0] for key, words in self.listed().items()},
                         {key: row[0] for key, row in options().items()})

    def test_each_column_is_what_its_mode_does(self):
        for column, mode in enumerate(("improved", "faithful")):
            spelled = ",".join(f"{key}={row[column]}" for key, row in options().items()
                               if key != "mode")
            other = ("faithful", "improved")[column]
            with self.subTest(mode=mode):
                self.assertEqual(self.played(f"dynatune(mode={mode})"),
                                 self.played(f"dynatune(mode={other},{spelled})"))

    def test_what_lies_beyond_a_range_is_refused(self):
        spans = {key: re.match(r"^(\d+) to (\d+)$", row[2]) for key, row in options().items()}
        numbers = {key: span for key, span in spans.items() if span}
        self.assertGreater(len(numbers), 5)
        for key, span in numbers.items():
            for bad in (int(span[1]) - 1, int(span[2]) + 1):
                with self.subTest(key=key, value=bad):
                    self.assertIn(key, self.refused(2, "simulate", "--schedulers",
                                                    f"dynatune({key}={bad})", *DRAWN))
            for good in (int(span[1]), int(span[2])):
                if key in ("walkers", "steps"):
                    continue  # the largest takes hours
                with self.subTest(key=key, value=good):
                    self.played(f"dynatune({key}={good},fit=least_squares)")


if __name__ == "__main__":
    unittest.main()
