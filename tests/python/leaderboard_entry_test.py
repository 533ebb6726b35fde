"""Boards and entries as files: what they mean, what is refused, and which cases are held out."""
import hashlib
import os
import pathlib
import shutil
import tempfile
import unittest

from leaderboard_state import own_state

try:
    from schedulegym import agents
    from schedulegym.leaderboard import board, entry
    from schedulegym.leaderboard.contest import LEAST_HELD_OUT, begin_folder, contest_of, read_contest, sweep
    from schedulegym.leaderboard.held_out import HeldOut, draw_held_out
    from schedulegym.studies.confined import confinement_of
    from schedulegym.studies.faults import StudyError
    from schedulegym.studies.leakage import sees_estimate
    from schedulegym.studies.specs import parse_spec
except ImportError as fault:
    raise unittest.SkipTest(f"no leaderboard: {fault}") from None

# On no board but `tuners` and `estimate`, so that `smoke` stays quick.
TUNERS = {"adatune", "autotvm", "bayes", "chameleon", "flextensor", "gbfs", "heron", "metaschedule", "na2c"}
BOARD = """board = 1
name = "mine"
edition = "2.0"
track = "model"
cases = ["matmul(m=8,n=8,k=8)"]
trials = 10
seeds = 3
[held_out]
count = 2
[held_out.shapes]
matmul = {m = [16, 32, 64], n = [16], k = [16]}
softmax = {n = [8, 16], m = [8]}
[entries]
hill = "hill"
slow = {agent = "genetic", seeds = 2}
"""
ENTRY = """entry = 1
name = "climber-2"
authors = ["A. Climber"]
licence = "MIT"
about = "Climbs."
agent = "hill(patience=20)"
[tuning]
trials = 40
hours = 0.5
what = "patience, 10 to 100"
training_seconds = 0
"""


class FolderTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        own_state(self)

    def board(self, text=BOARD, name="mine.toml"):
        path = self.folder / name
        path.write_text(text)
        return board.read_board(path)

    def entry(self, text=ENTRY, name="climber", **files):
        place = self.folder / name
        place.mkdir(exist_ok=True)
        (place / "entry.toml").write_text(text)
        for file, content in files.items():
            (place / f"{file}.py").write_text(content)
        return entry.read_entry(place)

    def refused(self, read, text, *words):
        with self.assertRaises(StudyError) as caught:
            read(text)
        for word in words:
            self.assertIn(word, str(caught.exception))
        self.assertNotIn("\n", str(caught.exception))


