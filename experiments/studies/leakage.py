"""Whether an agent sees the estimate that would judge it, and the spec of the same without it."""
from __future__ import annotations

from schedulegym.studies.specs import Spec, parse_spec, plain_text

# Agents whose cost model has the analytical estimate as a feature, except in their published form;
# and those that use the estimate before their model.
_MODELLED = ("ansor", "harl")
_BEGINNING_WITH_IT = ("harl",)
_PUBLISHED = "faithful"
# Agents whose models start from the estimate.
_TREES = ("mcts", "beam", "greedy", "guided")
# Words of harl's `policy` that are no file. Policies in files were rewarded by the estimate (`train`).
_OWN_POLICIES = ("shared", "sketch")


def without_estimate(agent: str) -> str:
    """The spec that may be judged by the estimate: itself where it does not see it."""
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
    """Whether it proposes by the analytical estimate, or learns from it."""
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
    """Where its model is trained, the estimate may be left out of it; measured trees have none."""
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
