"""Offline studies: cost models on recorded programs, trained once per seed.

    kind = "offline"
    name = "Cost models"
    data = ["programs-v1"]
    split = "valid"
    also = ["networks", "strange"]   # further splits on which each trained model is evaluated
    seeds = 3

    [models.pretrained]
    model = "pretrained"             # evaluated without training, once

    [models.mlp]
    train = "mlp"                    # trained first, on the data's split train

    [models.two_targets]
    train = "tlp(heads=target)"
    data = ["programs-v1", "programs-v1-haswell"]   # files to learn from instead
    rows = {programs-v1-haswell = 838}              # number of programs of a file's split train
"""
from __future__ import annotations

import argparse
import dataclasses
import hashlib
import json
import pathlib
import sys
import tempfile
from collections.abc import Mapping, Sequence
from typing import Any

from schedulegym.command import program
from schedulegym.data import write_some
from schedulegym.studies.calls import call
from schedulegym.studies.faults import StudyError, unknown_name
from schedulegym.studies.fields import Fields
from schedulegym.studies.folder import replace
from schedulegym.studies.machine import facts_here, version
from schedulegym.studies.packed import read_text
from schedulegym.studies.progress import Progress
from schedulegym.studies.source import NAME, source_of, source_text
from schedulegym.studies.task_terms import interval_of, sample_of

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

KIND, RESULTS = "offline", "results.json"
CEILING = "ceiling"
_KEYS = ("kind", "name", "about", "data", "split", "also", "space", "seeds", "models")
_FORM = 2  # version of the files of runs; 2: with the terms of each task
_MOST_SECONDS = 4 * 3600.0  # limit of one call, including its training


Runs = dict[str, list[dict[str, Any]]]  # by model, one for each seed


@dataclasses.dataclass(frozen=True)
class OfflineModel:
    """A model to evaluate; one of `model` and `train` is empty."""

    name: str
    model: str  # a spec for `evaluate`
    train: str  # a spec for `train`
    seeds: int = 1  # number of trainings
    data: tuple[str, ...] = ()  # files to learn from; () for the study's
    rows: tuple[tuple[str, int], ...] = ()  # a file of these and the number of its programs to use


@dataclasses.dataclass(frozen=True)
class OfflineStudy:
    """The contents of a study's file."""

    name: str
    about: str
    data: tuple[str, ...]
    split: str
    space: str  # "" for all spaces
    seeds: int
    models: tuple[OfflineModel, ...]
    also: tuple[str, ...] = ()  # further splits to evaluate

    @property
    def runs(self) -> list[tuple[OfflineModel, int]]:
        """Returns each trained model once per seed, and each other model once."""
        return [(model, seed) for model in self.models
                for seed in range(model.seeds)]


def is_offline(path: pathlib.Path) -> bool:
    """Returns whether a file is an offline study; False if unreadable, which its reader reports."""
    try:
        return bool(tomllib.loads(read_text(path)).get("kind") == KIND)
    except (OSError, ValueError):
        return False


def read_offline(path: pathlib.Path, smallest: bool = False) -> OfflineStudy:
    """Reads a file; with `smallest`, values of [smoke] replace those of the study.

    Raises:
        StudyError: the file is invalid; one line.
    """
    values = tomllib.loads(read_text(path))
    other = values.pop("smoke", {})
    try:
        return _study_of({**values, **other} if smallest else values, path.stem)
    except StudyError as fault:
        raise StudyError(f"{path}: {fault}") from None


