"""Gymnasium environments over the tasks of a network."""
from __future__ import annotations

import os
import warnings
from collections.abc import Iterable
from typing import Any, SupportsIndex, Union

import numpy as np
from gymnasium import spaces

from schedulegym._schedulegym import (
    ComputeDag, GymNetwork, NetworkRequest, Record, Target, Task, Workload)
from schedulegym.environment import DEFAULT_TARGET, evaluation_of, table_path, target_of, warn_of_protocol
from schedulegym.native import NativeEnv, check_render_mode
from schedulegym.tuning import WorkloadLike, files_of, tasks_of

# A workload, or how often the network runs it and the workload, as read_network gives them.
LayerLike = Union[WorkloadLike, "tuple[int, WorkloadLike]"]
# A table's file, or the name of one that comes with the package; or a pair of count and table.
TableLike = Union[str, "os.PathLike[str]", "tuple[int, str | os.PathLike[str]]"]
PathLike = Union[str, "os.PathLike[str]"]

_WORKLOADS = (str, os.PathLike, Workload, ComputeDag, Task)

# Layers of an image network: two similar ones, one that is rarely worth a slot, and a large one.
SMALL_NETWORK: tuple[LayerLike, ...] = (
    (2, "conv2d(n=1,h=28,w=28,ci=64,co=64,k=3,p=1)"),
    (4, "conv2d(n=1,h=14,w=14,ci=128,co=128,k=3,p=1)"),
    (1, "matmul(m=16,n=512,k=512)"),
    (1, "softmax(n=16,m=512)"))


