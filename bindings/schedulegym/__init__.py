"""A gym in which search algorithms learn to schedule tensor programs on real hardware.

    import schedulegym

    result = schedulegym.tune("matmul(m=512,n=512,k=512)", trials=200)
    kernel = schedulegym.compile("matmul(m=512,n=512,k=512)")
    c = kernel(a, b)

    env = gymnasium.make("ScheduleGym/ModifyModel-v1", workload="matmul(m=512,n=512,k=512)")

Importing the package registers its environments. Everything has a text form: workloads, targets and
agents are specs such as 'ansor(beam=true)', computations are .dag text, schedules are traces. What
has a text form can be pickled.
"""
from schedulegym._schedulegym import (
    AgentSetup, AgentTrial, BuiltinAgent, ComputeDag, Confinement, InputError, MachineError, Measurement,
    Measurer, Primitive, Record, RecordStore, Rng, ScheduleError, ScheduleState, SearchSpace,
    Target, Task, Tensor, Trace, Workload, __version__, agents, builtin_workloads, environments,
    measurer_space, measurers, noise_ceiling, observations, primitives, read_network,
    reference_schedule, rewards, schedulers, spaces, suite, targets)
from schedulegym.agent import Agent
from schedulegym.compiling import Kernel, compile
from schedulegym.environment import ScheduleEnv
from schedulegym.network import ScheduleNetworkEnv
from schedulegym.registration import register as _register
from schedulegym.tuning import Trial, Tuner, TuneResult, tune
from schedulegym.vector import ScheduleVectorEnv

__all__ = [
    "Agent", "AgentSetup", "AgentTrial", "BuiltinAgent", "ComputeDag", "Confinement", "InputError", "Kernel",
    "MachineError", "Measurement", "Measurer", "Primitive", "Record", "RecordStore", "Rng",
    "ScheduleEnv", "ScheduleError", "ScheduleNetworkEnv", "ScheduleState", "ScheduleVectorEnv",
    "SearchSpace", "Target", "Task", "Tensor", "Trace", "Trial", "TuneResult", "Tuner", "Workload", "agents",
    "builtin_workloads", "compile", "environments", "measurer_space", "measurers", "noise_ceiling",
    "observations", "primitives", "read_network", "reference_schedule", "rewards", "schedulers",
    "spaces", "suite", "targets", "tune"]

_register()