def run_offline(study: OfflineStudy, out: pathlib.Path, command: str, progress: Progress) -> None:
    """Makes the missing runs, then results.json and source.toml.

    Raises:
        StudyError: a call of the program failed, with its error line.
    """
    out.mkdir(parents=True, exist_ok=True)
    runs: dict[str, Runs] = {}  # by split
    asked = [(split, *one) for split in (study.split, *study.also) for one in study.runs]
    for place, (split, model, seed) in enumerate(asked):
        file = out / "runs" / f"{model.name}-{seed}-{_key(study, split, model, seed)}.json"
        if not file.exists():
            progress.say(f"{place + 1} of {len(asked)}: {model.name}, seed {seed}, split {split}")
            replace(file, json.dumps(_run(study, split, model, seed, out), indent=1) + "\n")
        runs.setdefault(split, {}).setdefault(model.name, []).append(json.loads(read_text(file)))
    replace(out / RESULTS, json.dumps(_results(study, runs), indent=1) + "\n")
    made = [one["facts"] for found in runs[study.split].values() for one in found]
    replace(out / NAME, source_text(source_of(made, [], command)))
    progress.event("done", runs=len(study.runs), report=str(out / RESULTS))


def refuse_options(given: argparse.Namespace) -> None:
    """Raises StudyError for options that only studies of searches take."""
    for option in ("shard", "merge", "seconds"):
        if getattr(given, option):
            raise StudyError(f"--{option}: found it with an offline study, expected none")


def _study_of(values: Mapping[str, Any], stem: str) -> OfflineStudy:
    fields = Fields(values, "the study", _KEYS)
    data = fields.any("data")
    if not isinstance(data, list) or not data or not all(isinstance(one, str) for one in data):
        raise fields.wrong("data", data, "a list of files or sets of programs")
    told = fields.any("models")
    if not isinstance(told, dict) or not told:
        raise fields.wrong("models", told, "tables [models.NAME]")
    seeds = fields.whole("seeds", 1) or 1
    split, also = str(fields.text("split", "valid")), fields.any("also") or []
    if not isinstance(also, list) or not all(isinstance(one, str) for one in also):
        raise fields.wrong("also", also, "a list of splits")
    if len({split, *also}) <= len(also):
        raise StudyError(f"also: found {', '.join(also)} beside split {split}, expected each once")
    return OfflineStudy(
        name=str(fields.text("name", stem)), about=str(fields.text("about", "") or ""),
        data=tuple(data), split=split, also=tuple(also),
        space=str(fields.text("space", "") or ""), seeds=seeds,
        models=tuple(_model(name, one, seeds, data) for name, one in told.items()))


def _model(name: str, told: Any, seeds: int, study_data: Sequence[str]) -> OfflineModel:
    if not isinstance(told, dict):
        raise StudyError(f"models.{name}: found {told!r}, expected a table")
    if name == CEILING or not name.replace("_", "").isalnum():
        raise StudyError(f"models: found '{name}', expected a name of letters, digits and _")
    fields = Fields(told, f"models.{name}", ("model", "train", "seeds", "data", "rows"))
    model, train = fields.text("model"), fields.text("train")
    if (model is None) == (train is None):
        raise StudyError(f"models.{name}: expected one of model and train")
    data, rows = fields.any("data") or [], fields.any("rows") or {}
    if not isinstance(data, list) or not all(isinstance(one, str) for one in data):
        raise fields.wrong("data", data, "a list of files or sets of programs")
    if not isinstance(rows, dict) or any(type(count) is not int or count < 1 for count in rows.values()):
        raise fields.wrong("rows", rows, "a table of files with how many programs of each")
    if model and (data or rows):
        raise StudyError(f"models.{name}: {'data' if data else 'rows'} goes with train")
    for file in rows:
        if file not in (data or study_data):
            raise unknown_name(f"file in rows of models.{name}", file, data or study_data)
    return OfflineModel(name, model or "", train or "",
                        (fields.whole("seeds", 1) or seeds) if train else 1, tuple(data),
                        tuple(rows.items()))


def _key(study: OfflineStudy, split: str, model: OfflineModel, seed: int) -> str:
    """Returns the digest of all inputs of a run's results."""
    told = [_FORM, study.data, split, study.space, model.model, model.train, seed]
    if model.data or model.rows:
        told.append([model.data, model.rows])
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:12]


