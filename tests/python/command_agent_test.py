"""Agents in Python, for the command line."""
import os
import pathlib
import subprocess
import sys
import time
import unittest

from harness import PROGRAM, PackageTest, ProgramTest, assert_at_once, schedulegym as sg

MODULE = """
import os
import time
import schedulegym

class Mine(schedulegym.Agent):
    def __init__(self, seed=0, greeting="none"):
        self.space, self.rng = schedulegym.SearchSpace(), schedulegym.Rng(seed)
        self.log = open("log.txt", "a")
        print("made", greeting, file=self.log, flush=True)

    def propose(self, task, count):
        return [self.space.sample(task, self.rng) for _ in range(count)]

    def learn(self, records):
        print("learnt", len(records), file=self.log, flush=True)

class Raising(Mine):
    def propose(self, task, count):
        raise KeyError("mine")

class Ending(Mine):
    def propose(self, task, count):
        os._exit(3)

class Silent(Mine):
    def propose(self, task, count):
        print("asked", os.getpid(), file=self.log, flush=True)
        while True:
            time.sleep(1)

class Senseless(Mine):
    def propose(self, task, count):
        return [3]
"""


# Counts what it heard of, over searches.
LEARNING = """
import my_agents

class Learning(my_agents.Mine):
    heard = 0

    def learn(self, records):
        self.heard += len(records)

    def save(self):
        return f"{self.heard} heard" if self.heard else None

    def load(self, saved):
        self.heard = int(saved.split()[0])

class Numbers(Learning):
    def save(self):
        return 3
"""


# An agent that keeps all rules of a search, and one whose chance is the process's and which never
# proposes anything twice.
RULY = """
import os
import schedulegym

class Ruly(schedulegym.Agent):
    def __init__(self):
        self.heard = set()

    def begin(self, setup):
        self.space = schedulegym.SearchSpace(setup.space)
        self.rng = schedulegym.Rng(setup.seed)

    def propose(self, task, count):
        drawn = [self.space.sample(task, self.rng) for _ in range(count)]
        return [state for state in drawn if not self.knows(state)]

    def knows(self, state):
        return False

    def learn(self, records):
        pass

class Unruly(Ruly):
    def begin(self, setup):
        super().begin(setup)
        self.rng = schedulegym.Rng(os.getpid())

    def knows(self, state):
        known = state.trace.text in self.heard
        self.heard.add(state.trace.text)
        return known
"""


# No test here asserts anything about times.
ESTIMATED = ("--target", "llvm(cores=1)", "--measure", "analytical")


