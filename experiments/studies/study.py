"""Study: cases, arms and seeds to compare, their budget, and how they are measured."""
from __future__ import annotations

import dataclasses
import hashlib
import json
from typing import Any

from schedulegym.studies.factors import Cell
from schedulegym.studies.leakage import sees_estimate
from schedulegym.studies.specs import in_quotes, parse_spec
from schedulegym.studies.vendor import Vendor
from schedulegym.tuning import is_network


@dataclasses.dataclass(frozen=True)
class Case:
    """A task, or a network of tasks, that every arm searches."""

    name: str
    workload: str | None  # a spec or a path; None where the measuring table has it
    measure: str  # 'host', 'analytical' or 'table(...)', as in the study's file
    table: str | None = None  # digest of the whole table
    file: str | None = dataclasses.field(default=None, compare=False)  # the path of the table on this machine
    trials: int | None = None  # trials of each run, where the case has fewer than the study

    @property
    def kind(self) -> str:
        """'host', 'analytical' or 'table'."""
        return self.measure.partition("(")[0]

    @property
    def is_noisy(self) -> bool:
        """Whether a table draws each measurement at random."""
        return self.kind == "table" and parse_spec(self.measure).value("noise") == "true"

    @property
    def is_network(self) -> bool:
        """Whether its workload names a network."""
        return self.workload is not None and is_network(self.workload)

    def measurer(self) -> str:
        """Returns the measurer for `tune` on this machine."""
        if self.file is None:
            return self.measure
        return parse_spec(self.measure).with_value("file", in_quotes(self.file)).text


@dataclasses.dataclass(frozen=True)
class Arm:
    """A way to search; specs are those of `tune`."""

    name: str
    agent: str
    space: str | None = None  # None: the measurer's default
    scheduler: str = "round_robin"
    refine: str | None = None
    protocol: str = "cpu1"
    finalists: int | None = None
    cell: Cell | None = None  # of a design: the level of each factor
    blind: bool = False  # whether measurements are permuted before the agent gets them
    code: str | None = None  # digest of the folder of the agent's own code
    folder: str | None = dataclasses.field(default=None, compare=False)  # the path of that folder on this machine
    # Paths of libraries of agents on this machine; their digest is part of `code`.
    plugins: tuple[str, ...] = dataclasses.field(default=(), compare=False)


@dataclasses.dataclass(frozen=True)
class Factor:
    """A varied setting and its levels; the first is the base."""

    name: str  # 'agent', 'agent.k', 'space.fuse', ...
    levels: tuple[str, ...]


@dataclasses.dataclass(frozen=True)
class Study:
    """The contents of a study's file."""

    name: str
    about: str
    target: str
    cases: tuple[Case, ...]
    arms: tuple[Arm, ...]
    factors: tuple[Factor, ...]
    baseline: str  # the arm that the others are compared with
    seeds: tuple[int, ...]
    trials: int
    seconds: float | None
    margin: float  # the smallest difference that matters: 0.01 is one per cent
    order: int  # the seed of the order of runs
    cheating: bool  # whether agents may use the estimate that evaluates them
    smoke: bool = False  # whether it is cut down to a test run
    vendors: tuple[tuple[str, Vendor], ...] = ()  # of cases on tables, from the file
    best_known: tuple[tuple[str, float], ...] = ()  # speeds over the reference, by case

    def arm(self, name: str) -> Arm:
        """Returns the arm of that name."""
        return next(arm for arm in self.arms if arm.name == name)

    def sees_evaluator(self, arm: Arm) -> bool:
        """Whether an agent sees the estimate that evaluates it; its results then compare searches only."""
        return (any(case.kind == "analytical" for case in self.cases) and
                sees_estimate(arm.agent))

    def fields(self) -> dict[str, Any]:
        """Returns JSON values."""
        told: dict[str, Any] = json.loads(json.dumps(dataclasses.asdict(self)))
        for case in told["cases"]:
            del case["file"]
            if case["trials"] is None:
                del case["trials"]
        for arm in told["arms"]:
            del arm["folder"], arm["plugins"]
        if not self.best_known:
            del told["best_known"]
        return told

    def smallest(self) -> Study:
        """Returns a test version with two seeds and eight trials, on a model or tables."""
        cases = tuple(dataclasses.replace(
            case, measure="analytical" if case.kind == "host" else case.measure,
            trials=None if case.trials is None else min(8, case.trials)) for case in self.cases)
        return dataclasses.replace(self, cases=cases, seeds=self.seeds[:2],
                                   trials=min(8, self.trials), cheating=True, smoke=True)


@dataclasses.dataclass(frozen=True)
class Run:
    """One search: a case, an arm, a seed and the budget."""

    case: Case
    arm: Arm
    seed: int
    target: str
    trials: int
    seconds: float | None

    @property
    def live(self) -> bool:
        """Whether the run needs the machine to itself."""
        return self.case.kind == "host"

    @property
    def key(self) -> str:
        """Digest of all inputs of the run's results, 16 hex digits."""
        fields = dataclasses.asdict(self)
        del fields["arm"]["name"], fields["arm"]["cell"], fields["arm"]["folder"]
        del fields["arm"]["plugins"]
        del fields["case"]["name"], fields["case"]["file"], fields["case"]["trials"]
        if self.case.table is not None:  # independent of its file's name
            fields["case"]["measure"] = parse_spec(self.case.measure).without("file").text
        return _digest(json.dumps(fields, sort_keys=True))

    @property
    def case_key(self) -> str:
        """Digest of the task and its target only, 16 hex digits."""
        return _digest(json.dumps([self.case.workload, self.target]))

    @property
    def place(self) -> tuple[str, str, int]:
        """Position in the study: case, arm, seed."""
        return self.case.name, self.arm.name, self.seed


def runs_of(study: Study) -> list[Run]:
    """Returns the runs in the order in which they are made.

    A block is one seed of one case over all arms, so that a machine's drift affects all arms equally.
    The order of blocks, and of the arms within each, is drawn from the study's `order`.
    """
    blocks = [(case, seed) for seed in study.seeds for case in study.cases]
    blocks.sort(key=lambda block: _digest(f"{study.order} {block[0].name} {block[1]}"))
    return [Run(case, arm, seed, study.target, case.trials or study.trials, study.seconds)
            for case, seed in blocks
            for arm in sorted(study.arms, key=lambda arm: _digest(
                f"{study.order} {case.name} {seed} {arm.name}"))]


def shard_of(study: Study, number: int, count: int) -> list[Run]:
    """Returns the runs of shard `number` of `count`, from 1: whole blocks, so that pairs stay together."""
    width = len(study.arms)
    return [run for place, run in enumerate(runs_of(study)) if place // width % count == number - 1]


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]
