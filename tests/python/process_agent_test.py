"""Agents in any language, for the command line and for Python."""
import pathlib
import signal
import subprocess
import sys
import time
import unittest

from harness import PROGRAM, ROOT, PackageTest, ProgramTest, assert_at_once, schedulegym as sg

WALKER = ROOT / "experiments/agents/walker.py"

# An agent in the shell, of docs/guide/agent-any-language.md.
DRAW = r"""
while IFS= read -r line; do
  id=${line#*:}; id=${id%%,*}
  case $line in
    *'"ask":"propose"'*) count=${line##*:}
                         echo "{\"id\":$id,\"proposals\":[{\"sample\":${count%?}}]}";;
    *) echo "{\"id\":$id}";;
  esac
done
"""

# One that does as it is told after some proposals.
ODD = """
import json, sys, time
asked = 0
for line in sys.stdin:
    ask = json.loads(line)
    answer = {"id": ask["id"]}
    if ask["ask"] == "propose":
        asked += 1
        if asked > 2:
            print("asked", file=open("asked.txt", "w"))
            exec(sys.argv[1])
        answer["proposals"] = [{"sample": 2}]
    print(json.dumps(answer), flush=True)
"""


def process(command, **options):
    """The spec of a command."""
    words = [f'command="{command}"', *(f"{key}={value}" for key, value in options.items())]
    return f"process({','.join(words)})"


class ProcessAgentTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("draw.sh", DRAW)
        self.write("odd.py", ODD)
        self.walker = f"{sys.executable} '{WALKER}'"

    def words(self, agent, *more):
        return ("tune", "matmul(m=16,n=16,k=16)", "--measure", "analytical", "--trials", "40",
                "--agent", agent, *more)

    def odd(self, code):
        return process(f"{sys.executable} odd.py '{code}'")

    def test_the_example_uses_nothing_of_ours_and_is_short(self):
        text = WALKER.read_text()
        self.assertNotIn("schedulegym", text)
        self.assertLessEqual(len(text.splitlines()), 45)

    def test_the_example_searches_the_same_again(self):
        found = []
        for _ in range(2):
            events = self.events(*self.words(process(self.walker, drawn=0.3), "softmax(n=4,m=8)",
                                             "--seed", "3"))
            found.append([event.get("seconds") for event in events if event["event"] == "trial"])
        self.assertEqual(len(found[0]), 40)
        self.assertEqual(found[0], found[1])

    def test_it_goes_on_from_what_is_known(self):
        for known in (0, 40):
            events = self.events(*self.words(process(self.walker), "--store", "a.db"))
            self.assertEqual(events[0]["known"], known)
            self.assertEqual(events[-1]["trials"], 40)

    def test_it_keeps_the_rules_of_a_search(self):
        for command in (self.walker, "sh draw.sh"):
            result = self.run_program("conformance", "--agent", process(command))
            broken = [line for line in result.stdout.splitlines() if "BROKEN" in line]
            expected = [] if command == self.walker else ["refuses an option"]
            self.assertEqual(len(broken), len(expected), result.stdout)
            self.assertTrue(all(rule in line for rule, line in zip(expected, broken)))

    def test_the_shell_is_a_language(self):
        events = self.events(*self.words(process("sh draw.sh")))
        self.assertEqual(len([event for event in events if event["event"] == "trial"]), 40)

    def test_it_stands_wherever_an_agent_is_named(self):
        inner = process("sh draw.sh")
        events = self.events(*self.words(f"dpansor(k=8,agent={inner})"))
        trials = [event for event in events if event["event"] == "trial"]
        self.assertGreater(len(trials), 8, "its own, and the walk from the best of them")
        self.assertIn("\nprocess(command)\n", self.succeed("list", "agents"))

    def test_what_is_wrong_is_one_line_before_anything_is_measured(self):
        for agent, pattern in (
                ("process", "key 'command' is missing"),
                (process("./no_such_command"), "no_such_command: not found"),
                (process("true"), "ended: exit 0"),
                (process("echo hello"), 'found "hello", expected a line of JSON'),
                (process(self.walker, step=3), "options.step: there is no such option")):
            self.assertIn(pattern, self.refused(2, *self.words(agent)))

    def test_an_agent_that_fails_ends_the_search_and_what_was_measured_is_kept(self):
        for code, pattern in (("raise KeyError(5)", "ended: KeyError: 5"),
                              ("sys.exit(7)", "ended: exit 7"),
                              ("print(\\\"oh\\\")", 'found "oh", expected a line of JSON'),
                              ("answer[\\\"id\\\"] = 1", "id: found 1, expected")):
            result = self.run_program(*self.words(self.odd(code), "--store", "a.db"))
            self.assertEqual(result.returncode, 2, result.stderr)
            last = result.stderr.splitlines()[-1]
            self.assertTrue(last.startswith("error: agent '"), last)
            self.assertIn(pattern, last)
            self.succeed("records", "export", "-o", "kept.jsonl", "--store", "a.db")
            records = (self.folder / "kept.jsonl").read_text().count('"trace"')
            self.assertEqual(records, 4, code)
            (self.folder / "a.db").unlink()

    def start_hanging(self, *more):
        """The process of a search whose agent has begun to hang."""
        process = subprocess.Popen(
            [PROGRAM, *self.words(self.odd("time.sleep(1000)"), *more)], cwd=self.folder,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.addCleanup(process.kill)
        while process.poll() is None and not (self.folder / "asked.txt").exists():
            time.sleep(0.02)
        return process

    def test_one_signal_ends_a_search_whose_agent_hangs(self):
        process = self.start_hanging()
        begin = time.monotonic()
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=60)
        took = time.monotonic() - begin
        self.assertEqual(process.returncode, 130)
        self.assertIn("interrupted", output)
        assert_at_once(self, took)

    def test_the_seconds_end_a_search_whose_agent_hangs(self):
        process = self.start_hanging("--seconds", "1")
        output, _ = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0)
        self.assertIn("seconds", output)


class ProcessAgentOfPythonTest(PackageTest):
    def test_python_takes_it(self):
        pathlib.Path("draw.sh").write_text(DRAW)
        result = sg.tune("matmul(m=16,n=16,k=16)", agent=process("sh draw.sh"), trials=12,
                         measure="analytical")
        self.assertEqual(result.trials, 12)


if __name__ == "__main__":
    unittest.main()
