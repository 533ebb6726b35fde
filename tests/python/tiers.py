"""Which tests wait for a slower tier: the one list, of files and of tests in them."""
MEANINGS = {
    "long": "takes long, so that ./sg test leaves it out and ./sg test all runs it",
    "nightly": "takes longest, so that only ./sg test nightly runs it",
    "measured": "times kernels: one at a time",
}

NIGHTLY = frozenset("""
""".split())

LONG = frozenset("""
bench_test.py command_agent_test.py export_test.py killed_search_test.py
leaderboard_cheats_test.py leaderboard_claims_test.py leaderboard_live_test.py
leaderboard_page_test.py leaderboard_run_test.py live_schedulers_test.py measured_gym_test.py
plugin_test.py policy_agent_test.py promises_test.py reproduce_test.py studies_shipped_test.py
studies_tune_test.py study_bars_test.py table_test.py verified_test.py
""".split())

MEASURED = frozenset("""
""".split())


def names(nodeid):
    """The names by which a list may have the test: its file, class and method, most exact first."""
    parts = nodeid.rsplit("/", 1)[-1].split("::")
    return ["::".join(parts[:count]) for count in range(len(parts), 0, -1)]


def markers(nodeid):
    """Of the two tiers that which names the test most exactly; and `measured`."""
    found = []
    for name in names(nodeid):
        if name in NIGHTLY or name in LONG:
            found.append("nightly" if name in NIGHTLY else "long")
            break
    if any(name in MEASURED for name in names(nodeid)):
        found.append("measured")
    return found


def group(nodeid):
    """What one worker runs: the test's file, or all that is measured."""
    return "measured" if "measured" in markers(nodeid) else names(nodeid)[-1]
