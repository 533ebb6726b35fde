# What runs under sanitizers, and what does not: said here alone, with the reason.
# SCHEDULEGYM_SANITIZERS is `address,undefined` (preset testing) or `thread` (preset tsan).

# Under address and undefined in each run of all tests: what reads foreign bytes, shares memory or
# starts processes. They are few, for all that they link is compiled once more. All other tests, the
# workers' and the chaos test first, run so by `./sg test sanitized all`.
set(SG_SANITIZED_TESTS base_test runner_test file_fuzz_test team_test)

# Under thread, by the same flag: the host's code that several threads may see.
set(SG_THREAD_TESTS agents_test backend_llvm_test base_test chaos_test cli_test environment_test
                    gym_table_test measure_test runner_test schedule_test team_test worker_test)

set(SG_LEFT_OUT "")
if(SCHEDULEGYM_SANITIZERS)
  # What hostile candidates attack, memory, signals and limits, is what sanitizers live on.
  list(APPEND SG_LEFT_OUT hostile_test)
endif()

# Left out under thread (GoogleTest's filters): its own thread, which it starts in every process,
# sleeps and asks for the time, and the filter of system calls ends candidates for that; and its
# notes count as memory of the process. Of the backend: what is called from several threads.
set(SG_THREAD_FILTER_worker_test
    "-SandboxTest.*:ShapeGateTrueTest.*:WorkerMeasurerTest.*:AwkwardShapesTest.*:CorruptResultsTest.*:WorkplaceTest.*")
set(SG_THREAD_FILTER_runner_test "-*MemoryUseTest.*")
set(SG_THREAD_FILTER_backend_llvm_test "*FromSeveralThreads*")
# A process that has threads and forks may not start others then.
set(SG_THREAD_FILTER_team_test "-*AForkHasHelpersOfItsOwn")

# Behind the filter of system calls: of all checks that of dynamic types alone asks the system
# (it opens a pipe to learn whether a virtual table can be read), which ends a candidate.
set(SG_BEHIND_FILTER sg_worker sg_measure sg_backend_llvm)

function(sg_sanitize_library name)
  if(SCHEDULEGYM_SANITIZERS MATCHES undefined AND name IN_LIST SG_BEHIND_FILTER)
    target_compile_options(${name} PRIVATE -fno-sanitize=vptr)
  endif()
endfunction()

# The targets build, and ctest's labels of the same names choose.
add_custom_target(sanitized)
add_custom_target(threads)

function(sg_label_test name)
  foreach(label sanitized threads)
    set(tests_sanitized ${SG_SANITIZED_TESTS})
    set(tests_threads ${SG_THREAD_TESTS})
    if(name IN_LIST tests_${label})
      add_dependencies(${label} ${name})
      set_property(TEST ${name} APPEND PROPERTY LABELS ${label})
    endif()
  endforeach()
  if(SCHEDULEGYM_SANITIZERS STREQUAL "thread" AND DEFINED SG_THREAD_FILTER_${name})
    set_property(TEST ${name} APPEND PROPERTY
                 ENVIRONMENT "GTEST_FILTER=${SG_THREAD_FILTER_${name}}")
  endif()
endfunction()
