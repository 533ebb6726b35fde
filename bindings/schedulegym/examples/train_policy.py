"""Trains a MaskablePPO policy on several shapes, and writes it as an entry of the leaderboard.

    python train_policy.py --seconds 300 -o my-policy

Ctrl-C ends the training early, and what it has come to is written.
"""
from __future__ import annotations

import argparse
import json
import math
import pathlib
import shlex
import signal
import sys
import tempfile
import time
from typing import Any

import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback

from schedulegym.leaderboard.entry import read_entry
from schedulegym.sb3 import make_vec_env, save_policy
from schedulegym.studies.faults import StudyError

SHAPES = ("matmul(m=256,n=256,k=256)", "matmul(m=384,n=128,k=768)", "matmul(m=128,n=1024,k=256)",
          "matmul(m=1024,n=192,k=384)")
AGENT = ("python(module=schedulegym.sb3,class=PolicyAgent,policy=policy.zip,steps={},"
         "otherwise=random)")
ENTRY = """entry = 1
name = "{name}"
authors = [{author}]
licence = "Apache-2.0"
about = "MaskablePPO, {steps} steps on {shapes} shapes by the model pretrained."
division = "open"
agent = "{agent}"

[tuning]
trials = 0
hours = 0
what = ""
training_seconds = {seconds:.0f}
"""


class Clock(BaseCallback):
    """Ends the training when its seconds are over, or at Ctrl-C, and says how far it is."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self._seconds = seconds
        self._began = self._told = time.monotonic()
        self._asked = False
        self._scores: list[float] = []
        self._usual = signal.signal(signal.SIGINT, self._ask)

    @property
    def elapsed(self) -> float:
        """Seconds since it was made."""
        return time.monotonic() - self._began

    def _ask(self, *_: Any) -> None:
        self._asked = True
        print("Ctrl-C: the training ends; once more ends without a word", file=sys.stderr)
        signal.signal(signal.SIGINT, self._usual)

    def _on_step(self) -> bool:
        self._scores += [math.log(info["speed"]) for info in self.locals["infos"]
                         if info.get("outcome") == "ok"]
        if time.monotonic() - self._told >= max(1.0, self._seconds / 50) and self._scores:
            self._told = time.monotonic()
            mean = math.exp(sum(self._scores) / len(self._scores))
            print(f"{self.elapsed:.0f}/{self._seconds:.0f} s, {self.num_timesteps} steps, episodes "
                  f"end at {mean:.3f} of the reference's speed", file=sys.stderr, flush=True)
            self._scores = []
        return not self._asked and self.elapsed < self._seconds


def model_of(options: argparse.Namespace) -> Any:
    """The policy, which knows nothing yet."""
    torch.set_num_threads(1)  # networks this small are slower on more
    env = make_vec_env("ScheduleGym/ModifyModel-v1", options.envs, workload=options.workload,
                       space=options.space, steps=options.length, reward="difference")
    env.seed(options.seed)
    return MaskablePPO("MlpPolicy", env, learning_rate=1e-3, n_steps=128, batch_size=256,
                       n_epochs=4, gamma=1.0, ent_coef=0.003, seed=options.seed, device="cpu",
                       policy_kwargs={"net_arch": [256, 256]})


def write_metadata(folder: pathlib.Path, options: argparse.Namespace, steps: int,
                   seconds: float) -> None:
    """StudyError where an entry may not be called so."""
    (folder / "entry.toml").write_text(ENTRY.format(
        name=options.name, author=json.dumps(options.author), steps=steps,
        shapes=len(options.workload), agent=AGENT.format(options.length),
        seconds=math.ceil(seconds)))
    read_entry(folder)


def read_options() -> tuple[argparse.Namespace, Any]:
    """The options and the policy; what is wrong ends here, before it has trained."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=300, help="how long it trains")
    parser.add_argument("-o", dest="out", type=pathlib.Path, required=True, metavar="FOLDER",
                        help="the entry, a new folder")
    parser.add_argument("--workload", nargs="+", default=list(SHAPES), help="what it trains on")
    parser.add_argument("--space", default="ansor")
    parser.add_argument("--length", type=int, default=16, help="steps of an episode")
    parser.add_argument("--envs", type=int, default=16)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--name", default="policy", help="of the entry: small letters, digits, '-'")
    parser.add_argument("--author", default="anonymous")
    options = parser.parse_args()
    try:
        if options.out.exists() and any(options.out.iterdir()):
            raise ValueError(f"-o: found {options.out} with files in it, expected a new folder")
        if not 0 < options.seconds < math.inf:
            raise ValueError(f"--seconds: found {options.seconds:g}, expected a number above 0")
        with tempfile.TemporaryDirectory() as folder:
            write_metadata(pathlib.Path(folder), options, 0, 0)
        return options, model_of(options)
    except (ValueError, OSError, StudyError) as fault:
        parser.error(str(fault))


def main() -> None:
    """Trains, writes, and says how to run the smoke board with it."""
    options, model = read_options()
    clock = Clock(options.seconds)
    model.learn(sys.maxsize, callback=clock)
    options.out.mkdir(parents=True, exist_ok=True)
    save_policy(model, options.out / "policy.zip")
    write_metadata(options.out, options, model.num_timesteps, clock.elapsed)
    print(f"{options.out} is an entry; on the smoke board:\nschedulegym leaderboard run smoke "
          f"-o smoke-{options.name} --entry {shlex.quote(str(options.out))}")


if __name__ == "__main__":
    main()
