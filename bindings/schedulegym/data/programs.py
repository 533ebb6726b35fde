"""Measured programs and their tasks."""
from __future__ import annotations

import dataclasses
import typing

import numpy as np

from schedulegym import InputError

from . import _columns, _features
from .dataset import ProgramDataset

LABELS = ("share", "seconds", "log_seconds")
SPLITS = ("train", "valid", "networks", "strange")


def check_split(split: str) -> None:
    """Checks that there is a split of this name.

    Args:
        split: A name.

    Raises:
        InputError: It is none of ``SPLITS``.
    """
    if split not in SPLITS:
        raise InputError(f"split: '{split}' is not known; expected one of: {', '.join(SPLITS)}")


@dataclasses.dataclass(frozen=True)
class Program:
    """One schedule of a task and what became of it.

    Attributes:
        task: Position in ``ProgramSet.tasks``.
        trace: The schedule, one primitive a line.
        space: Spec of the search space that it is of.
        part: How it was drawn: "chance", "bred", "searched", or "" where that is unknown.
        host: Name of the machine.
        outcome: "ok", or the type of the failure.
        seconds: Of one call; None of a failure.
        ratio: The reference's seconds over its own: median, low and high end; None of a failure.
        samples: Seconds of one call, a sample each; empty of a failure.
        key: The first 16 hex digits of ``ScheduleState.key``, which its replayed trace has; "" where it is
            unknown.
    """

    task: int
    trace: str
    space: str
    part: str
    host: str
    outcome: str
    seconds: float | None = None
    ratio: tuple[float, float, float] | None = None
    samples: tuple[float, ...] = ()
    key: str = ""


@dataclasses.dataclass(frozen=True)
class ProgramTask:
    """A computation on a target.

    Attributes:
        key: 32 hex digits.
        workload: The computation as a spec.
        target: The machine as a spec.
        dag: The computation as ``.dag`` text.
        split: "train", "valid", "networks", "strange", or "" where it is in none.
    """

    key: str
    workload: str
    target: str
    dag: str
    split: str


@dataclasses.dataclass(frozen=True)
class ProgramSet:
    """Programs and their tasks.

    Attributes:
        tasks: The computations.
        programs: The schedules, which name tasks by their positions.

    Example:
        >>> programs = ProgramSet((), ())
        >>> len(programs), programs.speeds()
        (0, [])
    """

    tasks: tuple[ProgramTask, ...]
    programs: tuple[Program, ...]

    def __len__(self) -> int:
        return len(self.programs)

    def of_split(self, split: str) -> ProgramSet:
        """The programs of one split; all tasks stay, so positions hold.

        Args:
            split: One of ``SPLITS``.

        Returns:
            A set with fewer programs.

        Raises:
            InputError: There is no such split.
        """
        check_split(split)
        return ProgramSet(self.tasks, tuple(program for program in self.programs
                                            if self.tasks[program.task].split == split))

    def speeds(self) -> list[float]:
        """Labels: the seconds of the task's best over each program's own, 0 of a failure.

        Returns:
            One number from 0 to 1 for each program, in order.
        """
        best: dict[int, float] = {}
        for program in self.programs:
            if program.seconds is not None:
                best[program.task] = min(program.seconds, best.get(program.task, program.seconds))
        return [0.0 if program.seconds is None else best[program.task] / program.seconds
                for program in self.programs]

    def rows(self) -> dict[str, list[typing.Any]]:
        """Columns of equal length: those of ``Program``, with the task's written out.

        Returns:
            Lists by the name of the column, as ``pandas.DataFrame`` and ``pyarrow.table`` take them.
        """
        columns: dict[str, list[typing.Any]] = {}
        for name in ("trace", "key", "space", "part", "host", "outcome", "seconds"):
            columns[name] = [getattr(program, name) for program in self.programs]
        for position, name in enumerate(("ratio", "ratio_low", "ratio_high")):
            columns[name] = [program.ratio and program.ratio[position] for program in self.programs]
        columns["samples"] = [list(program.samples) for program in self.programs]
        for name in ("key", "workload", "target", "dag", "split"):
            columns[name if name != "key" else "task"] = [
                getattr(self.tasks[program.task], name) for program in self.programs]
        return columns

    def frame(self) -> typing.Any:
        """The rows as a ``pandas.DataFrame``.

        Returns:
            A frame with the columns of ``rows``.

        Raises:
            MachineError: pandas is missing.
        """
        try:
            import pandas
        except ImportError:
            raise _columns.missing("frame", "pandas") from None
        return pandas.DataFrame(self.rows())

    def table(self) -> typing.Any:
        """The rows as a ``pyarrow.Table``.

        Returns:
            A table with the columns of ``rows``, of which ``dag`` and ``target`` are dictionaries; its
            metadata name the format.

        Raises:
            MachineError: pyarrow is missing.
        """
        arrow = _columns.arrow_of("table")
        types = _columns.column_types(arrow)
        columns = {}
        for name, values in self.rows().items():
            column = arrow.array(values, types[name])
            columns[name] = column.dictionary_encode() if name in _columns.SHARED else column
        return arrow.table(columns).replace_schema_metadata(_columns.METADATA)

    def dataset(self, features: str = "estimated", label: str = "share", failures: bool = False,
                cache: bool = True) -> ProgramDataset:
        """Features and labels, for ``torch.utils.data.DataLoader``.

        Args:
            features: "ansor" (164 numbers for each statement of the lowered program), "estimated"
                (those and 18 of the analytical model), or an observation with one row for each
                schedule: "tokens", "loops", "knobs", with its options.
            label: "share": the task's least seconds over the program's, in (0, 1], 0 of a failure;
                "seconds"; "log_seconds".
            failures: Whether programs that failed are taken, too; their seconds are NaN.
            cache: Whether features are kept in the cache folder, and read from there.

        Returns:
            The programs in their order.

        Raises:
            InputError: A name is not known, there is no program, or a trace does not replay.
        """
        if label not in LABELS:
            raise InputError(f"label: '{label}' is not known; expected one of: {', '.join(LABELS)}")
        chosen = [(program, share) for program, share in zip(self.programs, self.speeds())
                  if failures or program.seconds is not None]
        if not chosen:
            raise InputError("dataset: found no program that succeeded, expected at least one")
        programs = ProgramSet(self.tasks, tuple(program for program, _ in chosen))
        made = _features.cached_features_of if cache else _features.features_of
        rows, counts = made(programs, features)
        seconds = np.array([np.nan if program.seconds is None else program.seconds
                            for program in programs.programs])
        labels = {"share": np.array([share for _, share in chosen]), "seconds": seconds,
                  "log_seconds": np.log(seconds)}[label]
        return ProgramDataset(rows, np.concatenate([[0], np.cumsum(counts)]), labels.astype(np.float32),
                              np.array([program.task for program in programs.programs]))
