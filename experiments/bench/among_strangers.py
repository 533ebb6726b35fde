"""Times exported kernels alone, beside a process that keeps one core busy, and by turns with NumPy.

Tunes each workload, exports the best, and then in each round calls it alone, beside that process,
and after each product of NumPy, whose library's threads wait busily. Prints a table: the mean and median of a call alone, then, over the mean alone of the same round, the
mean and the median beside the process and the mean by turns. With `--before PROGRAM` the same
schedule is also exported by that program, an earlier build, and called alone by turns with ours: its
time over ours.

A second table has kernels called after a pause in which all threads slept: for each length of it, the
first nine calls in microseconds (medians over the rounds), and the fourth and the ninth over the call
of a long series (`steady`), alone and beside the process that keeps a core busy; and with one thread,
which waits for nobody: what that is slower after a pause is the processor's.

    ./sg python experiments/bench/among_strangers.py --before /elsewhere/build/release/bin/schedulegym
"""
import argparse
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time

from exported_calls import PROGRAM, run
from exported_kernel import ExportedKernel, random_array
from interleaved import median_interval, run_interleaved

# A product of a few hundred microseconds, one of ten, one bound by memory, a convolution.
WORKLOADS = ("matmul(m=384,n=384,k=384)", "matmul(m=128,n=128,k=128)", "norm(b=16,n=1024,m=1024)",
             "conv2d(h=14,w=14,ci=256,co=256,k=3,p=1)")
STRANGERS_SIZE = 384  # of NumPy's product
# Products whose helper thread sleeps when the next call comes: one bound by memory (16 MB, which
# some caches hold), one of about 80 us.
PAUSED_WORKLOADS = ("matmul(m=1,n=4096,k=1024)", "matmul(m=160,n=160,k=160)")
PAUSES = (0.015, 0.1)
CALLS_AFTER_A_PAUSE = 9
SETTLE_SECONDS = 0.1  # seconds until threads sleep that wait busily, or a process has found its core


def shapes(workload):
    """(input shapes by name, output shape) of the workloads above, at any size."""
    name, _, rest = workload.partition("(")
    keys = {key: int(value) for key, value in
            (pair.split("=") for pair in rest.rstrip(")").split(","))}
    if name == "matmul":
        m, n, k = keys["m"], keys["n"], keys["k"]
        return {"A": (m, k), "B": (k, n)}, (m, n)
    if name == "norm":
        return {"X": (keys["b"], keys["n"], keys["m"])}, (keys["b"],)
    if name == "conv2d" and keys["k"] == 2 * keys["p"] + 1:
        h, w, ci, co, k = (keys[key] for key in ("h", "w", "ci", "co", "k"))
        return {"X": (1, h, w, ci), "W": (k, k, ci, co)}, (1, h, w, co)
    sys.exit(f"no shapes of '{workload}' here: expected a matmul, a norm or a padded conv2d")


def call_times(kernel, calls, between=lambda: None):
    times = []
    for _ in range(calls):
        between()
        begin = time.perf_counter()
        kernel()
        times.append(time.perf_counter() - begin)
    return times


class Spinner:
    """A process that keeps one core busy while it is let."""

    def __enter__(self):
        self.process = subprocess.Popen([sys.executable, "-c", "while True: pass"])
        os.kill(self.process.pid, signal.SIGSTOP)
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    def beside(self, function):
        os.kill(self.process.pid, signal.SIGCONT)
        time.sleep(SETTLE_SECONDS)
        result = function()
        os.kill(self.process.pid, signal.SIGSTOP)
        time.sleep(SETTLE_SECONDS)
        return result


def rounds_of(kernel, spinner, options):
    """For each round the times of calls (alone, beside, by turns)."""
    square = random_array((STRANGERS_SIZE, STRANGERS_SIZE))

    def alone():
        call_times(kernel, 3)
        return call_times(kernel, options.calls)

    for _ in range(options.rounds):
        time.sleep(SETTLE_SECONDS)
        yield (alone(), spinner.beside(alone),
               call_times(kernel, options.calls, lambda: square @ square))


def interval_text(interval, digits=2):
    return f"{interval.median:.{digits}f} [{interval.low:.{digits}f}, {interval.high:.{digits}f}]"