def _call(words: Sequence[str]) -> list[dict[str, Any]]:
    code, out, err = call([program(), *words, "--json"], "", _MOST_SECONDS)
    if code != 0:
        lines = err.strip().splitlines() or [f"exit code {code}"]
        raise StudyError(f"{' '.join(words[:2])}: {lines[-1].removeprefix('error: ')}")
    return [json.loads(line) for line in out.splitlines()]


def _run(study: OfflineStudy, split: str, model: OfflineModel, seed: int, out: pathlib.Path
         ) -> dict[str, Any]:
    """Evaluates a model; a further split reuses the trained model if its file still exists."""
    space = ["--space", study.space] if study.space else []
    what, training = model.model, {}
    if model.train:
        file = out / f"{model.name}-{seed}.model"
        what = str(file)
        if split == study.split or not file.exists():
            file.unlink(missing_ok=True)
            with tempfile.TemporaryDirectory(dir=out) as fewer:
                data = _training_data(study, model, pathlib.Path(fewer))
                events = _call(["train", model.train, "--data", *data, *space, "--seed", str(seed),
                                "-o", what])
            training = next(one for one in events if one["event"] == "done")
    events = _call(["evaluate", what, "--data", *study.data, "--split", split, *space])
    rows = [one for one in events if one["event"] == "row" and not one.get("network")]
    return {"training": {key: training[key] for key in ("elapsed", "epochs") if key in training},
            "facts": facts_here(),
            "rows": {owner: {row["metric"]: {key: row.get(key) for key in ("value", "low", "high", "terms")}
                             for row in rows if (row["model"] == CEILING) == (owner == CEILING)}
                     for owner in ("model", CEILING)}}


def _training_data(study: OfflineStudy, model: OfflineModel, folder: pathlib.Path) -> list[str]:
    """Returns the files to learn from; writes those with fewer programs to the folder."""
    fewer = dict(model.rows)
    data = []
    for name in model.data or study.data:
        if name in fewer:
            file = folder / f"{len(data)}.points.gz"
            write_some(name, fewer[name], file)
            data.append(str(file))
        else:
            data.append(name)
    return data


def _results(study: OfflineStudy, runs: Mapping[str, Runs]) -> dict[str, Any]:
    told = dataclasses.asdict(study)
    also = told.pop("also")
    further = {"also": {split: _split_results(runs[split]) for split in also}} if also else {}
    return {"study": told, **_split_results(runs[study.split]), **further, "version": version()}


def _split_results(runs: Runs) -> dict[str, Any]:
    """Returns means over trainings, intervals over tasks and trainings, and the range over trainings."""
    told: dict[str, Any] = {}
    for name, found in runs.items():
        seconds = [one["training"]["elapsed"] for one in found if one["training"]]
        told[name] = {"seeds": len(found), "training_seconds": _mean(seconds) if seconds else None,
                      "metrics": {metric: _over_seeds(metric, [one["rows"]["model"][metric] for one in found])
                                  for metric in found[0]["rows"]["model"]}}
    ceiling = next(iter(runs.values()))[0]["rows"][CEILING]
    return {"models": told,
            CEILING: {metric: _over_seeds(metric, [row]) for metric, row in ceiling.items()}}


def _over_seeds(metric: str, rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    values = [row["value"] for row in rows]
    told = {"value": _mean(values), "low": None, "high": None, "least": min(values), "most": max(values)}
    if any(row["terms"] is None for row in rows):
        return told  # a time has no terms
    terms = [[[_short(number) for number in pair] for pair in row["terms"]] for row in rows]
    interval = interval_of(sample_of(metric, terms))
    return {**told, "low": interval.low, "high": interval.high, "terms": terms}


def _short(number: float) -> float:
    """Rounds to six digits, more than any page shows."""
    return float(f"{number:.6g}")


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def model_named(told: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """Returns the results of one model.

    Raises:
        StudyError: there is no model of that name.
    """
    if name not in told["models"]:
        raise unknown_name("model", name, told["models"])
    found: Mapping[str, Any] = told["models"][name]
    return found
