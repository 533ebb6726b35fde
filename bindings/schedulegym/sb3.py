"""The native vector of environments as Stable-Baselines3 takes it, and its policies as search agents.

    from sb3_contrib import MaskablePPO
    from schedulegym.sb3 import make_vec_env, save_policy

    model = MaskablePPO("MlpPolicy", make_vec_env("ScheduleGym/ModifyModel-v1", 16), n_steps=256)
    model.learn(100_000)
    save_policy(model, "policy.zip")

    schedulegym tune "matmul(m=256,n=256,k=256)" \\
        --agent "python(module=schedulegym.sb3,class=PolicyAgent,policy=policy.zip)"

A policy plays in the space in which it was trained. That of `ModifyModel-v1` is the default of `tune`; a
policy of `ModifyModel-v0` needs `--space ansor`.
"""
from __future__ import annotations

import dataclasses
import io
import os
import pathlib
import sys
from collections.abc import Iterable, Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from stable_baselines3.common.vec_env import VecEnv

from schedulegym._schedulegym import (
    AgentSetup, Record, Rng, ScheduleState, SearchSpace, Task, parse_spec, read_network,
    write_output)
from schedulegym.agent import Agent
from schedulegym.environment import ScheduleEnv
from schedulegym.modify_actions import ModifyActions
from schedulegym.vector import ScheduleVectorEnv


class ScheduleVecEnv(VecEnv):
    """A ScheduleVectorEnv of the mode SameStep: episodes end and begin in one step.

    `infos[i]` is empty but where an episode ended: there it has `terminal_observation`,
    `TimeLimit.truncated`, `episode` (return and length, as Monitor has it) and its evaluation.

    Example:
        >>> env = make_vec_env("ScheduleGym/ModifyModel-v1", 4)  # doctest: +SKIP
        >>> env.reset().shape[0]  # doctest: +SKIP
        4
    """

    def __init__(self, env: ScheduleVectorEnv) -> None:
        """Wraps a vector.

        Args:
            env: Of the mode SameStep.

        Raises:
            ValueError: Its mode is another.
        """
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
        """Begins an episode in each environment; seeds of seed() hold once.

        Returns:
            Observations, a row for each environment.
        """
        seeds: Any = self._seeds if any(seed is not None for seed in self._seeds) else None
        observation, infos = self.env.reset(seed=seeds)
        self._reset_seeds()
        self._masks = infos["action_mask"].view(np.bool_)
        self._returns[:] = 0
        self._lengths[:] = 0
        self.reset_infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        return observation

    def step_async(self, actions: np.ndarray[Any, Any]) -> None:
        """Keeps actions until step_wait().

        Args:
            actions: Whole numbers of shape (num_envs,).
        """
        self._actions = actions

    def step_wait(self) -> tuple[Any, np.ndarray[Any, Any], np.ndarray[Any, Any], list[dict[str, Any]]]:
        """Takes the actions of step_async().

        Returns:
            Observations, rewards (float64, so that sums stay exact), done flags and infos, a row for
            each environment.
        """
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
        if "speed" in end and end["outcome"] != "ok":
            end["speed"] = None  # position 0 in the vector's array
        return end

    def action_masks(self) -> np.ndarray[Any, Any]:
        """Says which actions are legal.

        Returns:
            bool of shape (num_envs, actions).
        """
        return self._masks

    def close(self) -> None:
        """May be called twice."""
        self.env.close()

    def has_attr(self, attr_name: str) -> bool:
        """Whether the environments have an attribute.

        Args:
            attr_name: Its name.

        Returns:
            True where the vector has it.
        """
        return attr_name == "action_masks" or hasattr(self.env, attr_name)

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """Reads an attribute.

        Args:
            attr_name: Its name.
            indices: Numbers of environments; None is all.

        Returns:
            The vector's, once for each index.
        """
        return [getattr(self.env, attr_name)] * len(self._places(indices))

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Sets nothing: a native environment has no attributes of its own.

        Args:
            attr_name: Its name.
            value: Not looked at.
            indices: Not looked at.

        Raises:
            AttributeError: Always.
        """
        raise AttributeError(f"found {attr_name!r} to be set, but native environments have no "
                             "attributes of their own")

    def env_method(self, method_name: str, *method_args: Any, indices: Any = None,
                   **method_kwargs: Any) -> list[Any]:
        """Calls a method for each environment.

        Args:
            method_name: action_masks, or a method of the vector that takes an index first.
            *method_args: After the index.
            indices: Numbers of environments; None is all.
            **method_kwargs: By name.

        Returns:
            What the calls return, in order.
        """
        places = self._places(indices)
        if method_name == "action_masks":
            return [self._masks[place] for place in places]
        method = getattr(self.env, method_name)
        return [method(place, *method_args, **method_kwargs) for place in places]

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """Whether environments are wrapped: never, there is nothing to wrap.

        Args:
            wrapper_class: Not looked at.
            indices: Numbers of environments; None is all.

        Returns:
            False for each.
        """
        return [False] * len(self._places(indices))

    def get_images(self) -> Sequence[np.ndarray[Any, Any] | None]:
        """The environments' pictures, of which there are none.

        Returns:
            None for each.
        """
        return [None] * self.num_envs

    def _places(self, indices: int | Iterable[int] | None) -> list[int]:
        if indices is None:
            return list(range(self.num_envs))
        return [indices] if isinstance(indices, int) else list(indices)


def make_vec_env(name: str, num_envs: int, **arguments: Any) -> ScheduleVecEnv:
    """Makes the environments of an id.

    Args:
        name: An id, such as 'ScheduleGym/ModifyModel-v1'.
        num_envs: How many.
        **arguments: As of gymnasium.make.

    Returns:
        A vector as Stable-Baselines3 takes it.

    Raises:
        ValueError: The id has no native vector.
    """
    env = gymnasium.make_vec(name, num_envs, vectorization_mode="vector_entry_point",
                             autoreset_mode=AutoresetMode.SAME_STEP, **arguments)
    if not isinstance(env, ScheduleVectorEnv):
        raise ValueError(f"id: found {name}, expected one of ScheduleGym's with a native vector")
    return ScheduleVecEnv(env)


def save_policy(model: Any, file: str | os.PathLike[str]) -> None:
    """Saves a policy with what its actions are: it then also plays where there are fewer.

    Args:
        model: A model of Stable-Baselines3 that has its environments.
        file: Where it is left; without an ending it gets .zip, as of model.save. A link is
            followed, a device or a pipe is written to.

    Raises:
        InputError: The file cannot be written.
    """
    model.menu = model.get_env().get_attr("menu")[0]  # saved with the policy, as all attributes are
    saved = io.BytesIO()
    model.save(saved)
    place = pathlib.Path(file)
    is_new_or_file = place.is_file() or not place.exists()
    if is_new_or_file and not place.suffix:
        place = pathlib.Path(f"{place}.zip")
    write_output(place, saved.getvalue())


@dataclasses.dataclass(frozen=True)
class _Stage:
    """Where a policy plays: an environment, and the policy's number of each of its actions."""

    env: ScheduleEnv
    numbers: np.ndarray[Any, Any]

    def action(self, model: Any, observation: Any) -> int:
        """What the policy does here."""
        masks = np.zeros(model.action_space.n, bool)
        masks[self.numbers] = self.env.action_masks()
        chosen, _ = model.predict(observation, action_masks=masks)
        return int(np.flatnonzero(self.numbers == int(chosen))[0])


