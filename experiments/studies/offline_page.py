"""The page of an offline study: a table of claims, then each model's metrics beside the noise ceiling."""
from __future__ import annotations

import json
import pathlib
from collections.abc import Mapping
from typing import Any

from schedulegym.studies.kept import Kept
from schedulegym.studies.markdown import table, wrapped
from schedulegym.studies.offline import CEILING
from schedulegym.studies.offline_claims import FEATURES, PREDICTION, claim_cells, metric_text, with_values
from schedulegym.studies.packed import read_text, text_of
from schedulegym.studies.source import NAME, read_source
from schedulegym.studies.study_page import HEAD

_FILE = "offline.json.gz"
_ORDER = (("pairs", 3), ("rank", 3), ("rank-best", 2), ("recall", 2), ("rmse", 3), ("mape", 0))
_CHOICES = (("top-1", 3), ("top-5", 3), ("drafts", 3), ("peak@1", 3), ("peak@5", 3))
_SHARES = ("pairs", "rank", "rank-best", "recall", "top-1", "top-5", "drafts")


def page_of(results: pathlib.Path, name: str, page: Mapping[str, Any],
            studies: Mapping[str, Kept] | None = None) -> str:
    """Returns the page; `page` is its table of pages.toml, `studies` are kept studies that claims may name.

    Raises:
        StudyError: its results or its source.toml are missing or damaged, or a claim names
            something that they lack.
    """
    told = json.loads(text_of(results / name / _FILE))
    source, study = read_source(results / name / NAME), told["study"]
    setup = [["programs", f"{', '.join(study['data'])}, split {study['split']}"],
             ["trainings", f"{study['seeds']} of each model, or as its row says, on the split train"],
             *([key, source[key]] for key in ("date", "machine", "cores", "version")),
             ["command", f"`{source['command']}`"], ["kept files", f"`experiments/results/{name}`"]]
    parts = [HEAD.format(what=f"`experiments/results/{name}/notes.md` or `pages.toml`"),
             f"# {page['title']}\n\n{page['question']}\n\n## Claims\n\n",
             table(("claim", "bar", "found offline", "online", "microseconds a prediction"),
                   [claim_cells(told, one, name, studies) for one in page["claims"]]),
             f"\n*Online*: found by searches with the model.\n\n## Models\n\nMeans over trainings. {_intervals_text(told)} *Spread*: the least "
             "and the most of `pairs` among trainings. The ceiling predicts by one half of each "
             "program's own samples. [What each metric means](../../guide/train-a-cost-model.md#metrics)."
             "\n\n", _models_text(told),
             "\n## Costs\n\nMicroseconds for one program in a call with 512, features apart. What networks "
             "show includes the exchange with their process, and the features the replay there.\n\n",
             _costs_text(told),
             *(f"\n## On the split {split}\n\n" + _models_text({**told, **found})
               for split, found in told.get("also", {}).items())]
    notes = results / name / "notes.md"
    if notes.exists():
        parts += ["\n## Notes\n\n", with_values(read_text(notes), told)]
    return wrapped("".join([*parts, "\n## Setup\n\n", table(("", ""), setup)]))


def findings_text(results: pathlib.Path, told: Mapping[str, Any]) -> str:
    """Returns the table of claims of the first page; empty if there are no claims."""
    rows = []
    for name, page in told.get("offline", {}).items():
        found = json.loads(text_of(results / name / _FILE))
        rows += [[*claim_cells(found, one)[:3], f"[{name}]({name}.md)"] for one in page["claims"]]
    if not rows:
        return ""
    return ("## Cost models, on programs measured before\n\n" +
            table(["claim", "bar", "found", "study"], rows) + "\n")


def _intervals_text(told: Mapping[str, Any]) -> str:
    if not any("terms" in metric for model in told["models"].values()
               for metric in model["metrics"].values()):
        return "Intervals of 95 % are over tasks; no difference has one."
    return ("Intervals of 95 % are over tasks and trainings (a bootstrap), over tasks alone where there "
            "is one training; differences and shares of the ceiling are paired by task.")


def _models_text(told: Mapping[str, Any]) -> str:
    """Returns the three tables of one split."""
    rows = []
    for name, model in told["models"].items():
        pairs = model["metrics"]["pairs"]
        rows.append([*_cells(_asked(told, name), model["metrics"], _ORDER),
                     str(model["seeds"]) if _is_trained(told, name) else "-",
                     "-" if model["seeds"] == 1 else f"{pairs['least']:.3f} to {pairs['most']:.3f}"])
    rows.append([*_cells(CEILING, told[CEILING], _ORDER), "-", "-"])
    choices = [_cells(_asked(told, name), model["metrics"], _CHOICES)
               for name, model in told["models"].items()]
    choices.append(_cells(CEILING, told[CEILING], _CHOICES))
    return (table(("order", *(metric for metric, _ in _ORDER), "trainings", "spread"), rows) + "\n" +
            table(("choice", *(metric for metric, _ in _CHOICES)), choices) + _shares_text(told))


def _cells(name: str, metrics: Mapping[str, Any], shown: tuple[tuple[str, int], ...]) -> list[str]:
    return [name, *(metric_text(metrics.get(metric), digits) for metric, digits in shown)]


def _shares_text(told: Mapping[str, Any]) -> str:
    """Returns shares of the ceiling for metrics where higher is better; empty without a ceiling."""
    ceiling = told[CEILING]
    shown = [metric for metric in _SHARES if ceiling.get(metric, {}).get("value")]
    if not shown:
        return ""
    rows = [[_asked(told, name),
             *(f"{model['metrics'][metric]['value'] / ceiling[metric]['value']:.3f}"
               if metric in model["metrics"] else "-" for metric in shown)]
            for name, model in told["models"].items()]
    return "\n" + table(("share of the ceiling", *shown), rows)


def _costs_text(told: Mapping[str, Any]) -> str:
    rows = []
    for name, model in told["models"].items():
        seconds = model["training_seconds"]
        rows.append([*_cells(_asked(told, name), model["metrics"], ((FEATURES, 1), (PREDICTION, 1))),
                     "-" if seconds is None else f"{seconds:.0f}"])
    return table(("model", "features", "prediction", "seconds of training"), rows)


def _is_trained(told: Mapping[str, Any], name: str) -> bool:
    return any(one["name"] == name and one["train"] for one in told["study"]["models"])


def _asked(told: Mapping[str, Any], name: str) -> str:
    """Returns the model's spec, with its name if the spec alone is ambiguous."""
    models = told["study"]["models"]
    model = next(one for one in models if one["name"] == name)
    spec = model["train"] or model["model"]
    alike = [one for one in models if (one["train"] or one["model"]) == spec]
    if len(alike) == 1 and not model.get("data") and not model.get("rows"):
        return f"`{spec}`"
    return f"`{spec}`, `{name}`"
