"""The page of one search: as it goes on, as it ended, and what is shown of trees and sketches."""
import collections
import html.parser
import json
import os
import pathlib
import re
import subprocess
import types
import unittest

from harness import PROGRAM, PackageTest

try:
    import schedulegym as sg
    from schedulegym._search_progress import seconds_text
    from schedulegym.studies import pictures, search_page, store_report, tree_view
    from schedulegym.studies.command import run_command
    from schedulegym.studies.faults import StudyError
    from schedulegym.studies.search_view import view_of
    from schedulegym.studies.searches import read_lines
    from schedulegym.studies.step_plot import step_plot
    from studies_page_test import assert_it_fits
except ImportError as fault:
    raise unittest.SkipTest(f"no studies: {fault}") from None

TASK, OTHER = "matmul(m=16,n=16,k=16)", "softmax(n=16,m=64)"
NO_PHASES = {"compile": 0.0, "verify": 0.0, "measure": 0.0}


def record(key, ratio, started, **fields):
    """As the view reads one: of a reference that takes 8 seconds."""
    outcome = "ok" if ratio else "wrong_output"
    found = types.SimpleNamespace(ok=ratio is not None, outcome=outcome, ratio=ratio, message="bad",
                                  seconds=ratio and 8 / ratio)
    usual = {"task": "1", "workload": TASK, "agent": "random", "space": "s", "seed": 0, "note": "",
             "state_key": key, "started": started, "measurement": found}
    one = types.SimpleNamespace(**{**usual, **fields})
    return one, {"phases": {**NO_PHASES, "measure": 1.0}, "task": {"target": "llvm"},
                 "session": {"id": "a", "protocol": "analytical"}}


class ViewTest(PackageTest):
    def view(self, *lines, counts=None):
        return view_of(None, lines, counts)

    def test_the_best_falls_over_time(self):
        view = self.view(record("a", 2.0, 100.0), record("b", None, 103.0), record("c", 1.0, 104.0),
                         record("d", 4.0, 105.0))
        # The first took a second, the next began after 3, 4 and 5 more.
        self.assertEqual(view.course, [(1.0, 4.0), (6.0, 2.0), (6.0, 2.0)])
        self.assertEqual((view.tasks[0].trials, view.tasks[0].ok), (4, 3))
        self.assertEqual(view.failures["wrong_output"].trials, 1)
        self.assertEqual([one.state_key for one in view.last], ["d", "c", "b", "a"])

    def test_measured_again_the_best_may_rise(self):
        view = self.view(record("a", 4.0, 0.0), record("b", 2.0, 1.0), record("a", 1.0, 2.0))
        self.assertEqual([seconds for _, seconds in view.course], [2.0, 4.0, 4.0])
        self.assertEqual(view.tasks[0].best.state_key, "b")

    def test_a_best_that_loses_to_the_reference_gives_way_to_it(self):
        self.assertEqual(self.view(record("a", 0.5, 0.0)).tasks[0].seconds, 8.0)

    def test_pauses_between_searches_are_left_out(self):
        other = record("b", 2.0, 9000.0)
        other[1]["session"] = {"id": "b", "protocol": "analytical"}
        self.assertEqual(self.view(record("a", 1.0, 0.0), other).course[-1][0], 2.0)

    def test_a_network_has_a_latency_once_all_have(self):
        first, second = record("a", 1.0, 0.0), record("b", 2.0, 1.0, task="2", workload=OTHER)
        counts = {"1": 3, "2": 1}
        self.assertIsNone(self.view(first, counts=counts).latency)
        view = self.view(first, second, counts=counts)
        self.assertEqual(view.latency, 3 * 8 + 4)
        self.assertEqual(view.course[-1][1], 28)

    def test_notes_are_counted_by_sketch_or_kind(self):
        view = self.view(*(record(str(place), 1.0, float(place), note=note, agent="harl") for place, note in
                           enumerate(["drawn(sketch=2)", "drawn(sketch=2)", "track(step=1,gain=1.5)",
                                      "track(step=7,gain=1.1)", "no spec (", ""])))
        self.assertEqual({note: tried.trials for (_, note), tried in view.notes.items()},
                         {"drawn, sketch 2": 2, "track": 2, "other": 1})

    def test_files_of_trees_are_found_in_the_agents(self):
        view = self.view(record("a", 1.0, 0.0, agent='mcts(tree="a b.json",iterations=9)'),
                         record("b", 1.0, 1.0, agent="ansor"), record("c", 1.0, 2.0, agent="mcts(tree=c)"))
        self.assertEqual(view.trees, ["c", "a b.json"])


