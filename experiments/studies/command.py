"""The commands study, ablate and report: from arguments to a folder and a page."""
from __future__ import annotations

import argparse
import contextlib
import dataclasses
import math
import pathlib
import shlex
import signal
from collections.abc import Iterator, Mapping, Sequence
from typing import NoReturn

from schedulegym._schedulegym import check_output
from schedulegym.studies import engine, engines, offline, pictures, standard_output
from schedulegym.studies.expected import expected_seconds
from schedulegym.studies.faults import StudyError, unknown_name
from schedulegym.studies.folder import Folder, read_study_of, replace
from schedulegym.studies.foresight import foresight_of
from schedulegym.studies.machine import cores, told_facts, version, versions_of
from schedulegym.studies.outcome import Outcome, Timing
from schedulegym.studies.page import Colophon, Lead, figures_of, page_of
from schedulegym.studies.pairs import BEST, END, pairs_of
from schedulegym.studies.progress import Progress, duration
from schedulegym.studies.runner import Runner
from schedulegym.studies.source import NAME, source_of, source_text
from schedulegym.studies.study import Study, runs_of, shard_of
from schedulegym.studies.study_file import Suite, read_study
from schedulegym.studies.summary import Summary, Results
from schedulegym.studies.tables import write_results
from schedulegym.studies.vendors import beside_vendors, measured_vendors, with_vendors

DONE, FAILED = 0, 1


class Parser(argparse.ArgumentParser):
    """Reports errors as one line with exit code 2, like the other commands."""

    def error(self, message: str) -> NoReturn:
        raise StudyError(message)


def run_command(words: Sequence[str], runner: Runner, suite: Suite) -> int:
    """Returns the exit code; `words` begin with the command's name."""
    name = words[0] if words else ""
    if name not in ("study", "ablate", "report"):
        raise unknown_name("command", name, ["study", "ablate", "report"])
    given = _parser(name).parse_args(words[1:])
    progress = Progress(0, 0, as_json=given.json, quiet=given.quiet)
    if name == "report":
        return _compare(given, progress) if given.over is not None else _report(given, progress)
    file = pathlib.Path(given.file)
    if name == "study" and offline.is_offline(file):
        offline.refuse_options(given)
        offline.run_offline(offline.read_offline(file, given.smoke), pathlib.Path(given.out),
                            shlex.join(["schedulegym", *words]), progress)
        return DONE
    study = read_study(file, suite, given.smoke)
    if name == "ablate" and not study.factors:
        raise StudyError(f"{given.file}: found no [factors]; `schedulegym study` compares arms")
    return _Session(study, given, runner, words).run()


class _Session:
    """One call of study or ablate."""

    def __init__(self, study: Study, given: argparse.Namespace, runner: Runner,
                 words: Sequence[str]) -> None:
        self._study, self._given, self._runner = study, given, runner
        self._all = runs_of(study)
        shard = numbered_shard(given.shard)
        self._runs = shard_of(study, *shard) if shard else self._all
        self._command = shlex.join(["schedulegym", *engines.without_options(words)])

    def run(self) -> int:
        given = self._given
        if given.seconds is not None and not 0 < given.seconds < float("inf"):
            raise StudyError(f"--seconds: found {given.seconds:g}, expected a number above 0")
        engines.check_options(given)
        Folder.refuse_others(pathlib.Path(given.out), self._study)  # checked before agents are made
        engine.check_runs(self._all, self._runner, Progress(0, 0, as_json=given.json,
                                                            quiet=given.quiet).say)
        others = [_other(pathlib.Path(path), self._study) for path in given.merge or []]
        with engines.opened(given, self._runs, cores()) as make_runs:
            return self._run(others, make_runs)

    def _run(self, others: list[Folder], make_runs: engines.MakeRuns) -> int:
        given = self._given
        folder = Folder.begin(pathlib.Path(given.out), self._study)
        with folder.locked(given.shard), termination_as_exception():
            for each in (folder, *others):  # including runs of other shards, which the page reports
                each.check(self._all)
            merged = sum(folder.merge(other, self._all) for other in others)
            made = sum(map(folder.has, self._runs))
            expected = expected_seconds(self._runs, folder, self._runner, cores())
            progress = Progress(len(self._runs), made, as_json=given.json, quiet=given.quiet,
                                expected=expected)
            self._announce(progress, made, merged, sum(expected.values()))
            if made < len(self._runs):
                self._foresee(folder, progress)
            self._announce_versions(folder, progress)
            if given.engine == "local":  # the machines of a cluster differ from this one
                make_runs = with_vendors(make_runs, progress)
            end = engines.make_or_interrupt(make_runs, self._runs, folder, self._runner, progress,
                                            given.seconds)
            report_folder(folder, self._command, progress)
            replace(folder.path / NAME, source_text(source_of(
                folder.makers(self._all), _libraries(folder), self._command)))
        for line in end.lines():
            progress.say(line)
        if end.left:
            progress.say(f"{end.left} runs are left; the same command goes on")
        progress.event("done", planned=len(self._runs), made=made + end.made, left=end.left,
                       failed=len(end.failed), report=str(folder.path / "report.html"))
        return FAILED if end.failed else DONE

    def _announce(self, progress: Progress, made: int, merged: int, seconds: float) -> None:
        study, left = self._study, self._runs
        progress.event("start", study=study.name, runs=len(left), made=made, merged=merged,
                       cases=len(study.cases), arms=len(study.arms), seeds=len(study.seeds),
                       hours=seconds / 3600)
        progress.say(f"study '{study.name}': {len(study.cases)} cases x {len(study.arms)} arms x "
                     f"{len(study.seeds)} seeds; {len(left) - made} of {len(left)} runs to make, "
                     f"about {duration(seconds)}")

    def _foresee(self, folder: Folder, progress: Progress) -> None:
        """Reports which effects the study can detect, by the data known before it starts or resumes."""
        found = {run.place: outcome for run in self._all
                 if (outcome := folder.outcome(run)) is not None}
        foresight = foresight_of(self._study, found)
        if foresight is None:
            return
        gains = [None if log is None else math.expm1(log)
                 for log in (foresight.headroom, foresight.least_effect)]
        progress.event("foresight", headroom=gains[0], least_effect=gains[1],
                       comparisons=foresight.comparisons, unknown=list(foresight.unknown))
        progress.say(foresight.text())
        if foresight.is_blunt:
            progress.say("warning: half of all that can be won would not show: expected more seeds, or "
                         "harder cases")

    def _announce_versions(self, folder: Folder, progress: Progress) -> None:
        """Warns about existing runs of other versions: their code may differ from that of new runs."""
        for other, count in versions_of(folder.makers(self._all)).items():
            if other not in (version(), "-"):
                progress.say(f"found {count} runs made by schedulegym {other}, this is {version()}: "
                             "results.csv names each run's")


