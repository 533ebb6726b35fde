"""Writes the tables of results from what `bench --json` printed.

    ./sg bench "ansor_ops(batch=1)" --trials 0 --store ops.db --json > ops.jsonl
    python3 experiments/bench/results_table.py "ansor_ops, batch 1=ops.jsonl" --page docs/benchmarks.md

Each TITLE=FILE becomes a table by operator and, folded, one of all rows, headed by date, machine,
its grade, the libraries' versions where the rows tell them, and the command. Without --page they go to
stdout; with it they replace what stands between the lines `<!-- results -->` and
`<!-- end of results -->` there.
"""
import argparse
import datetime
import json
import pathlib
import re
import sys

BEGIN, END = "<!-- results -->", "<!-- end of results -->"
LEGEND = """Ratios are the best peer's seconds over ours, with 95 % intervals: above 1 ours is
faster. A star marks a row for which the machine did not give all cores, a dagger one whose search
was cut short by its seconds."""


def fail(message):
    print(f"error: {message}", file=sys.stderr)
    sys.exit(2)


def read_events(path):
    """(rows, the summary); other events are left out."""
    try:
        lines = pathlib.Path(path).read_text().splitlines()
    except OSError as error:
        fail(f"{path}: {error.strerror}")
    rows, summary = [], None
    for number, line in enumerate(lines, 1):
        try:
            event = json.loads(line)
            kind = event["event"]
        except (ValueError, TypeError, KeyError):
            fail(f"{path}:{number}: found no event of `bench --json`")
        if kind == "row":
            rows.append(event)
        elif kind == "summary":
            summary = event
    if not rows or summary is None:
        fail(f"{path}: found {len(rows)} rows and {'a' if summary else 'no'} summary, expected "
             "what a whole run of `bench --json` prints")
    return rows, summary


def number(value, digits):
    return "-" if value is None else f"{value:.{digits}f}"


def table(titles, lines):
    """Texts to the left, which come first; numbers to the right."""
    def line(cells):
        return "| " + " | ".join(cells) + " |"

    return [line(titles), line(["---"] + ["---:"] * (len(titles) - 1)), *map(line, lines)]


def ratio_cell(row, name, peer):
    if row[name] is None:
        return "no peer" if not row["peers"] else "-"
    return (f"{row[name]:.3f} [{row[f'{name}_low']:.3f}, {row[f'{name}_high']:.3f}] "
            f"{row[peer] or ''}").rstrip()


def row_cells(row):
    marks = " *" if row["short_of_cores"] else ""
    if row.get("stopped") in ("seconds", "interrupted"):
        marks += " †"
    seconds = None if row["seconds"] is None else row["seconds"] * 1e6
    peak = None if row["peak_fraction"] is None else 100 * row["peak_fraction"]
    return [f"`{row['workload']}`{marks}", number(seconds, 1), number(row["gflops"], 1),
            number(peak, 0) + (" %" if peak is not None else ""),
            ratio_cell(row, "ratio", "best_peer"),
            ratio_cell(row, "ratio_plain", "best_plain_peer"), str(row["trials"] or "-"),
            number(row["trials_per_second"], 1)]


def group_cells(name, group):
    worst = group["worst"]
    return [name, str(group["rows"]), number(group["geomean_ratio"], 3),
            number(group["geomean_ratio_plain"], 3),
            f"{worst['ratio']:.3f} `{worst['workload']}`" if worst else "-"]


def libraries(rows):
    """Those that any row stood beside, with their versions; empty where no row tells them."""
    known = sorted({(name, version) for row in rows
                    for name, version in (row.get("peer_versions") or {}).items()})
    return ["beside " + " and ".join(f"{name} {version}" for name, version in known)] if known else []


def quick_mark(command, rows):
    """How the test of the pages runs the command: its smallest case alone, one trial."""
    long = re.search(r"(--most-gflop \S+ )?--trials [1-9]\d*", command)
    work = [row["gflops"] * row["seconds"] for row in rows if row["gflops"] and row["seconds"]]
    if not long or not work:
        return "<!-- docs test: not run, it takes as long as the rows tell -->"
    return (f"<!-- docs test: `--processes 1 --most-gflop {1.01 * min(work):.3g} --trials 1` for `{long[0]}` -->")


def occasion(rows, summary):
    """One line: when, on what and beside what."""
    date = datetime.datetime.fromtimestamp(summary["started"], datetime.timezone.utc).date()
    cores = sorted({row["cores"] for row in rows})
    grades = sorted({row["grade"] for row in rows if row["grade"]})
    text = [str(date), summary["machine"],
            f"{' or '.join(map(str, cores))} core{'' if cores == [1] else 's'}",
            f"machine grade {' to '.join(grades[:1] + grades[1:][-1:]) or 'unknown'}"]
    if summary["trials_per_second"] is not None:
        text.append(f"{summary['trials_per_second']:.1f} trials a second in the median")
    text += libraries(rows)
    return ", ".join(text) + ":"


def section(title, rows, summary):
    groups = [group_cells(name, group) for name, group in summary["groups"].items()]
    command = re.sub("^schedulegym", "./sg", summary["command"])
    lines = [f"### {title}", "", occasion(rows, summary), "", quick_mark(command, rows), "```sh",
             command, "```", ""]
    lines += table(["operator", "rows", "best layout", "plain layout", "worst row, best layout"],
                   [*groups, group_cells("all", summary)])
    lines += ["", f"<details><summary>{len(rows)} rows</summary>", ""]
    lines += table(["workload", "us", "GFLOP/s", "of peak", "best layout", "plain layout",
                    "trials", "trials/s"], map(row_cells, rows))
    lines += ["", "</details>"]
    if summary["left_out"]:
        names = ", ".join(f"`{name}`" for name in summary["left_out"])
        lines += ["", f"Left out: {names}."]
    failures = [f"`{row['workload']}` failed: {row['failure']}" for row in rows if row["failure"]]
    return lines + ([""] + failures if failures else [])


def results(named_files):
    lines = LEGEND.splitlines()
    for word in named_files:
        title, equals, path = word.rpartition("=")
        if not equals:
            fail(f"found '{word}', expected TITLE=FILE")
        lines += ["", *section(title, *read_events(path))]
    return "\n".join(lines)


def replaced(text, body, path):
    begin, end = text.find(BEGIN), text.find(END)
    if begin < 0 or end < begin:
        fail(f"{path}: found no lines {BEGIN} and {END}")
    return f"{text[:begin]}{BEGIN}\n{body}\n{text[end:]}"


class Parser(argparse.ArgumentParser):
    def error(self, message):
        fail(message)


def main():
    parser = Parser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", metavar="TITLE=FILE",
                        help="what `bench --json` printed")
    parser.add_argument("--page", type=pathlib.Path, metavar="FILE",
                        help="where the tables stand between two marks (default: stdout)")
    options = parser.parse_args()
    body = results(options.files)
    if options.page is None:
        print(body)
    else:
        options.page.write_text(replaced(options.page.read_text(), body, options.page))


if __name__ == "__main__":
    main()
