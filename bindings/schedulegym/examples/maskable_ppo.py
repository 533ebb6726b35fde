"""MaskablePPO of Stable-Baselines3 contrib on the native vector of environments.

    python maskable_ppo.py --steps 200000 --curve curve.jsonl
"""
from __future__ import annotations

import argparse
import importlib.util
import math
import pathlib
import sys

import torch
from curve import Curve
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback

from schedulegym.sb3 import ScheduleVecEnv, make_vec_env, save_policy


class Watch(BaseCallback):
    """Adds every episode that ended well to a curve."""

    def __init__(self, curve: Curve) -> None:
        super().__init__()
        self._curve = curve

    def _on_step(self) -> bool:
        for info in self.locals["infos"]:
            if info.get("outcome") == "ok":
                self._curve.add(math.log(info["speed"]))
        self._curve.tell(self.num_timesteps)
        return True


def learner(env: ScheduleVecEnv, seed: int, log: pathlib.Path | None = None) -> MaskablePPO:
    """With the constants of the learning curves. `log`: a folder for TensorBoard."""
    torch.set_num_threads(1)  # networks this small are slower on more
    env.seed(seed)
    return MaskablePPO("MlpPolicy", env, learning_rate=1e-3, n_steps=256, batch_size=256,
                       n_epochs=4, gamma=1.0, ent_coef=0.003, seed=seed, device="cpu",
                       tensorboard_log=None if log is None else str(log),
                       policy_kwargs={"net_arch": [256, 256]})


def main() -> None:
    """Trains, and saves the policy where it is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--id", default="ScheduleGym/ModifyModel-v1", help="which environment")
    parser.add_argument("--workload", default="matmul(m=512,n=512,k=512)")
    parser.add_argument("--envs", type=int, default=16)
    parser.add_argument("--steps", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--curve", type=pathlib.Path, help="file of the learning curve")
    parser.add_argument("--save", type=pathlib.Path, help="file of the policy")
    parser.add_argument("--tensorboard", type=pathlib.Path, help="folder of curves for TensorBoard")
    options = parser.parse_args()
    if options.tensorboard and importlib.util.find_spec("tensorboard") is None:
        sys.exit("error: missing Python package tensorboard (to install it: ./sg setup tensorboard)")

    env = make_vec_env(options.id, options.envs, workload=options.workload, reward="difference")
    model = learner(env, options.seed, options.tensorboard)
    model.learn(options.steps, callback=Watch(Curve(options.curve, options.steps)))
    if options.save:
        save_policy(model, options.save)


if __name__ == "__main__":
    main()
