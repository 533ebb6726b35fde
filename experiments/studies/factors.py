"""Factors: from the runs of a design to differences that show the effect of each level.

A cell is a choice of a level for each factor, a tuple of their indices. `logs[cell][case][seed]` is
the logarithm of a run's speed. The first level of a factor is its base.
"""
from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import TypeVar

import numpy as np

from schedulegym.studies.curves import Array

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")

Cell = tuple[int, ...]
Logs = Mapping[Cell, Mapping[str, Mapping[int, float]]]


def full_factorial(levels: Sequence[int]) -> list[Cell]:
    """Returns all cells; `levels` is the number of levels of each factor."""
    return list(itertools.product(*map(range, levels)))


def one_at_a_time(levels: Sequence[int]) -> list[Cell]:
    """Returns the base, and each other level of each factor with all others at their base."""
    base = tuple(0 for _ in levels)
    return [base] + [base[:factor] + (level,) + base[factor + 1:]
                     for factor, count in enumerate(levels) for level in range(1, count)]


def main_effect(logs: Logs, factor: int, level: int) -> dict[str, Array]:
    """Returns, by case, a difference for each seed of `level` against the base.

    It is the mean over all settings of the other factors at which both were run; a one-at-a-time design
    has one such setting. A seed counts if all its runs are finished.
    """
    pairs = [({_with(cell, factor, level): 1.0, cell: -1.0}) for cell in logs
             if cell[factor] == 0 and _with(cell, factor, level) in logs]
    return _contrast(logs, pairs)


def interaction(logs: Logs, first: tuple[int, int], second: tuple[int, int]) -> dict[str, Array]:
    """Returns, by case and seed, the extra effect of one (factor, level) if the other is also set."""
    (one, a), (two, b) = first, second
    squares = []
    for cell in logs:
        if cell[one] or cell[two]:
            continue
        signs = {_with(_with(cell, one, a), two, b): 1.0, _with(cell, one, a): -1.0,
                 _with(cell, two, b): -1.0, cell: 1.0}
        if all(corner in logs for corner in signs):
            squares.append(signs)
    return _contrast(logs, squares)


def paired(ours: Mapping[str, Mapping[int, float]],
           theirs: Mapping[str, Mapping[int, float]]) -> dict[str, Array]:
    """Returns, by case, the difference ours - theirs for each seed that both have."""
    return _contrast({(0,): ours, (1,): theirs}, [{(0,): 1.0, (1,): -1.0}])


def _with(cell: Cell, factor: int, level: int) -> Cell:
    return cell[:factor] + (level,) + cell[factor + 1:]


def _contrast(logs: Logs, terms: Sequence[Mapping[Cell, float]]) -> dict[str, Array]:
    if not terms:
        return {}
    cells = sorted({cell for term in terms for cell in term})
    weights = [sum(term.get(cell, 0.0) for term in terms) / len(terms) for cell in cells]
    differences = {}
    for case in _in_all([logs[cell] for cell in cells]):
        seeds = _in_all([logs[cell][case] for cell in cells])
        if seeds:
            table = np.array([[logs[cell][case][seed] for seed in seeds] for cell in cells])
            differences[case] = np.asarray(np.array(weights) @ table)
    return differences


def _in_all(mappings: Sequence[Mapping[_Key, _Value]]) -> list[_Key]:
    """Returns the keys of the first that all others have, in its order."""
    first, *others = mappings
    return [key for key in first if all(key in other for other in others)]
