"""Gymnasium environments over the schedules of a tensor program.

Over 500 lines, since one class has all of Gymnasium's interface; most of them are its docstrings.
"""
from __future__ import annotations

import os
import pathlib
import re
import warnings
from collections.abc import Iterable, Sequence
from typing import Any, SupportsIndex, Union

import numpy as np
from gymnasium import spaces

from schedulegym._schedulegym import (
    EnvironmentRequest, GymEnvironment, ObservationForm, ScheduleState, Target, Task, parse_spec,
    protocol_warnings, source_of)
from schedulegym.native import NativeEnv, check_render_mode
from schedulegym.picture import picture_of
from schedulegym.tuning import StoreLike, WorkloadLike, tasks_of

Names = Union[str, Sequence[str]]

# Longest text of a loop nest that an observation holds.
MOST_TEXT = 1 << 16
TABLES = pathlib.Path(__file__).parent / "tables"
DEFAULT_TARGET = "llvm"
DEFAULT_WORKLOAD = "matmul(m=512,n=512,k=512)"
_PRINTABLE = "".join(map(chr, range(32, 127))) + "\n"


class UsualTable(str):
    """The name of a table that an id has where its user names none."""


def table_path(table: str | os.PathLike[str] | None) -> str:
    """The file of a table.

    Args:
        table: A file, or the name of a table that comes with the package.

    Returns:
        The path of the file.

    Raises:
        ValueError: There is none, or it is no path.
    """
    if table is None:
        known = ", ".join(sorted(path.stem for path in TABLES.glob("*.table"))) or "none"
        raise ValueError(f"table: found none, expected a file or one that comes along: {known}")
    if not isinstance(table, (str, os.PathLike)):
        raise ValueError(f"table: found {table!r}, expected the path of a file")
    for kind in ("table", "json"):  # our tables, then those of another tuner
        shipped = TABLES / f"{os.fspath(table)}.{kind}"
        if shipped.exists():
            return str(shipped)
    return os.fspath(table)


def request_of(*, workload: WorkloadLike | Iterable[WorkloadLike] | None, target: str | Target | None,
               actions: str, source: str, observation: Names, reward: str, space: str, start: str,
               model: str, table: str | os.PathLike[str] | None,
               input: str | os.PathLike[str], steps: int, protocol: str, measuring_seed: int,
               store: StoreLike, measure: str | None = None) -> EnvironmentRequest:
    """What the options of an environment mean; bad ones raise when it is made.

    Args:
        workload: One or several; None is the table's, or the default one.
        target: Where they are to run; None is this machine, or the table's.
        actions: 'construct', 'modify' or 'file'.
        source: Of reward: 'model', 'measured' or 'table'.
        observation: One name or several.
        reward: A spec.
        space: Spec of the space whose schedules `modify` changes.
        start: Of `modify`: 'random' or 'origin'.
        model: 'analytical', or a file.
        table: A file or a name.
        input: The T1 file of a T4 table, or ''.
        steps: Actions of an episode, at most.
        protocol: Spec of how candidates are timed.
        measuring_seed: Of interleaving.
        store: Where measurements are recorded.
        measure: Spec of a measurer of the kind that `source` says; None: the usual one.

    Returns:
        The request that a GymEnvironment or a GymVector is made of.

    Raises:
        ValueError: A table is given with another source, or a name is none.
    """
    request = EnvironmentRequest()
    if source == "table":
        request.table, request.input = table_path(table), os.fspath(input)
        request.target = target_of(target)
    elif table is not None or input:
        raise ValueError(f"table: found {table or input!r} with source {source!r}, expected source "
                         "'table'")
    elif workload is None:
        workload = DEFAULT_WORKLOAD
    if workload is not None:
        request.tasks = [task for task, _ in tasks_of(workload, target or DEFAULT_TARGET)]
    request.actions, request.source = actions, source
    request.space, request.start, request.model = space, start, model
    request.measurer = measure or ""
    request.reward, request.protocol = reward, protocol
    request.measuring_seed = measuring_seed
    request.observations = [name for name in names_of(observation) if name != "text"]
    request.horizon = steps
    if store is not None:
        request.record_in(store)
    return request


