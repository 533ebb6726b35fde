"""Tells from exported records where on their tracks the schedules of `harl` were met.

    ./sg tune ... --agent harl --store policy.db
    ./sg records export --store policy.db -o policy.jsonl
    python3 experiments/bench/track_notes.py policy=policy.jsonl uniform=uniform.jsonl

Each proposal that a track came by keeps a note, track(step=17,gain=1.2). The first table (ablation F
of HARL's studies) says after how many steps of its track the best schedule of each search was met,
beside all that were measured: one that lies late is owed to the walk, one at step 0 to where the
track began. The second (ablation G) says what the step that led to a measured schedule gained in
the eyes of the model: with the actor's records beside those of `moves=uniform`, what choosing the
step is worth. A search is the records of one file, workload, agent, space and seed; schedules
without such a note, such as neighbours of the best, are counted apart.
"""
import collections
import math
import re

from exported_records import read_each, search_of
from results_table import Parser, fail, table

NOTE = re.compile(r"track\(step=(\d+),gain=([0-9.eE+-]+)\)")
Found = collections.namedtuple("Found", "ratio step gain")  # step and gain None without a note


def found_of(record):
    """Its search and a Found; None of a failure."""
    if record["outcome"] != "ok":
        return None
    note = NOTE.fullmatch(record.get("note", ""))
    place = (int(note[1]), float(note[2])) if note else (None, None)
    return search_of(record), Found(record["timing"]["ratio"], *place)


def read_all(named_files):
    """{label: {search: its Founds}}."""
    labels = {}
    for word in named_files:
        label, equals, path = word.rpartition("=")
        if not equals:
            fail(f"found '{word}', expected LABEL=FILE")
        searches = labels.setdefault(label, collections.defaultdict(list))
        for key, found in read_each(path, found_of):
            searches[key].append(found)
    if not any(one.step is not None for searches in labels.values()
               for founds in searches.values() for one in founds):
        fail("found no record with a note such as track(step=17,gain=1.2)")
    return labels


def place_of(step, width):
    if step is None:
        return "no track"
    first = (step - 1) // width * width + 1
    return "0" if step == 0 else f"{first}-{first + width - 1}"


def place_table(labels, width):
    """By steps of the track: the searches whose best lies there, and the measured schedules."""
    counts = {label: (collections.Counter(), collections.Counter()) for label in labels}
    for label, searches in labels.items():
        for founds in searches.values():
            counts[label][0][place_of(max(founds, key=lambda one: one.ratio).step, width)] += 1
            counts[label][1].update(place_of(one.step, width) for one in founds)
    places = sorted({place for pair in counts.values() for both in pair for place in both},
                    key=lambda place: (place == "no track", int(place.split("-")[0])
                                       if place[0].isdigit() else 0))
    titles = ["steps of the track"]
    for label in labels:
        titles += [f"{label}: bests", f"{label}: measured"]
    return table(titles, [[place, *(str(both[place]) for pair in counts.values() for both in pair)]
                          for place in places])


def quantile(values, share):
    """Of sorted values, the nearest."""
    return values[round(share * (len(values) - 1))]


def gain_table(labels):
    lines = []
    for label, searches in labels.items():
        gains = sorted(one.gain for founds in searches.values() for one in founds
                       if one.step and one.gain > 0)
        if not gains:
            continue
        mean = math.exp(sum(map(math.log, gains)) / len(gains))
        faster = sum(gain > 1 for gain in gains) / len(gains)
        lines.append([label, str(len(gains)), f"{mean:.3f}",
                      *(f"{quantile(gains, share):.3f}" for share in (0.25, 0.5, 0.75)),
                      f"{100 * faster:.0f} %"])
    return table(["what moved", "steps", "geomean gain", "lower quarter", "median", "upper quarter",
                  "faster"], lines)


def main():
    parser = Parser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", metavar="LABEL=FILE", help="exported records")
    parser.add_argument("--width", type=int, default=20, metavar="STEPS",
                        help="steps told together (default 20)")
    options = parser.parse_args()
    if options.width < 1:
        fail(f"--width {options.width}: expected a number of steps of at least 1")
    labels = read_all(options.files)
    print("\n\n".join("\n".join(part)
                      for part in (place_table(labels, options.width), gain_table(labels))))


if __name__ == "__main__":
    main()