class ScheduleNetworkEnv(NativeEnv[GymNetwork]):
    """A search over the tasks of a network; each action gives one of them a slot of trials.

    Action 0 stops; action i gives the next slot to task i - 1. A slot is one round of `agent`: at
    most `batch` schedules are proposed, timed and learned from. Slots of tasks that have nothing
    left, and of rows without a task, are illegal: they cost a slot and change nothing else;
    `action_masks()` and `info["action_mask"]` say which are legal, `info["illegal"]` why the last
    one was not. An episode ends by action 0 or after `slots` actions; both terminate it.

    Paid for is the network's latency: the sum over its tasks of how often it runs them times the
    seconds of the best schedule so far. A task without a success counts as its reference schedule.

    info has `action_mask` (int8), `illegal_actions` (how many in this episode), `latency`
    (seconds), `speed` (how many times as fast as with reference schedules alone) and `trials`
    (over all tasks, the warm-up's among them).

    Example:
        >>> env = ScheduleNetworkEnv(["matmul(m=64,n=64,k=64)", "softmax(n=64,m=64)"], batch=2)
        >>> observation, info = env.reset(seed=1)
        >>> observation, reward, terminated, truncated, info = env.step(2)
        >>> env.trials
        [2, 4]
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 4}

    def __init__(self, workload: LayerLike | Iterable[LayerLike] | None = None, *,
                 target: str | Target | None = None, source: str = "model",
                 table: TableLike | Iterable[TableLike] | None = None,
                 curves: PathLike | Iterable[PathLike] | None = None, half: str = "all",
                 agent: str = "random",
                 space: str = "ansor", reward: str = "difference", slots: int = 64,
                 batch: int = 16, warm_up: bool = True, max_tasks: int | None = None,
                 protocol: str = "cpu1", measuring_seed: int = 0,
                 plugins: Iterable[str | os.PathLike[str]] = (), measure: str | None = None,
                 render_mode: str | None = None) -> None:
        """Makes an environment; it begins an episode when it is reset.

        Args:
            workload: A network's name, the path of a .net file, or several workloads, such as a
                suite's; a pair (count, workload) stands for so many of it, and equal workloads are
                one task. None is four layers of an image network.
            target: A Target or its spec; None is this machine's processor, or the tables'.
            source: Of times: 'model' (the analytical estimate: nothing is compiled, and the same
                seed and actions lead to the same end), 'measured' or 'table'.
            table: Of source 'table', one or several: files, names of those that come with the
                package, or pairs of count and one of these. Their workloads are the tasks, their
                schedules the space; an agent that asks for sketches finds none there.
            curves: In place of tables, files that `tune --curves-out` wrote, which are played again:
                their tasks are the network, as often as their searches had them; a slot is a
                recorded turn, each episode draws one curve of each task, and `agent`, `space` and
                `batch` have no say.
            half: Of the curves' tasks: 'all', or one half, 'development' or 'heldout', split once by
                their names.
            agent: Spec of what proposes schedules; the default draws at random, for it is fast.
            space: Spec of the space that they are of; version 1 takes that of `tune`.
            reward: One of rewards(): 'difference' pays after each slot by how much the logarithm of
                the network's speed has grown, 'final' pays the logarithm at the end.
            slots: Actions of an episode, at most.
            batch: Trials of a slot, at most.
            warm_up: Whether, as in Ansor and DynaTune, an episode begins after a slot for each task,
                which `slots` does not count.
            max_tasks: For how many tasks actions and observations have room, so that one policy fits
                several networks; None is as many as there are.
            protocol: Spec of how candidates are timed.
            measuring_seed: Of the order in which candidate and reference are timed.
            plugins: Shared libraries whose agents `agent` may name, too.
            measure: A spec as `tune` takes it, in place of `source` and `table`: 'analytical',
                'host' or 'table(file=FILE)'; not 'model(MODEL)', which `tune` and the environments of
                one task take.
            render_mode: 'ansi' or None.

        Raises:
            ValueError: Something that is asked for does not exist or does not fit; InputError is
                one.
            MachineError: Nothing can be measured for the target here.
        """
        check_render_mode(render_mode, self.metadata)
        source, model, table, measurer = evaluation_of(measure, source, table=table)
        warn_of_protocol(protocol)
        if model != "analytical":
            raise ValueError(f"measure: found {measure!r}, expected one of: analytical, host, table(file=FILE); "
                             "trained models do not evaluate network environments yet")
        self._options: dict[str, Any] = {
            "workload": None if workload is None else _several("workload", workload, _WORKLOADS),
            "target": target, "source": source, "agent": agent,
            "table": None if table is None else _several("table", table, (str, os.PathLike)),
            "curves": None if curves is None else _several("curves", curves, (str, os.PathLike)),
            "half": half,
            "space": space, "reward": reward, "slots": slots, "batch": batch, "warm_up": warm_up,
            "max_tasks": max_tasks, "protocol": protocol, "measuring_seed": measuring_seed,
            "plugins": files_of("plugins", plugins), "measure": measurer or None}
        self.render_mode = render_mode
        request = _request_of(**self._options)
        self._core = GymNetwork(request)
        self._tasks, self._layers = self._core.tasks, self._core.layers
        size, low, high = self._core.box
        self.action_space = spaces.Discrete(self._core.action_count)
        self.observation_space = spaces.Box(low, high, (size,), np.float32)

    def reset(self, *, seed: int | None = None,
              options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begins an episode, and warms it up.

        Args:
            seed: Of all that follows; None goes on with the chance there is.
            options: There are none.

        Returns:
            Observation, float32 of shape (size,), and info.

        Raises:
            ValueError: There is an option, or the environment is closed.
        """
        if options:
            raise ValueError(f"options: found {sorted(options)}, expected none")
        self._begin(seed)
        return self._core.reset()

    def step(self, action: SupportsIndex) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Gives a slot of trials to a task, or stops.

        Args:
            action: A whole number of the action space: 0 stops, i gives a slot to task i - 1.

        Returns:
            Observation, reward, terminated, truncated (never) and info.

        Raises:
            ValueError: It is no such number, or no episode is under way.
        """
        self._check_open()
        return self._core.step(action)

    def render(self) -> Any:
        """Shows the episode.

        Returns:
            'ansi': a line for each task and one for the network; None without a mode.

        Raises:
            ValueError: The environment is closed, or no episode has begun.
        """
        self._check_open()
        if self.render_mode != "ansi":
            return None
        lines = [f"{count:g} x {name}: {latency * 1e3:.4g} ms after {trials} trials"
                 for (name, count), latency, trials in
                 zip(self._layers, self._core.latencies(), self._core.trials())]
        return "\n".join([*lines, f"network: {self._core.info()['latency'] * 1e3:.4g} ms"])

    @property
    def tasks(self) -> list[Task]:
        """The network's; action i gives a slot to the one at position i - 1. None of curves."""
        return [task for task, _ in self._tasks]

    @property
    def names(self) -> list[str]:
        """Of all tasks, those of curves as well."""
        return [name for name, _ in self._layers]

    @property
    def weights(self) -> list[float]:
        """How often the network runs each task."""
        return [int(count) if count.is_integer() else count for _, count in self._layers]

    @property
    def latencies(self) -> list[float]:
        """Seconds of one call of each task's best schedule, or of its reference."""
        return self._core.latencies()

    @property
    def trials(self) -> list[int]:
        """Of each task in this episode."""
        return self._core.trials()

    @property
    def records(self) -> list[Record | None]:
        """Of each task's best schedule in this episode; None without a success, and of curves."""
        return self._core.records()

    @property
    def clock(self) -> float | None:
        """Seconds that measuring would have taken so far: of tables in all episodes, of curves in
        this one, else None."""
        return self._core.clock

    @property
    def feature_names(self) -> str:
        """What the numbers of the observation are, a line for each."""
        return self._core.legend

    @property
    def legend(self) -> str:
        """The old name of `feature_names`."""
        warnings.warn("legend is feature_names now", DeprecationWarning, stacklevel=2)
        return self.feature_names

    def to_text(self) -> str:
        """Writes the episode, unless it is measured: that would not repeat.

        Returns:
            Seed and actions as lines of text, for replay().
        """
        return self._core.to_text()

    def replay(self, text: str) -> tuple[Any, dict[str, Any]]:
        """Acts as another environment did, and stands where it stood.

        Args:
            text: The other's to_text().

        Returns:
            Observation and info; None and {} before a first episode.

        Raises:
            ValueError: The text is of an environment that was made otherwise, or this is closed.
        """
        self._check_open()
        self._core.resume(text)
        self._seeded = True
        if not self._core.begun:
            return None, {}
        return self._core.observe(), self._core.info()

    def __getstate__(self) -> dict[str, Any]:
        return {"options": self._options, "render_mode": self.render_mode, "spec": self.spec,
                "text": self._core.to_text(), "np_random": self._np_random,
                "np_random_seed": self._np_random_seed, "seeded": self._seeded,
                "closed": self._closed}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(**state["options"], render_mode=state["render_mode"])  # type: ignore[misc]
        self.spec = state["spec"]
        self._np_random, self._np_random_seed = state["np_random"], state["np_random_seed"]
        self._core.resume(state["text"])
        self._seeded, self._closed = state["seeded"], state["closed"]


