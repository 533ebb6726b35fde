"""A page for each environment, as Gymnasium writes them, from the environment itself.

A page is of the newest version of its id. Where there is an older one, a table has what differs in it.
"""
from __future__ import annotations

import re
import warnings
from typing import Any

import reference
from feature_meanings import meaning_of

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
    "model": (("doubt", "float", "standard deviation of `speed` as a share of it, of a model that gives one"),),
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
# The workload or table of a page's shapes.
SHAPES = {"construct": "those of the default workload", "modify": "those of the default workload",
          "file": "those of the table that comes with the package; `table=` and `input=` name another "
                  "T4 file and its T1 file"}
# The pages that "see KIND" of the catalog links.
KINDS = {"observations": "observations.md", "rewards": "rewards.md", "spaces": "spaces.md",
         "models": "models.md", "agents": "agents.md", "protocols": "measuring-options.md#protocols"}


def row_text(cells: tuple[str, ...]) -> str:
    return "| " + " | ".join(cells) + " |"


def legend_table(legend: str) -> str:
    """Lines "N: meaning" as a table; other lines, such as "then for each loop:", as rows of their own."""
    rows = ["| column | meaning |", "| --- | --- |"]
    for line in legend.strip().splitlines():
        found = re.match(r"(\d+(?:\.\.\d+)?): (.*)", line)
        rows.append(row_text((found[1], _explained(found[2]))) if found
                    else row_text(("", f"*{reference.cell(line)}*")))
    return "\n".join(rows)


def _explained(column: str) -> str:
    """A column of Ansor's features with what its name means."""
    meaning = meaning_of(column)
    return reference.cell(column) if meaning is None else f"`{column}`: {meaning}"


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


def newest(name: str, facts: dict[str, str]) -> str:
    """The id of an environment's newest version."""
    return f"ScheduleGym/{name}-v{1 if facts['version_1'] else 0}"


def made(id: str, facts: dict[str, str], **options: Any) -> Any:
    """An environment of an id, with the spaces of the measured ids but without their workers."""
    import gymnasium
    source = {"source": "model"} if facts["source"] == "measured" else {}
    return gymnasium.make(id, **source, **options).unwrapped


def arguments_of(id: str, facts: dict[str, str]) -> list[dict[str, str]]:
    """The arguments that an id takes, with its own defaults."""
    actions = facts["actions"]
    own = {"observation": default_observation(actions)}
    rows = next(item["options"] for item in reference.listed("environments") if item["name"] == id)
    return [{**one, "default": own.get(one["key"], one["default"]), "range": range_text(one, actions)}
            for one in rows]


def range_text(option: dict[str, str], actions: str) -> str:
    """A range; "see KIND" is a link."""
    if option["key"] == "measure" and actions == "file":
        return "table(file=FILE)"
    return re.sub(r"^see (\w+)", lambda found: f"[{found[1]}](../{KINDS[found[1]]})", option["range"])


def arguments_text(id: str, facts: dict[str, str]) -> str:
    notes = []
    if facts["source"] == "table" and facts["actions"] in ("construct", "modify"):
        notes.append("`workload` and `target` are the table's. If they are given, they must equal those.")
    if facts["source"] == "table" and facts["actions"] == "network":
        notes.append("The workloads are the tables'. If `target` is given, it must equal theirs. With `curves`, "
                     "`table` and `target` are refused, and `agent` and `batch` are ignored.")
    if facts["source"] == "table":
        notes.append("`model`, `space` and `protocol` of other ids are ignored: a table has its own schedules and "
                     "speeds.")
    if facts["actions"] != "file":
        notes.append("With `measure`, the arguments of the id with that evaluator apply.")
    return (f"Arguments of `gymnasium.make`, with the defaults of `{id}`.\n\n"
            f"{reference.options_table(arguments_of(id, facts))}\n\n{' '.join(notes)}").strip()


def default_observation(actions: str) -> str:
    from schedulegym.environment import observation_of
    return str(observation_of(actions, None))


def head_text(name: str, facts: dict[str, str], env: Any) -> str:
    return (f"# {name}\n\n{DESCRIPTIONS[facts['actions']]} {SOURCES[facts['source']]}\n\n"
            f"| space | value |\n| --- | --- |\n| Action space | `{env.action_space}` |\n"
            f"| Observation space | `{env.observation_space}` |\n"
            f"| Import | `gymnasium.make(\"{newest(name, facts)}\")` |\n")


def shapes_text(facts: dict[str, str]) -> str:
    shapes = SHAPES[facts["actions"]]
    return f"The shapes on this page are {shapes.replace('workload', 'table') if facts['source'] == 'table' else shapes}.\n"


def schedule_page(name: str, facts: dict[str, str]) -> str:
    kind, shown = facts["actions"], OBSERVED[facts["actions"]]
    plain = made(newest(name, facts), facts)
    plain.reset(seed=0)
    many = made(newest(name, facts), facts, observation=shown)
    text = ("A kernel of another tuner has no `text`." if kind == "file" else "`text` is the loop nest as a string.")
    return "\n".join([
        head_text(name, facts, plain), shapes_text(facts),
        "## Action Space\n", menu_table(menu_of(plain, kind)),
        "\nIllegal actions are masked: `info[\"action_mask\"]` and `action_masks()`. An illegal action "
        "costs a step and changes nothing. `decode(action)` gives an action as text, `encode(text)` its "
        "number. Some legal actions of one state:\n", examples_of(plain),
        "\n## Observation Space\n",
        f"`observation` is one name (default `{default_observation(kind)}`) for an array, or several for a "
        f"dict. {text}\n", observation_text(many, shown), tail_text(name, facts, "schedule"),
        example_text(name, facts, "schedule"), history_text(name, facts, shown)])


