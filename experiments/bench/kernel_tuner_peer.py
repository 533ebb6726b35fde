"""Compares `bayes` with Kernel Tuner's own Bayesian optimisation on recorded tables.

Writes a table of knobs as a cache file of Kernel Tuner, lets its bayes_opt search it in simulation
mode over some seeds, and prints shares of the table's best with intervals, beside those of
`bayes(mode=faithful)` and `bayes`. Nothing is measured. Kernel Tuner lives in an environment of its
own, build/venv-kernel-tuner, which is made at the first call (needs a package index).

    ./sg python experiments/bench/kernel_tuner_peer.py contest_depthwise_v2 contest_depthwise_padded
"""
import argparse
import gzip
import json
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve()
ROOT = HERE.parents[2]
REQUIREMENTS = HERE.with_name("kernel-tuner-requirements.txt")
RUNS = HERE.with_name("kernel_tuner_runs.py")
OURS = ("bayes(mode=faithful)", "bayes")
POINTS = (64, 128, 200)
RESAMPLES = 10_000


def fail(code, message):
    print(f"error: {message}", file=sys.stderr)
    sys.exit(code)


def path_of(name):
    """A table's file, or that of one that comes along."""
    path = pathlib.Path(name)
    return path if path.exists() else ROOT / "bindings/schedulegym/tables" / f"{name}.table"


def read_table(name):
    """(the header, the rows) of a table."""
    try:
        data = path_of(name).read_bytes()
        lines = (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).decode().splitlines()
        header, *rows = [json.loads(line) for line in lines]
    except (OSError, ValueError) as fault:
        fail(2, f"table '{name}': {fault}")
    if not isinstance(header, dict) or header.get("kind") != "knobs":
        fail(2, f"table '{name}': found no grid of knobs, expected a table of the kind modify")
    return header, rows


def cache_of(header, rows):
    """The table as Kernel Tuner keeps what it measured.

    A parameter for each knob, k0, k1, ..., whose values are positions: its search goes by positions,
    too. Times are milliseconds. What measuring took counts as benchmark_time.
    """
    names = [f"k{i}" for i in range(len(header["knobs"]))]
    cache = {}
    for row in rows:
        point, outcome, seconds = row[0], row[3], row[4]
        time = seconds * 1e3 if outcome == "ok" else "RuntimeFailedConfig"
        cost = row[8] if outcome == "ok" and isinstance(row[8], (int, float)) else 0
        cache[",".join(map(str, point))] = {
            **dict(zip(names, point)), "time": time, "times": [time], "compile_time": 0,
            "verification_time": 0, "benchmark_time": cost * 1e3, "strategy_time": 0,
            "framework_time": 0, "timestamp": "2026-11-30 00:00:00"}
    return {"device_name": header["target"], "kernel_name": "schedule", "problem_size": [1],
            "tune_params_keys": names, "objective": "time",
            "tune_params": {name: [*range(len(knob["values"]))]
                            for name, knob in zip(names, header["knobs"])},
            "cache": cache}


def shares_of(times, best, points=POINTS):
    """After each number of trials the least time so far as a share of the best; 0 without any."""
    shares = []
    for point in points:
        found = [time for time in times[:point] if time is not None]
        shares.append(best / min(found) if found else 0.0)
    return shares


def interval_of(values, seed=0):
    """The mean, and a bootstrap interval of 95 %."""
    rng = random.Random(seed)
    means = sorted(statistics.fmean(rng.choices(values, k=len(values))) for _ in range(RESAMPLES))
    edge = round(0.025 * RESAMPLES)
    return statistics.fmean(values), means[edge], means[-edge - 1]


def overlap(a, b):
    return a[1] <= b[2] and b[1] <= a[2]


