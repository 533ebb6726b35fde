"""Texts with characters and bytes outside ASCII through Python's readers and the command.

No message is empty, has half a character, or shows a part of a character that is whole in the text.
The readers in C++ have theirs: schedulegym-fuzz files --foreign."""
import os
import pathlib
import random
import re
import subprocess
import tempfile
import unittest

from harness import PROGRAM, PackageTest, ProgramTest, schedulegym as sg

DAG = """# all of it: é
param n = 8
input A[n, n + 1] : f64
weight W[n, 3]
B[i:n, j:n] = select(i < j && !(j == 3), A[i, j + 1], max(A[j, i], 0)) * 1.5
C[i:n] = sum(k:n // 2, r:2) B[i, k * 2 + r] * W[i, r]
output C
"""
NET = "# a network\nparam d = 16\n2 matmul(m=d,n=16,k=16)\n1 softmax(m=8,n=d * 2)\n"
TRACE = "trace 1\nsplit(stage=B, loop=0, lengths=[4])\nvectorize(stage=B, loop=1)\n"
STUDY = """name = "mine"
measure = "analytical"
cases = ["matmul(m=16,n=16,k=16)"]
[arms.one]
agent = "random"
"""
RESULTS = "case,arm,seed,chosen\nx,one,0,1.5\nx,two,0,1.25\n"
SPECS = ("matmul(m=8, n=8, k=8)", 'llvm(cores=1, features="avx2,fma")', "ansor(rfactor=false)",
         'table(file="a b.table", noise=true)', "final(rounds=3)", "harl(hidden=8, mode=faithful)")
# None that Python's repr writes as \\xNN.
WHOLE = ("\ufeff", "ü", "ß", "€", "中文", "😀", "\u0301", "\u2028")
BROKEN = (b"\xff", b"\xc3", b"\xe2\x82", b"\xf0\x9f\x98", b"\x80", b"\xed\xa0\x80", b"\0",
          b"\x1b[31m", b"\x7f")


def changed(text, rng):
    """Bytes; a third of them are no UTF-8 or have control characters."""
    breaks = rng.random() < 1 / 3
    if rng.random() < 0.1:
        text = WHOLE[0] + text
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(text) + 1)
        part = rng.choice(BROKEN).decode("utf-8", "surrogateescape") \
            if breaks and rng.random() < 0.7 else rng.choice(WHOLE)
        text = text[:at] + part + text[at + rng.choice((0, 0, 1)):]
    return text.encode("utf-8", "surrogateescape")


def is_utf8(content):
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True


class Checks:
    def check(self, content, message):
        """A message about a text."""
        self.assertTrue(message.strip(), content)
        message.encode()  # surrogates are halves of characters
        self.assertNotIn("\0", message, content)
        self.assertNotIn("\ufffd", message, content)
        if is_utf8(content):
            self.assertIsNone(re.search(r"\\x[89a-f]", message), (content, message))


class PythonTextFuzzTest(Checks, PackageTest):
    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = pathlib.Path(folder.name, "text")

    def readers(self):
        """Each with a text; some take it as it is, some as a file."""
        from schedulegym.leaderboard.board import read_board
        from schedulegym.studies import study_file
        from schedulegym.studies.pairs import pairs_of
        small = sg.Task("input A[8]\nB[i:8] = A[i] + 1\n")

        def in_file(read, suffix):
            def reads(content):
                path = self.file.with_suffix(suffix)
                path.write_bytes(content)
                return read(path)
            return reads

        def as_text(read):
            return lambda content: read(content.decode("utf-8", "surrogateescape"))
        yield DAG, as_text(sg.ComputeDag)
        yield DAG, as_text(sg.Task)
        yield DAG, in_file(sg.Task, ".dag")
        yield NET, in_file(sg.read_network, ".net")
        yield TRACE, as_text(lambda text: sg.ScheduleState.replay(small, text))
        yield TRACE, as_text(sg.Trace)
        yield STUDY, in_file(lambda path: study_file.read_study(path, lambda name: []), ".toml")
        yield STUDY, in_file(read_board, ".toml")
        yield RESULTS, in_file(lambda path: pairs_of([path], "one"), ".csv")
        for spec in SPECS:
            for read in (sg.Target, sg.Workload, sg.SearchSpace, sg.BuiltinAgent):
                yield spec, as_text(read)

    def run_texts(self, count):
        rng, refused = random.Random(7), 0
        readers = list(self.readers())
        for number in range(count):
            text, read = readers[number % len(readers)]
            content = changed(text, rng)
            try:
                read(content)
            except (ValueError, OSError) as fault:
                refused += 1
                self.check(content, str(fault))
        self.assertGreater(refused, count // 2)

    def test_some_texts(self):
        self.run_texts(330)

    def test_many_texts(self):
        self.run_texts(13000)


class CommandTextFuzzTest(Checks, ProgramTest):
    def calls(self, rng):
        """Content and words of a call that reads it, as an argument or as a file."""
        kinds = ((DAG, "text.dag", ("show", "text.dag")), (NET, "text.net", ("show", "text.net")),
                 (TRACE, "text.trace", ("show", "matmul(m=8,n=8,k=8)", "--trace", "text.trace")),
                 (RESULTS, "r.csv", ("records", "import", "r.csv")))
        while True:
            text, name, words = rng.choice(kinds)
            content = changed(text, rng)
            (self.folder / name).write_bytes(content)
            yield content, words
            content = changed(rng.choice(SPECS), rng).replace(b"\0", b"\x01")
            for words in (("show", content), ("tune", "softmax(m=8,n=8)", "--agent", content),
                          ("show", "softmax(m=8,n=8)", "--target", content)):
                yield content, words

    def run_calls(self, count):
        calls, refused = self.calls(random.Random(11)), 0
        for _ in range(count):
            content, words = next(calls)
            done = subprocess.run([PROGRAM, *map(os.fsencode, words)], capture_output=True,
                                  cwd=self.folder, timeout=300, check=False)
            self.assertIn(done.returncode, (0, 1, 2), (words, done.stderr))
            self.assertTrue(is_utf8(done.stderr) and is_utf8(done.stdout), words)
            if done.returncode == 2:
                refused += 1
                self.check(content, done.stderr.decode())
        self.assertGreater(refused, count // 2)

    def test_some_calls(self):
        self.run_calls(12)

    def test_many_calls(self):
        self.run_calls(1000)


if __name__ == "__main__":
    unittest.main()
