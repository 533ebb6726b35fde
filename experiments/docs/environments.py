"""A page for each environment, as Gymnasium writes them, from the environment itself."""
from __future__ import annotations

import re
import warnings
from typing import Any

import reference

DESCRIPTIONS = {
    "construct": "You build a schedule of one tensor computation, stage by stage from the output to the "
                 "inputs. Each action appends a primitive to the trace.",
    "modify": "You improve a complete schedule of one tensor computation. Each action changes one "
              "decision of its sketch.",
    "file": "You choose the parameters of a kernel that another tuner (Kernel Tuner, benchmark_hub) "
            "measured. Each action moves one parameter by one value.",
    "network": "You share a budget of trials among the tasks of a network. Each action gives one task a "
               "slot of trials, which a search agent proposes.",
}
SOURCES = {
    "measured": "Speeds are **measured**: schedules are compiled, verified and timed on this machine, in "
                "worker processes. Not deterministic.",
    "model": "Speeds are **predicted** by a cost model. Deterministic and fast; nothing is compiled. The "
             "model is not the machine: measure what you found.",
    "table": "Speeds are **recorded**: they were measured once on some machine. Deterministic; needs no "
             "compiler.",
}
STARTS = {
    "construct": "The naive program: nothing is tiled, fused or vectorized. Of several workloads each "
                 "episode draws one; `reset(options={'workload': i})` chooses.",
    "modify": "A random schedule of the space (`start='random'`), or the unoptimised schedule "
              "(`start='origin'`). On a table: a random recorded schedule.",
    "file": "A random recorded configuration.",
    "network": "After a warm-up of one slot for each task (`warm_up=False`: no trials yet).",
}
ENDS = {
    "construct": "`terminated` is true after action 0 or after `steps` actions: the schedule is paid for "
                 "as it is then. `truncated` is false unless a wrapper truncates.",
    "modify": "`terminated` is true after action 0 or after `steps` actions: the schedule is paid for as "
              "it is then. `truncated` is false unless a wrapper truncates.",
    "file": "`terminated` is true after action 0 or after `steps` actions.",
    "network": "`terminated` is true after action 0 or after `slots` actions, the warm-up not counted.",
}
INFO = {
    "schedule": (("action_mask", "int8 array", "1 for each legal action"),
                 ("illegal_actions", "int", "illegal actions of this episode"),
                 ("illegal", "str", "why the last action was illegal, if it was"),
                 ("outcome", "str", "`ok` or the type of a failure, where the schedule was evaluated"),
                 ("speed", "float", "speed over the reference schedule, where it was evaluated"),
                 ("seconds", "float", "seconds of one call, where they are known")),
    "network": (("action_mask", "int8 array", "1 for each legal action"),
                ("illegal_actions", "int", "illegal actions of this episode"),
                ("illegal", "str", "why the last action was illegal, if it was"),
                ("latency", "float", "seconds of the network with the best schedules so far"),
                ("speed", "float", "latency of the reference schedules over `latency`"),
                ("trials", "int", "trials of all tasks, the warm-up included")),
}
REWARDS = {
    "schedule": "`reward` is a spec: `final` (default) pays the log speed over the reference at the end, "
                "`difference` its growth at each step, `improvement` what exceeds the best so far. "
                "A failure counts as a log speed of -8. [Rewards](../rewards.md) has all options.",
    "network": "`difference` (default) pays after each slot the growth of the log of the network's speed. "
               "`final` pays the log at the end. [Rewards](../rewards.md) has all options.",
}
OBSERVED = {"construct": ["loops", "ansor", "tokens", "history", "task"],
            "modify": ["knobs", "loops", "ansor", "tokens", "history", "task"],
            "file": ["knobs", "history", "task"]}
# What the shapes of a page are of.
SHAPES = {"construct": "those of the default workload", "modify": "those of the default workload",
          "file": "those of the table that comes with the package; `table=` and `input=` name another "
                  "T4 file and its T1 file"}


