# Made by make_stubs.py with pybind11 3.1, pybind11-stubgen 3.0
"""
ScheduleGym's nouns; users import them from the package schedulegym.
"""
from __future__ import annotations
import collections.abc
import numpy
import numpy.typing
import os
import pathlib
import typing
__all__: list[str] = ['AgentSetup', 'AgentTrial', 'BuiltinAgent', 'ComputeDag', 'Confinement', 'EnvironmentRequest', 'GymEnvironment', 'GymNetwork', 'GymVector', 'InputError', 'MachineError', 'Measurement', 'Measurer', 'NetworkRequest', 'ObservationForm', 'Primitive', 'Record', 'RecordStore', 'Rng', 'ScheduleError', 'ScheduleState', 'SearchRequest', 'SearchSpace', 'Target', 'Task', 'Tensor', 'Trace', 'Workload', 'agents', 'builtin_workloads', 'check_output', 'check_outputs', 'check_search', 'environments', 'export_kernel', 'measurer_facts', 'measurer_space', 'measurers', 'noise_ceiling', 'observations', 'packed_programs', 'parse_spec', 'primitives', 'program_features', 'protocol_warnings', 'read_memory', 'read_network', 'reference_schedule', 'rewards', 'run_search', 'schedulers', 'serve_agent', 'source_of', 'spaces', 'suite', 'targets', 'write_output']
class InputError(ValueError):
    """
    Something was asked for that does not exist, does not fit or cannot be read.
    """
class ScheduleError(InputError):
    """
    A primitive is not legal in a state, or a schedule cannot be lowered.
    """
class MachineError(RuntimeError):
    """
    The machine lacks a package, a device or a right.
    """
class Target:
    """
    The facts about a machine that schedules may use.

    Example:
        >>> Target('llvm(cores=1)').cores
        1
    """
    def __eq__(self, other: object) -> bool:
        ...
    def __getstate__(self) -> str:
        ...
    def __hash__(self) -> int:
        ...
    def __init__(self, spec: str = 'llvm') -> None:
        """
        Makes a target of a spec.

        Args:
            spec: Such as 'llvm', 'llvm(cores=1)' or 'interpreter'; what it leaves open is this machine's.

        Raises:
            InputError: There is no such target, or a fact is out of its range.
        """
    def __repr__(self) -> str:
        ...
    def __setstate__(self, state: str) -> None:
        ...
    def __str__(self) -> str:
        ...
    @property
    def backend(self) -> str:
        """
        'llvm', 'interpreter' or 'cuda'.
        """
    @property
    def cores(self) -> int:
        """
        How many a kernel may use.
        """
    @property
    def facts(self) -> dict[str, typing.Any]:
        """
        All facts by name; sizes in bytes, vectors in bits.
        """
    @property
    def spec(self) -> str:
        """
        With all facts: equal on any machine.
        """
class Tensor:
    """
    One tensor of a computation.
    """
    def __repr__(self) -> str:
        ...
    @property
    def dtype(self) -> str:
        """
        'f32', 'f64', 'i32', 'i8', 'f16' or 'bf16'.
        """
    @property
    def kind(self) -> str:
        """
        'input', 'weight' or 'definition'.
        """
    @property
    def name(self) -> str:
        """
        As in the text.
        """
    @property
    def shape(self) -> tuple[int, ...]:
        """
        The extents of its dimensions, in elements.
        """
class ComputeDag:
    """
    The immutable mathematics of a computation.

    Example:
        >>> dag = ComputeDag('input X[8]\\nY[i:8] = X[i] + 1\\n')
        >>> [tensor.shape for tensor in dag.outputs], dag.flops
        ([(8,)], 8.0)
    """
    @staticmethod
    def read(path: os.PathLike[str] | str | bytes, parameters: collections.abc.Mapping[str, typing.SupportsInt | typing.SupportsIndex] = {}) -> ComputeDag:
        """
        Makes a computation of a .dag file.

        Args:
            path: The file.
            parameters: Values by name, which replace those of `param` lines.

        Returns:
            A ComputeDag.

        Raises:
            InputError: The file cannot be read, or is no computation.
        """
    def __eq__(self, other: object) -> bool:
        ...
    def __getstate__(self) -> str:
        ...
    def __hash__(self) -> int:
        ...
    def __init__(self, text: str, parameters: collections.abc.Mapping[str, typing.SupportsInt | typing.SupportsIndex] = {}) -> None:
        """
        Makes a computation of .dag text.

        Args:
            text: Lines as in a .dag file.
            parameters: Values by name, which replace those of `param` lines.

        Raises:
            InputError: The text is no computation; the message has line and column.
        """
    def __repr__(self) -> str:
        ...
    def __setstate__(self, state: str) -> None:
        ...
    def __str__(self) -> str:
        ...
    @property
    def flops(self) -> float:
        """
        Arithmetic operations of one call.
        """
    @property
    def inputs(self) -> list[Tensor]:
        """
        Inputs and weights, in the order of the signature.
        """
    @property
    def key(self) -> str:
        """
        32 hex digits; names of axes and parameters take no part.
        """
    @property
    def outputs(self) -> list[Tensor]:
        """
        Outputs, in the order of the signature.
        """
    @property
    def tensors(self) -> list[Tensor]:
        """
        All, in order of declaration.
        """
    @property
    def text(self) -> str:
        """
        Parses back to an equal computation.
        """
class Workload:
    """
    A name and parameters that yield a ComputeDag.

    Example:
        >>> workload = Workload('matmul(m=64,n=32,k=16)')
        >>> workload.parameters
        {'m': 64, 'n': 32, 'k': 16}
    """
    def __eq__(self, other: object) -> bool:
        ...
    def __getstate__(self) -> str:
        ...
    def __hash__(self) -> int:
        ...
    @typing.overload
    def __init__(self, text: str) -> None:
        """
        Makes a workload of its text.

        Args:
            text: A spec such as 'matmul(m=512,n=512,k=512)', or the path of a .dag file.

        Raises:
            InputError: The text is no spec, or names no workload.
        """
    @typing.overload
    def __init__(self, text: os.PathLike[str] | str | bytes) -> None:
        """
        Makes a workload of a .dag file.

        Args:
            text: The path of the file.

        Raises:
            InputError: The file cannot be read as a computation.
        """
    def __repr__(self) -> str:
        ...
    def __setstate__(self, state: str) -> None:
        ...
    def __str__(self) -> str:
        ...
    def dag(self) -> ComputeDag:
        """
        Makes the computation.

        Returns:
            A ComputeDag.

        Raises:
            InputError: The parameters do not fit the workload.
        """
    @property
    def name(self) -> str:
        """
        The operator's name, or the file's path.
        """
    @property
    def parameters(self) -> dict[str, typing.Any]:
        """
        What was given, by name.
        """
class Task:
    """
    A computation on a target; the unit of tuning.

    Example:
        >>> task = Task('matmul(m=64,n=64,k=64)', 'llvm(cores=1)')
        >>> task.dag.flops
        524288.0
    """
    def __eq__(self, other: object) -> bool:
        ...
    def __getstate__(self) -> tuple[str, str, str]:
        ...
    def __hash__(self) -> int:
        ...
    def __init__(self, workload: Task | Workload | ComputeDag | str | os.PathLike[str] | str | bytes, target: Target | str = 'llvm') -> None:
        """
        Makes a task.

        Args:
            workload: A spec, the path of a .dag file, .dag text, a Workload, a ComputeDag or a Task.
            target: A Target or its spec; of a Task, which has one, it is not read.

        Raises:
            InputError: The workload or the target does not exist, or they do not fit.
        """
    def __repr__(self) -> str:
        ...
    def __setstate__(self, state: tuple[str, str, str]) -> None:
        ...
    @property
    def dag(self) -> ComputeDag:
        """
        The computation.
        """
    @property
    def key(self) -> str:
        """
        32 hex digits, by which stores know it.
        """
    @property
    def name(self) -> str:
        """
        How it was asked for; takes no part in the key.
        """
    @property
    def target(self) -> Target:
        """
        Where it is to run.
        """
