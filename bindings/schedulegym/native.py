"""What the environments share whose episodes run in C++."""
from __future__ import annotations

from typing import Any, Generic, SupportsIndex, TypeVar

import gymnasium
import numpy as np

from schedulegym._schedulegym import GymEnvironment, GymNetwork


Core = TypeVar("Core", GymEnvironment, GymNetwork)


class NativeEnv(gymnasium.Env[Any, Any], Generic[Core]):
    """Flat actions with masks, seeded from Gymnasium's generator, refused once closed."""

    _core: Core
    _seeded = False
    _closed = False

    def close(self) -> None:
        """May be called twice; an environment that is closed takes no steps, and measures nothing.

        With the last of its forks go the processes that measured, and the store is closed.
        """
        if self._closed:
            return
        self._core.close()
        self._closed = True

    def action_masks(self) -> np.ndarray[Any, Any]:
        """Says which actions are legal.

        Returns:
            bool of shape (actions,).

        Raises:
            ValueError: The environment is closed, or no episode has begun.
        """
        self._check_open()
        return self._core.mask().view(np.bool_)

    def legal_actions(self) -> list[int]:
        """Lists the legal actions.

        Returns:
            Their numbers, rising.

        Raises:
            ValueError: The environment is closed, or no episode has begun.
        """
        self._check_open()
        return self._core.legal_actions()

    def decode(self, action: SupportsIndex) -> str:
        """Says what a legal action does here.

        Args:
            action: A whole number of the action space.

        Returns:
            A primitive as traces write it, a workload, or words.

        Raises:
            ValueError: The action is not legal here, or the environment is closed.
        """
        self._check_open()
        return self._core.describe(action)

    def _begin(self, seed: int | None) -> None:
        """What reset() does first; the core is seeded once, and whenever a seed is given."""
        super().reset(seed=seed)
        self._check_open()
        if seed is not None or not self._seeded:
            self._core.seed(int(self.np_random.integers(2**63)))
            self._seeded = True

    def _check_open(self) -> None:
        if self._closed:
            raise ValueError("found an environment that is closed, expected an open one")


def check_render_mode(mode: str | None, metadata: dict[str, Any]) -> None:
    """Checks a render mode.

    Args:
        mode: As asked for, or None.
        metadata: Of the environment: `render_modes` are those there are.

    Raises:
        ValueError: It is none of them.
    """
    if mode is not None and mode not in metadata["render_modes"]:
        raise ValueError(f"render_mode: found {mode!r}, expected one of "
                         f"{metadata['render_modes']} or None")
