"""A failure comes with the command that reproduces it."""
import shlex
import sqlite3
import subprocess
import unittest

from harness import ProgramTest, need_success

# Sums so long that schedules which add all of one into one number round too much: whether any does
# depends on the inputs, which are drawn for each computation.
LONG_SUM = "input A[16]\nS[i:4] = sum(k:{length}) A[(i * 3 + k) % 16]\n"
TARGET = "llvm(cores=1)"
PROTOCOL = "cpu1(rounds=2, seconds=0.01)"


class ReproduceTest(ProgramTest):
    def fail_somewhere(self):
        """The words of a search that met a failure, and its events."""
        for seed in range(1, 9):
            self.write("long sum.dag", LONG_SUM.format(length=2_000_000 + 16 * seed))
            words = ("tune", "long sum.dag", "--target", TARGET, "--protocol", PROTOCOL, "--agent",
                     "random", "--seed", seed, "--store", "it's.db", "--trials", "8")
            result = self.run_program(*words, "--json")
            events = self.parse(result.stdout)
            # Where the reference itself rounds too much, nothing is measured.
            if result.returncode in (0, 1) and events[-1]["failed"].get("wrong_output"):
                return words, events
        self.fail("no schedule of any search rounds too much")

    def run_shell(self, command):
        """Again where the machine was too busy to tell, a few times."""
        for _ in range(4):
            result = subprocess.run(["bash", "-c", command], cwd=self.folder, capture_output=True,
                                    text=True, timeout=300)
            if not any(word in text for word in ("noisy", "corrupt_result: reports")
                       for text in (result.stdout, result.stderr)):
                break
        return result

    def test_a_failure_is_reproduced_by_its_command(self):
        words, events = self.fail_somewhere()
        trial = next(e for e in events if e.get("outcome") == "wrong_output")
        self.assertRegex(trial["message"], r"S\[\d\] is .*, expected .* within ")
        self.assertEqual(trial["stderr"], "")
        asked = shlex.split(trial["reproduce"])
        self.assertEqual(asked[1:3], ["replay", "long sum.dag"])
        self.assertEqual(asked[asked.index("--record") + 1], trial["record"])
        self.assertEqual(asked[asked.index("--store") + 1], "it's.db")

        again = self.run_shell(trial["reproduce"] + " --json")
        self.assertEqual(again.returncode, 1, again.stderr)
        (done,) = self.parse(again.stdout)
        self.assertEqual((done["failed"], done["best"], done["reproduced"]),
                         ({"wrong_output": 1}, None, True))
        (failure,) = done["failures"]
        self.assertEqual({k: failure[k] for k in ("outcome", "message", "record", "reproduce")},
                         {k: trial[k] for k in ("outcome", "message", "record", "reproduce")})
        people = self.run_shell(trial["reproduce"])
        self.assertIn(f"failed  wrong_output: {trial['message']}\n", people.stdout)
        self.assertIn("reproduced: wrong_output, by the same message\n", people.stderr)

        with self.subTest("once for each outcome at the end of the search"):
            (failure,) = [f for f in events[-1]["failures"] if f["outcome"] == "wrong_output"]
            self.assertEqual(failure["record"], trial["record"])
            told = self.run_program(*words[:-4], "--trials", "8", "--store", "other.db")
            self.assertIn("failed  wrong_output: ", told.stdout, told.stderr)
            self.assertIn(" replay 'long sum.dag' ", told.stdout)

        with self.subTest("for the latest of each outcome in the store"):
            items = self.events("records", "stats", "--store", "it's.db")
            (item,) = [i for i in items if i.get("outcome") == "wrong_output"]
            latest = [e for e in events if e.get("outcome") == "wrong_output"][-1]
            self.assertEqual((item["name"], item["record"], item["message"], item["reproduce"]),
                             ("failure", latest["record"], latest["message"],
                              latest["reproduce"]))
            self.assertIn(latest["reproduce"],
                          self.succeed("records", "stats", "--store", "it's.db"))

    def test_a_failure_that_does_not_come_again_is_told(self):
        small = ("matmul(m=4,n=4,k=4)", "--target", "interpreter")
        self.run_program("tune", *small, "--trials", "1", "--quiet")
        with sqlite3.connect(self.folder / "schedulegym.db") as store:
            store.execute("UPDATE measurement SET outcome = 'wrong_output', "
                          "message = 'is 1, not 2', seconds = NULL, ratio = NULL, "
                          "ratio_low = NULL, ratio_high = NULL")
            store.execute("DELETE FROM sample")
            ((record,),) = store.execute("SELECT record FROM measurement")
        store.close()
        result = self.run_program("replay", *small, "--record", record, "--json")
        (done,) = self.parse(result.stdout)
        need_success(self, ["ok"] * done["ok"] + list(done["failed"]))
        self.assertEqual((result.returncode, done["reproduced"]), (0, False))
        self.assertIn("not reproduced: the record says wrong_output: is 1, not 2", result.stderr)


if __name__ == "__main__":
    unittest.main()