def report_folder(folder: Folder, command: str, progress: Progress,
                  page: pathlib.Path | None = None) -> None:
    """Writes results, page and pictures of the finished runs in the folder."""
    runs = runs_of(folder.study)
    outcomes: dict[tuple[str, str, int], Outcome] = {}
    timings: dict[str, list[Timing]] = {}
    for run in runs:
        outcome, timing = folder.outcome(run), folder.timing(run)
        if outcome is not None:
            outcomes[run.place] = outcome
            if timing is not None:
                timings.setdefault(run.arm.name, []).append(timing)
    vendors = {**dict(folder.study.vendors), **measured_vendors(folder)}
    summary = Summary(folder.study, beside_vendors(outcomes, vendors))
    facts = facts_of(folder.makers(runs))
    told = write_results(folder, runs, summary, facts)
    write_page(page or folder.path / "report.html", folder.path / "figures", summary, told,
               Colophon(command, facts, timings), progress)


def write_page(file: pathlib.Path, figures: pathlib.Path | None, summary: Summary, told: Results,
               colophon: Colophon, progress: Progress, lead: Lead = Lead("")) -> None:
    """Writes the page and, if `figures` is a folder, its figures as pictures."""
    replace(file, page_of(summary, told, colophon, lead))
    if figures is not None:
        reason = pictures.draw_pictures(figures_of(summary, told, colophon), figures)
        if reason is not None:
            progress.say(reason)
    progress.say(f"the report is {file}")


def _libraries(folder: Folder) -> list[str]:
    """Returns the libraries of vendors that were measured or that the study names."""
    vendors = {**dict(folder.study.vendors), **measured_vendors(folder)}
    return [vendor.library for vendor in vendors.values()]


def facts_of(made: Sequence[Mapping[str, str]]) -> dict[str, str]:
    """Returns the versions that made the runs, and those that draw the page."""
    import plotly
    import scipy
    import statsmodels

    return {**told_facts(made), "told with": f"schedulegym {version()}, SciPy {scipy.__version__}, "
            f"statsmodels {statsmodels.__version__}, Plotly {plotly.__version__}"}


def _compare(given: argparse.Namespace, progress: Progress) -> int:
    """Writes a table instead of a page."""
    if given.follow or given.network is not None:
        raise StudyError("--over: found it beside --follow or --network, expected a store's page or a table")
    pairs = pairs_of([pathlib.Path(place) for place in given.places], given.over,
                     given.at.split(","), [pathlib.Path(file) for file in given.known or []])
    if given.out is not None:
        replace(pathlib.Path(given.out), pairs.text())
    elif not given.json:
        standard_output.tell(pairs.text())
    for arm, ratios in pairs.ratios.items():
        after = {point: None if ratio is None else dataclasses.asdict(ratio)
                 for point, ratio in zip(pairs.points, ratios)}
        progress.event("row", arm=arm, over=pairs.over, after=after)
    progress.event("done", report=given.out)
    return DONE


