"""Every reader of text files skips a byte order mark, whatever the locale: none goes its own way."""
import ast
import locale
import pathlib
import re
import tempfile
import unittest

from harness import ROOT, schedulegym as sg

# How C++ reads files of users, by file; the second is the kind of changed files by which
# `schedulegym-fuzz files` tries the reader.
READERS = {
    "agents/learned/checkpoint.cc": "checkpoint",
    "agents/schedulers/simulation/curve_file.cc": "curves",
    "bindings/env_program.cc": "dag",
    "env/base/model_state_file.cc": "model",
    "env/gym/tables/table_file.cc": "table",
    "env/gym/tables/tuner_file.cc": "t4",
    "env/measure/store/ansor_programs.cc": "log",
    "env/measure/store/program_set.cc": "points",
    "env/program/workloads/builtin_files.cc": "dag",
    "env/program/workloads/network.cc": "net",
    "experiments/cli/chosen_state.cc": "trace",
    "experiments/cli/records_transfer.cc": "lines",
    "experiments/cli/show_tree.cc": "tree",
}
# What reads bytes itself, and why it may.
OTHERS = {
    "agents/cost/model_registry.cc": "what kind a model is, before its reader",
    "agents/old_names.h": "the old name of a reader",
    "assembly/host/plugin_loader.cc": "a library, no text",
    "env/base/files.cc": "the reader",
    "env/base/files.h": "the reader",
    "env/base/output_file.cc": "it writes",
    "env/base/gzip.cc": "the reader of files that may be compressed",
    "env/base/gzip.h": "the reader of files that may be compressed",
    "env/ipc/worker_process.cc": "of the system",
    "env/measure/host/machine_facts.cc": "of the system",
    "env/measure/store/sqlite_database.cc": "of the system",
    "env/measure/store/store_inode.cc": "of the system",
    "env/program/targets/host.cc": "of the system",
    "experiments/bench/expert.cc": "of the tree itself",
    "experiments/gpu/bundle_run.cc": "cases of a bundle, which no text are",
    "assembly/program_data.cc": "what kind a file is, before its reader",
}
CALLS = r"\b(Read(Untrusted|Packed)File|OpenUntrustedFile|ReadStandardInput|ifstream|fopen|fread)\b"
FOLDERS = ("env", "agents", "spaces", "assembly", "backends", "bindings", "experiments")
# Python files that read text of their own: the one reader, and what belongs to the package.
PYTHON = {"experiments/studies/packed.py": "the reader"}


def sources(folders, *endings):
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in endings:
                yield path.relative_to(ROOT).as_posix(), path.read_text("utf-8")


def reads_text(call):
    """Whether it opens a file as text without saying that it is UTF-8."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    texts = [one.value for one in [*call.args, *(key.value for key in call.keywords)]
             if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    if name == "read_text":
        return isinstance(call.func, ast.Attribute) and "utf-8" not in texts
    owner = getattr(getattr(call.func, "value", None), "id", "")
    if name == "open" and owner != "os" and "utf-8" not in texts:
        return not any(set(text) <= set("rwxab+t") and set(text) & set("wxab") for text in texts)
    return False


class TextReadersTest(unittest.TestCase):
    def test_each_reader_in_cpp_is_known_and_tried_with_changed_files(self):
        found = {name for name, text in sources(FOLDERS, ".cc", ".h")
                 if re.search(CALLS, re.sub(r"//.*", "", text))}
        self.assertEqual(found, {*READERS, *OTHERS})
        kinds = re.search(r"FileKinds\(\) \{\s*return \{([^}]*)\}",
                          (ROOT / "tests/fuzz/files/file_target.cc").read_text("utf-8"))[1]
        self.assertLessEqual(set(READERS.values()), set(re.findall(r'"(\w+)"', kinds)))

    def test_each_kind_of_file_has_a_reader(self):
        kinds = set(re.findall(r"FileKind (k\w+)", (ROOT / "env/base/files.h").read_text("utf-8")))
        used = {kind for name, text in sources(FOLDERS, ".cc")
                for kind in re.findall(r"\bk\w+File\b", text) if name in READERS or "agents/" in name}
        self.assertLessEqual(kinds, used)

    def test_python_reads_text_by_one_function(self):
        for name, text in sources(("bindings/schedulegym", "experiments/studies",
                                   "experiments/leaderboard"), ".py"):
            if "/examples/" in name or name in PYTHON:
                continue
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, ast.Call):
                    self.assertFalse(reads_text(node), f"{name}:{node.lineno}: expected "
                                     "studies.packed.read_text or an encoding")


@unittest.skipIf(sg is None, "this build has no Python package")
class PackedTextTest(unittest.TestCase):
    def read(self, content):
        from schedulegym.studies.packed import read_text
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "a.toml")
            path.write_bytes(content)
            return read_text(path)

    def test_texts_are_utf8_whatever_the_locale(self):
        before = locale.setlocale(locale.LC_CTYPE)
        self.addCleanup(locale.setlocale, locale.LC_CTYPE, before)
        locale.setlocale(locale.LC_CTYPE, "C")
        self.assertEqual(self.read("\ufeffa = 'ü'\r\nb\n".encode()), "a = 'ü'\nb\n")

    def test_bytes_that_are_no_utf8_have_a_place(self):
        with self.assertRaises(UnicodeDecodeError) as caught:
            self.read("é\nü\u20ac".encode() + b"\xff!")
        self.assertEqual(str(caught.exception), r"line 2, column 3: found '\xff', expected UTF-8")


if __name__ == "__main__":
    unittest.main()
