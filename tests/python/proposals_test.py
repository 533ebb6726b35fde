"""Same seed, same proposals: a digest for each built-in agent, over ten tasks, under the analytical measurer.

SCHEDULEGYM_REFRESH=1 writes them anew; what then differs is what a user's seed no longer repeats. Models
round as the processor adds, so that the digests of agents with a model hold on the processor that the
file names.
"""
import hashlib
import json
import os
import pathlib
import re
import unittest

from harness import ROOT, ProgramTest

FILE = ROOT / "tests/golden/proposals.txt"
# All facts are given: the same on every machine.
TARGET = ("llvm(cpu=generic, features=\"\", cores=2, vector_bits=256, vector_registers=16, l1=32768, "
          "l2=1048576, l3=16777216, line=64, memory=8589934592, warm=true)")
TASKS = ("matmul(m=16,n=16,k=16)", "matmul(m=32,n=16,k=48)", "conv2d(h=7,w=7,ci=4,co=8,k=3,p=1)",
         "depthwise(h=7,w=7,c=8,k=3,p=1)", "softmax(n=16,m=32)", "layernorm(n=16,m=32)",
         "conv1d(l=32,ci=4,co=8,k=3,p=1)", "attention(heads=2,t=8,d=8)", "norm(n=16,m=16)",
         "mlp(t=8,d=16,hidden=16)")
TRIALS = 4 * len(TASKS)
# Quick forms; an agent that is not named has its defaults.
SPECS = {
    "adatune": "adatune(plan=2)",
    "ansor": "ansor(population=32,generations=1,round=2)",
    "autotvm": "autotvm(plan=2)",
    "beam": "beam(width=2,passes=1,round=2)",
    "blind": "blind(agent=ansor(population=32,generations=1,round=2))",
    "chameleon": "chameleon(plan=2)",
    "collect": "collect(population=32,agent=ansor(population=32,generations=1,round=2))",
    "dpansor": "dpansor(k=2,trials=1,agent=ansor(population=32,generations=1,round=2))",
    "es": "es(samples=4,steps=2)",
    "greedy": "greedy(round=2)",
    "guided": "guided(samples=4,k=2)",
    "harl": "harl(visits=40,stop_least=8)",
    "mcts": "mcts(iterations=16)",
    "metaschedule": "metaschedule(population=16,generations=1)",
    "oneshot": "oneshot(population=16,elite=4,generations=2,shots=2)",
    "transfer": "transfer(then=random)",
}
# Their proposals come from elsewhere.
FOREIGN = {"python", "process", "value"}
# These ask no model, and add nothing up that a processor may round otherwise.
EXACT = {"annealing", "genetic", "hill", "local", "random"}


def processor():
    """As the kernel names it."""
    text = pathlib.Path("/proc/cpuinfo").read_text()
    found = re.search(r"(?m)^model name\s*: (.*)$", text)
    return found[1].strip() if found else "unknown"


class ProposalsTest(ProgramTest):
    def digest(self, agent):
        store = f"{agent}.db"
        self.succeed("tune", *TASKS, "--target", TARGET, "--measure", "analytical", "--agent",
                     SPECS.get(agent, agent), "--trials", TRIALS, "--seed", "11", "--quiet", "--store", store)
        self.succeed("records", "export", "-o", "all.jsonl", "--store", store, "--quiet")
        lines = map(json.loads, (self.folder / "all.jsonl").read_text().splitlines())
        traces = [(record["task"]["workload"], record["trace"]) for record in lines if "trace" in record]
        self.assertGreater(len(traces), len(TASKS), agent)
        return hashlib.sha256(repr(traces).encode()).hexdigest()[:16]

    def test_the_same_seed_gives_the_same_proposals(self):
        agents = [item["name"] for item in self.events("list", "agents") if item["name"] not in FOREIGN]
        found = {agent: self.digest(agent) for agent in agents}
        if os.environ.get("SCHEDULEGYM_REFRESH"):
            FILE.write_text("".join([f"processor: {processor()}\n",
                                     *(f"{agent} {digest}\n" for agent, digest in found.items())]))
        first, *lines = FILE.read_text().splitlines()
        known = dict(line.split() for line in lines)
        is_same = first == f"processor: {processor()}"
        self.assertLessEqual(set(known) - set(found), {"harl", "chameleon", "na2c"}, "built-in agents")
        self.assertEqual(set(found) - set(known), set(), "without a digest")
        for agent in sorted(found):
            if is_same or agent in EXACT:
                with self.subTest(agent):
                    self.assertEqual(found[agent], known[agent])


if __name__ == "__main__":
    unittest.main()
