"""Modules by their old names: an import warns once and gives the module of today."""
from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import sys
import types
import warnings
from collections.abc import Sequence

MODULES = {
    "schedulegym.leaderboard.barren": "schedulegym.leaderboard.invalid_runs",
    "schedulegym.leaderboard.chance": "schedulegym.studies.random_baseline",
    "schedulegym.leaderboard.random_baseline": "schedulegym.studies.random_baseline",
    "schedulegym.leaderboard.seal": "schedulegym.leaderboard.signature",
    "schedulegym.studies.gap": "schedulegym.studies.regret",
    "schedulegym.studies.judged": "schedulegym.studies.leakage",
    "schedulegym.studies.luggage": "schedulegym.studies.run_files",
    "schedulegym.studies.planted": "schedulegym.studies.power",
}


class _OldNames(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    def find_spec(self, fullname: str, path: Sequence[str] | None,
                  target: types.ModuleType | None = None) -> importlib.machinery.ModuleSpec | None:
        if fullname not in MODULES:
            return None
        new = importlib.util.find_spec(MODULES[fullname])
        assert new is not None
        return importlib.machinery.ModuleSpec(fullname, self, origin=new.origin)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType | None:
        return None

    def exec_module(self, module: types.ModuleType) -> None:
        old = module.__name__
        warnings.warn(f"{old} is {MODULES[old]} now", DeprecationWarning, stacklevel=2)
        sys.modules[old] = importlib.import_module(MODULES[old])

    def get_code(self, fullname: str) -> types.CodeType | None:
        """Of `python -m`."""
        warnings.warn(f"{fullname} is {MODULES[fullname]} now", DeprecationWarning, stacklevel=2)
        spec = importlib.util.find_spec(MODULES[fullname])
        assert spec is not None and isinstance(spec.loader, importlib.abc.InspectLoader)
        return spec.loader.get_code(MODULES[fullname])

    def get_source(self, fullname: str) -> str | None:
        return None


def install() -> None:
    """Before a package whose modules were renamed; once."""
    if not any(isinstance(finder, _OldNames) for finder in sys.meta_path):
        sys.meta_path.append(_OldNames())
