"""Times our kernels beside those that MetaSchedule (Apache TVM) finds in as many trials.

Tunes each workload twice, by ./sg and by MetaSchedule, checks that both compute the same, and times
the two kernels by turns in one process. A ratio above 1 means that ours is faster. Matrix products
(matmul) and two-dimensional convolutions (conv2d) are supported; weights of convolutions are packed
ahead on both sides. TVM lives in an environment of its own, build/venv-tvm, which is made at the
first call (600 MB; needs a package index).

    ./sg python experiments/bench/metaschedule_peer.py "matmul(m=512,n=512,k=512)" --trials 200
"""
import argparse
import json
import os
import pathlib
import random
import re
import shlex
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
REQUIREMENTS = pathlib.Path(__file__).with_name("metaschedule-requirements.txt")
PROGRAM = os.environ.get("SCHEDULEGYM_PROGRAM", str(ROOT / "sg"))
# Keys with their defaults; None must be given.
WORKLOADS = {
    "matmul": {"b": 1, "m": None, "n": None, "k": None},
    "conv2d": {"n": 1, "h": None, "w": None, "ci": None, "co": None, "k": None, "s": 1, "p": 0,
               "dilation": 1, "groups": 1},
}
SAMPLE_SECONDS = 0.02
TOLERANCE = 1e-3  # of the largest value


def fail(code, message):
    print(f"error: {message}", file=sys.stderr)
    sys.exit(code)


def parse_workload(text):
    """(operator, keys); ends with one line for what is not supported."""
    match = re.fullmatch(r"\s*(\w+)\s*\((.*)\)\s*", text)
    if match is None or match.group(1) not in WORKLOADS:
        fail(2, f"workload '{text}' is not supported beside MetaSchedule: expected "
                f"{' or '.join(WORKLOADS)} with numbers in brackets")
    operator, keys = match.group(1), dict(WORKLOADS[match.group(1)])
    for option in filter(None, (part.strip() for part in match.group(2).split(","))):
        key, _, value = (part.strip() for part in option.partition("="))
        if key not in keys or not re.fullmatch(r"[0-9]+", value):
            fail(2, f"workload '{text}': found '{option}', expected numbers for {', '.join(keys)}")
        keys[key] = int(value)
    missing = [key for key, value in keys.items() if value is None]
    if missing:
        fail(2, f"workload '{text}': {', '.join(missing)} missing")
    return operator, keys


def cores_of(target):
    match = re.fullmatch(r"llvm(?:\(cores=([1-9][0-9]*)\))?", target.replace(" ", ""))
    if match is None:
        fail(2, f"--target: found '{target}', expected llvm or llvm(cores=N)")
    return int(match.group(1) or len(os.sched_getaffinity(0)))


def make_environment(folder):
    def run(*words):
        result = subprocess.run([*map(str, words)], capture_output=True, text=True)
        if result.returncode != 0:
            lines = (result.stderr.strip() or result.stdout.strip() or "no message").splitlines()
            fail(3, f"cannot make the environment of Apache TVM in {folder}: {lines[-1]} (it needs "
                    "python3-venv and a package index)")

    print(f"making the environment of Apache TVM in {folder}", file=sys.stderr)
    run(sys.executable, "-m", "venv", "--clear", folder)
    run(folder / "bin/python", "-m", "pip", "install", "-q", "--no-cache-dir",
        "--disable-pip-version-check", "-r", REQUIREMENTS)
    (folder / "requirements.txt").write_text(REQUIREMENTS.read_text())


def enter_environment(folder, cores):
    """Goes on in the environment, which is made where it is missing or older than its list."""
    os.environ["TVM_NUM_THREADS"] = str(cores)
    if pathlib.Path(sys.prefix).resolve() == folder.resolve():
        return
    made = folder / "requirements.txt"
    if not made.exists() or made.read_text() != REQUIREMENTS.read_text():
        make_environment(folder)
    python = str(folder / "bin/python")
    os.execv(python, [python, os.path.abspath(__file__), *sys.argv[1:]])


def events(*words):
    """The JSON events of one command; its messages are shown as they come."""
    result = subprocess.run([PROGRAM, *map(str, words), "--json"], stdout=subprocess.PIPE,
                            text=True)
    if result.returncode != 0:
        sys.exit(result.returncode)
    return [json.loads(line) for line in result.stdout.splitlines()]


