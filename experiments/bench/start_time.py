"""Prints how long two builds of `schedulegym` take to start a search and end it.

Each pair starts both programs once, in an order drawn anew: `tune` with one trial of an agent that
learns nothing, by the analytical estimate, into a new store. So what a build brings along, such as
the learned agents, shows in starts that do not use it. Prints the median of each in milliseconds, and
how much later the second ends, the median over the pairs with its 95 % interval. With `--most 5` it
ends with 1 unless all of that interval is within 5 ms of no difference.

    ./sg python experiments/bench/start_time.py build/release/bin/schedulegym OTHER/bin/schedulegym
"""
import argparse
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import time

from interleaved import median_interval

WORDS = ["tune", "matmul(m=16,n=16,k=16)", "--agent", "random", "--space", "ansor", "--trials", "1",
         "--measure", "analytical", "--store", "start.db", "--quiet"]


def refuse(complaint):
    print(f"error: {complaint}", file=sys.stderr)
    sys.exit(2)


def started(program, folder):
    """Milliseconds from a start to its end."""
    pathlib.Path(folder, "start.db").unlink(missing_ok=True)
    begin = time.perf_counter()
    try:
        ended = subprocess.run([program, *WORDS], cwd=folder, stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    except OSError as fault:
        refuse(f"'{program}': {fault.strerror}, expected a program to start")
    seconds = time.perf_counter() - begin
    if ended.returncode != 0:
        refuse(f"'{program}' ended with {ended.returncode}: {ended.stderr.strip()}")
    return seconds * 1e3


def pairs_of(start, pairs, rng):
    """(the first's, the second's) of each pair, after one that is not counted."""
    taken = []
    for _ in range(pairs + 1):
        order = [0, 1]
        rng.shuffle(order)
        times = {which: start(which) for which in order}
        taken.append((times[0], times[1]))
    return taken[1:]


def later_of(taken):
    """How much later the second ends: an interval."""
    return median_interval([second - first for first, second in taken])


def is_within(later, most):
    """Whether the interval shows no difference above so many milliseconds, either way."""
    return -most <= later.low and later.high <= most


def lines_of(programs, taken):
    lines = [f"{statistics.median(times):8.2f} ms  {program}"
             for program, times in zip(programs, zip(*taken))]
    later = later_of(taken)
    return [*lines, f"{later.median:+8.2f} ms  the second later, [{later.low:+.2f}, {later.high:+.2f}]"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("programs", nargs=2, metavar="PROGRAM")
    parser.add_argument("--pairs", type=int, default=50, metavar="N", help="of starts (%(default)s)")
    parser.add_argument("--most", type=float, metavar="MS", help="of difference, or exit code 1")
    options = parser.parse_args()
    if options.pairs < 1:
        parser.error(f"--pairs is {options.pairs}, expected at least 1")
    if options.most is not None and not options.most > 0:
        parser.error(f"--most is {options.most}, expected milliseconds above 0")
    programs = [os.path.abspath(program) for program in options.programs]
    with tempfile.TemporaryDirectory() as folder:
        taken = pairs_of(lambda which: started(programs[which], folder), options.pairs, random.Random(0))
    print("\n".join(lines_of(options.programs, taken)))
    return 0 if options.most is None or is_within(later_of(taken), options.most) else 1


if __name__ == "__main__":
    sys.exit(main())
