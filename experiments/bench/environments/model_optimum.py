"""What a cost model's own optimum is worth on this machine, beside another model's.

For each workload and model `ansor` searches by the model alone, and `schedulegym replay` verifies
and times its best as a search does its finalists, beside the reference. Prints a row for each
workload, the measured speed of each model's best over the reference's, then the geometric means.
With `--best-known` a second column for each model has the same speed over that of the best schedule
that is known. The machine should be quiet while it measures.

    python experiments/bench/environments/model_optimum.py [--models "analytical;analytical(version=2)"]
        [--predictions 64] [--best-known STORE.db]

The twelve workloads are of the split valid of programs-v1, which no shipped model learned from.
"""
from __future__ import annotations

import argparse
import math
import pathlib
import sys
from collections.abc import Sequence

import schedulegym

sys.path.append(str(pathlib.Path(__file__).resolve().parent))

WORKLOADS = ("matmul(m=256,n=96,k=80)", "matmul(b=24,m=80,n=192,k=28)",
             "conv1d(l=320,ci=56,co=64,k=3,s=1,p=1)", "conv2d(h=14,w=10,ci=56,co=64,k=3,s=1,p=1)",
             "conv2d(h=56,w=16,ci=80,co=320,k=1,s=1,p=0)",
             "conv2d(h=40,w=32,ci=64,co=80,k=3,s=2,p=1)",
             "depthwise(h=56,w=96,c=32,k=3,s=1,p=1)",
             "conv3d(d=4,h=8,w=96,ci=4,co=40,k=3,s=1,p=1)",
             "conv2d_relu(h=96,w=80,ci=40,co=24,k=3,s=1,p=1)",
             "conv2d_add_relu(h=96,w=12,ci=112,co=80,k=3,s=1,p=1)",
             "linear_gelu(m=80,n=192,k=80)", "softmax(n=640,m=112)")
MODELS = "analytical;analytical(version=2);pretrained"


def optimum(workload: str, model: str, space: str, trials: int, seed: int) -> tuple[float, str]:
    """The model's speed over the reference's of the best that it likes, and its trace."""
    measure = model if model.startswith("analytical") else f"model({model})"
    best = schedulegym.tune(workload, agent=f"ansor(model={model})", space=space, measure=measure,
                            trials=trials, seed=seed, store=None).best
    if best is None:
        raise SystemExit(f"{workload}: model {model} likes nothing better than the reference")
    return best.measurement.ratio or 0.0, str(best.trace)


def best_known(text: str, workloads: Sequence[str], target: str) -> list[float]:
    """The speed over the reference's of the best known of each workload.

    Of a store the best of its records for the target, else as many numbers as workloads, with ; between.
    """
    if pathlib.Path(text).exists():
        speeds = []
        with schedulegym.RecordStore(text) as store:
            for workload in workloads:
                best = store.best(schedulegym.Task(workload, target))
                if best is None or not best.measurement.ratio:
                    raise SystemExit(f"--best-known: {text} has no measured schedule of {workload}")
                speeds.append(best.measurement.ratio)
        return speeds
    try:
        speeds = [float(word) for word in text.split(";")]
    except ValueError:
        speeds = []
    if len(speeds) != len(workloads) or not all(0 < speed < math.inf for speed in speeds):
        raise SystemExit(f"--best-known: found '{text}', expected a record store or {len(workloads)} "
                         "speeds above 0, with ; between")
    return speeds


def row_of(speeds: Sequence[float | None], known: float | None) -> list[float | None]:
    """The speeds over the reference's, then over the best known's where that is given."""
    if known is None:
        return list(speeds)
    return [*speeds, *(None if speed is None else speed / known for speed in speeds)]


def means(speeds: Sequence[Sequence[float | None]]) -> list[str]:
    """The geometric mean of each column, and of how many."""
    columns = [[speed for speed in column if speed is not None] for column in zip(*speeds)]
    return [f"{math.exp(sum(map(math.log, column)) / len(column)):.3f} of {len(column)}"
            if column else "-" for column in columns]


def main() -> None:
    """Searches, measures, and prints."""
    from learned_speed import Found, measure

    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", default=MODELS, help="specs, separated by ;")
    parser.add_argument("--workloads", default=";".join(WORKLOADS), help="separated by ;")
    parser.add_argument("--space", default="schedulegym")
    parser.add_argument("--target", default="llvm")
    parser.add_argument("--predictions", "--trials", type=int, default=512,
                        help="proposals of the search, of which the model's best is measured")
    parser.add_argument("--best-known", metavar="STORE|SPEEDS",
                        help="the best known schedules: a record store, or a speed over the reference's "
                             "for each workload, with ; between")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()

    models, workloads = options.models.split(";"), options.workloads.split(";")
    known: Sequence[float | None] = [None] * len(workloads)
    titles = models
    if options.best_known:
        known = best_known(options.best_known, workloads, options.target)
        titles = [*models, *(f"{model}, over the best known" for model in models)]
    print(f"| workload | {' | '.join(titles)} |")
    print(f"| --- |{' ---: |' * len(titles)}")
    rows: list[list[float | None]] = []
    for workload, best in zip(workloads, known):
        speeds: list[float | None] = []
        for model in models:
            speed, trace = optimum(workload, model, options.space, options.predictions, options.seed)
            one = measure(Found(model, options.seed, speed, trace), workload, options.target)
            if one.speed is None:
                print(f"{workload}, {model}: {one.why}", file=sys.stderr)
            speeds.append(one.speed)
        row = row_of(speeds, best)
        rows.append(row)
        cells = ["-" if speed is None else f"{speed:.3f}" for speed in row]
        print(f"| `{workload}` | {' | '.join(cells)} |", flush=True)
    print(f"| geometric mean | {' | '.join(means(rows))} |")


if __name__ == "__main__":
    main()
