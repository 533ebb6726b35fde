"""Reads the TOML file of a study; whatever is wrong with it is one line, before anything runs."""
from __future__ import annotations

import dataclasses
import pathlib
import sys
from collections.abc import Callable, Mapping
from typing import Any

from schedulegym.studies import factors as designs
from schedulegym.studies.controls import controls_of
from schedulegym.studies.faults import StudyError, unknown_name
from schedulegym.studies.fields import Fields
from schedulegym.studies.judged import without_estimate
from schedulegym.studies.recorded import digest_of, find_table
from schedulegym.studies.specs import parse_spec, plain_text, value_text
from schedulegym.studies.study import Arm, Case, Factor, Study
from schedulegym.studies.vendors import vendors_of_tables

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

Suite = Callable[[str], list[str]]
# What an arm says as a whole spec; a factor may also change single options.
_NOUNS = ("agent", "space", "scheduler", "protocol", "refine")
# Of what an option is, where [base] says nothing.
_USUAL = {"agent": "ansor", "space": "schedulegym", "scheduler": "round_robin", "protocol": "cpu1",
          "refine": "droplet"}
_KEYS = ("name", "about", "measure", "target", "cases", "suite", "seeds", "trials", "seconds",
         "margin", "baseline", "controls", "cheating", "order", "base", "arms", "factors", "design",
         "plugins", "vendors")
_MOST_ARMS = 200


