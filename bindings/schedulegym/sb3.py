"""The native vector of environments as Stable-Baselines3 wants one.

    from sb3_contrib import MaskablePPO
    from schedulegym.sb3 import make_vec_env

    model = MaskablePPO("MlpPolicy", make_vec_env("ScheduleGym/ModifyModel-v0", 16))
    model.learn(100_000)
"""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from stable_baselines3.common.vec_env import VecEnv

from schedulegym.vector import ScheduleVectorEnv


class ScheduleVecEnv(VecEnv):
    """A ScheduleVectorEnv of the mode SameStep: episodes end and begin in one step.

    `infos[i]` is empty but where an episode ended: there it has `terminal_observation`,
    `TimeLimit.truncated`, `episode` (return and length, as Monitor has it) and what was judged.
    """

    def __init__(self, env: ScheduleVectorEnv) -> None:
        if env.metadata["autoreset_mode"] is not AutoresetMode.SAME_STEP:
            raise ValueError(f"autoreset mode: found {env.metadata['autoreset_mode']}, expected "
                             f"{AutoresetMode.SAME_STEP}")
        self.env = env
        self._actions: np.ndarray[Any, Any] | None = None
        self._masks = np.empty((0, 0), bool)
        self._returns = np.zeros(env.num_envs)
        self._lengths = np.zeros(env.num_envs, np.int64)
        self._began = False
        super().__init__(env.num_envs, env.single_observation_space, env.single_action_space)

    def reset(self) -> Any:
        """All environments; seeds of seed() hold once."""
        seeds: Any = self._seeds if any(seed is not None for seed in self._seeds) else None
        observation, infos = self.env.reset(seed=seeds)
        self._reset_seeds()
        self._masks = infos["action_mask"].view(np.bool_)
        self._returns[:] = 0
        self._lengths[:] = 0
        self.reset_infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        return observation

    def step_async(self, actions: np.ndarray[Any, Any]) -> None:
        """What step_wait takes."""
        self._actions = actions

    def step_wait(self) -> tuple[Any, np.ndarray[Any, Any], np.ndarray[Any, Any], list[dict[str, Any]]]:
        """Observations, rewards (float64, so that sums stay exact), done flags and infos."""
        observation, rewards, terminated, truncated, infos = self.env.step(self._actions)
        self._masks = infos["action_mask"].view(np.bool_)
        self._returns += rewards
        self._lengths += 1
        done = terminated | truncated
        each: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for index in np.flatnonzero(done):
            each[index] = self._end_of(int(index), infos, bool(truncated[index]))
        self._returns[done] = 0
        self._lengths[done] = 0
        return observation, rewards, done, each

    def _end_of(self, index: int, infos: dict[str, Any], truncated: bool) -> dict[str, Any]:
        end: dict[str, Any] = {
            "terminal_observation": infos["final_obs"][index], "TimeLimit.truncated": truncated,
            "episode": {"r": float(self._returns[index]), "l": int(self._lengths[index])}}
        judged = infos.get("final_info", {})
        for key in ("outcome", "speed", "seconds"):
            if key in judged and judged[f"_{key}"][index]:
                end[key] = judged[key][index]
        return end

    def action_masks(self) -> np.ndarray[Any, Any]:
        """A bool for each environment and action: whether it is legal there."""
        return self._masks

    def close(self) -> None:
        """May be called twice."""
        self.env.close()

    def has_attr(self, attr_name: str) -> bool:
        """Whether the environments have it."""
        return attr_name == "action_masks" or hasattr(self.env, attr_name)

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """The vector's, once for each index."""
        return [getattr(self.env, attr_name)] * len(self._places(indices))

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Nothing of a native environment can be set."""
        raise AttributeError(f"found {attr_name!r} to be set, but native environments have no "
                             "attributes of their own")

    def env_method(self, method_name: str, *method_args: Any, indices: Any = None,
                   **method_kwargs: Any) -> list[Any]:
        """action_masks(), or a method of the vector that takes an index first."""
        places = self._places(indices)
        if method_name == "action_masks":
            return [self._masks[place] for place in places]
        method = getattr(self.env, method_name)
        return [method(place, *method_args, **method_kwargs) for place in places]

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """Never: there is nothing to wrap."""
        return [False] * len(self._places(indices))

    def get_images(self) -> Sequence[np.ndarray[Any, Any] | None]:
        """None has one."""
        return [None] * self.num_envs

    def _places(self, indices: int | Iterable[int] | None) -> list[int]:
        if indices is None:
            return list(range(self.num_envs))
        return [indices] if isinstance(indices, int) else list(indices)


def make_vec_env(name: str, num_envs: int, **arguments: Any) -> ScheduleVecEnv:
    """The environments of an id, with the arguments of gymnasium.make."""
    env = gymnasium.make_vec(name, num_envs, vectorization_mode="vector_entry_point",
                             autoreset_mode=AutoresetMode.SAME_STEP, **arguments)
    if not isinstance(env, ScheduleVectorEnv):
        raise ValueError(f"id: found {name}, expected one of ScheduleGym's with a native vector")
    return ScheduleVecEnv(env)
