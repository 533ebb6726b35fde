"""Records how searches of the networks' tasks go, turn by turn, for `simulate` and NetworkTable.

    ./sg python experiments/bench/record_curves.py -o host.curves.gz
    ./sg python experiments/bench/record_curves.py -o model.curves.gz --measure analytical

Each task of the networks, equal ones once, is searched alone with each seed, the networks' tasks in
turns. A search that is over leaves a file in the folder of parts; whatever ends this program, the
same command goes on after the last of them, but for parts of another version of ScheduleGym, which
are left alone. When all are there they are written in order into one compressed file, which
`simulate --curves` reads. Which half a task belongs to, development or held out, follows from its
name alone (`simulate --half`).

`--most-gflop G` leaves out what takes longest: a candidate of 11 billion operations is timed and
checked in about four seconds.

`--seconds S` begins no search after so many and writes what there is. Such a file need not be lost
with the machine: `--known FILE.gz` takes over its curves, of searches by the same agent, measured
alike, so that this goes on elsewhere.

With `--measure analytical` nothing runs: speeds are the model's, each curve says so, and what its
trials would have taken is made up by a rule, so that the file is the same on any machine: a turn's
thinking takes half a second, and each trial a tenth of a second and thirty calls of the best so
far, or of the reference. The agent there is one that does not see the estimate.
"""
import argparse
import gzip
import hashlib
import json
import pathlib
import subprocess
import sys
import time
import zlib

import schedulegym
from kept_parts import PROGRAM, KeptParts, version

NETWORKS = ["resnet18", "resnet50", "mobilenet_v2", "vgg16", "squeezenet", "bert_base",
            "gpt2_block", "dcgan", "resnet3d18"]
AGENTS = {"host": "ansor", "analytical": "ansor(features=ansor)"}
# The model's speeds depend on these.
TARGETS = {"analytical": "llvm(cores=2,vector_bits=256,vector_registers=16,l1=32768,l2=524288,"
                         "l3=33554432)"}
THINKING, TRIAL, CALLS = 0.5, 0.1, 30  # of a search on a model: seconds a proposal, seconds a trial, calls


def fail(message):
    print(f"error: {message}", file=sys.stderr)
    sys.exit(2)


def tasks_of(networks, most_gflop=None):
    """The names of their tasks, each once, the first of each network first, but for those of more
    work than `most_gflop`.
    """
    most = float("inf") if most_gflop is None else most_gflop * 1e9
    layers = []
    for network in networks:
        try:
            layers.append([str(workload) for _, workload in schedulegym.read_network(network)
                           if workload.dag().flops <= most])
        except ValueError as error:
            fail(error)
    longest = max(map(len, layers), default=0)
    return list(dict.fromkeys(layer[i] for i in range(longest) for layer in layers
                              if i < len(layer)))


def significant(value):
    """To four digits, as trials have their seconds."""
    return float(f"{value:.4g}")


def timed_by_rule(curve):
    """The curve with seconds that depend on nothing but its speeds."""
    speed = 1.0
    for turn in curve["turns"]:
        turn["thinking"] = THINKING
        trials = []
        for _, *better in turn["trials"]:
            speed = max([speed, *better])
            trials.append([significant(TRIAL + CALLS * curve["reference"] / speed), *better])
        turn["trials"] = trials
        turn["seconds"] = THINKING + sum(seconds for seconds, *_ in trials)
    return curve


