"""Compares task schedulers on recorded and drawn curves, as TOML files say; a table for each.

    python3 experiments/bench/scheduler_study.py experiments/studies/dynatune/schedulers.toml -o out

A file has `name`, `about`, `problems`, `seeds`, `[schedulers]` (NAME = SPEC) and `[curves]`, each
NAME = "drawn(...)" or NAME = {files = [...], half = "heldout"}; files are relative to it and may be
gzipped. `baseline` names the scheduler that the others are compared with, row by row; `problems`,
`seeds` and `schedulers` (a list of names) may stand beside `files`, too, and `seed`, of what is
drawn; `--recorded` puts other curves in place of all files, and sets that are equal then are one.
Each file gets a folder of its name, with `results.json`, all that `simulate` says of each run,
`summary.json`, of each scheduler with what it is above the baseline on the same problems, and
`report.md`. What is there already and answers the same question, of the same curves to the same
version, is not asked again, so that a study goes on where it ended.
"""
import argparse
import gzip
import hashlib
import json
import math
import pathlib
import subprocess
import sys

try:
    import tomllib
except ModuleNotFoundError:  # Python 3.10
    import tomli as tomllib

from kept_parts import PROGRAM, KeptParts, version
from printed import fail, table

KEYS = {"name", "about", "problems", "seeds", "baseline", "schedulers", "curves"}
CURVE_KEYS = {"drawn", "files", "half", "problems", "seed", "seeds", "schedulers"}
NORMAL95 = 1.959964
# The baseline of DynaTune's claim: the others should reach its final latency sooner.
OVER = ("linear", "round_robin")


def read_study(path):
    try:
        study = tomllib.loads(path.read_text())
    except (OSError, ValueError) as error:
        fail(f"{path}: {error}")
    for key in sorted(KEYS - {"about", "baseline"} - study.keys()):
        fail(f"{path}: found no '{key}'")
    for key in sorted(study.keys() - KEYS):
        fail(f"{path}: found '{key}', expected one of {', '.join(sorted(KEYS))}")
    study.setdefault("baseline", next(iter(study["schedulers"])))
    if study["baseline"] not in study["schedulers"]:
        fail(f"{path}: baseline: found '{study['baseline']}', expected a scheduler of the file")
    for name, curves in study["curves"].items():
        curves = {"drawn": curves} if isinstance(curves, str) else curves
        if curves.keys() - CURVE_KEYS or len({"drawn", "files"} & curves.keys()) != 1:
            fail(f"{path}: curves '{name}': found {sorted(curves)}, expected drawn or files")
        for chosen in curves.get("schedulers", []):
            if chosen not in study["schedulers"]:
                fail(f"{path}: curves '{name}': found scheduler '{chosen}', expected one of the "
                     "file")
        study["curves"][name] = curves
    return study


def words_of(study, curves):
    """What is asked of `simulate`, but for the files."""
    chosen = curves.get("schedulers", list(study["schedulers"]))
    words = ["simulate", "--schedulers", ",".join(study["schedulers"][name] for name in chosen),
             "--problems", curves.get("problems", study["problems"]),
             "--seeds", curves.get("seeds", study["seeds"]), "--half", curves.get("half", "all"),
             "--json", "--quiet", *(["--seed", curves["seed"]] if "seed" in curves else [])]
    return [str(word) for word in words]


