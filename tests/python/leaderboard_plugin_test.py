"""Entries in C++ and of commands: plugins are built from their source, both live confined."""
import json
import pathlib
import shutil
import unittest
from unittest import mock

from harness import ROOT, PackageTest, need_confinement
from leaderboard_state import own_state

try:
    from schedulegym.leaderboard import entry_plugins
    from schedulegym.leaderboard.command import run_leaderboard
    from schedulegym.leaderboard.entry import read_entry
    from schedulegym.studies.faults import StudyError
    from schedulegym.studies.recorded import find_table
    from schedulegym.studies.tune_runner import TuneRunner
except ImportError as fault:
    raise unittest.SkipTest(f"no leaderboard: {fault}") from None

BOARD = """board = 1
name = "small"
edition = "1"
track = "table"
cases = ["conv2d"]
trials = 6
seeds = 2
"""
ENTRY = """entry = 1
name = "%s"
authors = ["A. Climber"]
licence = "MIT"
about = "Climbs."
division = "closed"
agent = '%s'
%s
[tuning]
trials = 0
hours = 0
what = ""
training_seconds = 0
"""
# Beside the example's agent: one that looks at a file, and what runs as soon as it is opened.
MORE = """
#include <fstream>

struct Opened {
  Opened() { std::ofstream("%(left)s") << "here"; }
} opened;

std::unique_ptr<Agent> MakePeeking(const AgentContext& context) {
  SpecReader options(context.setup.agent, "agent");
  std::ifstream file(options.Word("file", ""));
  if (!file) throw InputError("it cannot be read");
  throw InputError("it was read");
}

SG_PLUGIN(agents) {
  agents.push_back({"peeking", "file", "looks at a file", MakePeeking});
"""
WALKER = """import json, random, sys
for line in sys.stdin:
    ask = json.loads(line)
    answer = {"id": ask["id"]}
    if ask["ask"] == "propose":
        %s
        answer["proposals"] = [{"sample": ask["count"]}]
    print(json.dumps(answer), flush=True)
"""


class EntryTest(PackageTest):
    def setUp(self):
        super().setUp()
        need_confinement(self)
        own_state(self)
        (self.folder / "small.toml").write_text(BOARD)

    def entry(self, name, agent, key="", **files):
        place = self.folder / name
        place.mkdir()
        (place / "entry.toml").write_text(ENTRY % (name, agent, key))
        for file, text in files.items():
            (place / file.replace("_", ".")).write_text(text)
        return name

    def call(self, *words):
        self.assertEqual(run_leaderboard([*words, "--quiet"], TuneRunner()), 0)

    def run_with(self, *entries):
        given = [word for name in entries for word in ("--entry", name)]
        self.call("run", "small.toml", "-o", "out", *given)
        return json.loads((self.folder / "out/results.json").read_text())["entries"]

    def refused_entry(self, pattern, *entries):
        self.refused(StudyError, pattern, self.run_with, *entries)


