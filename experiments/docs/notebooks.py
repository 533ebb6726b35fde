"""Notebooks as pages: Markdown cells as they are, code cells as blocks."""
from __future__ import annotations

import json
import pathlib


def page_of(path: pathlib.Path) -> str:
    """The page of a notebook, with a line that names its file."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    parts = []
    for cell in cells:
        text = "".join(cell["source"])
        parts.append(text if cell["cell_type"] == "markdown" else f"```python\n{text}\n```")
    title, _, rest = "\n\n".join(parts).partition("\n")
    return f"{title}\n\nThis page is the notebook `docs/tutorials/{path.name}`. Run it in Jupyter or VS Code.\n{rest}\n"