def read_study(path: pathlib.Path, suite: Suite, smallest: bool = False) -> Study:
    """`suite` gives the workloads of a suite that exists in the core, as specs.

    In its smallest form what stands in [smoke] replaces what the study says by the same keys.
    """
    try:
        values = tomllib.loads(path.read_text())
    except OSError as fault:
        raise StudyError(f"{path}: {fault.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as fault:
        raise StudyError(f"{path}: {fault}") from None
    try:
        other = values.pop("smoke", {})
        if not isinstance(other, dict):
            raise StudyError(f"smoke: found {other!r}, expected a table [smoke]")
        values = {**values, **other} if smallest else values
        study = study_of(values, path.stem, suite, path.parent, smallest)
        return study.smallest() if smallest else study
    except StudyError as fault:
        raise StudyError(f"{path}: {fault}") from None


def study_of(values: Mapping[str, Any], name: str, suite: Suite,
             base: pathlib.Path = pathlib.Path(), cheating: bool = False) -> Study:
    """Of a file's values; `name` where it says none. Tables are looked for from `base` on.

    `cheating` lets agents see their judge whatever the file says.
    """
    fields = Fields(values, "the study", _KEYS)
    measure = str(fields.text("measure", "host"))
    cases = [_with_table(case, base) for case in _cases(fields, measure, suite)]
    shared, arms = _base(fields.any("base")), fields.any("arms")
    given, design = fields.any("factors"), fields.choice("design", ("full", "one_at_a_time"))
    if (arms is None) == (given is None):
        raise StudyError("found " + ("neither arms nor factors" if arms is None else
                                     "arms and factors") + ", expected one of [arms] and [factors]")
    factors = () if given is None else _factors(given)
    listed = _arms(arms, shared) if given is None else _cells(factors, shared, design)
    listed += controls_of(fields.any("controls"), listed)
    _refuse_twins("arm", [arm.name for arm in listed])
    listed = _with_plugins(listed, fields, base)
    seeds = _seeds(fields)
    trials, seconds = fields.whole("trials", 1), fields.number("seconds")
    if trials is None:
        raise StudyError("trials: nothing found, expected how many each run may measure")
    if seconds is not None and any(case.kind == "analytical" for case in cases):
        raise StudyError(f"seconds: found {seconds:g} beside a case on analytical, whose clock stands "
                         "still: expected trials alone")
    for arm in listed:
        if arm.finalists is not None and arm.finalists > trials:
            raise StudyError(f"arm '{arm.name}': found {arm.finalists} finalists, expected at most "
                             f"the {trials} trials of a run")
    baseline = str(fields.text("baseline", listed[0].name))
    if baseline not in [arm.name for arm in listed]:
        raise unknown_name("arm", baseline, [arm.name for arm in listed])
    margin, order = fields.number("margin"), fields.whole("order", 0)
    study = Study(
        name=str(fields.text("name", name)), about=str(fields.text("about", "") or ""),
        target=str(fields.text("target", "llvm")), cases=tuple(cases), arms=tuple(listed),
        factors=factors, baseline=baseline, seeds=seeds, trials=trials, seconds=seconds,
        margin=0.01 if margin is None else margin, order=order or 0,
        cheating=cheating or fields.flag("cheating"),
        vendors=vendors_of_tables(fields.any("vendors"), cases))
    refuse_cheating(study)
    return study


def refuse_cheating(study: Study) -> None:
    """StudyError where an agent would see the estimate that judges it."""
    seeing = [arm for arm in study.arms if study.sees_its_judge(arm)]
    if seeing and not study.cheating:
        arm = seeing[0]
        raise StudyError(f"arm '{arm.name}': {arm.agent} sees the estimate that judges it: "
                         f"expected {without_estimate(arm.agent)}, or cheating = true, to compare "
                         "searches alone")


def _cases(fields: Fields, measure: str, suite: Suite) -> list[Case]:
    given, name = fields.any("cases"), fields.text("suite")
    if given is None and name is None and _names_file(measure):  # whose task is the only case
        given = {pathlib.PurePath(_file_of(measure)).stem: {"measure": measure}}
    if (given is None) == (name is None):
        raise StudyError("found " + ("neither cases nor a suite" if given is None else
                                     "cases and a suite") + ", expected one of them")
    pairs: list[tuple[str, Any]]
    if name is not None:
        pairs = [(workload, workload) for workload in suite(name)]
    elif isinstance(given, dict):
        pairs = list(given.items())
    elif isinstance(given, list):
        pairs = [(one if isinstance(one, str) else "", one) for one in given]
    else:
        raise fields.wrong("cases", given, "a list of workloads, or a table NAME = WORKLOAD")
    if not pairs:
        raise StudyError("cases: found none, expected at least one")
    cases = [_case(name, value, measure) for name, value in pairs]
    _refuse_twins("case", [case.name for case in cases])
    return cases


def _case(name: str, value: Any, measure: str) -> Case:
    """On tables that are not named yet a text names one, whose task is the case's."""
    if isinstance(value, str):
        spec = parse_spec(measure)
        if spec.name == "table" and not _names_file(measure):
            own = spec.with_value("file", value_text(value)).text
            return Case(name, None, _measurer(own))
        return Case(name, value, _measurer(measure))
    if not isinstance(value, dict):
        raise StudyError(f"cases: found {value!r}, expected a text or {{workload = ...}}")
    fields = Fields(value, f"case '{name}'" if name else "a case", ("name", "workload", "measure"))
    workload, own = fields.text("workload"), _measurer(str(fields.text("measure", measure)))
    told = fields.text("name", name or workload or own)
    if workload is None and not own.startswith("table("):
        raise StudyError(f"case '{told}': found no workload, expected one")
    return Case(str(told), workload, own)


def _measurer(text: str) -> str:
    spec = parse_spec(text)
    if spec.name not in ("host", "analytical", "table"):
        raise unknown_name("measure", spec.name, ["host", "analytical", "table"])
    if spec.name == "table" and not _file_of(text):
        raise StudyError("measure 'table': expected table(file=...), or cases that name tables")
    return spec.text


def _file_of(measure: str) -> str:
    """What a measurer says of its table; empty where it names none."""
    return plain_text(parse_spec(measure).value("file") or "")


def _names_file(measure: str) -> bool:
    return parse_spec(measure).name == "table" and bool(_file_of(measure))


def _with_table(case: Case, base: pathlib.Path) -> Case:
    """Where the table lies and what tells it apart."""
    if case.kind != "table":
        return case
    file = find_table(_file_of(case.measure), base)
    return dataclasses.replace(case, table=digest_of(file), file=str(file))


def _with_plugins(arms: list[Arm], fields: Fields, base: pathlib.Path) -> list[Arm]:
    """Libraries from the folder `base` on; what they hold is part of each run."""
    given = fields.any("plugins")
    if given is None:
        return arms
    if not isinstance(given, list) or not all(isinstance(one, str) for one in given):
        raise fields.wrong("plugins", given, "a list of files")
    files = [(base / one).resolve() for one in given]
    for name, file in zip(given, files):
        if not file.is_file():
            raise StudyError(f"plugins: found no file '{name}', expected a shared library of agents")
    code = " ".join(map(digest_of, files))
    return [dataclasses.replace(arm, code=code, plugins=tuple(map(str, files))) for arm in arms]


def _base(given: Any) -> dict[str, Any]:
    base = {} if given is None else given
    if not isinstance(base, dict):
        raise StudyError(f"base: found {base!r}, expected a table [base]")
    return base


def _arms(given: Any, base: Mapping[str, Any]) -> list[Arm]:
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


def _factors(given: Any) -> tuple[Factor, ...]:
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
        _refuse_twins(f"level of '{name}'", list(texts))
        factors.append(Factor(name, texts))
    return tuple(factors)


def _flat(given: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """`agent.k = [...]` is a table within a table to TOML."""
    return [(name if key is None else f"{name}.{key}", levels) for name, value in given.items()
            for key, levels in (value.items() if isinstance(value, dict) else [(None, value)])]


def _cells(factors: tuple[Factor, ...], base: Mapping[str, Any], design: str) -> list[Arm]:
    counts = [len(factor.levels) for factor in factors]
    choose = designs.full_factorial if design == "full" else designs.one_at_a_time
    cells = choose(counts)
    if len(cells) > _MOST_ARMS:
        raise StudyError(f"factors: found {len(cells)} combinations, expected at most {_MOST_ARMS} "
                         '(design = "one_at_a_time" runs each factor alone)')
    return [_cell(factors, cell, base) for cell in cells]


def _cell(factors: tuple[Factor, ...], cell: designs.Cell, base: Mapping[str, Any]) -> Arm:
    values = dict(base)
    chosen = [(factor.name, factor.levels[level]) for factor, level in zip(factors, cell)]
    for name, text in sorted(chosen, key=lambda one: one[0].count(".")):  # whole specs first
        noun, _, key = name.partition(".")
        if key:
            values[noun] = parse_spec(str(values.get(noun, _USUAL[noun]))).with_value(key, text).text
        else:
            values[noun] = int(text) if noun == "finalists" and text.isdigit() else text
    return _arm(", ".join(f"{name}={text}" for name, text in chosen), values, cell)


def _seeds(fields: Fields) -> tuple[int, ...]:
    given = fields.any("seeds")
    if isinstance(given, int) and not isinstance(given, bool) and given > 0:
        return tuple(range(given))
    if isinstance(given, list) and given and all(
            isinstance(seed, int) and not isinstance(seed, bool) and seed >= 0 for seed in given):
        _refuse_twins("seed", [str(seed) for seed in given])
        return tuple(given)
    raise fields.wrong("seeds", given, "how many (from 0 on), or a list of them")


def _refuse_twins(what: str, names: list[str]) -> None:
    for place, name in enumerate(names):
        if name in names[:place]:
            raise StudyError(f"found two of the {what} '{name}', expected each once")
