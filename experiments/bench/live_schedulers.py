"""Compares task schedulers in live searches of networks, as a TOML file says.

    python3 experiments/bench/live_schedulers.py experiments/studies/dynatune/live.toml -o out

The file has `name`, `networks`, `seconds` (or `trials`, which then stand for time everywhere) and
`seeds` of each search, `agent`, `baseline` and `[schedulers]` (NAME = SPEC), and may have `space`
and `target`; `measure` may say what tells speeds, on `analytical` to no agent that sees that
estimate; with `--smoke` what stands in [smoke] replaces it. Networks are names or .net files beside
the study. Each search knows nothing of the others; in what order schedulers take their turns is
drawn for each network and seed, so that a machine that drifts does not drift for one of them. The
folder gets a file for each search that is over and `report.md`; the same command goes on where it
was ended.

A search's course goes by the first times of its schedules, its end by its finalists, which were
timed again. Intervals of 95 % draw on the seeds of each network, as studies' do (effects.py); they
speak of these networks alone.
"""
import argparse
import hashlib
import json
import math
import pathlib
import random
import subprocess
import sys
import tempfile

import numpy as np
from kept_parts import PROGRAM, KeptParts, version
from printed import fail, table
from scheduler_study import OVER, digest_of, tomllib, write
from schedulegym.studies import effects, leakage
from schedulegym.studies.faults import StudyError

KEYS = {"name", "networks", "seeds", "agent", "baseline", "schedulers"}
BUDGETS = ("seconds", "trials")
CHOICES = ("measure", "space", "target")


def read_study(path, smoke):
    try:
        study = tomllib.loads(path.read_text())
    except (OSError, ValueError) as error:
        fail(f"{path}: {error}")
    small = study.pop("smoke", {})
    study = {**study, **(small if smoke else {})}
    for key in sorted(KEYS - study.keys()):
        fail(f"{path}: found no '{key}'")
    known = [*sorted(KEYS), *BUDGETS, *CHOICES, "smoke"]
    for key in sorted(study.keys() - set(known)):
        fail(f"{path}: found '{key}', expected one of {', '.join(known)}")
    budgets = [key for key in BUDGETS if key in study]
    if len(budgets) != 1:
        fail(f"{path}: found {' and '.join(budgets) or 'neither'}, expected seconds or trials")
    if study["baseline"] not in study["schedulers"]:
        fail(f"{path}: baseline: found '{study['baseline']}', expected a scheduler of the file")
    refuse_cheating(path, study)
    return study


def refuse_cheating(path, study):
    """An agent that sees the estimate that would judge it."""
    if study.get("measure") != "analytical":
        return
    try:
        honest = leakage.without_estimate(study["agent"])
        seeing = leakage.sees_estimate(study["agent"])
    except StudyError as fault:
        fail(f"{path}: agent: {fault}")
    if seeing:
        fail(f"{path}: agent: {study['agent']} sees the estimate that judges it: expected {honest}")


def budget_of(study):
    """Its name, and how much."""
    return next((key, study[key]) for key in BUDGETS if key in study)


def words_of(study, network, seed, spec):
    budget, most = budget_of(study)
    words = ["tune", network, "--scheduler", spec, "--agent", study["agent"], f"--{budget}",
             str(most), "--seed", str(seed), "--json", "--quiet"]
    for choice in CHOICES:
        words += [f"--{choice}", study[choice]] if choice in study else []
    return words + (["--trials", "1000000"] if budget == "seconds" else [])


def course_of(events, counts, budget):
    """[seconds or trials, latency of the network] from when each task has a time."""
    best, course = {}, []
    names = {event["task"]: event["workload"] for event in events if event["event"] == "start"}
    trials = [event for event in events if event["event"] == "trial"]
    for number, event in enumerate(trials, 1):
        if event["best_seconds"] is None:
            continue
        name = names[event["task"]]
        if best.get(name) == event["best_seconds"]:
            continue
        best[name] = event["best_seconds"]
        if len(best) == len(names):
            now = event["elapsed"] if budget == "seconds" else number
            course.append([now, sum(counts[each] * best[each] for each in best)])
    return course


