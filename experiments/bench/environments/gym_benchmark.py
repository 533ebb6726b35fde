"""What environments cost: steps in C++ and through Gymnasium, vectors, forks, rewards, learners.

    python gym_benchmark.py [--seconds 2] [--learner] [--json FILE]

Prints a line for each figure with its bar, ours beside Gymnasium's own CartPole and beside an
environment that does nothing. `--learner` also trains MaskablePPO for a while on ours and on one
that does nothing. On a busy machine all figures are lower; ratios of one run hold.
"""
from __future__ import annotations

import argparse
import dataclasses
import json
import os
import pathlib
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np

import schedulegym

MODEL = "ScheduleGym/ModifyModel-v0"
TRAINED = "ScheduleGym/ModifyModel-v1"  # speeds of the trees `pretrained`
LOOPS: dict[str, Any] = {"observation": "loops"}  # as the steps in C++ have it


@dataclasses.dataclass
class Figure:
    """One line of the table."""

    name: str
    value: float
    unit: str
    bar: float | None = None  # a lower bound; for units of time an upper bound
    note: str = ""

    def is_met(self) -> bool | None:
        """Whether the bar is reached; None without one."""
        if self.bar is None:
            return None
        return self.value <= self.bar if self.unit in ("us", "ms", "s") else self.value >= self.bar


def rate(run: Callable[[], int], seconds: float) -> float:
    """Steps a second: the best of three times `seconds` of `run`, which says how many it took."""
    best = 0.0
    for _ in range(3):
        steps, begin = 0, time.perf_counter()
        while time.perf_counter() - begin < seconds:
            steps += run()
        best = max(best, steps / (time.perf_counter() - begin))
    return best


def single(env: gymnasium.Env[Any, Any], masked: bool) -> Callable[[], int]:
    """Some thousand random steps, legal ones where there are masks."""
    rng = np.random.default_rng(0)
    count = int(env.action_space.n)  # type: ignore[attr-defined]
    draws = rng.integers(masked, count, 1 << 16).tolist()
    state: dict[str, Any] = {"next": 0}
    info = env.reset(seed=0)[1]
    state["mask"] = info.get("action_mask")

    def run() -> int:
        step, at, mask = env.step, state["next"], state["mask"]
        for _ in range(2000):
            action = draws[at & 0xffff]
            at += 1
            while masked and not mask[action]:
                action = draws[at & 0xffff]
                at += 1
            _, _, terminated, truncated, info = step(action)
            if terminated or truncated:
                _, info = env.reset()
            mask = info.get("action_mask")
        state["next"], state["mask"] = at, mask
        return 2000

    return run


def vector(env: gymnasium.vector.VectorEnv[Any, Any, Any]) -> float:
    """Steps a second of the environment alone: choosing actions is not counted."""
    rng = np.random.default_rng(0)
    infos = env.reset(seed=0)[1]
    best = 0.0
    for _ in range(3):
        spent = 0.0
        for _ in range(60):
            mask = infos.get("action_mask")
            if mask is None:
                actions = rng.integers(0, 2, env.num_envs)
            else:
                scores = rng.random(mask.shape, dtype=np.float32) * mask
                scores[:, 0] = 1e-9  # never stops by itself
                actions = scores.argmax(axis=1)
            begin = time.perf_counter()
            infos = env.step(actions)[4]
            spent += time.perf_counter() - begin
        best = max(best, 60 * env.num_envs / spent)
    return best


def from_program(program: pathlib.Path, seconds: float) -> dict[str, dict[str, Any]]:
    """What the C++ benchmark prints, by name."""
    result = subprocess.run(
        [program, "--benchmark_format=json", f"--benchmark_min_time={seconds}"],
        capture_output=True, text=True, check=True)
    rows = json.loads(result.stdout)["benchmarks"]
    return {row["name"].removesuffix("/real_time"): row for row in rows}