class PolicyAgent(Agent):
    """A MaskablePPO policy, trained on `modify`, as a search agent: it proposes where episodes end.

    It plays on the tasks of the search, in its space, or on its table; the policy is asked for
    actions as it was in training, and is given no speed. It fits a task whose observation is as
    large as in training and whose actions are as many, or, where save_policy wrote the file, among
    those of training. `like`, a workload or a .net file, names what a policy that was saved
    otherwise was trained on where that was more than one kind of computation. What does not fit is
    refused, or with otherwise='random' searched at random. `steps` are those of an episode.

    Example:
        >>> agent = PolicyAgent("policy.zip", otherwise="random")  # doctest: +SKIP
        >>> result = tune("matmul(m=256,n=256,k=256)", agent=agent)  # doctest: +SKIP
    """

    def __init__(self, policy: str, *, like: str = "", steps: int = 64,
                 otherwise: str = "refused") -> None:
        """Loads a policy.

        Args:
            policy: The file, here or where Python finds modules.
            like: A workload or a .net file that it was trained on, beside the task; '' for none.
            steps: Actions of an episode, at most.
            otherwise: 'refused' or 'random', of tasks that it does not fit.

        Raises:
            ValueError: `otherwise` is another word, or there is no such file.
        """
        import torch
        from sb3_contrib import MaskablePPO

        if otherwise not in ("refused", "random"):
            raise ValueError(f"otherwise: found '{otherwise}', expected refused or random")
        torch.set_num_threads(1)  # networks this small are slower on more
        self._seed_network = torch.manual_seed
        self._model: Any = MaskablePPO.load(_file_of("policy", policy), device="cpu")
        self._like, self._steps, self._otherwise = str(like), int(steps), otherwise
        self._space, self._rng = "schedulegym", Rng(0)
        self._drawn_from: SearchSpace | None = None  # cached: a table has many rows
        self._stages: dict[str, _Stage | None] = {}  # by task; None: random actions
        self._known: set[str] = set()

    def begin(self, setup: AgentSetup) -> None:
        """Takes space and seed of a run.

        Args:
            setup: What the run is.
        """
        self._space, self._rng = setup.space, Rng(setup.seed)
        self._drawn_from = None
        self._seed_network(setup.seed)

    def check_task(self, task: Task) -> None:
        """Checks that the policy fits a task, unless chance stands in.

        A policy that does not fit raises ValueError.

        Args:
            task: What it would be asked about.
        """
        self._stages[task.key] = self._stage_of(task)

    def propose(self, task: Task, count: int) -> Sequence[ScheduleState]:
        """Plays episodes; one that ends in what is known counts for nothing.

        Args:
            task: What they schedule.
            count: How many schedules at most.

        Returns:
            The schedules where episodes ended.
        """
        if task.key not in self._stages:
            self.check_task(task)
        stage = self._stages[task.key]
        fresh: list[ScheduleState] = []
        for _ in range(_TRIES * count):
            state = self._end_of_episode(stage) if stage else self._drawn(task)
            if state is not None and state.key not in self._known:
                self._known.add(state.key)
                fresh.append(state)
            if len(fresh) == count:
                break
        return fresh

    def learn(self, records: Sequence[Record]) -> None:
        """Learns nothing but what is known, which is not proposed again.

        Args:
            records: Of measured schedules.
        """
        self._known.update(record.state_key for record in records)

    def _end_of_episode(self, stage: _Stage) -> ScheduleState:
        env = stage.env
        observation, _ = env.reset(seed=self._rng.next() % 2**31, options={"workload": 0})
        ended = False
        while not ended:
            observation, _, ended, _, _ = env.step(stage.action(self._model, observation))
        return env.state

    def _drawn(self, task: Task) -> ScheduleState | None:
        if self._drawn_from is None:
            self._drawn_from = SearchSpace(self._space)
        return self._drawn_from.sample(task, self._rng)

    def _stage_of(self, task: Task) -> _Stage | None:
        try:
            env = self._made(task)
            return _Stage(env, self._numbers_of(env))
        except ValueError as fault:
            if self._otherwise == "random":
                return None
            raise ValueError(f"task '{task.name}': {fault}") from None

    def _numbers_of(self, env: Any) -> np.ndarray[Any, Any]:
        found = (int(env.action_space.n), env.observation_space.shape)
        wanted = (int(self._model.action_space.n), self._model.observation_space.shape)
        if found == wanted and getattr(self._model, "menu", env.menu) == env.menu:
            return np.arange(found[0])
        if found[1] == wanted[1] and hasattr(self._model, "menu"):
            trained, here = ModifyActions.of(self._model.menu), ModifyActions.of(env.menu)
            if trained.holds(here):
                return np.array(trained.numbers_of(here))
        raise ValueError(f"found {found[0]} actions and observations of {found[1]}, expected "
                         f"{wanted[0]} and {wanted[1]}, which the policy was trained for")

    def _made(self, task: Task) -> ScheduleEnv:
        # With the reward `final` no schedule is evaluated before the end of an episode.
        options: dict[str, Any] = {"actions": "modify", "reward": "final", "steps": self._steps}
        if self._space.startswith("table("):
            return ScheduleEnv(source="table", table=_table_of(self._space), **options)
        layers: list[Any] = [self._like] if self._like else []
        if self._like.endswith(".net"):
            layers = [layer for _, layer in read_network(_file_of("like", self._like))]
        others = [Task(layer, task.target) for layer in layers]
        return ScheduleEnv([task, *others], source="model", space=self._space, **options)


_TRIES = 8  # limit of episodes for each proposal


def _file_of(option: str, name: str) -> str:
    """A file here, or beside the modules that Python finds."""
    for place in (".", *sys.path):
        if pathlib.Path(place, name).is_file():
            return os.path.join(place, name)
    raise ValueError(f"{option}: found no file '{name}' here or where Python finds modules")


def _table_of(space: str) -> str:
    """The file of a spec of a table."""
    _, options = parse_spec(space)
    return str(options["file"])