class Recorder:
    def __init__(self, options, parts):
        self.options = options
        self.parts = parts
        self.agent = options.agent or AGENTS.get(options.measure, "ansor")
        self.target = options.target or TARGETS.get(options.measure)

    def part(self, task, seed):
        """Where the curve of that search is, or will be."""
        what = [task, seed, self.agent, self.options.space, self.options.trials,
                self.options.measure, self.target, version()]
        if self.options.protocol:
            what.append(self.options.protocol)
        return self.parts / (hashlib.sha256(json.dumps(what).encode()).hexdigest()[:16] + ".curve")

    def words(self, task, seed, path):
        words = [PROGRAM, "tune", task, "--agent", self.agent, "--space", self.options.space,
                 "--trials", self.options.trials, "--seed", seed, "--measure", self.options.measure,
                 "--finalists", 0, "--curves-out", path, "--quiet"]
        if self.options.measure == "host":
            words += ["--store", f"{path}.db"]
        if self.target:
            words += ["--target", self.target]
        if self.options.protocol:
            words += ["--protocol", self.options.protocol]
        return [str(word) for word in words]

    def take_over(self, path, searches):
        """Parts of the searches whose curves `path` has, where there is none yet."""
        for line in read_lines(path):
            curve = parsed(path, line)
            search = (curve.get("task"), curve.get("seed"))
            alike = (curve.get("agent"), curve.get("measure")) == (self.agent, self.options.measure)
            if search in searches and alike and not self.part(*search).exists():
                self.part(*search).write_text(line + "\n")

    def record(self, task, seed):
        """Leaves the part of a search, an empty one where nothing of it succeeded."""
        part = self.part(task, seed)
        path = part.with_suffix(".new")
        for left in self.parts.glob(f"{path.name}*"):
            left.unlink()
        done = subprocess.run(self.words(task, seed, path), stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode not in (0, 1):
            if done.returncode == 2:
                fail(done.stderr.strip().removeprefix("error: "))
            print(done.stderr.strip(), file=sys.stderr)
            sys.exit(done.returncode if done.returncode > 0 else 128 - done.returncode)
        lines = path.read_text().splitlines() if done.returncode == 0 else []
        curves = [self.told(json.loads(line), task, seed) for line in lines]
        path.write_text("".join(json.dumps(curve) + "\n" for curve in curves))
        if self.options.keep_stores and self.options.measure == "host":
            pathlib.Path(f"{path}.db").rename(part.with_suffix(".db"))
        for left in self.parts.glob(f"{path.name}.db*"):
            left.unlink()
        path.rename(part)
        return curves

    def told(self, curve, task, seed):
        """Its search is named by what it was, not by when."""
        curve["search"] = f"{task} seed {seed}"
        curve["measure"] = self.options.measure
        return timed_by_rule(curve) if self.options.measure != "host" else curve


def read_lines(path):
    try:
        return gzip.decompress(path.read_bytes()).decode().splitlines()
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        fail(f"'{path}': {error}, expected a file of curves")


def parsed(path, line):
    try:
        curve = json.loads(line)
    except ValueError:
        curve = None
    if not isinstance(curve, dict) or "schedulegym_curve" not in curve:
        fail(f"'{path}': found {line[:40]!r}, expected a curve")
    return curve


def write(path, parts):
    """The same bytes of the same curves."""
    text = b"".join(part.read_bytes() for part in parts)
    new = path.with_name(path.name + ".new")
    new.write_bytes(gzip.compress(text, mtime=0))
    new.rename(path)
    return text.count(b"\n")


def positive(text):
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"found '{text}', expected a number from 1 on")
    return int(text)


def read_options(words):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-o", "--output", required=True, type=pathlib.Path, metavar="FILE.gz")
    parser.add_argument("--parts", type=pathlib.Path, metavar="FOLDER",
                        help="of searches that are over (default FILE.gz.parts)")
    parser.add_argument("--keep-stores", action="store_true",
                        help="leave the records of each search beside its part, as a store")
    parser.add_argument("--networks", default=",".join(NETWORKS), metavar="LIST",
                        help="names or .net files, with commas (default all that come along)")
    parser.add_argument("--tasks", type=positive, metavar="N", help="the first N (default all)")
    parser.add_argument("--most-gflop", type=positive, metavar="G",
                        help="leave out tasks of more work than so many 10^9 operations")
    parser.add_argument("--seeds", type=positive, default=2, metavar="N")
    parser.add_argument("--trials", type=positive, default=300, metavar="N", help="of each search")
    parser.add_argument("--measure", default="host", choices=["host", "analytical"])
    parser.add_argument("--agent", metavar="SPEC",
                        help="default ansor, of the model ansor(features=ansor)")
    parser.add_argument("--space", default="ansor", metavar="SPEC")
    parser.add_argument("--target", metavar="SPEC")
    parser.add_argument("--protocol", metavar="SPEC", help="how candidates are timed")
    parser.add_argument("--seconds", type=positive, metavar="S",
                        help="begin no search after so many, and write what there is")
    parser.add_argument("--known", type=pathlib.Path, metavar="FILE.gz",
                        help="curves of as many trials in the same space to take over, so that their "
                             "searches are not made again")
    return parser.parse_args(words)


def main():
    options = read_options(sys.argv[1:])
    parts = options.parts or options.output.with_name(options.output.name + ".parts")
    parts.mkdir(parents=True, exist_ok=True)
    recorder = Recorder(options, parts)
    tasks = tasks_of(options.networks.split(","), options.most_gflop)[:options.tasks]
    searches = [(task, seed) for task in tasks for seed in range(options.seeds)]
    if options.known:
        recorder.take_over(options.known, searches)
    began = time.monotonic()
    with KeptParts(len(searches), "searches") as kept:
        for number, (task, seed) in enumerate(searches, 1):
            if recorder.part(task, seed).exists():
                kept.add()
                continue
            if options.seconds and time.monotonic() - began >= options.seconds:
                break
            curves = recorder.record(task, seed)
            kept.add()
            found = "" if curves else ": nothing succeeded, no curve"
            print(f"{number}/{len(searches)} {task} seed {seed}{found}", flush=True)
    over = [search for search in searches if recorder.part(*search).exists()]
    count = write(options.output, [recorder.part(*search) for search in over])
    left = f", {len(searches) - len(over)} searches left" if len(over) < len(searches) else ""
    print(f"{count} curves of {len({task for task, _ in over})} tasks in '{options.output}'{left}")


if __name__ == "__main__":
    main()
