"""What policies that learned from a cost model find on several tasks, measured.

Trains MaskablePPO on `ModifyModel-v1` (`maskable_ppo.py`) for each task and seed, and lets
`schedulegym replay` verify and time the best episode of each, beside the reference. Prints a row for
each task, then the geometric mean over all. Without `--measure` policies are only trained, so that a
busy machine may do that first; what a folder keeps is not trained again.

    python experiments/bench/environments/policy_bar.py --keep policies            # hours: trains
    python experiments/bench/environments/policy_bar.py --keep policies --measure  # minutes, quiet

The tasks are matmul 512 and nine of the split valid, which no shipped model learned from.
"""
from __future__ import annotations

import argparse
import math
import pathlib
import re
import sys
from collections.abc import Sequence

sys.path.append(str(pathlib.Path(__file__).resolve().parent))

from learned_speed import Found, kept, measure, policies, spread  # noqa: E402
from model_optimum import WORKLOADS  # noqa: E402

# One of each kind.
TASKS = ("matmul(m=512,n=512,k=512)", *(WORKLOADS[place] for place in (0, 2, 3, 5, 6, 8, 9, 10, 11)))


def file_of(folder: pathlib.Path, workload: str) -> pathlib.Path:
    """Where what was found for a task is kept."""
    return folder / (re.sub(r"[^a-z0-9]+", "_", workload).strip("_") + ".jsonl")


def best_of_each(found: Sequence[Found]) -> list[Found]:
    """The best episode of each seed."""
    return [one for one in found if one.source == "policy, best episode"]


def mean(speeds: Sequence[float]) -> float:
    """The geometric one."""
    return math.exp(sum(map(math.log, speeds)) / len(speeds))


def main() -> None:
    """Trains, measures, and prints."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", default=";".join(TASKS), help="separated by ;")
    parser.add_argument("--target", default="llvm")
    parser.add_argument("--policies", type=int, default=5, help="seeds of each task")
    parser.add_argument("--steps", type=int, default=200_000, help="each policy learns")
    parser.add_argument("--model", default="pretrained", help="that of ModifyModel-v1")
    parser.add_argument("--keep", type=pathlib.Path, required=True, help="folder of what was found")
    parser.add_argument("--measure", action="store_true", help="on a quiet machine")
    options = parser.parse_args()

    options.keep.mkdir(parents=True, exist_ok=True)
    print("| task | policies | speed by the model | measured | failed |")
    print("| --- | ---: | ---: | ---: | ---: |", flush=True)
    told: list[float] = []
    for task in options.tasks.split(";"):
        found = best_of_each(kept(file_of(options.keep, task), policies(
            task, options.policies, options.steps, 0, options.model)))
        measured = [measure(one, task, options.target) for one in found] if options.measure else []
        speeds = [one.speed for one in measured if one.speed is not None]
        told += [mean(speeds)] if speeds else []
        print(f"| `{task}` | {len(found)} | {spread([one.speed for one in found])} | "
              f"{spread(speeds) if speeds else '-'} | {len(measured) - len(speeds)} |", flush=True)
    if told:
        print(f"| geometric mean of {len(told)} | | | {mean(told):.3f} | |")


if __name__ == "__main__":
    main()
