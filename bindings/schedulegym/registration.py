"""The ids under which gymnasium.make finds the environments."""
from __future__ import annotations

import gymnasium

# Name to the arguments that its environments are made with.
KINDS: dict[str, dict[str, str]] = {
    "Construct": {"actions": "construct", "source": "measured"},
    "ConstructModel": {"actions": "construct", "source": "model"},
    "Modify": {"actions": "modify", "source": "measured"},
    "ModifyModel": {"actions": "modify", "source": "model"},
}


def register() -> None:
    """Once for each process; importing the package does it."""
    for name, kwargs in KINDS.items():
        gymnasium.register(
            f"ScheduleGym/{name}-v0",
            entry_point="schedulegym.environment:ScheduleEnv",
            vector_entry_point="schedulegym.vector:ScheduleVectorEnv",
            nondeterministic=kwargs["source"] == "measured",
            kwargs=dict(kwargs))
