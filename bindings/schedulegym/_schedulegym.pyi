# Made by make_stubs.py with pybind11 3.1, pybind11-stubgen 3.0
"""
ScheduleGym's nouns; users import them from the package schedulegym.
"""
from __future__ import annotations
import collections.abc
import numpy
import numpy.typing
import os
import typing
__all__: list[str] = ['AgentSetup', 'AgentTrial', 'BuiltinAgent', 'ComputeDag', 'Confinement', 'EnvironmentRequest', 'GymEnvironment', 'GymNetwork', 'GymVector', 'InputError', 'MachineError', 'Measurement', 'Measurer', 'NetworkRequest', 'ObservationForm', 'Primitive', 'Record', 'RecordStore', 'Rng', 'ScheduleError', 'ScheduleState', 'SearchRequest', 'SearchSpace', 'Target', 'Task', 'Tensor', 'Trace', 'Workload', 'agents', 'builtin_workloads', 'check_search', 'environments', 'export_kernel', 'measurer_facts', 'measurer_space', 'measurers', 'observations', 'parse_spec', 'primitives', 'read_memory', 'read_network', 'reference_schedule', 'rewards', 'run_search', 'schedulers', 'serve_agent', 'spaces', 'suite', 'targets']
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
    """
    def __eq__(self, arg0: object) -> bool:
        ...
    def __getstate__(self) -> str:
        ...
    def __hash__(self) -> int:
        ...
    def __init__(self, spec: str = 'llvm') -> None:
        """
        Such as 'llvm', 'llvm(cores=1)' or 'interpreter'; what it leaves open is this machine.
        """
    def __repr__(self) -> str:
        ...
    def __setstate__(self, arg0: str) -> None:
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
        All facts by name.
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
    def shape(self) -> tuple[typing.Any, ...]:
        """
        The extents of its dimensions.
        """
class ComputeDag:
    """
    The immutable mathematics of a computation.
    """
    @staticmethod
    def read(path: os.PathLike[str] | str | bytes, parameters: collections.abc.Mapping[str, typing.SupportsInt | typing.SupportsIndex] = {}) -> ComputeDag:
        """
        Of a .dag file.
        """
    def __eq__(self, arg0: object) -> bool:
        ...
    def __getstate__(self) -> str:
        ...
    def __hash__(self) -> int:
        ...
    def __init__(self, text: str, parameters: collections.abc.Mapping[str, typing.SupportsInt | typing.SupportsIndex] = {}) -> None:
        """
        Of .dag text; parameters replace the values of its param lines.
        """
    def __repr__(self) -> str:
        ...
    def __setstate__(self, arg0: str) -> None:
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
    """
    def __eq__(self, arg0: object) -> bool:
        ...
    def __getstate__(self) -> str:
        ...
    def __hash__(self) -> int:
        ...
    @typing.overload
    def __init__(self, text: str) -> None:
        """
        Of a spec such as 'matmul(m=512,n=512,k=512)', or of the path of a .dag file.
        """
    @typing.overload
    def __init__(self, text: os.PathLike[str] | str | bytes) -> None:
        ...
    def __repr__(self) -> str:
        ...
    def __setstate__(self, arg0: str) -> None:
        ...
    def __str__(self) -> str:
        ...
    def dag(self) -> ComputeDag:
        """
        The computation.
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
    """
    def __eq__(self, arg0: object) -> bool:
        ...
    def __getstate__(self) -> tuple[str, str, str]:
        ...
    def __hash__(self) -> int:
        ...
    def __init__(self, workload: Task | Workload | ComputeDag | str | os.PathLike[str] | str | bytes, target: Target | str = 'llvm') -> None:
        """
        Of a spec, the path of a .dag file, .dag text, a Workload or a ComputeDag.
        """
    def __repr__(self) -> str:
        ...
    def __setstate__(self, arg0: tuple[typing.Any, ...]) -> None:
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
    """
    def __eq__(self, arg0: object) -> bool:
        ...
    def __getstate__(self) -> str:
        ...
    def __hash__(self) -> int:
        ...
    def __init__(self, text: str, **kwargs: typing.Any) -> None:
        """
        Of a line such as 'split(stage=C, loop=0, lengths=[4, 16])', or of a name and fields: Primitive('split', stage='C', loop=0, lengths=[4, 16]).
        """
    def __repr__(self) -> str:
        ...
    def __setstate__(self, arg0: str) -> None:
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
    """
    def __eq__(self, arg0: object) -> bool:
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
        Of text: the line 'trace 1', then one primitive a line.
        """
    @typing.overload
    def __init__(self, primitives: collections.abc.Sequence[Primitive]) -> None:
        """
        Of primitives in their order.
        """
    def __iter__(self) -> collections.abc.Iterator[Primitive]:
        ...
    def __len__(self) -> int:
        ...
    def __repr__(self) -> str:
        ...
    def __setstate__(self, arg0: str) -> None:
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
    """
    @staticmethod
    def initial(task: Task) -> ScheduleState:
        """
        The naive program: one serial loop for each axis.
        """
    @staticmethod
    def replay(task: Task, trace: Trace | str) -> ScheduleState:
        """
        The state that a trace ends in.
        """
    def __eq__(self, arg0: object) -> bool:
        ...
    def __getstate__(self) -> tuple[Task, str]:
        ...
    def __hash__(self) -> int:
        ...
    def __repr__(self) -> str:
        ...
    def __setstate__(self, arg0: tuple[typing.Any, ...]) -> None:
        ...
    def apply(self, primitive: Primitive | str) -> ScheduleState:
        """
        The state after it; ScheduleError says why it is not legal here.
        """
    def check(self, primitive: Primitive | str) -> str | None:
        """
        None where it is legal, else why it is not.
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
        Seconds of one call, a sample each round.
        """
    @property
    def seconds(self) -> float | None:
        """
        Of one call; None for a failure.
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
        Of a line that to_line or export wrote.
        """
    def __eq__(self, arg0: object) -> bool:
        ...
    def __getstate__(self) -> str:
        ...
    def __hash__(self) -> int:
        ...
    def __repr__(self) -> str:
        ...
    def __setstate__(self, arg0: str) -> None:
        ...
    def state(self) -> ScheduleState:
        """
        The schedule, replayed.
        """
    def to_line(self) -> str:
        """
        As a line of JSON.
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
    """
    def __enter__(self) -> typing.Any:
        ...
    def __exit__(self, *args: typing.Any) -> None:
        ...
    def __init__(self, path: os.PathLike[str] | str | bytes | None = None, mode: str = 'r') -> None:
        """
        The file at a path, to read ('r') or to write ('w', makes it if it is missing); without a path one in memory.
        """
    def __iter__(self) -> collections.abc.Iterator[Record]:
        ...
    def __len__(self) -> int:
        ...
    def append(self, records: collections.abc.Sequence[Record]) -> None:
        """
        Returns once all are durable; known ones are skipped.
        """
    def best(self, task: Task | str) -> Record | None:
        """
        The best success of a task that the store has, or None.
        """
    def best_of_each(self) -> list[Record]:
        """
        The best of each task that has one.
        """
    def by_id(self, id: str) -> Record | None:
        """
        The record of an id, or None.
        """
    def close(self) -> None:
        """
        Lets others write.
        """
    def export_lines(self) -> str:
        """
        All records as lines of JSON, as `records import` reads them.
        """
    def for_task(self, task: Task | str) -> list[Record]:
        """
        All records of a task, in order of appending.
        """
    def records(self) -> list[Record]:
        """
        All, in order of appending.
        """