def enter_environment(folder):
    """The Python of the environment, which is made where it is missing or older than its list."""
    made, python = folder / "requirements.txt", folder / "bin/python"
    if made.exists() and made.read_text() == REQUIREMENTS.read_text():
        return python
    print(f"making the environment of Kernel Tuner in {folder}", file=sys.stderr)
    for words in ((sys.executable, "-m", "venv", "--clear", folder),
                  (python, "-m", "pip", "install", "-q", "--disable-pip-version-check", "-r",
                   REQUIREMENTS)):
        result = subprocess.run([*map(str, words)], capture_output=True, text=True)
        if result.returncode != 0:
            lines = (result.stderr.strip() or result.stdout.strip() or "no message").splitlines()
            fail(3, f"cannot make the environment of Kernel Tuner in {folder}: {lines[-1]} (it needs "
                    "python3-venv and a package index)")
    made.write_text(REQUIREMENTS.read_text())
    return python


def their_times(python, cache, method, trials, seeds):
    """Milliseconds of each trial, a list for each seed."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "cache.json")
        path.write_text(json.dumps(cache))
        result = subprocess.run([str(python), str(RUNS), str(path), method, str(trials),
                                 *map(str, range(seeds))], stdout=subprocess.PIPE, text=True)
    if result.returncode != 0:
        fail(3, "Kernel Tuner ended with a failure, which it has printed above")
    return [json.loads(line) for line in result.stdout.splitlines() if line.startswith("[")]


def our_times(name, agent, trials, seeds):
    """The same of an agent of ours."""
    import schedulegym
    measure = f'table(file="{path_of(name)}")'
    runs = [schedulegym.tune(measure=measure, agent=agent, seed=seed, trials=trials, store=None,
                             finalists=0) for seed in range(seeds)]
    return [[None if one.seconds is None else one.seconds * 1e3 for one in run.history]
            for run in runs]


def rows_of(table, runs, best):
    """A row for each search: shares with intervals after each of POINTS."""
    rows = []
    for search, times in runs.items():
        shares = zip(*(shares_of(one, best) for one in times))
        rows.append({"table": table, "search": search, "seeds": len(times),
                     "shares": {str(point): interval_of(list(values))
                                for point, values in zip(POINTS, shares)}})
    for row in rows:
        row["overlaps"] = {point: overlap(share, rows[0]["shares"][point])
                           for point, share in row["shares"].items()}
    return rows


def row_text(row):
    cells = [f"{point}: {mean:.3f} [{low:.3f}, {high:.3f}]" +
             ("" if row["overlaps"][point] else " apart")
             for point, (mean, low, high) in row["shares"].items()]
    return f"{row['table']}  {row['search']}  " + "  ".join(cells)


class Parser(argparse.ArgumentParser):
    def error(self, message):
        fail(2, message)


def main():
    parser = Parser(description=__doc__.split("\n\n", maxsplit=1)[0], epilog=__doc__.split("\n\n")[1])
    parser.add_argument("tables", nargs="+", metavar="TABLE", help="a file, or a table that comes along")
    parser.add_argument("--seeds", type=int, default=20, help="of each search (default 20)")
    parser.add_argument("--method", default="multi-advanced",
                        help="of Kernel Tuner's bayes_opt (default multi-advanced, the published one)")
    parser.add_argument("--environment", type=pathlib.Path, default=ROOT / "build/venv-kernel-tuner",
                        help="where Kernel Tuner is installed (default build/venv-kernel-tuner)")
    parser.add_argument("--json", action="store_true", help="a JSON object a row")
    options = parser.parse_args()
    if options.seeds < 2:
        fail(2, f"--seeds: found '{options.seeds}', expected at least 2")
    read = {name: read_table(name) for name in options.tables}
    python = enter_environment(options.environment)
    for name, (header, rows) in read.items():
        cache = cache_of(header, rows)
        best = min(row[4] for row in rows if row[3] == "ok") * 1e3
        runs = {f"Kernel Tuner, {options.method}":
                their_times(python, cache, options.method, max(POINTS), options.seeds)}
        for agent in OURS:
            runs[agent] = our_times(name, agent, max(POINTS), options.seeds)
        for row in rows_of(name, runs, best):
            print(json.dumps(row) if options.json else row_text(row), flush=True)


if __name__ == "__main__":
    main()
