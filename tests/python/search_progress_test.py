"""The line of a search in Python, and its picture; searches are by the estimate."""
import io
import pathlib
import re
import tempfile
import types
import unittest
import xml.etree.ElementTree as xml

from harness import PackageTest, schedulegym as sg

if sg is not None:
    from schedulegym._search_progress import Latency, ProgressLine, duration_text, seconds_text

TASK, OTHER = "matmul(m=16,n=16,k=16)", "softmax(n=16,m=64)"


class Terminal(io.StringIO):
    def isatty(self):
        return True


def trial(workload, best, elapsed=0.0, known=None):
    return types.SimpleNamespace(workload=workload, best_seconds=best, elapsed=elapsed,
                                 best_known_seconds=best if known is None else known)


class ProgressLineTest(PackageTest):
    def test_rate_best_and_time_left(self):
        for err, bar in ((io.StringIO(), ""), (Terminal(), "[#######.................] ")):
            now = iter([0.0, 2.0, 10.0, 15.0])
            line = ProgressLine({TASK: 1}, 10, None, err, lambda now=now: next(now))
            for best in (None, 0.00125, 0.00125):
                line(trial(TASK, best))
            line.end()
            last = err.getvalue().split("\r\x1b[K")[-1].splitlines()[-1]
            # Three of ten trials in 15 s: 35 s for the other seven.
            self.assertEqual(last, f"tune {bar}3/10, 0.2/s, best 1.250 ms, 0:35 left")

    def test_seconds_bound_it_where_they_end_first(self):
        line = ProgressLine({TASK: 1}, 1000, 20.0, io.StringIO(), lambda: 0.0)
        line(trial(TASK, None))
        self.assertEqual(line.text(5.0), "1/1000, 0.2/s, 0:15 left")

    def test_plain_lines_come_every_five_seconds(self):
        err, now = io.StringIO(), iter([0.0, *range(1, 21)])
        line = ProgressLine({TASK: 1}, 100, None, err, lambda: float(next(now)))
        for _ in range(20):
            line(trial(TASK, None))
        self.assertEqual([text.split(",")[0] for text in err.getvalue().splitlines()],
                         ["tune 2/100", "tune 7/100", "tune 12/100", "tune 17/100"])

    def test_a_resumed_search_has_two_bests(self):
        line = ProgressLine({TASK: 1}, 10, None, io.StringIO(), lambda: 0.0)
        line(trial(TASK, None, known=0.5))
        self.assertEqual(line.text(1.0), "1/10, 1.0/s, best known 500.0 ms, 0:09 left")
        line(trial(TASK, 2.0, known=0.5))
        self.assertEqual(line.text(1.0), "2/10, 2.0/s, best of this run 2.000 s, best known 500.0 ms, "
                         "0:04 left")

    def test_of_a_network_the_latency(self):
        latency = Latency({TASK: 3, OTHER: 1})
        latency.add(trial(TASK, 2.0))
        self.assertIsNone(latency.value)
        latency.add(trial(OTHER, 1.0))
        latency.add(trial(TASK, 1.5))
        self.assertEqual(latency.value, 5.5)

    def test_units(self):
        self.assertEqual([seconds_text(value) for value in (5e-8, 1.234e-4, 0.0123456, 2.0)],
                         ["50.00 ns", "123.4 us", "12.35 ms", "2.000 s"])
        self.assertEqual([duration_text(value) for value in (5, 65, 3661)], ["0:05", "1:05", "1:01:01"])