class Primitive:
    """
    One scheduling decision as plain data.

    Example:
        >>> split = Primitive('split', stage='C', loop=0, lengths=[4, 16])
        >>> split == Primitive('split(stage=C, loop=0, lengths=[4, 16])')
        True
    """
    def __eq__(self, other: object) -> bool:
        ...
    def __getstate__(self) -> str:
        ...
    def __hash__(self) -> int:
        ...
    def __init__(self, text: str, **kwargs: typing.Any) -> None:
        """
        Makes a primitive of a line, or of a name and fields.

        Args:
            text: A line such as 'split(stage=C, loop=0, lengths=[4, 16])', or a name.
            **kwargs: The fields beside a name; stages by theirs. See primitives().

        Raises:
            InputError: There is no such primitive, or its fields are others.
            TypeError: A field is no number, word, truth value or list of these.
        """
    def __repr__(self) -> str:
        ...
    def __setstate__(self, state: str) -> None:
        ...
    def __str__(self) -> str:
        ...
    @property
    def fields(self) -> dict[str, typing.Any]:
        """
        All fields by name; stages by theirs.
        """
    @property
    def name(self) -> str:
        """
        What it does, such as 'split'.
        """
    @property
    def text(self) -> str:
        """
        As a line of a trace.
        """
class Trace:
    """
    The ordered primitives of a schedule.

    Example:
        >>> trace = Trace('trace 1\\nparallel(stage=C, loop=0)\\n')
        >>> len(trace), trace[0].name
        (1, 'parallel')
    """
    def __eq__(self, other: object) -> bool:
        ...
    def __getitem__(self, index: typing.SupportsInt | typing.SupportsIndex) -> Primitive:
        ...
    def __getstate__(self) -> str:
        ...
    def __hash__(self) -> int:
        ...
    @typing.overload
    def __init__(self, text: str = 'trace 1\n') -> None:
        """
        Makes a trace of text.

        Args:
            text: The line 'trace 1', then one primitive a line.

        Raises:
            InputError: A line is no primitive; the message has its number.
        """
    @typing.overload
    def __init__(self, primitives: collections.abc.Sequence[Primitive]) -> None:
        """
        Makes a trace of primitives.

        Args:
            primitives: In their order.
        """
    def __iter__(self) -> collections.abc.Iterator[Primitive]:
        ...
    def __len__(self) -> int:
        ...
    def __repr__(self) -> str:
        ...
    def __setstate__(self, state: str) -> None:
        ...
    def __str__(self) -> str:
        ...
    @property
    def text(self) -> str:
        """
        Reads back as an equal trace.
        """
class ScheduleState:
    """
    An immutable loop structure and the trace that made it.

    Example:
        >>> naive = ScheduleState.initial(Task('matmul(m=64,n=64,k=64)'))
        >>> split = naive.apply('split(stage=C, loop=0, lengths=[4, 8])')
        >>> ScheduleState.replay(split.task, split.trace) == split
        True
    """
    @staticmethod
    def initial(task: Task) -> ScheduleState:
        """
        Makes the naive program.

        Args:
            task: What it schedules.

        Returns:
            A state with one serial loop for each axis.
        """
    @staticmethod
    def replay(task: Task, trace: Trace | str) -> ScheduleState:
        """
        Applies a trace to the naive program.

        Args:
            task: What it schedules.
            trace: A Trace or its text.

        Returns:
            The state that the trace ends in.

        Raises:
            InputError: The text is no trace of this task.
            ScheduleError: A primitive is not legal where it stands.
        """
    def __eq__(self, other: object) -> bool:
        ...
    def __getstate__(self) -> tuple[Task, str]:
        ...
    def __hash__(self) -> int:
        ...
    def __repr__(self) -> str:
        ...
    def __setstate__(self, state: tuple[Task, str]) -> None:
        ...
    def apply(self, primitive: Primitive | str) -> ScheduleState:
        """
        Applies a primitive; this state stays as it is.

        Args:
            primitive: A Primitive or its line.

        Returns:
            The state after it.

        Raises:
            InputError: The line is no primitive of this state's stages.
            ScheduleError: It is not legal here; the message says why.
        """
    def check(self, primitive: Primitive | str) -> str | None:
        """
        Says whether a primitive may be applied.

        Args:
            primitive: A Primitive or its line.

        Returns:
            None where it is legal here, else why it is not.
        """
    @property
    def key(self) -> str:
        """
        32 hex digits; equal exactly if the printed loops are.
        """
    @property
    def loops(self) -> str:
        """
        The loop nest as text.
        """
    @property
    def names(self) -> list[str]:
        """
        Of all stages: the computation's tensors, then what was added.
        """
    @property
    def source(self) -> str:
        """
        The explicit loops with all buffers and indices, as text.
        """
    @property
    def task(self) -> Task:
        """
        What it schedules.
        """
    @property
    def trace(self) -> Trace:
        """
        The primitives that made it.
        """
class Measurement:
    """
    A timing with its interval, or a typed failure.
    """
    def __repr__(self) -> str:
        ...
    @property
    def message(self) -> str:
        """
        Of a failure: what was found, what was expected.
        """
    @property
    def ok(self) -> bool:
        """
        Whether there is a timing.
        """
    @property
    def outcome(self) -> str:
        """
        'ok', or the failure's type.
        """
    @property
    def ratio(self) -> float | None:
        """
        Reference seconds over these: above 1 is faster than the reference.
        """
    @property
    def ratio_high(self) -> float | None:
        """
        The upper end of the ratio's interval.
        """
    @property
    def ratio_low(self) -> float | None:
        """
        The lower end of the ratio's interval.
        """
    @property
    def samples(self) -> list[float]:
        """
        Seconds of one call, one sample a round; empty for a failure.
        """
    @property
    def seconds(self) -> float | None:
        """
        Seconds of one call; None for a failure.
        """
    @property
    def stderr(self) -> str:
        """
        The last of what the candidate's process said.
        """
class Record:
    """
    One measured schedule of a task.
    """
    @staticmethod
    def from_line(line: str) -> Record:
        """
        Reads a record.

        Args:
            line: What to_line() or `records export` wrote.

        Returns:
            An equal Record.

        Raises:
            InputError: The line is no record.
        """
    def __eq__(self, other: object) -> bool:
        ...
    def __getstate__(self) -> str:
        ...
    def __hash__(self) -> int:
        ...
    def __repr__(self) -> str:
        ...
    def __setstate__(self, state: str) -> None:
        ...
    def state(self) -> ScheduleState:
        """
        Replays the schedule.

        Returns:
            A ScheduleState of the record's task.

        Raises:
            InputError: The record's computation, target or trace cannot be read.
            ScheduleError: A primitive is not legal where it stands.
        """
    def to_line(self) -> str:
        """
        Writes the record.

        Returns:
            A line of JSON, as in an export.
        """
    @property
    def agent(self) -> str:
        """
        Who proposed it.
        """
    @property
    def dag(self) -> str:
        """
        The computation as .dag text.
        """
    @property
    def host(self) -> str:
        """
        Where it was measured.
        """
    @property
    def id(self) -> str:
        """
        32 hex digits.
        """
    @property
    def index(self) -> int:
        """
        Of the trial within its task and search.
        """
    @property
    def measurement(self) -> Measurement:
        """
        What measuring gave.
        """
    @property
    def note(self) -> str:
        """
        Of who proposed it: a spec, '' without.
        """
    @property
    def seed(self) -> int:
        """
        Of the search.
        """
    @property
    def space(self) -> str:
        """
        What was searched.
        """
    @property
    def started(self) -> float:
        """
        Seconds since 1970-01-01 UTC.
        """
    @property
    def state_key(self) -> str:
        """
        The key of the schedule's state.
        """
    @property
    def target(self) -> str:
        """
        The target with all facts.
        """
    @property
    def task(self) -> str:
        """
        The task's key.
        """
    @property
    def trace(self) -> str:
        """
        The schedule as text.
        """
    @property
    def workload(self) -> str:
        """
        How the task was asked for.
        """