class StepPlotTest(unittest.TestCase):
    def test_it_is_whole_and_small(self):
        points = [(float(place), 1e-3 / (place + 1)) for place in range(5000)]
        text = step_plot(points, "best")
        self.assertLess(len(text), 8000)
        self.assertIn('viewBox="0 0 640 220"', text)
        self.assertIn(">4.999e+03 s<".replace("4.999e+03", f"{4999:.3g}"), text)

    def test_one_point_and_none(self):
        self.assertEqual(step_plot([], "best"), "")
        self.assertIn(seconds_text(1e-3)[:3], step_plot([(0.0, 1e-3)], "best"))


def tree_text(nodes, **fields):
    usual = {"parent": 0, "word": "w", "visits": 1, "mean": None, "best": None, "seconds": None}
    tree = {"task": TASK, "values": "log of speed", "nodes": [{**usual, **node} for node in nodes]}
    return json.dumps({"schedulegym_tree": 1, "trees": [tree], **fields})


class TreeTest(PackageTest):
    def read(self, text):
        path = self.folder / "t.json"
        path.write_text(text)
        return tree_view.read_trees(path)

    def test_the_way_to_the_best_value_is_open(self):
        tree, = self.read(tree_text([
            {"parent": -1, "word": "", "visits": 9, "best": 2.0}, {"word": "tile", "visits": 3, "best": 2.0},
            {"word": "fuse", "visits": 6, "best": 1.0}, {"parent": 1, "word": "unroll", "best": 2.0},
            {"parent": 2, "word": "vector", "best": 1.0}]))
        text = tree_view.tree_html(tree)
        self.assertEqual(text.count("<details open>"), 2)  # the root and the tile
        self.assertIn("<b>unroll</b>", text)
        self.assertIn("<details><summary>fuse", text)

    def test_only_the_most_visited_are_shown(self):
        nodes = [{"parent": -1, "word": "", "visits": 999}]
        nodes += [{"word": f"way{place}", "visits": place} for place in range(999)]
        text = tree_view.tree_html(self.read(tree_text(nodes))[0])
        self.assertEqual(text.count("way"), 199)
        self.assertIn("800 places that were visited less are left out", text)

    def test_what_is_no_tree_is_one_line(self):
        for text in ("", "{}", "[]", tree_text([]), tree_text([{"parent": -1}], schedulegym_tree=2),
                     tree_text([{"parent": 0}]), tree_text([{"parent": -1}, {"parent": 1}]),
                     tree_text([{"parent": -1, "visits": "x"}]), tree_text([{"parent": -1, "best": "x"}])):
            with self.subTest(text), self.assertRaisesRegex(StudyError, "found no search tree, expected"):
                self.read(text)
        with self.assertRaisesRegex(StudyError, "No such file"):
            tree_view.read_trees(self.folder / "none.json")


class Balance(html.parser.HTMLParser):
    """Counts open elements, so that what is not closed is found."""

    VOID = {"meta", "link", "path", "br"}

    def __init__(self):
        super().__init__()
        self.open = collections.Counter()

    def handle_starttag(self, tag, attrs):
        self.open[tag] += tag not in self.VOID

    def handle_endtag(self, tag):
        self.open[tag] -= tag not in self.VOID


