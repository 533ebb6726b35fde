"""Reference pages from the program: its commands, and the options of all that can be named."""
from __future__ import annotations

import json
import os
import pathlib
import re
import subprocess
from typing import Any

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("SCHEDULEGYM_PROGRAM") or str(ROOT / "build/release/bin/schedulegym")

# Page, title, kinds of `list`, and what the page is about.
KINDS = (
    ("agents.md", "Agents", ("agents", "refiners"),
     "Search agents, by name: `--agent NAME(key=value, ...)`. How they search: "
     "[Spaces and agents](../design/agents.md)."),
    ("schedulers.md", "Task schedulers", ("schedulers",),
     "What chooses the next task of a network: `--scheduler NAME(...)`. How they work: "
     "[Task schedulers](../design/dynatune.md)."),
    ("spaces.md", "Search spaces", ("spaces",),
     "Which schedules are searched: `--space NAME(...)`. [Spaces and agents](../design/agents.md)."),
    ("observations.md", "Observations", ("observations",),
     "What an environment shows: `observation=NAME`, or a list for a dict. Each column is explained on "
     "the page of an environment."),
    ("rewards.md", "Rewards", ("rewards",),
     "What an environment pays: `reward=NAME(...)`. Speeds are relative to the reference schedule."),
    ("measuring-options.md", "Measurers, protocols and targets", ("measurers", "protocols", "targets"),
     "How candidates are evaluated (`--measure`), how they are timed (`--protocol`), and for which "
     "machine (`--target`). [Measuring](../design/measuring.md)."),
    ("models.md", "Cost models", ("models",),
     "What predicts how fast a schedule is: `model=NAME(...)` of an agent, or "
     "`--measure \"model(NAME(...))\"` in the machine's place. A file of `tune --save-model` is one, too."),
    ("workloads.md", "Workloads and suites", ("workloads", "suites", "networks", "tasks"),
     "Computations by name: `NAME(key=value, ...)`. Parameters without a default must be given. "
     "Yours: [Your own computation](../guide/own-computation.md)."),
    ("primitives.md", "Schedule primitives", ("primitives",),
     "The transformations of a schedule (also called directives or actions), as they stand in a "
     "[trace](traces.md)."),
)
TITLES = {"agents": "Agents", "refiners": "Refiners (`--refine`)", "schedulers": "Schedulers",
          "spaces": "Spaces", "observations": "Observations", "rewards": "Rewards",
          "measurers": "Measurers", "models": "Cost models", "protocols": "Protocols", "targets": "Targets",
          "workloads": "Workloads", "suites": "Suites", "networks": "Networks", "tasks": "Lists of tasks",
          "primitives": "Primitives"}


def run(*words: str) -> str:
    return subprocess.run([PROGRAM, *words], check=True, capture_output=True, text=True).stdout


def listed(kind: str) -> list[dict[str, Any]]:
    """The items of `list KIND`."""
    return [json.loads(line) for line in run("list", kind, "--json").splitlines()]


def cell(text: str) -> str:
    """A text within a table."""
    return text.replace("|", "\\|").replace("<", "&lt;").replace("\n", " ")


def code(text: str) -> str:
    return f"`{cell(text)}`" if text else ""


def options_table(options: list[dict[str, str]]) -> str:
    """A row for each option. Columns of published defaults and of sources are left out where all are empty."""
    published, source = (any(one[key] for one in options) for key in ("published", "source"))
    form = any(one["form"] for one in options)
    head = ["name", *(["with"] if form else []), "type", "default",
            *(["published"] if published else []), "range", "meaning",
            *(["source"] if source else [])]
    rows = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    for one in options:
        cells = [code(one["key"]), *([code(one["form"])] if form else []), one["type"],
                 code(one["default"]), *([code(one["published"])] if published else []),
                 cell(one["range"]), cell(one["meaning"]), *([cell(one["source"])] if source else [])]
        rows.append("| " + " | ".join(cells) + " |")
    return "\n".join(rows)


def item_text(kind: str, item: dict[str, Any]) -> str:
    """A section of one thing."""
    head = f"### `{item['name']}`\n\n{cell(item['description'])[:1].upper()}{cell(item['description'])[1:]}.\n"
    if item.get("options"):
        return f"{head}\n{options_table(item['options'])}\n"
    if kind == "primitives":
        rows = [part.partition(": ") for part in item["parameters"].split("; ")]
        table = "".join(f"| {code(key)} | {cell(text)} |\n" for key, _, text in rows)
        return f"{head}\n```text\n{item['name']}({', '.join(key + '=...' for key, _, _ in rows)})\n```\n\n" \
               f"| argument | meaning |\n| --- | --- |\n{table}"
    return head + (f"\n```text\n{item['name']}({item['parameters']})\n```\n" if item["parameters"] else "")


