"""A Python agent for the command line: `--agent "python(module=NAME, class=NAME, ...)"`.

The command starts `python -m schedulegym.agent_server SPEC` and asks on its descriptor 3. The class
is made with the spec's other options, but for `model=FILE` of a class that has `load`: it loads what
an agent of its kind saved there by `tune --save-model`.
"""
import importlib
import sys
import traceback
from typing import Any

from schedulegym import _schedulegym

_SOCKET = 3
# Packages of the training extra, which may be missing.
_TRAINING = ("torch", "stable_baselines3", "sb3_contrib")


def make_agent(spec: str) -> Any:
    """Makes the agent of a spec.

    Args:
        spec: `python(module=NAME, class=NAME, ...)`.

    Returns:
        An object with propose and learn.

    Raises:
        TypeError: The class lacks one of them.
    """
    _, options = _schedulegym.parse_spec(spec)
    module, name = options.pop("module"), options.pop("class")
    kind = getattr(importlib.import_module(str(module)), str(name))
    model = options.pop("model", None) if callable(getattr(kind, "load", None)) else None
    agent = kind(**options)
    for method in ("propose", "learn"):
        if not callable(getattr(agent, method, None)):
            raise TypeError(f"{name} has no method {method}")
    if model is not None:
        wanted = f"python {type(agent).__module__}.{type(agent).__qualname__}"
        agent.load(_schedulegym.read_memory(str(model), wanted))
    return agent


def main() -> None:
    """Serves the agent of the spec that is the only argument."""
    sys.stdout = sys.stderr
    agent, fault, is_machine = None, "", False
    try:
        agent = make_agent(sys.argv[1])
    except ModuleNotFoundError as missing:
        package = (missing.name or "").partition(".")[0]
        is_machine = package in _TRAINING
        fault = (f"missing Python package {package} (to install what training needs: ./sg setup "
                 "train, or pip install sb3-contrib)" if is_machine else _told(missing))
    except Exception as raised:  # pylint: disable=broad-except
        fault = _told(raised)
    _schedulegym.serve_agent(_SOCKET, agent, fault, is_machine)


def _told(raised: Exception) -> str:
    lines = str(raised).splitlines() or [""]
    return f"agent '{sys.argv[1]}': {type(raised).__name__}: {lines[0]}{_place_in(raised)}"


def _place_in(raised: Exception) -> str:
    """" (FILE:LINE)" of the last line that is the agent's, or "" where none of it has run."""
    frames = [frame for frame in traceback.extract_tb(raised.__traceback__)
              if frame.filename != __file__ and not frame.filename.startswith("<frozen")]
    frames = [frame for frame in frames if frame.filename == frames[0].filename]
    return f" ({frames[-1].filename}:{frames[-1].lineno})" if frames else ""


if __name__ == "__main__":
    main()
