"""Tells from exported records how fast searches found what they found.

    ./sg records export --store ops.db -o ops.jsonl
    python3 experiments/bench/search_curves.py "our space=ops.jsonl" "Ansor's=ansor.jsonl"

A search is the records of one file, workload, agent, space and seed, in the order of their trials,
those of a search that went on in a later sitting behind the earlier ones. Speeds are ratios to the task's reference schedule, timed in the same process, so that searches compare
across runs; the best of many is lucky, too, and the more the luckier. A trial that failed counts
as a trial. With --equal AGENT[:FIRST] a table tells how many trials the others needed for what
that agent's search of the same workload (the first FIRST trials of it) had found: until the middle
of an interval reached the middle of the best one's and, in brackets, from where intervals met
first to where they last did not. With --against SPACE another tells how the best that was found
elsewhere compares with the best that the same agent found there, with the quotients of the ends of
both intervals, and the geometric mean for each operator.
"""
import collections
import math

from exported_records import read_each, search_of
from results_table import Parser, fail, table

Trial = collections.namedtuple("Trial", "ratio low high")
FAILED = Trial(0.0, 0.0, 0.0)


def trial_of(record):
    """Its search, start, (index, candidate) and Trial."""
    timing, trial = record["timing"], FAILED
    if record["outcome"] == "ok":
        trial = Trial(timing["ratio"], timing["ratio_low"], timing["ratio_high"])
    return search_of(record), record["started"], (record["index"], record["state_key"]), trial


def read_searches(named_files):
    """{(label, workload, agent, space, seed): its Trials}; a candidate measured again keeps its place."""
    found = collections.defaultdict(list)
    for word in named_files:
        label, equals, path = word.rpartition("=")
        if not equals:
            fail(f"found '{word}', expected LABEL=FILE")
        for key, *rest in read_each(path, trial_of):
            found[(label, *key)].append(rest)
    if not found:
        fail("found no records")
    return {key: in_order(records) for key, records in found.items()}


def in_order(records):
    """Trials, at the place of its first measurement each, with what the last one says. Each sitting
    counts them from 0."""
    trials = {}
    for start, (index, candidate), trial in sorted(records, key=lambda one: (one[0], one[1][0])):
        trials[(index, candidate)] = trial
    return list(trials.values())


def best_of(trials):
    return max(trials, key=lambda trial: trial.ratio)


def geomean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def share(trials, count):
    """The best of the first `count` as a share of the best of all; none where there are fewer."""
    best = best_of(trials).ratio
    return best_of(trials[:count]).ratio / best if len(trials) >= count and best > 0 else None


def text_of(value):
    return "-" if value is None else f"{value:.3f}"


def curve_table(searches, counts):
    lines, shares = [], collections.defaultdict(list)
    for (label, workload, agent, space, seed), trials in searches.items():
        cells = [share(trials, count) for count in counts]
        for count, value in zip(counts, cells):
            if value:
                shares[count].append(value)
        lines.append([label, f"`{workload}`", agent, space, str(seed), str(len(trials)),
                      f"{best_of(trials).ratio:.3f}", *map(text_of, cells)])
    means = [text_of(geomean(shares[count]) if shares[count] else None) for count in counts]
    lines.append(["geomean", *[""] * 6, *means])
    return table(["search", "workload", "agent", "space", "seed", "trials", "best",
                  *(f"of {count}" for count in counts)], lines)


def spread_table(searches):
    """Of searches that differ in nothing but the seed; empty without any."""
    groups = collections.defaultdict(list)
    for (label, workload, agent, space, _), trials in searches.items():
        groups[(label, workload, agent, space)].append(best_of(trials).ratio)
    lines = [[label, f"`{workload}`", agent, space, str(len(bests)), f"{min(bests):.3f}",
              f"{sorted(bests)[len(bests) // 2]:.3f}", f"{max(bests):.3f}",
              f"{100 * (max(bests) / min(bests) - 1):.1f} %"]
             for (label, workload, agent, space), bests in groups.items()
             if len(bests) > 1 and min(bests) > 0]
    return table(["search", "workload", "agent", "space", "seeds", "worst", "median", "best", "apart"],
                 lines) if lines else []