class Measurer:
    """
    Compiles, verifies and times schedules in processes of their own.
    """
    def __init__(self, target: Target | str = 'llvm', protocol: str = 'cpu1', seed: typing.SupportsInt | typing.SupportsIndex = 0) -> None:
        """
        Of one target; MachineError where nothing can be measured on it.
        """
    def measure(self, states: collections.abc.Sequence[ScheduleState]) -> list[Measurement]:
        """
        A measurement for each schedule, in order; a bad schedule is an outcome.
        """
    @property
    def target(self) -> Target:
        """
        Where it measures.
        """
class Rng:
    """
    A seeded source of chance.
    """
    def __init__(self, seed: typing.SupportsInt | typing.SupportsIndex) -> None:
        """
        Equal seeds give equal streams.
        """
    def below(self, bound: typing.SupportsInt | typing.SupportsIndex) -> int:
        """
        Uniform among 0, ..., bound - 1.
        """
    def next(self) -> int:
        """
        64 uniform bits.
        """
    def split(self) -> Rng:
        """
        An independent stream.
        """
    def uniform(self) -> float:
        """
        Uniform in [0, 1).
        """
class SearchSpace:
    """
    Which schedules of a task may be chosen.
    """
    def __init__(self, spec: str = 'schedulegym') -> None:
        """
        Such as 'schedulegym', 'ansor(rfactor=false)', or 'table(file=FILE)', of what a table knows: an AgentSetup's `space`.
        """
    def __repr__(self) -> str:
        ...
    def admit(self, state: ScheduleState) -> str | None:
        """
        None where it is worth measuring, else why it is not.
        """
    def mutate(self, state: ScheduleState, rng: Rng) -> ScheduleState:
        """
        One decision made anew; ScheduleError where draws lead nowhere.
        """
    def sample(self, task: Task, rng: Rng) -> ScheduleState:
        """
        A complete schedule at random; ScheduleError where draws lead nowhere.
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
        Each with how often its network runs it.
        """
    @property
    def trials(self) -> int | None:
        """
        Over all tasks; None where that is not known.
        """
