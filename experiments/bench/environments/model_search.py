"""What the agent ansor finds by the model alone: the other side of the learning curves.

    python experiments/bench/environments/model_search.py [--rounds 4] [--population 2048] [--generations 24]

A search under the analytical model that looks at as many schedules as a policy takes steps
(rounds * population * generations, about 200 k); prints the best speed beside the reference's after
each round, a line for each seed.
"""
from __future__ import annotations

import argparse

import schedulegym


def environment(workload: str, rounds: int, population: int = 2048,
                generations: int = 24) -> schedulegym.ScheduleNetworkEnv:
    """In which each step of action 1 is a round of evolution."""
    agent = f"ansor(population={population},generations={generations})"
    return schedulegym.ScheduleNetworkEnv(workload, agent=agent, batch=64, slots=rounds,
                                          warm_up=False)


def main() -> None:
    """Searches, seed after seed."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workload", default="matmul(m=512,n=512,k=512)")
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--population", type=int, default=2048)
    parser.add_argument("--generations", type=int, default=24)
    parser.add_argument("--seeds", type=int, default=3)
    options = parser.parse_args()
    env = environment(options.workload, options.rounds, options.population, options.generations)
    for seed in range(options.seeds):
        env.reset(seed=seed)
        speeds = [f"{env.step(1)[4]['speed']:.3f}" for _ in range(options.rounds)]
        print(f"seed {seed}: {', '.join(speeds)}", flush=True)


if __name__ == "__main__":
    main()
