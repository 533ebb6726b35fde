"""What the best schedules of a study's cases are worth to the analytical model that judges them.

    ./sg python experiments/bench/best_known.py experiments/studies/zoo/analytical.toml

Runs are told as shares of the best known. Where that is the best that the study's own runs found, it
moves with them. So each case on `analytical` is searched under that model itself, from several starts
and in each space of the study's arms: a million evaluations of the model a case, unless --evaluations
says otherwise. What is printed goes into the study's file.
"""
import argparse
import math
import pathlib
import sys

import schedulegym
from schedulegym.studies import study_file
from schedulegym.studies.faults import StudyError

# Of the agent's search: schedules of a generation, generations of a round, trials of a round.
POPULATION, GENERATIONS, ROUND = 2048, 4, 64
AGENT = f"ansor(model=analytical,population={POPULATION},generations={GENERATIONS},round={ROUND})"


def trials_of(evaluations, starts):
    """How many trials each start has: whole rounds, of which each evaluates all its generations."""
    return ROUND * math.ceil(evaluations / starts / (POPULATION * (GENERATIONS + 1)))


def best_of(case, target, spaces, starts, trials):
    """The speed over the reference of the best that any of these searches finds."""
    speeds = []
    for space in spaces:
        for seed in range(starts):
            found = schedulegym.tune(case.workload, target=target, agent=AGENT, space=space, seed=seed,
                                     trials=trials, measure=case.measurer(), store=None, finalists=0)
            speeds += [trial.ratio for trial in found.history if trial.ratio is not None]
    return max(speeds, default=None)


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("study", type=pathlib.Path, help="a study's file")
    options.add_argument("--evaluations", type=int, default=1_000_000, help="of the model, a case")
    options.add_argument("--starts", type=int, default=4, help="searches that share them")
    asked = options.parse_args()
    if asked.evaluations < 1 or asked.starts < 1:
        options.error("--evaluations, --starts: expected at least 1")
    try:
        study = study_file.read_study(asked.study, schedulegym.suite)
    except StudyError as fault:
        options.error(str(fault))
    cases = [case for case in study.cases if case.kind == "analytical"]
    if not cases:
        options.error(f"{asked.study}: found no case on analytical")
    spaces = sorted({arm.space for arm in study.arms}, key=str)
    trials = trials_of(asked.evaluations, asked.starts)
    print(f"# {AGENT}, seeds 0 to {asked.starts - 1}, {trials} trials each\n[best_known]", flush=True)
    for number, case in enumerate(cases, 1):
        print(f"case {number} of {len(cases)}: {case.name}", file=sys.stderr)
        best = best_of(case, study.target, spaces, asked.starts, trials)
        if best is not None:
            print(f'"{case.name}" = {best:.6g}', flush=True)


if __name__ == "__main__":
    main()