class BoardTest(FolderTest):
    def test_what_it_says(self):
        found = self.board()
        self.assertEqual((found.label, found.track, found.division, found.trials, found.seeds),
                         ("mine 2.0", "model", "closed", 10, 3))
        self.assertEqual([one.name for one in found.baselines], ["random", "hill", "slow"])
        self.assertEqual(found.baselines[2].seeds, 2)
        self.assertEqual(found.cases[0].measure, "analytical")

    def test_an_edition_is_what_the_file_says_and_its_tables_hold(self):
        self.assertEqual(self.board().identity, self.board(name="moved.toml").identity)
        self.assertNotEqual(self.board().identity, self.board(BOARD + "\n").identity)
        text = BOARD.replace('"model"', '"table"').replace('"matmul(m=8,n=8,k=8)"', '"a.table"')
        text = text[:text.index("[held_out]")]
        (self.folder / "a.table").write_text("one")
        first = self.board(text).identity
        (self.folder / "a.table").write_text("other")
        self.assertNotEqual(self.board(text).identity, first)
        text += '[held_out]\ncount = 1\ntables = ["b.table"]\n'
        (self.folder / "b.table").write_text("one")
        first = self.board(text).identity
        (self.folder / "b.table").write_text("other")  # which may be drawn, or not
        self.assertNotEqual(self.board(text).identity, first)
        (self.folder / "b.table").unlink()
        self.refused(self.board, text, "b.table")

    def test_the_one_that_comes_along(self):
        self.assertEqual(board.builtin_boards(), ["estimate", "live", "live-tiny", "smoke", "tuners"])
        found = board.read_board(board.find_board("smoke"))
        self.assertEqual((found.track, found.trials, found.seeds), ("table", 200, 5))
        ranking = board.read_board(board.find_board("estimate"))
        self.assertGreaterEqual(ranking.held_out.count, LEAST_HELD_OUT)

    def test_earlier_editions_come_along_as_they_were(self):
        """Identities as board.py made them of the same files and tables then."""
        names = {"smoke": {"smoke 2.0 4bfac08c28bb", "smoke 3.0 3e9eddba2575"},
                 "estimate": {"estimate 1.0 8112f935c12a"}, "tuners": {"tuners 1.0 ff55f0c8a36b"}}
        for name, earlier in names.items():
            path = board.find_board(name)
            found = [board.edition_named(path, identity) for identity in sorted(earlier)]
            self.assertEqual({one.identity for one in found}, earlier)
            self.assertEqual(board.edition_named(path, board.read_board(path).identity).edition,
                             board.read_board(path).edition)
        live = board.read_board(board.find_board("live").parent / "earlier/live-1.0.toml")
        self.assertEqual((live.label, live.trials), ("live 1.0", 64))

    def test_each_agent_that_comes_along_stands_on_them_with_equal_seeds(self):
        shipped = set(agents()) - {"python", "process", "blind", "collect"}  # code of others, a control, a collector
        shipped -= {"transfer", "es", "oneshot", "value"}  # of one task `ansor`; by models that have seen the machine
        for name, others in (("smoke", TUNERS), ("estimate", set()), ("tuners", set())):
            found = board.read_board(board.find_board(name))
            self.assertEqual({parse_spec(one.agent).name for one in found.baselines}, shipped - others, name)
            self.assertEqual({one.seeds for one in found.baselines}, {None}, name)

    def test_published_and_improved_tuners_stand_side_by_side(self):
        found = board.read_board(board.find_board("tuners"))
        self.assertEqual((found.track, found.trials, found.seeds), ("table", 200, 5))
        modes = {parse_spec(one.agent).name: set() for one in found.baselines}
        for one in found.baselines:
            spec = parse_spec(one.agent)
            modes[spec.name].add(spec.value("mode"))
        for name in TUNERS - {"metaschedule"}:  # which has one form
            self.assertEqual(modes[name], {None, "faithful"}, name)

    def test_on_the_estimate_and_among_tuners_none_sees_it(self):
        for name in ("estimate", "tuners"):
            for one in board.read_board(board.find_board(name)).baselines:
                self.assertFalse(sees_estimate(one.agent), one.agent)

    def test_bad_input_is_one_line(self):
        for change, words in [
                (("board = 1", "board = 2"), ["expected version 1"]),
                (("trials = 10", ""), ["trials: nothing found"]),
                (("trials = 10", "trails = 10"), ["unknown key", "'trials'"]),
                (("seeds = 3", "seeds = 1"), ["seeds", "at least 2"]),
                (('"model"', '"models"'), ["unknown track", "'model'"]),
                (('"model"', '"table"'), ["expected one of", "matmul"]),
                (('["matmul(m=8,n=8,k=8)"]', "[]"), ["cases"]),
                (("count = 2", ""), ["count of held_out"]),
                (("[16, 32, 64]", "[0]"), ["shapes"]),
                (("seeds = 2}", "seeds = 4}"), ["2 to the board's 3"]),
                (("[held_out]", "[vendors]\na = 1\n[held_out]"), ["on track model nothing is meas"]),
                (('hill = "hill"', 'hill = "hill("'), ["expected a spec"]),
                (('hill = "hill"', 'random = "hill"'), ["'random'", "chance alone"]),
                (('hill = "hill"', 'own = "python(module=a,class=B)"'), ["built-in"]),
                (('hill = "hill"', 'old = "ansor(model=trees.json)"'), ["closed division"])]:
            with self.subTest(change):
                self.refused(self.board, BOARD.replace(*change), "mine.toml", *words)
        self.refused(board.find_board, "smok", "unknown board", "'smoke'")


