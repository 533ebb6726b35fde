"""Two writers of one store, by all names that a file may have: one is refused, nothing is lost."""
import contextlib
import json
import os
import selectors
import signal
import subprocess
import time
import unittest

from harness import PROGRAM, ProgramTest

# A search that goes on until it is ended; of other tasks, so that none knows what another found.
SEARCH = ("--target", "interpreter", "--measure", "analytical", "--agent", "random", "--json", "--trials",
          "1000000")


class Writer:
    """A search, and the records that it acknowledged."""

    def __init__(self, folder, store, size):
        self.records, self._rest = [], b""
        self.process = subprocess.Popen(
            [PROGRAM, "tune", f"matmul(m={size},n=256,k=256)", *SEARCH, "--store", store], cwd=folder,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def read(self, count=1 << 16):
        """What there is; False at the end."""
        found = os.read(self.process.stdout.fileno(), count)
        *lines, self._rest = (self._rest + found).split(b"\n")
        self.records += [event["record"] for event in map(json.loads, lines)
                         if event["event"] == "trial"]
        return bool(found)

    def end(self):
        """Its exit code and what it said."""
        with contextlib.suppress(ProcessLookupError):
            self.process.send_signal(signal.SIGINT)
        while self.read():
            pass
        errors = self.process.stderr.read().decode()
        self.process.stdout.close()
        self.process.stderr.close()
        return self.process.wait(60), errors


class TwoWritersTest(ProgramTest):
    def setUp(self):
        super().setUp()
        (self.folder / "sub").mkdir()
        (self.folder / "far").mkdir()
        self.succeed("tune", "matmul(m=8,n=8,k=8)", "--target", "interpreter", "--measure",
                     "analytical", "--agent", "random", "--trials", "1", "--store", "a.db", "--quiet")
        os.link(self.folder / "a.db", self.folder / "hard.db")
        os.link(self.folder / "a.db", self.folder / "far/hard.db")
        (self.folder / "soft.db").symlink_to("a.db")
        (self.folder / "far/soft.db").symlink_to("../soft.db")
        self.names = ["a.db", "sub/../a.db", "hard.db", "far/hard.db", "soft.db", "far/soft.db"]
        self.mount("mounted.db", "a.db")

    def mount(self, name, file):
        """One more name, where this user may mount files."""
        place = self.folder / name
        place.touch()
        if subprocess.run(["mount", "--bind", self.folder / file, place],
                          stderr=subprocess.DEVNULL, check=False).returncode == 0:
            self.addCleanup(subprocess.run, ["umount", place], check=True)
            self.names.append(name)
        else:
            place.unlink()

    def stored(self, store="a.db"):
        self.succeed("records", "check", "--store", store)
        self.succeed("records", "export", "-o", "all.jsonl", "--store", store, "--quiet")
        return [json.loads(line).get("record")
                for line in (self.folder / "all.jsonl").read_text().splitlines()]

    def start_two(self, names):
        """Both at once, until one is refused and the other at work; what became of them."""
        writers = [Writer(self.folder, name, 256 + 64 * i) for i, name in enumerate(names)]
        open_ones = set(writers)
        with selectors.DefaultSelector() as selector:
            for writer in writers:
                selector.register(writer.process.stdout, selectors.EVENT_READ, writer)
            until = time.monotonic() + 60
            while time.monotonic() < until:
                for key, _ in selector.select(1):
                    if not key.data.read():
                        selector.unregister(key.fileobj)
                        open_ones.discard(key.data)
                if all(writer.records or writer not in open_ones for writer in writers):
                    break
        return writers, [writer.end() for writer in writers]

    def test_one_of_two_is_refused(self):
        known = {self.stored()[0]}
        pairs = [(first, second) for first in self.names for second in self.names]
        for number in range(self.pairs(len(pairs))):
            names = pairs[(number * 11) % len(pairs)]  # each once before any comes again
            with self.subTest(number=number, names=names):
                writers, ends = self.start_two(names)
                at_work = [writer for writer in writers if writer.records]
                self.assertEqual(len(at_work), set(names) != {"mounted.db"}, ends)
                for writer, (code, errors) in zip(writers, ends):
                    if writer in at_work:
                        self.assertEqual(code, 130, errors)
                    else:
                        # 130: told to end when it was about to. A holder has no name in its first moment.
                        self.assertIn(code, (2, 130), errors)
                        self.assertRegex(errors, "is being written by (another )?process|is mounted by itself")
                known |= {record for writer in at_work for record in writer.records}
                stored = self.stored()
                self.assertLessEqual(known, set(stored))
        # What was measured as it was ended is stored, and may not have been told.
        self.assertLessEqual(len(set(stored)), len(known) + 2 * (number + 1))

    def pairs(self, different):
        """How many are started."""
        return min(12, different)

    def test_after_a_crash_only_the_name_beside_the_log_will_do(self):
        for name in self.names:
            if name == "mounted.db":  # not written
                continue
            with self.subTest(name):
                writer = Writer(self.folder, name, 64)
                while len(writer.records) < 20:
                    self.assertTrue(writer.read())
                writer.process.kill()
                while writer.read():
                    pass
                writer.process.wait(60)
                writer.process.stdout.close()
                writer.process.stderr.close()
                beside = {"soft.db": "a.db", "far/soft.db": "a.db", "sub/../a.db": "a.db"}
                place = beside.get(name, name)
                for other in {beside.get(one, one) for one in self.names} - {place}:
                    for words in (("records", "check"), ("tune", "softmax(n=8,m=8)", *SEARCH)):
                        errors = self.run_program(*words, "--store", other)
                        self.assertEqual(errors.returncode, 2, errors.stderr)
                        self.assertRegex(errors.stderr, "stands beside another|is mounted by itself")
                self.succeed("tune", "softmax(n=8,m=8)", *SEARCH[:-3], "--trials", "1", "--store", name,
                             "--quiet")
                self.assertLessEqual(set(writer.records), set(self.stored()))

    def test_whoever_only_reads_is_told_too(self):
        writer = Writer(self.folder, "a.db", 64)
        while not writer.records:
            self.assertTrue(writer.read())
        self.succeed("records", "stats", "--store", "soft.db")
        errors = self.run_program("records", "stats", "--store", "hard.db").stderr
        count = os.stat(self.folder / "a.db").st_nlink
        self.assertIn(f"store 'hard.db' has {count} names, and its log", errors)
        writer.end()
        self.succeed("records", "stats", "--store", "hard.db")


class ManyWritersTest(TwoWritersTest):
    """Two hundred pairs."""

    test_after_a_crash_only_the_name_beside_the_log_will_do = None
    test_whoever_only_reads_is_told_too = None

    def pairs(self, different):
        return int(os.environ.get("SCHEDULEGYM_PAIRS", "200"))


if __name__ == "__main__":
    unittest.main()
