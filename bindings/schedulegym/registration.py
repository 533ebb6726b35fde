"""The ids under which gymnasium.make finds the environments."""
from __future__ import annotations

from typing import Any

import gymnasium

from schedulegym._schedulegym import environments

# Of those that come with the package.
TABLES_OF = {"ConstructTable": {"table": "matmul_tree"}, "ModifyTable": {"table": "matmul"}}


def register() -> None:
    """Once for each process; importing the package does it."""
    for name, facts in environments().items():
        gymnasium.register(
            f"ScheduleGym/{name}-v0", nondeterministic=facts["source"] == "measured",
            **(_network(facts) if facts["actions"] == "network" else _schedule(name, facts)))


def _schedule(name: str, facts: dict[str, str]) -> dict[str, Any]:
    return {"entry_point": "schedulegym.environment:ScheduleEnv",
            "vector_entry_point": "schedulegym.vector:ScheduleVectorEnv",
            "kwargs": {"actions": facts["actions"], "source": facts["source"],
                       **TABLES_OF.get(name, {})}}


def _network(facts: dict[str, str]) -> dict[str, Any]:
    """Many at once step in turn: a slot is long."""
    return {"entry_point": "schedulegym.network:ScheduleNetworkEnv",
            "kwargs": {"source": facts["source"]}}
