"""Compares task schedulers in live searches of networks, as a TOML file says.

    python3 experiments/bench/live_schedulers.py experiments/studies/dynatune/live.toml -o out

The file has `name`, `networks`, `seconds` and `seeds` of each search, `agent`, `baseline` and
`[schedulers]` (NAME = SPEC); `measure` may say what tells speeds; with `--smoke` what stands in
[smoke] replaces it. Each search knows nothing of the others. The folder gets a file for each that
is over and `report.md`; the same command goes on where it was ended.
"""
import argparse
import hashlib
import json
import math
import pathlib
import subprocess
import sys
import tempfile

from results_table import fail, table
from scheduler_study import OVER, PROGRAM, interval, tomllib, write

KEYS = {"name", "networks", "seconds", "seeds", "agent", "baseline", "schedulers"}


def read_study(path, smoke):
    try:
        study = tomllib.loads(path.read_text())
    except (OSError, ValueError) as error:
        fail(f"{path}: {error}")
    small = study.pop("smoke", {})
    study = {**study, **(small if smoke else {})}
    for key in sorted(KEYS - study.keys()):
        fail(f"{path}: found no '{key}'")
    for key in sorted(study.keys() - KEYS - {"measure"}):
        fail(f"{path}: found '{key}', expected one of {', '.join(sorted(KEYS))}, measure, smoke")
    if study["baseline"] not in study["schedulers"]:
        fail(f"{path}: baseline: found '{study['baseline']}', expected a scheduler of the file")
    return study


def words_of(study, network, seed, spec):
    return ["tune", network, "--scheduler", spec, "--agent", study["agent"], "--measure",
            study.get("measure", "host"), "--seconds", str(study["seconds"]), "--trials",
            "1000000", "--seed", str(seed), "--json", "--quiet"]


def course_of(events, counts):
    """[seconds, latency of the network] from when each task has a time."""
    best, course = {}, []
    names = {event["task"]: event["workload"] for event in events if event["event"] == "start"}
    for event in events:
        if event["event"] != "trial" or event["best_seconds"] is None:
            continue
        name = names[event["task"]]
        if best.get(name) == event["best_seconds"]:
            continue
        best[name] = event["best_seconds"]
        if len(best) == len(names):
            course.append([event["elapsed"], sum(counts[each] * best[each] for each in best)])
    return course


def search(words):
    with tempfile.TemporaryDirectory() as place:
        curves = pathlib.Path(place) / "curves"
        done = subprocess.run([PROGRAM, *words, "--store", f"{place}/store.db", "--curves-out",
                               str(curves)], stdout=subprocess.PIPE, text=True, check=False)
        if done.returncode != 0:
            sys.exit(done.returncode if done.returncode > 0 else 128 - done.returncode)
        counts = {line["task"]: sum(line["counts"])
                  for line in map(json.loads, curves.read_text().splitlines())}
    events = [json.loads(line) for line in done.stdout.splitlines()]
    said = {event["event"]: event for event in events}
    return {"words": words, "course": course_of(events, counts), "network": said["network"],
            "scheduler": said["scheduler"]}


def seconds_to(course, latency):
    """None where it never was."""
    return next((seconds for seconds, now in course if now <= latency), None)


def area(course, begin, end):
    """The mean of ln(latency) between two times."""
    total, points = 0.0, [*course, [end, course[-1][1]]]
    for (since, latency), (until, _) in zip(points, points[1:]):
        total += math.log(latency) * max(min(until, end) - max(since, begin), 0)
    return total / (end - begin)


def problem_of(study, runs):
    """Of one network and seed, by scheduler; None unless each came to a latency of all tasks."""
    if not all(run["course"] for run in runs.values()):
        return None
    end = study["seconds"]
    begin = max(run["course"][0][0] for run in runs.values())
    best = min(run["course"][-1][1] for run in runs.values())
    areas = {name: area(run["course"], begin, end) if begin < end else 0.0
             for name, run in runs.items()}
    told = {}
    for name, run in runs.items():
        told[name] = {"end": run["course"][-1][1] / best, "choosing": run["scheduler"]["seconds"]
                      / run["network"]["elapsed"], "area": areas[name] - areas[study["baseline"]]}
        for share in (95, 98):
            seconds = seconds_to(run["course"], best / (share / 100))
            told[name][f"to_{share}"] = (end if seconds is None else seconds) / end
        for over in OVER:
            if over in runs and over != name:
                theirs = seconds_to(runs[over]["course"], runs[over]["course"][-1][1])
                ours = seconds_to(run["course"], runs[over]["course"][-1][1])
                told[name][over] = math.log(theirs / (end if ours is None else ours))
    return told


def report(study, problems):
    others = [over for over in OVER if over in study["schedulers"]]
    lines = [f"# {study['name']}", "", f"{len(problems)} searches of {study['seconds']} s, each by "
             f"{study['agent']}; speeds of `{study.get('measure', 'host')}`.", ""]
    cells = []
    for name in study["schedulers"] if problems else []:
        def mean(key, digits=3, scale=lambda x: x):
            found = [problem[name][key] for problem in problems if key in problem[name]]
            if not found:
                return "-"
            middle, half = interval(found)
            low, high = scale(middle - half), scale(middle + half)
            return f"{scale(middle):.{digits}f} [{low:.{digits}f}, {high:.{digits}f}]"
        cells.append([name, mean("area", 4), mean("to_95"), mean("to_98"), mean("end"),
                      *(mean(over, 2, math.exp) for over in others), mean("choosing", 4)])
    lines += table(["scheduler", f"area less {study['baseline']}'s", "to 95 %", "to 98 %",
                    "end over the best", *(f"sooner than {over}" for over in others),
                    "choosing"], cells)
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("study", type=pathlib.Path, metavar="FILE.toml")
    parser.add_argument("-o", "--output", required=True, type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("--smoke", action="store_true", help="as small as [smoke] says")
    options = parser.parse_args()
    study = read_study(options.study, options.smoke)
    options.output.mkdir(parents=True, exist_ok=True)
    problems = []
    for seed in range(study["seeds"]):
        for network in study["networks"]:
            runs = {}
            for name, spec in study["schedulers"].items():
                words = words_of(study, network, seed, spec)
                digest = hashlib.sha256(json.dumps(words).encode()).hexdigest()[:16]
                kept_at = options.output / f"{digest}.json"
                if not kept_at.exists():
                    write(kept_at, json.dumps(search(words)))
                runs[name] = json.loads(kept_at.read_text())
            problem = problem_of(study, runs)
            if problem is not None:
                problems.append(problem)
    text = report(study, problems)
    write(options.output / "report.md", text)
    print(text)


if __name__ == "__main__":
    main()
