"""Tells from exported records whether what a model predicted faster was faster when measured.

    ./sg tune ... --agent mcts --store mcts.db
    ./sg records export --store mcts.db -o mcts.jsonl
    python3 experiments/bench/predicted_notes.py mcts=mcts.jsonl beam=beam.jsonl

Proposals of agents that search by a model (tree searches, ansor) keep a note, predicted(seconds=1.1e-4), of
what it said when they were made. For each label and workload the table has the rank correlation
(Spearman's; ties share their ranks) of predicted and measured seconds over the ten final schedules of a
search: those that were measured fastest, or with --final last those that were proposed last; the mean over
its searches, the least and the highest, and beside it that over all that was measured. 1: the model puts
them in their order; 0: it says nothing of it. A search is the records of one file, workload, agent, space
and seed; schedules without a note, such as drawn ones before a model, are left out.
"""
import collections
import re
import statistics

from exported_records import read_each, search_of
from results_table import Parser, fail, table

NOTE = re.compile(r"predicted\(seconds=([0-9.eE+-]+)\)")
FINAL = 10  # schedules
LEAST = 3   # of fewer a correlation says nothing
Found = collections.namedtuple("Found", "when predicted measured")


def found_of(record):
    """Its search and a Found; None of a failure and of what has no such note."""
    note = NOTE.fullmatch(record.get("note", ""))
    if record["outcome"] != "ok" or not note:
        return None
    when = (record["started"], record["index"])
    return search_of(record), Found(when, float(note[1]), record["timing"]["seconds"])


def read_all(named_files):
    """{(label, workload): {search: its Founds}}."""
    found = collections.defaultdict(lambda: collections.defaultdict(list))
    for word in named_files:
        label, equals, path = word.rpartition("=")
        if not equals:
            fail(f"found '{word}', expected LABEL=FILE")
        for key, one in read_each(path, found_of):
            found[label, key[0]][key].append(one)
    if not found:
        fail("found no record with a note such as predicted(seconds=1.1e-4)")
    return found


def ranks(values):
    """Of each value its place among all, from 1; equal ones share the mean of their places."""
    order = sorted(values)
    places = {value: order.index(value) + (order.count(value) + 1) / 2 for value in set(order)}
    return [places[value] for value in values]


def rank_correlation(pairs):
    """Spearman's; None of too few, or where one side is all alike."""
    if len(pairs) < LEAST:
        return None
    try:
        return statistics.correlation(*(ranks(side) for side in zip(*pairs)))
    except statistics.StatisticsError:
        return None


def final_of(founds, which):
    if which == "last":
        return sorted(founds, key=lambda one: one.when)[-FINAL:]
    return sorted(founds, key=lambda one: one.measured)[:FINAL]


def correlations(searches, part):
    """Of each search that has one."""
    found = [rank_correlation([(one.predicted, one.measured) for one in part(founds)])
             for founds in searches.values()]
    return [one for one in found if one is not None]


def cell(values, with_range=False):
    if not values:
        return "-"
    text = f"{sum(values) / len(values):.2f}"
    return f"{text} [{min(values):.2f}, {max(values):.2f}]" if with_range else text


def main():
    parser = Parser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", metavar="LABEL=FILE")
    parser.add_argument("--final", choices=["fastest", "last"], default="fastest",
                        help="which ten schedules of a search are its final ones (default fastest)")
    options = parser.parse_args()
    lines = [[label, f"`{workload}`", str(len(searches)),
              str(sum(map(len, searches.values()))),
              cell(correlations(searches, lambda founds: final_of(founds, options.final)), True),
              cell(correlations(searches, lambda founds: founds))]
             for (label, workload), searches in read_all(options.files).items()]
    print("\n".join(table(["search", "workload", "searches", "measured", f"its {FINAL} {options.final}",
                           "all"], lines)))


if __name__ == "__main__":
    main()
