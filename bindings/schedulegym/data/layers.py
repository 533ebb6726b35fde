"""Layers that are like those of networks."""
from __future__ import annotations

import typing

import numpy as np

from schedulegym import InputError


def _row_of(layer: str) -> tuple[str, dict[str, str]]:
    """Its kind, and its columns; a name or a file without numbers has none."""
    kind, _, rest = layer.partition("(")
    pairs = [pair.partition("=") for pair in rest.rstrip(")").replace(" ", "").split(",") if pair]
    return kind, {key: value for key, _, value in pairs}


def likely_layers(layers: typing.Sequence[str], count: int, seed: int = 0,
                  agree: int | None = None) -> list[str]:
    """Draws workloads whose sizes go together as those of real layers do.

    The kind is drawn first, then the other columns in random order, each value from the layers that
    agree with what was drawn so far (One-Shot Tuner, Ryu et al., CC 2022).

    Args:
        layers: Workloads, such as "conv2d(h=28,w=28,ci=64,co=64,k=3,p=1)".
        count: How many distinct ones to draw, at most.
        seed: Of chance.
        agree: How many columns, those drawn last, a layer must agree in; None for all, so that only
            listed layers are drawn. Fewer give combinations that are not in the list.

    Returns:
        Workloads, each once.

    Raises:
        InputError: There is no layer, ``count`` is below 1, or ``agree`` below 0.

    Example:
        >>> sorted(likely_layers(["softmax(n=1,m=8)", "softmax(n=2,m=9)"], 2))
        ['softmax(n=1,m=8)', 'softmax(n=2,m=9)']
    """
    for name, value, least in (("layers", len(layers), 1), ("count", count, 1), ("agree", agree or 0, 0),
                               ("seed", seed, 0)):
        if value < least:
            raise InputError(f"{name}: found {value}, expected at least {least}")
    chance = np.random.default_rng(seed)
    rows = [_row_of(layer) for layer in layers]
    drawn: dict[str, None] = {}
    for _ in range(100 * count):
        if len(drawn) == count:
            break
        kind, keys = rows[chance.integers(len(rows))]
        chosen: dict[str, str] = {}
        for key in chance.permutation(sorted(keys)):
            fixed = list(chosen.items())[0 if agree is None else max(0, len(chosen) - agree):]
            values = [row[key] for name, row in rows if name == kind and key in row
                      and all(row.get(one) == value for one, value in fixed)]
            chosen[key] = values[chance.integers(len(values))] if values else keys[key]
        columns = ",".join(f"{key}={chosen[key]}" for key in keys)
        drawn[f"{kind}({columns})" if columns else kind] = None
    return list(drawn)
