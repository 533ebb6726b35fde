"""Prints tables and faults, for the scripts beside it."""
import sys


def fail(message):
    """Ends the script with one line and exit code 2."""
    print(f"error: {message}", file=sys.stderr)
    sys.exit(2)


def table(titles, lines):
    """The lines of a Markdown table: the first column to the left, all others to the right."""
    def line(cells):
        return "| " + " | ".join(cells) + " |"

    return [line(titles), line(["---"] + ["---:"] * (len(titles) - 1)), *map(line, lines)]
