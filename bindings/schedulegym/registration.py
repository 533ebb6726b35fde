"""The ids under which gymnasium.make finds the environments."""
from __future__ import annotations

import gymnasium

from schedulegym._schedulegym import environments

# Of those that come with the package.
TABLES_OF = {"ConstructTable": {"table": "matmul_tree"}, "ModifyTable": {"table": "matmul"}}


def register() -> None:
    """Once for each process; importing the package does it."""
    for name, facts in environments().items():
        gymnasium.register(
            f"ScheduleGym/{name}-v0",
            entry_point="schedulegym.environment:ScheduleEnv",
            vector_entry_point="schedulegym.vector:ScheduleVectorEnv",
            nondeterministic=facts["source"] == "measured",
            kwargs={"actions": facts["actions"], "source": facts["source"],
                    **TABLES_OF.get(name, {})})
