"""Search agents written in Python."""
import abc
from collections.abc import Sequence

from schedulegym._schedulegym import BuiltinAgent, Record, ScheduleState, Task


class Agent(abc.ABC):
    """Proposes schedules and learns from what measuring them gave; ask and tell, nothing else.

    One agent serves all tasks of a search, in the thread that called tune(). What it raises ends
    the search; everything measured until then is in the store.
    """

    @property
    def name(self) -> str:
        """How records name it: a spec."""
        kind = type(self)
        return f'python(module="{kind.__module__}", class="{kind.__qualname__}")'

    def check_task(self, task: Task) -> None:
        """Raises ValueError where the agent does not fit a task, before anything is measured."""

    @abc.abstractmethod
    def propose(self, task: Task, count: int) -> Sequence[ScheduleState]:
        """At most `count` schedules worth measuring; an empty answer ends the task's search."""

    def learn(self, records: Sequence[Record]) -> None:
        """What became of the last proposal, in its order.

        Failures that say nothing about a schedule are left out. Before the first proposal come, at
        once, the records that the store has of the task.
        """


Agent.register(BuiltinAgent)
