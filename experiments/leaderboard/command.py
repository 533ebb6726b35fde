"""The command leaderboard: run, report, submit and verify."""
from __future__ import annotations

import argparse
import csv
import dataclasses
import io
import json
import pathlib
import shlex
import tempfile
from collections.abc import Callable, Sequence

from schedulegym import MachineError
from schedulegym.leaderboard.board import Board, edition_named, find_board, read_board
from schedulegym.leaderboard.board_page import lead_of
from schedulegym.leaderboard.claims import (
    Claim, claims_of, read_claims, refuse_unclaimed, verify, verify_live, write_claims)
from schedulegym.leaderboard.invalid_runs import invalid_runs_of, why_invalid
from schedulegym.leaderboard.contest import Contest, begin_folder, contest_of, read_contest, sweep
from schedulegym.leaderboard.entry import Entry, read_entry
from schedulegym.leaderboard.entry_plugins import built
from schedulegym.leaderboard.ioh import write_ioh
from schedulegym.leaderboard.live import (
    LiveClock, refuse_many_machines, thinking_of, timings_by_entry, with_winners)
from schedulegym.leaderboard.signature import read_key
from schedulegym.leaderboard.standings import Standings, results_rows
from schedulegym.leaderboard.submission import pack
from schedulegym.leaderboard.winners import measure_again, outcomes_of
from schedulegym.studies import engine, engines
from schedulegym.studies.command import (
    DONE, FAILED, Parser, cores, facts_of, numbered_shard, termination_as_exception)
from schedulegym.studies.expected import expected_seconds
from schedulegym.studies.faults import StudyError, unknown_name
from schedulegym.studies.folder import Folder, replace
from schedulegym.studies.outcome import Outcome, Timing
from schedulegym.studies.page import Colophon, page_of
from schedulegym.studies.progress import Progress
from schedulegym.studies.runner import Runner
from schedulegym.studies.study import Run, Study
from schedulegym.studies.summary import Summary
from schedulegym.studies.tables import timings_of
from schedulegym.studies.vendors import beside_vendors, measured_vendors

ACTIONS = ("run", "report", "submit", "verify")
_TRIAL = 8  # trials of a submitted entry, which show that it runs


def run_leaderboard(words: Sequence[str], runner: Runner) -> int:
    """The exit code; `words` begin with the action."""
    action = words[0] if words else ""
    if action not in ACTIONS:
        raise unknown_name("action of leaderboard", action, ACTIONS)
    given = _parser(action).parse_args(words[1:])
    progress = Progress(0, 0, as_json=given.json, quiet=given.quiet)
    if action == "run":
        command = shlex.join(["schedulegym", "leaderboard", *engines.without_options(words)])
        return _run(given, runner, command)
    if action == "report":
        _report(pathlib.Path(given.place), pathlib.Path(given.out), progress)
    elif action == "submit":
        _submit(given, runner, progress)
    else:
        _verify(given, runner, progress)
    return DONE


def _run(given: argparse.Namespace, runner: Runner, command: str) -> int:
    if given.seconds is not None and not 0 < given.seconds < float("inf"):
        raise StudyError(f"--seconds: found {given.seconds:g}, expected a number above 0")
    engines.check_options(given)
    begun = Progress(0, 0, as_json=given.json, quiet=given.quiet)
    board = _with_present(read_board(find_board(given.board)), runner, begun)
    with built([read_entry(pathlib.Path(path)) for path in given.entry or []]) as entries:
        contest = contest_of(board, entries, given.held_out)
        refuse_many_machines(contest, given.engine)
        engine.check_runs(contest.runs(), runner, begun.say)
        others = [_shard_folder(pathlib.Path(path), contest) for path in given.merge or []]
        mine = _part(contest, numbered_shard(given.shard))
        with engines.opened(given, mine, cores()) as make_runs:
            return _run_contest(contest, given, mine, others, runner, make_runs, command)


def _with_present(board: Board, runner: Runner, progress: Progress) -> Board:
    """Without the baselines that this machine or build lacks something for, which is said; they may join
    later."""
    contest = contest_of(board, [], None)
    missing = set()
    for entry in board.baselines:
        try:
            runner.check(next(run for run in contest.runs() if run.arm.name == entry.name))
        except MachineError as fault:
            missing.add(entry.name)
            progress.say(f"entry '{entry.name}' is left out: {fault}")
        except ValueError:
            pass  # reported with its case, before anything runs
    return dataclasses.replace(board, baselines=tuple(
        entry for entry in board.baselines if entry.name not in missing))


