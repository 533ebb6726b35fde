"""Measured programs to learn from.

A file of programs (``.points.gz``) holds schedules of many tasks with what measuring each gave. The
command ``schedulegym records pack`` writes one from record stores. ``load`` reads one, and
``python -m schedulegym.data parquet FILE -o OUT.parquet`` writes it for other tools, and
``python -m schedulegym.data likely NETWORK... -o OUT.net`` draws layers to measure.

    programs = schedulegym.data.load("programs-v1", split="train")
    dataset = programs.dataset(features="estimated")
    batches = torch.utils.data.DataLoader(dataset, 512, shuffle=True, collate_fn=dataset.collate)
"""
from __future__ import annotations

import argparse
import dataclasses
import gzip
import hashlib
import json
import os
import pathlib
import sys
import tempfile
import typing
import zipfile
import zlib

import numpy as np

from schedulegym import _schedulegym

from . import InputError

VERSION = 1
LABELS = ("share", "seconds", "log_seconds")
SPLITS = ("train", "valid", "networks", "strange")


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
        if split not in SPLITS:
            raise InputError(f"split: '{split}' is not known; expected one of: {', '.join(SPLITS)}")
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
        for name in ("trace", "space", "part", "host", "outcome", "seconds"):
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
            InputError: pandas is missing.
        """
        try:
            import pandas
        except ImportError:
            raise InputError("frame: found no pandas; install it: pip install pandas") from None
        return pandas.DataFrame(self.rows())

    def table(self) -> typing.Any:
        """The rows as a ``pyarrow.Table``.

        Returns:
            A table with the columns of ``rows``; its metadata name the format.

        Raises:
            InputError: pyarrow is missing.
        """
        return _arrow("table").table(self.rows()).replace_schema_metadata(_ARROW_METADATA)

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
        rows, counts = _cached_features(programs, features) if cache else _features(programs, features)
        seconds = np.array([np.nan if program.seconds is None else program.seconds
                            for program in programs.programs])
        labels = {"share": np.array([share for _, share in chosen]), "seconds": seconds,
                  "log_seconds": np.log(seconds)}[label]
        return ProgramDataset(rows, np.concatenate([[0], np.cumsum(counts)]), labels.astype(np.float32),
                              np.array([program.task for program in programs.programs]))


@dataclasses.dataclass(frozen=True)
class ProgramDataset:
    """Programs as numbers: a map-style dataset of PyTorch, usable without it.

    Item i is (rows, label, group): an array of shape (statements, columns), a number, an integer.

    Attributes:
        rows: float32 of shape (all statements, columns), one program after another.
        begin: int64 of shape (programs + 1,): program i has rows begin[i] to begin[i + 1].
        labels: float32 of shape (programs,).
        groups: int64 of shape (programs,): positions of their tasks. Scores compare within a group.

    Example:
        >>> one = ProgramDataset(np.ones((3, 2), np.float32), np.array([0, 1, 3]),
        ...                      np.array([1, 0.5], np.float32), np.array([0, 0]))
        >>> len(one), one[1][0].shape, one[1][1]
        (2, (2, 2), 0.5)
    """

    rows: np.ndarray[typing.Any, typing.Any]
    begin: np.ndarray[typing.Any, typing.Any]
    labels: np.ndarray[typing.Any, typing.Any]
    groups: np.ndarray[typing.Any, typing.Any]

    def __len__(self) -> int:
        return len(self.labels)

    def __getitem__(self, index: int) -> tuple[np.ndarray[typing.Any, typing.Any], float, int]:
        if not 0 <= index < len(self):
            raise IndexError(f"found program {index}, expected 0 to {len(self) - 1}")
        rows = self.rows[self.begin[index]:self.begin[index + 1]]
        return rows, float(self.labels[index]), int(self.groups[index])

    def collate(self, items: typing.Sequence[tuple[typing.Any, float, int]]) -> tuple[
            typing.Any, typing.Any, typing.Any, typing.Any]:
        """Joins items into a batch, as ``DataLoader(collate_fn=...)`` calls it.

        Args:
            items: What indexing gave.

        Returns:
            Tensors: rows of all programs, the position of each row's program in the batch, labels,
            groups. ``torch.zeros(len(labels)).index_add(0, positions, model(rows).squeeze(1))`` adds
            the statements' scores up.
        """
        import torch
        rows, labels, groups = zip(*items)
        positions = np.repeat(np.arange(len(rows)), [len(one) for one in rows])
        return (torch.from_numpy(np.concatenate(rows)), torch.from_numpy(positions),
                torch.tensor(labels, dtype=torch.float32), torch.tensor(groups))


def pairwise_accuracy(scores: typing.Any, labels: typing.Any, groups: typing.Any) -> float:
    """The share of pairs of one group that scores order as labels do, as ``evaluate`` prints it.

    Args:
        scores: Of a model, the higher the faster; a number for each program.
        labels: Shares of the task's best, the higher the faster.
        groups: The programs' tasks.

    Returns:
        0 to 1, the mean over groups weighted by their programs. Ties are "not faster" on both sides.

    Example:
        >>> pairwise_accuracy([3, 2, 1], [0.5, 1, 0.25], [0, 0, 0])
        0.6666666666666666
    """
    scores, labels, groups = np.asarray(scores), np.asarray(labels), np.asarray(groups)
    total = 0.0
    for group in np.unique(groups):
        own, label = scores[groups == group], labels[groups == group]
        above = np.triu_indices(len(own), 1)
        right = (own[:, None] > own[None, :]) == (label[:, None] > label[None, :])
        total += len(own) * (float(right[above].mean()) if len(own) > 1 else 0.5)
    return total / len(groups)


_ARROW_METADATA = {"schedulegym": f"points {VERSION}"}


def _arrow(who: str) -> typing.Any:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise InputError(f"{who}: found no pyarrow; install it: pip install pyarrow") from None
    return pyarrow


def _cache_folder() -> pathlib.Path:
    given = os.environ.get("XDG_CACHE_HOME")
    return (pathlib.Path(given) if given else pathlib.Path.home() / ".cache") / "schedulegym"


def _features(programs: ProgramSet, features: str) -> tuple[
        np.ndarray[typing.Any, typing.Any], np.ndarray[typing.Any, typing.Any]]:
    """Rows of all programs in their order, and how many each has."""
    parts: list[typing.Any] = [None] * len(programs)
    numbers: dict[tuple[int, str], list[int]] = {}
    for number, program in enumerate(programs.programs):
        numbers.setdefault((program.task, program.space), []).append(number)
    for (position, space), own in numbers.items():
        task = programs.tasks[position]
        rows, counts = _schedulegym.program_features(
            task.workload, task.dag, task.target, [programs.programs[number].trace for number in own],
            features, space)
        for number, part in zip(own, np.split(rows, np.cumsum(counts)[:-1])):
            parts[number] = part
    return np.concatenate(parts), np.array([len(part) for part in parts])


def _cached_features(programs: ProgramSet, features: str) -> tuple[
        np.ndarray[typing.Any, typing.Any], np.ndarray[typing.Any, typing.Any]]:
    """The same, kept in a file that is named by what they are made of and by."""
    module = os.stat(_schedulegym.__file__)
    digest = hashlib.sha256(repr((features, module.st_size, module.st_mtime_ns)).encode())
    for task in programs.tasks:
        digest.update(repr((task.dag, task.target)).encode())
    for program in programs.programs:
        digest.update(repr((program.task, program.space, program.trace)).encode())
    path = _cache_folder() / f"features-{digest.hexdigest()[:32]}.npz"
    try:
        with np.load(path) as kept:
            return kept["rows"], kept["counts"]
    except (OSError, ValueError, KeyError, EOFError, zlib.error, zipfile.BadZipFile):
        rows, counts = _features(programs, features)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".npz", delete=False) as file:
            np.savez(file, rows=rows, counts=counts)
        os.replace(file.name, path)
    except OSError:
        pass  # a full or read-only place: they are made anew next time
    return rows, counts


def _row(line: list[typing.Any], words: list[str], steps: list[str]) -> Program:
    task, space, part, host, outcome, trace, *timing = line
    if min(task, space, part, host, outcome, *trace, 0) < 0:
        raise ValueError("found a negative position")
    texts = "".join(steps[step] + "\n" for step in trace)
    seconds, ratio, samples = timing if timing else (None, None, ())
    return Program(task, texts, words[space], words[part], words[host], words[outcome], seconds,
                   ratio and tuple(ratio), tuple(samples))


def folders() -> list[pathlib.Path]:
    """Where data sets are looked for.

    Returns:
        The folder of the environment variable SCHEDULEGYM_DATA, ``experiments/data`` of the current
        folder and of the clone that the package is of, and the cache folder.
    """
    given = os.environ.get("SCHEDULEGYM_DATA")
    clone = pathlib.Path(__file__).resolve().parents[2] / "experiments/data"
    return ([pathlib.Path(given)] if given else []) + [
        pathlib.Path("experiments/data"), clone, _cache_folder()]


def find(name: str | os.PathLike[str]) -> pathlib.Path:
    """The file of a data set.

    Args:
        name: A path, or the name of a set, such as "sample": NAME.points.gz in one of ``folders()``.

    Returns:
        A path that exists.

    Raises:
        InputError: There is none; the message has the command that makes one.
    """
    for path in (pathlib.Path(name), *(folder / f"{name}.points.gz" for folder in folders())):
        if path.is_file():
            return path
    raise InputError(f"data: found no '{name}'; expected a file, or a set in SCHEDULEGYM_DATA, "
                     f"experiments/data or {_cache_folder()}; make one: schedulegym tune programs_train "
                     "--agent collect --scheduler round_robin --protocol collect --store STORE, then "
                     f"schedulegym records pack STORE -o {pathlib.Path(name).name}.points.gz")


def load(name: str | os.PathLike[str], split: str | None = None) -> ProgramSet:
    """Reads a data set.

    Args:
        name: As ``find`` takes it; a Parquet file of ``to_parquet``, too.
        split: One of ``SPLITS``; None for all programs.

    Returns:
        The programs, in the order of the file.

    Raises:
        InputError: There is no such file, or it is none of this version, or torn.
    """
    path = find(name)
    loaded = _read_parquet(path) if path.suffix == ".parquet" else _read_points(path)
    return loaded if split is None else loaded.of_split(split)


def _read_points(path: pathlib.Path) -> ProgramSet:
    number = 1
    try:
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            header = json.loads(next(lines, "null"))
            if not isinstance(header, dict) or header.get("format") != "points":
                raise InputError(f"'{path}': found no file of programs")
            if header["version"] != VERSION:
                raise InputError(f"'{path}': found version {header['version']}, expected {VERSION}")
            tasks = tuple(ProgramTask(**task) for task in header["tasks"])
            programs = []
            for number, line in enumerate(lines, 2):
                programs.append(_row(json.loads(line), header["words"], header["steps"]))
                tasks[programs[-1].task]
    except (OSError, EOFError, ValueError, KeyError, IndexError, TypeError, zlib.error) as fault:
        if isinstance(fault, InputError):
            raise
        raise InputError(f"'{path}', line {number}: {fault}") from None
    return ProgramSet(tasks, tuple(programs))


def _read_parquet(path: pathlib.Path) -> ProgramSet:
    arrow = _arrow("parquet")
    try:
        table = arrow.parquet.read_table(path)
    except (OSError, arrow.ArrowException) as fault:
        raise InputError(f"'{path}': found no Parquet file: {str(fault).splitlines()[0]}") from None
    found = (table.schema.metadata or {}).get(b"schedulegym", b"none").decode(errors="replace")
    if found != _ARROW_METADATA["schedulegym"]:
        raise InputError(f"'{path}': found format '{found}', expected "
                         f"'{_ARROW_METADATA['schedulegym']}'")
    tasks: dict[str, tuple[int, ProgramTask]] = {}
    programs = []
    for row in table.to_pylist():
        task = ProgramTask(row["task"], row["workload"], row["target"], row["dag"], row["split"])
        position, _ = tasks.setdefault(task.key, (len(tasks), task))
        ratio = None if row["seconds"] is None else (row["ratio"], row["ratio_low"], row["ratio_high"])
        programs.append(Program(position, row["trace"], row["space"], row["part"], row["host"],
                                row["outcome"], row["seconds"], ratio, tuple(row["samples"])))
    return ProgramSet(tuple(task for _, task in tasks.values()), tuple(programs))


def to_parquet(programs: ProgramSet, path: str | os.PathLike[str]) -> None:
    """Writes a set as one Parquet file, which ``load`` reads.

    Args:
        programs: What to write; columns are those of ``ProgramSet.rows``.
        path: The file, which is replaced once all is written.

    Raises:
        InputError: pyarrow is missing.
    """
    arrow = _arrow("parquet")
    beside = pathlib.Path(path).with_name(pathlib.Path(path).name + ".part")
    try:
        arrow.parquet.write_table(programs.table(), beside)
        os.replace(beside, path)
    finally:
        beside.unlink(missing_ok=True)


def likely_layers(layers: typing.Sequence[str], count: int, seed: int = 0,
                  agree: int | None = None) -> list[str]:
    """Draws workloads whose sizes go together as those of real layers do.

    The kind is drawn first, then the other columns in random order, each value from the layers that
    agree with what was drawn so far (One-Shot Tuner, Ryu et al., CC 2022).

    Args:
        layers: Workloads, such as "conv2d(h=28,w=28,ci=64,co=64,k=3,p=1)".
        count: How many distinct ones to draw, at most.
        seed: Of chance.
        agree: How many columns, those drawn last, a layer must agree in; None for all, so that only
            listed layers are drawn. Fewer give combinations that are not in the list.

    Returns:
        Workloads, each once.

    Example:
        >>> sorted(likely_layers(["softmax(n=1,m=8)", "softmax(n=2,m=9)"], 2))
        ['softmax(n=1,m=8)', 'softmax(n=2,m=9)']
    """
    chance = np.random.default_rng(seed)
    rows = [(text.partition("(")[0], dict(pair.split("=") for pair in
             text.partition("(")[2].rstrip(")").replace(" ", "").split(","))) for text in layers]
    drawn: dict[str, None] = {}
    for _ in range(100 * count):
        if len(drawn) == count:
            break
        kind, keys = rows[chance.integers(len(rows))]
        chosen: dict[str, str] = {}
        for key in chance.permutation(sorted(keys)):
            fixed = list(chosen.items())[-agree if agree else 0:]
            values = [row[key] for name, row in rows if name == kind and key in row
                      and all(row.get(one) == value for one, value in fixed)]
            chosen[key] = values[chance.integers(len(values))] if values else keys[key]
        drawn[f"{kind}({','.join(f'{key}={chosen[key]}' for key in keys)})"] = None
    return list(drawn)


def _write_likely(arguments: argparse.Namespace) -> str:
    layers = [str(task) for name in arguments.networks for _, task in _schedulegym.read_network(name)]
    drawn = likely_layers(layers, arguments.count, arguments.seed, arguments.agree)
    pathlib.Path(arguments.out).write_text("".join(f"1 {layer}\n" for layer in drawn))
    return f"{len(drawn)} layers"


def main(words: list[str] | None = None) -> int:
    """The command ``python -m schedulegym.data``.

    Args:
        words: Arguments; those of the process where None.

    Returns:
        The exit code: 0, or 2 for bad input.
    """
    parser = argparse.ArgumentParser(prog="python -m schedulegym.data", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    parquet = commands.add_parser("parquet", help="write a data set as a Parquet file")
    parquet.add_argument("data", help="a file of programs, or the name of a set")
    parquet.add_argument("-o", "--out", required=True, metavar="FILE")
    likely = commands.add_parser("likely", help="draw layers that are like those of networks")
    likely.add_argument("networks", nargs="+", help="names of networks, or .net files")
    likely.add_argument("-o", "--out", required=True, metavar="FILE", help="a .net file")
    likely.add_argument("--count", type=int, default=24)
    likely.add_argument("--seed", type=int, default=0)
    likely.add_argument("--agree", type=int, help="columns a layer must agree in (default all)")
    arguments = parser.parse_args(words)
    try:
        if arguments.command == "likely":
            told = _write_likely(arguments)
        else:
            programs = load(arguments.data)
            to_parquet(programs, arguments.out)
            told = f"{len(programs)} programs"
    except InputError as fault:
        print(f"error: {fault}", file=sys.stderr)
        return 2
    print(f"{arguments.out}: {told}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