class RecordStore:
    """
    Durable, append-only memory of measurements.

    A file has one writer at a time; threads may share a store.

    Example:
        >>> with RecordStore() as store:
        ...     len(store), store.best(Task('matmul(m=64,n=64,k=64)'))
        (0, None)
    """
    def __enter__(self) -> typing.Any:
        ...
    def __exit__(self, *args: typing.Any) -> None:
        ...
    def __init__(self, path: os.PathLike[str] | str | bytes | None = None, mode: str = 'r') -> None:
        """
        Opens a store.

        Args:
            path: A file; None for one in memory.
            mode: 'r' to read, or 'w' to write, which makes a file that is missing.

        Raises:
            InputError: The file is no store, is missing, or another writer has it.
            MachineError: The disk is full, or the system refuses the file.
        """
    def __iter__(self) -> collections.abc.Iterator[Record]:
        ...
    def __len__(self) -> int:
        ...
    def append(self, records: collections.abc.Sequence[Record]) -> None:
        """
        Adds records, and returns once all are durable.

        Args:
            records: In order; those that the store has already are skipped.

        Raises:
            InputError: The store is closed, or was opened to read.
            MachineError: The disk is full, or the system refuses to write.
        """
    def best(self, task: Task | str) -> Record | None:
        """
        Finds the best success of a task.

        Args:
            task: A Task, or its key of 32 hex digits.

        Returns:
            The Record, or None where the store has none.

        Raises:
            InputError: The store is closed, or `task` is no key.
        """
    def best_of_each(self) -> list[Record]:
        """
        Finds the best of each task.

        Returns:
            A Record for each task that has a success.

        Raises:
            InputError: The store is closed.
        """
    def by_id(self, id: str) -> Record | None:
        """
        Finds a record.

        Args:
            id: 32 hex digits.

        Returns:
            The Record, or None where the store has none.

        Raises:
            InputError: The store is closed.
        """
    def close(self) -> None:
        """
        Lets others write; may be called twice.
        """
    def export_lines(self) -> str:
        """
        Writes all records as text.

        Returns:
            Lines of JSON with a trailer, as `records import` reads them.

        Raises:
            InputError: The store is closed.
        """
    def for_task(self, task: Task | str) -> list[Record]:
        """
        Lists the records of a task.

        Args:
            task: A Task, or its key of 32 hex digits.

        Returns:
            All, in order of appending.

        Raises:
            InputError: The store is closed, or `task` is no key.
        """
    def records(self) -> list[Record]:
        """
        Lists all records.

        Returns:
            All, in order of appending.

        Raises:
            InputError: The store is closed.
        """
    @property
    def path(self) -> pathlib.Path | None:
        """
        The file as it was named, also once closed; None of a store in memory.
        """
class Measurer:
    """
    Compiles, verifies and times schedules in processes of their own.

    Example:
        >>> measurer = Measurer('llvm(cores=1)')  # doctest: +SKIP
        >>> measurer.measure([state])[0].outcome  # doctest: +SKIP
        'ok'
    """
    def __init__(self, target: Target | str = 'llvm', protocol: str = 'cpu1', seed: typing.SupportsInt | typing.SupportsIndex = 0) -> None:
        """
        Starts nothing yet: processes come with the first measurement.

        Args:
            target: A Target or its spec, which all schedules are for.
            protocol: Spec of how candidates are timed, such as 'cpu1(seconds=0.2)'.
            seed: Of inputs and of the order of timing.

        Raises:
            InputError: There is no such target or protocol.
            MachineError: Nothing can be measured for this target here.
        """
    def measure(self, states: collections.abc.Sequence[ScheduleState]) -> list[Measurement]:
        """
        Measures schedules; a bad one is an outcome, no exception.

        Args:
            states: ScheduleStates of this target.

        Returns:
            A Measurement for each, in order.

        Raises:
            InputError: A schedule is for another target.
            MachineError: The machine lacks what measuring needs.
            KeyboardInterrupt: Ctrl-C came between two candidates.
        """
    @property
    def target(self) -> Target:
        """
        Where it measures.
        """
class Rng:
    """
    A seeded source of chance.

    Example:
        >>> Rng(1).below(100) == Rng(1).below(100)
        True
    """
    def __init__(self, seed: typing.SupportsInt | typing.SupportsIndex) -> None:
        """
        Begins a stream.

        Args:
            seed: 0 to 2**64 - 1; equal seeds give equal streams.
        """
    def below(self, bound: typing.SupportsInt | typing.SupportsIndex) -> int:
        """
        Draws a whole number.

        Args:
            bound: At least 1.

        Returns:
            Uniform among 0, ..., bound - 1.

        Raises:
            InputError: `bound` is below 1.
        """
    def next(self) -> int:
        """
        Draws bits.

        Returns:
            64 uniform bits.
        """
    def split(self) -> Rng:
        """
        Begins another stream.

        Returns:
            An independent Rng.
        """
    def uniform(self) -> float:
        """
        Draws a number.

        Returns:
            Uniform in [0, 1).
        """
class SearchSpace:
    """
    Which schedules of a task may be chosen.

    Example:
        >>> space, rng = SearchSpace('ansor'), Rng(0)
        >>> state = space.sample(Task('matmul(m=64,n=64,k=64)'), rng)
        >>> space.mutate(state, rng).task == state.task
        True
    """
    def __init__(self, spec: str = 'schedulegym') -> None:
        """
        Makes a space of a spec.

        Args:
            spec: Such as 'schedulegym', 'ansor(rfactor=false)', or 'table(file=FILE)', of what a table knows: an AgentSetup's `space`.

        Raises:
            InputError: There is no such space, or an option is not one of its.
        """
    def __repr__(self) -> str:
        ...
    def admit(self, state: ScheduleState) -> str | None:
        """
        Whether a schedule passes the filters of the space.

        Args:
            state: Any schedule.

        Returns:
            None where it is, else why it is not.
        """
    def mutate(self, state: ScheduleState, rng: Rng) -> ScheduleState:
        """
        Makes one decision of a schedule anew.

        Args:
            state: A schedule of this space.
            rng: The stream that is drawn from.

        Returns:
            A neighbour of the state.

        Raises:
            ScheduleError: 100 draws in a row led nowhere.
        """
    def sample(self, task: Task, rng: Rng) -> ScheduleState:
        """
        Draws a complete schedule.

        Args:
            task: What it schedules.
            rng: The stream that is drawn from.

        Returns:
            A ScheduleState.

        Raises:
            ScheduleError: 100 draws in a row led nowhere.
        """
    @property
    def name(self) -> str:
        """
        As a spec, with its options.
        """
class AgentSetup:
    """
    What a run is, as an agent's `begin` gets it.
    """
    @property
    def agent(self) -> str:
        """
        A spec.
        """
    @property
    def seconds(self) -> float | None:
        """
        Over all tasks; None without a limit.
        """
    @property
    def seed(self) -> int:
        """
        Of the run.
        """
    @property
    def space(self) -> str:
        """
        A spec.
        """
    @property
    def tasks(self) -> list[tuple[Task, float]]:
        """
        Pairs of a Task and how often its network runs it.
        """
    @property
    def trials(self) -> int | None:
        """
        Over all tasks; None where that is not known.
        """
class AgentTrial:
    """
    A schedule and its result; see learn_trials.
    """
    @property
    def key(self) -> str:
        """
        The state's, 32 hex digits.
        """
    @property
    def record(self) -> Record | None:
        """
        None of what was not reached.
        """
    @property
    def state(self) -> ScheduleState:
        """
        The schedule.
        """
    @property
    def status(self) -> str:
        """
        'measured'; 'says_nothing', of a fault of the machine; 'not_reached', where the search ended before; 'known' from an earlier search; 'revised', where the first record turned out doubtful.
        """
    @property
    def task(self) -> Task:
        """
        What it is a schedule of.
        """
    @property
    def told(self) -> str:
        """
        The old name of `status`.
        """
