"""Reads the TOML file of a study; an error is one line, before anything runs."""
from __future__ import annotations

import dataclasses
import pathlib
import sys
from collections.abc import Callable, Mapping
from typing import Any

from schedulegym.studies.arms import arms_of_design, base_of, factors_of, named_arms
from schedulegym.studies.controls import controls_of
from schedulegym.studies.faults import StudyError, refuse_twins, unknown_name
from schedulegym.studies.fields import Fields
from schedulegym.studies.leakage import without_estimate
from schedulegym.studies.packed import read_text
from schedulegym.studies.recorded import digest_of, find_table
from schedulegym.studies.specs import parse_spec, plain_text, value_text
from schedulegym.studies.study import Arm, Case, Study
from schedulegym.studies.vendors import vendors_of_tables

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

Suite = Callable[[str], list[str]]
_KEYS = ("name", "about", "measure", "target", "cases", "suite", "seeds", "trials", "seconds",
         "margin", "baseline", "controls", "cheating", "order", "base", "arms", "factors", "design",
         "plugins", "vendors", "best_known")


def read_study(path: pathlib.Path, suite: Suite, smallest: bool = False) -> Study:
    """Reads a study; `suite` returns the workloads of a built-in suite, as specs.

    With `smallest`, values of [smoke] replace those of the same keys.
    """
    try:
        values = tomllib.loads(read_text(path))
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
    """Makes a study from a file's values; `name` is the default name. Tables are relative to `base`.

    `cheating` lets agents see the evaluating estimate regardless of the file.
    """
    fields = Fields(values, "the study", _KEYS)
    measure = str(fields.text("measure", "host"))
    cases = [_with_table(case, base) for case in _cases(fields, measure, suite)]
    shared, arms = base_of(fields.any("base")), fields.any("arms")
    given, design = fields.any("factors"), fields.choice("design", ("full", "one_at_a_time"))
    if (arms is None) == (given is None):
        raise StudyError("found " + ("neither arms nor factors" if arms is None else
                                     "arms and factors") + ", expected one of [arms] and [factors]")
    factors = () if given is None else factors_of(given)
    listed = (named_arms(arms, shared) if given is None else
              arms_of_design(factors, shared, design))
    listed += controls_of(fields.any("controls"), listed)
    refuse_twins("arm", [arm.name for arm in listed])
    listed = _with_plugins(listed, fields, base)
    seeds = _seeds(fields)
    trials, seconds = fields.whole("trials", 1), fields.number("seconds")
    if trials is None:
        raise StudyError("trials: nothing found, expected how many each run may measure")
    if seconds is not None and any(case.kind == "analytical" for case in cases):
        raise StudyError(f"seconds: found {seconds:g} beside a case on analytical, whose clock stands "
                         "still: expected trials alone")
    for case in cases:
        if (case.trials or 0) > trials:
            raise StudyError(f"case '{case.name}': found {case.trials} trials, expected at most the "
                             f"{trials} of the study")
    least = min(case.trials or trials for case in cases)
    for arm in listed:
        if arm.finalists is not None and arm.finalists > least:
            raise StudyError(f"arm '{arm.name}': found {arm.finalists} finalists, expected at most "
                             f"the {least} trials of a run")
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
        vendors=vendors_of_tables(fields.any("vendors"), cases),
        best_known=_best_known(fields.any("best_known"), [case.name for case in cases]))
    refuse_cheating(study)
    return study


def refuse_cheating(study: Study) -> None:
    """Raises StudyError if an agent would see the estimate that evaluates it."""
    seeing = [arm for arm in study.arms if study.sees_evaluator(arm)]
    if seeing and not study.cheating:
        arm = seeing[0]
        raise StudyError(f"arm '{arm.name}': {arm.agent} sees the estimate that judges it: "
                         f"expected {without_estimate(arm.agent)}, or cheating = true, to compare "
                         "searches alone")


def _cases(fields: Fields, measure: str, suite: Suite) -> list[Case]:
    given, name = fields.any("cases"), fields.text("suite")
    if given is None and name is None and _names_file(measure):  # the table's task is the only case
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
    refuse_twins("case", [case.name for case in cases])
    return cases


def _case(name: str, value: Any, measure: str) -> Case:
    """Returns a case. If `measure` is a table without a file, a text is a table's name, whose task it is."""
    if isinstance(value, str):
        spec = parse_spec(measure)
        if spec.name == "table" and not _names_file(measure):
            own = spec.with_value("file", value_text(value)).text
            return Case(name, None, _measurer(own))
        return Case(name, value, _measurer(measure))
    if not isinstance(value, dict):
        raise StudyError(f"cases: found {value!r}, expected a text or {{workload = ...}}")
    fields = Fields(value, f"case '{name}'" if name else "a case",
                    ("name", "workload", "measure", "trials"))
    workload, own = fields.text("workload"), _measurer(str(fields.text("measure", measure)))
    told = fields.text("name", name or workload or own)
    if workload is None and not own.startswith("table("):
        raise StudyError(f"case '{told}': found no workload, expected one")
    return Case(str(told), workload, own, trials=fields.whole("trials", 1))


def _best_known(given: Any, cases: list[str]) -> tuple[tuple[str, float], ...]:
    """Returns best known speeds from elsewhere, such as from separate long searches."""
    if given is None:
        return ()
    if not isinstance(given, dict):
        raise StudyError(f"best_known: found {given!r}, expected a table [best_known]")
    for case in given:
        if case not in cases:
            raise unknown_name("case of best_known", case, cases)
    told = Fields(given, "best_known", tuple(cases))
    return tuple((case, told.number(case) or 0.0) for case in given)


def _measurer(text: str) -> str:
    spec = parse_spec(text)
    if spec.name not in ("host", "analytical", "model", "table"):
        raise unknown_name("measure", spec.name, ["host", "analytical", "model", "table"])
    if spec.name == "table" and not _file_of(text):
        raise StudyError("measure 'table': expected table(file=...), or cases that name tables")
    return spec.text


def _file_of(measure: str) -> str:
    """Returns the file of a measurer's table; empty if it has none."""
    return plain_text(parse_spec(measure).value("file") or "")


def _names_file(measure: str) -> bool:
    return parse_spec(measure).name == "table" and bool(_file_of(measure))


def _with_table(case: Case, base: pathlib.Path) -> Case:
    """Adds the table's path and digest."""
    if case.kind != "table":
        return case
    file = find_table(_file_of(case.measure), base)
    return dataclasses.replace(case, table=digest_of(file), file=str(file))


def _with_plugins(arms: list[Arm], fields: Fields, base: pathlib.Path) -> list[Arm]:
    """Adds libraries relative to `base`; their contents are part of each run's key."""
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


def _seeds(fields: Fields) -> tuple[int, ...]:
    given = fields.any("seeds")
    if isinstance(given, int) and not isinstance(given, bool) and given > 0:
        return tuple(range(given))
    if isinstance(given, list) and given and all(
            isinstance(seed, int) and not isinstance(seed, bool) and seed >= 0 for seed in given):
        refuse_twins("seed", [str(seed) for seed in given])
        return tuple(given)
    raise fields.wrong("seeds", given, "how many (from 0 on), or a list of them")