class EntryTest(FolderTest):
    def test_what_it_says(self):
        found = self.entry()
        self.assertEqual((found.name, found.agent, found.division, found.authors, found.licence),
                         ("climber-2", "hill(patience=20)", "closed", ("A. Climber",), "MIT"))
        self.assertEqual(found.tuning, entry.Tuning(40, 0.5, "patience, 10 to 100", 0.0))

    def test_its_code_is_all_that_its_folder_holds(self):
        first = self.entry(agent="a = 1")
        self.assertEqual(len(first.code), 64)
        for name in ("records.jsonl", "verified.json"):
            (first.folder / name).write_text("{}")
        (first.folder / "__pycache__").mkdir()
        (first.folder / "__pycache__/agent.cpython-311.pyc").write_text("compiled")
        self.assertEqual(self.entry(agent="a = 1").code, first.code)
        inner = first.folder / "data"
        for make in (inner.mkdir, lambda: (inner / "records.jsonl").write_text("1"),
                     lambda: (inner / "records.jsonl").write_text("2"),
                     lambda: (inner / "verified.json").write_text("")):
            before = self.entry(agent="a = 1").code
            make()
            self.assertNotEqual(self.entry(agent="a = 1").code, before)
        shutil.rmtree(inner)
        self.assertNotEqual(self.entry(agent="a = 2").code, first.code)
        self.assertNotEqual(self.entry(agent="a = 1", more="").code, first.code)
        shutil.copytree(first.folder, self.folder / "copy")
        self.assertEqual(entry.code_hash(self.folder / "copy"),
                         entry.code_hash(self.folder / "climber"))

    def test_what_could_change_unseen_is_refused(self):
        place = self.entry(agent="a = 1").folder
        for name, words in ((".weights", "hidden file"), (".git/config", ".git: found a hidden file"),
                            ("data/.more.cc", "hidden file"), ("__pycache__/more.txt", "not compile"),
                            ("__pycache__/other.cpython-311.pyc", "not compile"),
                            ("__pycache__/agent.data.pyc", "not compile")):
            (place / name).parent.mkdir(exist_ok=True)
            (place / name).write_text("")
            with self.subTest(name):
                self.refused(lambda text: self.entry(text, agent="a = 1"), ENTRY, words)
            (place / name).unlink()
            if "/" in name:
                (place / name).parent.rmdir()
        for target in ("/etc/passwd", "/etc", "/nowhere"):
            (place / "link.py").symlink_to(target)
            with self.subTest(target):
                self.refused(self.entry, ENTRY, "link.py", "expected files and folders")
            (place / "link.py").unlink()

    def test_an_agent_reads_nothing_that_its_hash_leaves_out(self):
        place = self.entry(agent="a = 1").folder
        (place / "inner/__pycache__").mkdir(parents=True)
        hidden = confinement_of(place, None).hidden
        self.assertEqual([str(pathlib.Path(path).relative_to(place)) for path in hidden[1:]],
                         ["inner/__pycache__", "records.jsonl", "verified.json"])
        (place / "entry.toml").unlink()  # a folder of one's own, which nobody marks
        self.assertEqual(len(confinement_of(place, None).hidden), 2)

    def test_bad_input_is_one_line(self):
        for change, words in [
                (("entry = 1", "entry = 3"), ["expected version 1"]),
                (('"climber-2"', '"Climber 2"'), ["small letters"]),
                (('["A. Climber"]', '"A. Climber"'), ["authors"]),
                (('licence = "MIT"', ""), ["licence: nothing found"]),
                (("licence", "license"), ["unknown key", "'licence'"]),
                (("trials = 40", "trials = -1"), ["trials", "0 where nothing was spent"]),
                (("hours = 0.5", ""), ["hours"]),
                (('"patience, 10 to 100"', '""'), ["which parameters the 40 trials chose"]),
                (("[tuning]", "[tuned]"), ["unknown key", "'tuning'"]),
                (("hill(patience", "hill((patience"), ["pairs"])]:
            with self.subTest(change):
                self.refused(self.entry, ENTRY.replace(*change), "entry.toml", *words)
        with self.assertRaisesRegex(StudyError, "expected the folder of an entry"):
            entry.read_entry(self.folder / "nowhere")