class AgentTrial:
    """
    A schedule that an agent hears of; see learn_trials.
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
    """
    def __init__(self, spec: str, space: str = 'schedulegym', seed: typing.SupportsInt | typing.SupportsIndex = 0) -> None:
        """
        Such as 'ansor' or 'random(retries=100)'.
        """
    def begin(self, setup: AgentSetup) -> None:
        """
        Forgets all, and serves the tasks of a run.
        """
    def check_task(self, task: Task) -> None:
        """
        ValueError where its options or its space do not fit the task.
        """
    def learn(self, records: collections.abc.Sequence[Record]) -> None:
        """
        What measuring the proposals gave.
        """
    def learn_trials(self, trials: collections.abc.Sequence[AgentTrial]) -> None:
        """
        What became of the proposals.
        """
    def propose(self, task: Task, count: typing.SupportsInt | typing.SupportsIndex) -> list[ScheduleState]:
        """
        At most so many schedules worth measuring; fewer only when there are no more.
        """
    @property
    def name(self) -> str:
        """
        As a spec, with its options.
        """
class Confinement:
    """
    How agents in Python live that strangers wrote.
    """
    def __init__(self) -> None:
        ...
    def builder(self, words: collections.abc.Sequence[str]) -> list[str]:
        """
        A command line for a child of this process: the words', confined, but for programs that it starts. MachineError where nothing can be confined.
        """
    @property
    def answer_seconds(self) -> float:
        """
        That an answer may take.
        """
    @answer_seconds.setter
    def answer_seconds(self, arg0: typing.SupportsFloat | typing.SupportsIndex) -> None:
        ...
    @property
    def folder(self) -> str:
        """
        Their own, where a command begins.
        """
    @folder.setter
    def folder(self, arg0: str) -> None:
        ...
    @property
    def hidden(self) -> list[str]:
        """
        Folders of `reads` that they do not read after all.
        """
    @hidden.setter
    def hidden(self, arg1: collections.abc.Sequence[str]) -> None:
        ...
    @property
    def lists(self) -> list[str]:
        """
        Folders whose names they see, but no contents.
        """
    @lists.setter
    def lists(self, arg1: collections.abc.Sequence[str]) -> None:
        ...
    @property
    def loading_seconds(self) -> float:
        """
        Until it is loaded and has heard of the run.
        """
    @loading_seconds.setter
    def loading_seconds(self, arg0: typing.SupportsFloat | typing.SupportsIndex) -> None:
        ...
    @property
    def memory_bytes(self) -> int:
        """
        Private memory of a process.
        """
    @memory_bytes.setter
    def memory_bytes(self, arg0: typing.SupportsInt | typing.SupportsIndex) -> None:
        ...
    @property
    def reads(self) -> list[str]:
        """
        Files and folders that they read.
        """
    @reads.setter
    def reads(self, arg1: collections.abc.Sequence[str]) -> None:
        ...
    @property
    def space(self) -> str | None:
        """
        A spec that they are told in place of the run's.
        """
    @space.setter
    def space(self, arg0: str | None) -> None:
        ...
    @property
    def variables(self) -> list[str]:
        """
        'NAME=value', of their environment.
        """
    @variables.setter
    def variables(self, arg0: collections.abc.Sequence[str]) -> None:
        ...
    @property
    def writes(self) -> list[str]:
        """
        Folders that they write, beside one that ends with them.
        """
    @writes.setter
    def writes(self, arg1: collections.abc.Sequence[str]) -> None:
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
    def agent(self, arg1: str) -> None:
        ...
    @property
    def agent_object(self) -> typing.Any:
        """
        Proposes in place of a built-in agent.
        """
    @agent_object.setter
    def agent_object(self, arg0: typing.Any) -> None:
        ...
    @property
    def confinement(self) -> Confinement:
        """
        Of agents' own code; None: not confined.
        """
    @confinement.setter
    def confinement(self, arg0: Confinement) -> None:
        ...
    @property
    def finalists(self) -> int | None:
        """
        How many are measured again at the end.
        """
    @finalists.setter
    def finalists(self, arg1: typing.SupportsInt | typing.SupportsIndex | None) -> None:
        ...
    @property
    def measure(self) -> str:
        """
        A spec: what tells how fast a candidate is.
        """
    @measure.setter
    def measure(self, arg1: str) -> None:
        ...
    @property
    def on_remark(self) -> typing.Any:
        """
        Called with what a user should know.
        """
    @on_remark.setter
    def on_remark(self, arg0: typing.Any) -> None:
        ...
    @property
    def on_trial(self) -> typing.Any:
        """
        Called with the fields of each trial.
        """
    @on_trial.setter
    def on_trial(self, arg0: typing.Any) -> None:
        ...
    @property
    def plugins(self) -> list[str]:
        """
        Shared libraries whose agents may be named.
        """
    @plugins.setter
    def plugins(self, arg0: collections.abc.Sequence[str]) -> None:
        ...
    @property
    def protocol(self) -> str:
        """
        A spec: how candidates are timed.
        """
    @protocol.setter
    def protocol(self, arg1: str) -> None:
        ...
    @property
    def refine(self) -> str | None:
        """
        A spec: what has the last trials.
        """
    @refine.setter
    def refine(self, arg1: str | None) -> None:
        ...
    @property
    def resume(self) -> bool:
        """
        Whether the agent is told what the store knows.
        """
    @resume.setter
    def resume(self, arg1: bool) -> None:
        ...
    @property
    def save_model(self) -> str | None:
        """
        A file for what was learned; None: no file.
        """
    @save_model.setter
    def save_model(self, arg0: str | None) -> None:
        ...
    @property
    def scheduler(self) -> str:
        """
        A spec: which task is next.
        """
    @scheduler.setter
    def scheduler(self, arg1: str) -> None:
        ...
    @property
    def seconds(self) -> float | None:
        """
        Over all tasks.
        """
    @seconds.setter
    def seconds(self, arg1: typing.SupportsFloat | typing.SupportsIndex | None) -> None:
        ...
    @property
    def seed(self) -> int:
        """
        Of all chance.
        """
    @seed.setter
    def seed(self, arg1: typing.SupportsInt | typing.SupportsIndex) -> None:
        ...
    @property
    def space(self) -> str | None:
        """
        A spec; None: the usual one, or what the measurer records.
        """
    @space.setter
    def space(self, arg1: str | None) -> None:
        ...
    @property
    def trials(self) -> int:
        """
        Over all tasks.
        """
    @trials.setter
    def trials(self, arg1: typing.SupportsInt | typing.SupportsIndex) -> None:
        ...
