"""Plugins from an installed copy: the example projects, built, tested and searched with outside of the tree.

With SCHEDULEGYM_CLANG_PLUGINS=yes by clang++, too (minutes; last done 2026-11-25).
"""
import concurrent.futures
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from harness import PROGRAM, ROOT, PackageTest, ProgramTest, schedulegym as sg

BUILD = pathlib.Path(PROGRAM).resolve().parents[1]
COMPILERS = ["g++"] + ["clang++"] * (os.environ.get("SCHEDULEGYM_CLANG_PLUGINS") == "yes")
HEAVY = ("llvm", "torch", "asio", "sqlite", "nlohmann")

PROJECT = """
cmake_minimum_required(VERSION 3.25)
project(own LANGUAGES CXX)
find_package(schedulegym REQUIRED)
schedulegym_add_plugin(crashing crashing.cc)
schedulegym_add_plugin(breaking breaking.cc)
"""

STUDY = """
measure = "analytical"
cases = ["matmul(m=32,n=32,k=32)"]
seeds = 1
trials = 4
plugins = ["climber.so"]
[arms.climbs]
agent = "climber"
[arms.chance]
agent = "random"
"""

# Agents that go wrong in the midst of a search.
CRASHING = """
#include <agents/plugin.h>
#include <unistd.h>
#include <csignal>

using namespace schedulegym;

void Crash() { raise(SIGSEGV); }
void Hang() { while (true) pause(); }
// Of which not one page is touched.
void Eat() { while (true) new char[size_t{1} << 30]; }

struct Odd : Agent {
  Odd(const AgentContext& given, void (*what)()) : context(given), go_wrong(what) {}
  std::vector<Proposal> Propose(int task, int) override {
    if (++turns > 3) go_wrong();
    auto state = context.space.Sample(context.setup.tasks[task].task, context.rng);
    return {ProposalOf(*state)};
  }
  AgentContext context;
  void (*go_wrong)();
  int turns = 0;
};

void Add(PluginAgents& agents, const char* name, void (*what)()) {
  agents.push_back({name, "", "goes wrong in its fourth turn", [what](const AgentContext& context) {
                      SpecReader(context.setup.agent, "agent").Finish();
                      return std::make_unique<Odd>(context, what);
                    }});
}

SG_PLUGIN(agents) {
  Add(agents, "crashing", Crash);
  Add(agents, "hanging", Hang);
  Add(agents, "eating", Eat);
}
"""

# Agents that break one rule of a search each.
BREAKING = """
#include <agents/plugin.h>
#include <chrono>
#include <set>

using namespace schedulegym;

struct Breaking : Agent {
  Breaking(const AgentContext& given, bool deaf) : context(given), is_deaf(deaf) {}
  std::vector<Proposal> Propose(int task, int count) override {
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + std::chrono::seconds(is_deaf && count > 100);
    while (Clock::now() < end) continue;
    std::vector<Proposal> proposals;
    for (int i = 0; i < count; ++i) {
      auto state = context.space.Sample(context.setup.tasks[task].task, context.rng);
      if (!state) continue;
      Proposal one = ProposalOf(*state);
      if (is_deaf || known.insert(one.key).second) proposals.push_back(one);
    }
    return proposals;
  }
  AgentContext context;
  bool is_deaf;
  std::set<Key> known;
};

void Add(PluginAgents& agents, const char* name, bool deaf) {
  agents.push_back({name, "", "breaks a rule", [deaf](const AgentContext& context) {
                      SpecReader(context.setup.agent, "agent").Finish();
                      return std::make_unique<Breaking>(context, deaf);
                    }});
}

SG_PLUGIN(agents) {
  Add(agents, "deaf", true);
  Add(agents, "strict", false);
}
"""


def run(*words, **options):
    result = subprocess.run([*map(str, words)], capture_output=True, text=True, timeout=500,
                            **options)
    if result.returncode != 0:
        raise AssertionError(f"{words}:\n{result.stdout}{result.stderr}")
    return result.stdout


