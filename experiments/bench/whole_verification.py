"""Checks the references of a suite whole, and prints how many seconds that took of each.

Each row is tuned for one trial into a store of its own; a `replay` of what that ended with then waits
until its reference, with all that candidates are compared with, was found right in every cell, the
timed inputs included, and keeps what it found out. Prints for each row the seconds of the whole
check, or why there was none, which the program tells: a row that is neither verified nor told is a
fault, and one that took more than a minute is marked.

    ./sg python experiments/bench/whole_verification.py                # ansor_ops, batch 1
    ./sg python experiments/bench/whole_verification.py "matmul(m=512,n=512,k=512)"
"""
import argparse
import collections
import contextlib
import json
import os
import pathlib
import re
import sqlite3
import subprocess
import tempfile

import schedulegym

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("SCHEDULEGYM_PROGRAM", str(ROOT / "sg"))
BAR = 60
# What the program says where there is no whole check, and while there is one.
TOLD, UNDER_WAY = "checked in every cell", "checking the reference in every cell"
Checked = collections.namedtuple("Checked", "seconds told fault")  # the last two "" where nothing is


def rows_of(words, batch):
    """Of suites their workloads, in order, and of several batches this one; other words as they are."""
    rows = []
    for word in words:
        if not re.fullmatch(r"\w+", word):
            rows.append(word)
            continue
        found = [str(workload) for workload in schedulegym.suite(word)]
        of = [int((re.match(r"\w+\([nb]=(\d+)", name) or [0, 1])[1]) for name in found]
        some = word.startswith("ansor_")
        rows += [name for name, its in zip(found, of) if not some or its == batch]
    return rows


def call(*words):
    """(JSON events, what was told of the check); ends with the command's own error line."""
    result = subprocess.run([PROGRAM, *map(str, words), "--json"], capture_output=True, text=True)
    notes = result.stderr.splitlines()
    if result.returncode not in (0, 1):
        raise RuntimeError(notes[-1] if notes else f"exit code {result.returncode}")
    told = [note for note in notes if TOLD in note and UNDER_WAY not in note]
    return [json.loads(line) for line in result.stdout.splitlines()], "; ".join(told)


def kept(store):
    """Seconds of the whole check, where the store has one."""
    with contextlib.closing(sqlite3.connect(store)) as database:
        rows = list(database.execute("SELECT seconds FROM whole_reference"))
    return rows[0][0] if rows else None


def check(workload, target, folder):
    store, trace = pathlib.Path(folder, "whole.db"), pathlib.Path(folder, "best.trace")
    words = (workload, "--target", target, "--store", store)
    try:
        events, told = call("tune", *words, "--trials", 1, "--finalists", 0)
        if kept(store) is None and not told:
            trace.write_text(events[-1]["best"]["trace"])
            _, told = call("replay", *words, "--trace", trace)
    except RuntimeError as fault:
        return Checked(None, "", str(fault))
    seconds = kept(store)
    return Checked(seconds, told, "" if told or seconds is not None else "neither verified nor told")


def row(workload, checked):
    """(text of the row, whether it was verified in time or told)"""
    if checked.seconds is None:
        return f"| `{workload}` | - | {checked.told or checked.fault} |", not checked.fault
    is_good = checked.seconds <= BAR
    return f"| `{workload}` | {checked.seconds:.2f} | {'' if is_good else 'over the bar'} |", is_good


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rows", nargs="*", default=["ansor_ops"], metavar="SUITE|WORKLOAD",
                        help="suites, or workloads (default ansor_ops)")
    parser.add_argument("--batch", type=int, default=1, help="of the suites that have several")
    parser.add_argument("--target", default="llvm", help="as ./sg takes it")
    options = parser.parse_args()
    print("| workload | seconds of the whole check | note |")
    print("| --- | --- | --- |")
    good = []
    for workload in rows_of(options.rows, options.batch):
        with tempfile.TemporaryDirectory() as folder:
            text, is_good = row(workload, check(workload, options.target, folder))
        good.append(is_good)
        print(text, flush=True)
    print(f"verified within {BAR} s, or told: {sum(good)} of {len(good)}")


if __name__ == "__main__":
    main()
