"""How long the features of many measured programs take.

    ./sg python experiments/bench/feature_rate.py programs-v1 --features ansor,estimated

A trace is replayed and its features are computed, on all cores: 100,000 programs unless --programs
says otherwise, those of the set again from its beginning where it has fewer. Nothing is read from the
cache of features or left there. The time to load the set is printed beside.
"""
import argparse
import itertools
import os
import sys
import time

import schedulegym.data
from schedulegym import InputError
from schedulegym.data._features import features_of
from schedulegym.data.programs import ProgramSet


def first_of(programs, count):
    """So many programs, from the beginning and, where there are fewer, again."""
    return ProgramSet(programs.tasks, tuple(itertools.islice(itertools.cycle(programs.programs), count)))


def seconds_of(programs, features):
    """How long one form of features takes, and how many rows it has."""
    begun = time.monotonic()
    rows, _ = features_of(programs, features)
    return time.monotonic() - begun, len(rows)


def main(words=None):
    """The exit code."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("data", nargs="?", default="programs-v1", help="a set's name or file")
    options.add_argument("--programs", type=int, default=100_000, help="how many (default 100,000)")
    options.add_argument("--features", default="ansor,estimated", help="forms, with commas")
    asked = options.parse_args(words)
    if asked.programs < 1:
        options.error(f"--programs: found {asked.programs}, expected at least 1")
    begun = time.monotonic()
    try:
        loaded = schedulegym.data.load(asked.data)
        if not len(loaded):
            options.error(f"{asked.data}: found no programs")
        programs = first_of(loaded, asked.programs)
        print(f"{len(programs)} programs of {asked.data} ({len(loaded)}), "
              f"{len(os.sched_getaffinity(0))} cores; loaded in {time.monotonic() - begun:.1f} s")
        for features in asked.features.split(","):
            seconds, rows = seconds_of(programs, features.strip())
            print(f"{features.strip()}: {seconds:.1f} s, {len(programs) / seconds:.0f} programs/s, "
                  f"{rows} rows", flush=True)
    except InputError as fault:
        options.error(str(fault))
    return 0


if __name__ == "__main__":
    sys.exit(main())
