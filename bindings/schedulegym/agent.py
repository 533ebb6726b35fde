"""Search agents written in Python."""
from __future__ import annotations

import abc
from collections.abc import Sequence

from schedulegym._schedulegym import BuiltinAgent, Record, ScheduleState, Task


class Agent(abc.ABC):
    """Proposes schedules and learns from what measuring them gave; ask and tell, nothing else.

    One agent serves all tasks of a search, in the thread that called tune(). What it raises ends
    the search; everything measured until then is in the store.

    An agent that has a method `begin(setup)` is given the run first: an AgentSetup with all tasks,
    their weights and the budget.

    An agent that has a method `learn_trials(trials)` learns by that instead of `learn` from all that it
    proposed, in its order: a list of AgentTrials, whose `status` is 'measured', 'says_nothing' (a fault
    of the machine), 'not_reached' (the search ended before), 'known' (from an earlier search, before
    the first proposal) or 'revised' (the first record turned out doubtful).

    An agent that has methods `save()` and `load(saved)` is kept by `tune --save-model FILE`: `save`
    gives bytes or a str, or None where nothing was learned, and `load` takes the bytes of it. With
    `--agent "python(module=..., class=..., model=FILE)"` it loads them before the search.

    Example:
        >>> class Naive(Agent):
        ...     def propose(self, task, count):
        ...         return [ScheduleState.initial(task)]
        >>> tune("matmul(m=64,n=64,k=64)", agent=Naive(), measure="analytical", trials=2).trials
        2
    """

    @property
    def name(self) -> str:
        """How records name it: a spec."""
        kind = type(self)
        return f'python(module="{kind.__module__}", class="{kind.__qualname__}")'

    def check_task(self, task: Task) -> None:
        """Checks that the agent fits a task, before anything is measured.

        An agent that does not fit raises ValueError.

        Args:
            task: What it would be asked about.
        """

    @abc.abstractmethod
    def propose(self, task: Task,
                count: int) -> Sequence[ScheduleState | tuple[ScheduleState, str]]:
        """Proposes schedules worth measuring.

        Args:
            task: What they schedule.
            count: How many at most.

        Returns:
            ScheduleStates; an empty answer ends the task's search. A schedule may come with a note,
            a spec such as "track(step=17)", that its record keeps.
        """

    def learn(self, records: Sequence[Record]) -> None:
        """Learns what became of the last proposal.

        Args:
            records: In the proposal's order, without failures that say nothing about a schedule.
                Before the first proposal come, at once, those that the store has of the task.
        """


Agent.register(BuiltinAgent)