def first_where(trials, holds):
    return next((number for number, trial in enumerate(trials, 1) if holds(trial)), None)


def equal_table(searches, wanted):
    agent, colon, first = wanted.partition(":")
    if colon and not first.isdigit():
        fail(f"--equal {wanted}: expected AGENT or AGENT:FIRST, a number of trials")
    goals = {}
    for (_, workload, name, *_), trials in searches.items():
        if name != agent:
            continue
        best = best_of(trials[:int(first)] if colon else trials)
        if workload not in goals or best.ratio > goals[workload].ratio:
            goals[workload] = best
    if not goals:
        names = sorted({key[2] for key in searches})
        fail(f"--equal {wanted}: found no records of it, only of {', '.join(names)}")
    lines = []
    for (label, workload, name, space, seed), trials in searches.items():
        if name == agent or workload not in goals:
            continue
        goal = goals[workload]
        found = [first_where(trials, lambda trial: trial.high >= goal.low),
                 first_where(trials, lambda trial: trial.ratio >= goal.ratio),
                 first_where(trials, lambda trial: trial.low >= goal.high)]
        soonest, middle, latest = ["never" if value is None else str(value) for value in found]
        lines.append([label, f"`{workload}`", name, space, str(seed), str(len(trials)),
                      f"{best_of(trials).ratio / goal.ratio:.3f}",
                      f"{middle} [{soonest}, {latest}]"])
    return table(["search", "workload", "agent", "space", "seed", "trials", f"best over that of {wanted}",
                  "trials to equal it"], lines)


def against_table(searches, wanted):
    bases = {}
    for (_, workload, agent, space, _), trials in searches.items():
        best = best_of(trials)
        if space == wanted and best.ratio > bases.get((workload, agent), FAILED).ratio:
            bases[(workload, agent)] = best
    if not bases:
        spaces = sorted({key[3] for key in searches})
        fail(f"--against {wanted}: found no records of it, only of {', '.join(spaces)}")
    lines, families = [], collections.defaultdict(list)
    for (label, workload, agent, space, seed), trials in searches.items():
        if space == wanted or (workload, agent) not in bases:
            continue
        best, base = best_of(trials), bases[(workload, agent)]
        quotient = best.ratio / base.ratio
        if quotient > 0:
            families[workload.partition("(")[0]].append(quotient)
        lines.append([label, f"`{workload}`", agent, space, str(seed), str(len(trials)),
                      f"{quotient:.3f} [{best.low / base.high:.3f}, {best.high / base.low:.3f}]"])
    if len(families) > 1:
        families["all"] = [quotient for family in families.values() for quotient in family]
    for family, quotients in families.items():
        lines.append(["geomean", family, *[""] * 4, f"{geomean(quotients):.3f}"])
    return table(["search", "workload", "agent", "space", "seed", "trials", f"best over that in {wanted}"],
                 lines)


def counts_of(text):
    counts = text.split(",")
    if not all(count.isdigit() and int(count) > 0 for count in counts):
        fail(f"--at {text}: expected numbers of trials with commas")
    return [int(count) for count in counts]


def main():
    parser = Parser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", metavar="LABEL=FILE", help="exported records")
    parser.add_argument("--at", default="64,100,300", metavar="COUNTS",
                        help="numbers of trials (default 64,100,300)")
    parser.add_argument("--equal", metavar="AGENT[:FIRST]", help="whose best others are to equal")
    parser.add_argument("--against", metavar="SPACE", help="with whose best the same agent's compare")
    options = parser.parse_args()
    counts = counts_of(options.at)
    searches = read_searches(options.files)
    parts = [curve_table(searches, counts), spread_table(searches)]
    if options.equal:
        parts.append(equal_table(searches, options.equal))
    if options.against:
        parts.append(against_table(searches, options.against))
    print("\n\n".join("\n".join(part) for part in parts if part))


if __name__ == "__main__":
    main()
