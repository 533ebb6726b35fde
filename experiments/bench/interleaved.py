"""Times two functions by turns and compares them."""
import collections
import math
import statistics
import time

# Medians over the rounds: seconds of one call, and cores kept busy. `samples`: seconds by round.
Side = collections.namedtuple("Side", "seconds samples cpu_per_wall")
Interval = collections.namedtuple("Interval", "median low high")
LEAST_SHARE = 0.9  # of the cores; below it, something else was running


class InterleavedResult(collections.namedtuple("InterleavedResult", "ours theirs ratio")):
    """Both sides, and theirs over ours: above 1 ours is faster."""

    def share(self):
        return min(self.ours.cpu_per_wall, self.theirs.cpu_per_wall)

    def is_short(self, cores):
        return self.share() < LEAST_SHARE * cores


def median_interval(values):
    """The median with its 95 % interval by the sign test; all there is of fewer than six values."""
    ordered, count = sorted(values), len(values)
    below, rank = 0.0, 0
    while rank < count // 2:
        below += math.comb(count, rank) / 2 ** count
        if below > 0.025:
            break
        rank += 1
    rank = max(rank, 1)
    return Interval(statistics.median(ordered), ordered[rank - 1], ordered[count - rank])


def sample(function, seconds, clock=time.perf_counter, cpu=time.process_time):
    """(seconds of a call, CPU seconds per second) over calls for `seconds`, after one that is not
    counted: threads may have gone to sleep."""
    function()
    calls, begin, cpu_begin = 0, clock(), cpu()
    while calls == 0 or clock() < begin + seconds:
        function()
        calls += 1
    wall = clock() - begin
    return wall / calls, (cpu() - cpu_begin) / wall


def run_interleaved(ours, theirs, rounds, seconds, rng, sleep=time.sleep):
    """Each round has one sample of each, in an order drawn anew. The threads of one side wait
    busily for a while after its calls, so each begins after a pause."""
    samples = {"ours": [], "theirs": []}
    functions = {"ours": ours, "theirs": theirs}
    for _ in range(rounds):
        order = list(functions)
        rng.shuffle(order)
        for name in order:
            sleep(seconds)
            samples[name].append(sample(functions[name], seconds))
    sides = [Side(statistics.median(s for s, _ in taken), [s for s, _ in taken],
                  statistics.median(c for _, c in taken)) for taken in samples.values()]
    ratios = [b / a for a, b in zip(sides[0].samples, sides[1].samples)]
    return InterleavedResult(*sides, median_interval(ratios))


def with_cores(hold, cores, attempts=4):
    """What `hold` returns, held again while a side lacked its cores; the best of all attempts."""
    best = hold()
    while best.is_short(cores) and attempts > 1:
        best = max(best, hold(), key=InterleavedResult.share)
        attempts -= 1
    return best
