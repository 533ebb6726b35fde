"""Many environments that step at once, in C++ and on several threads."""
from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any, cast

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from schedulegym._schedulegym import GymVector, ScheduleState, Target
from schedulegym.environment import (
    Names, evaluation_of, form_of, frozen, observation_of, request_of, space_of, steps_of,
    warn_of_protocol)
from schedulegym.tuning import StoreLike, WorkloadLike


class ScheduleVectorEnv(VectorEnv[Any, Any, Any]):
    """As ScheduleEnv, `num_envs` times; reset(seed=s) seeds environment i with s + i.

    Observations, masks and rewards are written into arrays without the interpreter's lock; arrays
    that are held nowhere any more are used again, others never. Schedules that have to be measured are
    measured together.

    infos are Gymnasium's: an array for each key, and one of bools, `_key`, that says in which rows
    the key holds. `infos["illegal"]` has the reason why each last action was illegal, or None.

    Beside reset() and step() there are async_reset(), send() and recv(), with which some
    environments act while others are measured:

        env.async_reset()
        while True:
            observation, rewards, terminated, truncated, infos = env.recv()
            env.send(policy(observation, infos["action_mask"]), infos["env_id"])

    Example:
        >>> env = ScheduleVectorEnv(4, "matmul(m=64,n=64,k=64)", threads=1)
        >>> observation, infos = env.reset(seed=1)
        >>> infos["action_mask"].shape == (4, env.single_action_space.n)
        True
    """

    metadata: dict[str, Any] = {
        "render_modes": ["ansi"], "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(self, num_envs: int = 1,
                 workload: WorkloadLike | Iterable[WorkloadLike] | None = None,
                 *, target: str | Target | None = None, actions: str = "construct",
                 source: str = "model", observation: Names | None = None, reward: str = "final",
                 space: str = "ansor", start: str = "random", model: str = "analytical",
                 table: str | os.PathLike[str] | None = None, input: str | os.PathLike[str] = "",
                 steps: int | None = None, protocol: str = "cpu1", measuring_seed: int = 0,
                 store: StoreLike = None, batch_size: int | None = None,
                 autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
                 threads: int | None = None, max_episode_steps: int | None = None,
                 workload_of: Sequence[int] | None = None, measure: str | None = None,
                 render_mode: str | None = None) -> None:
        """Makes environments; they begin episodes when they are reset.

        Args:
            num_envs: How many.
            workload: As of ScheduleEnv, and so are the options that follow.
            target: As of ScheduleEnv.
            actions: As of ScheduleEnv.
            source: As of ScheduleEnv.
            observation: As of ScheduleEnv, but no text.
            reward: As of ScheduleEnv.
            space: As of ScheduleEnv.
            start: As of ScheduleEnv.
            model: As of ScheduleEnv.
            table: As of ScheduleEnv.
            input: As of ScheduleEnv.
            steps: As of ScheduleEnv.
            protocol: As of ScheduleEnv.
            measuring_seed: As of ScheduleEnv.
            store: As of ScheduleEnv.
            batch_size: How many environments recv() waits for; None is all.
            autoreset_mode: Gymnasium's: when an episode that has ended begins anew.
            threads: That step environments, at most; None is one for each core.
            max_episode_steps: Truncates, without the final reward; None never does.
            workload_of: The position of the workload that each environment plays; None lets each
                episode draw one.
            measure: As of ScheduleEnv.
            render_mode: 'ansi' or None.

        Raises:
            ValueError: Something that is asked for does not exist or does not fit.
            MachineError: Nothing can be measured for the target here.
        """
        if render_mode not in (None, "ansi"):
            raise ValueError(f"render_mode: found {render_mode!r}, expected 'ansi' or None")
        mode = AutoresetMode(autoreset_mode)
        observation = observation_of(actions, observation)
        source, model, table, measurer = evaluation_of(measure, source, model, table)
        warn_of_protocol(protocol)
        self._options = {
            "workload": frozen(workload), "target": target, "actions": actions, "source": source,
            "observation": observation, "reward": reward, "space": space, "start": start,
            "model": model, "table": table, "input": input, "steps": steps_of(actions, steps),
            "protocol": protocol, "measuring_seed": measuring_seed, "store": store,
            "measure": measurer or None}
        self._more = {
            "autoreset_mode": mode, "threads": threads, "max_episode_steps": max_episode_steps,
            "batch_size": batch_size, "workload_of": positions_of(workload_of)}
        request = request_of(**self._options)
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1
        self._core = GymVector(request, form_of(observation), num_envs, mode.value, threads or cores,
                               max_episode_steps, positions_of(workload_of) or [])
        self.menu = self._core.menu  # meanings of the actions, a line for each group
        self.num_envs = num_envs
        self.batch_size = self._count_of("batch_size", batch_size, num_envs)
        self.render_mode = render_mode
        self.metadata = {**type(self).metadata, "autoreset_mode": mode}
        self.single_action_space = spaces.Discrete(self._core.action_count)
        self.single_observation_space = space_of(observation, self._core.boxes)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._seeded = False
        self._masks: np.ndarray[Any, Any] | None = None

    def reset(self, *, seed: int | Sequence[int | None] | None = None,
              options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begins episodes.

        Args:
            seed: One for all, of which environment i has seed + i, or one for each.
            options: {'reset_mask': bools of shape (num_envs,)} leaves the others as they are.

        Returns:
            Observations, float32 of shape (num_envs, size), and infos; `action_mask` is int8 of
            shape (num_envs, actions).

        Raises:
            ValueError: An option or a seed does not fit, environments are in flight, or all are
                closed.
        """
        seeds, which = self._episodes_of(seed, options)
        observation, infos = self._core.reset(seeds, which)
        self._seeded = True
        self._masks = infos["action_mask"]
        return observation, infos

    def step(self, actions: Any) -> tuple[Any, np.ndarray[Any, Any], np.ndarray[Any, Any], np.ndarray[Any, Any], dict[str, Any]]:
        """Takes an action in each environment.

        Args:
            actions: Whole numbers of the action space, of shape (num_envs,).

        Returns:
            Observations, rewards (float64), terminated, truncated and infos, a row for each
            environment.

        Raises:
            ValueError: They are no such numbers, or an environment cannot step.
            KeyboardInterrupt: Ctrl-C came while it measured; all stand where they stood before. So
                it is in reset().
        """
        self._check_open()
        result = self._core.step(np.asarray(actions))
        self._masks = result[4]["action_mask"]
        return result

    def async_reset(self, *, seed: int | Sequence[int | None] | None = None,
                    options: dict[str, Any] | None = None) -> None:
        """As reset(), whose observations recv() hands out, with rewards of 0.

        Args:
            seed: As of reset().
            options: As of reset().

        Raises:
            ValueError: As of reset().
        """
        seeds, which = self._episodes_of(seed, options)
        self._core.send_resets(seeds, which)
        self._seeded = True

    def send(self, actions: Any, env_ids: Any = None) -> None:
        """Takes actions in some environments, which are in flight until recv().

        Args:
            actions: Whole numbers of the action space, one for each id.
            env_ids: Numbers of environments, each once; None is all.

        Raises:
            ValueError: They are no such numbers, or one is in flight already.
        """
        self._check_open()
        ids = np.arange(self.num_envs) if env_ids is None else np.asarray(env_ids)
        self._core.send(np.asarray(actions), ids)

    def recv(self, count: int | None = None
             ) -> tuple[Any, np.ndarray[Any, Any], np.ndarray[Any, Any], np.ndarray[Any, Any], dict[str, Any]]:
        """Waits for environments in flight.

        Those whose step needs no measurement are ready at once; the others are measured together in
        the background.

        Args:
            count: For how many, or for all where fewer are in flight; None is `batch_size`.

        Returns:
            What step() returns, of the first that are ready: row i is of environment
            infos["env_id"][i], rising.

        Raises:
            ValueError: None is in flight, or `count` is no such number.
            KeyboardInterrupt: Ctrl-C came; all stay in flight.
            MachineError: Measuring failed; those that are not ready stand where they stood before
                they were sent.
        """
        self._check_open()
        result = self._core.receive(self._count_of("count", count, self.batch_size))
        infos = result[4]
        if self._masks is None:
            self._masks = np.zeros((self.num_envs, infos["action_mask"].shape[1]), np.int8)
        self._masks = self._masks.copy()  # the caller may still refer to it
        self._masks[infos["env_id"]] = infos["action_mask"]
        return result

    @property
    def in_flight(self) -> list[int]:
        """The environments that were sent and not received, by number."""
        return self._core.in_flight()

    def close_extras(self, **kwargs: Any) -> None:
        """Ends the processes that measured, and closes the store.

        Args:
            **kwargs: As close() has them; not looked at.
        """
        core = getattr(self, "_core", None)  # None if its construction failed
        if core is not None:
            core.close()

    def action_masks(self) -> np.ndarray[Any, Any]:
        """Says which actions are legal.

        Returns:
            bool of shape (num_envs, actions).

        Raises:
            ValueError: No episode has begun.
        """
        if self._masks is None:
            raise ValueError("found no episodes, expected reset() before")
        return self._masks.view(np.bool_)

    def render(self) -> tuple[Any, ...] | None:
        """Shows the episodes.

        Returns:
            'ansi': each environment's trace as text; None without a mode.
        """
        if self.render_mode is None:
            return None
        return tuple(self._core.state(i).trace.text for i in range(self.num_envs))

    def state(self, index: int) -> ScheduleState:
        """Finds the schedule where an environment stands.

        Args:
            index: The environment's number.

        Returns:
            The ScheduleState.
        """
        return self._core.state(index)

    def to_text(self, index: int) -> str:
        """Writes an environment's episode.

        Args:
            index: The environment's number.

        Returns:
            Lines of text, for replay().
        """
        return self._core.to_text(index)

    def replay(self, index: int, text: str) -> None:
        """Lets an environment go on where another stood.

        Args:
            index: The environment's number.
            text: The other's to_text().
        """
        self._core.resume(index, text)
        self._seeded = True
        self._masks = self._core.look()[1]["action_mask"]

    def look(self) -> tuple[Any, dict[str, Any]]:
        """Observes all environments, without a step.

        Returns:
            Observations and infos, as of reset().
        """
        return self._core.look()

    def __getstate__(self) -> dict[str, Any]:
        return {"num_envs": self.num_envs, "options": self._options, "more": self._more,
                "render_mode": self.render_mode, "spec": self.spec, "texts": self._core.texts(),
                "seeded": self._seeded, "begun": self._masks is not None, "closed": self.closed}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(  # type: ignore[misc]
            state["num_envs"], **state["options"], **state["more"],
            render_mode=state["render_mode"])
        self.spec = state["spec"]
        for index, text in enumerate(state["texts"]):
            self._core.resume(index, text)
        self._seeded = state["seeded"]
        if state["begun"]:
            self._masks = self._core.look()[1]["action_mask"]
        self.closed = state["closed"]

    def _episodes_of(self, seed: int | Sequence[int | None] | None, options: dict[str, Any] | None
                     ) -> tuple[list[int] | None, list[bool] | None]:
        """Streams for all and flags of those to be reset, as reset() takes them."""
        self._check_open()
        super().reset(seed=seed if seed is None or isinstance(seed, int) else seed[0])
        unknown = set(options or {}) - {"reset_mask"}
        if unknown:
            raise ValueError(f"options: found {sorted(unknown)}, expected 'reset_mask'")
        which = (options or {}).get("reset_mask")
        mask = None if which is None else self._mask_of(which)
        if seed is None and self._seeded:
            return None, mask
        return [stream_of(one) for one in self._seeds_of(seed)], mask

    def _count_of(self, name: str, count: int | None, usual: int) -> int:
        if count is None:
            return usual
        if isinstance(count, (bool, np.bool_)) or not isinstance(count, (int, np.integer)) or not (
                1 <= count <= self.num_envs):
            raise ValueError(f"{name}: found {count!r}, expected a whole number from 1 to "
                             f"{self.num_envs}")
        return int(count)

    def _mask_of(self, which: Any) -> list[bool]:
        mask = np.asarray(which)
        if mask.shape != (self.num_envs,) or mask.dtype != np.bool_ or not mask.any():
            raise ValueError(f"reset_mask: found {which!r}, expected {self.num_envs} bools, one of "
                             "them true")
        return cast("list[bool]", mask.tolist())

    def _seeds_of(self, seed: int | Sequence[int | None] | None) -> list[int | None]:
        if seed is None:
            return [None] * self.num_envs
        if isinstance(seed, (int, np.integer)):
            return [int(seed) + i for i in range(self.num_envs)]
        seeds = list(seed)
        if len(seeds) != self.num_envs:
            raise ValueError(f"seed: found {len(seeds)}, expected {self.num_envs}")
        return seeds

    def _check_open(self) -> None:
        if self.closed:
            raise ValueError("found an environment that is closed, expected an open one")


def positions_of(workload_of: Any) -> list[int] | None:
    """The workload that each environment plays.

    Args:
        workload_of: Whole numbers, one for each environment, or None.

    Returns:
        A list of them, or None.

    Raises:
        ValueError: One is no whole number.
    """
    if workload_of is None:
        return None
    numbers = list(workload_of) if isinstance(workload_of, Iterable) else [workload_of]
    for number in numbers:
        if isinstance(number, (bool, np.bool_)) or not isinstance(number, (int, np.integer)):
            raise ValueError(f"workload_of: found {workload_of!r}, expected a whole number for each "
                             "environment")
    return [int(number) for number in numbers]


def stream_of(seed: int | None) -> int:
    """What a single environment draws from its own generator after reset(seed=seed).

    Args:
        seed: A seed; None draws one.

    Returns:
        A whole number below 2**63.
    """
    return int(seeding.np_random(seed)[0].integers(2**63))