class BuiltinAgent:
    """
    One of the project's own agents; see agents().

    Example:
        >>> agent = BuiltinAgent('random', seed=1)
        >>> len(agent.propose(Task('matmul(m=64,n=64,k=64)'), 3))
        3
    """
    def __init__(self, spec: str, space: str = 'schedulegym', seed: typing.SupportsInt | typing.SupportsIndex = 0) -> None:
        """
        Makes an agent of a spec.

        Args:
            spec: Such as 'ansor' or 'random(retries=100)'.
            space: Spec of the space that its schedules are of.
            seed: Of all its chance, 0 to 2**64 - 1.

        Raises:
            InputError: There is no such agent, space or option.
        """
    def begin(self, setup: AgentSetup) -> None:
        """
        Starts anew, and serves the tasks of a run.

        Args:
            setup: What the run is.

        Raises:
            InputError: Its options or its space do not fit a task.
        """
    def check_task(self, task: Task) -> None:
        """
        Checks that the agent fits a task.

        Args:
            task: What it would be asked about.

        Raises:
            InputError: Its options or its space do not fit the task.
        """
    def learn(self, records: collections.abc.Sequence[Record]) -> None:
        """
        Learns from measurements.

        Args:
            records: Of its proposals, or of others, which are known from then on.
        """
    def learn_trials(self, trials: collections.abc.Sequence[AgentTrial]) -> None:
        """
        Learns what became of its proposals.

        Args:
            trials: AgentTrials, in the order of the proposals.
        """
    def propose(self, task: Task, count: typing.SupportsInt | typing.SupportsIndex) -> list[ScheduleState]:
        """
        Proposes schedules worth measuring.

        Args:
            task: What they schedule.
            count: How many at most, 1 or more.

        Returns:
            ScheduleStates; fewer only when there are no more.

        Raises:
            InputError: `count` is below 1, or the agent does not fit the task.
        """
    @property
    def name(self) -> str:
        """
        As a spec, with its options.
        """
class Confinement:
    """
    How processes of agents written in Python are started and ended.

    Example:
        >>> confinement = Confinement()
        >>> confinement.memory_bytes = 2 << 30
        >>> confinement.reads = ['/usr/share/data']
    """
    def __init__(self) -> None:
        """
        Allows no files, with the usual limits.
        """
    def builder(self, words: collections.abc.Sequence[str]) -> list[str]:
        """
        Confines a command that starts other programs, as a build does.

        Args:
            words: The program and its arguments.

        Returns:
            A command line for a child of this process.

        Raises:
            MachineError: Nothing can be confined here.
        """
    @property
    def answer_seconds(self) -> float:
        """
        Seconds that an answer may take.
        """
    @answer_seconds.setter
    def answer_seconds(self, value: typing.SupportsFloat | typing.SupportsIndex) -> None:
        ...
    @property
    def folder(self) -> str:
        """
        Their own, where a command begins.
        """
    @folder.setter
    def folder(self, value: str) -> None:
        ...
    @property
    def hidden(self) -> list[str]:
        """
        Folders of `reads` that they do not read after all.
        """
    @hidden.setter
    def hidden(self, value: collections.abc.Sequence[str]) -> None:
        ...
    @property
    def lists(self) -> list[str]:
        """
        Folders whose names they see, but no contents.
        """
    @lists.setter
    def lists(self, value: collections.abc.Sequence[str]) -> None:
        ...
    @property
    def loading_seconds(self) -> float:
        """
        Seconds within which it is loaded and has taken the run.
        """
    @loading_seconds.setter
    def loading_seconds(self, value: typing.SupportsFloat | typing.SupportsIndex) -> None:
        ...
    @property
    def memory_bytes(self) -> int:
        """
        Bytes of private memory of a process.
        """
    @memory_bytes.setter
    def memory_bytes(self, value: typing.SupportsInt | typing.SupportsIndex) -> None:
        ...
    @property
    def reads(self) -> list[str]:
        """
        Files and folders that they read.
        """
    @reads.setter
    def reads(self, value: collections.abc.Sequence[str]) -> None:
        ...
    @property
    def space(self) -> str | None:
        """
        A spec that is passed to them in place of the run's.
        """
    @space.setter
    def space(self, value: str | None) -> None:
        ...
    @property
    def variables(self) -> list[str]:
        """
        'NAME=value', of their environment.
        """
    @variables.setter
    def variables(self, value: collections.abc.Sequence[str]) -> None:
        ...
    @property
    def writes(self) -> list[str]:
        """
        Folders that they write, beside one that ends with them.
        """
    @writes.setter
    def writes(self, value: collections.abc.Sequence[str]) -> None:
        ...
class SearchRequest:
    """
    What a search is asked for; tune() fills it in.
    """
    def __init__(self) -> None:
        ...
    @property
    def agent(self) -> str:
        """
        A spec; of an object, how records name it.
        """
    @agent.setter
    def agent(self, value: str) -> None:
        ...
    @property
    def agent_object(self) -> typing.Any:
        """
        Proposes in place of a built-in agent.
        """
    @agent_object.setter
    def agent_object(self, value: typing.Any) -> None:
        ...
    @property
    def confinement(self) -> Confinement:
        """
        Of agents' own code; None: not confined.
        """
    @confinement.setter
    def confinement(self, value: Confinement) -> None:
        ...
    @property
    def finalists(self) -> int | None:
        """
        How many are measured again at the end.
        """
    @finalists.setter
    def finalists(self, value: typing.SupportsInt | typing.SupportsIndex | None) -> None:
        ...
    @property
    def measure(self) -> str:
        """
        A spec: what gives the speed of a candidate.
        """
    @measure.setter
    def measure(self, value: str) -> None:
        ...
    @property
    def on_remark(self) -> typing.Any:
        """
        The old name of `on_warning`.
        """
    @on_remark.setter
    def on_remark(self, value: typing.Any) -> None:
        ...
    @property
    def on_revised(self) -> typing.Any:
        """
        Called with the task, seconds before and now, and why, of a best that did not stand.
        """
    @on_revised.setter
    def on_revised(self, value: typing.Any) -> None:
        ...
    @property
    def on_trial(self) -> typing.Any:
        """
        Called with the fields of each trial.
        """
    @on_trial.setter
    def on_trial(self, value: typing.Any) -> None:
        ...
    @property
    def on_warning(self) -> typing.Any:
        """
        Called with what a user should know.
        """
    @on_warning.setter
    def on_warning(self, value: typing.Any) -> None:
        ...
    @property
    def plugins(self) -> list[str]:
        """
        Shared libraries whose agents may be named.
        """
    @plugins.setter
    def plugins(self, value: collections.abc.Sequence[str]) -> None:
        ...
    @property
    def protocol(self) -> str:
        """
        A spec: how candidates are timed.
        """
    @protocol.setter
    def protocol(self, value: str) -> None:
        ...
    @property
    def refine(self) -> str | None:
        """
        A spec: what has the last trials.
        """
    @refine.setter
    def refine(self, value: str | None) -> None:
        ...
    @property
    def resume(self) -> bool:
        """
        Whether the agent learns from the records in the store.
        """
    @resume.setter
    def resume(self, value: bool) -> None:
        ...
    @property
    def save_model(self) -> str | None:
        """
        A file for what was learned; None: no file.
        """
    @save_model.setter
    def save_model(self, value: str | None) -> None:
        ...
    @property
    def scheduler(self) -> str:
        """
        A spec: which task is next.
        """
    @scheduler.setter
    def scheduler(self, value: str) -> None:
        ...
    @property
    def seconds(self) -> float | None:
        """
        Over all tasks; None: no limit.
        """
    @seconds.setter
    def seconds(self, value: typing.SupportsFloat | typing.SupportsIndex | None) -> None:
        ...
    @property
    def seed(self) -> int:
        """
        Of all chance.
        """
    @seed.setter
    def seed(self, value: typing.SupportsInt | typing.SupportsIndex) -> None:
        ...
    @property
    def space(self) -> str | None:
        """
        A spec; None: the usual one, or what the measurer records.
        """
    @space.setter
    def space(self, value: str | None) -> None:
        ...
    @property
    def trials(self) -> int:
        """
        Over all tasks.
        """
    @trials.setter
    def trials(self, value: typing.SupportsInt | typing.SupportsIndex) -> None:
        ...