def search(words, budget):
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
    if "network" not in said or "scheduler" not in said:
        fail(f"{words[1]}: found one task, expected a network of several")
    return {"words": words, "course": course_of(events, counts, budget), "network": said["network"],
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
    """Of one network and seed, by scheduler; None unless each came to a latency of all tasks.

    What was never reached counts as if it came at the end of the time, and under `unreached`.
    """
    if not all(run["course"] for run in runs.values()):
        return None
    _, end = budget_of(study)
    begin = max(run["course"][0][0] for run in runs.values())
    best = min(run["course"][-1][1] for run in runs.values())
    least = min(run["network"]["latency"] for run in runs.values())
    areas = {name: area(run["course"], begin, end) if begin < end else 0.0
             for name, run in runs.items()}
    told = {}
    for name, run in runs.items():
        told[name] = {"end": run["network"]["latency"] / least, "choosing": run["scheduler"]["seconds"]
                      / run["network"]["elapsed"], "area": areas[name] - areas[study["baseline"]]}
        for share in (95, 98):
            seconds = seconds_to(run["course"], best / (share / 100))
            note(told[name], f"to_{share}", (end if seconds is None else seconds) / end, seconds)
        for over in OVER:
            if over in runs and over != name:
                theirs = seconds_to(runs[over]["course"], runs[over]["course"][-1][1])
                ours = seconds_to(run["course"], runs[over]["course"][-1][1])
                note(told[name], over, math.log(theirs / (end if ours is None else ours)), ours)
    return told


def note(told, key, value, reached):
    told[key] = value
    if reached is None:
        told.setdefault("unreached", []).append(key)


def cell_of(problems, name, key, digits=3, scale=lambda x: x):
    """Mean and interval over the problems, {(network, seed): what problem_of tells}."""
    networks = {}
    for (network, _), problem in problems.items():
        if key in problem[name]:
            networks.setdefault(network, []).append(problem[name][key])
    if not networks:
        return "-"
    text = f"{scale(np.mean([np.mean(found) for found in networks.values()])):.{digits}f}"
    alone = any(len(found) < 2 for found in networks.values())
    effect = None if alone else effects.effect_of([np.array(f) for f in networks.values()])
    if effect is not None:
        low, high = map(scale, effect.interval(0.05))
        text += f" [{low:.{digits}f}, {high:.{digits}f}]"
    unreached = sum(key in problem[name].get("unreached", []) for problem in problems.values())
    return text + (f", {unreached} unreached" if unreached else "")


def report(study, problems, left_out):
    others = [over for over in OVER if over in study["schedulers"]]
    budget, most = budget_of(study)
    lines = [f"# {study['name']}", "", f"{len(problems)} pairs of network and seed, "
             f"{len(study['schedulers'])} searches of {most} {budget} each, by {study['agent']}; "
             f"speeds of `{study.get('measure', 'host')}`.", ""]
    if left_out:
        lines += [f"{left_out} more pairs are left out, in which a search did not time each task.",
                  ""]
    cells = [[name, *(cell_of(problems, name, *how) for how in
                      [("area", 4), ("to_95",), ("to_98",), ("end",),
                       *((over, 2, np.exp) for over in others), ("choosing", 4)])]
             for name in (study["schedulers"] if problems else [])]
    lines += table(["scheduler", f"area less {study['baseline']}'s", "to 95 %", "to 98 %",
                    "end over the best", *(f"sooner than {over}" for over in others),
                    "choosing"], cells)
    return "\n".join(lines) + "\n"


def runs_of(study, network, seed, folder, parts):
    """By scheduler, in the file's order, whatever order they took turns in."""
    names = list(study["schedulers"])
    random.Random(f"{network} {seed}").shuffle(names)
    runs = {}
    for name in names:
        words = words_of(study, network, seed, study["schedulers"][name])
        asked = [*words, version(), digest_of(network)]
        digest = hashlib.sha256(json.dumps(asked).encode()).hexdigest()[:16]
        kept_at = folder / f"{digest}.json"
        if not kept_at.exists():
            write(kept_at, json.dumps(search(words, budget_of(study)[0])))
        runs[name] = json.loads(kept_at.read_text())
        parts.add()
    return {name: runs[name] for name in study["schedulers"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("study", type=pathlib.Path, metavar="FILE.toml")
    parser.add_argument("-o", "--output", required=True, type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("--smoke", action="store_true", help="as small as [smoke] says")
    options = parser.parse_args()
    study = read_study(options.study, options.smoke)
    beside = options.study.parent
    study["networks"] = [str(beside / each) if (beside / each).is_file() else each
                         for each in study["networks"]]
    options.output.mkdir(parents=True, exist_ok=True)
    pairs = [(network, seed) for seed in range(study["seeds"]) for network in study["networks"]]
    with KeptParts(len(pairs) * len(study["schedulers"]), "searches") as parts:
        found = {pair: problem_of(study, runs_of(study, *pair, options.output, parts))
                 for pair in pairs}
    problems = {pair: problem for pair, problem in found.items() if problem is not None}
    text = report(study, problems, len(pairs) - len(problems))
    write(options.output / "report.md", text)
    print(text)


if __name__ == "__main__":
    main()
