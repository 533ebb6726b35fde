# What runs under sanitizers, and what does not: said here alone, with the reason.
# SCHEDULEGYM_SANITIZERS is `address,undefined` (preset testing) or `thread` (preset tsan).

# Under address and undefined in each run of all tests: what reads foreign bytes, shares memory or
# starts processes. All that these programs link is compiled once more, so they link little. All other
# tests, the workers' and the store's first, run so by `./sg test sanitized all`.
set(SG_SANITIZED_TESTS base_test runner_test runner_test.team file_fuzz_test)

# Under thread, by the same flag: the host's code that several threads may see.
set(SG_THREAD_TESTS agents_test backends_test base_test cli_test gym_test measure_test runner_test
                    runner_test.team schedule_test worker_test)

set(SG_LEFT_OUT "")
if(SCHEDULEGYM_SANITIZERS)
  # What hostile candidates attack, memory, signals and limits, is what sanitizers live on.
  list(APPEND SG_LEFT_OUT hostile_test)
  # Drivers are not ours, and what they leave behind counts as leaks of the test.
  list(APPEND SG_LEFT_OUT opencl_driver_test)
endif()

# Left out under thread (as sg_test_part names cases): its own thread, which it starts in every process,
# sleeps and asks for the time, and the filter of system calls ends candidates for that; and its notes
# count as memory of the process.
set(SG_THREAD_WITHOUT_worker_test SandboxTest EdgeShapeCheckTrueTest WorkerMeasurerTest AwkwardShapesTest
                                  CorruptResultsTest WorkerPoolTest)
set(SG_THREAD_WITHOUT_runner_test MemoryUseTest)
# A process that has threads and forks may not start others then.
set(SG_THREAD_WITHOUT_runner_test.team TeamTest.AForkHasHelpersOfItsOwn)
# Of the backends: what is called from several threads.
set(SG_THREAD_ONLY_backends_test *FromSeveralThreads*)

# sg_left_out_of_run(run cases others): narrows the cases of a run, by the names of these variables.
function(sg_left_out_of_run run cases others)
  if(SCHEDULEGYM_SANITIZERS STREQUAL "thread")
    if(DEFINED SG_THREAD_ONLY_${run})
      set(${cases} ${SG_THREAD_ONLY_${run}} PARENT_SCOPE)
    endif()
    set(${others} ${${others}} ${SG_THREAD_WITHOUT_${run}} PARENT_SCOPE)
  endif()
endfunction()

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

function(sg_label_run program run test)
  set(tests_sanitized ${SG_SANITIZED_TESTS})
  set(tests_threads ${SG_THREAD_TESTS})
  foreach(label sanitized threads)
    if(run IN_LIST tests_${label})
      add_dependencies(${label} ${program})
      set_property(TEST ${test} APPEND PROPERTY LABELS ${label})
    endif()
  endforeach()
endfunction()
