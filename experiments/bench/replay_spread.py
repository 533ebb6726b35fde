"""Replays records of a store again and again, and prints how far apart the times are.

Takes records of successes, spread evenly over the store's (or the best of each task with `--best`),
lets `replay` measure each in rounds, all of them once a round, so that a drifting machine is seen
in each row alike, and prints for each the median time, the largest deviation from it, and that of its ratio to the
reference, which a machine that is slower for a while moves less. What is over the bar, 3 % or for
kernels under 20 us 5 %, is marked with its round; the reference's time in that round beside its own
median tells whether the machine was slow, or the kernel alone.

    ./sg tune "matmul(m=512,n=512,k=512)" --store spread.db
    ./sg python experiments/bench/replay_spread.py spread.db --records 20 --rounds 5
"""
import argparse
import collections
import json
import pathlib
import re
import statistics
import sys
import tempfile

from exported_calls import run

BAR, SMALL_BAR, SMALL_SECONDS = 0.03, 0.05, 20e-6
Item = collections.namedtuple("Item", "workload target record path")  # path: of its .dag file
Replayed = collections.namedtuple("Replayed", "seconds reference")


def bar_of(seconds):
    return SMALL_BAR if seconds < SMALL_SECONDS else BAR


def evenly(items, count):
    """`count` of them, the first and the last among them."""
    if count >= len(items):
        return list(items)
    if count == 1:
        return [items[0]]
    return [items[round(i * (len(items) - 1) / (count - 1))] for i in range(count)]


def deviations(values):
    """Of each from their median, over it."""
    middle = statistics.median(values)
    return [value / middle - 1 for value in values]


def cores_of(target):
    found = re.search(r"\bcores=(\d+)", target)
    return int(found[1]) if found else None


def successes(store, cores, best, folder):
    """Items of the store's successes, or of the best of each task; their .dag files in `folder`."""
    exported = pathlib.Path(folder, "records.jsonl")
    run("records", "best" if best else "export", "-o", exported, "--store", store)
    lines = [json.loads(line) for line in exported.read_text().splitlines()]
    items = []
    for line in lines:
        if line.get("outcome") != "ok":
            continue
        task = line["task"]
        if cores not in (None, cores_of(task["target"])):
            continue
        path = pathlib.Path(folder, f"{task['key']}.dag")
        path.write_text(task["dag"])
        items.append(Item(task["workload"], task["target"], line["record"], path))
    return items


def replay(store, item):
    """None where nothing succeeded."""
    words = ("--target", item.target, "--record", item.record, "--store", store)
    best = run("replay", item.path, *words, codes=(0, 1))[-1]["best"]
    return Replayed(best["seconds"], best["seconds"] * best["ratio"]) if best else None


def largest(values):
    """(which deviates most from their median, by how much of it)"""
    spread = deviations(values)
    worst = max(range(len(spread)), key=lambda i: abs(spread[i]))
    return worst, spread[worst]


def row(item, replays):
    """(text of the row, whether its times lie within the bar, whether its ratios do)"""
    whole = [each for each in replays if each is not None]
    workload = pathlib.PurePath(item.workload).name if "/" in item.workload else item.workload
    name = f"`{workload}` | {cores_of(item.target) or '-'} | {item.record[:8]}"
    if len(whole) < len(replays):
        failed = f"failed in {len(replays) - len(whole)} of {len(replays)}"
        return f"| {name} | - | - | - | {failed} |", False, False
    middle = statistics.median(each.seconds for each in whole)
    worst, spread = largest([each.seconds for each in whole])
    beside = deviations([each.reference for each in whole])[worst]
    _, of_ratio = largest([each.reference / each.seconds for each in whole])
    is_within, is_ratio_within = (abs(each) <= bar_of(middle) for each in (spread, of_ratio))
    note = "" if is_within else f"round {worst + 1}, its reference {beside:+.1%}"
    return (f"| {name} | {middle * 1e6:.1f} | {spread:+.1%} | {of_ratio:+.1%} | {note} |", is_within,
            is_ratio_within)


def rounds_of(store, items, rounds):
    """For each item what its replays came to."""
    replays = [[] for _ in items]
    for number in range(rounds):
        print(f"round {number + 1} of {rounds}", file=sys.stderr)
        for item, taken in zip(items, replays):
            taken.append(replay(store, item))
    return replays


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("store", help="a record store, such as schedulegym.db")
    parser.add_argument("--records", type=int, default=20, help="how many of its successes")
    parser.add_argument("--rounds", type=int, default=5, help="each record once a round")
    parser.add_argument("--cores", type=int, help="of targets of as many cores alone")
    parser.add_argument("--best", action="store_true", help="the best of each task alone")
    options = parser.parse_args()
    if options.records < 1 or options.rounds < 2:
        parser.error("--records is at least 1, --rounds at least 2")
    if not pathlib.Path(options.store).is_file():
        parser.error(f"found no store '{options.store}'")

    with tempfile.TemporaryDirectory() as folder:
        found = successes(options.store, options.cores, options.best, folder)
        if not found:
            parser.error(f"found no success in '{options.store}'")
        items = evenly(found, options.records)
        replays = rounds_of(options.store, items, options.rounds)
    print("| workload | cores | record | median us | largest deviation | of the ratio | over the bar |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    rows = [row(item, taken) for item, taken in zip(items, replays)]
    for text, *_ in rows:
        print(text)
    times, ratios = (sum(flags) for flags in list(zip(*rows))[1:])
    print(f"within {BAR:.0%}, or {SMALL_BAR:.0%} under {SMALL_SECONDS * 1e6:.0f} us: {times} of "
          f"{len(rows)} by their times, {ratios} by their ratios")


if __name__ == "__main__":
    main()
