"""python -m schedulegym.leaderboard.fresh_outputs WORKLOAD TARGET SEED: a schedule's outputs, checked.

The schedule on stdin and the reference's run on inputs drawn from the seed; exit code 1, with a line
on stdout that says where, unless their outputs agree.
"""
from __future__ import annotations

import sys
from typing import Any

import numpy as np

from schedulegym import Task, Tensor, _schedulegym, compile

_Array = np.ndarray[Any, Any]
# Relative to the largest output; integers must be equal.
_ROUNDING = {"f64": 1e-9, "f32": 1e-4, "f16": 2e-2, "bf16": 5e-2}


def drawn_inputs(tensors: tuple[Tensor, ...], seed: int) -> list[_Array]:
    """Reals from -1 to 1, whole numbers from 0 to 3."""
    rng = np.random.default_rng(seed)
    return [_drawn(tensor, rng) for tensor in tensors]


def first_difference(tensor: Tensor, found: _Array, wanted: _Array) -> str | None:
    """Where two outputs differ by more than rounding; None where they do not."""
    ours, theirs = (_numbers(tensor.dtype, array) for array in (found, wanted))
    known = theirs[np.isfinite(theirs)]
    room = _ROUNDING.get(tensor.dtype, 0.0) * (float(np.max(np.abs(known))) if known.size else 0.0)
    same = np.isclose(ours, theirs, rtol=0.0, atol=room, equal_nan=True)
    if np.all(same):
        return None
    place = tuple(map(int, np.argwhere(~same)[0]))
    return (f"{tensor.name}{list(place)}: found {ours[place]:.9g}, expected {theirs[place]:.9g}; "
            f"{np.count_nonzero(~same)} of {same.size} cells differ")


def main(words: list[str], trace: str) -> int:
    """The exit code."""
    workload, target, seed = words
    task = Task(workload, target)
    kernels = [compile(_schedulegym.reference_schedule(task)), compile(task, trace, target=target)]
    outputs = []
    for kernel in kernels:
        result = kernel(*drawn_inputs(kernel.inputs, int(seed)))
        outputs.append(result if isinstance(result, tuple) else (result,))
    for tensor, wanted, found in zip(kernels[0].outputs, *outputs):
        fault = first_difference(tensor, found, wanted)
        if fault is not None:
            print(fault)
            return 1
    return 0


def _drawn(tensor: Tensor, rng: np.random.Generator) -> _Array:
    shape = tuple(tensor.shape)
    if tensor.dtype not in _ROUNDING:
        return rng.integers(0, 4, shape).astype({"i32": np.int32, "i8": np.int8}[tensor.dtype])
    reals = rng.uniform(-1.0, 1.0, shape)
    if tensor.dtype == "bf16":
        return (reals.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
    return reals.astype({"f64": np.float64, "f32": np.float32, "f16": np.float16}[tensor.dtype])


def _numbers(dtype: str, array: _Array) -> _Array:
    if dtype == "bf16":
        return (array.astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    return array.astype(np.float64)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], sys.stdin.read()))
