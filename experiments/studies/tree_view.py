"""Trees of a tree search, from the file of mcts(tree=FILE), as a collapsed list in a page."""
from __future__ import annotations

import dataclasses
import json
import pathlib
from typing import Any

from schedulegym._search_progress import seconds_text
from schedulegym.studies.faults import StudyError
from schedulegym.studies.page import escaped

_VERSION = 1
_MOST_BYTES = 256 << 20
_MOST_NODES = 200  # limit of nodes of one tree, the most visited ones


@dataclasses.dataclass(frozen=True)
class Tree:
    """Nodes in order: parents before children."""

    task: str
    values: str  # the meaning of `mean` and `best` of a node
    nodes: list[dict[str, Any]]

    @property
    def visits(self) -> int:
        """Visits of the root."""
        return int(self.nodes[0]["visits"])


def read_trees(path: pathlib.Path) -> list[Tree]:
    """Reads the trees, most visited first. Raises StudyError if the file has none."""
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise ValueError("too large")
        found = json.loads(path.read_text("utf-8"))
        if found["schedulegym_tree"] != _VERSION:
            raise ValueError("another version")
        trees = [Tree(str(one["task"]), str(one["values"]), one["nodes"]) for one in found["trees"]]
        for tree in trees:
            _check(tree)
    except OSError as fault:
        raise StudyError(f"{path}: {fault.strerror}") from None
    except (ValueError, KeyError, TypeError, IndexError, RecursionError):
        raise StudyError(f"{path}: found no search tree, expected a file of mcts(tree=FILE)") from None
    return sorted(trees, key=lambda tree: -tree.visits)


def tree_html(tree: Tree) -> str:
    """Returns collapsed HTML of each decision with visits and values; the path to the best value is open."""
    chosen = sorted(range(len(tree.nodes)), key=lambda place: (-int(tree.nodes[place]["visits"]), place))
    shown = set(chosen[:_MOST_NODES])
    best = _best_way(tree)
    shown |= best
    for place in list(shown):  # with their ancestors
        while place >= 0 and place not in shown:
            shown.add(place)
            place = int(tree.nodes[place]["parent"])
    below: dict[int, list[int]] = {}
    for place in sorted(shown):
        below.setdefault(int(tree.nodes[place]["parent"]), []).append(place)
    text = "".join(_node_html(tree, place, below, best) for place in below.get(-1, []))
    left_out = len(tree.nodes) - len(shown)
    more = f"<p class=note>{left_out} places that were visited less are left out.</p>" if left_out else ""
    return f"<div class=tree>{text}</div>{more}"


def _node_html(tree: Tree, place: int, below: dict[int, list[int]], best: set[int]) -> str:
    """Returns HTML, without recursion: a tree may be as deep as a schedule has decisions."""
    parts: list[str] = []
    rest: list[int | str] = [place]
    while rest:
        one = rest.pop()
        if isinstance(one, str):
            parts.append(one)
            continue
        line = _line(tree.nodes[one], one in best)
        children = below.get(one, [])
        if not children:
            parts.append(f"<div class=leaf>{line}</div>")
            continue
        parts.append(f"<details{' open' if one in best else ''}><summary>{line}</summary>")
        rest.append("</details>")
        rest.extend(reversed(children))
    return "".join(parts)


def _line(node: dict[str, Any], is_best: bool) -> str:
    word = escaped(node["word"] or "start")
    facts = [f"{node['visits']} visits"]
    if node["best"] is not None:
        facts.append(f"best {float(node['best']):.3g}")
    if node["seconds"] is not None:
        facts.append(f"{seconds_text(float(node['seconds']))} measured")
    return f"{f'<b>{word}</b>' if is_best else word} <small>{', '.join(facts)}</small>"


def _best_way(tree: Tree) -> set[int]:
    """Returns the nodes from the root down by the highest best value, until no child has a value."""
    below: dict[int, list[int]] = {}
    for place, node in enumerate(tree.nodes):
        below.setdefault(int(node["parent"]), []).append(place)
    way, place = {0}, 0
    while True:
        valued = [one for one in below.get(place, []) if tree.nodes[one]["best"] is not None]
        if not valued:
            return way
        place = max(valued, key=lambda one: float(tree.nodes[one]["best"]))
        way.add(place)


def _check(tree: Tree) -> None:
    for place, node in enumerate(tree.nodes):
        if place and not 0 <= node["parent"] < place or not place and node["parent"] != -1:
            raise ValueError("a parent that does not come before")
        if not isinstance(node["visits"], int) or not isinstance(node["word"], str):
            raise ValueError("no visits or no word")
        for key in ("best", "seconds"):
            if not isinstance(node[key], (int, float, type(None))):
                raise ValueError("no number")
    if not tree.nodes:
        raise ValueError("no root")