def recorded_network(**options: Any) -> ScheduleNetworkEnv:
    """An environment of tables that come along unless tables, curves or a measure are given.

    Args:
        **options: As of ScheduleNetworkEnv.

    Returns:
        The environment.
    """
    if options.get("curves") is None and options.get("measure") is None:
        options.setdefault("table", ["matmul", "conv2d"])
    return ScheduleNetworkEnv(**options)


def _request_of(*, workload: list[Any] | None, target: str | Target | None, source: str,
                table: list[Any] | None, curves: list[Any] | None, half: str, agent: str,
                space: str, reward: str, slots: int, batch: int, warm_up: bool,
                max_tasks: int | None, protocol: str, measuring_seed: int,
                plugins: list[str], measure: str | None = None) -> NetworkRequest:
    request = NetworkRequest()
    request.measurer = measure or ""
    if curves is not None:
        if not all(isinstance(path, (str, os.PathLike)) for path in curves):
            raise ValueError(f"curves: found {curves!r}, expected paths of files")
        if not curves:
            raise ValueError("curves: found none, expected at least one file")
        request.curves = [os.fspath(path) for path in curves]
        request.target = None if target is None else target_of(target)
    request.half = half
    if table is not None:
        request.tables = [
            (table_path(name), count)
            for count, name in (_counted("table", entry) for entry in table)]
        request.target = target_of(target)
    if workload is None and source != "table":
        workload = list(SMALL_NETWORK)
    if workload is not None:
        request.tasks = _network_of(workload, target or DEFAULT_TARGET)
    request.source, request.agent, request.space = source, agent, space
    request.reward, request.protocol = reward, protocol
    request.slots, request.batch = _whole("slots", slots), _whole("batch", batch)
    request.max_tasks = None if max_tasks is None else _whole("max_tasks", max_tasks)
    if not isinstance(warm_up, bool):
        raise ValueError(f"warm_up: found {warm_up!r}, expected True or False")
    request.warm_up, request.plugins = warm_up, plugins
    request.measuring_seed = _whole("measuring_seed", measuring_seed)
    return request


def _whole(name: str, value: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 2**31:
        raise ValueError(f"{name}: found {value!r}, expected a whole number")
    return value


def _several(name: str, given: Any, kinds: tuple[type, ...]) -> list[Any]:
    """What is of these kinds, and pairs (count, such a one), in a list of their own."""
    if isinstance(given, kinds) or _is_pair(given):
        return [given]
    if not isinstance(given, Iterable):
        one = "path" if name == "curves" else name
        raise ValueError(f"{name}: found {given!r}, expected a {one} or several")
    return list(given)


def _counted(name: str, entry: Any) -> tuple[int, Any]:
    count, what = entry if _is_pair(entry) else (1, entry)
    return _whole(f"{name}: count", count), what


def _network_of(layers: list[Any], target: str | Target) -> list[tuple[Task, int]]:
    """The tasks of a network, each once, and how often it runs them."""
    target = Target(target) if isinstance(target, str) else target
    tasks: dict[Task, int] = {}
    for layer in layers:
        count, workload = _counted("workload", layer)
        if not isinstance(workload, _WORKLOADS):
            raise ValueError(f"workload: found {workload!r}, expected a workload")
        for task, inner in tasks_of(workload, target):
            tasks[task] = tasks.get(task, 0) + count * inner
    return list(tasks.items())


def _is_pair(layer: Any) -> bool:
    return (isinstance(layer, (list, tuple)) and len(layer) == 2
            and isinstance(layer[0], int) and not isinstance(layer[0], bool))