class EnvironmentRequest:
    """
    What an environment is asked for; make() fills it in.
    """
    def __init__(self) -> None:
        ...
    def record_in(self, store: RecordStore | os.PathLike[str] | str | bytes) -> None:
        """
        Measurements go into a store: a file's path, or one that is open for writing.
        """
    @property
    def actions(self) -> str:
        """
        'construct', 'modify' or, of another tuner's table, 'file'.
        """
    @actions.setter
    def actions(self, arg0: str) -> None:
        ...
    @property
    def horizon(self) -> int:
        """
        Actions of an episode, at most.
        """
    @horizon.setter
    def horizon(self, arg0: typing.SupportsInt | typing.SupportsIndex) -> None:
        ...
    @property
    def input(self) -> str:
        """
        T1 file of a table that is a T4 file, or ''.
        """
    @input.setter
    def input(self, arg0: str) -> None:
        ...
    @property
    def measuring_seed(self) -> int:
        """
        Of interleaving.
        """
    @measuring_seed.setter
    def measuring_seed(self, arg0: typing.SupportsInt | typing.SupportsIndex) -> None:
        ...
    @property
    def model(self) -> str:
        """
        'analytical', or the path of a saved model.
        """
    @model.setter
    def model(self, arg0: str) -> None:
        ...
    @property
    def observations(self) -> list[str]:
        """
        Specs of those that are numbers.
        """
    @observations.setter
    def observations(self, arg0: collections.abc.Sequence[str]) -> None:
        ...
    @property
    def protocol(self) -> str:
        """
        Spec of how candidates are timed.
        """
    @protocol.setter
    def protocol(self, arg0: str) -> None:
        ...
    @property
    def reward(self) -> str:
        """
        A spec; see rewards().
        """
    @reward.setter
    def reward(self, arg0: str) -> None:
        ...
    @property
    def source(self) -> str:
        """
        Of reward: 'model', 'measured' or 'table'.
        """
    @source.setter
    def source(self, arg0: str) -> None:
        ...
    @property
    def space(self) -> str:
        """
        Spec of the space whose sketches modify walks.
        """
    @space.setter
    def space(self, arg0: str) -> None:
        ...
    @property
    def start(self) -> str:
        """
        Of modify: 'random' or 'origin'.
        """
    @start.setter
    def start(self, arg0: str) -> None:
        ...
    @property
    def table(self) -> str:
        """
        Of source 'table': a file.
        """
    @table.setter
    def table(self, arg0: str) -> None:
        ...
    @property
    def target(self) -> Target | None:
        """
        Of source 'table': that it has to be for; None: any.
        """
    @target.setter
    def target(self, arg0: Target | None) -> None:
        ...
    @property
    def tasks(self) -> list[Task]:
        """
        Of which each episode draws one.
        """
    @tasks.setter
    def tasks(self, arg1: collections.abc.Sequence[Task]) -> None:
        ...
