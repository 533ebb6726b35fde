"""A vector of environments that remembers with which schedule each episode ended."""
from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

import schedulegym
from schedulegym.sb3 import ScheduleVecEnv


@dataclasses.dataclass(frozen=True)
class End:
    """An episode that ended well: its text before the last action, that action, and the speed."""

    text: str
    action: int
    speed: float

    def trace(self, **arguments: Any) -> str:
        """Of its schedule; the arguments are those of the vector's environments."""
        env = schedulegym.ScheduleEnv(**arguments)
        env.replay(self.text)
        env.step(self.action)
        return str(env.trace)


class EndingVecEnv(ScheduleVecEnv):
    """`ends` has an End for each; action 0 and the last of `steps` end an episode."""

    def __init__(self, env: schedulegym.ScheduleVectorEnv, steps: int) -> None:
        super().__init__(env)
        self.ends: list[End] = []
        self._steps = steps

    def step_wait(self) -> tuple[Any, np.ndarray[Any, Any], np.ndarray[Any, Any],
                                 list[dict[str, Any]]]:
        """As always; the texts of what may end are taken before."""
        actions = np.asarray(self._actions)
        ending = np.flatnonzero((actions == 0) | (self._lengths + 1 >= self._steps))
        texts = {int(index): self.env.to_text(int(index)) for index in ending}
        result = super().step_wait()
        for index, text in texts.items():
            info = result[3][index]
            if info.get("outcome") == "ok":
                self.ends.append(End(text, int(actions[index]), float(info["speed"])))
        return result