def row_text(cells: tuple[str, ...]) -> str:
    return "| " + " | ".join(cells) + " |"


def legend_table(legend: str) -> str:
    """Lines "N: meaning" as a table; other lines, such as "then for each loop:", as rows of their own."""
    rows = ["| column | meaning |", "| --- | --- |"]
    for line in legend.strip().splitlines():
        found = re.match(r"(\d+(?:\.\.\d+)?): (.*)", line)
        rows.append(row_text((found[1], reference.cell(found[2]))) if found
                    else row_text(("", f"*{reference.cell(line)}*")))
    return "\n".join(rows)


def observation_text(env: Any, names: list[str]) -> str:
    """Shape, bounds and columns of each observation."""
    boxes = env.observation_space.spaces if len(names) > 1 else {names[0]: env.observation_space}
    parts = []
    for position, name in enumerate(names):
        box = boxes[name]
        parts.append(f"### `{name}`\n\nShape `{box.shape}`, dtype `{box.dtype}`, bounds "
                     f"[{box.low.min():g}, {box.high.max():g}].\n\n"
                     + legend_table(env._core.legend(position)))
    return "\n\n".join(parts)


def menu_table(menu: str) -> str:
    """The numbers of actions, as the environment's menu has them."""
    rows = ["| action | meaning |", "| --- | --- |"]
    for line in menu.strip().splitlines():
        number, _, meaning = line.partition(": ")
        rows.append(row_text((number, reference.cell(meaning))))
    return "\n".join(rows)


