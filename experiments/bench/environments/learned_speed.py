"""What schedules found by a cost model are worth on this machine.

Trains policies as `maskable_ppo.py` does, searches by beam and by evolution, each over seeds, and
lets `schedulegym replay` verify and time what each found as a search does its finalists: in fresh
processes, beside the reference. Prints a row for each source: the model's speed and the measured
one, both as times the reference's, geometric means with the range by seed.

    python experiments/bench/environments/learned_speed.py [--policies 5] [--steps 200000] [--searches 3]
        [--model analytical]

Of a policy it takes the best episode, and a few of the last tenth, evenly spread. The machine
should be quiet while it measures; what `--found FILE` keeps is not searched for again. `--policies
0` needs no library for training.
"""
from __future__ import annotations

import argparse
import dataclasses
import json
import math
import pathlib
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode

import schedulegym
from schedulegym.command import program

sys.path.append(str(pathlib.Path(__file__).resolve().parents[3] / "bindings/schedulegym/examples"))

EPISODE_STEPS = 64


@dataclasses.dataclass(frozen=True)
class Found:
    """A schedule, where it came from, and how fast the model says it is beside the reference."""

    source: str
    seed: int
    speed: float
    trace: str


@dataclasses.dataclass(frozen=True)
class Measured:
    """The same by the machine; no speed where it failed."""

    found: Found
    speed: float | None
    low: float | None
    high: float | None
    why: str


def policies(workload: str, seeds: int, steps: int, late: int,
             model: str = "analytical") -> Iterator[Found]:
    """The best episode of each trained policy, and `late` of the last tenth of its episodes."""
    from episode_ends import EndingVecEnv
    from maskable_ppo import learner

    arguments = {"workload": workload, "actions": "modify", "reward": "difference",
                 "steps": EPISODE_STEPS, "model": model}
    for seed in range(seeds):
        env = EndingVecEnv(schedulegym.ScheduleVectorEnv(
            16, autoreset_mode=AutoresetMode.SAME_STEP, **arguments), EPISODE_STEPS)
        learner(env, seed).learn(steps)
        tenth = env.ends[-max(1, len(env.ends) // 10):]
        places = np.linspace(0, len(tenth) - 1, min(late, len(tenth))).astype(int)
        best = max(env.ends, key=lambda end: end.speed)
        yield Found("policy, best episode", seed, best.speed, best.trace(**arguments))
        for end in (tenth[place] for place in places):
            yield Found("policy, last tenth", seed, end.speed, end.trace(**arguments))


def beams(workload: str, seeds: int) -> Iterator[Found]:
    """What `beam_search.py` finds with its defaults."""
    from beam_search import DEPTH, score, search
    from curve import Curve

    for seed in range(seeds):
        env = schedulegym.ScheduleEnv(workload, actions="modify", reward="difference",
                                      start="origin")
        best = search(env, 8, 24, np.random.default_rng(seed), Curve(None, DEPTH * 8 * 24))
        yield Found("beam", seed, math.exp(score(best)), str(best.trace))


def evolutions(workload: str, seeds: int) -> Iterator[Found]:
    """What `model_search.py` finds with its defaults."""
    from model_search import environment

    rounds = 4
    env = environment(workload, rounds)
    for seed in range(seeds):
        env.reset(seed=seed)
        for _ in range(rounds):
            info = env.step(1)[4]
        record = env.records[0]
        if record is not None:
            yield Found("evolution", seed, info["speed"], str(record.trace))


def measure(found: Found, workload: str, target: str) -> Measured:
    """By the protocol of finalists, three processes."""
    with tempfile.TemporaryDirectory() as folder:
        result = subprocess.run(
            [program(), "replay", workload, "--target", target, "--trace", "-", "--json", "--quiet",
             "--store", str(pathlib.Path(folder, "replay.db"))],
            input=found.trace, capture_output=True, text=True, check=False)
    lines = result.stdout.splitlines()
    told = json.loads(lines[-1]) if lines else {}
    best = told.get("best")
    if best:
        return Measured(found, best["ratio"], best["ratio_low"], best["ratio_high"], "")
    kinds = ", ".join(told.get("failed", {}))
    fault = (next((f"{kinds}: {one['message']}" for one in told.get("failures", [])), kinds)
             or result.stderr.strip() or f"replay ended with {result.returncode}")
    return Measured(found, None, None, None, fault)


def kept(file: pathlib.Path | None, found: Iterable[Found]) -> list[Found]:
    """What the file holds, or else what is found, which it then holds."""
    if file is not None and file.exists():
        return [Found(**json.loads(line)) for line in file.read_text().splitlines()]
    all_found = list(found)
    if file is not None:
        file.write_text("".join(json.dumps(dataclasses.asdict(one)) + "\n" for one in all_found))
    return all_found


def row_of(source: str, measured: Sequence[Measured]) -> str:
    """A line of the table."""
    held = [one for one in measured if one.speed is not None]
    cells = [source, str(len(measured)), spread([one.found.speed for one in measured]),
             spread([one.speed for one in held if one.speed is not None]) if held else "-",
             str(len(measured) - len(held))]
    return f"| {' | '.join(cells)} |"


def spread(speeds: Sequence[float]) -> str:
    """The geometric mean, and the range."""
    mean = math.exp(sum(map(math.log, speeds)) / len(speeds))
    return f"{mean:.3f} ({min(speeds):.3f} to {max(speeds):.3f})"


def main() -> None:
    """Finds, measures, and prints."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workload", default="matmul(m=512,n=512,k=512)")
    parser.add_argument("--target", default="llvm")
    parser.add_argument("--policies", type=int, default=5, help="seeds of policies")
    parser.add_argument("--steps", type=int, default=200_000, help="each policy learns")
    parser.add_argument("--late", type=int, default=4, help="episodes of a policy's last tenth")
    parser.add_argument("--searches", type=int, default=3, help="seeds of beam and evolution")
    parser.add_argument("--model", default="analytical",
                        help="by which policies learn; beam and evolution go by the analytical one")
    parser.add_argument("--found", type=pathlib.Path, help="file of what was found, to go on with")
    options = parser.parse_args()

    by_source: dict[str, list[Measured]] = {}
    sources = (policies(options.workload, options.policies, options.steps, options.late,
                        options.model),
               beams(options.workload, options.searches),
               evolutions(options.workload, options.searches))
    all_found = kept(options.found, (found for source in sources for found in source))
    for place, found in enumerate(all_found):
        one = measure(found, options.workload, options.target)
        told = one.why if one.speed is None else f"{one.speed:.3f} ({one.low:.3f} to {one.high:.3f})"
        print(f"{place + 1}/{len(all_found)}: {found.source}, seed {found.seed}: by the model "
              f"{found.speed:.3f}, measured {told}", file=sys.stderr, flush=True)
        by_source.setdefault(found.source, []).append(one)
    print("| found by | schedules | speed by the model | measured | failed |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for name, measured in by_source.items():
        print(row_of(name, measured))


if __name__ == "__main__":
    main()
