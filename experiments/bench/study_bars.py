"""Prints what studies cost: evaluations a second on a table, a study of baselines, its report, and the
wall time of a live study over the sum of its searches.

    ./sg python experiments/bench/study_bars.py            # on a quiet machine, about ten minutes
    ./sg python experiments/bench/study_bars.py --smoke    # shows that it runs; says nothing of speed
"""
import argparse
import dataclasses
import pathlib
import re
import statistics
import tempfile
import time

import numpy as np

import schedulegym
from schedulegym.studies import command, engine, machine, pictures, study_file
from schedulegym.studies.folder import Folder
from schedulegym.studies.outcome import Outcome
from schedulegym.studies.page import Colophon, page_of
from schedulegym.studies.recorded import find_table
from schedulegym.studies.specs import in_quotes
from schedulegym.studies.study import runs_of
from schedulegym.studies.summary import Summary
from schedulegym.studies.tune_runner import TuneRunner, suite_workloads

STUDIES = pathlib.Path(command.__file__).resolve().parent
TABLES = ("contest_matmul", "contest_conv2d", "contest_depthwise", "contest_linear_gelu")
ROUNDS = 7
LIVE = {"measure": "host", "cases": ["matmul(m=256,n=256,k=256)", "softmax(n=512,m=512)"],
        "arms": {"chance": "random", "climbs": "hill"}}


# Tells, where a page begins, when the browser first painted something of it.
PAINT = """<script>
new PerformanceObserver(seen => {
  for (const entry of seen.getEntriesByName("first-contentful-paint")) {
    document.documentElement.dataset.paint = entry.startTime;
  }
}).observe({type: "paint", buffered: true});
</script>"""


def study_of(seeds, trials, **values):
    return study_file.study_of({"seeds": seeds, "trials": trials, **values}, "bars", suite_workloads)


def search_on(table, agent, trials):
    """Trials and seconds of one search through the whole loop."""
    began = time.perf_counter()
    result = schedulegym.tune(measure=f"table(file={in_quotes(str(table))})", agent=agent,
                              trials=trials)
    return result.trials, time.perf_counter() - began


def evaluations(agent, trials):
    """A second, of searches on the four tables for contests: those after the first of each, and all.

    Before the first the table is read.
    """
    tables = [find_table(name, STUDIES) for name in TABLES]
    made, begun, over = 0, 0.0, 0.0
    for table in tables:
        first = [search_on(table, agent, 1)[1] for _ in range(ROUNDS)]
        whole = [search_on(table, agent, trials) for _ in range(ROUNDS)]
        made += whole[0][0]
        begun += statistics.median(first)
        over += statistics.median(seconds for _, seconds in whole)
    return (made - len(tables)) / (over - begun), made / over


def seconds_of(study, place):
    """Of making all runs, and the sum of what these took."""
    folder = Folder.begin(place, study)
    walls = []
    began = time.perf_counter()
    end = engine.make_runs(runs_of(study), folder, TuneRunner(), workers=machine.cores(),
                           tell=lambda _, __, timing: walls.append(timing.wall))
    assert not end.failed, end.failed
    return time.perf_counter() - began, sum(walls)


def baselines(seeds, trials):
    """The study of that name, without arms that train a model or are blind."""
    whole = study_file.read_study(STUDIES / "baselines.toml", suite_workloads)
    arms = tuple(arm for arm in whole.arms if not arm.blind and "ansor" not in arm.agent)
    return dataclasses.replace(whole, arms=arms, seeds=tuple(range(seeds)), trials=trials)


def report(runs, trials):
    """Runs, which are drawn, the seconds that their page took, and the page."""
    cases = [f"matmul(m={8 * (case + 1)})" for case in range(10)]
    arms = {f"arm {arm}": f"random(retries={arm + 1})" for arm in range(10)}
    study = study_of(max(1, runs // 100), trials, measure="analytical", cases=cases, arms=arms)
    rng = np.random.default_rng(0)
    outcomes = {run.place: drawn(rng, trials) for run in runs_of(study)}
    began = time.perf_counter()
    summary = Summary(study, outcomes)
    text = page_of(summary, summary.told(), Colophon("study_bars.py", {}, {}))
    return len(outcomes), time.perf_counter() - began, text


def first_paint(text):
    """Milliseconds until a browser shows something of a page; None without one."""
    chromium = pictures.find_chromium()
    if chromium is None:
        return None
    dom = pictures.dom_of(chromium, text.replace("<head>", f"<head>{PAINT}", 1), "--timeout=20000")
    told = re.search(r'<html[^>]* data-paint="([\d.]+)"', dom)
    return float(told[1]) if told else None


def drawn(rng, trials):
    speeds = tuple(map(float, np.exp(-rng.exponential(0.4, trials))))
    elapsed = tuple(map(float, np.cumsum(rng.uniform(0.1, 0.3, trials))))
    return Outcome(speeds, elapsed, elapsed[-1], "trials", {}, max(speeds), max(speeds))


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--smoke", action="store_true", help="small, to show that it runs")
    parser.add_argument("--no-live", action="store_true", help="measure no kernels")
    given = parser.parse_args()
    seeds, trials, runs = (1, 8, 100) if given.smoke else (20, 200, 1000)
    for agent, bar in (("random", 50_000), ("droplet", 20_000)):
        rate, whole = evaluations(agent, 20 * trials)
        print(f"{agent} on tables: {rate:,.0f} evaluations a second (bar {bar:,}), {whole:,.0f} with "
              "reading each table", flush=True)
    with tempfile.TemporaryDirectory() as place:
        wall, _ = seconds_of(baselines(seeds, trials), pathlib.Path(place, "tables"))
        print(f"baselines, {seeds} seeds of {trials} trials: {wall:.1f} s (bar 60 s)", flush=True)
        count, wall, text = report(runs, 5 * trials)
        paint = first_paint(text)
        print(f"report of {count} runs of {5 * trials} trials: {wall:.1f} s, "
              f"{len(text.encode()) / 1e6:.1f} MB, "
              + ("no browser" if paint is None else f"first paint after {paint / 1000:.2f} s")
              + " (bar 20 s, 10 MB, 2 s)", flush=True)
        if not given.no_live:
            wall, walls = seconds_of(study_of(min(2, seeds), trials, **LIVE),
                                     pathlib.Path(place, "live"))
            print(f"live study: {wall:.1f} s, {wall / walls:.3f} of its searches (bar 1.05)")


if __name__ == "__main__":
    main()
