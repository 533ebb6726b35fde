"""Compares the rates of two builds: `./sg python experiments/bench/compare_builds.py OLD NEW`.

Each round runs the benchmark programs of both builds once, in an order drawn anew. A row is a benchmark:
how many times as fast the new build is, with the 95 % interval of the rounds' ratios by the sign test. A
benchmark counts as slower where its interval lies below 1 and begins at or below the bar.
"""
import argparse
import json
import pathlib
import random
import subprocess
import sys

from interleaved import median_interval

PROGRAMS = "step_benchmark,gym_benchmark,compile_benchmark"
FEWEST_ROUNDS = 6  # fewer have no interval of 95 % by the sign test: 2 / 2 ** 6 < 0.05


def seconds_of(program, min_time, pattern):
    """By the names of its benchmarks, seconds of an iteration."""
    words = [str(program), "--benchmark_format=json", f"--benchmark_min_time={min_time}"]
    if pattern:
        words.append(f"--benchmark_filter={pattern}")
    result = subprocess.run(words, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        sys.exit(f"error: {program}: {result.stderr.strip() or f'exit code {result.returncode}'}")
    units = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}
    return {one["name"]: one["real_time"] * units[one["time_unit"]] for one in json.loads(result.stdout)["benchmarks"]
            if one.get("run_type", "iteration") == "iteration" and not one.get("error_occurred")}


def compared(builds, programs, rounds, run, rng):
    """By (program, benchmark), the old build's seconds over the new one's, one of each round."""
    ratios = {}
    for _ in range(rounds):
        for program in programs:
            sides = [0, 1]
            rng.shuffle(sides)
            took = {side: run(builds[side] / "bin" / program) for side in sides}
            for name, seconds in took[0].items():
                if name in took[1]:
                    ratios.setdefault((program, name), []).append(seconds / took[1][name])
    return ratios


def is_slower(interval, bar):
    """Whether the interval neither holds 1 nor lies above the bar."""
    return interval.high < 1 and interval.low <= bar


def table(ratios, bar):
    """Markdown, and whether a benchmark is slower."""
    lines = ["| program | benchmark | new / old speed | |", "| --- | --- | ---: | --- |"]
    found = False
    for (program, name), values in sorted(ratios.items()):
        interval = median_interval(values)
        slower = is_slower(interval, bar)
        found = found or slower
        lines.append(f"| {program} | {name} | {interval.median:.3f} [{interval.low:.3f}, {interval.high:.3f}] | "
                     f"{'slower' if slower else ''} |")
    return "\n".join(lines), found


def main(words=None):
    """0 where nothing is shown to be slower, else 1."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", type=pathlib.Path, help="a build folder, such as ../before/build/release")
    parser.add_argument("new", type=pathlib.Path, help="another one")
    parser.add_argument("--rounds", type=int, default=20, help="of each program in each build (default 20)")
    parser.add_argument("--programs", default=PROGRAMS, help=f"with commas (default {PROGRAMS})")
    parser.add_argument("--filter", default="", help="a regular expression: only these benchmarks")
    parser.add_argument("--min-time", type=float, default=0.05, help="seconds of a benchmark (default 0.05)")
    parser.add_argument("--bar", type=float, default=0.97, help="least speed that is let pass (default 0.97)")
    options = parser.parse_args(words)
    if options.rounds < 1:
        parser.error(f"--rounds: found {options.rounds}, expected at least 1")
    programs = options.programs.split(",")
    for build in (options.old, options.new):
        for program in programs:
            if not (build / "bin" / program).exists():
                parser.error(f"{build}: found no bin/{program}, expected a build with it")

    def run(program):
        return seconds_of(program, options.min_time, options.filter)
    ratios = compared([options.old, options.new], programs, options.rounds, run, random.Random(0))
    if not ratios:
        parser.error("found no benchmark that both builds have")
    text, found = table(ratios, options.bar)
    print(text)
    if options.rounds < FEWEST_ROUNDS:
        print(f"\nno verdict: found --rounds {options.rounds}, expected at least {FEWEST_ROUNDS} for an interval of 95 %")
        return 0
    return int(found)


if __name__ == "__main__":
    sys.exit(main())