def differing(item: dict[str, Any], first: dict[str, Any]) -> str:
    """A line of the defaults that differ from those of the first thing."""
    known = first["parameters"].split(", ")
    other = [part for part in item["parameters"].split(", ") if part not in known]
    return f"\nDefaults of `{item['name']}` that differ: {', '.join(map(code, other))}.\n" if other else ""


def kind_page(title: str, kinds: tuple[str, ...], about: str) -> str:
    text = f"# {title}\n\n{about}\n\nOn a terminal: `./sg list {kinds[0]}`, `./sg list {kinds[0]} NAME`.\n"
    for kind in kinds:
        items = listed(kind)
        if kind in ("protocols", "suites", "tasks"):  # they share their options
            shared = items[0].get("options") or []
            lines = "\n".join(f"- `{one['name']}`: {one['description']}" for one in items)
            text += f"\n## {TITLES[kind]}\n\n{lines}\n"
            text += f"\n{options_table(shared)}\n" if shared else ""
            text += "".join(differing(one, items[0]) for one in items[1:])
            continue
        if len(kinds) > 1:
            text += f"\n## {TITLES[kind]}\n"
        text += "\n" + "\n".join(item_text(kind, item) for item in items)
    return text


def commands() -> list[tuple[str, str]]:
    """Name and one line of each command, as the program's help has them."""
    section = run("--help").split("commands:\n")[1].split("\n\n")[0]
    return [(line.split()[0], line.strip().partition(" ")[2].strip())
            for line in section.splitlines() if line.strip()]


def option_rows(help_text: str, title: str) -> list[tuple[str, str]]:
    """The rows of a section of a command's help: names with their value, and the meaning."""
    found = re.search(rf"^{title}:\n(.*?)(?:\n\n|\Z)", help_text, re.DOTALL | re.MULTILINE)
    rows: list[tuple[str, str]] = []
    for line in (found[1] if found else "").splitlines():
        name, meaning = line[2:30].strip(), line[30:].strip()
        if len(line) > 30 and line[28:30] != "  " and not line[2:30].rstrip().endswith(" "):
            parts = re.split(r"\s{2,}", line.strip(), maxsplit=1)
            name, meaning = (parts[0], parts[1]) if len(parts) == 2 else (line.strip(), "")
        if name:
            rows.append((name, meaning))
        elif rows:
            rows[-1] = (rows[-1][0], (rows[-1][1] + " " + line.strip()).strip())
    return rows


def command_text(name: str, about: str) -> str:
    help_text = run(name, "--help")
    usage = re.search(r"^Usage: (.*)$", help_text, re.MULTILINE)
    text = f"## `{name}`\n\n{about[:1].upper()}{about[1:]}.\n"
    if usage:
        text += f"\n```text\n{usage[1]}\n```\n"
    for title in ("Positionals", "Options"):
        rows = option_rows(help_text, title)
        if rows:
            lines = "".join(f"| {code(key)} | {cell(meaning)} |\n" for key, meaning in rows)
            word = "argument" if title == "Positionals" else "option"
            text += f"\n| {word} | meaning |\n| --- | --- |\n{lines}"
    last = help_text.strip().split("\n\n")[-1]
    if not last.startswith(("Options", "Positionals", "Usage")) and "Usage" not in last:
        text += f"\n{last}\n"
    return text


def commands_page() -> str:
    rows = commands()
    index = "".join(f"| [`{name}`](#{name}) | {cell(about)} |\n" for name, about in rows)
    text = ("# Commands\n\nAll commands of `./sg`, or `schedulegym` of a wheel. `./sg` has "
            "[commands of its own](launcher.md), too: `setup`, `build`, `test`, `docs`, `python`, `bundle`.\n\n| command | what it does |\n| --- | --- |\n"
            + index + "\nExit codes: [Records, files, exit codes](records.md#exit-codes). Output for "
            "programs: [JSON events](events.md).\n")
    return text + "\n" + "\n".join(command_text(name, about) for name, about in rows)


def pages_of() -> list[tuple[str, str, str]]:
    """Title, file name and text of each page."""
    return [("Commands", "commands.md", commands_page()),
            *((title, name, kind_page(title, kinds, about)) for name, title, kinds, about in KINDS)]
