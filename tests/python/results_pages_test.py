"""docs/results: pages follow from the kept files, and each ratio in bold is computed again here."""
import collections
import csv
import gzip
import json
import math
import pathlib
import re
import tarfile
import tempfile
import unittest
import xml.etree.ElementTree as xml
from unittest import mock

import doc_pages
from harness import ROOT

try:
    from schedulegym.studies import findings, kept, markdown, pages, ratios, source
    from schedulegym.studies.faults import StudyError
    from schedulegym.studies.study_page import with_ratios
except ImportError as fault:
    raise unittest.SkipTest(f"no studies: {fault}") from None

RESULTS = ROOT / "experiments" / "results"
BOLD = re.compile(r"\*\*([^*]+)\*\*", re.DOTALL)
RATIO = re.compile(r"\d\.\d\d")
# A finding with one of these words claims no difference.
NO_DIFFERENCE = re.compile(r"\b(not shown|not ahead|not tested|level|nothing|gone|at the edge)\b")


def rows(name):
    with gzip.open(RESULTS / name / "results.csv.gz", "rt", newline="") as file:
        return [{**row, "study": name} for row in csv.DictReader(file)]


def by_case(name, arm, over, after, known=()):
    """By case the geometric mean over seeds of an arm's speed over another's, from the rows alone."""
    column = "chosen" if after == "end" else f"best_after_{after}"
    cases, logs = collections.defaultdict(list), collections.defaultdict(list)
    for row in rows(name):
        cases[row["case"]].append(row)
    others = [row for other in known for row in rows(other)]
    for case, found in cases.items():
        slowest = min(float(row[column]) for row in found if float(row[column] or 0) > 0)
        best = max(float(row["chosen"] or 0) for row in found + others if row["case"] == case)
        speeds = {(row["arm"], row["seed"]): float(row[column] or 0) or slowest for row in found}
        for (other, seed), speed in speeds.items():
            below = best if over == "best known" else speeds.get((over, seed))
            if other == arm and below is not None:
                logs[case].append(math.log(speed / below))
    return {case: math.exp(sum(found) / len(found)) for case, found in logs.items()}


def cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


class PagesTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.files = pages.files_of()
        cls.told = kept.read_pages(RESULTS)

    def test_pages_are_up_to_date(self):
        for name, text in self.files.items():
            path = pages.PAGES / name
            self.assertTrue(path.exists() and path.read_text() == text,
                            f"{path.relative_to(ROOT)}: to make it again: ./sg python -m "
                            "schedulegym.studies.pages")

    def test_no_page_is_left_of_a_study_that_is_gone(self):
        made = {path.relative_to(pages.PAGES).as_posix() for path in pages.PAGES.rglob("*")
                if path.suffix == ".svg" or path.suffix == ".md" and "studies.pages" in
                path.read_text().partition("\n")[0]}
        self.assertEqual(made - self.files.keys(), set())

    def test_every_kept_study_has_a_page_and_a_picture(self):
        for file in RESULTS.rglob("results.json.gz"):
            name = file.parent.relative_to(RESULTS).as_posix()
            self.assertIn(f"![", self.files[f"{name}.md"])
            drawn = xml.fromstring(self.files[f"{name}.svg"])
            self.assertLess(len(self.files[f"{name}.svg"]), 32_000, name)
            words = {element.text for element in drawn.iter() if element.tag.endswith("text")}
            arms = {row["arm"] for row in rows(name)}
            self.assertTrue(all(any((word or "").startswith(arm[:20]) for word in words)
                                for arm in arms), name)

    def test_each_bold_ratio_follows_from_the_rows(self):
        expected = {}
        for one in self.told["findings"]:
            ratio = by_case(one["study"], one["arm"], one["over"], one["after"],
                            one.get("known", ()))
            mean = math.exp(sum(map(math.log, ratio.values())) / len(ratio))
            expected[one["text"]] = mean, min(ratio.values()), max(ratio.values())
        self.assertEqual(len(expected), len(self.told["findings"]))
        checked = 0
        for name, text in self.files.items():
            for line in text.splitlines() if name.endswith(".md") else ():
                if RATIO.search(" ".join(BOLD.findall(line))):
                    finding, ratio, span, these, such = cells(line)[:5]
                    digits = len(ratio.strip("*").partition(".")[2])
                    mean, least, most = expected[finding]
                    self.assertEqual(ratio, f"**{mean:.{digits}f}**", f"{name}: {finding}")
                    self.assertEqual(span, f"{least:.{digits}f} to {most:.{digits}f}", finding)
                    self.assertRegex(these, r"^(\[.*, .*\]|-)$", finding)
                    self.assertRegex(such, r"^\[.*, .*\]$", finding)
                    checked += 1
        self.assertGreaterEqual(checked, 2 * len(expected))  # on the first page and the study's

    def test_ratios_in_bold_stand_on_these_pages_alone(self):
        for page in doc_pages.pages():
            if page.removeprefix("docs/results/") not in self.files:
                bold = [words for words in BOLD.findall(doc_pages.prose(doc_pages.read(page)))
                        if RATIO.search(words)]
                self.assertEqual(bold, [], f"{page}: expected a finding in pages.toml instead")

    def test_what_a_finding_says_is_what_its_intervals_show(self):
        studies = {one.name: one for one in pages.read_all()}
        for one, ratio in findings.ratios_of(self.told, studies):
            if one["over"] != "best known":
                claims = not NO_DIFFERENCE.search(one["text"])
                self.assertEqual(claims, ratio.shown is not ratios.Shown.NOTHING, one["text"])

    def test_figures_without_kept_files_say_so(self):
        text = self.files["README.md"].partition("## Figures without kept files\n")[2]
        self.assertIn("no kept file", text.partition("\n## ")[0])
        self.assertTrue(all(one["figure"] in text for one in self.told["unkept"]))

    def test_sources_say_what_the_kept_runs_say(self):
        archives = sorted(RESULTS.rglob("runs.tar.xz"))
        self.assertTrue(archives)
        for archive in archives:
            told = source.read_source(archive.parent / source.NAME)
            with tarfile.open(archive) as runs:
                made = [json.load(runs.extractfile(member))["facts"] for member in runs
                        if member.isfile() and member.name.startswith("timing/")]
            found = source.source_of(made, [], told["command"])
            for key in ("cores", "grade", "noise", "compiler"):
                self.assertEqual(told[key], found[key], archive)
            self.assertTrue(told["machine"].startswith(found["machine"]), archive)
            self.assertTrue(told["version"].startswith(found["version"]), archive)