class CommandAgentTest(PackageTest, ProgramTest):
    def setUp(self):
        PackageTest.setUp(self)
        self.write("my_agents.py", MODULE)
        os.environ["SCHEDULEGYM_PYTHON"] = sys.executable
        self.addCleanup(os.environ.pop, "SCHEDULEGYM_PYTHON")

    def words(self, agent):
        return ("tune", "matmul(m=8,n=8,k=8)", *ESTIMATED, "--trials", "20", "--agent", agent)

    def test_it_searches(self):
        agent = 'python(module=my_agents, class=Mine, seed=3, greeting="good day")'
        events = self.events(*self.words(agent))
        self.assertEqual(len([e for e in events if e["event"] == "trial"]), 20)
        self.assertEqual(events[0]["agent"],
                         'python(module=my_agents,class=Mine,seed=3,greeting="good day")')
        log = (self.folder / "log.txt").read_text().splitlines()
        self.assertEqual(log[0], "made good day")
        self.assertEqual(log[1:], ["learnt 16", "learnt 4"])

    def test_what_it_learned_is_saved_and_loaded(self):
        self.write("learners.py", LEARNING)
        agent = "python(module=learners,class=Learning{})"
        self.succeed(*self.words(agent.format("")), "--save-model", "one.memory")
        first = b"schedulegym memory: python learners.Learning\n"
        self.assertEqual((self.folder / "one.memory").read_bytes(), first + b"20 heard")
        self.succeed(*self.words(agent.format(",model=one.memory,seed=5")), "--store", "other.db",
                     "--save-model", "two.memory")
        self.assertEqual((self.folder / "two.memory").read_bytes(), first + b"40 heard")

    def test_what_it_cannot_save_or_load_is_one_line(self):
        self.write("learners.py", LEARNING)
        self.write("other.memory", "schedulegym memory: python learners.Learning\n7 heard")
        agent = "python(module=learners,class=Numbers{})"
        result = self.run_program(*self.words(agent.format("")), "--save-model", "one.memory")
        self.assertEqual(result.returncode, 2)
        self.assertRegex(result.stderr.splitlines()[-1], "^error: .*save: found int")
        for expected, option in (("python learners.Learning", ",model=other.memory"),
                                 ("none.memory", ",model=none.memory")):
            with self.subTest(expected):
                self.assertIn(expected, ProgramTest.refused(
                    self, 2, *self.words(agent.format(option))))

    def test_one_signal_ends_a_search_whose_agent_never_answers(self):
        process = subprocess.Popen([PROGRAM, *self.words("python(module=my_agents,class=Silent)")],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(process.kill)
        log = self.folder / "log.txt"
        while process.poll() is None and not (log.exists() and "asked" in log.read_text()):
            time.sleep(0.1)
        server = int(log.read_text().split()[-1])
        begin = time.monotonic()
        process.terminate()
        self.assertEqual(process.wait(timeout=60), 143)
        took = time.monotonic() - begin
        for _ in range(100):
            if not pathlib.Path(f"/proc/{server}/cmdline").exists():
                break
            time.sleep(0.1)
        else:
            self.fail("the agent's process is still there")
        assert_at_once(self, took)

    def test_bench_takes_it(self):
        result = self.run_program("bench", "matmul(m=8,n=8,k=8)", "--target", "interpreter",
                                  "--trials", "2", "--agent",
                                  "python(module=my_agents,class=Mine,seed=3)", "--peers", "",
                                  "--processes", "1", "--protocol",
                                  "cpu1(seconds=0.2,final_seconds=0.2,final_rounds=15)", "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        done = [e for e in self.parse(result.stdout) if e["event"] == "done"]
        self.assertEqual([event["trials"] for event in done], [2])
        # What says nothing about a schedule, on a busy machine, is no lesson.
        self.assertRegex((self.folder / "log.txt").read_text(), r"learnt [012]\n\Z")

    def test_conformance_tells_what_it_breaks(self):
        self.write("ruly.py", RULY)
        for name, broken in (("Ruly", []),
                             ("Unruly", ["proposes the same again for the same seed",
                                         "proposes again what was never measured"])):
            with self.subTest(name):
                result = self.run_program("conformance", "--json", "--agent",
                                          f"python(module=ruly,class={name})")
                self.assertEqual(result.returncode, 1 if broken else 0, result.stderr)
                rules = self.parse(result.stdout)
                self.assertEqual([one["rule"] for one in rules if not one["ok"]], broken, rules)
                self.assertGreaterEqual(len(rules), 10)

    def test_the_same_seed_proposes_the_same(self):
        found = []
        for store in ("a.db", "b.db"):
            self.succeed(*self.words("python(module=my_agents,class=Mine)"), "--store", store)
            with sg.RecordStore(store) as records:
                found.append([record.trace for record in records if record.index < 20])
        self.assertEqual(found[0], found[1])

    def test_it_serves_several_tasks(self):
        self.succeed(*self.words("python(module=my_agents,class=Mine)"), "softmax(n=4,m=8)")
        self.assertEqual((self.folder / "log.txt").read_text().count("made"), 1)

    def test_what_is_wrong_is_one_line(self):
        for agent, pattern in (("python(module=my_agents)", "key 'class' is missing"),
                               ("python(module=nowhere,class=A)", "ModuleNotFoundError"),
                               ("python(module=my_agents,class=A)", "AttributeError"),
                               ("python(module=my_agents,class=Mine,x=1)", "TypeError")):
            result = self.run_program(*self.words(agent), "--store", "schedulegym.db")
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
            self.assertIn(pattern, result.stderr)
            self.assertFalse((self.folder / "schedulegym.db").exists())

    def test_an_agent_that_fails_ends_the_search(self):
        line = (self.folder / "my_agents.py").read_text().splitlines().index('        raise KeyError("mine")')
        place = rf" \(/.*/my_agents\.py:{line + 1}\)$"
        for name, pattern in (("Raising", "raised KeyError: 'mine'" + place), ("Ending", "exit 3"),
                              ("Senseless", "expected a ScheduleState")):
            result = self.run_program(*self.words(f"python(module=my_agents,class={name})"))
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertRegex(result.stderr.splitlines()[-1], pattern)

    def test_no_python(self):
        result = subprocess.run([PROGRAM, *self.words("python(module=a,class=B)")],
                                capture_output=True, text=True,
                                env={**os.environ, "SCHEDULEGYM_PYTHON": "/nowhere"})
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertIn("cannot start '/nowhere'", result.stderr)


if __name__ == "__main__":
    unittest.main()
