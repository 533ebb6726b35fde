"""Measures with the host of a learned agent beside it, asleep, and without, and prints both.

A search by `harl` begins in a folder of its own; once it has measured some, it is stopped between two
answers, so that its host waits as it does while anything is timed. Then `bench protocol` runs, and once
more when the search has ended. Prints how much of a second of processor time the host used for each
second of the first, and what both told, shares with intervals of 99 %. Ends with 1 where the host did
not sleep, or where two intervals of one share do not meet.

    ./sg python experiments/bench/beside_host.py -- --trials 100

That takes ten minutes of a machine that does nothing else; without the words there are more pairs.
"""
import argparse
import json
import math
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("SCHEDULEGYM_PROGRAM", str(ROOT / "sg"))
PATIENCE = 60  # seconds until the search has a host
SETTLING = 1  # second, in which a host that has been asked answers
MOST_BUSY = 0.01  # of a second for each second
DEVIATIONS = 2.576  # of a normal one, for 99 %
# Of pairs of kernels, by what `bench protocol` calls them.
SHARES = {"called_different": "equal ones called different", "called_same": "called the same",
          "ordered_right": "others ordered right"}
AGENT = "harl(visits=400,stop_least=8)"


def ticks(process):
    """Processor time that it has used, user and system, in ticks of the clock."""
    fields = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


def seconds(process):
    """The same in seconds."""
    return ticks(process) / os.sysconf("SC_CLK_TCK")


def host_of(search):
    """The process of the host that a search has started; none yet."""
    for children in pathlib.Path(f"/proc/{search}/task").glob("*/children"):
        for child in children.read_text().split():
            try:
                name = pathlib.Path(f"/proc/{child}/comm").read_text()
            except OSError:
                continue
            if name.startswith("schedulegym-age"):
                return int(child)
    return None


class WaitingHost:
    """A search that is stopped, whose host waits: `process` is the host's."""

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.search = subprocess.Popen(
            [PROGRAM, "tune", "matmul(m=64,n=64,k=64)", "--measure", "analytical", "--agent", AGENT,
             "--trials", "1000000", "--json"], cwd=self.folder.name, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
        try:
            self.wait_for_trial()
            self.process = host_of(self.search.pid)
            if self.process is None:
                raise RuntimeError("the search has no host")
            os.kill(self.search.pid, signal.SIGSTOP)
            self.wait_until_thought()
        except BaseException:
            self.__exit__()
            raise
        return self

    def wait_for_trial(self):
        silent = threading.Timer(PATIENCE, self.search.kill)
        silent.start()
        try:
            while line := self.search.stdout.readline():
                if '"event":"trial"' in line.replace(" ", ""):
                    return
            raise RuntimeError(self.search.stderr.read().strip() or
                               f"the search measured nothing in {PATIENCE} seconds")
        finally:
            silent.cancel()

    def wait_until_thought(self):
        """The search may have been stopped while its host thought."""
        until, before = time.monotonic() + PATIENCE, None
        while before != (before := ticks(self.process)):
            if time.monotonic() > until:
                raise RuntimeError(f"its host still thinks after {PATIENCE} seconds")
            time.sleep(SETTLING)

    def __exit__(self, *fault):
        os.killpg(self.search.pid, signal.SIGKILL)
        self.search.wait()
        self.search.stdout.close()
        self.search.stderr.close()
        self.folder.cleanup()


def bench(words):
    """What `bench protocol` tells, by name."""
    done = subprocess.run([PROGRAM, "bench", "protocol", "--json", "--quiet", *words],
                          capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError("bench protocol: " + done.stderr.strip())
    events = map(json.loads, done.stdout.splitlines())
    return {event["name"]: event for event in events if event["event"] == "item"}


def interval(share, count):
    """Of a share of so many: Wilson's."""
    part = DEVIATIONS ** 2 / count
    middle = share + part / 2
    reach = math.sqrt(part * (share * (1 - share) + part / 4))
    return (middle - reach) / (1 + part), (middle + reach) / (1 + part)


def compared(beside, alone):
    """(a line for each share of both, whether their intervals meet)."""
    told = []
    for name, row in beside.items():
        for key, words in SHARES.items():
            sides = [(each[key], *interval(each[key], each["pairs"])) for each in (row, alone[name])]
            meet = max(low for _, low, _ in sides) <= min(high for *_, high in sides)
            texts = [f"{100 * share:.1f} % [{100 * low:.1f}, {100 * high:.1f}]"
                     for share, low, high in sides]
            told.append((f"{name}: {words}: {texts[0]} beside it, {texts[1]} without"
                         + ("" if meet else ": they differ"), meet))
    return told


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("words", nargs="*", help="for bench protocol, after --")
    words = parser.parse_args().words
    try:
        with WaitingHost() as host:
            used, begin = seconds(host.process), time.monotonic()
            beside = bench(words)
            busy = (seconds(host.process) - used) / (time.monotonic() - begin)
        alone = bench(words)
    except RuntimeError as fault:
        print(f"beside_host.py: {fault}", file=sys.stderr)
        return 2
    print(f"the host used {busy:.4f} s of processor time a second, at most {MOST_BUSY} is asked for")
    told = compared(beside, alone)
    print("\n".join(line for line, _ in told))
    return 0 if busy <= MOST_BUSY and all(meet for _, meet in told) else 1


if __name__ == "__main__":
    sys.exit(main())