def row(workload, kernel, before=None, *, spinner, options):
    rounds = list(rounds_of(kernel, spinner, options))
    means = [[statistics.mean(times) for times in each] for each in rounds]
    medians = [[statistics.median(times) for times in each] for each in rounds]
    cells = [f"{statistics.median(values) * 1e6:.1f}"
             for values in ([m[0] for m in means], [m[0] for m in medians])]
    for ratios in ([m[1] / m[0] for m in means], [b[1] / m[0] for m, b in zip(means, medians)],
                   [m[2] / m[0] for m in means]):
        cells.append(interval_text(median_interval(ratios)))
    if before:
        held = run_interleaved(kernel, before, options.rounds, options.seconds, random.Random(0))
        cells.append(interval_text(held.ratio, 3))
    return "| " + " | ".join([f"`{workload}`", *cells]) + " |"


def calls_after(kernel, pause, rounds):
    """The median over the rounds of each of the first calls after the pause."""
    taken = []
    for _ in range(rounds):
        time.sleep(pause)
        taken.append(call_times(kernel, CALLS_AFTER_A_PAUSE))
    return [statistics.median(times) for times in zip(*taken)]


def pause_text(first, steady):
    """Cells of a row: the calls in microseconds, the fourth and the ninth over a steady one."""
    calls = ", ".join(f"{seconds * 1e6:.0f}" for seconds in first)
    return f"{steady * 1e6:.1f} | {calls} | {first[3] / steady:.2f} | {first[8] / steady:.2f}"


def pause_rows(workload, kernel, lone, spinner, options):
    """A row for each pause, alone and beside, and with one thread."""
    def alone(function):
        return function()

    for where, held, called in (("alone", alone, kernel), ("beside", spinner.beside, kernel),
                                ("one thread", alone, lone)):
        for pause in PAUSES:
            first, usual = held(lambda: (
                calls_after(called, pause, options.pauses),
                statistics.median(call_times(called, options.calls)[CALLS_AFTER_A_PAUSE:])))
            yield (f"| `{workload}` | {where} | {pause * 1e3:g} ms | "
                   f"{pause_text(first, usual)} |")


def exported(workload, program, prefix, place):
    run("export", workload, "-o", prefix, *place, program=program)
    inputs, output = shapes(workload)
    arrays = {name: random_array(shape, seed)
              for seed, (name, shape) in enumerate(inputs.items())}
    return ExportedKernel(prefix, arrays, output)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--target", default="llvm(cores=2)", help="as ./sg takes it")
    parser.add_argument("--trials", type=int, default=64, help="of each search")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--calls", type=int, default=400, help="of each kind in a round")
    parser.add_argument("--pauses", type=int, default=50, help="of each length")
    parser.add_argument("--seconds", type=float, default=0.05, help="of a sample beside --before")
    parser.add_argument("--store", help="its best, without tuning")
    parser.add_argument("--before", metavar="PROGRAM", help="an earlier schedulegym")
    parser.add_argument("--only", action="append", metavar="WORKLOAD", help="instead of all; repeats")
    options = parser.parse_args()
    if min(options.rounds, options.trials, options.pauses) < 1 or options.calls < 20:
        parser.error("--rounds, --trials and --pauses are at least 1, --calls at least 20")

    def kernels_of(workload, number, programs, target=options.target):
        shapes(workload)
        place = ["--store", options.store or f"{folder}/store.db", "--target", target]
        if not options.store:
            run("tune", workload, "--trials", options.trials, *place)
        return [exported(workload, program, f"{folder}/kernel_{side}_{number}", place)
                for side, program in enumerate(programs)]

    print("| workload | mean, us | median, us | beside: mean | beside: median | by turns: mean |"
          + (" before over now |" if options.before else ""))
    print("| --- |" + " ---: |" * (6 if options.before else 5), flush=True)
    with tempfile.TemporaryDirectory() as folder, Spinner() as spinner:
        programs = [PROGRAM, options.before] if options.before else [PROGRAM]
        for number, workload in enumerate(options.only or WORKLOADS):
            sides = kernels_of(workload, number, programs)
            print(row(workload, *sides, spinner=spinner, options=options), flush=True)
        print("\n| workload | where | after | steady, us | calls, us | fourth | ninth |")
        print("| --- | --- | ---: | ---: | --- | ---: | ---: |", flush=True)
        for number, workload in enumerate(options.only or PAUSED_WORKLOADS):
            kernel, = kernels_of(workload, f"paused{number}", [PROGRAM])
            lone, = kernels_of(workload, f"lone{number}", [PROGRAM], "llvm(cores=1)")
            for text in pause_rows(workload, kernel, lone, spinner, options):
                print(text, flush=True)


if __name__ == "__main__":
    main()