def build_project(source, copy, folder, compiler="g++"):
    """Outside of the tree, against the copy; nobody debugs what is built here. Where there is a
    cache of compiled code, it knows what an earlier run compiled in another folder.
    """
    given = {**os.environ, "CCACHE_BASEDIR": str(folder.parent), "CCACHE_NOHASHDIR": "yes"}
    run("cmake", "-S", source, "-B", folder, f"-DCMAKE_PREFIX_PATH={copy}",
        f"-DCMAKE_CXX_COMPILER={compiler}", "-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_FLAGS_DEBUG=",
        env=given)
    run("cmake", "--build", folder, "-j", "2", env=given)


class Copy:
    """An installed copy with plugins built against it, made once."""

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="schedulegym copy "))
        self.root = self.folder / "copy"
        run("cmake", "--install", BUILD, "--prefix", self.root)
        self.program = self.root / "bin/schedulegym"
        for name in ("climber", "tabu"):
            shutil.copytree(ROOT / "experiments/plugins" / name, self.folder / name)
            for compiler in COMPILERS:
                build_project(self.folder / name, self.root, self.plugin(name, compiler).parent,
                              compiler)
        own = self.folder / "own"
        own.mkdir()
        (own / "CMakeLists.txt").write_text(PROJECT)
        (own / "crashing.cc").write_text(CRASHING)
        (own / "breaking.cc").write_text(BREAKING)
        build_project(own, self.root, self.plugin("crashing").parent)

    def plugin(self, name, compiler="g++"):
        project = "own" if name in ("crashing", "breaking") else name
        return self.folder / f"built {project} {compiler}" / f"{name}.so"


copy = None


def setUpModule():
    global copy  # pylint: disable=global-statement
    copy = Copy()


def tearDownModule():
    shutil.rmtree(copy.folder)


class InstalledCopyTest(unittest.TestCase):
    def test_what_plugins_include_is_installed_and_light(self):
        include = copy.root / "include/schedulegym"
        headers = sorted(path.relative_to(include).as_posix() for path in include.rglob("*.h"))
        self.assertIn("agents/plugin.h", headers)
        text = "".join(f"#include <{header}>\n" for header in headers)
        seen = run("g++", "-std=c++20", "-M", "-I", include, "-x", "c++", "-", input=text)
        self.assertNotIn(str(ROOT), seen)
        for path in seen.split():
            self.assertFalse([word for word in HEAVY if f"/{word}" in path.lower()], path)

    def test_each_header_stands_alone(self):
        include = copy.root / "include/schedulegym"

        def compile_alone(path):
            run("g++", "-std=c++20", "-fsyntax-only", "-I", include, "-x", "c++", "-",
                input=f"#include <{path.relative_to(include)}>\n")

        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            self.assertGreater(len(list(pool.map(compile_alone, include.rglob("*.h")))), 50)

    def test_the_library_shows_the_projects_names_alone(self):
        library = copy.root / "lib/libschedulegym.so"
        shown = run("nm", "-D", "-C", "--defined-only", library).splitlines()
        names = [line.split(" ", 2)[2] for line in shown]
        self.assertTrue(any(name.startswith("schedulegym::ReplayText(") for name in names))
        self.assertEqual([name for name in names if "schedulegym::" not in name], [])

    def test_it_needs_no_heavy_library(self):
        needed = run("readelf", "-d", copy.root / "lib/libschedulegym.so").lower()
        for word in ("llvm", "torch", "python"):
            self.assertNotIn(word, needed)

    def test_the_examples_own_test_passes(self):
        for compiler in COMPILERS:
            run("ctest", "--test-dir", copy.plugin("tabu", compiler).parent, "--no-tests=error")