class ObservationForm:
    """
    How observations are handed out.
    """
    def __init__(self, names: collections.abc.Sequence[str], as_dict: bool) -> None:
        ...
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
        ...
    def close(self) -> None:
        """
        Lets go of all that measures.
        """
    def describe(self, action: typing.Any) -> str:
        """
        What a legal action does here.
        """
    def find(self, text: str) -> int | None:
        """
        The legal action that is described so, or None.
        """
    def fork(self) -> GymEnvironment:
        """
        An episode of its own that stands where this one does.
        """
    def judgements(self) -> list[dict[str, typing.Any]]:
        """
        What was judged so far, in order.
        """
    def legal_actions(self) -> list[int]:
        """
        Rising.
        """
    def legend(self, which: typing.SupportsInt | typing.SupportsIndex) -> str:
        """
        What the numbers of an observation are.
        """
    def loops(self) -> str:
        """
        The loop nests as text.
        """
    def mask(self) -> numpy.typing.NDArray[numpy.int8]:
        """
        One byte for each action, 1 where it is legal.
        """
    def observe(self) -> typing.Any:
        """
        What is seen now.
        """
    def reset(self, task: typing.SupportsInt | typing.SupportsIndex | None = None) -> tuple[typing.Any, ...]:
        """
        Observation and info of a new episode.
        """
    def resume(self, text: str) -> None:
        """
        Goes on where the environment of the text stood.
        """
    def seed(self, seed: typing.SupportsInt | typing.SupportsIndex) -> None:
        """
        What follows depends on it alone.
        """
    def state(self) -> ScheduleState:
        """
        The schedule of this place.
        """
    def step(self, action: typing.Any) -> tuple[typing.Any, ...]:
        """
        Observation, reward, terminated, truncated, info.
        """
    def task(self) -> Task:
        """
        Of this episode.
        """
    def to_text(self) -> str:
        """
        All of the episode.
        """
    @property
    def action_count(self) -> int:
        """
        How many actions there are.
        """
    @property
    def actions(self) -> list[int]:
        """
        Of this episode, in order.
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
        ...
    def close(self) -> None:
        """
        Lets go of all that measures.
        """
    def in_flight(self) -> list[int]:
        """
        Those sent and not received.
        """
    def look(self) -> tuple[typing.Any, ...]:
        """
        Observations and infos of now.
        """
    def receive(self, count: typing.SupportsInt | typing.SupportsIndex) -> tuple[typing.Any, ...]:
        """
        What step() tells, of so many that are ready.
        """
    def reset(self, seeds: collections.abc.Sequence[typing.SupportsInt | typing.SupportsIndex] | None, which: collections.abc.Sequence[bool] | None) -> tuple[typing.Any, ...]:
        """
        Observations and infos of new episodes.
        """
    def resume(self, index: typing.SupportsInt | typing.SupportsIndex, text: str) -> None:
        """
        Lets an environment go on where that of the text stood.
        """
    def send(self, actions: numpy.ndarray[typing.Any, typing.Any], env_ids: numpy.ndarray[typing.Any, typing.Any]) -> None:
        """
        Actions of some, to be received.
        """
    def send_resets(self, seeds: collections.abc.Sequence[typing.SupportsInt | typing.SupportsIndex] | None, which: collections.abc.Sequence[bool] | None) -> None:
        """
        Begins episodes, to be received.
        """
    def state(self, index: typing.SupportsInt | typing.SupportsIndex) -> ScheduleState:
        """
        The schedule of an environment's place.
        """
    def step(self, actions: numpy.ndarray[typing.Any, typing.Any]) -> tuple[typing.Any, ...]:
        """
        Observations, rewards, terminated, truncated, infos; one action for each.
        """
    def texts(self) -> list[str]:
        """
        All of each environment's episode.
        """
    def to_text(self, index: typing.SupportsInt | typing.SupportsIndex) -> str:
        """
        All of an environment's episode.
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
    def agent(self, arg0: str) -> None:
        ...
    @property
    def batch(self) -> int:
        """
        Trials of a slot, at most.
        """
    @batch.setter
    def batch(self, arg0: typing.SupportsInt | typing.SupportsIndex) -> None:
        ...
    @property
    def curves(self) -> list[str]:
        """
        Files of recorded curves; not with tasks or tables.
        """
    @curves.setter
    def curves(self, arg0: collections.abc.Sequence[str]) -> None:
        ...
    @property
    def half(self) -> str:
        """
        Of the curves' tasks: 'all', 'development', 'heldout'.
        """
    @half.setter
    def half(self, arg0: str) -> None:
        ...
    @property
    def max_tasks(self) -> int | None:
        """
        Rows; None: as many as there are tasks.
        """
    @max_tasks.setter
    def max_tasks(self, arg0: typing.SupportsInt | typing.SupportsIndex | None) -> None:
        ...
    @property
    def measuring_seed(self) -> int:
        """
        Of interleaving.
        """
    @measuring_seed.setter
    def measuring_seed(self, arg0: typing.SupportsInt | typing.SupportsIndex) -> None:
        ...
    @property
    def plugins(self) -> list[str]:
        """
        Shared libraries whose agents may be named.
        """
    @plugins.setter
    def plugins(self, arg0: collections.abc.Sequence[str]) -> None:
        ...
    @property
    def protocol(self) -> str:
        """
        Spec of how candidates are timed.
        """
    @protocol.setter
    def protocol(self, arg0: str) -> None:
        ...
    @property
    def reward(self) -> str:
        """
        A spec; see rewards().
        """
    @reward.setter
    def reward(self, arg0: str) -> None:
        ...
    @property
    def slots(self) -> int:
        """
        Actions of an episode, at most.
        """
    @slots.setter
    def slots(self, arg0: typing.SupportsInt | typing.SupportsIndex) -> None:
        ...
    @property
    def source(self) -> str:
        """
        Of times: 'model', 'measured' or 'table'.
        """
    @source.setter
    def source(self, arg0: str) -> None:
        ...
    @property
    def space(self) -> str:
        """
        Spec of the space that they are of.
        """
    @space.setter
    def space(self, arg0: str) -> None:
        ...
    @property
    def tables(self) -> list[tuple[str, int]]:
        """
        Files of tables, and how often each; not with tasks.
        """
    @tables.setter
    def tables(self, arg0: collections.abc.Sequence[tuple[str, typing.SupportsInt | typing.SupportsIndex]]) -> None:
        ...
    @property
    def target(self) -> Target | None:
        """
        That tables have to be for; None: any.
        """
    @target.setter
    def target(self, arg0: Target | None) -> None:
        ...
    @property
    def tasks(self) -> list[tuple[Task, int]]:
        """
        And how often the network runs each.
        """
    @tasks.setter
    def tasks(self, arg1: collections.abc.Sequence[tuple[Task, typing.SupportsInt | typing.SupportsIndex]]) -> None:
        ...
    @property
    def warm_up(self) -> bool:
        """
        Whether an episode begins with a slot for each task.
        """
    @warm_up.setter
    def warm_up(self, arg0: bool) -> None:
        ...
