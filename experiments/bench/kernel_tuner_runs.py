"""Runs Kernel Tuner's bayes_opt in simulation mode, for kernel_tuner_peer.py, in whose environment it runs.

    python kernel_tuner_runs.py CACHE.json METHOD TRIALS SEED...

Prints a line for each seed: a JSON list of the milliseconds of each trial, null for a failure.
"""
import json
import random
import sys

KERNEL = "schedule"


def times_of(results):
    """Milliseconds by trial; what Kernel Tuner gives for a failure is no number."""
    return [one["time"] if isinstance(one["time"], (int, float)) else None for one in results]


def run_once(path, cache, method, trials, seed):
    """The times of one search."""
    import kernel_tuner
    import numpy as np

    random.seed(seed)
    np.random.seed(seed)
    known = set(cache["cache"])

    def is_recorded(point):
        return ",".join(str(point[name]) for name in cache["tune_params_keys"]) in known

    results, _ = kernel_tuner.tune_kernel(
        KERNEL, f"void {KERNEL}() {{}}", tuple(cache["problem_size"]), [], cache["tune_params"],
        restrictions=is_recorded, lang="C", strategy="bayes_opt", cache=path, simulation_mode=True,
        quiet=True, strategy_options={"max_fevals": trials, "method": method})
    return times_of(results)[:trials]


def main(words):
    path, method, trials, seeds = words[0], words[1], int(words[2]), [*map(int, words[3:])]
    with open(path, encoding="utf-8") as file:
        cache = json.load(file)
    for seed in seeds:
        print(json.dumps(run_once(path, cache, method, trials, seed)), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
