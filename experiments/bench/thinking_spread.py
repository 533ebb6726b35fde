"""Prints how long agents think for each trial.

Each agent searches each workload by the analytical estimate, where nearly all of the time is the
agent's: proposing, learning, and the messages of those that live in a process of their own. Agents
take turns, workload by workload, so that a busy machine is slow for all. Prints for each agent the
median and the most of milliseconds a trial over the workloads, and the median beside the first agent's.

    ./sg python experiments/bench/thinking_spread.py --agents "ansor; harl; mcts"
    ./sg python experiments/bench/thinking_spread.py --trials 200 "matmul(m=512,n=512,k=512)"
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("SCHEDULEGYM_PROGRAM", str(ROOT / "sg"))
AGENTS = "ansor;harl;mcts;mcts(form=protuner);beam;dpansor"
# The twelve of harl's studies.
WORKLOADS = ["matmul(m=128,n=128,k=128)", "matmul(m=512,n=32,k=512)", "matmul(m=512,n=512,k=512)",
             "conv1d(l=256,ci=64,co=128,k=3,s=2,p=1)", "conv1d(l=64,ci=256,co=256,k=5,s=1,p=2)",
             "conv2d(h=224,w=224,ci=3,co=64,k=7,s=2,p=3)", "conv2d(h=56,w=56,ci=64,co=64,k=1,s=1,p=0)",
             "conv2d(h=14,w=14,ci=256,co=256,k=3,s=1,p=1)", "conv2d(h=7,w=7,ci=512,co=512,k=3,s=1,p=1)",
             "conv3d(d=16,h=56,w=56,ci=64,co=64,k=1,s=1,p=0)",
             "conv2d_transpose(h=4,w=4,ci=512,co=256,k=4,s=2,p=1)",
             "depthwise(h=7,w=7,c=1024,k=3,s=1,p=1)"]


def done_of(lines):
    """The last event that tells how the search ended."""
    events = [json.loads(line) for line in lines if line.startswith("{")]
    return next((event for event in reversed(events) if event["event"] == "done"), None)


def milliseconds(done):
    """Of thinking, for each trial."""
    return done["time"]["propose"] / done["trials"] * 1e3


def thought(agent, workload, options):
    words = [PROGRAM, "tune", workload, "--agent", agent, "--space", options.space, "--trials",
             str(options.trials), "--seed", "1", "--measure", "analytical", "--json"]
    ended = subprocess.run(words, capture_output=True, text=True, check=False)
    done = done_of(ended.stdout.splitlines())
    if ended.returncode != 0 or done is None or done["trials"] == 0:
        print(ended.stderr.strip() or f"error: {agent}: no trial of {workload}", file=sys.stderr)
        sys.exit(ended.returncode or 1)
    return milliseconds(done)


def line_of(agent, found, first):
    median = statistics.median(found)
    return f"{agent:40} {median:8.2f} {max(found):8.2f} {median / first:8.2f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("workloads", nargs="*", default=WORKLOADS, metavar="WORKLOAD")
    parser.add_argument("--agents", default=AGENTS, metavar="LIST", help="specs, by ; (%(default)s)")
    parser.add_argument("--space", default="ansor", metavar="SPEC")
    parser.add_argument("--trials", type=int, default=300, metavar="N", help="of each search")
    options = parser.parse_args()
    if options.trials < 1:
        parser.error(f"--trials is {options.trials}, expected at least 1")
    agents = [agent.strip() for agent in options.agents.split(";") if agent.strip()]
    if not agents:
        parser.error(f"--agents is '{options.agents}', expected at least one")
    found = {agent: [] for agent in agents}
    for workload in options.workloads:
        for agent in agents:
            found[agent].append(thought(agent, workload, options))
            print(f"{workload} {agent}: {found[agent][-1]:.2f} ms a trial", file=sys.stderr)
    print(f"{'milliseconds of thinking a trial':40} {'median':>8} {'most':>8} {'beside':>8}")
    for agent in agents:
        print(line_of(agent, found[agent], statistics.median(found[agents[0]])))


if __name__ == "__main__":
    main()