class EnvironmentRequest:
    """
    What an environment is asked for; make() fills it in.
    """
    def __init__(self) -> None:
        ...
    def record_in(self, store: RecordStore | os.PathLike[str] | str | bytes) -> None:
        """
        Lets measurements go into a store.

        Args:
            store: A file's path, or a RecordStore that is open for writing.

        Raises:
            InputError: The store is closed.
        """
    @property
    def actions(self) -> str:
        """
        'construct', 'modify' or, of another tuner's table, 'file'.
        """
    @actions.setter
    def actions(self, value: str) -> None:
        ...
    @property
    def horizon(self) -> int:
        """
        Actions of an episode, at most.
        """
    @horizon.setter
    def horizon(self, value: typing.SupportsInt | typing.SupportsIndex) -> None:
        ...
    @property
    def input(self) -> str:
        """
        T1 file of a table that is a T4 file, or ''.
        """
    @input.setter
    def input(self, value: str) -> None:
        ...
    @property
    def measurer(self) -> str:
        """
        Spec of a measurer of the kind that `source` says, for its options; '': the usual one.
        """
    @measurer.setter
    def measurer(self, value: str) -> None:
        ...
    @property
    def measuring_seed(self) -> int:
        """
        Of interleaving.
        """
    @measuring_seed.setter
    def measuring_seed(self, value: typing.SupportsInt | typing.SupportsIndex) -> None:
        ...
    @property
    def model(self) -> str:
        """
        'analytical', or the path of a saved model.
        """
    @model.setter
    def model(self, value: str) -> None:
        ...
    @property
    def observations(self) -> list[str]:
        """
        Specs of those that are numbers.
        """
    @observations.setter
    def observations(self, value: collections.abc.Sequence[str]) -> None:
        ...
    @property
    def protocol(self) -> str:
        """
        Spec of how candidates are timed.
        """
    @protocol.setter
    def protocol(self, value: str) -> None:
        ...
    @property
    def reward(self) -> str:
        """
        A spec; see rewards().
        """
    @reward.setter
    def reward(self, value: str) -> None:
        ...
    @property
    def source(self) -> str:
        """
        Of reward: 'model', 'measured' or 'table'.
        """
    @source.setter
    def source(self, value: str) -> None:
        ...
    @property
    def space(self) -> str:
        """
        Spec of the space whose sketches modify walks.
        """
    @space.setter
    def space(self, value: str) -> None:
        ...
    @property
    def start(self) -> str:
        """
        Of modify: 'random' or 'origin'.
        """
    @start.setter
    def start(self, value: str) -> None:
        ...
    @property
    def table(self) -> str:
        """
        Of source 'table': a file.
        """
    @table.setter
    def table(self, value: str) -> None:
        ...
    @property
    def target(self) -> Target | None:
        """
        Of source 'table': that it has to be for; None: any.
        """
    @target.setter
    def target(self, value: Target | None) -> None:
        ...
    @property
    def tasks(self) -> list[Task]:
        """
        Of which each episode draws one.
        """
    @tasks.setter
    def tasks(self, value: collections.abc.Sequence[Task]) -> None:
        ...
class ObservationForm:
    """
    How observations are handed out.
    """
    def __init__(self, names: collections.abc.Sequence[str], as_dict: bool) -> None:
        """
        Says which observations are handed out.

        Args:
            names: In order; 'text' is the loop nests as text.
            as_dict: Whether by name; else there is one name, and it comes alone.
        """
    @property
    def as_dict(self) -> bool:
        """
        By name, or the one alone.
        """
    @property
    def names(self) -> list[str]:
        """
        In order; 'text' among them is a text.
        """
class GymEnvironment:
    """
    An environment without Gymnasium's face.
    """
    def __init__(self, request: EnvironmentRequest, form: ObservationForm) -> None:
        """
        Makes an environment without an episode.

        Args:
            request: What it is asked for.
            form: How observations are handed out.

        Raises:
            InputError: Something that is asked for does not exist or does not fit.
            MachineError: Nothing can be measured for the target here.
        """
    def close(self) -> None:
        """
        Lets go of all that measures.
        """
    def describe(self, action: typing.Any) -> str:
        """
        Says what a legal action does here.

        Args:
            action: A whole number from 0 to action_count - 1.

        Returns:
            A primitive as traces write it, or words.

        Raises:
            InputError: The action is not legal here, or no such number.
        """
    def find(self, text: str) -> int | None:
        """
        Finds an action.

        Args:
            text: What describe() says of it.

        Returns:
            The legal action that is described so, or None.

        Raises:
            InputError: No episode has begun.
        """
    def fork(self) -> GymEnvironment:
        """
        Copies the episode.

        Returns:
            An environment that stands where this one does.
        """
    def judgements(self) -> list[dict[str, typing.Any]]:
        """
        Lists the evaluations of this episode.

        Returns:
            In order: dicts of `outcome`, `speed` (a ratio to the reference schedule, None of a failure) and, where known, `seconds`.
        """
    def legal_actions(self) -> list[int]:
        """
        Lists the legal actions.

        Returns:
            Their numbers, rising.

        Raises:
            InputError: No episode has begun.
        """
    def legend(self, which: typing.SupportsInt | typing.SupportsIndex) -> str:
        """
        Says what the numbers of an observation are.

        Args:
            which: The observation's position among those of numbers.

        Returns:
            A line for each number, or for each range of them.

        Raises:
            IndexError: There is no such observation.
        """
    def loops(self) -> str:
        """
        Prints the loop nests.

        Returns:
            Lines of text, or why there is no schedule.

        Raises:
            InputError: No episode has begun.
        """
    def mask(self) -> numpy.typing.NDArray[numpy.int8]:
        """
        Says which actions are legal.

        Returns:
            int8 of shape (action_count,), 1 where legal.

        Raises:
            InputError: No episode has begun.
        """
    def observe(self) -> typing.Any:
        """
        Observes this place.

        Returns:
            As reset() does: a float32 array, a text, or a dict of these.

        Raises:
            InputError: No episode has begun.
        """
    def reset(self, task: typing.SupportsInt | typing.SupportsIndex | None = None) -> tuple[typing.Any, dict[str, typing.Any]]:
        """
        Begins an episode.

        Args:
            task: The position of its task; None draws one.

        Returns:
            Observation and info.

        Raises:
            InputError: There is no such task.
        """
    def resume(self, text: str) -> None:
        """
        Goes on where another environment stood.

        Args:
            text: Its to_text().

        Raises:
            InputError: The text is of an environment that was asked for otherwise.
        """
    def seed(self, seed: typing.SupportsInt | typing.SupportsIndex) -> None:
        """
        Seeds what follows, which depends on nothing else.

        Args:
            seed: 0 to 2**64 - 1.
        """
    def state(self) -> ScheduleState:
        """
        Finds the schedule of this place.

        Returns:
            A ScheduleState.

        Raises:
            InputError: No episode has begun, or the place has no schedule.
            ScheduleError: The place has no legal schedule.
        """
    def step(self, action: typing.Any) -> tuple[typing.Any, float, bool, bool, dict[str, typing.Any]]:
        """
        Takes an action.

        Args:
            action: A whole number from 0 to action_count - 1.

        Returns:
            Observation, reward, terminated, truncated (never) and info.

        Raises:
            InputError: It is no such number, or no episode is under way.
        """
    def task(self) -> Task:
        """
        Finds the task of this episode.

        Returns:
            A Task.

        Raises:
            InputError: No episode has begun.
        """
    def to_text(self) -> str:
        """
        Writes the episode.

        Returns:
            Lines of text, for resume().
        """
    @property
    def action_count(self) -> int:
        """
        How many actions there are.
        """
    @property
    def actions(self) -> list[int]:
        """
        The actions of this episode, in order.
        """
    @property
    def begun(self) -> bool:
        """
        Whether an episode has begun.
        """
    @property
    def boxes(self) -> list[tuple[int, float, float]]:
        """
        Size, low and high of each observation of numbers.
        """
    @property
    def clock(self) -> float | None:
        """
        Seconds that measuring would have taken so far, forks included; None but of tables.
        """
    @property
    def ended(self) -> bool:
        """
        Whether the episode has ended.
        """
    @property
    def menu(self) -> str:
        """
        A line for each group of actions.
        """
