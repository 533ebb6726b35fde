"""Controls: optional arms that run random search, or an agent on shuffled results."""
from __future__ import annotations

import dataclasses
from typing import Any

from schedulegym.studies.faults import StudyError, unknown_name
from schedulegym.studies.specs import parse_spec
from schedulegym.studies.study import Arm

CONTROLS = ("random", "blind")


def controls_of(given: Any, arms: list[Arm]) -> list[Arm]:
    """Returns the arms to add; `blind` adds a control for every arm, `blind(NAME)` for one.

    Raises StudyError for an unknown control, and for an arm named `random` that is not random search.
    """
    added: list[Arm] = []
    for control in [] if given is None else given if isinstance(given, list) else [given]:
        word, bracket, rest = str(control).partition("(")
        if word not in CONTROLS or bracket and (word == "random" or not rest.endswith(")")):
            raise unknown_name("control", str(control), [*CONTROLS, "blind(ARM)"])
        if word == "random":
            own = next((arm for arm in arms if arm.name == "random"), None)
            if own is None:
                added.append(dataclasses.replace(arms[0], name="random", agent="random",
                                                 refine=None, cell=None, blind=False))
            elif parse_spec(own.agent).name != "random":
                raise StudyError(f"control 'random': found an arm of that name with the agent "
                                 f"'{own.agent}', expected random")
        else:  # a refiner would get the true results
            added += [dataclasses.replace(arm, name=f"blind {arm.name}", refine=None, cell=None,
                                          blind=True)
                      for arm in _blinded(rest[:-1].strip() if bracket else None, arms)]
    return added


def _blinded(name: str | None, arms: list[Arm]) -> list[Arm]:
    """Returns the arms that learn from results, that is, all but random search."""
    listening = [arm for arm in arms if not arm.blind and parse_spec(arm.agent).name != "random"]
    if name is None:
        return listening
    found = [arm for arm in listening if arm.name == name]
    if not found:
        raise unknown_name("arm of control 'blind'", name, [arm.name for arm in listening])
    return found
