"""Recorded tables as studies read them: by name or file, each schedule once, what is not whole."""
import gzip
import json
import pathlib
import tempfile
import unittest
from unittest import mock

try:
    from schedulegym import ComputeDag, InputError, ScheduleState, Task
    from schedulegym.studies import packed, recorded
    from schedulegym.studies.confined import untimed
    from schedulegym.studies.faults import StudyError
    from schedulegym.studies.vendors import vendor_beside_table
except ImportError as fault:
    raise unittest.SkipTest(f"no studies: {fault}") from None

CONTESTS = ["contest_conv2d", "contest_conv2d_transpose", "contest_depthwise", "contest_depthwise_padded",
            "contest_depthwise_v2", "contest_linear_gelu", "contest_matmul"]
DIGESTS = {"contest_conv2d": "b73b87aca19ce148", "contest_depthwise": "a8eb0738a0353b73",
           "contest_conv2d_transpose": "d6715dfe667ef5ae", "contest_depthwise_padded": "f889ddf8d2ae94cb",
           "contest_depthwise_v2": "1547b369b59bb8b7",
           "contest_linear_gelu": "499bba554ab27e65", "contest_matmul": "fd57b863b8772879",
           "conv2d": "1ba65dd0c48f893a", "matmul": "9bbf411b58a0ee58",
           "matmul_tree": "0565df96c3d9ce1d"}
DAG = "input A[8, 8]\nB[i:8, j:8] = A[i, j] + 1\n"
LINES = ["split(stage=B, loop=0, lengths=[4])", "parallel(stage=B, loop=0)",
         "unroll(stage=B, loop=1)"]
HEAD = {"workload": "add", "dag": DAG, "target": "interpreter", "rows": 4}
KNOBS = [
    {"schedulegym_table": 2, "kind": "knobs", "lines": LINES, **HEAD},
    [[0, 0], 0, [0, 1], "ok", 0.002, 0.5, 0.4, 0.6, 3.0],
    [[0, 1], 1, [2], "ok", 0.0005, 2.0, 1.9, 2.1, 1.0, "raw", "samples"],
    [[1, 0], 1, [1, 2], "run_timeout", 5.0],
    [[1, 1], 0, [0, 1], "ok", 0.001, 1.0, 1.0, 1.0, 9.0]]  # the first one's schedule again
TREE = [
    {"schedulegym_table": 1, "kind": "tree", **HEAD},
    [-1, "", "ok", 0.002, 0.5, 0.4, 0.6, 1.0], [0, LINES[0], "ok", 0.001, 1.0, 0.9, 1.1, 2.0],
    [1, LINES[1], "compile_error", 0.5], [1, LINES[2], "ok", 0.0005, 2.0, 1.9, 2.1, 4.0]]


def key_of(*lines):
    task = Task(ComputeDag(DAG), "interpreter")
    return ScheduleState.replay(task, "\n".join(["trace 1", *lines, ""])).key


class NoiseCeilingTest(unittest.TestCase):
    def test_of_the_shipped_tables_those_with_samples_have_one(self):
        found = {name: recorded.noise_ceiling_of(recorded.find_table(name, pathlib.Path()))
                 for name in ("contest_depthwise_v2", "contest_depthwise", "matmul_tree")}
        self.assertIsNone(found["matmul_tree"])
        # As boards ask of a table, and the reason why another has left them.
        self.assertGreaterEqual(found["contest_depthwise_v2"], 0.97)
        self.assertLess(found["contest_depthwise"], 0.97)

    def test_what_is_no_table_is_refused(self):
        with self.assertRaisesRegex(InputError, "README"):
            recorded.noise_ceiling_of(pathlib.Path("README.md").resolve())


class RecordedTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        recorded.read_recorded.cache_clear()

    def write(self, lines, name="a.table"):
        path = self.folder / name
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        return path

    def test_a_grid(self):
        found = recorded.read_recorded(self.write(KNOBS))
        self.assertEqual(found.speeds, {key_of(LINES[0], LINES[1]): 0.5,
                                        key_of(LINES[0], LINES[2]): 2.0})
        self.assertEqual((found.workload, found.failed, found.best), ("add", 1, 2.0))
        self.assertEqual(found.costs, (3.0, 1.0, 5.0))

    def test_a_tree(self):
        found = recorded.read_recorded(self.write(TREE))
        self.assertEqual(found.speeds, {key_of(): 0.5, key_of(LINES[0]): 1.0,
                                        key_of(LINES[0], LINES[2]): 2.0})
        self.assertEqual((found.failed, found.costs), (1, (1.0, 2.0, 0.5, 4.0)))

    def test_those_that_come_along(self):
        self.assertEqual(recorded.shipped_tables(), [*CONTESTS, "conv2d", "matmul", "matmul_tree"])
        found = recorded.read_recorded(recorded.find_table("matmul", self.folder))
        self.assertTrue(900 < len(found.speeds) <= 1024)  # rows, of which some lead to the same
        self.assertEqual(found.failed, 0)
        self.assertAlmostEqual(found.best, 650.5 / 600.5, 3)  # as `table show` has it, microseconds

    def test_those_for_contests_are_contests(self):
        """Chance is 5 % under the best after 64 trials, and further."""
        for name in CONTESTS:
            with self.subTest(name):
                found = recorded.read_recorded(recorded.find_table(name, self.folder))
                speeds = sorted([0.0] * found.failed + list(found.speeds.values()))
                self.assertGreaterEqual(len(speeds), 2_000)
                median_best_of_64 = speeds[int(len(speeds) * 0.5 ** (1 / 64))]
                self.assertLess(median_best_of_64, 0.95 * found.best)

    def test_a_file_of_that_name_comes_first(self):
        (self.folder / "matmul").write_text("")
        self.assertEqual(recorded.find_table("matmul", self.folder), self.folder / "matmul")

    def test_bad_input_is_one_line(self):
        for lines in ([], [[]], KNOBS[:-1], [{**KNOBS[0], "lines": []}, *KNOBS[1:]],
                      [{**KNOBS[0], "rows": 1}, KNOBS[3]], [{"schedulegym_table": 2}],
                      [{**KNOBS[0], "dag": "no dag"}, *KNOBS[1:]]):
            with self.subTest(lines), self.assertRaisesRegex(StudyError, "found no table .* not all"):
                recorded.read_recorded.cache_clear()
                recorded.read_recorded(self.write(lines))
        with self.assertRaisesRegex(StudyError, "No such file"):
            recorded.read_recorded(self.folder / "none.table")

    def packed(self, path, change=lambda content: content):
        """A compressed copy of the same name elsewhere."""
        recorded.read_recorded.cache_clear()
        copy = self.folder / "packed" / path.name
        copy.parent.mkdir(exist_ok=True)
        copy.write_bytes(change(gzip.compress(path.read_bytes())))
        return copy

    def untimed(self, path):
        place = self.folder / "untimed"
        place.mkdir(exist_ok=True)
        return untimed(path, place).read_text()

    def test_a_compressed_table_is_the_same_table(self):
        plain = self.write(KNOBS)
        copy = self.packed(plain)
        self.assertLess(copy.stat().st_size, plain.stat().st_size)
        for read in (recorded.read_recorded, recorded.digest_of, self.untimed):
            self.assertEqual(read(copy), read(plain))

    def test_shipped_tables_are_known_by_their_text(self):
        """Boards and studies keep these digests."""
        self.assertEqual({name: recorded.digest_of(recorded.find_table(name, self.folder))
                          for name in recorded.shipped_tables()}, DIGESTS)
        for name in DIGESTS:
            content = recorded.find_table(name, self.folder).read_bytes()
            self.assertEqual(content[:2], b"\x1f\x8b", "compressed")
            self.assertEqual(content[4:8], bytes(4), "without the time of that")

    def test_a_damaged_compressed_table_is_one_line(self):
        plain = self.write(KNOBS)
        for change, words in ((lambda content: content[:40], "are cut short"),
                              (lambda content: content[:-8] + bytes(4) + content[-4:], "are damaged"),
                              (lambda content: content + b"more", "are damaged")):
            copy = self.packed(plain, change)
            for read in (recorded.read_recorded, recorded.digest_of, self.untimed,
                         lambda path: vendor_beside_table("a 1", 1.0, path)):
                with self.assertRaisesRegex(StudyError, f"{copy}: its compressed data {words}"):
                    read(copy)

    def test_what_unpacks_to_too_much_is_refused(self):
        plain = self.write(KNOBS)
        plain.write_bytes(bytes(1 << 20))
        with mock.patch.object(packed, "MOST_MEBIBYTES", 1):
            self.assertEqual(packed.bytes_of(self.packed(plain)), bytes(1 << 20))
            plain.write_bytes(bytes((1 << 20) + 1))
            with self.assertRaisesRegex(StudyError, "it unpacks to more than 1 MiB"):
                packed.bytes_of(self.packed(plain))

    def test_what_tells_tables_apart(self):
        first, second = self.write(KNOBS), self.write(KNOBS, "b.table")
        self.assertEqual(recorded.digest_of(first), recorded.digest_of(second))
        self.assertNotEqual(recorded.digest_of(first), recorded.digest_of(self.write(TREE)))


if __name__ == "__main__":
    unittest.main()