class PluginTest(EntryTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        if shutil.which("cmake") is None or shutil.which("c++") is None:
            raise unittest.SkipTest("no CMake or no compiler")

    def plugin(self, name, agent, text, **files):
        return self.entry(name, agent, 'plugin = "own.so"', own_cc=text, **files)

    def build_once(self):
        """What the first build made serves those after it, too."""
        self.library = self.folder / "kept.so"
        made = entry_plugins._Builder._made

        def kept(builder, folder, plugin, name):
            if not self.library.exists():
                shutil.copy(made(builder, folder, plugin, name), self.library)
            return self.library

        patched = mock.patch.object(entry_plugins._Builder, "_made", kept)
        patched.start()
        self.addCleanup(patched.stop)

    def test_one_from_its_source(self):
        """It searches, its mark holds for its source, and it reads no table: one library for all."""
        left, table = self.folder / "left", find_table("conv2d", self.folder)
        source = (ROOT / "experiments/plugins/climber/climber.cc").read_text()
        begin = "SG_PLUGIN(agents) {"
        self.assertIn(begin, source)
        self.plugin("climbs", "climber", source.replace(begin, MORE % {"left": left}))
        self.build_once()
        told = self.run_with("climbs")["climbs"]
        self.assertEqual((told["lost"], told["trials"]), ([], 12))
        self.assertFalse(left.exists(), "it wrote as it was opened")
        self.call("submit", "climbs", "--board", "small.toml", "--from", "out", "-o", "a.zip")
        self.call("verify", "climbs", "--board", "small.toml")
        board = json.loads(pathlib.Path("climbs/verified.json").read_text())["board"]
        self.assertEqual(read_entry(pathlib.Path("climbs")).mark(board).text, "verified")
        shutil.copytree("climbs", "peeks")
        toml = pathlib.Path("peeks/entry.toml")
        toml.write_text(toml.read_text().replace("'climber'", f"'peeking(file=\"{table}\")'"))
        shutil.copy(self.library, "peeks/own.so")  # one that is built is taken as it is
        self.refused(ValueError, "it cannot be read", self.run_with, "peeks")
        pathlib.Path("climbs/own.cc").write_text(source + "// changed\n")
        self.assertEqual(read_entry(pathlib.Path("climbs")).mark(board).text, "unverified")

    def test_what_is_wrong_is_one_line(self):
        table = find_table("conv2d", self.folder)
        self.plugin("wrong", "own", "#include <agents/plugin.h>\n\nint number = 1\nint other;\n")
        self.refused_entry(r"'wrong': its plugin is not built: own.cc:\d+:\d+: error: expected",
                           "wrong")
        self.plugin("embeds", "own", f'asm(".incbin \\"{table}\\"");\n')
        self.refused_entry("entry 'embeds': its plugin is not built: .*rror: ", "embeds")
        self.plugin("runs", "own", "", CMakeLists_txt="execute_process(COMMAND cat %s\n"
                    "COMMAND_ERROR_IS_FATAL ANY)\n" % table)
        self.refused_entry("entry 'runs': its plugin is not built: CMake Error", "runs")
        self.entry("nothing", "own", 'plugin = "own.so"')
        self.refused_entry("found no 'own.so', expected it, or the source of it", "nothing")
        self.entry("path", "own", 'plugin = "../own.so"')
        self.refused_entry("plugin: found '../own.so', expected the name of a library", "path")


class CommandEntryTest(EntryTest):
    def test_one_in_any_language(self):
        self.entry("walks", 'process(command="python3 walk.py")', walk_py=WALKER % "pass")
        table = find_table("conv2d", self.folder)
        for name, line in (("reads", f"open({str(table)!r}).read()"),
                           ("starts", "import subprocess; subprocess.run(['true'])"),
                           ("writes", f"open({str(self.folder / 'left')!r}, 'w')"),
                           ("calls", "import socket; socket.create_connection(('127.0.0.1', 9))")):
            self.entry(name, 'process(command="python3 walk.py")', walk_py=WALKER % line)
        told = self.run_with("walks", "reads", "starts", "writes", "calls")
        self.assertEqual((told["walks"]["lost"], told["walks"]["trials"]), ([], 12))
        for name in ("reads", "starts", "writes", "calls"):
            lost = told[name]["lost"]
            self.assertEqual([one["seed"] for one in lost], [0, 1], name)
            self.assertRegex(lost[0]["why"], "agent 'python3 walk.py' ended: PermissionError", name)
        self.assertFalse((self.folder / "left").exists())

    def test_what_is_wrong_is_one_line(self):
        self.entry("pipes", 'process(command="cat x | python3 walk.py")')
        self.refused(ValueError, r"found \|, expected a program and its words: there is no shell",
                     self.run_with, "pipes")


if __name__ == "__main__":
    unittest.main()