def ask(study, curves, base):
    """(the rows by scheduler, its summaries in order); both as `simulate` says them."""
    files = [str(base / file) for file in curves.get("files", [])]
    done = subprocess.run([PROGRAM, *words_of(study, curves), "--curves",
                           *(files or [curves["drawn"]])],
                          stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        sys.exit(done.returncode if done.returncode > 0 else 128 - done.returncode)
    events = [json.loads(line) for line in done.stdout.splitlines()]
    kept = ("problem", "seed", "scheduler", "area", "seconds_to_95", "seconds_to_98", "horizon")
    rows = [{key: row[key] for key in kept} for row in events if row["event"] == "row"]
    return {"rows": rows, "summaries": [e for e in events if e["event"] == "summary"]}


def interval(values):
    """Mean, and half of the 95 % interval that the normal distribution gives it."""
    mean = sum(values) / len(values)
    if len(values) < 2:
        return mean, 0.0
    squares = sum((value - mean) ** 2 for value in values)
    return mean, NORMAL95 * math.sqrt(squares / (len(values) - 1) / len(values))


def of_problems(rows, scheduler, value):
    """By problem the mean over its seeds."""
    found = {}
    for row in rows:
        if row["scheduler"] == scheduler:
            found.setdefault(row["problem"], []).append(value(row))
    return {problem: sum(values) / len(values) for problem, values in found.items()}


def beyond(rows, scheduler, baseline):
    """How much more area than the baseline's on the same problems."""
    def area(row):
        return row["area"]
    ours, theirs = of_problems(rows, scheduler, area), of_problems(rows, baseline, area)
    return interval([ours[problem] - theirs[problem] for problem in ours])


def beyond_baseline(study, result):
    """The same of each scheduler; of none where the baseline is not among them."""
    specs = {normal(summary["scheduler"]): summary["scheduler"] for summary in result["summaries"]}
    baseline = specs.get(normal(study["schedulers"][study["baseline"]]))
    return {} if baseline is None else {spec: beyond(result["rows"], spec, baseline)
                                        for spec in specs.values()}


def digest_of(path):
    """Of what the file holds; of a name that no file has, the name."""
    path = pathlib.Path(path)
    data = path.read_bytes() if path.is_file() else str(path).encode()
    return hashlib.sha256(data).hexdigest()[:16]


def origin(paths):
    """Whose speeds files of recorded curves tell, in a line."""
    measurers = {}
    for path in paths:
        read = gzip.open if path.open("rb").read(2) == b"\x1f\x8b" else open
        with read(path, "rt") as lines:
            for line in lines:
                told = json.loads(line).get("measure", "host")
                measurers[told] = measurers.get(told, 0) + 1
    return "; ".join(f"{count} recorded curves, " + ("measured" if told == "host" else
                     f"not measured: their speeds are those of `{told}`")
                     for told, count in sorted(measurers.items()))


def sooner(summary, over):
    """How many times sooner it was where another ended, and how often it never was."""
    if over not in summary["speed_up"]:
        return "-"
    found = summary["speed_up"][over]
    times = found["times"]
    if times is None:  # no scheduler found anything
        return "-"
    text = f"{times['mean']:.2f} [{times['low']:.2f}, {times['high']:.2f}]"
    return text + (f", {found['unreached']} unreached" if found["unreached"] else "")


def between(field, digits=3):
    half = (field["high"] - field["low"]) / 2
    return f"{field['mean']:.{digits}f} ± {half:.{digits}f}"


def signed(more):
    return "-" if more is None else f"{more[0]:+.4f} ± {more[1]:.4f}"


def report(study, results):
    names = {spec: name for name, spec in study["schedulers"].items()}
    lines = [f"# {study['name']}", "", *([study["about"], ""] if "about" in study else [])]
    for title, result in results.items():
        by_spec = {normal(s["scheduler"]): s for s in result["summaries"]}
        others = [over for over in OVER if over in by_spec]
        more = beyond_baseline(study, result)
        cells = []
        for spec, summary in by_spec.items():
            cells.append([next(n for s, n in names.items() if normal(s) == spec),
                          between(summary["area"], 4), signed(more.get(summary["scheduler"])),
                          between(summary["share_to_95"]), between(summary["share_to_98"]),
                          f"{summary['reached_98']} of {summary['runs']}",
                          *(sooner(summary, over) for over in others)])
        told = [result["origin"] + ".", ""] if result.get("origin") else []
        lines += [f"## {title}", "", *told, *table(
            ["scheduler", "area", f"less {study['baseline']}'s", "to 95 %", "to 98 %",
             "reached 98 %", *(f"sooner than {over}" for over in others)], cells), ""]
    return "\n".join(lines)


def replaced(sets, recorded):
    """The sets of curves, the same files in place of theirs; those that are equal then, once."""
    found = {}
    for title, curves in sets.items():
        if "files" in curves:
            curves = {**curves, "files": [str(file.resolve()) for file in recorded]}
        if curves not in found.values():
            found[title] = curves
    return found


def normal(spec):
    """Specs are printed without the spaces that they may be typed with."""
    return spec.replace(" ", "")


def write(path, text):
    """Whole or not at all."""
    new = path.with_name(path.name + ".new")
    new.write_text(text)
    new.rename(path)


def summary_of(study, result):
    beyond_it = {spec: {"mean": mean, "low": mean - half, "high": mean + half}
                 for spec, (mean, half) in beyond_baseline(study, result).items()}
    return {"asked": result["asked"], "origin": result["origin"], "summaries": result["summaries"],
            "baseline": study["schedulers"][study["baseline"]], "area_beyond_baseline": beyond_it}


def run_study(study, base, folder, parts):
    """The report; `folder` keeps it, and what it rests on."""
    folder.mkdir(parents=True, exist_ok=True)
    kept_at = folder / "results.json"
    kept = json.loads(kept_at.read_text()) if kept_at.exists() else {}
    results = {}
    for title, curves in study["curves"].items():
        files = curves.get("files", [])
        paths = [base / file for file in files]
        asked = [*words_of(study, curves), version(), *map(digest_of, paths),
                 *([] if files else [curves["drawn"]])]
        if kept.get(title, {}).get("asked") == asked:
            results[title] = kept[title]
        else:
            results[title] = {"asked": asked, **ask(study, curves, base), "origin": origin(paths)}
        write(kept_at, json.dumps({**kept, **results}))
        parts.add()
    summary = {title: summary_of(study, result) for title, result in results.items()}
    write(folder / "summary.json", json.dumps(summary, indent=1) + "\n")
    text = report(study, results)
    write(folder / "report.md", text)
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("studies", nargs="+", type=pathlib.Path, metavar="FILE.toml")
    parser.add_argument("-o", "--output", required=True, type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("--recorded", nargs="+", type=pathlib.Path, metavar="FILE",
                        help="curves in place of the files that the studies name")
    parser.add_argument("--problems", type=int, metavar="N",
                        help="of all curves, in place of the file's")
    parser.add_argument("--seeds", type=int, metavar="N", help="the same")
    options = parser.parse_args()
    studies = [read_study(path) for path in options.studies]
    for key in ("problems", "seeds"):
        asked = getattr(options, key)
        if asked is not None and asked < 1:
            fail(f"--{key}: found {asked}, expected at least 1")
        for study in studies if asked else []:
            for place in (study, *study["curves"].values()):
                place[key] = asked
    for study in studies if options.recorded else []:
        study["curves"] = replaced(study["curves"], options.recorded)
    with KeptParts(sum(len(study["curves"]) for study in studies), "sets of curves") as parts:
        for path, study in zip(options.studies, studies):
            print(run_study(study, path.parent, options.output / path.stem, parts), flush=True)


if __name__ == "__main__":
    main()
