"""The Python API as a page, from the package's sources and stubs."""
from __future__ import annotations

import ast
import inspect
import pathlib
import re

PAGE = "python.md"
SECTION = re.compile(r"^(Args|Arguments|Returns|Raises|Yields|Shape|Shapes|Attributes|Example|Examples|Note):$",
                     re.MULTILINE)


def doc_text(doc: str | None) -> str:
    """A docstring in Google style as Markdown."""
    if not doc:
        return ""
    lines, section = [], ""
    for line in inspect.cleandoc(doc).splitlines():
        if SECTION.match(line):
            section = line.rstrip(":")
            lines += ["", f"**{section}**", ""]
        elif section in ("Args", "Arguments", "Attributes", "Raises") and \
                (found := re.match(r"    (\*{0,2}\w[\w.]*)(?: \(([^)]*)\))?: (.*)", line)):
            kind = f" ({found[2]})" if found[2] else ""
            lines.append(f"- `{found[1]}`{kind}: {found[3]}")
        else:
            lines.append(line.strip() if section and not section.startswith("Example") else line)
    return "\n".join(lines).strip() + "\n"


def signature(node: ast.FunctionDef, owner: str = "") -> str:
    arguments = ast.unparse(node.args)
    arguments = re.sub(r"^self(, )?", "", arguments)
    result = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return f"{owner}{node.name}({arguments}){result}"


def is_property(node: ast.FunctionDef) -> bool:
    return any(ast.unparse(one).endswith("property") for one in node.decorator_list)


def class_text(node: ast.ClassDef) -> str:
    bases = ", ".join(ast.unparse(base) for base in node.bases)
    text = f"### `{node.name}`\n\n" + (f"Bases: `{bases}`\n\n" if bases else "")
    text += doc_text(ast.get_docstring(node))
    rows = []
    for one in node.body:
        if not isinstance(one, ast.FunctionDef) or (one.name.startswith("_") and one.name != "__init__"
                                                    and one.name != "__call__"):
            continue
        if any("setter" in ast.unparse(mark) for mark in one.decorator_list):
            continue
        doc = doc_text(ast.get_docstring(one))
        if is_property(one):
            kind = f": {ast.unparse(one.returns)}" if one.returns else ""
            rows.append(f"\n`{one.name}{kind}`\n\n{doc}")
        else:
            name = signature(one).replace("__init__", node.name, 1)
            rows.append(f"\n```python\n{name}\n```\n\n{doc}")
    return text + "\n".join(rows)


def definitions(path: pathlib.Path) -> dict[str, ast.AST]:
    """Public classes and functions of a source, by name."""
    found: dict[str, ast.AST] = {}
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)) and not node.name.startswith("_"):
            found.setdefault(node.name, node)
    return found


def public_names(package: pathlib.Path) -> list[str]:
    tree = ast.parse((package / "__init__.py").read_text(encoding="utf-8"))
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return [ast.literal_eval(one) for one in node.value.elts]  # type: ignore[attr-defined]
    return sorted({alias.asname or alias.name for node in tree.body
                   if isinstance(node, ast.ImportFrom) for alias in node.names
                   if not alias.name.startswith("_")})


def modules_of(package: pathlib.Path) -> list[tuple[str, str, list[ast.AST]]]:
    """Modules beside the package's own names: their names, what they are for, their definitions."""
    data = {name: node for source in sorted(package.glob("data/[a-z]*.py"))
            for name, node in definitions(source).items()}
    return [
        ("data", "Measured programs to learn from.",
         [data[name] for name in public_names(package / "data") if name in data]),
        ("sb3", "Stable-Baselines3: needs the extra `train`.",
         list(definitions(package / "sb3.py").values())),
        ("wrappers", "Wrappers of observations and masks.",
         list(definitions(package / "wrappers.py").values()))]


def page_of(root: pathlib.Path) -> tuple[str, str, str]:
    """Title, file name and text."""
    package = root / "bindings/schedulegym"
    known: dict[str, ast.AST] = {}
    for source in (*sorted(package.glob("*.py")), package / "_schedulegym.pyi"):
        for name, node in definitions(source).items():
            known.setdefault(name, node)
    names = [name for name in public_names(package) if name in known]
    functions = [known[name] for name in names if isinstance(known[name], ast.FunctionDef)]
    classes = [known[name] for name in names if isinstance(known[name], ast.ClassDef)]
    text = ("# Python API\n\nThe package `schedulegym`. Importing it registers the Gymnasium environments. "
            "The package is typed (`py.typed`).\n\n## Functions\n")
    for node in functions:
        assert isinstance(node, ast.FunctionDef)
        text += f"\n### `{node.name}`\n\n```python\n{signature(node)}\n```\n\n{doc_text(ast.get_docstring(node))}"
    text += "\n## Classes\n"
    for one in classes:
        assert isinstance(one, ast.ClassDef)
        text += "\n" + class_text(one) + "\n"
    for module, about, nodes in modules_of(package):
        text += f"\n## schedulegym.{module}\n\n{about}\n"
        for node in nodes:
            if isinstance(node, ast.ClassDef):
                text += "\n" + class_text(node) + "\n"
            elif isinstance(node, ast.FunctionDef):
                text += (f"\n### `{node.name}`\n\n```python\n{signature(node)}\n```\n\n"
                         f"{doc_text(ast.get_docstring(node))}")
    return "Python API", PAGE, text
