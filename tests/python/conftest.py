"""Runs the tests of this folder in tiers and side by side, and ends what each test started.

tiers.py says which tests are `long`, `nightly` or `measured`. With `-n N`, of pytest-xdist, a file
is run by one worker, from its first test to its last; the measured tests of all files are run by
one worker, one at a time. Groups that took longest in the run before begin first. A test that
reaches its time limit is named by pytest-timeout, or where it does not return to Python, by the
worker that ends GRACE seconds later.
"""
import faulthandler

import pytest

import processes
import tiers

GRACE = 120
INTERRUPTED = 130
KEPT = "schedulegym/seconds"
FAILED = "schedulegym/failed"

processes.install_handlers()


def is_worker(config):
    return hasattr(config, "workerinput")


def known_seconds(config):
    """Seconds of each group in an earlier run; none where the file is damaged or missing."""
    kept = config.cache.get(KEPT, {}) if hasattr(config, "cache") else {}
    if not isinstance(kept, dict):
        return {}
    return {name: value for name, value in kept.items() if isinstance(value, (int, float))}


def pytest_addoption(parser):
    parser.addoption("--again", action="store_true",
                     help="run what failed in the run before, subtests included")


def pytest_configure(config):
    for name, meaning in tiers.MEANINGS.items():
        config.addinivalue_line("markers", f"{name}: {meaning}")
    if not is_worker(config):
        config.pluginmanager.register(Summary(config), "schedulegym-summary")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    seconds = known_seconds(config)
    for item in items:
        for name in tiers.markers(item.nodeid):
            item.add_marker(name)

    def place(item):
        group = tiers.group(item.nodeid)
        return -seconds.get(group, float("inf")), not tiers.markers(item.nodeid), group

    items.sort(key=place)
    if config.getoption("again"):
        failed = set(config.cache.get(FAILED, []))
        others = [item for item in items if item.nodeid not in failed]
        items[:] = [item for item in items if item.nodeid in failed]
        config.hook.pytest_deselected(items=others)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    from xdist.scheduler import LoadScopeScheduling

    class GroupScheduling(LoadScopeScheduling):
        """Gives workers whole groups, in the order of the tests."""

        def _split_scope(self, nodeid):
            return tiers.group(nodeid)

        def remove_node(self, node):
            """The test that killed the worker is not run again; what it had before it is."""
            work = self.assigned_work.pop(node)
            left = {group: [test for test, is_done in tests.items() if not is_done]
                    for group, tests in work.items()}
            killed = next((test for tests in left.values() for test in tests), None)
            for group, tests in left.items():
                if rest := {test: False for test in tests if test != killed}:
                    self.workqueue[group] = rest
            for other in self.assigned_work:
                self._reschedule(other)
            return killed

    config.option.loadscopereorder = False
    return GroupScheduling(config, log)


def limit_of(item):
    """Seconds that pytest-timeout gives the test, or None."""
    marker = item.get_closest_marker("timeout")
    if marker:
        return marker.args[0] if marker.args else marker.kwargs.get("timeout")
    given = item.config.getoption("timeout", None)
    return float(item.config.getini("timeout") or 0) if given is None else given


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item):
    limit = limit_of(item)
    if limit:
        faulthandler.dump_traceback_later(limit + GRACE, exit=True)
    yield
    faulthandler.cancel_dump_traceback_later()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item):
    """Processes that the test started end with it; those of the class's set-up stay."""
    before = processes.descendants()
    yield
    processes.end(processes.descendants() - before)


def pytest_sessionfinish(session):
    if is_worker(session.config):
        processes.end(processes.descendants())


class Summary:
    """Of the process that the user started: what was interrupted, seconds of groups, what failed,
    and which tests passed only when `--again` ran them."""

    def __init__(self, config):
        self.config = config
        self.seconds, self.outcomes = {}, {}
        self.is_interrupted = False

    def pytest_keyboard_interrupt(self):
        self.is_interrupted = True
        processes.end(processes.descendants())  # workers, and what their tests started

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session):
        if self.is_interrupted:
            session.exitstatus = INTERRUPTED
        elif self.config.getoption("numprocesses", None) and hasattr(self.config, "cache"):
            self.config.cache.set(KEPT, {**known_seconds(self.config), **self.seconds})
        if hasattr(self.config, "cache"):
            self.config.cache.set(FAILED, [test for test, has_passed in self.outcomes.items()
                                           if not has_passed])
        processes.end(processes.descendants())

    def pytest_runtest_logreport(self, report):
        group = tiers.group(report.nodeid)
        self.seconds[group] = round(self.seconds.get(group, 0) + report.duration, 1)
        if report.when == "call" or not report.passed:
            has_passed = report.passed and self.outcomes.get(report.nodeid, True)
            self.outcomes[report.nodeid] = has_passed

    def pytest_terminal_summary(self, terminalreporter):
        if self.config.getoption("again"):
            passed = sorted(test for test, has_passed in self.outcomes.items() if has_passed)
            if passed:
                terminalreporter.write_line("passed only when run again: " + ", ".join(passed))
