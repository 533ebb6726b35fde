"""Makes docs/results from experiments/results: a page and a picture for each study, and "What we know".

    python -m schedulegym.studies.pages [--check]

It reads results.json and results.csv (compressed), source.toml and, if present, notes.md of each study.
`pages.toml` has titles, questions and findings. Each ratio on a page is computed from the kept files, also
within notes: `{ARM over ARM after TRIALS}` becomes the ratio with its interval. With --check it writes
nothing: exit code 1 and a line for each file that is not up to date.
"""
from __future__ import annotations

import argparse
import pathlib
import sys
from collections.abc import Sequence

from schedulegym.studies import findings, offline_page, scheduler_pages, study_page
from schedulegym.studies.faults import StudyError
from schedulegym.studies.kept import Kept, kept_names, read_kept, read_pages
from schedulegym.studies.packed import read_text
from schedulegym.studies.ratio_picture import picture_of

_ROOT = pathlib.Path(__file__).resolve().parents[2]
_MADE = "schedulegym.studies.pages"  # in the first line of each generated page
RESULTS, PAGES = _ROOT / "experiments" / "results", _ROOT / "docs" / "results"


def read_all(results: pathlib.Path = RESULTS) -> list[Kept]:
    """Reads every kept study.

    Raises:
        StudyError: pages.toml names a study that is not kept, or lacks one that is.
    """
    told = read_pages(results)["studies"]
    names = kept_names(results)
    for name in sorted({*told} ^ {*names}):
        raise StudyError(f"{name}: found it in " + (
            "pages.toml alone, expected its results, too" if name in told else
            "experiments/results alone, expected it in pages.toml, too"))
    return [read_kept(results, name, told[name]) for name in names]


def files_of(results: pathlib.Path = RESULTS) -> dict[str, str]:
    """Returns the text of each file below docs/results, by its path there."""
    told = read_pages(results)
    studies = {kept.name: kept for kept in read_all(results)}
    files: dict[str, str] = {}
    for kept in studies.values():
        found = findings.of_study(told, kept.name, studies)
        files[f"{kept.name}.md"] = study_page.page_of(kept, found, studies)
        files[f"{kept.name}.svg"] = picture_of(kept)
    for name, page in told.get("schedulers", {}).items():
        files[f"{name}.md"] = scheduler_pages.page_of(results, name, page)
    for name, page in told.get("reports", {}).items():
        files[f"{name}.md"] = scheduler_pages.report_page(results, name, page)
    for name, page in told.get("offline", {}).items():
        files[f"{name}.md"] = offline_page.page_of(results, name, page, studies)
    for name, family in told.get("families", {}).items():
        files[f"{name}.md"] = findings.family_page(results, name, family, told, studies)
    files["README.md"] = findings.first_page(results, told, studies, _written_by_hand({*files}))
    return files


def _written_by_hand(made: set[str]) -> dict[str, str]:
    """Returns the titles of the pages of docs/results that are not generated."""
    found = {}
    for path in sorted(PAGES.rglob("*.md")):
        name, text = path.relative_to(PAGES).as_posix(), read_text(path)
        if name not in made and name != "README.md" and _MADE not in text.partition("\n\n")[0]:
            titles = [line[2:] for line in text.splitlines() if line.startswith("# ")]
            found[name.removesuffix(".md")] = titles[0] if titles else name
    return found


def main(words: Sequence[str] | None = None) -> int:
    """Returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m schedulegym.studies.pages",
                                     description="makes docs/results from experiments/results")
    parser.add_argument("--check", action="store_true",
                        help="write nothing; exit code 1 where a page is not up to date")
    given = parser.parse_args(words)
    try:
        files = files_of()
    except (StudyError, OSError) as fault:
        print(f"error: {fault}", file=sys.stderr)
        return 2
    old = [name for name, text in files.items() if _differs(PAGES / name, text)]
    for name in old:
        if given.check:
            print(f"docs/results/{name}: not up to date (to make it again: ./sg python -m "
                  "schedulegym.studies.pages)", file=sys.stderr)
        else:
            (PAGES / name).parent.mkdir(parents=True, exist_ok=True)
            (PAGES / name).write_text(files[name])
            print(f"docs/results/{name}")
    return 1 if given.check and old else 0


def _differs(path: pathlib.Path, text: str) -> bool:
    return not path.exists() or read_text(path) != text


if __name__ == "__main__":
    sys.exit(main())
