"""Arms of a study's file: given by name, or generated from factors and their levels."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from schedulegym.studies import factors as designs
from schedulegym.studies.faults import StudyError, refuse_twins, unknown_name
from schedulegym.studies.fields import Fields
from schedulegym.studies.specs import parse_spec, value_text
from schedulegym.studies.study import Arm, Factor

# Parts of an arm that are whole specs; a factor may also change single options.
_NOUNS = ("agent", "space", "scheduler", "protocol", "refine")
# Default of each part that [base] does not set.
_USUAL = {"agent": "ansor", "space": "schedulegym", "scheduler": "round_robin", "protocol": "cpu1",
          "refine": "droplet"}
_MOST_ARMS = 200


def base_of(given: Any) -> dict[str, Any]:
    """Returns the table [base], which all arms share. Raises StudyError if it is not a table."""
    base = {} if given is None else given
    if not isinstance(base, dict):
        raise StudyError(f"base: found {base!r}, expected a table [base]")
    return base


def named_arms(given: Any, base: Mapping[str, Any]) -> list[Arm]:
    """Returns the arms of [arms], in the order of the file."""
    if isinstance(given, dict):
        pairs = list(given.items())
    elif isinstance(given, list) and all(isinstance(one, dict) and "name" in one for one in given):
        pairs = [(one["name"], {key: one[key] for key in one if key != "name"}) for one in given]
    else:
        raise StudyError(f"arms: found {given!r}, expected tables [arms.NAME]")
    if not pairs:
        raise StudyError("arms: found none, expected at least one")
    return [_arm(str(name), {**base, **_table(name, values)}) for name, values in pairs]


def _table(name: str, values: Any) -> dict[str, Any]:
    if isinstance(values, str):
        return {"agent": values}
    if not isinstance(values, dict):
        raise StudyError(f"arm '{name}': found {values!r}, expected a table or an agent's spec")
    return values


def _arm(name: str, values: Mapping[str, Any], cell: designs.Cell | None = None) -> Arm:
    fields = Fields(values, f"arm '{name}'", (*_NOUNS, "finalists"))
    specs = {noun: fields.text(noun) for noun in _NOUNS}
    finalists = fields.whole("finalists", 0)
    for noun, text in specs.items():
        if text is not None:
            specs[noun] = parse_spec(text).text
    agent = parse_spec(specs["agent"] or "ansor")
    blind = agent.name == "blind"
    if blind and not [key for key, _ in agent.options] == ["agent"]:
        raise StudyError(f"arm '{name}': found '{agent.text}', expected blind(agent=AGENT)")
    if blind and specs["refine"]:
        raise StudyError(f"arm '{name}': found refine = '{specs['refine']}' beside a blind agent, "
                         "expected none: it would be told the truth")
    return Arm(name, agent.value("agent") or "" if blind else agent.text, specs["space"],
               specs["scheduler"] or "round_robin", specs["refine"], specs["protocol"] or "cpu1",
               finalists, cell, blind)


def factors_of(given: Any) -> tuple[Factor, ...]:
    """Returns the factors of [factors], in the order of the file. Raises StudyError for an invalid one."""
    if not isinstance(given, dict) or not given:
        raise StudyError("factors: found none, expected NAME = [LEVEL, ...]")
    factors = []
    for name, levels in _flat(given):
        noun, _, key = name.partition(".")
        if noun not in (*_NOUNS, "finalists") or key and noun == "finalists":
            raise unknown_name("factor", name, [*_NOUNS, "finalists", "agent.KEY", "space.KEY"])
        if isinstance(levels, dict):
            raise StudyError(f"factor '{name}': found a key within a key, expected NOUN.KEY = [...], "
                             "or whole specs as levels")
        if not isinstance(levels, list) or len(levels) < 2:
            raise StudyError(f"factor '{name}': found {levels!r}, expected at least two levels")
        texts = tuple(value_text(level) for level in levels)
        refuse_twins(f"level of '{name}'", list(texts))
        factors.append(Factor(name, texts))
    return tuple(factors)


def _flat(given: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """Flattens nested tables, since TOML parses `agent.k = [...]` as a table within a table."""
    return [(name if key is None else f"{name}.{key}", levels) for name, value in given.items()
            for key, levels in (value.items() if isinstance(value, dict) else [(None, value)])]


def arms_of_design(factors: tuple[Factor, ...], base: Mapping[str, Any], design: str) -> list[Arm]:
    """Returns an arm for each cell of the design, `full` or `one_at_a_time`, named by its levels."""
    counts = [len(factor.levels) for factor in factors]
    choose = designs.full_factorial if design == "full" else designs.one_at_a_time
    cells = choose(counts)
    if len(cells) > _MOST_ARMS:
        raise StudyError(f"factors: found {len(cells)} combinations, expected at most {_MOST_ARMS} "
                         '(design = "one_at_a_time" runs each factor alone)')
    alone = design == "one_at_a_time" and len(factors) > 1
    return [_cell(factors, cell, base, alone) for cell in cells]


def _cell(factors: tuple[Factor, ...], cell: designs.Cell, base: Mapping[str, Any],
          alone: bool) -> Arm:
    """`alone`: the arm's name lists only levels other than the first; all first levels are `base`."""
    values = dict(base)
    chosen = [(factor.name, factor.levels[level]) for factor, level in zip(factors, cell)]
    for name, text in sorted(chosen, key=lambda one: one[0].count(".")):  # whole specs first
        noun, _, key = name.partition(".")
        if key:
            values[noun] = parse_spec(str(values.get(noun, _USUAL[noun]))).with_value(key, text).text
        else:
            values[noun] = int(text) if noun == "finalists" and text.isdigit() else text
    told = [one for one, level in zip(chosen, cell) if level or not alone]
    return _arm(", ".join(f"{name}={text}" for name, text in told) or "base", values, cell)