def examples_of(env: Any) -> str:
    """Some legal actions in words."""
    legal = [int(action) for action in env.legal_actions()]
    some = legal[:3] + legal[len(legal) // 2:][:2] + legal[-2:]
    return "\n".join(f"- {action}: `{env.decode(action)}`" for action in dict.fromkeys(some))


def arguments_text(name: str) -> str:
    rows = next(item["options"] for item in reference.listed("environments")
                if item["name"] == f"ScheduleGym/{name}-v0")
    return reference.options_table(rows)


def head_text(name: str, facts: dict[str, str], action_space: str, observation_space: str,
              example: str) -> str:
    return (f"# {name}\n\n{DESCRIPTIONS[facts['actions']]} {SOURCES[facts['source']]}\n\n"
            f"| space | value |\n| --- | --- |\n| Action space | `{action_space}` |\n"
            f"| Observation space | `{observation_space}` |\n"
            f"| Import | `{example}` |\n")


def schedule_page(name: str, facts: dict[str, str]) -> str:
    import gymnasium
    kind = facts["actions"]
    source = {} if facts["source"] != "measured" else {"source": "model"}  # the same spaces, no workers
    plain = gymnasium.make(f"ScheduleGym/{name}-v0", **source).unwrapped
    plain.reset(seed=0)
    shown = OBSERVED[kind]
    many = gymnasium.make(f"ScheduleGym/{name}-v0", observation=shown, **source).unwrapped
    default = "loops" if kind == "construct" else "knobs"
    return "\n".join([
        head_text(name, facts, str(plain.action_space), str(plain.observation_space),
                  f'gymnasium.make("ScheduleGym/{name}-v0")'),
        f"The shapes on this page are {SHAPES[kind]}.\n",
        "## Action Space\n", menu_table(plain.menu),
        "\nIllegal actions are masked: `info[\"action_mask\"]` and `action_masks()`. An illegal action "
        "costs a step and changes nothing. `decode(action)` gives an action as text, `encode(text)` its "
        "number. Some legal actions of one state:\n", examples_of(plain),
        "\n## Observation Space\n",
        f"`observation` is one name (default `{default}`) for an array, or several for a dict. `text` is "
        "the loop nest as a string.\n", observation_text(many, shown), tail_text(name, facts, "schedule"),
        example_text(name, facts, "schedule")])


def network_page(name: str, facts: dict[str, str]) -> str:
    import gymnasium
    source = {} if facts["source"] != "measured" else {"source": "model"}
    env = gymnasium.make(f"ScheduleGym/{name}-v0", **source).unwrapped
    box = env.observation_space
    return "\n".join([
        head_text(name, facts, str(env.action_space), str(box),
                  f'gymnasium.make("ScheduleGym/{name}-v0")'),
        "The shapes on this page are those of the default network.\n",
        "## Action Space\n", "| action | meaning |\n| --- | --- |\n| 0 | stop |\n"
        "| i | give the next slot to task i - 1 |\n",
        "Tasks that have nothing left, and rows without a task, are masked.\n",
        "## Observation Space\n", f"Shape `{box.shape}`, dtype `{box.dtype}`, bounds "
        f"[{box.low.min():g}, {box.high.max():g}]. `env.unwrapped.feature_names` has the same text.\n",
        legend_table(env.feature_names), tail_text(name, facts, "network"), example_text(name, facts, "network")])


def tail_text(name: str, facts: dict[str, str], family: str) -> str:
    info = "\n".join(row_text((f"`{key}`", kind, meaning)) for key, kind, meaning in INFO[family])
    return (f"\n## Rewards\n\n{REWARDS[family]}\n\n## Starting State\n\n{STARTS[facts['actions']]}\n\n"
            f"## Episode End\n\n{ENDS[facts['actions']]}\n\n## Info\n\n| key | type | meaning |\n"
            f"| --- | --- | --- |\n{info}\n\n## Arguments\n\nArguments of `gymnasium.make`. Of this id: "
            f"`{facts['parameters']}`.\n\n{arguments_text(name)}\n\n## Vectors, forks, replays\n\n"
            + VECTORS[family])


VECTORS = {
    "schedule": "- `gymnasium.make_vec(id, n)` steps all environments in C++. `autoreset_mode` is "
                "`NextStep`, `SameStep` or `Disabled`.\n- `fork()` copies an episode in microseconds; "
                "`to_text()` and `replay(text)` save and restore one. Pickles work, too.\n- "
                "`state`, `trace`, `task` give the schedule.\n",
    "network": "- `to_text()` and `replay(text)` save and restore an episode.\n- `latencies`, `weights`, "
               "`trials`, `records`, `names` give the tasks.\n",
}


def example_text(name: str, facts: dict[str, str], family: str) -> str:
    return (f"\n## Example\n\n```python\nimport gymnasium, schedulegym\n\n"
            f"env = gymnasium.make(\"ScheduleGym/{name}-v0\")\nobservation, info = env.reset(seed=0)\n"
            "terminated = truncated = False\nwhile not (terminated or truncated):\n"
            "    action = env.action_space.sample(info[\"action_mask\"])\n"
            "    observation, reward, terminated, truncated, info = env.step(action)\n"
            f"print(info[\"{'speed' if family == 'schedule' else 'latency'}\"])\n```\n\n"
            f"## Version History\n\n{version_text(facts)}- v0: initial version."
            + ("\n" if facts["actions"] == "file" else " Its default space is `ansor`.\n"))


def version_text(facts: dict[str, str]) -> str:
    own = facts["version_1"]
    if not own:
        return ""
    text = f"- v1: `{own}`."
    if "model=" in own:
        text += (" Speeds are those of trees that were trained on measured programs, in place of the "
                 "analytical estimate.")
    if "space=" in own:
        text += " The space is the default of `tune`."
    return text + "\n"


def pages_of() -> list[tuple[str, str, str]]:
    """Title, file name and text of each page."""
    import schedulegym
    pages = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, facts in schedulegym.environments().items():
            page = network_page if facts["actions"] == "network" else schedule_page
            pages.append((name, f"{name}.md", page(name, facts)))
    return sorted(pages)
