"""The page docs/design/architecture.md, made from arrows.toml. usage: architecture.py SOURCE_DIR [--write]

Without --write it ends with 1 where the page is stale.
"""
import pathlib
import sys

import rules

HEAD = """\
# Architecture

What each folder holds and what its files may include. `tests/lint/arrows.toml` is the source of this
page and of the test that refuses any other include. `python3 tests/lint/architecture.py . --write`
makes the page anew.

```text
        experiments          bindings           include everything below
              \\                 /
                   assembly                     makes searches from specs
              /        |        \\
         spaces     agents     backends         include env only, never each other
              \\        |        /
                      env                       data types, pure functions, interfaces
```

An entry `env/*` means the folder and all folders below it. A registry lists the parts of its folder:
it may include every folder below its own. Libraries are outside ones with headers that cost seconds;
all other folders are free of them.

| folder | holds | may include |
| --- | --- | --- |
"""


def cell(words):
    return ", ".join(f"`{word.rstrip('/')}`" for word in words)


def holds(row):
    told = [row["holds"]]
    told += [f"{what}: {cell(row[key])}" for what, key in (("registry", "registry"), ("libraries", "outside"))
             if row.get(key)]
    return "<br>".join(told)


def page():
    rows = [f"| `{folder}` | {holds(row)} | {cell(row['includes'])} |" for folder, row in rules.ROOMS.items()]
    return HEAD + "\n".join(row.replace("|  |", "| |") for row in rows) + "\n"


def main(source, write):
    path = pathlib.Path(source) / "docs/design/architecture.md"
    if write:
        path.write_text(page())
    return 0 if path.is_file() and path.read_text() == page() else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], "--write" in sys.argv[2:]))