class MadeUpTest(unittest.TestCase):
    """Results made up here, in the form of a kept study."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.results = pathlib.Path(folder.name)
        name = "harl/lessons"  # any kept study lends its form
        (self.results / name).mkdir(parents=True)
        for file in ("results.json.gz", "results.csv.gz", "source.toml"):
            (self.results / name / file).write_bytes((RESULTS / name / file).read_bytes())
        self.name = name

    def write_pages(self, study, more=""):
        (self.results / "pages.toml").write_text(
            f'[studies."{self.name}"]\n{study}\n[[groups]]\ntitle = "All"\n'
            f'studies = ["{self.name}"]\n{more}')

    def refused(self, expected):
        with self.assertRaisesRegex(StudyError, expected):
            pages.files_of(self.results)

    GOOD = 'title = "A"\nquestion = "B?"'
    FINDING = '[[findings]]\nstudy = "{}"\ntext = "C."\narm = "{}"\nover = "random"\nafter = {}\n'

    def test_a_page_tells_its_finding(self):
        self.write_pages(self.GOOD, self.FINDING.format(self.name, "one epoch", 64))
        text = pages.files_of(self.results)[f"{self.name}.md"]
        self.assertIn("| C. | **", text)
        self.assertIn("# A\n\nB?\n", text)

    def test_a_study_file_that_changed_since_is_told(self):
        self.write_pages(self.GOOD)
        self.assertNotIn("changed since", pages.files_of(self.results)[f"{self.name}.md"])
        file = self.results / self.name / "results.json.gz"
        told = json.loads(gzip.decompress(file.read_bytes()))
        told["study"]["trials"] += 1
        file.write_bytes(gzip.compress(json.dumps(told).encode()))
        self.assertIn(f"changed since: it has `trials = {told['study']['trials'] - 1}`",
                      pages.files_of(self.results)[f"{self.name}.md"])

    def test_what_does_not_exist_is_refused(self):
        self.write_pages('question = "B?"')
        self.refused("harl/lessons: found no title")
        self.write_pages(self.GOOD + "\nolder = 1")
        self.refused("found older, expected title")
        self.write_pages(self.GOOD, self.FINDING.format("harl/none", "one epoch", 64))
        self.refused("found study 'harl/none', which is not kept")
        self.write_pages(self.GOOD, self.FINDING.format(self.name, "two epochs", 64))
        self.refused("unknown arm 'two epochs'")
        self.write_pages(self.GOOD, self.FINDING.format(self.name, "one epoch", 65))
        self.refused("found '65', expected some of 1, 2, 4")
        (self.results / self.name / "source.toml").write_text('date = "2026-11-27"\n')
        self.write_pages(self.GOOD)
        self.refused("command: found None")

    def test_notes_ask_for_ratios(self):
        self.write_pages(self.GOOD)
        (one,) = pages.read_all(self.results)
        text = with_ratios("{one epoch over random after 64}, {one epoch over random in the end on "
                           "contest_matmul}", one, {one.name: one})
        self.assertRegex(text, r"^\d\.\d\d \[\d\.\d\d, \d\.\d\d\], \d\.\d\d$")
        with self.assertRaisesRegex(StudyError, "unknown arm 'two'"):
            with_ratios("{two over random after 64}", one, {})

    def test_check_names_what_is_not_up_to_date(self):
        with mock.patch.object(pages, "PAGES", self.results / "docs"), \
                mock.patch.object(pages, "files_of", lambda: {"a.md": "new\n"}), \
                mock.patch("builtins.print") as said:
            self.assertEqual(pages.main(["--check"]), 1)
            self.assertIn("docs/results/a.md: not up to date", said.mock_calls[0].args[0])
            self.assertEqual(pages.main([]), 0)
            self.assertEqual(pages.main(["--check"]), 0)


class MarkdownTest(unittest.TestCase):
    def test_prose_is_wrapped_and_nothing_else(self):
        row, block = "| " + "a " * 80 + "|", "```text\n" + "b " * 80 + "\n```"
        item = "- " + "word " * 18 + "`./sg tune one two three`\n  end."
        text = f"# Title\n\n{row}\n\n{item}\n- next\n\n{block}\n"
        told = markdown.wrapped(text)
        self.assertEqual(markdown.wrapped(told), told)
        self.assertEqual(told.split(), text.split())
        self.assertIn(f"\n{row}\n", told)
        self.assertIn(f"\n{block}\n", told)
        self.assertIn("\n  `./sg tune one two three` end.\n- next\n", told)

    def test_columns_of_numbers(self):
        self.assertEqual(markdown.table(["a", "b", "c"], [["1", "**1.02**", "x"], ["2", "-", "y"]]),
                         "| a | b | c |\n| --- | ---: | --- |\n| 1 | **1.02** | x |\n| 2 | - | y |\n")


class RatiosTest(unittest.TestCase):
    HEAD = "case,arm,seed,chosen,best_after_1"

    def ratio(self, *lines):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "results.csv")
            file.write_text("\n".join([self.HEAD, *lines, ""]))
            return ratios.ratios_over([file], "a")["b"]

    def test_cases_weigh_the_same(self):
        ratio = self.ratio("x,a,0,1,", "x,b,0,2,", "y,a,0,1,", "y,b,0,8,", "y,a,1,1,", "y,b,1,8,")
        self.assertAlmostEqual(ratio.mean, 4)
        self.assertAlmostEqual(ratio.least, 2)
        self.assertAlmostEqual(ratio.most, 8)

    def test_one_case_says_nothing_of_others(self):
        ratio = self.ratio("x,a,0,1,", "x,b,0,2,", "x,a,1,1,", "x,b,1,2.1,")
        self.assertIsNone(ratio.sample)
        self.assertIs(ratio.shown, ratios.Shown.THESE)

    def test_of_one_seed_cases_speak(self):
        ratio = self.ratio(*(f"{case},{arm},0,{speed}," for case, fast in zip("wxyz", (2, 2.1, 1.9, 2))
                             for arm, speed in (("a", 1), ("b", fast))))
        self.assertIsNone(ratio.fixed)
        self.assertIs(ratio.shown, ratios.Shown.SUCH)

    def test_cases_that_differ_speak_for_themselves_alone(self):
        ratio = self.ratio(*(f"{case},{arm},{seed},{speed}," for seed in range(3)
                             for case, fast in zip("xyz", (1.0, 1.01, 3.0))
                             for arm, speed in (("a", 1), ("b", fast + 0.001 * seed))))
        self.assertIs(ratio.shown, ratios.Shown.THESE)
        self.assertLess(ratio.sample[0], 1)


if __name__ == "__main__":
    unittest.main()
