"""Whether the reference beside a kernel was found right in every cell."""
import contextlib
import sqlite3
import unittest

from harness import ProgramTest, need_success

WORKLOAD = "matmul(m=48,n=32,k=40)"
WORDS = (WORKLOAD, "--target", "llvm(cores=1)", "--protocol", "cpu1(seconds=0.2)")


class VerifiedTest(ProgramTest):
    kept = None  # by `tuned`

    def best_of(self, command, *words):
        result = self.run_program(command, *WORDS, *words, "--json")
        (done,) = [event for event in self.parse(result.stdout) if event["event"] == "done"]
        need_success(self, ["ok"] * done["ok"] + list(done["failed"]))
        self.assertEqual(result.returncode, 0, result.stderr)
        return done["best"]

    def tuned(self):
        """A store that knows four trials and nothing of the reference, made once; it is here."""
        store = self.folder / "schedulegym.db"
        if VerifiedTest.kept is None:
            self.best_of("tune", "--trials", 4)
            with contextlib.closing(sqlite3.connect(store)) as database, database:
                database.execute("DELETE FROM whole_reference")
            VerifiedTest.kept = store.read_bytes()
        store.write_bytes(VerifiedTest.kept)

    def test_replay_waits_until_it_is_known(self):
        self.tuned()
        self.assertIs(self.best_of("replay")["verified"], True)

    def test_a_search_keeps_what_it_found_out(self):
        for _ in range(20):  # one that ends too soon does not know
            if self.best_of("tune", "--trials", 4)["verified"]:
                break
        store = sqlite3.connect(self.folder / "schedulegym.db")
        ((task, seconds),) = store.execute("SELECT task_key, seconds FROM whole_reference")
        store.close()
        self.assertEqual(len(task), 32)
        self.assertGreater(seconds, 0)
        self.assertIs(self.best_of("tune", "--trials", 2)["verified"], True)

    def test_replay_keeps_what_it_found_out(self):
        self.tuned()
        self.assertIs(self.best_of("replay", "--seed", 7)["verified"], True)
        with contextlib.closing(sqlite3.connect(self.folder / "schedulegym.db")) as store:
            self.assertEqual(len(list(store.execute("SELECT * FROM whole_reference"))), 1)


if __name__ == "__main__":
    unittest.main()