class GymNetwork:
    """
    A network's environment without Gymnasium's face.
    """
    legend: typing.ClassVar[str] = "0: share of the slots used\n1: log2 of the network's speed over that with reference schedules, as a share of 16\n2: tasks, as a share of the rows\n3: tasks that have something left, as a share of all tasks\n4: tasks that have a success, as a share of all tasks\nthen for each task:\n0: 1, the mask of the row\n1: 1 where a slot is legal\n2: 1 where it has a success; without one its reference stands for it\n3: log2 of its best speed over the reference's, as a share of 16\n4: slots that it was given after the warm-up, as a share of the budget\n5: failures, as a share of its trials\n6: log2(1 + slots since one that made it faster), as a share of 8\n7: log2 of what its last slot made it faster, as a share of 4\n8: the same of the last slot that made it faster\n9: the mean of the same over its last three slots\n10: log2(1 + operations), as a share of 48\n11: log2(1 + how often the network runs it), as a share of 16\n12: share of the network's latency\n13: tasks that are like it, as a share of all tasks\n14: log2 of the highest speed among these, in operations a second, over its own, as a share of 16\n"
    def __init__(self, request: NetworkRequest) -> None:
        ...
    def close(self) -> None:
        """
        Ends what measures.
        """
    def describe(self, action: typing.Any) -> str:
        """
        The task that a legal action gives a slot to, or 'stop'.
        """
    def info(self) -> dict[str, typing.Any]:
        """
        What a step says beside it.
        """
    def latencies(self) -> list[float]:
        """
        Seconds of one call of each task's best.
        """
    def legal_actions(self) -> list[int]:
        """
        Rising.
        """
    def mask(self) -> numpy.typing.NDArray[numpy.int8]:
        """
        One byte for each action, 1 where it is legal.
        """
    def observe(self) -> numpy.typing.NDArray[numpy.float32]:
        """
        What is seen now.
        """
    def records(self) -> list[Record | None]:
        """
        Of each task's best; None without a success, and of curves.
        """
    def reset(self) -> tuple[typing.Any, ...]:
        """
        Observation and info of a new episode.
        """
    def resume(self, text: str) -> None:
        """
        Plays the episode of the text again.
        """
    def seed(self, seed: typing.SupportsInt | typing.SupportsIndex) -> None:
        """
        What follows depends on it alone.
        """
    def step(self, action: typing.Any) -> tuple[typing.Any, ...]:
        """
        Observation, reward, terminated, truncated, info.
        """
    def to_text(self) -> str:
        """
        All of the episode.
        """
    def trials(self) -> list[int]:
        """
        Of each task in this episode.
        """
    @property
    def action_count(self) -> int:
        """
        How many actions there are.
        """
    @property
    def actions(self) -> list[int]:
        """
        Of this episode, in order.
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
    The agents: name to parameters with their defaults.
    """