def _run_contest(contest: Contest, given: argparse.Namespace, mine: list[Run],
                 others: list[Folder], runner: Runner, make_runs: engines.MakeRuns,
                 command: str) -> int:
    folder = begin_folder(pathlib.Path(given.out), contest)
    with folder.locked(given.shard), termination_as_exception():
        sweep(folder.path)
        for each in (folder, *others):  # including those of other shards, which the page reports
            each.check(contest.runs())
        merged = sum(folder.merge(other, contest.runs()) for other in others)
        made = sum(map(folder.has, mine))
        progress = Progress(len(mine), made, as_json=given.json, quiet=given.quiet,
                            expected=expected_seconds(mine, folder, runner, cores()))
        progress.event("start", board=contest.label, runs=len(mine), made=made, merged=merged,
                       cases=len(contest.study.cases), entries=len(contest.entries))
        progress.say(f"board '{contest.label}': {len(contest.study.cases)} cases, "
                     f"{len(contest.entries)} entries; {len(mine) - made} of {len(mine)} runs to "
                     "make")
        live = LiveClock(mine, folder) if contest.track == "live" else None
        make_all = make_runs if live is None else with_winners(make_runs, live, progress)
        end = engines.make_or_interrupt(make_all, mine, folder, runner, progress, given.seconds)
        report_board(folder, contest, command, folder.path / "report.html", progress)
    for line in end.lines():
        progress.say(line)
    for place, outcome in outcomes_of(mine, folder).items():
        if outcome.lost:
            progress.say(f"lost: {', '.join(map(str, place))}: {outcome.lost}")
    for line in invalid_runs_of(contest, outcomes_of(contest.runs(), folder)):
        progress.say(line)
    if end.left:
        progress.say(f"{end.left} runs are left; the same command goes on")
    if live is not None and (text := live.text()) is not None:
        progress.say(text)
    progress.event("done", planned=len(mine), made=made + end.made, left=end.left,
                   failed=len(end.failed), report=str(folder.path / "report.html"),
                   **({} if live is None else live.fields()))
    return FAILED if end.failed else DONE


def _part(contest: Contest, shard: tuple[int, int] | None) -> list[Run]:
    """Whole blocks of a case and a seed, so that pairs stay together."""
    if shard is None:
        return contest.runs()
    blocks: dict[tuple[str, int], int] = {}
    for run in contest.runs():
        blocks.setdefault((run.case.name, run.seed), len(blocks))
    return [run for run in contest.runs()
            if blocks[run.case.name, run.seed] % shard[1] == shard[0] - 1]


def _shard_folder(path: pathlib.Path, contest: Contest) -> Folder:
    found = read_contest(path)
    if found.identity != contest.identity:
        raise StudyError(f"--merge: {path}: found the folder of board '{found.identity}', expected "
                         f"'{contest.identity}'")
    return Folder(path, found.study)


def report_board(folder: Folder, contest: Contest, command: str, page: pathlib.Path,
                 progress: Progress) -> None:
    """Results, the files of IOHexperimenter's format and the page, of what the folder has."""
    vendors = {**contest.vendors, **measured_vendors(folder)}
    outcomes = beside_vendors(outcomes_of(contest.runs(), folder), vendors)
    timings = timings_by_entry(contest, folder)
    standings = Standings(contest, outcomes, thinking_of(timings), vendors)
    told = standings.told()
    facts = facts_of(folder.makers(contest.runs()))
    replace(folder.path / "results.json", json.dumps(told, indent=1, allow_nan=False) + "\n")
    rows = io.StringIO()
    csv.writer(rows, lineterminator="\n").writerows(results_rows(standings, outcomes))
    replace(folder.path / "results.csv", rows.getvalue())
    replace(folder.path / "timing.json",
            json.dumps(timings_of(folder, contest.runs(), facts), indent=1) + "\n")
    write_ioh(folder.path / "ioh", contest, outcomes)
    summary = Summary(contest.study, outcomes)
    study_told = summary.told()
    study_told["runs"]["planned"] = len(contest.runs())  # some baselines have fewer seeds
    replace(page, page_of(summary, study_told, Colophon(command, facts, timings),
                          lead_of(standings, told)))
    progress.say(f"the report is {page}")


def _report(place: pathlib.Path, out: pathlib.Path, progress: Progress) -> None:
    contest = read_contest(place)
    command = shlex.join(["schedulegym", "leaderboard", "report", str(place), "-o", str(out)])
    report_board(Folder(place, contest.study), contest, command, out, progress)
    progress.event("done", report=str(out))


def _submit(given: argparse.Namespace, runner: Runner, progress: Progress) -> None:
    folder, board = pathlib.Path(given.entry), read_board(find_board(given.board))
    with built([read_entry(folder)]) as (entry,):
        _refuse_idle(entry, contest_of(board, [entry], None), runner)
    if given.source is not None:
        source = pathlib.Path(given.source)
        write_claims(folder, _claims_from(source, entry))
    if (folder / "records.jsonl").exists():
        read_claims(folder)
    file = pack(entry, None if given.out is None else pathlib.Path(given.out))
    progress.event("done", file=str(file), code=entry.code)
    progress.say(f"{file}: checked and packed; nothing was sent")


