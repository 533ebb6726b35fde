"""Leakage: whether an agent sees the estimate that evaluates it, and the same spec without it."""
from __future__ import annotations

from schedulegym.studies.specs import Spec, parse_spec, plain_text

# Agents whose cost model has the analytical estimate as a feature, except in their published form;
# and those that use the estimate before their model.
_MODELLED = ("ansor", "harl")
_BEGINNING_WITH_IT = ("harl",)
_PUBLISHED = "faithful"
# Agents whose models start from the estimate.
_TREES = ("mcts", "beam", "greedy", "guided")
# Values of harl's `policy` that are not files. Policies in files were trained on the estimate (`train`).
_OWN_POLICIES = ("shared", "sketch")


def without_estimate(agent: str) -> str:
    """Returns a spec that the estimate may evaluate: the same spec if it does not see the estimate."""
    spec = parse_spec(agent)
    if spec.name in _MODELLED:
        return _modelled(spec).text
    if spec.name in _TREES:
        return _tree(spec).text
    inner = spec.value("agent")
    if spec.name == "dpansor" and inner is None and spec.value("mode") == _PUBLISHED:
        return spec.text  # its first trials are those of the published ansor
    if spec.name in ("dpansor", "blind") or inner is not None:
        honest = without_estimate(inner or "ansor")
        return spec.text if honest == (inner or "ansor") else spec.with_value("agent", honest).text
    return spec.text


def sees_estimate(agent: str) -> bool:
    """Returns whether the agent proposes by the analytical estimate, or learns from it."""
    return without_estimate(agent) != parse_spec(agent).text


def _modelled(spec: Spec) -> Spec:
    if plain_text(spec.value("policy") or "shared") not in _OWN_POLICIES:
        spec = spec.without("policy")
    model = spec.value("model")
    if model == "random":
        return spec
    if model == "analytical":
        spec = spec.without("model")
    is_published = spec.value("mode") == _PUBLISHED
    if not is_published or spec.value("features") is not None:
        spec = spec.with_value("features", "ansor")
    begins_with_it = spec.name in _BEGINNING_WITH_IT and not is_published
    if spec.value("estimate_first") is not None or begins_with_it:
        spec = spec.with_value("estimate_first", "false")
    return spec


def _tree(spec: Spec) -> Spec:
    """Removes the estimate from a tree's trained model; trees on measurements do not have it."""
    if (spec.value("prior") or "").partition("(")[0].strip() == "policy":
        spec = spec.without("prior")
    model = spec.value("model")
    by_prior = spec.value("form") == "puct" and spec.value("prior") != "uniform"
    told = spec.value("form") == "measured" or spec.value("reward") == "measured"
    if told and not by_prior and spec.value("prior") != "model":
        return spec
    if model == "analytical":
        spec = spec.with_value("model", "boosted")
    elif model == "random" or spec.value("features") == "ansor":
        return spec
    return spec.with_value("features", "ansor")
