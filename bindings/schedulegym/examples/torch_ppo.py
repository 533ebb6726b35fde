"""PPO with action masks in one file of plain torch, on the native vector of environments.

In the manner of CleanRL: everything from the rollout to the loss can be read from top to bottom.

    python torch_ppo.py --steps 500000 --curve curve.jsonl
"""
from __future__ import annotations

import argparse
import math
import pathlib

import gymnasium
import numpy as np
import torch
from curve import Curve
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from torch import nn
from torch.distributions import Categorical

import schedulegym  # noqa: F401  (registers the environments)


class Policy(nn.Module):
    """Logits of all actions, and the value, of a batch of observations."""

    def __init__(self, inputs: int, actions: int, width: int = 256) -> None:
        super().__init__()
        last = nn.Linear(width, actions)
        nn.init.orthogonal_(last.weight, 0.01)
        self.actor = nn.Sequential(nn.Linear(inputs, width), nn.Tanh(), nn.Linear(width, width),
                                   nn.Tanh(), last)
        self.critic = nn.Sequential(nn.Linear(inputs, width), nn.Tanh(), nn.Linear(width, width),
                                    nn.Tanh(), nn.Linear(width, 1))

    def distribution(self, observation: torch.Tensor, mask: torch.Tensor) -> Categorical:
        """Over the legal actions alone."""
        logits = self.actor(observation)
        return Categorical(logits=logits.masked_fill(~mask, -1e9), validate_args=False)

    def value(self, observation: torch.Tensor) -> torch.Tensor:
        """One number for each observation."""
        return torch.squeeze(self.critic(observation), -1)


def advantages_of(rewards: torch.Tensor, values: torch.Tensor, ends: torch.Tensor,
                  last: torch.Tensor, gamma: float, decay: float) -> torch.Tensor:
    """Generalised advantage estimation; `ends[t]`: the episode ended with step t."""
    advantages = torch.zeros_like(rewards)
    running = torch.zeros_like(last)
    for t in reversed(range(len(rewards))):
        follows = values[t + 1] if t + 1 < len(rewards) else last
        delta = rewards[t] + gamma * follows * ~ends[t] - values[t]
        running = delta + gamma * decay * running * ~ends[t]
        advantages[t] = running
    return advantages


def main() -> None:
    """Trains, and saves the policy where it is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--id", default="ScheduleGym/ModifyModel-v1", help="which environment")
    parser.add_argument("--workload", default="matmul(m=512,n=512,k=512)")
    parser.add_argument("--envs", type=int, default=64)
    parser.add_argument("--length", type=int, default=64, help="steps of a rollout")
    parser.add_argument("--steps", type=int, default=500_000)
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--entropy", type=float, default=0.003)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--curve", type=pathlib.Path, help="file of the learning curve")
    parser.add_argument("--save", type=pathlib.Path, help="file of the policy")
    options = parser.parse_args()
    gamma, decay, clip, epochs, batches = 1.0, 0.95, 0.2, 4, 16

    torch.manual_seed(options.seed)
    torch.set_num_threads(1)
    env = gymnasium.make_vec(options.id, options.envs, workload=options.workload,
                             reward="difference", autoreset_mode=AutoresetMode.SAME_STEP)
    assert isinstance(env.single_action_space, spaces.Discrete)
    inputs, = env.single_observation_space.shape or ()
    policy = Policy(inputs, int(env.single_action_space.n))
    optimizer = torch.optim.Adam(policy.parameters(), lr=options.rate, eps=1e-5)
    curve = Curve(options.curve, options.steps)

    seen, infos = env.reset(seed=options.seed)
    updates = max(1, options.steps // (options.envs * options.length))
    for update in range(updates):
        for group in optimizer.param_groups:
            group["lr"] = options.rate * (1 - update / updates)
        observations, masks, actions, chances, rewards, values, ends = ([] for _ in range(7))
        for _ in range(options.length):
            observation = torch.from_numpy(seen.copy())
            mask = torch.from_numpy(infos["action_mask"].astype(bool))
            with torch.no_grad():
                distribution = policy.distribution(observation, mask)
                action = distribution.sample()
                values.append(policy.value(observation))
            seen, reward, terminated, truncated, infos = env.step(action.numpy())
            done = terminated | truncated
            final = infos.get("final_info", {})
            for i in np.flatnonzero(done):
                if final["outcome"][i] == "ok":
                    curve.add(math.log(final["speed"][i]))
            observations.append(observation)
            masks.append(mask)
            actions.append(action)
            chances.append(distribution.log_prob(action))
            rewards.append(torch.from_numpy(reward.astype(np.float32)))
            ends.append(torch.from_numpy(done))
        curve.tell((update + 1) * options.envs * options.length)

        with torch.no_grad():
            last = policy.value(torch.from_numpy(seen.copy()))
        advantages = advantages_of(torch.stack(rewards), torch.stack(values), torch.stack(ends),
                                   last, gamma, decay).flatten()
        returns = advantages + torch.stack(values).flatten()
        all_seen, all_masks = torch.cat(observations), torch.cat(masks)
        all_actions, old = torch.cat(actions), torch.cat(chances)
        for _ in range(epochs):
            for rows in torch.randperm(len(old)).chunk(batches):
                distribution = policy.distribution(all_seen[rows], all_masks[rows])
                ratio = (distribution.log_prob(all_actions[rows]) - old[rows]).exp()
                gain = advantages[rows]
                gain = (gain - gain.mean()) / (gain.std() + 1e-8)
                surrogate = torch.min(ratio * gain, ratio.clamp(1 - clip, 1 + clip) * gain)
                error = (policy.value(all_seen[rows]) - returns[rows]).pow(2)
                loss = (-surrogate.mean() + 0.25 * error.mean()
                        - options.entropy * distribution.entropy().mean())
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
                optimizer.step()
    if options.save:
        torch.save(policy.state_dict(), options.save)


if __name__ == "__main__":
    main()