class PictureTest(PackageTest):
    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory(prefix="schedulegym picture ")
        self.addCleanup(folder.cleanup)
        self.file = pathlib.Path(folder.name, "a.svg")

    def texts(self):
        return [one.text for one in xml.parse(self.file).getroot().iter() if one.tag.endswith("text")]

    def test_of_one_task(self):
        result = sg.tune(TASK, measure="analytical", agent="random", trials=20, picture=self.file)
        texts = self.texts()
        self.assertIn("best", texts)
        self.assertIn(seconds_text(min(one.seconds for one in result.history if one.seconds)), texts)

    def test_of_a_network_a_panel_for_each_task(self):
        tuner = sg.Tuner([TASK, TASK, OTHER], measure="analytical", agent="random")
        tuner.run(trials=24, picture=self.file)
        texts = self.texts()
        self.assertIn("latency", texts)
        self.assertEqual(len([text for text in texts if re.search(r", \d times$", text)]), 2)

    def test_of_a_resumed_search_two_lines_that_end_as_the_result(self):
        store = self.file.with_name("s.db")
        words = {"measure": "analytical", "agent": "random", "store": store, "picture": self.file}
        first = sg.tune(TASK, trials=60, **words)
        self.assertEqual(first.best_known, first.best)
        second = sg.tune(TASK, trials=1, seed=5, **words)
        self.assertEqual(second.best_known, first.best)
        self.assertEqual({one.best_known_seconds for one in second.history}, {first.seconds})
        texts = self.texts()
        self.assertIn(f"best known: {seconds_text(first.seconds)}", texts)
        self.assertTrue([text for text in texts if text.startswith("best of this run: ")])

    def test_without_a_success_it_says_so(self):
        from schedulegym._search_progress import save_picture
        save_picture(self.file, {TASK: 1}, [])
        self.assertIn("no success", self.texts())

    def test_a_folder_that_is_not_there_is_refused_before_anything_is_measured(self):
        seen = []
        with self.assertRaisesRegex(sg.InputError, "picture: no folder '/no/such'"):
            sg.tune(TASK, measure="analytical", trials=2, picture="/no/such/a.svg", progress=seen.append)
        self.assertEqual(seen, [])

    def test_a_store_is_not_replaced(self):
        store, seen = self.file.with_name("s.db"), []
        sg.tune(TASK, measure="analytical", agent="random", trials=2, store=store)
        with self.assertRaisesRegex(sg.InputError, "found a store, which this output would replace"):
            sg.tune(TASK, measure="analytical", trials=2, picture=store, progress=seen.append)
        self.assertEqual(seen, [])
        with sg.RecordStore(store) as kept:
            self.assertEqual(len(list(kept)), 2)

    def test_an_open_store_is_not_replaced_either(self):
        path, seen = self.file.with_name("s.db"), []
        with sg.RecordStore() as memory, sg.RecordStore(path, "w") as store:
            self.assertEqual((memory.path, store.path), (None, path))
            for name in ("picture", "save_model"):
                place = f"{path}-wal"
                with self.assertRaisesRegex(sg.InputError, f"{name}: found '{place}', a file of the store"):
                    sg.tune(TASK, measure="analytical", agent="ansor(population=16)", trials=2, store=store,
                            progress=seen.append, **{name: place})
        self.assertEqual((seen, store.path), ([], path))

    def test_outputs_have_places_of_their_own(self):
        place, seen = self.file.with_name("one.svg"), []
        place.write_text("old")
        self.file.with_name("link.svg").symlink_to(place)
        for picture, model, reason in ((place, place, "which save_model writes"),
                                       (self.file.with_name("link.svg"), place, "which save_model writes"),
                                       ("", place, "picture: found an empty name"),
                                       (place, "", "save_model: found an empty name")):
            with self.assertRaisesRegex(sg.InputError, reason):
                sg.tune(TASK, measure="analytical", agent="ansor(population=16)", trials=2, picture=picture,
                        save_model=model, store=None, progress=seen.append)
        self.assertEqual((seen, place.read_text()), ([], "old"))

    def test_no_output_is_a_file_of_the_store_or_of_another(self):
        store, tree, seen = self.file.with_name("s.db"), self.file.with_name("tree.json"), []
        for suffix in ("", "-wal", "-shm", "-lock", "-journal"):
            for name in ("picture", "save_model"):
                place = f"{store}{suffix}"
                with self.assertRaisesRegex(sg.InputError, f"{name}: found '{place}', a file of the store '{store}'"):
                    sg.tune(TASK, measure="analytical", agent="ansor(population=16)", trials=2, store=store,
                            progress=seen.append, **{name: place})
        for agent, options, said in (
                (f'mcts(tree="{tree}")', {"picture": tree}, r"agent mcts\(tree=\): found '.*', which picture writes"),
                (f'mcts(tree="{store}-shm")', {"store": store}, r"agent mcts\(tree=\): found '.*', a file of the store"),
                ('ansor(model="")', {}, r"agent ansor\(model=\): found an empty name")):
            with self.assertRaisesRegex(sg.InputError, said):
                sg.tune(TASK, measure="analytical", agent=agent, trials=2, progress=seen.append, **options)
        self.assertEqual((seen, list(self.file.parent.glob("s.db*"))), ([], []))

    def test_one_task_takes_a_scheduler(self):
        with self.assertRaisesRegex(sg.InputError, "nosuch"):
            sg.tune(TASK, measure="analytical", trials=2, scheduler="nosuch")
        self.assertEqual(sg.tune(TASK, measure="analytical", trials=4, agent="random",
                                 scheduler="gradient").trials, 4)


if __name__ == "__main__":
    unittest.main()