def in_cpp(program: pathlib.Path, seconds: float) -> list[Figure]:
    """Steps, forks and vectors without Python."""
    rows = from_program(program, seconds)

    def per_second(name: str) -> float:
        return float(rows[name]["items_per_second"])

    actions = int(rows["modify/ansor/step"]["actions"])
    return [
        Figure("C++ step, construct, mask and loops", per_second("construct/step_loops"), "/s",
               100e3, f"{int(rows['construct/step']['actions'])} actions"),
        Figure("C++ step, modify, mask and loops", per_second("modify/ansor/step_loops"), "/s",
               150e3, f"{actions} actions"),
        Figure("C++ step, construct, mask", per_second("construct/step"), "/s", 250e3),
        Figure("C++ step, modify, mask", per_second("modify/ansor/step"), "/s", 500e3),
        Figure("C++ fork, construct", rows["construct/fork"]["real_time"] / 1e3, "us", 5),
        Figure("C++ fork, modify", rows["modify/ansor/fork"]["real_time"] / 1e3, "us", 5),
        Figure("C++ vector of 256, modify, loops", per_second("modify/ansor/vector256_loops"),
               "/s"),
        Figure("C++ vector of 256, modify, model every step",
               per_second("modify/ansor/vector256_loops_model"), "/s"),
    ]


def by_trained_model() -> list[Figure]:
    """Native vectors of 256 whose speeds a trained model predicts, a batch of states at once."""
    return [Figure(f"native vector of 256, v1, {when}",
                   vector(gymnasium.make_vec(TRAINED, 256, reward=reward, **LOOPS)), "/s", bar)
            for when, reward, bar in (("model every step", "difference", 15e3),
                                      ("final reward", "final", 100e3))]


def through_gymnasium(seconds: float, cpp: float) -> list[Figure]:
    """Single environments and vectors as users have them."""
    made = rate(single(gymnasium.make(MODEL, **LOOPS), True), seconds)
    bare = rate(single(gymnasium.make(MODEL, **LOOPS).unwrapped, True), seconds)
    cart = rate(single(gymnasium.make("CartPole-v1"), False), seconds)
    sync = vector(gymnasium.make_vec(MODEL, 256, vectorization_mode="sync", **LOOPS))
    figures = [
        Figure("Gymnasium make, ModifyModel, final reward", made, "/s", 50e3,
               f"CartPole {cart:,.0f}/s"),
        Figure("what Python adds to the C++ step", 1e6 / bare - 1e6 / cpp, "us", 3,
               "unwrapped; mask and choice included"),
        Figure("native vector of 256, final reward",
               vector(gymnasium.make_vec(MODEL, 256, **LOOPS)), "/s", 200e3,
               f"SyncVectorEnv {sync:,.0f}/s"),
        Figure("native vector of 256, model every step",
               vector(gymnasium.make_vec(MODEL, 256, reward="difference", **LOOPS)), "/s", 15e3),
    ]
    env = gymnasium.make(MODEL).unwrapped
    assert isinstance(env, schedulegym.ScheduleEnv)
    env.reset(seed=0)
    forks = rate(lambda: len([env.fork() for _ in range(1000)]), seconds)
    return [*figures, *by_trained_model(), Figure("fork from Python", 1e6 / forks, "us", 5)]


def starting() -> list[Figure]:
    """Importing the package, and the first step of an environment on a table."""
    script = ("import time, gymnasium\nbegin = time.perf_counter()\nimport schedulegym\n"
              "print(time.perf_counter() - begin)")
    imports = min(float(subprocess.run([sys.executable, "-c", script], capture_output=True,
                                       text=True, check=True).stdout) for _ in range(5))
    figures = [Figure("import beyond Gymnasium's", imports, "s", 0.1)]
    begin = time.perf_counter()
    try:
        env = gymnasium.make("ScheduleGym/ModifyTable-v0")
    except ValueError as fault:
        print(f"no table: {fault}", file=sys.stderr)
        return figures
    env.reset(seed=0)
    env.step(0)
    return [*figures, Figure("first step after make, table",
                             (time.perf_counter() - begin) * 1e3, "ms", 50)]


