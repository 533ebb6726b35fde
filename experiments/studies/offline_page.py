"""The page of an offline study: a table of claims, then each model's metrics beside the noise ceiling."""
from __future__ import annotations

import json
import pathlib
from collections.abc import Mapping
from typing import Any

from schedulegym.studies.faults import StudyError
from schedulegym.studies.markdown import table, wrapped
from schedulegym.studies.offline import CEILING, model_named
from schedulegym.studies.packed import read_text, text_of
from schedulegym.studies.source import NAME, read_source
from schedulegym.studies.study_page import HEAD

_FILE = "offline.json.gz"
_SHOWN = (("pairs", 3), ("rank", 3), ("top-1", 3), ("top-5", 3), ("peak@1", 3), ("rank-best", 2),
          ("mape", 0))
_FEATURES, _PREDICTION = "features-us-512", "predict-us-512"


def page_of(results: pathlib.Path, name: str, page: Mapping[str, Any]) -> str:
    """`page` is what pages.toml says of it.

    Raises:
        StudyError: its results or its source.toml are missing or damaged, or a claim names what
            they do not have.
    """
    told = json.loads(text_of(results / name / _FILE))
    source, study = read_source(results / name / NAME), told["study"]
    setup = [["programs", f"{', '.join(study['data'])}, split {study['split']}"],
             ["trainings", f"{study['seeds']} of each model, or as its row says, on the split train"],
             *([key, source[key]] for key in ("date", "machine", "cores", "version")),
             ["command", f"`{source['command']}`"], ["kept files", f"`experiments/results/{name}`"]]
    parts = [HEAD.format(what=f"`experiments/results/{name}/notes.md` or `pages.toml`"),
             f"# {page['title']}\n\n{page['question']}\n\n## Claims\n\n",
             table(("claim", "bar", "found offline", "microseconds a prediction"),
                   [_claim(told, one) for one in page["claims"]]),
             "\n## Models\n\nMeans over trainings. Intervals of 95 % are over tasks. *Spread*: the least "
             "and the most of `pairs` among trainings. The ceiling predicts by one half of each "
             "program's own samples.\n\n", _models_text(told),
             "\n## Costs\n\nMicroseconds for one program in a call with 512, features apart. What networks "
             "show includes the exchange with their process, and the features the replay there.\n\n",
             _costs_text(told),
             *(f"\n## On the split {split}\n\n" + _models_text({**told, **found})
               for split, found in told.get("also", {}).items())]
    notes = results / name / "notes.md"
    if notes.exists():
        parts += ["\n## Notes\n\n", read_text(notes)]
    return wrapped("".join([*parts, "\n## Setup\n\n", table(("", ""), setup)]))


def findings_text(results: pathlib.Path, told: Mapping[str, Any]) -> str:
    """The table of claims of the first page; empty where there are none."""
    rows = []
    for name, page in told.get("offline", {}).items():
        found = json.loads(text_of(results / name / _FILE))
        rows += [[*_claim(found, one)[:3], f"[{name}]({name}.md)"] for one in page["claims"]]
    if not rows:
        return ""
    return ("## Cost models, on programs measured before\n\n" +
            table(["claim", "bar", "found", "study"], rows) + "\n")


def _claim(told: Mapping[str, Any], one: Mapping[str, Any]) -> list[str]:
    """A model's metric, or by how much it is above another model's; on the study's split or `split`."""
    unknown = one.keys() - {"text", "bar", "model", "metric", "over", "split"}
    if unknown:
        raise StudyError(f"claims: found {', '.join(sorted(unknown))}, expected text, bar, model, "
                         "metric, over, split")
    cost, metric, split = _cost(told, one["model"]), one["metric"], one.get("split")
    if split is not None:
        if split not in told.get("also", {}):
            raise StudyError(f"claims: found split '{split}', expected one of "
                             f"{', '.join(told.get('also', {})) or 'none'}")
        told = {**told, **told["also"][split]}
    value, seen = _value(told, one["model"], metric), one["model"]
    found = _shown(told, seen, metric)
    if "over" in one:
        off = value - _value(told, one["over"], metric)
        found = f"{off:+.3f} ({found} and {_shown(told, one['over'], metric)})"
        seen += f"` over `{one['over']}"
    where = "" if split is None else f" on {split}"
    return [one["text"], one["bar"], f"`{seen}`, `{metric}`{where}: {found}", f"{cost:.0f}"]


def _value(told: Mapping[str, Any], model: str, metric: str) -> float:
    metrics = model_named(told, model)["metrics"]
    if metric not in metrics:
        raise StudyError(f"claims: {model} has no {metric}, expected one of {', '.join(metrics)}")
    return float(metrics[metric]["value"])


def _shown(told: Mapping[str, Any], model: str, metric: str) -> str:
    return _cell(model_named(told, model)["metrics"][metric], 3)


def _cost(told: Mapping[str, Any], model: str) -> float:
    return _value(told, model, _FEATURES) + _value(told, model, _PREDICTION)


def _models_text(told: Mapping[str, Any]) -> str:
    rows = []
    for name, model in told["models"].items():
        pairs = model["metrics"]["pairs"]
        rows.append([f"`{_asked(told, name)}`",
                     *(_cell(model["metrics"].get(metric), digits) for metric, digits in _SHOWN),
                     str(model["seeds"]) if _is_trained(told, name) else "-",
                     "-" if model["seeds"] == 1 else f"{pairs['least']:.3f} to {pairs['most']:.3f}"])
    rows.append([CEILING, *(_cell(told[CEILING].get(metric), digits) for metric, digits in _SHOWN),
                 "-", "-"])
    return table(("model", *(metric for metric, _ in _SHOWN), "trainings", "spread"), rows)


def _costs_text(told: Mapping[str, Any]) -> str:
    rows = []
    for name, model in told["models"].items():
        seconds = model["training_seconds"]
        rows.append([f"`{_asked(told, name)}`", f"{_value(told, name, _FEATURES):.1f}",
                     f"{_value(told, name, _PREDICTION):.1f}",
                     "-" if seconds is None else f"{seconds:.0f}"])
    return table(("model", "features", "prediction", "seconds of training"), rows)


def _is_trained(told: Mapping[str, Any], name: str) -> bool:
    return any(one["name"] == name and one["train"] for one in told["study"]["models"])


def _asked(told: Mapping[str, Any], name: str) -> str:
    model = next(one for one in told["study"]["models"] if one["name"] == name)
    return str(model["train"] or model["model"])


def _cell(told: Mapping[str, Any] | None, digits: int) -> str:
    if told is None or told["value"] is None:
        return "-"
    text = f"{told['value']:.{digits}f}"
    if told.get("low") is None:
        return text
    return f"{text} [{told['low']:.{digits}f}, {told['high']:.{digits}f}]"