def builtin_workloads() -> dict[str, str]:
    """
    The built-in operators: name to parameters with their defaults.
    """
def check_search(tasks: collections.abc.Sequence[tuple[Task, typing.SupportsInt | typing.SupportsIndex]], request: SearchRequest) -> None:
    """
    Raises what run_search would, before a store is made.
    """
def environments() -> dict[str, dict[str, str]]:
    """
    The environments of the ids ScheduleGym/NAME-v0: name to what is known of each.
    """
def export_kernel(state: ScheduleState, prefix: os.PathLike[str] | str | bytes) -> str:
    """
    Writes PREFIX.so, PREFIX.o and PREFIX.h, and returns the first one's path.
    """
def measurer_facts(measure: str) -> tuple[Task | None, bool]:
    """
    The only task that a measurer knows, or None, and whether candidates run.
    """
def measurer_space(measure: str) -> SearchSpace:
    """
    The space of the schedules that a measurer knows; InputError where any will do.
    """
def measurers() -> list[dict[str, typing.Any]]:
    """
    What `measure` may name: name, parameters and description of each.
    """
def observations() -> dict[str, str]:
    """
    The observations: name to parameters with their defaults.
    """
def parse_spec(text: str) -> tuple[str, dict[str, typing.Any]]:
    """
    The name and the options of a spec.
    """
