"""The options of DynaTune are listed as they act, and the page of schedulers has those of drawn curves."""
import re
import unittest

import doc_pages
from harness import ProgramTest

DRAWN = ("--curves", "drawn(trials=64)", "--problems", "2")


def rows_of(title):
    """By key the other cells of its row, in the section of that title."""
    page = doc_pages.read("docs/design/dynatune.md")
    section = page.split(f"\n## {title}\n")[1].split("\n## ")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")]
            for line in section.splitlines() if line.startswith("| `")]
    return {key.strip("`"): cells for key, *cells in rows}


class DynatunePageTest(ProgramTest):
    def options(self):
        """By key: its default in either mode, and its range."""
        entry, = self.events("list", "schedulers", "dynatune")
        return {one["key"]: (one["default"], one["published"], one["range"])
                for one in entry["options"]}

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
                         {key: row[0] for key, row in self.options().items()})

    def test_each_column_is_what_its_mode_does(self):
        for column, mode in enumerate(("improved", "faithful")):
            spelled = ",".join(f"{key}={row[column]}" for key, row in self.options().items()
                               if key != "mode")
            other = ("faithful", "improved")[column]
            with self.subTest(mode=mode):
                self.assertEqual(self.played(f"dynatune(mode={mode})"),
                                 self.played(f"dynatune(mode={other},{spelled})"))

    def test_what_lies_beyond_a_range_is_refused(self):
        spans = {key: re.match(r"^(\d+) to (\d+)$", row[2]) for key, row in self.options().items()}
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

    def test_the_table_of_drawn_curves_is_what_is_drawn(self):
        table = rows_of("Recorded curves")
        help_text = " ".join(self.succeed("simulate", "--help").split())
        spelled = re.search(r"drawn\((trials=[^)]*)\)", help_text)[1].replace(" ", "")
        self.assertEqual(spelled, ",".join(f"{key}={row[0]}" for key, row in table.items()))
        words = ("simulate", "--schedulers", "round_robin,linear", "--problems", "2", "--curves")

        def areas(curves):
            return [e["area"] for e in self.events(*words, curves) if e["event"] == "row"]
        self.assertEqual(areas("drawn"), areas(f"drawn({spelled})"))
        for key, (_, span, _) in table.items():
            low, high = (float(end) for end in span.replace(",", "").split(" to "))
            step = 1 if high > 1 else 0.1
            for bad in (low - step, high + step):
                with self.subTest(key=key, value=bad):
                    self.assertIn(f"key '{key}'", self.refused(2, *words, f"drawn({key}={bad:g})"))
            for good in (low, high):
                with self.subTest(key=key, value=good):
                    self.succeed(*words, f"drawn({key}={good:.12g})", "--seconds", "0.001")


if __name__ == "__main__":
    unittest.main()
