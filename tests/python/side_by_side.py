"""Runs the test files of a folder side by side, each in a process of its own.

    side_by_side.py FOLDER PATTERN [--processes N] [--tries N] [--without FILE...]

What a file prints is printed whole when it has ended, with its seconds. Those that took longest in
the run before, which the file of `--times` tells, begin first. A file that failed is run again when
all have ended, one at a time, up to N tries in all. Ends with the count of tests, the files that
passed only when run again, and with exit code 1 and those in which something failed, if any. Ctrl-C
ends all that runs.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

INTERRUPTED = 130
RAN = re.compile(r"^Ran (\d+) tests? in ", re.M)
SKIPPED = re.compile(r"^(?:OK|FAILED) \(.*?skipped=(\d+)", re.M)


def ordered(files, times, first=()):
    """The slowest first; before them those that are not known, for they may be slow, and of these
    the named ones first.
    """
    return sorted(files, key=lambda path: (-times.get(path.name, float("inf")),
                                           path.name not in first, path.name))


def read_times(path):
    try:
        times = json.loads(path.read_text())
        return {str(name): float(seconds) for name, seconds in times.items()}
    except (OSError, ValueError, AttributeError, TypeError):
        return {}  # they only order the files


class Runner:
    """Runs files on threads that wait for them; what still runs when it is left is ended."""

    def __init__(self, processes):
        self.pool = concurrent.futures.ThreadPoolExecutor(processes)
        self.running = set()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.pool.shutdown(wait=False, cancel_futures=True)
        for process in list(self.running):
            process.terminate()  # which ends what the test started, too
        self.pool.shutdown()

    def run_file(self, path):
        """(exit code, what it printed, seconds)"""
        begin = time.monotonic()
        # Found, not named: only so may a file be skipped whole.
        words = [sys.executable, "-m", "unittest", "discover", "-v", "-s", path.parent, "-p",
                 path.name]
        with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              errors="replace") as process:
            self.running.add(process)
            text, _ = process.communicate()
            self.running.discard(process)
        return process.returncode, text, time.monotonic() - begin

    def results(self, files):
        """(path, what `run_file` tells), as they end."""
        running = {self.pool.submit(self.run_file, path): path for path in files}
        for future in concurrent.futures.as_completed(running):
            yield running[future], future.result()


def count(pattern, text):
    return sum(int(number) for number in pattern.findall(text))


def run_files(files, processes, tell=print):
    """(names of those that failed, tests, skipped tests, seconds by name)"""
    failed, tests, skipped, times = [], 0, 0, {}
    with Runner(processes) as runner:
        for path, (code, text, seconds) in runner.results(files):
            times[path.name] = seconds
            tell(f"{text.rstrip()}\n{path.name}: {seconds:.1f} s\n")
            tests += count(RAN, text)
            skipped += count(SKIPPED, text)
            if code != 0:
                failed.append(path.name)
    return sorted(failed), tests, skipped, times


def run_again(folder, failed, tries, tell=print):
    """(names of those that passed, names of those that failed each time)"""
    passed = []
    for _ in range(tries - 1):
        still = run_files([folder / name for name in failed], 1, tell)[0]
        passed += [name for name in failed if name not in still]
        failed = still
    return passed, failed


def main(words=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("pattern")
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    parser.add_argument("--tries", type=int, default=1, help="how often a file may be run to pass")
    parser.add_argument("--first", nargs="+", default=[], metavar="FILE",
                        help="those that take long, while times are not known")
    parser.add_argument("--without", nargs="+", default=[], metavar="FILE", help="those left out")
    parser.add_argument("--times", type=pathlib.Path, help="file of the seconds that each took")
    options = parser.parse_args(words)
    files = list(options.folder.resolve().glob(options.pattern))
    unknown = sorted({*options.without} - {path.name for path in files})
    if unknown:
        parser.error(f"--without: found no '{unknown[0]}' in {options.folder}")
    files = [path for path in files if path.name not in options.without]
    if not files:
        parser.error(f"found no '{options.pattern}' in {options.folder}")
    # Started in the background, where the shell has SIGINT ignored, it is heard, too.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    known = read_times(options.times) if options.times else {}
    try:
        failed, tests, skipped, times = run_files(ordered(files, known, options.first),
                                                   options.processes)
        again, failed = run_again(options.folder.resolve(), failed, options.tries)
    except KeyboardInterrupt:
        print("interrupted")
        return INTERRUPTED
    if options.times:
        left = {name: known[name] for name in options.without if name in known}
        times = {**left, **times}
        options.times.write_text(json.dumps(times, indent=1, sort_keys=True) + "\n")
    print(f"ran {tests} tests of {len(files)} files, {skipped} skipped")
    if options.without:
        print("left out: " + ", ".join(sorted(options.without)))
    if again:
        print("passed only when run again: " + ", ".join(again))
    if failed:
        print("FAILED: " + ", ".join(failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
