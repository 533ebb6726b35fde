"""A T4 file: another tuner's results, four configurations, of which one failed."""
import json

RESULTS = {
    "schema_version": "1.0.0",
    "metadata": {},
    "results": [
        {"configuration": {"block": block, "unroll": unroll}, "invalidity": invalidity,
         "correctness": 1, "objectives": ["time"],
         "times": {"compilation_time": 1000, "framework": 0, "search_algorithm": 0,
                   "validation": 0, "runtimes": [5.0]},
         "measurements": [{"name": "time", "value": value, "unit": "ms"}]}
        for block, unroll, invalidity, value in (
            (32, 0, "correct", 4.0), (64, 0, "correct", 2.0), (32, 1, "correct", 1.0),
            (64, 1, "compile", None))],
}


def write(path):
    """The path, written."""
    path.write_text(json.dumps(RESULTS))
    return path
