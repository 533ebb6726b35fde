"""Which tests wait for a slower tier: the one list, of files and of tests in them."""
MEANINGS = {
    "long": "takes long, so that ./sg test leaves it out and ./sg test all runs it",
    "nightly": "takes longest, so that only ./sg test nightly runs it",
    "measured": "times kernels: one at a time",
}

NIGHTLY = frozenset("""
data_test.py::MadeTest
data_test.py::WholeReplayTest
docs_check.py
full_disk_test.py::EachWriteTest
gpu_bundle_test.py::GpuBundleTest::test_a_whole_bundle_is_small
gym_test.py::GymTest::test_a_thousand_environments_leave_nothing
leaderboard_order_test.py
leaderboard_packages_check.py
plugin_test.py::InstalledCopyTest::test_each_header_stands_alone
policy_agent_test.py
ray_check.py
site_test.py
without_llvm_test.py
studies_shipped_test.py
text_fuzz_test.py::CommandTextFuzzTest::test_many_calls
text_fuzz_test.py::PythonTextFuzzTest::test_many_texts
trained_ends_check.py
training_check.py
two_writers_test.py::ManyWritersTest
""".split())

LONG = frozenset("""
bench_test.py
command_agent_test.py
docs_check.py::DocsTest::test_readme
docs_check.py::DocsTest::test_docs_guide_agent_any_language
docs_check.py::DocsTest::test_docs_guide_agent_cpp
docs_check.py::DocsTest::test_docs_guide_agent_python
docs_check.py::DocsTest::test_docs_guide_compare_searches
docs_check.py::DocsTest::test_docs_guide_first_kernel
docs_check.py::DocsTest::test_docs_guide_gpus
docs_check.py::DocsTest::test_docs_guide_install
docs_check.py::DocsTest::test_docs_guide_learn_from_tables
docs_check.py::DocsTest::test_docs_guide_own_computation
docs_check.py::DocsTest::test_docs_guide_train_a_policy
docs_check.py::DocsTest::test_docs_guide_troubleshoot
docs_check.py::DocsTest::test_docs_guide_trust_a_number
docs_check.py::DocsTest::test_docs_guide_tune_a_network
docs_check.py::DocsTest::test_docs_guide_use_a_kernel
docs_check.py::DocsTest::test_docs_reference_records
export_test.py
full_disk_test.py
killed_search_test.py
leaderboard_cheats_test.py
leaderboard_claims_test.py
leaderboard_live_test.py
leaderboard_page_test.py
leaderboard_run_test.py
live_schedulers_test.py
measured_gym_test.py
outputs_test.py::OutputsTest
prints_test.py::PrintsTest
plugin_test.py
promises_test.py
reproduce_test.py
studies_shipped_test.py::ShippedTest::test_all_are_tested
studies_shipped_test.py::ShippedTest::test_each_rule_of_the_space_is_asked_for
studies_shipped_test.py::ShippedTest::test_policies_are_trained_on_other_shapes_than_they_are_asked_of
studies_shipped_test.py::ShippedTest::test_those_of_folders_are_read
studies_tune_test.py
table_test.py
training_check.py::ExamplesTest::test_maskable_ppo
training_check.py::ExamplesTest::test_rank_programs
verified_test.py
""".split())

# Files and tests that time kernels for seconds: side by side they would wait for one another.
MEASURED = frozenset("""
bench_test.py
compile_test.py::CompileTest::test_the_best_of_a_store
export_test.py
learned_speed_test.py::LearnedSpeedTest::test_a_schedule_is_measured_beside_the_reference
measured_gym_test.py
network_env_test.py::NetworkEnvTest::test_measured_networks
once_failed_test.py
promises_test.py
recorded_gym_test.py
reference_test.py::ReferenceTest
reproduce_test.py
studies_network_test.py::LiveNetworkTest
table_test.py
tune_api_test.py::TuneTest::test_a_search_tells_its_result_and_keeps_it
tune_api_test.py::TuneTest::test_measuring_alone
tune_api_test.py::TuneTest::test_the_interpreters_lock_is_free_while_measuring
tune_test.py::TuneTest::test_events
tune_test.py::TuneTest::test_few_trials_have_no_finalists
tune_test.py::TuneTest::test_interrupts_print_the_best_so_far
tune_test.py::TuneTest::test_the_best_is_measured_again
tune_test.py::TuneTest::test_the_last_trials_refine_the_best
tune_test.py::TuneTest::test_the_store_is_what_show_replay_and_records_read
tune_test.py::TuneTest::test_time_beside_a_busy_loop
tune_test.py::TuneTest::test_trace_out_is_the_best_trace
verified_test.py
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
