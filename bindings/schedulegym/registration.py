"""The ids under which gymnasium.make finds the environments."""
from __future__ import annotations

from typing import Any

import gymnasium

from schedulegym._schedulegym import environments

# Of those that come with the package.
TABLES_OF: dict[str, dict[str, Any]] = {
    "ConstructTable": {"table": "matmul_tree"}, "ModifyTable": {"table": "matmul"},
    "NetworkTable": {"batch": 4}}


def register() -> None:
    """Once for each process; importing the package does it."""
    for name, facts in environments().items():
        entry = _network(facts) if facts["actions"] == "network" else _schedule(facts)
        entry["kwargs"].update(TABLES_OF.get(name, {}))
        gymnasium.register(f"ScheduleGym/{name}-v0", nondeterministic=facts["source"] == "measured",
                           **entry)


def _schedule(facts: dict[str, str]) -> dict[str, Any]:
    return {"entry_point": "schedulegym.environment:ScheduleEnv",
            "vector_entry_point": "schedulegym.vector:ScheduleVectorEnv",
            "kwargs": {"actions": facts["actions"], "source": facts["source"]}}


def _network(facts: dict[str, str]) -> dict[str, Any]:
    """Many at once step in turn: a slot is long."""
    maker = "recorded_network" if facts["source"] == "table" else "ScheduleNetworkEnv"
    return {"entry_point": f"schedulegym.network:{maker}",
            "kwargs": {"source": facts["source"]}}