def primitives() -> dict[str, dict[str, str]]:
    """
    Every primitive: name to fields, each with what it means.
    """
def read_memory(path: str, kind: str) -> bytes:
    """
    What an agent of this kind saved in a file of `tune --save-model`.
    """
def read_network(path: os.PathLike[str] | str | bytes) -> list[tuple[int, Workload]]:
    """
    The layers of a .net file: how often each is run, and its workload.
    """
def reference_schedule(task: Task) -> ScheduleState:
    """
    The fixed schedule with which candidates of a task are timed in pairs.
    """
def rewards() -> dict[str, str]:
    """
    The rewards: name to parameters with their defaults.
    """
def run_search(tasks: collections.abc.Sequence[tuple[Task, typing.SupportsInt | typing.SupportsIndex]], request: SearchRequest, open_store: typing.Any) -> tuple[list[dict[str, typing.Any]], bool]:
    """
    How each task ended, and whether Ctrl-C ended the search; tune() calls it. `open_store` returns a RecordStore; it is called once nothing is wrong with the request.
    """
def schedulers() -> dict[str, str]:
    """
    The task schedulers: name to parameters with their defaults.
    """
def serve_agent(descriptor: typing.SupportsInt | typing.SupportsIndex, agent: typing.Any, fault: str = '', is_machine: bool = False) -> None:
    """
    Answers a search's questions on a socket until it is closed; agent_server calls it.
    """
def spaces() -> dict[str, str]:
    """
    The search spaces: name to parameters with their defaults.
    """
def suite(name: str) -> list[Workload]:
    """
    The workloads of a built-in suite.
    """
def targets() -> dict[str, str]:
    """
    The targets: name to parameters with their defaults.
    """
__version__: str
