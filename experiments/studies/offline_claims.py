"""Claims of an offline study's page: a metric, its share of the noise ceiling, or its lead over a model.

If the kept results have the terms of each task, a difference or a share has an interval paired by task.
Otherwise each of the two values has its own interval.
"""
from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from typing import Any

from schedulegym.studies.faults import StudyError
from schedulegym.studies.kept import Kept
from schedulegym.studies.offline import CEILING, model_named
from schedulegym.studies.study_page import with_ratios
from schedulegym.studies.task_terms import Interval, Sample, difference_of, sample_of, share_of

BEST = "best"
_VALUE = re.compile(r"\{(\w+) ([\w@-]+)(?: on (\w+))?\}")
_KEYS = ("text", "bar", "model", "metric", "over", "of_ceiling", "split", "link",
         "online")
FEATURES, PREDICTION = "features-us-512", "predict-us-512"


def claim_cells(told: Mapping[str, Any], one: Mapping[str, Any], page: str = "",
                studies: Mapping[str, Kept] | None = None) -> list[str]:
    """Returns text, bar, result on the study's split or on `split`, online result, and microseconds.

    The model `best` has the best value of all in the study. `link` names a study of searches, to which
    the page named `page` links; `online` describes its result, with ratios as in notes. Without `link`
    the claim has no online result.

    Raises:
        StudyError: a key is unknown, or the results lack what the claim names.
    """
    unknown = one.keys() - {*_KEYS}
    if unknown:
        raise StudyError(f"claims: found {', '.join(sorted(unknown))}, expected {', '.join(_KEYS)}")
    if "over" in one and one.get("of_ceiling"):
        raise StudyError("claims: found over and of_ceiling, expected one of them")
    metric, split, whole = one["metric"], one.get("split"), told
    told = of_split(told, split)
    model = _best(told, metric) if one["model"] == BEST else one["model"]
    seen, found = f"`{model}`", metric_text(_metric(told, model, metric))
    if "over" in one:
        seen += f" over `{one['over']}`"
        found = _difference(_metric(told, model, metric), _metric(told, one["over"], metric), metric)
    elif one.get("of_ceiling"):
        found = _share(_metric(told, model, metric), _ceiling(told, metric), metric)
    where = "" if split is None else f" on {split}"
    return [one["text"], one["bar"], f"{seen}, `{metric}`{where}: {found}", _online(one, page, studies or {}),
            cost_text(whole, model)]


def _online(one: Mapping[str, Any], page: str, studies: Mapping[str, Kept]) -> str:
    if "link" not in one:
        return "not run"
    text = one.get("online", "in a search")
    if one["link"] in studies:
        text = with_ratios(text, studies[one["link"]], studies)
    return f"[{text}]({posixpath.relpath(one['link'] + '.md', posixpath.dirname(page) or '.')})"


def of_split(told: Mapping[str, Any], split: str | None) -> Mapping[str, Any]:
    """Returns the results of a further split, or of the study's own for None.

    Raises:
        StudyError: there is no split of that name.
    """
    if split is None:
        return told
    if split not in told.get("also", {}):
        raise StudyError(f"claims: found split '{split}', expected one of "
                         f"{', '.join(told.get('also', {})) or 'none'}")
    return {**told, **told["also"][split]}


def value_of(told: Mapping[str, Any], model: str, metric: str) -> float:
    """Returns the value of a metric of a model.

    Raises:
        StudyError: the results lack it.
    """
    return float(_metric(told, model, metric)["value"])


def cost_text(told: Mapping[str, Any], model: str) -> str:
    """Returns microseconds of features and prediction per program, in a call with 512; - if untimed."""
    metrics = model_named(told, model)["metrics"]
    if FEATURES not in metrics:
        return "-"
    return f"{metrics[FEATURES]['value'] + metrics[PREDICTION]['value']:.0f}"


def with_values(text: str, told: Mapping[str, Any]) -> str:
    """Replaces `{MODEL METRIC}` and `{MODEL METRIC on SPLIT}` in the text by values.

    The metric `cost` is cost_text, and `training` is the mean seconds of a training.

    Raises:
        StudyError: the results lack what a placeholder names.
    """
    return _VALUE.sub(lambda found: _named(told, found[1], found[2], found[3]), text)


def _named(told: Mapping[str, Any], model: str, metric: str, split: str | None) -> str:
    if metric == "cost":
        return cost_text(told, model)
    if metric == "training":
        return f"{model_named(told, model)['training_seconds']:.0f}"
    value = value_of(of_split(told, split), model, metric)
    return f"{value:.0f}" if metric == "mape" else f"{value:.3f}"


def metric_text(told: Mapping[str, Any] | None, digits: int = 3) -> str:
    """Returns a value with its interval, if it has one; - if there is no value."""
    if told is None or told["value"] is None:
        return "-"
    text = f"{told['value']:.{digits}f}"
    if told.get("low") is None:
        return text
    return f"{text} [{told['low']:.{digits}f}, {told['high']:.{digits}f}]"


def _metric(told: Mapping[str, Any], model: str, metric: str) -> Mapping[str, Any]:
    metrics: Mapping[str, Any] = model_named(told, model)["metrics"]
    if metric not in metrics:
        raise StudyError(f"claims: {model} has no {metric}, expected one of {', '.join(metrics)}")
    found: Mapping[str, Any] = metrics[metric]
    return found


def _ceiling(told: Mapping[str, Any], metric: str) -> Mapping[str, Any]:
    found: Mapping[str, Any] | None = told[CEILING].get(metric)
    if found is None:
        raise StudyError(f"claims: the noise ceiling has no {metric}, expected one of "
                         f"{', '.join(told[CEILING]) or 'none'}")
    return found


def _best(told: Mapping[str, Any], metric: str) -> str:
    values = {name: model["metrics"][metric]["value"] for name, model in told["models"].items()
              if metric in model["metrics"]}
    if not values:
        raise StudyError(f"claims: no model has {metric}")
    return max(values, key=lambda name: values[name])


def _difference(one: Mapping[str, Any], other: Mapping[str, Any], metric: str) -> str:
    pair = _samples(one, other, metric)
    if pair is None:
        return f"{one['value'] - other['value']:+.3f} ({metric_text(one)} and {metric_text(other)})"
    found = difference_of(*pair)
    return (f"{found.value:+.3f} [{found.low:+.3f}, {found.high:+.3f}] "
            f"({one['value']:.3f} and {other['value']:.3f})")


def _share(one: Mapping[str, Any], ceiling: Mapping[str, Any], metric: str) -> str:
    pair = _samples(one, ceiling, metric)
    if pair is None:
        return (f"{one['value'] / ceiling['value']:.3f} of the ceiling ({metric_text(one)} of "
                f"{ceiling['value']:.3f})")
    found: Interval = share_of(*pair)
    return (f"{found.value:.3f} [{found.low:.3f}, {found.high:.3f}] of the ceiling "
            f"({one['value']:.3f} of {ceiling['value']:.3f})")


def _samples(one: Mapping[str, Any], other: Mapping[str, Any], metric: str
             ) -> tuple[Sample, Sample] | None:
    """Returns both samples if both have the terms of each task, else None."""
    if "terms" not in one or "terms" not in other:
        return None
    return sample_of(metric, one["terms"]), sample_of(metric, other["terms"])