def shapes_of(operator, keys):
    """(name to shape of each input, shape of the output)."""
    if operator == "matmul":
        outer = (keys["b"],) if keys["b"] > 1 else ()
        m, n, k = keys["m"], keys["n"], keys["k"]
        return {"A": (*outer, m, k), "B": (*outer, k, n)}, (*outer, m, n)
    reach = (keys["k"] - 1) * keys["dilation"] + 1
    space = [(keys[axis] + 2 * keys["p"] - reach) // keys["s"] + 1 for axis in "hw"]
    return ({"X": (keys["n"], keys["h"], keys["w"], keys["ci"]),
             "W": (keys["k"], keys["k"], keys["ci"] // keys["groups"], keys["co"])},
            (keys["n"], *space, keys["co"]))


def tune_ours(workload, options):
    """Row and summary of our `bench` without peers: it tunes what the store lacks, and tells the
    effort."""
    words = ["bench", workload, "--peers", "", "--trials", options.trials, "--agent", options.agent,
             "--space", options.space, "--target", options.target, "--store", options.store,
             "--seed", options.seed]
    told = {event["event"]: event for event in events(*words)}
    return told["row"], told["summary"]


def compare(workload, options, cores, folder):
    """(one row, the machine): both tuned, checked against each other, and timed by turns."""
    import numpy as np
    from exported_kernel import ExportedKernel, random_array
    import interleaved
    import metaschedule_tuning

    operator, keys = parse_workload(workload)
    row, summary = tune_ours(workload, options)
    prefix = f"{folder}/kernel"
    events("export", workload, "--target", options.target, "--store", options.store, "-o", prefix)
    input_shapes, output_shape = shapes_of(operator, keys)
    inputs = {name: random_array(shape, seed) for seed, (name, shape)
              in enumerate(input_shapes.items())}
    ours = ExportedKernel(prefix, inputs, output_shape)
    # Before TVM binds threads to cores: ours start with all of them.
    ours()
    name = re.sub(r"\W+", "_", f"{workload}{cores}")
    place = pathlib.Path(options.work_dir or folder) / name
    print(f"tuning {workload} with MetaSchedule, {options.trials} trials; it logs to {place}/logs",
          file=sys.stderr)
    tuned = metaschedule_tuning.tune(operator, keys, options.trials, cores, options.seed, place)
    theirs = tuned.result(list(inputs.values()))
    difference = float(np.abs(theirs - ours.output).max() / np.abs(theirs).max())
    rng = random.Random(options.seed)
    result = interleaved.with_cores(
        lambda: interleaved.run_interleaved(ours, tuned.call, options.rounds, SAMPLE_SECONDS, rng), cores)
    return row_fields(row, result, tuned, cores, difference), summary["machine"]


def row_fields(row, result, tuned, cores, difference):
    """As the events `row` of `bench`, and what the peer spent. Operands of both lie as the workload
    writes them: the layout is plain, and there is no better one."""
    ours, theirs, ratio = result.ours, result.theirs, result.ratio
    flops = row["gflops"] * row["seconds"]
    failure = f"results differ by {difference:.1e} of the largest value"
    fields = {
        "event": "row", "workload": row["workload"], "cores": cores, "seconds": ours.seconds,
        "gflops": flops / ours.seconds, "peak_gflops": None, "peak_fraction": None,
        "origin": row["origin"], "short_of_cores": result.is_short(cores),
        "failure": failure if difference > TOLERANCE else None}
    for peers, name, best in (("peers", "ratio", "best_peer"),
                              ("plain_peers", "ratio_plain", "best_plain_peer")):
        fields |= {peers: {"metaschedule": theirs.seconds}, name: ratio.median,
                   f"{name}_low": ratio.low, f"{name}_high": ratio.high, best: "metaschedule"}
    fields |= {key: row[key] for key in ("group", "trials", "search_seconds", "trials_per_second",
                                         "grade")}
    return fields | {"peer_trials": tuned.trials, "peer_search_seconds": tuned.seconds}


def group_fields(rows):
    """As in the event `summary` of `bench`."""
    worst = min(rows, key=lambda row: row["ratio"])
    worst = {"workload": worst["workload"], "ratio": worst["ratio"]}
    mean = statistics.geometric_mean(row["ratio"] for row in rows)
    return {"rows": len(rows), "geomean_ratio": mean, "geomean_ratio_plain": mean, "worst": worst,
            "worst_plain": worst}


def summary_fields(rows, started, elapsed, machine):
    groups = {row["group"]: [] for row in rows}
    for row in rows:
        groups[row["group"]].append(row)
    speeds = [row["trials_per_second"] for row in rows if row["trials_per_second"]]
    words = [word for word in sys.argv[1:] if word != "--json"]
    return {"event": "summary", **group_fields(rows), "elapsed": elapsed,
            "failures": sum(row["failure"] is not None for row in rows),
            "groups": {name: group_fields(members) for name, members in groups.items()},
            "trials_per_second": statistics.median(speeds) if speeds else None, "left_out": [],
            "command": shlex.join(["./sg", "python", "experiments/bench/metaschedule_peer.py",
                                   *words]),
            "started": started, "machine": machine}


def row_text(row):
    def spent(seconds):
        return "in an earlier run" if seconds is None else f"in {seconds:.0f} s"

    flops = row["gflops"] * row["seconds"]
    seconds = row["peers"]["metaschedule"]
    text = (f"{row['workload']}  ours {row['seconds'] * 1e6:.1f} us = {row['gflops']:.1f} GFLOP/s "
            f"({row['trials']} trials {spent(row['search_seconds'])})  MetaSchedule "
            f"{seconds * 1e6:.1f} us = {flops / seconds:.1f} GFLOP/s ({row['peer_trials']} trials "
            f"{spent(row['peer_search_seconds'])})  ratio {row['ratio']:.3f} "
            f"[{row['ratio_low']:.3f}, {row['ratio_high']:.3f}]")
    if row["short_of_cores"]:
        text += "  (cores were busy with something else)"
    return text + (f"\n  failed: {row['failure']}" if row["failure"] else "")


class Parser(argparse.ArgumentParser):
    def error(self, message):
        fail(2, message)


def parse_arguments():
    parser = Parser(description=__doc__.split("\n\n")[0],
                    epilog=__doc__.split("\n\n")[1])
    parser.add_argument("workloads", nargs="+", metavar="WORKLOAD")
    parser.add_argument("--trials", type=int, default=1000, help="of each side (default 1000)")
    parser.add_argument("--agent", default="random", help="of ours (default random)")
    parser.add_argument("--space", default="tiles", help="of ours (default tiles)")
    parser.add_argument("--target", default="llvm", help="llvm or llvm(cores=N), for both")
    parser.add_argument("--store", default="schedulegym.db", help="of ours; it goes on there")
    parser.add_argument("--work-dir", help="where MetaSchedule keeps its records and goes on "
                        "(default: a temporary folder)")
    parser.add_argument("--rounds", type=int, default=51, 
                        help="each side once a round (default 51)")
    parser.add_argument("--seed", type=int, default=0, help="of both searches (default 0)")
    parser.add_argument("--environment", type=pathlib.Path, default=ROOT / "build/venv-tvm",
                        help="where TVM is installed (default build/venv-tvm)")
    parser.add_argument("--json", action="store_true", help="a JSON object a row")
    options = parser.parse_args()
    for name in ("trials", "rounds"):
        if getattr(options, name) < 1:
            fail(2, f"--{name}: found '{getattr(options, name)}', expected at least 1")
    return options


def main():
    options = parse_arguments()
    for workload in options.workloads:
        parse_workload(workload)
    cores = cores_of(options.target)
    enter_environment(options.environment, cores)
    rows, started, begin = [], time.time(), time.perf_counter()
    for workload in options.workloads:
        with tempfile.TemporaryDirectory() as folder:
            row, machine = compare(workload, options, cores, folder)
        print(json.dumps(row) if options.json else row_text(row), flush=True)
        rows.append(row)
    summary = summary_fields(rows, started, time.perf_counter() - begin, machine)
    if options.json:
        print(json.dumps(summary))
    else:
        print(f"geometric mean of the ratios {summary['geomean_ratio']:.3f}")
    sys.exit(1 if summary["failures"] else 0)


if __name__ == "__main__":
    main()
