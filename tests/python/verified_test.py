"""Whether the reference beside a kernel was found right in every cell."""
import contextlib
import sqlite3
import unittest

from harness import ProgramTest

WORKLOAD = "matmul(m=48,n=32,k=40)"


class VerifiedTest(ProgramTest):
    def best_of(self, *words):
        (done,) = [event for event in self.events(*words) if event["event"] == "done"]
        return done["best"]

    def test_replay_waits_until_it_is_known(self):
        self.best_of("tune", WORKLOAD, "--trials", 4)
        self.assertIs(self.best_of("replay", WORKLOAD)["verified"], True)

    def test_a_search_keeps_what_it_found_out(self):
        for _ in range(20):  # one that ends too soon does not know
            if self.best_of("tune", WORKLOAD, "--trials", 4)["verified"]:
                break
        store = sqlite3.connect(self.folder / "schedulegym.db")
        ((task, seconds),) = store.execute("SELECT task_key, seconds FROM whole_reference")
        store.close()
        self.assertEqual(len(task), 32)
        self.assertGreater(seconds, 0)
        self.assertIs(self.best_of("tune", WORKLOAD, "--trials", 2)["verified"], True)

    def test_replay_keeps_what_it_found_out(self):
        self.best_of("tune", WORKLOAD, "--trials", 2)
        with contextlib.closing(sqlite3.connect(self.folder / "schedulegym.db")) as store, store:
            store.execute("DELETE FROM whole_reference")
        self.assertIs(self.best_of("replay", WORKLOAD, "--seed", 7)["verified"], True)
        with contextlib.closing(sqlite3.connect(self.folder / "schedulegym.db")) as store:
            self.assertEqual(len(list(store.execute("SELECT * FROM whole_reference"))), 1)


if __name__ == "__main__":
    unittest.main()