def _claims_from(source: pathlib.Path, entry: Entry) -> list[Claim]:
    found = read_contest(source)
    mine = [one for one in found.entries if one.name == entry.name and one.code == entry.code]
    if not mine:
        raise StudyError(f"{source}: found no entry '{entry.name}' with the code of "
                         f"{entry.folder}, expected a board that it was run on")
    folder = Folder(source, found.study)
    return claims_of(found, entry.name, outcomes_of(found.runs(), folder))


def _refuse_idle(entry: Entry, contest: Contest, runner: Runner) -> None:
    """An entry that cannot make eight trials of the first case."""
    run = next(run for run in contest.runs() if run.arm.name == entry.name)
    short = dataclasses.replace(run, trials=min(_TRIAL, run.trials))
    engine.check_runs([short], runner)
    outcome = _made([short], contest.study, runner)(short)
    if outcome.lost:
        raise StudyError(f"entry '{entry.name}': lost its run on case '{run.case.name}': "
                         f"{outcome.lost}")
    if not outcome.speeds:
        raise StudyError(f"entry '{entry.name}': found no proposal on case '{run.case.name}', "
                         "expected at least one")
    fault = why_invalid([outcome])
    if fault is not None:
        raise StudyError(f"entry '{entry.name}': case '{run.case.name}': {fault}")


def _verify(given: argparse.Namespace, runner: Runner, progress: Progress) -> None:
    path = find_board(given.board)
    read_board(path)  # reports faults before anything runs
    with built([read_entry(pathlib.Path(given.entry))]) as (entry,):
        _verify_on(path, entry, runner, progress)


def _verify_on(path: pathlib.Path, entry: Entry, runner: Runner, progress: Progress) -> None:
    """On the edition of the board that the entry's records name."""
    assert entry.folder is not None
    claims = read_claims(entry.folder)
    contest = contest_of(edition_named(path, claims[0].board), [entry], None)
    refuse_unclaimed(entry, claims, contest)
    read_key()
    places = {(claim.case, claim.seed) for claim in claims}
    runs = [run for run in contest.runs()
            if run.arm.name == entry.name and (run.case.name, run.seed) in places]
    engine.check_runs(runs, runner, progress.say)
    if contest.track == "live":
        verify_live(entry, claims, contest, measure_again)
    else:
        verify(entry, claims, contest, _made(runs, contest.study, runner))
    progress.event("done", entry=entry.name, runs=len(claims), code=entry.code, mark="verified")
    progress.say(f"entry '{entry.name}': all {len(claims)} records hold; verified for board "
                 f"'{contest.label}' and code {entry.code[:12] if entry.code else '-'}")


def _made(runs: list[Run], study: Study, runner: Runner) -> Callable[[Run], Outcome]:
    """Made in worker processes, whatever they do there."""
    outcomes: dict[str, Outcome] = {}

    def keep(run: Run, outcome: Outcome, _: Timing) -> None:
        outcomes[run.key] = outcome

    def outcome_of(run: Run) -> Outcome:
        if run.key not in outcomes:
            raise StudyError(f"case '{run.case.name}', seed {run.seed}: the run died, twice")
        return outcomes[run.key]

    with tempfile.TemporaryDirectory() as place:
        engine.make_runs(runs, Folder(pathlib.Path(place), study), runner, workers=cores(), tell=keep)
    return outcome_of


def _parser(action: str) -> Parser:
    parser = Parser(prog=f"schedulegym leaderboard {action}", allow_abbrev=False)
    if action == "run":
        parser.add_argument("board", metavar="BOARD", help="a built-in board's name, or a file")
        parser.add_argument("-o", "--out", required=True, metavar="FOLDER",
                            help="where its results are kept; the same command goes on there")
        parser.add_argument("--entry", action="append", metavar="ENTRY",
                            help="the folder of an entry; may be given again")
        parser.add_argument("--held-out", type=int, metavar="SEED",
                            help="draw the held-out cases from this seed; they rank")
        parser.add_argument("--seconds", type=float, metavar="S", help="begin no run after so many")
        parser.add_argument("--shard", metavar="K/N", help="only the K-th of N parts")
        parser.add_argument("--merge", action="append", metavar="FOLDER",
                            help="take over what a shard's folder has; may be given again")
        engines.add_options(parser)
    elif action == "report":
        parser.add_argument("place", metavar="FOLDER", help="a board's")
        parser.add_argument("-o", "--out", required=True, metavar="FILE", help="the page")
    else:
        parser.add_argument("entry", metavar="ENTRY", help="the folder of an entry")
        parser.add_argument("--board", default="smoke", metavar="BOARD",
                            help="the board it is for (default: smoke)" + (
                                "; of its editions, the one that the records name"
                                if action == "verify" else ""))
        if action == "submit":
            parser.add_argument("--from", dest="source", metavar="FOLDER",
                                help="write the entry's records from this board's folder")
            parser.add_argument("-o", "--out", metavar="FILE", help="the archive")
    parser.add_argument("--json", action="store_true", help="one JSON object a line on stdout")
    parser.add_argument("--quiet", action="store_true", help="no progress and no messages")
    return parser
