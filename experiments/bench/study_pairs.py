"""Tells from a study's results.csv how each arm fares beside another one, after how many trials.

    ./sg python experiments/bench/study_pairs.py harl/results.csv --over ansor --at 16,64
    ./sg python experiments/bench/study_pairs.py tables/results.csv model/results.csv --over ansor
    ./sg python experiments/bench/study_pairs.py a.csv --over "best known" --known b.csv --at 8

The page of a study compares what searches end with; this, what they have after so many trials, and
beside any arm. A cell is a geometric mean over cases and seeds, paired by both, with its interval of
95 %, corrected for the number of arms in the table (Bonferroni): 1.03 is three per cent faster. A
run that has no success yet counts as the slowest of its case at that point. Of several files the
cases are taken together; only arms that all of them have are told. The best known of a case is the
fastest that any run of these files chose, or of --known files, whose cases are the same by name.
"""
import csv
import math
import pathlib

import numpy as np
from results_table import Parser, fail, table
from schedulegym.studies import effects, factors

END, BEST = "end", "best known"
COLUMNS = {"case", "arm", "seed", "chosen"}


def read_runs(path):
    """{(case, arm, seed): the row}; cases of two files are two, whatever they are called."""
    try:
        with open(path, newline="") as file:
            rows = list(csv.DictReader(file))
    except OSError as error:
        fail(f"{path}: {error.strerror}")
    if not rows or not COLUMNS <= rows[0].keys():
        fail(f"{path}: found no results of a study")
    return {((str(path), row["case"]), row["arm"], int(row["seed"])): row for row in rows}


def column_of(point, runs):
    column = "chosen" if point == END else f"best_after_{point}"
    if not all(column in row for row in runs.values()):
        known = [name.removeprefix("best_after_") for name in next(iter(runs.values()))
                 if name.startswith("best_after_")]
        fail(f"--at: found '{point}', expected some of {', '.join([*known, END])}")
    return column


def logs_of(runs, column):
    """{arm: {case: {seed: the logarithm of the speed}}}."""
    slowest = {}
    for (case, _, _), row in runs.items():
        if float(row[column] or 0) > 0:
            slowest[case] = min(slowest.get(case, math.inf), float(row[column]))
    logs = {}
    for (case, arm, seed), row in runs.items():
        if case in slowest:
            speed = float(row[column] or 0) or slowest[case]
            logs.setdefault(arm, {}).setdefault(case, {})[seed] = math.log(speed)
    return logs


def best_of(runs, known):
    """{case: {seed: the logarithm of the best known speed}}; `known` by the names of cases."""
    best = {}
    for (case, _, _), row in runs.items():
        best[case] = max(best.get(case, known.get(case[1], 0.0)), chosen_speed(row))
    logs = {}
    for case, _, seed in runs:
        if best[case] > 0:
            logs.setdefault(case, {})[seed] = math.log(best[case])
    return logs


def fastest(files):
    """{name of a case: the fastest that any run chose}."""
    best = {}
    for path in files:
        for ((_, name), _, _), row in read_runs(path).items():
            best[name] = max(best.get(name, 0.0), chosen_speed(row))
    return best


def chosen_speed(row):
    return float(row["chosen"] or 0)


def cells_of(arms, over, logs):
    """Of each arm the effect at one point, as words."""
    found = [effects.effect_of(list(factors.paired(logs.get(arm, {}), logs.get(over, {})).values()))
             for arm in arms]
    return [words_of(one) for one in effects.judge(found, math.log1p(0.01))]


def words_of(judged):
    if judged.effect is None:
        return "-"
    mean, low, high = np.exp([judged.effect.mean, judged.low, judged.high])
    return f"{mean:.2f} [{low:.2f}, {high:.2f}]"


def main():
    parser = Parser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", type=pathlib.Path, metavar="RESULTS.csv")
    parser.add_argument("--over", required=True, metavar="ARM", help=f"the arm to compare with, or '{BEST}'")
    parser.add_argument("--known", action="append", default=[], type=pathlib.Path,
                        metavar="RESULTS.csv", help=f"of other arms that may hold the {BEST}")
    parser.add_argument("--at", default=END, metavar="TRIALS",
                        help="with commas: numbers of trials, or 'end' for what was chosen (default)")
    options = parser.parse_args()
    each = [read_runs(path) for path in options.files]
    runs = {place: row for some in each for place, row in some.items()}
    arms = [arm for arm in dict.fromkeys(arm for _, arm, _ in runs)
            if all(any(arm == one for _, one, _ in some) for some in each)]
    if options.over not in (*arms, BEST):
        fail(f"--over: found '{options.over}', expected one of {', '.join([*arms, BEST])}")
    if options.known and options.over != BEST:
        fail(f"--known: found it beside --over '{options.over}', expected --over '{BEST}'")
    known = fastest(options.known)
    others = [arm for arm in arms if arm != options.over]
    points = options.at.split(",")
    columns = []
    for point in points:
        logs = logs_of(runs, column_of(point, runs))
        if options.over == BEST:
            logs[BEST] = best_of(runs, known)
        columns.append(cells_of(others, options.over, logs))
    titles = ["over " + options.over, *("in the end" if point == END else f"after {point}"
                                        for point in points)]
    print("\n".join(table(titles, [[arm, *(column[i] for column in columns)]
                                   for i, arm in enumerate(others)])))


if __name__ == "__main__":
    main()
