"""A Python agent for the command line: `--agent "python(module=NAME, class=NAME, ...)"`.

The command starts `python -m schedulegym.agent_server SPEC` and asks on its descriptor 3. The class
is made with the spec's other options.
"""
import importlib
import sys
from typing import Any

from schedulegym import _schedulegym

_SOCKET = 3


def make_agent(spec: str) -> Any:
    """The agent of a spec: an object with propose and learn."""
    _, options = _schedulegym.parse_spec(spec)
    module, name = options.pop("module"), options.pop("class")
    agent = getattr(importlib.import_module(str(module)), str(name))(**options)
    for method in ("propose", "learn"):
        if not callable(getattr(agent, method, None)):
            raise TypeError(f"{name} has no method {method}")
    return agent


def main() -> None:
    """Serves the agent of the spec that is the only argument."""
    sys.stdout = sys.stderr
    agent, fault = None, ""
    try:
        agent = make_agent(sys.argv[1])
    except Exception as raised:  # pylint: disable=broad-except
        lines = str(raised).splitlines() or [""]
        fault = f"agent '{sys.argv[1]}': {type(raised).__name__}: {lines[0]}"
    _schedulegym.serve_agent(_SOCKET, agent, fault)


if __name__ == "__main__":
    main()
