"""Searches for so many seconds, and prints how far over them each search ended.

Each workload in turn, once a round, into a store of its own, by `tune --seconds S` with finalists and
more trials than it can make, from the start of the command until it has ended. `tune` promises to
end within a second of them; what ended later, or did not end for its seconds, is marked.

    ./sg python experiments/bench/seconds_promise.py --seconds 30 --runs 10
"""
import argparse
import collections
import json
import os
import pathlib
import statistics
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("SCHEDULEGYM_PROGRAM", str(ROOT / "sg"))
BAR = 1.0
# Trials of milliseconds, of a tenth of a second, and of seconds.
WORKLOADS = ("matmul(m=128,n=128,k=128)", "conv2d(h=28,w=28,ci=128,co=128,k=3,p=1)",
             "matmul(m=2048,n=2048,k=2048)")
Ended = collections.namedtuple("Ended", "over fault")  # fault: "" where its seconds ended it


def search(workload, target, seconds, folder):
    store = pathlib.Path(folder, "promise.db")
    store.unlink(missing_ok=True)
    words = ["tune", workload, "--target", target, "--seconds", str(seconds), "--trials", "10000000",
             "--finalists", "5", "--store", store, "--json", "--quiet"]
    begin = time.monotonic()
    result = subprocess.run([PROGRAM, *words], cwd=folder, capture_output=True, text=True)
    over = time.monotonic() - begin - seconds
    if result.returncode not in (0, 1):
        return Ended(over, result.stderr.strip()[-200:])
    stopped = json.loads(result.stdout.splitlines()[-1])["stopped"]
    return Ended(over, "" if stopped == "seconds" else f"ended by {stopped}")


def row(workload, ended):
    """(text of the row, how many kept the promise)"""
    kept = sum(each.over <= BAR and not each.fault for each in ended)
    over = [each.over for each in ended]
    faults = "; ".join(sorted({each.fault for each in ended if each.fault}))
    each = " ".join(f"{seconds:+.2f}" for seconds in over)
    text = (f"| `{workload}` | {statistics.median(over):+.2f} | {max(over):+.2f} | {each} "
            f"| {kept} of {len(ended)}{faults and ': ' + faults} |")
    return text, kept


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=30, help="of each search")
    parser.add_argument("--runs", type=int, default=10, help="of each workload")
    parser.add_argument("--target", default="llvm", help="as ./sg takes it")
    parser.add_argument("--workloads", nargs="+", default=WORKLOADS, help="as ./sg takes them")
    options = parser.parse_args()
    if options.runs < 1 or not 0 < options.seconds < 1e6:
        parser.error("--runs is at least 1, --seconds above 0")
    ended = collections.defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(options.runs):
            for workload in options.workloads:
                ended[workload].append(search(workload, options.target, options.seconds, folder))
    print("| workload | median s over | most s over | each | kept |")
    print("| --- | --- | --- | --- | --- |")
    rows = [row(workload, each) for workload, each in ended.items()]
    for text, _ in rows:
        print(text)
    print(f"within {options.seconds + BAR:g} s: {sum(kept for _, kept in rows)} of "
          f"{sum(map(len, ended.values()))}")


if __name__ == "__main__":
    main()
