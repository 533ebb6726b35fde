"""Compares an exported kernel, called through ctypes, with what the search measures of it.

Tunes the workload where the store has no record, exports the best, and then by turns lets `replay`
measure that record and calls the exported function from this process. Prints the median over the
rounds of called over measured seconds: 1.00 means the speed that was promised.

    ./sg python experiments/bench/exported_calls.py --target "llvm(cores=1)"
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

from exported_kernel import ExportedKernel, random_array

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("SCHEDULEGYM_PROGRAM", str(ROOT / "sg"))


def run(*words, program=PROGRAM, codes=(0,)):
    """The JSON events of one command; its own error line where it ends with another code."""
    result = subprocess.run([program, *map(str, words), "--json"], capture_output=True, text=True)
    if result.returncode not in codes:
        sys.exit(result.stderr.strip().splitlines()[-1])
    return [json.loads(line) for line in result.stdout.splitlines()]


def seconds_of_a_call(kernel, seconds=0.5):
    """The median over calls for about `seconds`."""
    times, end = [], time.perf_counter() + seconds
    while not times or time.perf_counter() < end:
        begin = time.perf_counter()
        kernel()
        times.append(time.perf_counter() - begin)
    return statistics.median(times)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", type=int, default=512, help="of a square matrix product")
    parser.add_argument("--target", default="llvm", help="as ./sg takes it")
    parser.add_argument("--trials", type=int, default=64, help="of the search")
    parser.add_argument("--rounds", type=int, default=15, help="each side once a round")
    options = parser.parse_args()
    if options.size < 1 or options.rounds < 1:
        parser.error("--size and --rounds are at least 1")

    size = options.size
    workload = f"matmul(m={size},n={size},k={size})"
    with tempfile.TemporaryDirectory() as folder:
        place = ["--store", f"{folder}/store.db", "--target", options.target]
        run("tune", workload, "--trials", options.trials, *place)
        run("export", workload, "-o", f"{folder}/kernel", *place)
        inputs = {name: random_array((size, size), seed) for seed, name in enumerate("AB")}
        kernel = ExportedKernel(f"{folder}/kernel", inputs, (size, size))
        ratios = []
        for round_number in range(options.rounds):
            measured = run("replay", workload, *place)[-1]["best"]["seconds"]
            called = seconds_of_a_call(kernel)
            ratios.append(called / measured)
            print(f"{round_number + 1}/{options.rounds}  called {called * 1e6:.1f} us, "
                  f"measured {measured * 1e6:.1f} us, ratio {ratios[-1]:.3f}", flush=True)
    exact = inputs["A"].astype(np.float64) @ inputs["B"]
    error = np.abs(kernel.output - exact).max()
    print(f"{workload} on {options.target}: called over measured {statistics.median(ratios):.3f} "
          f"({min(ratios):.3f} to {max(ratios):.3f}), largest error {error:.1e}")


if __name__ == "__main__":
    main()
