"""The ids under which gymnasium.make finds the environments."""
from __future__ import annotations

from typing import Any

import gymnasium

from schedulegym._schedulegym import environments
from schedulegym.environment import UsualTable

# Defaults of an id: a table that comes with the package; for measured networks a small network and short slots.
USUAL_OF: dict[str, dict[str, Any]] = {
    "ConstructTable": {"table": UsualTable("matmul_tree")}, "ModifyTable": {"table": UsualTable("matmul")},
    "File": {"table": UsualTable("matmul_t4")}, "NetworkTable": {"batch": 4},
    "Network": {"workload": ((2, "matmul(m=32,n=32,k=32)"), (1, "softmax(n=16,m=64)")), "batch": 1,
                "protocol": "cpu1(seconds=0.05)"}}


def register() -> None:
    """Once for each process; importing the package does it."""
    for name, facts in environments().items():
        entry = _network(facts) if facts["actions"] == "network" else _schedule(facts)
        entry["kwargs"].update(USUAL_OF.get(name, {}))
        nondeterministic = facts["source"] == "measured"
        gymnasium.register(f"ScheduleGym/{name}-v0", nondeterministic=nondeterministic, **entry)
        if facts["version_1"]:
            own = dict(part.split("=", 1) for part in facts["version_1"].split(", "))
            gymnasium.register(f"ScheduleGym/{name}-v1", nondeterministic=nondeterministic,
                               **{**entry, "kwargs": {**entry["kwargs"], **own}})


def _schedule(facts: dict[str, str]) -> dict[str, Any]:
    return {"entry_point": "schedulegym.environment:ScheduleEnv",
            "vector_entry_point": "schedulegym.vector:ScheduleVectorEnv",
            "kwargs": {"actions": facts["actions"], "source": facts["source"]}}


def _network(facts: dict[str, str]) -> dict[str, Any]:
    """Many at once step in turn: a slot is long."""
    maker = "recorded_network" if facts["source"] == "table" else "ScheduleNetworkEnv"
    return {"entry_point": f"schedulegym.network:{maker}",
            "kwargs": {"source": facts["source"]}}
