"""A search with a checkpoint that is killed or interrupted, and in the end found what it would have.

SCHEDULEGYM_KILLS=25 for the long form, minutes.
"""
import json
import os
import random
import signal
import subprocess
import time
import unittest

from harness import PROGRAM, ROOT, ProgramTest

KILLS = int(os.environ.get("SCHEDULEGYM_KILLS", "3"))
TABLE = ROOT / "bindings/schedulegym/tables/contest_matmul.table"
WORKLOAD = "matmul(m=64,n=64,k=64)"
SMALL = "visits=480,stop_every=4,stop_least=10,round=32,hidden=16"
BATCH = 16
TRIALS = 12 * BATCH
BEYOND = 2 * BATCH  # so that all before it was asked for in whole batches


class KilledSearchTest(ProgramTest):
    searched = (WORKLOAD, "--measure", "analytical", "--space", "ansor")

    def words(self, store, trials):
        return [PROGRAM, "tune", *self.searched, "--agent", f"harl({SMALL},checkpoint={store}.sgp)",
                "--trials", str(trials), "--seed", "1", "--store", f"{store}.db", "--json"]

    def search(self, store, trials):
        """What it says beside its events."""
        done = subprocess.run(self.words(store, trials), cwd=self.folder, capture_output=True, text=True)
        if done.returncode == 3 and "libtorch-dev" in done.stderr:
            self.skipTest(done.stderr.strip())
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stderr

    def start(self, store):
        """A search without end, in a process group of its own."""
        return subprocess.Popen(self.words(store, 10 * TRIALS), cwd=self.folder, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                start_new_session=True)

    def told(self, process, count):
        """The first records that it tells of."""
        records = []
        while len(records) < count:
            event = json.loads(process.stdout.readline())
            if event["event"] == "trial":
                records.append(event["record"])
        return records

    def kill(self, store, after, chance):
        """The records that the search told of, which is killed after so many or a little later."""
        with self.start(store) as process:
            told = self.told(process, after)
            time.sleep(chance.uniform(0, 0.05))
            if chance.random() < 0.5:
                process.kill()  # its agent's host sees the door closed
            else:
                os.killpg(process.pid, signal.SIGKILL)
            for line in process.stdout:
                if line.endswith("\n") and '"trial"' in line:
                    told.append(json.loads(line)["record"])
        return told

    def records(self, store):
        """Of what was stored, in the order in which it was measured."""
        self.succeed("records", "export", "--store", f"{store}.db", "-o", f"{store}.jsonl")
        lines = map(json.loads, (self.folder / f"{store}.jsonl").read_text().splitlines())
        return sorted((line for line in lines if "trace" in line),
                      key=lambda record: (record["started"], record["index"]))

    def test_nothing_is_lost_and_what_it_proposes_is_the_same(self):
        self.search("whole", TRIALS + BEYOND)
        chance = random.Random(3)
        acknowledged, stored = [], 0
        for kill in range(KILLS):
            left = max(1, TRIALS - BATCH - stored) // (KILLS - kill)
            acknowledged += self.kill("killed", chance.randint(1, max(1, left)), chance)
            known = {record["record"] for record in self.records("killed")}
            self.assertLessEqual(set(acknowledged), known, f"after {kill + 1} kills")
            stored = len(known)
        self.search("killed", max(TRIALS - stored, 0) + BEYOND)
        whole, killed = ([record["trace"] for record in self.records(store)][:TRIALS]
                         for store in ("whole", "killed"))
        self.assertEqual(killed, whole)


    def test_an_interrupt_leaves_the_file_from_which_it_goes_on(self):
        some = 5 * BATCH
        self.search("whole", some + BEYOND)
        with self.start("cut") as process:
            self.told(process, 2 * BATCH + 3)
            os.killpg(process.pid, signal.SIGINT)  # as a terminal does
            last = json.loads(process.stdout.read().splitlines()[-1])
        self.assertEqual((process.returncode, last["event"], last["stopped"]),
                         (130, "done", "interrupted"))
        self.assertTrue((self.folder / "cut.sgp").exists())
        said = self.search("cut", max(some - len(self.records("cut")), 0) + BEYOND)
        self.assertNotIn("learn anew", said)
        whole, cut = ([record["trace"] for record in self.records(store)][:some]
                      for store in ("whole", "cut"))
        self.assertEqual(cut, whole)


class KilledOnATableTest(KilledSearchTest):
    searched = ("--measure", f"table(file={TABLE})")


if __name__ == "__main__":
    unittest.main()