class GymVector:
    """
    Many environments that step at once.
    """
    def __init__(self, request: EnvironmentRequest, form: ObservationForm, count: typing.SupportsInt | typing.SupportsIndex, autoreset: str, threads: typing.SupportsInt | typing.SupportsIndex, most_actions: typing.SupportsInt | typing.SupportsIndex | None, workload_of: collections.abc.Sequence[typing.SupportsInt | typing.SupportsIndex]) -> None:
        """
        Makes environments without episodes.

        Args:
            request: What each is asked for.
            form: How observations are handed out; texts are not.
            count: How many, 1 to 2**20.
            autoreset: 'NextStep', 'SameStep' or 'Disabled'.
            threads: That step them, 1 to 1024.
            most_actions: After which an episode is truncated; None: never.
            workload_of: The position of each one's task; empty: episodes draw.

        Raises:
            InputError: Something that is asked for does not exist or does not fit.
            MachineError: Nothing can be measured for the target here.
        """
    def close(self) -> None:
        """
        Lets go of all that measures.
        """
    def in_flight(self) -> list[int]:
        """
        Lists the environments that were sent and not received.

        Returns:
            Their numbers, rising.
        """
    def look(self) -> tuple[typing.Any, dict[str, typing.Any]]:
        """
        Observes all environments, without a step.

        Returns:
            Observations and infos, a row for each environment.

        Raises:
            InputError: Environments are in flight.
        """
    def receive(self, count: typing.SupportsInt | typing.SupportsIndex) -> tuple[typing.Any, numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.bool], numpy.typing.NDArray[numpy.bool], dict[str, typing.Any]]:
        """
        Waits for environments in flight.

        Args:
            count: For how many, 1 to the number of environments.

        Returns:
            As step() does, of the first that are ready; infos has `env_id`.

        Raises:
            InputError: None is in flight.
            MachineError: Measuring failed; those not ready are where they stood.
        """
    def reset(self, seeds: collections.abc.Sequence[typing.SupportsInt | typing.SupportsIndex] | None, which: collections.abc.Sequence[bool] | None) -> tuple[typing.Any, dict[str, typing.Any]]:
        """
        Begins episodes.

        Args:
            seeds: One for each environment, or None.
            which: A flag for each environment, or None for all.

        Returns:
            Observations and infos, a row for each environment.

        Raises:
            InputError: Environments are in flight, or a list has another length.
        """
    def resume(self, index: typing.SupportsInt | typing.SupportsIndex, text: str) -> None:
        """
        Lets an environment go on where another stood.

        Args:
            index: The environment's number.
            text: The other's to_text().

        Raises:
            InputError: The text is of one that was asked for otherwise.
        """
    def send(self, actions: numpy.ndarray[typing.Any, typing.Any], env_ids: numpy.ndarray[typing.Any, typing.Any]) -> None:
        """
        Takes actions in some environments, which are in flight from then on.

        Args:
            actions: Whole numbers, one for each id.
            env_ids: Whole numbers, each once.

        Raises:
            InputError: They are no such numbers, or one is in flight.
        """
    def send_resets(self, seeds: collections.abc.Sequence[typing.SupportsInt | typing.SupportsIndex] | None, which: collections.abc.Sequence[bool] | None) -> None:
        """
        Begins episodes, whose observations receive() hands out.

        Args:
            seeds: One for each environment, or None.
            which: A flag for each environment, or None for all.

        Raises:
            InputError: One of them is in flight, or a list has another length.
        """
    def state(self, index: typing.SupportsInt | typing.SupportsIndex) -> ScheduleState:
        """
        Finds the schedule where an environment stands.

        Args:
            index: The environment's number.

        Returns:
            A ScheduleState.

        Raises:
            InputError: Environments are in flight, or have no episode.
        """
    def step(self, actions: numpy.ndarray[typing.Any, typing.Any]) -> tuple[typing.Any, numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.bool], numpy.typing.NDArray[numpy.bool], dict[str, typing.Any]]:
        """
        Takes an action in each environment.

        Args:
            actions: Whole numbers of shape (count,).

        Returns:
            Observations, rewards (float64), terminated, truncated and infos, a row for each environment.

        Raises:
            InputError: They are no such numbers, or an environment cannot step.
        """
    def texts(self) -> list[str]:
        """
        Writes the episodes of all environments.

        Returns:
            A text for each.

        Raises:
            InputError: Environments are in flight.
        """
    def to_text(self, index: typing.SupportsInt | typing.SupportsIndex) -> str:
        """
        Writes the episode of an environment.

        Args:
            index: The environment's number.

        Returns:
            Lines of text, for resume().

        Raises:
            InputError: Environments are in flight, or have no episode.
        """
    @property
    def action_count(self) -> int:
        """
        How many actions there are.
        """
    @property
    def boxes(self) -> list[tuple[int, float, float]]:
        """
        Size, low and high of each observation of numbers.
        """
    @property
    def menu(self) -> str:
        """
        A line for each group of actions.
        """
class NetworkRequest:
    """
    What a network's environment is asked for.
    """
    def __init__(self) -> None:
        ...
    @property
    def agent(self) -> str:
        """
        Spec of what proposes schedules.
        """
    @agent.setter
    def agent(self, value: str) -> None:
        ...
    @property
    def batch(self) -> int:
        """
        Trials of a slot, at most.
        """
    @batch.setter
    def batch(self, value: typing.SupportsInt | typing.SupportsIndex) -> None:
        ...
    @property
    def curves(self) -> list[str]:
        """
        Files of recorded curves; not with tasks or tables.
        """
    @curves.setter
    def curves(self, value: collections.abc.Sequence[str]) -> None:
        ...
    @property
    def half(self) -> str:
        """
        Of the curves' tasks: 'all', 'development', 'heldout'.
        """
    @half.setter
    def half(self, value: str) -> None:
        ...
    @property
    def max_tasks(self) -> int | None:
        """
        Rows; None: as many as there are tasks.
        """
    @max_tasks.setter
    def max_tasks(self, value: typing.SupportsInt | typing.SupportsIndex | None) -> None:
        ...
    @property
    def measurer(self) -> str:
        """
        Spec of a measurer of the kind that `source` says, for its options; '': the usual one.
        """
    @measurer.setter
    def measurer(self, value: str) -> None:
        ...
    @property
    def measuring_seed(self) -> int:
        """
        Of interleaving.
        """
    @measuring_seed.setter
    def measuring_seed(self, value: typing.SupportsInt | typing.SupportsIndex) -> None:
        ...
    @property
    def plugins(self) -> list[str]:
        """
        Shared libraries whose agents may be named.
        """
    @plugins.setter
    def plugins(self, value: collections.abc.Sequence[str]) -> None:
        ...
    @property
    def protocol(self) -> str:
        """
        Spec of how candidates are timed.
        """
    @protocol.setter
    def protocol(self, value: str) -> None:
        ...
    @property
    def reward(self) -> str:
        """
        A spec; see rewards().
        """
    @reward.setter
    def reward(self, value: str) -> None:
        ...
    @property
    def slots(self) -> int:
        """
        Actions of an episode, at most.
        """
    @slots.setter
    def slots(self, value: typing.SupportsInt | typing.SupportsIndex) -> None:
        ...
    @property
    def source(self) -> str:
        """
        Of times: 'model', 'measured' or 'table'.
        """
    @source.setter
    def source(self, value: str) -> None:
        ...
    @property
    def space(self) -> str:
        """
        Spec of the space that they are of.
        """
    @space.setter
    def space(self, value: str) -> None:
        ...
    @property
    def tables(self) -> list[tuple[str, int]]:
        """
        Files of tables, and how often each; not with tasks.
        """
    @tables.setter
    def tables(self, value: collections.abc.Sequence[tuple[str, typing.SupportsInt | typing.SupportsIndex]]) -> None:
        ...
    @property
    def target(self) -> Target | None:
        """
        That tables have to be for; None: any.
        """
    @target.setter
    def target(self, value: Target | None) -> None:
        ...
    @property
    def tasks(self) -> list[tuple[Task, int]]:
        """
        And how often the network runs each.
        """
    @tasks.setter
    def tasks(self, value: collections.abc.Sequence[tuple[Task, typing.SupportsInt | typing.SupportsIndex]]) -> None:
        ...
    @property
    def warm_up(self) -> bool:
        """
        Whether an episode begins with a slot for each task.
        """
    @warm_up.setter
    def warm_up(self, value: bool) -> None:
        ...
