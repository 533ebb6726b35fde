"""PPO of RLlib with action masks, on single environments wrapped for it.

    python rllib_ppo.py --iterations 20 --curve curve.jsonl
"""
from __future__ import annotations

import argparse
import math
import pathlib
from typing import Any

import gymnasium
import ray
from curve import Curve
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.tune.registry import register_env

from schedulegym import ScheduleEnv
from schedulegym.wrappers import MaskedDictObservation


class Remember(gymnasium.Wrapper[Any, Any, Any, Any]):
    """Keeps the score of each episode for the one who asks."""

    scores: list[float] = []

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """As the environment's."""
        result = self.env.step(action)
        if result[2] and result[4].get("outcome") == "ok":
            self.scores.append(math.log(result[4]["speed"]))
        return result


def main() -> None:
    """Trains."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workload", default="matmul(m=512,n=512,k=512)")
    parser.add_argument("--iterations", type=int, default=20)
    parser.add_argument("--batch", type=int, default=4000, help="steps of an iteration")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--curve", type=pathlib.Path, help="file of the learning curve")
    options = parser.parse_args()

    def make(_: Any) -> gymnasium.Env[Any, Any]:
        env = ScheduleEnv(options.workload, actions="modify", model="pretrained",
                          space="schedulegym", reward="difference")
        return Remember(MaskedDictObservation(env))

    register_env("schedule", make)
    ray.init(include_dashboard=False, configure_logging=False, log_to_driver=False, num_cpus=1)
    spaces = make(None)
    config = (
        PPOConfig()
        .environment("schedule")
        .env_runners(num_env_runners=0, num_envs_per_env_runner=1)
        .training(train_batch_size_per_learner=options.batch, minibatch_size=256, num_epochs=4,
                  gamma=1.0, lr=1e-3, entropy_coeff=0.003)
        .rl_module(rl_module_spec=RLModuleSpec(
            module_class=ActionMaskingTorchRLModule,
            observation_space=spaces.observation_space, action_space=spaces.action_space,
            model_config={"head_fcnet_hiddens": [256, 256], "head_fcnet_activation": "tanh"}))
        .debugging(seed=options.seed, log_level="ERROR")
    )
    algorithm = config.build_algo()
    curve = Curve(options.curve, options.iterations * options.batch, options.iterations)
    for iteration in range(options.iterations):
        algorithm.train()
        for score in Remember.scores:
            curve.add(score)
        Remember.scores.clear()
        curve.tell((iteration + 1) * options.batch)
    algorithm.stop()
    ray.shutdown()


if __name__ == "__main__":
    main()