class HeldOutTest(unittest.TestCase):
    def test_tables_by_hand(self):
        tables = ("a", "b", "c", "d")
        drawn = draw_held_out(HeldOut(2, tables=tables), "mine 2.0", 7, ["c"])
        numbers = [int(hashlib.sha256(f"mine 2.0 7 {place}".encode()).hexdigest(), 16)
                   for place in range(2)]
        left = ["a", "b", "d"]
        first = left[numbers[0] % 3]
        left.remove(first)
        self.assertEqual(drawn, [first, left[numbers[1] % 2]])

    def test_shapes_by_hand(self):
        held = HeldOut(1, shapes={"matmul": {"m": (1, 2, 3), "n": (4, 5)}, "softmax": {"n": (6,)}})
        numbers = [int(hashlib.sha256(f"mine 2.0 1 {place}".encode()).hexdigest(), 16)
                   for place in range(3)]
        expected = ("softmax(n=6)" if numbers[0] % 2 else
                    f"matmul(m={(1, 2, 3)[numbers[1] % 3]},n={(4, 5)[numbers[2] % 2]})")
        self.assertEqual(draw_held_out(held, "mine 2.0", 1, []), [expected])

    def test_nothing_public_and_nothing_twice(self):
        held = HeldOut(3, shapes={"softmax": {"n": (1, 2, 3, 4)}})
        for seed in range(20):
            drawn = draw_held_out(held, "b 1", seed, ["softmax(n=2)"])
            self.assertEqual(sorted(drawn), ["softmax(n=1)", "softmax(n=3)", "softmax(n=4)"])
        with self.assertRaisesRegex(StudyError, "expected more tables or shapes"):
            draw_held_out(held, "b 1", 0, ["softmax(n=1)", "softmax(n=2)"])
        with self.assertRaisesRegex(StudyError, "expected more tables or shapes"):
            draw_held_out(HeldOut(2, tables=("a",)), "b 1", 0, [])

    def test_seeds_differ(self):
        held = HeldOut(2, shapes={"softmax": {"n": tuple(range(1, 100))}})
        self.assertEqual(len({tuple(draw_held_out(held, "b 1", seed, [])) for seed in range(20)}), 20)


class ContestTest(FolderTest):
    def test_its_runs(self):
        contest = contest_of(self.board(), [self.entry()], 5)
        self.assertEqual((len(contest.public), len(contest.held_out)), (1, 2))
        self.assertEqual(contest.scored_on, [*contest.public, *contest.held_out])
        self.assertFalse(contest.ranks)
        many = contest_of(self.board(BOARD.replace("count = 2", "count = 5")), [], 5)
        self.assertTrue(many.ranks)
        self.assertEqual(many.scored_on, list(many.held_out))
        counts = {name: sum(run.arm.name == name for run in contest.runs())
                  for name in ("random", "hill", "slow", "climber-2")}
        self.assertEqual(counts, {"random": 9, "hill": 9, "slow": 6, "climber-2": 9})
        self.assertEqual(contest_of(self.board(), [], None).held_out, ())

    def test_it_is_read_back(self):
        contest = contest_of(self.board(), [self.entry()], 5)
        begin_folder(self.folder / "out", contest)
        again = read_contest(self.folder / "out")
        self.assertEqual((again.study, again.entries, again.marks, again.held_out, again.identity),
                         (contest.study, contest.entries, contest.marks, contest.held_out,
                          contest.identity))
        with self.assertRaisesRegex(StudyError, "expected the folder of a"):
            read_contest(self.folder)

    def test_what_was_half_written_goes(self):
        runs = self.folder / "out/runs"
        runs.mkdir(parents=True)
        gone, here = f".a.json.{2**22 + 1}", f".a.json.{os.getpid()}"  # no process has the first
        for name in (gone, here, "a.json", ".lock"):
            (runs / name).write_text("")
        sweep(self.folder / "out")
        self.assertEqual({path.name for path in runs.iterdir()}, {here, "a.json", ".lock"})

    def test_code_makes_other_runs(self):
        keys = [{run.key for run in contest_of(self.board(), [self.entry(agent=text)], None).runs()
                 if run.arm.name == "climber-2"} for text in ("a = 1", "a = 2")]
        self.assertFalse(keys[0] & keys[1])

    def test_no_held_out_cases_where_the_board_has_none(self):
        text = BOARD[:BOARD.index("[held_out]")]
        with self.assertRaisesRegex(StudyError, "has no held-out cases"):
            contest_of(self.board(text), [], 1)


if __name__ == "__main__":
    unittest.main()