class PageTest(PackageTest):
    def search(self, *workloads, **options):
        words = {"measure": "analytical", "agent": "random", "store": self.folder / "s.db", **options}
        trials = words.pop("trials", 24)
        return sg.Tuner(list(workloads), **words).run(trials=trials)

    def page(self, *words):
        out = self.folder / "page.html"
        code = run_command(["report", str(self.folder / "s.db"), "-o", str(out), "--quiet", *words], None, None)
        self.assertEqual(code, 0)
        text = out.read_text()
        self.assertLess(len(text.encode()), 1_500_000)
        balance = Balance()
        balance.feed(text)
        self.assertEqual({tag for tag, count in balance.open.items() if count}, set())
        return text

    def test_of_one_task_its_best_comes_first(self):
        result, = self.search(TASK)
        text = self.page()
        self.assertIn(f"<p class=number>best known {seconds_text(result.best_known.measurement.seconds)}", text)
        for word in ("<h2>Best over time</h2>", "<h2>What was tried</h2>", "<h2>Failures</h2>", "the last 20 trials",
                     "<h2>Best schedules</h2>", "no search is writing", "Where this comes from"):
            self.assertIn(word, text)
        self.assertNotIn("http-equiv=refresh", text)

    def test_of_a_network_the_latency_is_that_of_the_search(self):
        (self.folder / "a.net").write_text(f"3 {TASK}\n2 {OTHER}\n")
        found = self.search("a.net")
        text = self.page("--network", "a.net")
        latency = sum(count * one.best_known.measurement.seconds for count, one in zip((3, 2), found))
        self.assertIn(f"<p class=number>latency {seconds_text(latency)}", text)
        self.assertIn("<h2>Latency over time</h2>", text)
        for task in (TASK, OTHER):
            self.assertRegex(text, re.escape(f"<td>{task}</td>") + r"<td>[32]</td><td>[\d.]+ [mun]s</td><td>")
        (self.folder / "b.net").write_text("1 matmul(m=2,n=2,k=2)\n")
        with self.assertRaisesRegex(StudyError, "--network: found none of the tasks of 'b.net'"):
            self.page("--network", "b.net")

    @unittest.skipUnless(pictures.find_chromium(), "Chromium is not installed")
    def test_nothing_is_wider_than_a_narrow_window(self):
        (self.folder / "a.net").write_text(f"3 {TASK}\n2 {OTHER}\n1 conv2d(h=14,w=14,ci=16,co=16,k=3,p=1)\n")
        self.search("a.net", agent="mcts(tree=t.json,iterations=16)", space="ansor")
        for words in ((), ("--network", "a.net")):
            assert_it_fits(self, self.page(*words))

    def test_trees_are_shown_from_the_file_that_the_search_wrote(self):
        self.search(TASK, agent="mcts(tree=t.json,iterations=16)", space="ansor")
        self.assertRegex(self.page(), r"<h2>Search tree</h2><p class=note>t.json: \d trees; values are")
        pathlib.Path("t.json").unlink()
        self.assertIn("t.json: not written yet", self.page())

    def test_while_a_search_writes_the_page_loads_itself_again(self):
        self.search(TASK)
        lock, out = self.folder / "s.db-lock", self.folder / "page.html"
        lock.write_text(f"{os.getpid()} since 2026-01-01T00:00:00Z\n")
        seen = []

        def rest(seconds):
            seen.append((seconds, out.read_text()))
            if len(seen) == 2:
                lock.unlink()

        self.assertEqual(store_report.follow(self.folder / "s.db", out, None, rest), 2)
        for seconds, text in seen:
            self.assertGreaterEqual(seconds, 5)
            self.assertIn("<meta http-equiv=refresh content=5>", text)
            self.assertIn(f"a search goes on: process {os.getpid()}", text)
            self.assertLess(len(text), 100_000)
            self.assertNotIn("<script", text)

    def test_a_dead_writer_is_none(self):
        self.search(TASK, trials=2)
        lock = self.folder / "s.db-lock"
        self.assertIsNone(search_page.writer_of(self.folder / "s.db"))
        dead = subprocess.Popen(["true"])
        dead.wait()
        lock.write_text(f"{dead.pid} since 2026-01-01T00:00:00Z\n")
        self.assertIsNone(search_page.writer_of(self.folder / "s.db"))

    def test_a_store_without_records_yet(self):
        sg.RecordStore(self.folder / "s.db", "w").close()
        with sg.RecordStore(self.folder / "s.db") as store:
            lead = search_page.lead_of(self.folder / "s.db", store, read_lines(store), None,
                                       search_page.Moment(7, 0.0))
        self.assertIn("no trial yet", lead.body)

    def test_it_follows_a_tune(self):
        words = [PROGRAM, "tune", TASK, "--measure", "analytical", "--agent", "random", "--trials", "1000000",
                 "--seconds", "4", "--store", "s.db", "--quiet"]
        with subprocess.Popen(words, stdout=subprocess.DEVNULL) as search:
            while search_page.writer_of(self.folder / "s.db") is None and search.poll() is None:
                pass
            text = self.page("--follow")
            self.assertIsNotNone(search.wait(60))
        self.assertNotIn("http-equiv=refresh", text)
        self.assertIn("no search is writing", text)

    def test_what_is_no_store_is_not_followed(self):
        (self.folder / "a").mkdir()
        for words in (["--follow"], ["--network", "resnet18"]):
            with self.assertRaisesRegex(StudyError, "expected a store with --follow and --network"):
                run_command(["report", str(self.folder / "a"), "-o", "p.html", *words], None, None)


if __name__ == "__main__":
    unittest.main()