class GymNetwork:
    """
    A network's environment without Gymnasium's face.
    """
    legend: typing.ClassVar[str] = "0: share of the slots used\n1: log2 of the network's speed over that with reference schedules, as a share of 16\n2: tasks, as a share of the rows\n3: tasks that have something left, as a share of all tasks\n4: tasks that have a success, as a share of all tasks\nthen for each task:\n0: 1, the mask of the row\n1: 1 where a slot is legal\n2: 1 where it has a success; without one its reference stands for it\n3: log2 of its best speed over the reference's, as a share of 16\n4: slots that it was given after the warm-up, as a share of the budget\n5: failures, as a share of its trials\n6: log2(1 + slots since one that made it faster), as a share of 8\n7: log2 of what its last slot made it faster, as a share of 4\n8: the same of the last slot that made it faster\n9: the mean of the same over its last three slots\n10: log2(1 + operations), as a share of 48\n11: log2(1 + how often the network runs it), as a share of 16\n12: share of the network's latency\n13: tasks that are like it, as a share of all tasks\n14: log2 of the highest speed among these, in operations a second, over its own, as a share of 16\n"
    def __init__(self, request: NetworkRequest) -> None:
        """
        Makes an environment without an episode.

        Args:
            request: What it is asked for.

        Raises:
            InputError: Something that is asked for does not exist or does not fit.
            MachineError: Nothing can be measured for the target here.
        """
    def close(self) -> None:
        """
        Ends what measures; what was found stays to be looked at.
        """
    def describe(self, action: typing.Any) -> str:
        """
        Says what a legal action does.

        Args:
            action: A whole number from 0 to action_count - 1.

        Returns:
            The task that gets a slot, or 'stop'.

        Raises:
            InputError: The action is not legal here, or no such number.
        """
    def info(self) -> dict[str, typing.Any]:
        """
        Says what a step says beside the observation.

        Returns:
            `action_mask`, `illegal_actions`, `latency` (seconds), `speed` (a ratio to reference schedules), `trials` and, of an illegal action, `illegal`.

        Raises:
            InputError: No episode has begun, or another thread takes a step.
        """
    def latencies(self) -> list[float]:
        """
        Lists the latencies of the tasks.

        Returns:
            Seconds of one call of each task's best schedule.

        Raises:
            InputError: No episode has begun, or another thread takes a step.
        """
    def legal_actions(self) -> list[int]:
        """
        Lists the legal actions.

        Returns:
            Their numbers, rising.

        Raises:
            InputError: No episode has begun, or another thread takes a step.
        """
    def mask(self) -> numpy.typing.NDArray[numpy.int8]:
        """
        Says which actions are legal.

        Returns:
            int8 of shape (action_count,), 1 where legal.

        Raises:
            InputError: No episode has begun, or another thread takes a step.
        """
    def observe(self) -> numpy.typing.NDArray[numpy.float32]:
        """
        Observes the episode.

        Returns:
            float32 of the shape (size,) that `box` has.

        Raises:
            InputError: No episode has begun, or another thread takes a step.
        """
    def records(self) -> list[Record | None]:
        """
        Lists the best records of the tasks.

        Returns:
            A Record for each task; None without a success, and of curves.

        Raises:
            InputError: No episode has begun, or another thread takes a step.
        """
    def reset(self) -> tuple[typing.Any, dict[str, typing.Any]]:
        """
        Begins an episode, and warms it up.

        Returns:
            Observation and info.

        Raises:
            MachineError: Measuring failed.
        """
    def resume(self, text: str) -> None:
        """
        Plays an episode again.

        Args:
            text: The to_text() of an environment that was asked for alike.

        Raises:
            InputError: The text is of another environment.
        """
    def seed(self, seed: typing.SupportsInt | typing.SupportsIndex) -> None:
        """
        Seeds what follows, which depends on nothing else.

        Args:
            seed: 0 to 2**64 - 1.
        """
    def step(self, action: typing.Any) -> tuple[typing.Any, float, bool, bool, dict[str, typing.Any]]:
        """
        Gives a slot of trials to a task, or stops.

        Args:
            action: 0 stops; i gives a slot to task i - 1.

        Returns:
            Observation, reward, terminated, truncated (never) and info.

        Raises:
            InputError: It is no such number, or no episode is under way.
            MachineError: Measuring failed.
        """
    def to_text(self) -> str:
        """
        Writes the episode.

        Returns:
            Seed and actions as lines of text, for resume().

        Raises:
            InputError: It is measured, and would not repeat.
        """
    def trials(self) -> list[int]:
        """
        Lists the trials of the tasks.

        Returns:
            How many each has had in this episode.

        Raises:
            InputError: No episode has begun, or another thread takes a step.
        """
    @property
    def action_count(self) -> int:
        """
        How many actions there are.
        """
    @property
    def actions(self) -> list[int]:
        """
        The actions of this episode, in order.
        """
    @property
    def begun(self) -> bool:
        """
        Whether an episode has begun.
        """
    @property
    def box(self) -> tuple[int, float, float]:
        """
        Size, low and high of the observation.
        """
    @property
    def clock(self) -> float | None:
        """
        Seconds that measuring would have taken so far; None but of tables and curves.
        """
    @property
    def layers(self) -> list[tuple[str, float]]:
        """
        The names of all tasks, and how often the network runs each.
        """
    @property
    def tasks(self) -> list[tuple[Task, int]]:
        """
        And how often the network runs each; none of recorded curves.
        """
def agents() -> dict[str, str]:
    """
    Lists the agents.

    Returns:
        By name: the parameters with their defaults, as text.
    """
def builtin_workloads() -> dict[str, str]:
    """
    Lists the built-in operators.

    Returns:
        By name: the parameters with their defaults, as text.
    """
def check_output(path: os.PathLike[str] | str | bytes) -> None:
    """
    Checks, before any work, that write_output() may write a file.

    Args:
        path: The file.

    Raises:
        InputError: The path is of no file, its folder may not be written, or a store, a table or a checkpoint stands there.
    """
def check_outputs(places: collections.abc.Sequence[tuple[str, os.PathLike[str] | str | bytes]], specs: collections.abc.Mapping[str, str], store: os.PathLike[str] | str | bytes) -> None:
    """
    Checks that outputs have places of their own, as the command does.

    Args:
        places: Pairs of an option and the file that it writes.
        specs: Specs by their options, which may name files, too: 'mcts(tree=FILE)'.
        store: The file of the store, or ''.

    Raises:
        InputError: Two outputs are one file, one is a file of the store, or a name is empty.
    """