def learner(steps: int) -> list[Figure]:
    """MaskablePPO on ours and on an environment of the same shapes that does nothing."""
    import torch
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.vec_env import VecEnv

    from schedulegym.sb3 import make_vec_env

    class Nothing(VecEnv):
        """Numbers, rewards and masks drawn beforehand, in fresh arrays; no end.

        Not zeros: what a network learns of them costs less than what it learns of anything else.
        """

        def __init__(self, like: VecEnv) -> None:
            super().__init__(like.num_envs, like.observation_space, like.action_space)
            rng = np.random.default_rng(0)
            count = like.num_envs
            shape = (64, count, *(like.observation_space.shape or ()))
            actions = like.action_space.n  # type: ignore[attr-defined]
            self.numbers = rng.random(shape, dtype=np.float32)
            self.rewards = rng.standard_normal((64, count), dtype=np.float32)
            self.masks = rng.random((64, count, actions)) < 0.2
            self.masks[:, :, 0] = True
            self.at = 0
            self.reset_infos = [{} for _ in range(self.num_envs)]

        def reset(self) -> Any:
            return self.numbers[0].copy()

        def step_async(self, actions: np.ndarray[Any, Any]) -> None:
            pass

        def step_wait(self) -> Any:
            self.at = (self.at + 1) % len(self.numbers)
            return (self.numbers[self.at].copy(), self.rewards[self.at].copy(),
                    np.zeros(self.num_envs, bool), [{} for _ in range(self.num_envs)])

        def close(self) -> None:
            pass

        def has_attr(self, attr_name: str) -> bool:
            return attr_name == "action_masks"

        def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
            return [None] * self.num_envs

        def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
            pass

        def env_method(self, method_name: str, *args: Any, indices: Any = None,
                       **kwargs: Any) -> list[Any]:
            return list(self.masks[self.at])

        def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
            return [False] * self.num_envs

    def compare(note: str, **settings: Any) -> Figure:
        spent: dict[str, float] = {}
        ours = make_vec_env(MODEL, 16, reward="difference")
        models = {name: MaskablePPO("MlpPolicy", env, batch_size=256, n_epochs=4, device="cpu",
                                    seed=0, **settings)
                  for name, env in (("ours", ours), ("nothing", Nothing(ours)))}
        for _ in range(3):  # by turns
            for name, model in models.items():
                begin = time.perf_counter()
                model.learn(steps)
                spent[name] = min(spent.get(name, float("inf")), time.perf_counter() - begin)
        ratio = spent["nothing"] / spent["ours"]
        rates = f"{steps / spent['ours']:,.0f} and {steps / spent['nothing']:,.0f}/s"
        return Figure(f"MaskablePPO beside drawn arrays, {note}", ratio, "", 0.8, rates)

    torch.set_num_threads(1)
    return [compare("as in README", n_steps=256, policy_kwargs={"net_arch": [256, 256]}),
            compare("the library's small network", n_steps=256)]


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=1.0, help="of each measurement")
    parser.add_argument("--learner", action="store_true", help="train MaskablePPO, too")
    parser.add_argument("--steps", type=int, default=16384, help="of the learner")
    parser.add_argument("--program", type=pathlib.Path, help="the built gym_benchmark")
    parser.add_argument("--json", type=pathlib.Path, help="also write the figures here")
    options = parser.parse_args()
    built = pathlib.Path(os.environ.get("SCHEDULEGYM_PROGRAM", schedulegym.__file__))
    program = options.program or built.resolve().parent / "gym_benchmark"
    figures = in_cpp(program, options.seconds)
    figures += through_gymnasium(options.seconds, figures[1].value)
    figures += starting()
    if options.learner:
        figures += learner(options.steps)
    for figure in figures:
        met = {None: "", True: "met", False: "MISSED"}[figure.is_met()]
        bar = "" if figure.bar is None else f"{figure.bar:,.6g}"
        print(f"{figure.name:<48} {figure.value:>12,.4g} {figure.unit:<3} {bar:>10} {met:<7}"
              f"{figure.note}")
    if options.json:
        options.json.write_text(json.dumps([dataclasses.asdict(f) for f in figures], indent=1))


if __name__ == "__main__":
    main()
