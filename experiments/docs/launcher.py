"""The reference page of `./sg`'s own commands and of the package's modules, from their help texts."""
from __future__ import annotations

import os
import pathlib
import subprocess
import sys

import reference

PAGE = "launcher.md"
HEAD = """# Launcher and modules

`./sg` sets up and builds what is missing. Then it runs a command. Its own commands are on this page; all
others are [those of the program](commands.md).

| command | what it does |
| --- | --- |
| [`./sg setup [NAME...]`](#sg-setup) | installs packages |
| [`./sg build`](#sg-build) | builds all targets |
| [`./sg test [PART]`](#sg-test) | runs tests, by part and tier |
| [`./sg docs`](#sg-docs) | builds the manual and serves it |
| [`./sg python [WORD...]`](#sg-python) | runs Python with the package; the words are Python's |
| [`./sg bundle gpu`](#sg-bundle-gpu) | makes a folder for a machine with an NVIDIA card: \
[Take a bundle to a machine with a card](../guide/cuda-bundle.md) |
| [`./sg bench gpu`](#sg-bench-gpu) | times kernels on the card of this machine beside the vendor's libraries |
| [`python -m schedulegym.studies`](#python-m-schedulegymstudies) | studies and boards, started by Python |
| [`python -m schedulegym.data`](#python-m-schedulegymdata) | measured programs for other tools |

In a clone, `./sg python` is a Python that has the modules. Exit codes: \
[Records, files, exit codes](records.md#exit-codes).
"""
STUDIES = """`study`, `ablate`, `report` and `leaderboard` take the options of the program's commands:

```text
python -m schedulegym.studies study FILE -o FOLDER [OPTION...]
python -m schedulegym.studies ablate FILE -o FOLDER [OPTION...]
python -m schedulegym.studies report THING... [OPTION...]
python -m schedulegym.studies leaderboard ACTION THING [OPTION...]
```

Options: [`study`](commands.md#study), [`ablate`](commands.md#ablate), [`report`](commands.md#report),
[`leaderboard`](commands.md#leaderboard). They need the extra `studies` (`./sg setup studies`).
"""
DATA = "Guides: [Collect measured programs](../guide/collect-programs.md), [Train a cost model]" \
       "(../guide/train-a-cost-model.md).\n"


def help_of(*words: object, missing: str = "") -> str:
    """A block with what a command prints for --help; `missing` where it cannot run."""
    package = str(pathlib.Path(reference.PROGRAM).parents[1] / "python")
    path = os.pathsep.join(filter(None, (package, os.environ.get("PYTHONPATH"))))
    try:
        result = subprocess.run([*map(str, words), "--help"], capture_output=True, text=True, check=True,
                                env={**os.environ, "PYTHONPATH": path, "COLUMNS": "100"})
    except (OSError, subprocess.CalledProcessError):
        if not missing:
            raise
        return missing
    return f"```text\n{result.stdout.strip()}\n```\n"


def sections() -> list[tuple[str, str]]:
    """Heading and text of each command that has options."""
    sg, beside = reference.ROOT / "sg", pathlib.Path(reference.PROGRAM).parent
    module = (sys.executable, "-m")
    unbuilt = "`./sg bundle gpu --help` builds it and prints its options.\n"
    extra = "It needs the extra `studies`: `./sg setup studies`.\n"
    found = [*((f"./sg {name}", help_of(sg, name)) for name in ("setup", "build", "test", "docs", "python")),
             ("./sg bundle gpu", help_of(beside / "gpu-bundle", missing=unbuilt)),
             ("./sg bench gpu", "It runs the groups `peer` and `bench` of a bundle that it makes once for each "
              "build. `FOLDER/run` of a bundle takes the same options.\n\n"
              + help_of(beside / "gpu-bundle-run", missing=unbuilt)),
             ("python -m schedulegym.studies", STUDIES)]
    found += [(f"python -m schedulegym.studies.{name}", help_of(*module, f"schedulegym.studies.{name}", missing=extra))
              for name in ("pages", "coverage", "power")]
    data = "\n".join(help_of(*module, "schedulegym.data", *words)
                     for words in ((), ("parquet",), ("likely",), ("some",)))
    return [*found, ("python -m schedulegym.data", DATA + "\n" + data)]


def page_of() -> tuple[str, str, str]:
    """Title, file name and text."""
    text = "\n".join(f"## `{heading}`\n\n{body}" for heading, body in sections())
    return "Launcher and modules", PAGE, f"{HEAD}\n{text}"