class PluginCommandTest(ProgramTest):
    def run_copy(self, *words):
        return subprocess.run([copy.program, *map(str, words)], capture_output=True, text=True,
                              cwd=self.folder, timeout=300)

    def test_the_examples_are_listed_with_their_parameters(self):
        for compiler in COMPILERS:
            plugins = [word for name in ("climber", "tabu")
                       for word in ("--plugin", copy.plugin(name, compiler))]
            listed = self.run_copy("list", "agents", *plugins)
            self.assertEqual(listed.returncode, 0, listed.stderr)
            self.assertIn("\nclimber\n", listed.stdout)
            self.assertIn("\ntabu(tenure=7, neighbours=8, retries=1000)\n", listed.stdout)

    def test_the_examples_search_the_same_again(self):
        for compiler in COMPILERS:
            for name, agent in (("climber", "climber"), ("tabu", "tabu(tenure=3,neighbours=4)")):
                traces = []
                for _ in range(2):
                    words = ("tune", "matmul(m=32,n=32,k=32)", "--measure", "analytical",
                             "--trials", "30", "--agent", agent, "--trace-out", "best.trace",
                             "--plugin", copy.plugin(name, compiler))
                    result = self.run_copy(*words)
                    self.assertEqual(result.returncode, 0, result.stderr)
                    self.assertIn("30 (30 ok)", result.stdout)
                    traces.append((self.folder / "best.trace").read_text())
                self.assertEqual(traces[0], traces[1])

    def words(self, agent, *plugins):
        files = [word for plugin in plugins for word in ("--plugin", plugin)]
        return ("tune", "matmul(m=8,n=8,k=8)", "--target", "interpreter", "--trials", "20",
                "--agent", agent, *files)

    def test_what_goes_wrong_ends_its_search_and_what_was_measured_is_kept(self):
        plugin = copy.plugin("crashing")
        for agent, seconds, code, end in (
                ("crashing", 60, 2, f"error: plugin {plugin}: agent crashing ended: SIGSEGV"),
                ("eating", 60, 2,
                 f"error: plugin {plugin}: agent eating: Propose threw: std::bad_alloc"),
                ("hanging", 2, 0, "tuning matmul(m=8,n=8,k=8), agent hanging, 20 trials")):
            with self.subTest(agent):
                result = self.run_copy(*self.words(agent, plugin), "--measure", "analytical",
                                       "--seconds", seconds, "--store", f"{agent}.db")
                self.assertEqual(result.returncode, code, result.stderr)
                self.assertEqual(result.stderr.splitlines()[-1], end)
                kept = self.run_copy("records", "export", "-o", "kept.jsonl", "--store",
                                     f"{agent}.db")
                self.assertEqual(kept.returncode, 0, kept.stderr)
                lines = (self.folder / "kept.jsonl").read_text().splitlines()
                self.assertEqual(len([line for line in lines if f'"{agent}"' in line]), 3)
                (self.folder / "kept.jsonl").unlink()

    def test_bench_takes_plugins(self):
        """From the copy, which has the worker that it starts."""
        result = self.run_copy(
            "bench", "matmul(m=8,n=8,k=8)", "--target", "interpreter", "--trials", 2, "--agent",
            "climber", "--plugin", copy.plugin("climber"), "--peers", "", "--processes", 1,
            "--protocol", "cpu1(seconds=0.2,final_seconds=0.2,final_rounds=15)", "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        done = [event for event in self.parse(result.stdout) if event["event"] == "done"]
        self.assertEqual([event["trials"] for event in done], [2])

    def test_conformance_says_what_breaks_and_where(self):
        for words, code, pattern in (
                (("--plugin", copy.plugin("tabu"), "--plugin", copy.plugin("climber")), 0,
                 "tabu: ok      proposes the same again for the same seed"),
                (("--agent", "hill(patience=9)"), 0, "hill(patience=9): ok      refuses an option"),
                (("--plugin", copy.plugin("crashing"), "--agent", "crashing"), 1,
                 "agent crashing ended: SIGSEGV")):
            result = self.run_copy("conformance", *words)
            self.assertEqual(result.returncode, code, result.stdout + result.stderr)
            self.assertIn(pattern, result.stdout)
            self.assertEqual("BROKEN" in result.stdout, code == 1)
        for words, pattern in (((), "expected --agent or --plugin"),
                               (("--agent", "no_such"), "unknown agent 'no_such'"),
                               (("--plugin", "missing.so"), "found no file 'missing.so'")):
            result = self.run_copy("conformance", *words)
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
            self.assertIn(pattern, result.stderr)

    def test_conformance_names_the_rule_that_an_agent_breaks(self):
        result = self.run_copy("conformance", "--plugin", copy.plugin("breaking"), "--json")
        self.assertEqual(result.returncode, 1, result.stderr)
        lines = self.parse(result.stdout)
        self.assertEqual([line["rule"] for line in lines if not line["ok"]],
                         ["stops in the midst of thinking",
                          "proposes again what was never measured"])

    def test_what_is_wrong_is_one_line(self):
        tabu = copy.plugin("tabu")
        for words, pattern in (
                (self.words("climber", "missing.so"), "found no file 'missing.so'"),
                (self.words("climber", __file__), "cannot be opened"),
                (self.words("climber", copy.root / "lib/libschedulegym.so"), "found no 'schedul"),
                (self.words("tabu", tabu, tabu), "agent 'tabu' exists already"),
                (self.words("climber", tabu), "unknown agent 'climber'"),
                (self.words("tabu(tenure=-1)", tabu), "tenure: found -1, expected 0 to 1000000"),
                (self.words("tabu(tenor=1)", tabu), "tenor"),
                (("list", "agents", "--plugin", "missing.so"), "found no file 'missing.so'")):
            result = self.run_copy(*words)
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
            self.assertIn(pattern, result.stderr)
            self.assertFalse((self.folder / "schedulegym.db").exists())

    def test_one_built_against_other_headers_is_refused(self):
        other = self.folder / "other"
        shutil.copytree(copy.root, other, symlinks=True, ignore=shutil.ignore_patterns("bin"))
        with (other / "include/schedulegym/agents/agent.h").open("a") as header:
            header.write("namespace schedulegym { struct Changed {}; }\n")
        source = shutil.copytree(copy.folder / "climber", self.folder / "climber")
        build_project(source, other, self.folder / "built")
        result = self.run_copy(*self.words("climber", self.folder / "built/climber.so"))
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertRegex(result.stderr, "public headers: found '[0-9a-f]{64}', expected '")


class PluginPackageTest(PackageTest):
    def test_tune_takes_plugins(self):
        result = sg.tune("matmul(m=32,n=32,k=32)", measure="analytical", agent="climber",
                         plugins=[copy.plugin("climber")], trials=8)
        self.assertEqual((result.trials, result.ok), (8, 8))
        self.refused(ValueError, "unknown agent 'climber'", sg.tune, "matmul(m=32,n=32,k=32)",
                     measure="analytical", agent="climber", trials=8)

    def test_network_environments_take_plugins(self):
        layers = [(2, "matmul(m=32,n=32,k=32)"), (1, "softmax(n=16,m=16)")]
        env = sg.ScheduleNetworkEnv(layers, agent="climber", slots=2, batch=2,
                                    plugins=[copy.plugin("climber")])
        env.reset(seed=1)
        env.step(1)
        self.assertGreater(min(env.trials), 0, "both tasks were searched")
        self.refused(ValueError, "unknown agent 'climber'", sg.ScheduleNetworkEnv, layers,
                     agent="climber")
        self.refused(ValueError, "found no file 'missing.so'", sg.ScheduleNetworkEnv, layers,
                     plugins=["missing.so"])

    def test_studies_take_plugins(self):
        try:
            from schedulegym.studies.command import run_command
            from schedulegym.studies.tune_runner import TuneRunner, suite_workloads
        except ImportError as fault:
            self.skipTest(str(fault))
        shutil.copy(copy.plugin("climber"), "climber.so")
        pathlib.Path("mine.toml").write_text(STUDY)
        words = ["study", "mine.toml", "-o", "out", "--quiet"]
        self.assertEqual(run_command(words, TuneRunner(), suite_workloads), 0)
        told = json.loads(pathlib.Path("out/results.json").read_text())
        self.assertIn("climbs", told["arms"])
        pathlib.Path("mine.toml").write_text(STUDY.replace("climber.so", "missing.so"))
        self.refused(ValueError, "plugins: found no file 'missing.so'", run_command, words,
                     TuneRunner(), suite_workloads)

    def test_what_is_wrong_is_raised(self):
        self.refused(ValueError, "found no file 'missing.so'", sg.tune, "softmax(n=8,m=8)",
                     plugins=["missing.so"])
        self.refused(TypeError, "plugins: found 'climber.so', expected a list of files", sg.tune,
                     "softmax(n=8,m=8)", plugins="climber.so")


if __name__ == "__main__":
    unittest.main()
