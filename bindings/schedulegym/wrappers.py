"""The masks of an environment as other libraries take them."""
from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces


class MaskedDictObservation(gymnasium.Wrapper[Any, Any, Any, Any]):
    """Observations as RLlib's action masking takes them.

    A dict of `observations`, which is the environment's own, and `action_mask`, a float32 for each
    action: 1 where it is legal.

    Example:
        >>> env = MaskedDictObservation(gymnasium.make("ScheduleGym/ModifyModel-v1"))
        >>> observation, info = env.reset(seed=1)
        >>> sorted(observation)
        ['action_mask', 'observations']
    """

    def __init__(self, env: gymnasium.Env[Any, Any]) -> None:
        """Wraps an environment.

        Args:
            env: One with flat actions whose infos have `action_mask`.

        Raises:
            ValueError: Its actions are not Discrete.
        """
        super().__init__(env)
        if not isinstance(env.action_space, spaces.Discrete):
            raise ValueError(f"action space: found {env.action_space}, expected Discrete")
        mask = spaces.Box(0.0, 1.0, (int(env.action_space.n),), np.float32)
        self.observation_space = spaces.Dict(
            {"observations": env.observation_space, "action_mask": mask})

    def reset(self, *, seed: int | None = None,
              options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begins an episode.

        Args:
            seed: As the environment's.
            options: As the environment's.

        Returns:
            Observation with mask, and info.
        """
        observation, info = self.env.reset(seed=seed, options=options)
        return _with_mask(observation, info), info

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """Takes an action.

        Args:
            action: As the environment's.

        Returns:
            Observation with mask, reward, terminated, truncated and info.
        """
        observation, reward, terminated, truncated, info = self.env.step(action)
        return _with_mask(observation, info), reward, terminated, truncated, info


def _with_mask(observation: Any, info: dict[str, Any]) -> dict[str, Any]:
    return {"observations": observation, "action_mask": info["action_mask"].astype(np.float32)}