def check_search(tasks: collections.abc.Sequence[tuple[Task, typing.SupportsInt | typing.SupportsIndex]], request: SearchRequest) -> list[str]:
    """
    Checks a search before a store is made.

    Args:
        tasks: Pairs of a Task of one target and how often it is run.
        request: What the search is asked for.

    Returns:
        The warnings that the search would begin with.

    Raises:
        InputError: Something that is asked for does not exist or does not fit.
        MachineError: The machine lacks what the search needs.
    """
def environments() -> dict[str, dict[str, str]]:
    """
    Lists the environments of the ids ScheduleGym/NAME-v0.

    Returns:
        By NAME: `actions`, `source`, `parameters` and `description`, as text, and `version_1`, the arguments that ScheduleGym/NAME-v1 has beside them, empty where there is no such id.
    """
def export_kernel(state: ScheduleState, prefix: os.PathLike[str] | str | bytes) -> str:
    """
    Compiles a schedule and writes PREFIX.so, PREFIX.o and PREFIX.h.

    Args:
        state: A schedule of an llvm target that this machine can run.
        prefix: The files' path without ending; its name is the function's.

    Returns:
        The path of PREFIX.so.

    Raises:
        InputError: The name is no C identifier, or the target is another.
        MachineError: There is no linker, or no compiler for the target.
    """
def measurer_facts(measure: str) -> tuple[Task | None, bool]:
    """
    Says what is known of a measurer.

    Args:
        measure: A spec; see measurers().

    Returns:
        The only task that it knows, or None, and whether candidates run.

    Raises:
        InputError: There is no such measurer, or its table cannot be read.
    """
def measurer_space(measure: str) -> SearchSpace:
    """
    Makes the space of the schedules that a measurer knows.

    Args:
        measure: A spec, such as 'table(file=FILE)'.

    Returns:
        A SearchSpace.

    Raises:
        InputError: Any space will do, or there is no such measurer.
    """
def measurers() -> list[dict[str, typing.Any]]:
    """
    Lists what `measure` may name.

    Returns:
        Dicts of `name`, `parameters` and `description`, as text.
    """
def noise_ceiling(table: str) -> float | None:
    """
    How well a table's own samples distinguish its best schedules.

    Args:
        table: A file of a table.

    Returns:
        Share of the best speed that the ten best by half of the rounds have by the rest: 1 without noise; None without raw samples.

    Raises:
        InputError: It cannot be read, or is no table.
    """
def observations() -> dict[str, str]:
    """
    Lists the observations.

    Returns:
        By name: the parameters with their defaults, as text.
    """
def packed_programs(stores: collections.abc.Sequence[str]) -> str:
    """
    Reads the measured programs of stores, tables, files of programs, logs of Ansor's.

    Args:
        stores: Their files.

    Returns:
        The text of a file of programs, as `records pack` compresses it.

    Raises:
        InputError: One is none of these, or two machines have one name.
    """
def parse_spec(text: str) -> tuple[str, dict[str, typing.Any]]:
    """
    Reads a spec.

    Args:
        text: Such as 'ansor(beam=true)'.

    Returns:
        The name, and the options by theirs.

    Raises:
        InputError: The text is no spec; the message has the column.
    """
def primitives() -> dict[str, dict[str, str]]:
    """
    Lists every primitive.

    Returns:
        By name: its fields, each with what it means.
    """
def program_features(workload: str, dag: str, target: str, traces: collections.abc.Sequence[str], features: str = 'estimated', space: str = 'schedulegym') -> tuple[numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.int64]]:
    """
    Describes recorded schedules of one task by numbers, on all cores.

    Args:
        workload: The task's name, for messages.
        dag: The computation as .dag text.
        target: The machine as a spec.
        traces: The schedules, each as the text of a trace.
        features: 'ansor' or 'estimated': a row for each statement; or an observation, such as 'tokens', 'loops' or 'knobs(most=32)': a row for each schedule.
        space: Of 'knobs': the search space whose knobs they are.

    Returns:
        Rows as float32 of shape (rows, columns), one schedule after another, and the number of rows of each schedule.

    Raises:
        InputError: A text cannot be read, or a trace does not replay.
    """
def protocol_warnings(protocol: str) -> list[str]:
    """
    Says what is outdated in a protocol.

    Args:
        protocol: A spec.

    Returns:
        A line for each old name, with the new one.

    Raises:
        InputError: It is no spec.
    """
def read_memory(path: str, kind: str) -> bytes:
    """
    Reads what an agent saved.

    Args:
        path: A file of `tune --save-model`.
        kind: The agent's kind, such as 'python MODULE.CLASS'.

    Returns:
        The bytes that its `save` gave.

    Raises:
        InputError: The file cannot be read, or is of another kind.
    """
def read_network(path: os.PathLike[str] | str | bytes) -> list[tuple[int, Workload]]:
    """
    Reads the layers of a network.

    Args:
        path: A .net file, or the name of a network that comes along.

    Returns:
        A pair for each layer: how often it is run, and its workload.

    Raises:
        InputError: The file cannot be read as a network.
    """
def reference_schedule(task: Task) -> ScheduleState:
    """
    Makes the fixed schedule with which candidates of a task are timed in pairs.

    Args:
        task: What it schedules.

    Returns:
        A ScheduleState.
    """
def rewards() -> dict[str, str]:
    """
    Lists the rewards.

    Returns:
        By name: the parameters with their defaults, as text.
    """
def run_search(tasks: collections.abc.Sequence[tuple[Task, typing.SupportsInt | typing.SupportsIndex]], request: SearchRequest, open_store: typing.Any) -> tuple[list[dict[str, typing.Any]], bool]:
    """
    Searches; tune() calls it.

    Args:
        tasks: Pairs of a Task of one target and how often it is run.
        request: What the search is asked for.
        open_store: Returns a RecordStore that is open for writing; called once nothing is wrong with the request.

    Returns:
        How each task ended, in order, and whether Ctrl-C ended the search.

    Raises:
        InputError: Something that is asked for does not exist or does not fit.
        MachineError: The machine lacks what the search needs.
    """
def schedulers() -> dict[str, str]:
    """
    Lists the task schedulers.

    Returns:
        By name: the parameters with their defaults, as text.
    """
def serve_agent(descriptor: typing.SupportsInt | typing.SupportsIndex, agent: typing.Any, fault: str = '', is_machine: bool = False) -> None:
    """
    Answers a search's questions on a socket until it is closed.

    Args:
        descriptor: Of the socket.
        agent: What answers: an object with propose and learn, or None.
        fault: Where there is no agent: why, which is every answer then.
        is_machine: Whether the machine is at fault.
    """
def source_of(measure: str) -> str:
    """
    Says what a measurer is as the source of an environment.

    Args:
        measure: A spec; see measurers().

    Returns:
        'measured', 'table' or 'model'. Tables are not read.

    Raises:
        InputError: There is no such measurer, or an option of it is wrong.
    """
def spaces() -> dict[str, str]:
    """
    Lists the search spaces.

    Returns:
        By name: the parameters with their defaults, as text.
    """
def suite(name: str) -> list[Workload]:
    """
    Lists the workloads of a built-in suite.

    Args:
        name: The suite's name.

    Returns:
        The workloads, in the suite's order.

    Raises:
        InputError: There is no such suite; the message names those there are.
    """
def targets() -> dict[str, str]:
    """
    Lists the targets.

    Returns:
        By name: the parameters with their defaults, as text.
    """
def write_output(path: os.PathLike[str] | str | bytes, content: bytes) -> None:
    """
    Writes a file, whole or not at all.

    Args:
        path: The file; a link is followed, a device or a pipe is written to.
        content: All that it is to hold.

    Raises:
        InputError: The path is of no file, a store, a table or a checkpoint stands there, or the place is full.
    """
__version__: str