def menu_of(env: Any, kind: str) -> str:
    """The menu; a kernel of another tuner has one sketch, so that no other follows."""
    menu = str(env.menu)
    return menu.replace("the next sketch", "never legal: a file has no sketches") if kind == "file" else menu


def network_page(name: str, facts: dict[str, str]) -> str:
    env = made(newest(name, facts), facts)
    box = env.observation_space
    kind = "default tables" if facts["source"] == "table" else "default network"
    return "\n".join([
        head_text(name, facts, env), f"The shapes on this page are those of the {kind}.\n",
        "## Action Space\n", "| action | meaning |\n| --- | --- |\n| 0 | stop |\n"
        "| i | give the next slot to task i - 1 |\n",
        "Tasks that have nothing left, and rows without a task, are masked.\n",
        "## Observation Space\n", f"Shape `{box.shape}`, dtype `{box.dtype}`, bounds "
        f"[{box.low.min():g}, {box.high.max():g}]. `env.unwrapped.feature_names` has the same text.\n",
        legend_table(env.feature_names), tail_text(name, facts, "network"),
        example_text(name, facts, "network"), history_text(name, facts, [])])


def tail_text(name: str, facts: dict[str, str], family: str) -> str:
    keys = INFO[family] + (INFO["model"] if family == "schedule" and facts["source"] == "model" else ())
    info = "\n".join(row_text((f"`{key}`", kind, meaning)) for key, kind, meaning in keys)
    return (f"\n## Rewards\n\n{REWARDS[family]}\n\n## Starting State\n\n{STARTS[facts['actions']]}\n\n"
            f"## Episode End\n\n{ENDS[facts['actions']]}\n\n## Info\n\n| key | type | meaning |\n"
            f"| --- | --- | --- |\n{info}\n\n## Arguments\n\n{arguments_text(newest(name, facts), facts)}\n\n"
            f"## Vectors, forks, replays\n\n" + VECTORS["file" if facts["actions"] == "file" else family])


VECTORS = {
    "schedule": "- `gymnasium.make_vec(id, n)` steps all environments in C++. `autoreset_mode` is "
                "`NextStep`, `SameStep` or `Disabled`.\n- `fork()` copies an episode in microseconds; "
                "`to_text()` and `replay(text)` save and restore one. Pickles work, too.\n- "
                "`state`, `trace`, `task` give the schedule.\n",
    "file": "- `gymnasium.make_vec(id, n)` steps all environments in C++. `autoreset_mode` is "
            "`NextStep`, `SameStep` or `Disabled`.\n- `fork()` copies an episode in microseconds; "
            "`to_text()` and `replay(text)` save and restore one. Pickles work, too.\n",
    "network": "- `to_text()` and `replay(text)` save and restore an episode.\n- `latencies`, `weights`, "
               "`trials`, `records`, `names` give the tasks.\n",
}


def example_text(name: str, facts: dict[str, str], family: str) -> str:
    return (f"\n## Example\n\n```python\nimport gymnasium, schedulegym\n\n"
            f"env = gymnasium.make(\"{newest(name, facts)}\")\nobservation, info = env.reset(seed=0)\n"
            "terminated = truncated = False\nwhile not (terminated or truncated):\n"
            "    action = env.action_space.sample(info[\"action_mask\"])\n"
            "    observation, reward, terminated, truncated, info = env.step(action)\n"
            f"print(info[\"{'speed' if family == 'schedule' else 'latency'}\"])\n```\n")


def history_text(name: str, facts: dict[str, str], shown: list[str]) -> str:
    own = facts["version_1"]
    if not own:
        return "## Version History\n\n- v0: initial version.\n"
    text = f"- v1: `{own}`."
    if "model=" in own:
        text += (" Speeds are those of trees that were trained on measured programs, in place of the "
                 "analytical estimate.")
    if "space=" in own:
        text += " The space is the default of `tune`."
    rows = "\n".join(map(row_text, differences(name, facts, shown)))
    return (f"## Version History\n\n{text}\n- v0: initial version. Gymnasium warns that it is out of date; it is "
            f"kept to repeat older results.\n\n### Version 0\n\n`ScheduleGym/{name}-v0` differs in:\n\n"
            f"| what | version 1 | version 0 |\n| --- | --- | --- |\n{rows}\n")


def differences(name: str, facts: dict[str, str], shown: list[str]) -> list[tuple[str, str, str]]:
    """What is other in version 0: defaults of arguments, spaces, shapes of observations."""
    ids = [f"ScheduleGym/{name}-v{version}" for version in (1, 0)]
    new, old = ({one["key"]: one["default"] for one in arguments_of(id, facts)} for id in ids)
    found = [(f"`{key}`", new[key], old[key]) for key in new]
    some = [made(id, facts) for id in ids]
    found += [(words, *(str(getattr(env, key)) for env in some))
              for key, words in (("action_space", "action space"), ("observation_space", "observation space"))]
    if shown:
        many = [made(id, facts, observation=shown).observation_space.spaces for id in ids]
        found += [(f"shape of `{one}`", *(str(boxes[one].shape) for boxes in many)) for one in shown]
    return [(what, f"`{first}`", f"`{second}`") for what, first, second in found if first != second]


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
