"""Reads the lines of `records export`, for the scripts beside it."""
import json
import pathlib

from results_table import fail


def search_of(record):
    """(workload, agent, space, seed)"""
    return (record["task"]["workload"], record["agent"], record.get("space", "-"), record["seed"])


def read_each(path, take):
    """What `take` makes of each record but sentinels, where that is not None; a line that is no
    record ends the script with one that names it.
    """
    try:
        lines = pathlib.Path(path).read_text().splitlines()
    except OSError as error:
        fail(f"{path}: {error.strerror}")
    for number, line in enumerate(lines, 1):
        try:
            record = json.loads(line)
            taken = take(record) if "state_key" in record.keys() else None
        except (AttributeError, ValueError, TypeError, KeyError):
            fail(f"{path}:{number}: found no record of `records export`")
        if taken is not None:
            yield taken
