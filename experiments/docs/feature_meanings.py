"""What the columns of the observation `ansor` mean, by families of their names.

As env/features/ansor_features.cc makes them. Numbers but flags are sign(x) log2(1 + |x|).
"""
from __future__ import annotations

import re

_PLACES = {"none": "there is none", "mixed": "there is one, wherever it is (the published code says no more)",
           "inner_spatial": "it is the innermost spatial loop", "middle_spatial": "it is a spatial loop between others",
           "outer_spatial": "it is the outermost spatial loop", "inner_reduction": "it is the innermost reduction loop",
           "middle_reduction": "it is a reduction loop between others",
           "outer_reduction": "it is the outermost reduction loop"}
_LOOPS = {"vector": "vectorized", "unroll": "unrolled", "parallel": "parallel"}
_OPERATIONS = {"multiply_add": "fused multiply-adds (always 0, as published)", "add": "additions and subtractions",
               "multiply": "multiplications", "divide": "divisions and remainders", "compare": "comparisons, `min` and `max`",
               "function": "functions such as `exp`", "call": "other calls (none in these programs)"}
_BUFFER = {
    "is_read": "1 where the statement reads it alone", "is_write": "1 where it writes it alone",
    "is_read_write": "1 where it does both", "bytes": "bytes accessed, over all iterations",
    "unique_bytes": "bytes of distinct elements accessed", "lines": "cache lines accessed, over all iterations",
    "unique_lines": "distinct cache lines accessed",
    "reuse_in_loop": "1 where an element is met again in a loop that its index does not use",
    "reuse_serial": "1 where another statement meets it again", "reuse_none": "1 where nothing meets it again",
    "reuse_iterations": "iterations between two uses", "reuse_bytes": "bytes touched between two uses",
    "reuse_count": "uses", "bytes_per_reuse": "`bytes` by `reuse_count`",
    "unique_bytes_per_reuse": "`unique_bytes` by `reuse_count`", "lines_per_reuse": "`lines` by `reuse_count`",
    "unique_lines_per_reuse": "`unique_lines` by `reuse_count`",
    "stride": "elements from one access to the next in the innermost loop that its index uses"}
_ONES = {
    "boolean": "operations on truth values, over all iterations", "select": "selections, over all iterations",
    "gpu.is_gpu": "1 for targets that are GPUs", "gpu.virtual_threads": "extent of virtual threads",
    "allocation.bytes": "bytes of the stored buffer", "allocation.product": "its elements times `allocation.outer`",
    "allocation.outer": "iterations of the loops around its allocation",
    "allocation.inner": "iterations of the loops within",
    "scope.product": "iterations of the statement", "scope.loops": "loops of the statement",
    "scope.unroll_step": "the limit of `auto_unroll_max_step`"}


def meaning_of(column: str) -> str | None:
    """What a column of the observation `ansor` means.

    Args:
        column: Its name, such as 'buffer0.lines'.

    Returns:
        A few words; None for a name of no family.
    """
    if column in _ONES:
        return _ONES[column]
    found = re.fullmatch(r"(float|integer)_(\w+)", column)
    if found and found[2] in _OPERATIONS:
        kind = "floating-point" if found[1] == "float" else "integer"
        return f"{kind} {_OPERATIONS[found[2]]}, over all iterations"
    found = re.fullmatch(r"(vector|unroll|parallel)\.(?:at_)?(\w+)", column)
    if found:
        return _annotated(_LOOPS[found[1]], found[2])
    found = re.fullmatch(r"gpu\.(block|thread)_([xyz])", column)
    if found:
        return f"extent of {found[1]}Idx.{found[2]}"
    found = re.fullmatch(r"buffer(\d)\.(\w+)", column)
    if found and found[2] in _BUFFER:
        return f"of the buffer number {found[1]} by cache lines: {_BUFFER[found[2]]}"
    found = re.fullmatch(r"intensity(\d)", column)
    if found:
        return (f"operations by bytes touched when {int(found[1]) + 1} tenths of the work are done, from the "
                "innermost loop out")
    return None


def _annotated(kind: str, what: str) -> str | None:
    if what in _PLACES:
        return f"1 where of {kind} loops {_PLACES[what]}"
    return {"count": f"{kind} loops", "product": f"product of the extents of {kind} loops",
            "innermost": f"extent of the innermost of the {kind} loops"}.get(what)
