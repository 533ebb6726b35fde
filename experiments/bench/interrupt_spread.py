"""Presses Ctrl-C while an agent thinks, and prints how long the search took to end.

Each registered agent, and one in Python that sleeps, searches by the analytical estimate, where
nearly all of the time is the agent's. Some time after its first trial, another one each round, its
process group gets SIGINT, as from a terminal. Prints for each agent the median and the longest
seconds until the command has ended, and whether each time it ended as interrupted, with the best in
the store. An agent that has nothing left before that is said to have ended by itself.

    ./sg python experiments/bench/interrupt_spread.py --rounds 5
"""
import argparse
import collections
import json
import os
import pathlib
import signal
import statistics
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("SCHEDULEGYM_PROGRAM", str(ROOT / "sg"))
BAR = 0.5
FIRST_SECONDS, STEP_SECONDS = 0.2, 0.37  # from the first trial on; each round a step later
PATIENCE = 60  # seconds
SLEEPER = '''
import time

import schedulegym

class Sleeper(schedulegym.Agent):
    def __init__(self):
        self.space, self.rng, self.asked = schedulegym.SearchSpace(), schedulegym.Rng(0), 0

    def propose(self, task, count):
        self.asked += 1
        time.sleep(3600 if self.asked > 1 else 0)
        return [self.space.sample(task, self.rng)]
'''
Ended = collections.namedtuple("Ended", "seconds fault")  # fault: "" where it ended well


def registered():
    """Names of the agents that need no file or command of their own."""
    listed = subprocess.run([PROGRAM, "list", "agents", "--json"], capture_output=True, text=True,
                            check=True)
    names = [json.loads(line)["name"] for line in listed.stdout.splitlines()]
    return [name for name in names if name not in ("python", "process")]


def recorded(store):
    """Ids of the records."""
    exported = store.with_suffix(".jsonl")
    subprocess.run([PROGRAM, "records", "export", "--store", store, "-o", exported, "--quiet"],
                   check=True, stdout=subprocess.DEVNULL)
    return {json.loads(line).get("record") for line in exported.read_text().splitlines()}


def fault_of(code, events, ids):
    """What is wrong with how a search ended; "" if nothing is."""
    done = [event for event in events if event["event"] == "done"]
    if code != 130:
        return f"exit code {code}"
    if not done or done[-1]["stopped"] != "interrupted":
        return "did not end as interrupted"
    best = done[-1]["best"]
    if best is None or best["source"] == "search" and best["record"] not in ids:
        return "its best is not in the store"
    return ""


def await_trial(process, events):
    """Whether the search has made one."""
    end = time.monotonic() + PATIENCE
    while process.poll() is None and time.monotonic() < end:
        if '"event":"trial"' in events.read_text():
            return True
        time.sleep(0.02)
    return False


def interrupt(agent, workload, delay, folder):
    """How a search ended that got Ctrl-C so many seconds after its first trial."""
    store, events = pathlib.Path(folder, "interrupted.db"), pathlib.Path(folder, "events.jsonl")
    store.unlink(missing_ok=True)
    words = ["tune", workload, "--agent", agent, "--measure", "analytical", "--trials", "10000000",
             "--store", store, "--json", "--quiet"]
    with (events.open("w") as out,
          subprocess.Popen([PROGRAM, *words], cwd=folder, stdout=out, stderr=subprocess.PIPE,
                           text=True, start_new_session=True) as process):
        is_begun = await_trial(process, events)
        if is_begun:
            time.sleep(delay)
        if process.poll() is None:
            begin = time.monotonic()
            os.killpg(process.pid, signal.SIGINT)
            code = process.wait(PATIENCE)
            seconds = time.monotonic() - begin
        elif process.returncode:
            return Ended(None, process.stderr.read().strip()[-200:])
        else:
            return Ended(None, "ended by itself")
    if not is_begun:
        return Ended(seconds, "made no trial")
    lines = [json.loads(line) for line in events.read_text().splitlines()]
    return Ended(seconds, fault_of(code, lines, recorded(store)))


def row(agent, ended):
    """(text of the row, whether all ended well and within the bar)"""
    times = [each.seconds for each in ended if each.seconds is not None]
    faults = sorted({each.fault for each in ended if each.fault})
    is_good = not faults and max(times) <= BAR
    middle, longest = (f"{of(times):.2f}" if times else "-" for of in (statistics.median, max))
    return f"| `{agent}` | {middle} | {longest} | {'; '.join(faults) or 'yes'} |", is_good


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--agents", nargs="+",
                        help="specs (default: all that are registered, and the one that sleeps)")
    parser.add_argument("--workload", default="matmul(m=512,n=512,k=512)")
    parser.add_argument("--rounds", type=int, default=3, help="how often each")
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error(f"--rounds is {options.rounds}, expected at least 1")
    print("| agent | median s | longest s | best recorded |")
    print("| --- | --- | --- | --- |")
    good = []
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "sleeper.py").write_text(SLEEPER)
        agents = options.agents or [*registered(), "python(module=sleeper,class=Sleeper)"]
        for agent in agents:
            ended = [interrupt(agent, options.workload, FIRST_SECONDS + i * STEP_SECONDS, folder)
                     for i in range(options.rounds)]
            text, is_good = row(agent, ended)
            good.append(is_good)
            print(text, flush=True)
    print(f"within {BAR} s, with the best recorded: {sum(good)} of {len(good)}")


if __name__ == "__main__":
    main()