def evaluation_of(measure: str | None, source: str, model: str = "analytical",
                  table: Any = None) -> tuple[str, str, Any, str]:
    """What a spec of `measure`, as `tune` takes it, stands for.

    Args:
        measure: A spec of measurers(), such as 'analytical(version=2)', 'host', 'model(MODEL)' or
            'table(file=FILE)'; None leaves the others as they are.
        source: As given beside it.
        model: As given beside it.
        table: As given beside it.

    Returns:
        `source`, `model`, `table` and the spec, or '' where the first three say all. A model or a
        table that is given beside another measure is warned of.

    Raises:
        InputError: There is no such measurer, or an option of it is wrong.
    """
    if measure is None:
        return source, model, table, ""
    source = source_of(measure)
    named, file, spec = "analytical", None, measure
    short = re.fullmatch(r"\s*model\((.*)\)\s*", measure, re.DOTALL)
    if short:
        named, spec = re.sub(r"^model\s*=\s*", "", short[1].strip()).strip('"'), ""
    elif source == "table":
        file = parse_spec(measure)[1]["file"]
    beside = [("model", model)] if model not in ("analytical", named) else []
    if table is not None and not isinstance(table, UsualTable) and table != file:
        beside.append(("table", table))
    for option, given in beside:
        warnings.warn(f"{option}: found {given!r} beside measure {measure!r}, which is used alone", stacklevel=3)
    return source, named, file, spec


def warn_of_protocol(protocol: str) -> None:
    """Warns of each old name in a protocol.

    Args:
        protocol: A spec.

    Raises:
        InputError: It is no spec.
    """
    for line in protocol_warnings(protocol):
        warnings.warn(line, stacklevel=4)


def target_of(target: str | Target | None) -> Target | None:
    """The target that tables have to be for.

    Args:
        target: A Target, its spec, or None.

    Returns:
        The Target; None where any will do.
    """
    return Target(target) if isinstance(target, str) else target


def names_of(observation: Names) -> list[str]:
    """The observations asked for.

    Args:
        observation: One name or several.

    Returns:
        The names, in order.

    Raises:
        ValueError: There is none, one is no text, or one stands there twice.
    """
    names = [observation] if isinstance(observation, str) else list(observation)
    if not names or not all(isinstance(name, str) for name in names):
        raise ValueError(f"observation: found {observation!r}, expected a name or several")
    if len(set(names)) < len(names):
        raise ValueError(f"observation: found {names}, expected each name once")
    return names


def form_of(observation: Names) -> ObservationForm:
    """How observations are handed out: one name alone gives its array, several give a dict.

    Args:
        observation: One name or several.

    Returns:
        The form that a GymEnvironment or a GymVector is made with.
    """
    return ObservationForm(names_of(observation), not isinstance(observation, str))


def space_of(observation: Names, boxes: Sequence[tuple[int, float, float]]) -> spaces.Space[Any]:
    """The observation space.

    Args:
        observation: One name or several.
        boxes: Size, low and high of each observation that is numbers.

    Returns:
        A Box of float32 of shape (size,), a Text, or a Dict of these by name.
    """
    left = iter(boxes)
    named: dict[str, spaces.Space[Any]] = {}
    for name in names_of(observation):
        if name == "text":
            named[name] = spaces.Text(MOST_TEXT, min_length=0, charset=_PRINTABLE)
        else:
            size, low, high = next(left)
            named[name] = spaces.Box(low, high, (size,), np.float32)
    return named[observation] if isinstance(observation, str) else spaces.Dict(named)