def _report(given: argparse.Namespace, progress: Progress) -> int:
    for option in ("at", "known"):
        if getattr(given, option) not in (None, END):
            raise StudyError(f"--{option}: found it without --over, expected --over ARM, too")
    if len(given.places) > 1:
        raise StudyError(f"found {len(given.places)} studies, expected one, or --over ARM, too")
    if given.out is None:
        raise StudyError("the following arguments are required: -o/--out")
    place, out = pathlib.Path(given.places[0]), pathlib.Path(given.out)
    if not place.exists():
        raise StudyError(f"{place}: No such file or directory")
    command = shlex.join(["schedulegym", "report", str(place), "-o", str(out)])
    out.parent.mkdir(parents=True, exist_ok=True)
    check_output(out)  # checked first, as a page takes seconds
    if place.is_dir():
        if given.follow or given.network is not None:
            raise StudyError(f"{place}: found a study's folder, expected a store with --follow and --network")
        report_folder(Folder(place, read_study_of(place)), command, progress, out)
    else:
        _report_store(given, place, out, command, progress)
    progress.event("done", report=str(out))
    return DONE


def _report_store(given: argparse.Namespace, place: pathlib.Path, out: pathlib.Path, command: str,
                  progress: Progress) -> None:
    from schedulegym.studies.store_report import EVERY, follow, read_store

    if given.network is not None:
        command += f" --network {shlex.quote(given.network)}"
    if given.follow:
        progress.say(f"{out} shows the search, every {EVERY:g} s until it ends; open it in a browser")
        if follow(place, out, given.network) == 0:
            progress.say(f"no search is writing to {place}")
    found, lead = read_store(place, given.network)
    summary = Summary(found.study, found.outcomes)
    write_page(out, None, summary, summary.told(),
               Colophon(command, facts_of(found.facts), found.timings), progress, lead)


def _parser(name: str) -> Parser:
    parser = Parser(prog=f"schedulegym {name}", allow_abbrev=False)
    if name == "report":
        parser.add_argument("places", metavar="THING", nargs="+",
                            help="the folder of a study, or a store; with --over the results.csv "
                            "of studies or their folders")
        parser.add_argument("-o", "--out", metavar="FILE",
                            help="the page; with --over the table (default: it is printed)")
        parser.add_argument("--follow", action="store_true",
                            help="of a store: write the page every 5 s until the search ends")
        parser.add_argument("--network", metavar="SPEC",
                            help="of a store: the network or .net file whose tasks are shown")
        parser.add_argument("--over", metavar="ARM",
                            help=f"a table that compares all arms with this one, or '{BEST}'")
        parser.add_argument("--at", default=END, metavar="TRIALS",
                            help="with --over: after so many trials, e.g. 16,64,end (default: end)")
        parser.add_argument("--known", action="append", metavar="RESULTS.csv",
                            help=f"with --over '{BEST}': of other studies; may be given again")
    else:
        parser.add_argument("file", metavar="FILE", help="the study: TOML")
        parser.add_argument("-o", "--out", required=True, metavar="FOLDER",
                            help="where its results are kept")
        parser.add_argument("--seconds", type=float, metavar="S",
                            help="begin no run after so many; the same command goes on later")
        parser.add_argument("--shard", metavar="K/N", help="only the K-th of N parts")
        parser.add_argument("--merge", action="append", metavar="FOLDER",
                            help="take over what a shard's folder has; may be given again")
        engines.add_options(parser)
        parser.add_argument("--smoke", action="store_true",
                            help="two seeds of eight trials, on models and tables")
    parser.add_argument("--json", action="store_true", help="one JSON object a line on stdout")
    parser.add_argument("--quiet", action="store_true", help="no progress and no messages")
    return parser


def numbered_shard(text: str | None) -> tuple[int, int] | None:
    """Parses K/N; None if `text` is None."""
    if text is None:
        return None
    number, slash, count = text.partition("/")
    if not (slash and number.isdigit() and count.isdigit() and 1 <= int(number) <= int(count)):
        raise StudyError(f"--shard: found '{text}', expected K/N with K from 1 to N")
    return int(number), int(count)


def _other(path: pathlib.Path, study: Study) -> Folder:
    found = read_study_of(path)
    if found != study:
        raise StudyError(f"--merge: {path}: found the folder of another study, '{found.name}'")
    return Folder(path, study)


@contextlib.contextmanager
def termination_as_exception() -> Iterator[None]:
    """Makes SIGTERM end a study as Ctrl-C does."""
    def stop(*_: object) -> None:
        raise KeyboardInterrupt("terminated")

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