class ScheduleEnv(NativeEnv[GymEnvironment]):
    """One schedule of one workload at a time; each action changes it, its speed is the reward.

    Action 0 stops. Actions that are illegal where the episode stands cost a step and change nothing
    else; `action_masks()` and `info["action_mask"]` say which are legal, `info["illegal"]` why the
    last one was not. An episode ends by action 0 or after `steps` actions; both terminate it, for
    the schedule is paid for as it is then.

    info has `action_mask` (int8), `illegal_actions` (how many in this episode) and, where the
    schedule was evaluated, `outcome` ('ok' or a failure's type), `speed` (how many times as fast as the
    reference schedule), `seconds` (of one run, where the evaluator gives seconds) and `doubt` (of a
    model that knows its own: a standard deviation of the speed, as a share of it).

    Example:
        >>> env = ScheduleEnv("matmul(m=64,n=64,k=64)", actions="modify", steps=8)
        >>> observation, info = env.reset(seed=1)
        >>> observation, reward, terminated, truncated, info = env.step(0)
        >>> terminated, info["outcome"]
        (True, 'ok')
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi", "rgb_array"], "render_fps": 4}

    def __init__(self, workload: WorkloadLike | Iterable[WorkloadLike] | None = None,
                 *, target: str | Target | None = None, actions: str = "construct",
                 source: str = "model", observation: Names | None = None, reward: str = "final",
                 space: str = "ansor", start: str = "random", model: str = "analytical",
                 table: str | os.PathLike[str] | None = None, input: str | os.PathLike[str] = "",
                 steps: int | None = None, protocol: str = "cpu1", measuring_seed: int = 0,
                 store: StoreLike = None, measure: str | None = None,
                 render_mode: str | None = None) -> None:
        """Makes an environment; it begins an episode when it is reset.

        Args:
            workload: One, or several, of which each episode draws one; None is the table's, or a
                matmul of 512.
            target: A Target or its spec; None is this machine's processor, or the one that the
                table is for.
            actions: 'construct' (from the naive program, stage by stage), 'modify' (from a complete
                schedule of `space`), or 'file' (the knobs of another tuner's table).
            source: Of reward: 'model', 'measured' or 'table'.
            observation: One name, or several for a dict; see observations(). None is 'loops' of
                construct, else 'knobs'.
            reward: A spec of one of rewards(), such as 'difference(dead_band=true)'.
            space: Spec of the space of 'modify'. The default is 'ansor', so that episodes of version
                0 stay what they were; `tune` searches 'schedulegym' by default, and so a policy for
                `tune` is trained with space='schedulegym'.
            start: Where episodes of 'modify' begin: 'random', or 'origin', unoptimised.
            model: Of source 'model': one of `schedulegym list models`, or a file of
                `schedulegym tune --save-model`.
            table: Of source 'table': a file of `schedulegym table`, or the name of one that comes
                with the package; its workload is the one there is.
            input: The T1 file of a table that is a T4 file.
            steps: The most actions of an episode; None is 128 for construct and 64 for the others.
            protocol: Spec of how candidates are timed.
            measuring_seed: Of the order in which candidate and reference are timed.
            store: Where measurements are recorded: a file, which is opened before the first one and
                has one writer at a time, or an open RecordStore, which several environments may
                share.
            measure: A spec as `tune` takes it, in place of `source`, `model` and `table`; see
                `measurers()`: 'analytical', 'host', 'model(MODEL)' or 'table(file=FILE)'.
            render_mode: 'ansi', 'rgb_array' or None.

        Raises:
            ValueError: Something that is asked for does not exist or does not fit; InputError is
                one.
            MachineError: Nothing can be measured for the target here.
        """
        check_render_mode(render_mode, self.metadata)
        steps = steps_of(actions, steps)
        observation = observation_of(actions, observation)
        source, model, table, measurer = evaluation_of(measure, source, model, table)
        warn_of_protocol(protocol)
        self._options = {
            "workload": frozen(workload), "target": target, "actions": actions, "source": source,
            "observation": observation, "reward": reward, "space": space, "start": start,
            "model": model, "table": table, "input": input, "steps": steps, "protocol": protocol,
            "measuring_seed": measuring_seed, "store": store, "measure": measurer or None}
        self.render_mode = render_mode
        self._core = GymEnvironment(request_of(**self._options), form_of(observation))
        self._take = self._core.step
        self._random_state: dict[str, Any] | None = None  # state of a random generator that a fork has not made yet
        self.action_space = spaces.Discrete(self._core.action_count)
        self.observation_space = space_of(observation, self._core.boxes)

    def reset(self, *, seed: int | None = None,
              options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begins an episode.

        Args:
            seed: Of all that follows; None goes on with the chance there is.
            options: {'workload': position} chooses among several workloads.

        Returns:
            Observation and info.

        Raises:
            ValueError: There is no such option or position, or the environment is closed.
        """
        self._begin(seed)
        return self._core.reset(position_of(options))

    def step(self, action: SupportsIndex) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Takes an action.

        Args:
            action: A whole number of the action space; 0 stops.

        Returns:
            Observation, reward, terminated, truncated (never) and info.

        Raises:
            ValueError: It is no such number, or no episode is under way.
            KeyboardInterrupt: Ctrl-C came while it measured; the step was not taken, and the
                environment stands where it stood before.
        """
        return self._take(action)

    def render(self) -> Any:
        """Shows the episode.

        Returns:
            'ansi': the loop nests as text; 'rgb_array': a picture of them and of the speeds, uint8
            of shape (540, 960, 3); None without a mode.

        Raises:
            ValueError: The environment is closed, or no episode has begun.
        """
        self._check_open()
        if self.render_mode == "ansi":
            return self._core.loops()
        if self.render_mode == "rgb_array":
            return picture_of(self._core.loops(), self._core.judgements())
        return None

    def close(self) -> None:
        """As every environment's; may be called twice."""
        super().close()
        self._take = _refuse_step

    def encode(self, text: str) -> int | None:
        """Finds an action.

        Args:
            text: What decode() says of it.

        Returns:
            The legal action that is described so, or None.

        Raises:
            ValueError: The environment is closed, or no episode has begun.
        """
        self._check_open()
        return self._core.find(text)

    @property
    def state(self) -> ScheduleState:
        """The schedule of this place."""
        return self._core.state()

    @property
    def trace(self) -> str:
        """The schedule as text, which replays to an equal one."""
        return self._core.state().trace.text

    @property
    def task(self) -> Task:
        """Of this episode."""
        return self._core.task()

    @property
    def ended(self) -> bool:
        """Whether the episode has ended."""
        return self._core.ended

    @property
    def menu(self) -> str:
        """What the actions are, a line for each group of them."""
        return self._core.menu

    @property
    def clock(self) -> float | None:
        """Seconds that measuring would have taken so far, forks included; None but of tables."""
        return self._core.clock

    @property
    def evaluations(self) -> list[dict[str, Any]]:
        """The evaluation results of this episode so far: outcome, speed and seconds."""
        return self._core.judgements()

    @property
    def judgements(self) -> list[dict[str, Any]]:
        """The old name of `evaluations`."""
        warnings.warn("judgements is evaluations now", DeprecationWarning, stacklevel=2)
        return self.evaluations

    def fork(self) -> ScheduleEnv:
        """Copies the episode, in microseconds.

        Returns:
            An environment that stands where this one does.

        Raises:
            ValueError: The environment is closed.
        """
        self._check_open()
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other._core = self._core.fork()
        other._take = other._core.step
        if self._np_random is not None:
            other._np_random, other._random_state = None, _state_of(self._np_random)
        return other

    @property
    def np_random(self) -> np.random.Generator:
        """The environment's generator of random numbers; a fork makes its own when first asked."""
        if self._np_random is None and self._random_state is not None:
            bits = getattr(np.random, self._random_state["bit_generator"])()
            bits.state = self._random_state
            self._np_random = np.random.Generator(bits)
        return super().np_random

    @np_random.setter
    def np_random(self, value: np.random.Generator) -> None:
        self._np_random = value

    def __copy__(self) -> ScheduleEnv:
        return self.fork()

    def __deepcopy__(self, memo: dict[int, Any]) -> ScheduleEnv:
        return self.fork()

    def to_text(self) -> str:
        """Writes the episode.

        Returns:
            Lines of text, for replay().
        """
        return self._core.to_text()

    def replay(self, text: str) -> tuple[Any, dict[str, Any]]:
        """Goes on where another environment stood.

        Args:
            text: The other's to_text().

        Returns:
            Observation and info (`action_mask` alone); None and {} before a first episode.

        Raises:
            ValueError: The text is of an environment that was made otherwise, or this is closed.
        """
        self._check_open()
        self._core.resume(text)
        self._seeded = True
        if not self._core.begun:
            return None, {}
        return self._core.observe(), {"action_mask": self._core.mask()}

    def __getstate__(self) -> dict[str, Any]:
        return {"options": self._options, "render_mode": self.render_mode, "spec": self.spec,
                "text": self._core.to_text(), "np_random": self._np_random,
                "random_state": self._random_state,
                "np_random_seed": self._np_random_seed, "seeded": self._seeded,
                "closed": self._closed}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(**state["options"], render_mode=state["render_mode"])  # type: ignore[misc]
        self.spec = state["spec"]
        self._np_random, self._random_state = state["np_random"], state["random_state"]
        self._np_random_seed = state["np_random_seed"]
        self._core.resume(state["text"])
        self._seeded = state["seeded"]
        if state["closed"]:
            self.close()


def steps_of(actions: str, steps: int | None) -> int:
    """The most actions of an episode.

    Args:
        actions: The kind of actions.
        steps: As asked for, or None.

    Returns:
        `steps`, else 128 of construct and 64 of the others.

    Raises:
        ValueError: It is no whole number.
    """
    if steps is None:
        return 128 if actions == "construct" else 64
    if isinstance(steps, bool) or not isinstance(steps, int):
        raise ValueError(f"steps: found {steps!r}, expected a whole number")
    return steps


def observation_of(actions: str, observation: Names | None) -> Names:
    """What is seen.

    Args:
        actions: The kind of actions.
        observation: As asked for, or None.

    Returns:
        `observation`, else what the actions move: 'loops' of construct, 'knobs' of the others.
    """
    if observation is None:
        return "loops" if actions == "construct" else "knobs"
    return observation


def frozen(workload: Any) -> Any:
    """Keeps workloads apart from a list that may change.

    Args:
        workload: One or several.

    Returns:
        A copy of a list or tuple, else the thing itself.
    """
    return list(workload) if isinstance(workload, (list, tuple)) else workload


def position_of(options: dict[str, Any] | None) -> int | None:
    """The workload that reset's options choose.

    Args:
        options: With 'workload' or without; None has none.

    Returns:
        The position, or None.

    Raises:
        ValueError: There is another option, or the position is no whole number.
    """
    unknown = set(options or {}) - {"workload"}
    if unknown:
        raise ValueError(f"options: found {sorted(unknown)}, expected 'workload'")
    position = (options or {}).get("workload")
    if position is None:
        return None
    if isinstance(position, bool) or not isinstance(position, (int, np.integer)):
        raise ValueError(f"workload: found {position!r}, expected the position of a workload")
    return int(position)


def _state_of(generator: np.random.Generator) -> dict[str, Any]:
    return dict(generator.bit_generator.state)


def _refuse_step(action: SupportsIndex) -> Any:
    raise ValueError("found an environment that is closed, expected an open one")
