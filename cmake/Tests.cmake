# One rule for test programs, and for the runs in which ctest calls them.

# Tests call the libraries' optimised code; their own, more than half of the build, is compiled as
# fast as possible.
set(SG_TEST_OPTIONS -O0)

# Of an inline function that several objects hold a linker takes the first. These come before the
# tests' own, so that libraries call the optimised ones: a third less time to run most tests.
set(SG_FIRST_OBJECTS $<TARGET_OBJECTS:sg_base> $<TARGET_OBJECTS:sg_program> $<TARGET_OBJECTS:sg_schedule>)

# How a run of a program is made; see sg_test.
set(SG_RUN_VALUES SHARDS SECONDS TIER)
set(SG_RUN_FLAGS ALONE)
set(SG_RUN_LISTS CASES ENVIRONMENT)

# sg_test(name SOURCES ... [EXCEPT ...] [LINKS ...] [run options]): one GoogleTest program, which ctest
# runs as the test `name`. Options of a run:
#   SHARDS n        deals its cases out to n ctest tests, `name`, `name.2`, ..., which go side by side
#   SECONDS s       about how long one of them takes: the longest begin first
#   TIER long       runs in `./sg test all`, not in `./sg test`
#   TIER nightly    runs in `./sg test nightly` alone
#   ALONE           no other test runs meanwhile
#   ENVIRONMENT ... NAME=VALUE
function(sg_test name)
  cmake_parse_arguments(ARG "${SG_RUN_FLAGS}" "${SG_RUN_VALUES}" "SOURCES;EXCEPT;LINKS;${SG_RUN_LISTS}" ${ARGN})
  sg_sources(ARG_SOURCES SOURCES ${ARG_SOURCES} EXCEPT ${ARG_EXCEPT})
  add_executable(${name} ${SG_FIRST_OBJECTS} $<TARGET_OBJECTS:sg_test_limit> ${ARG_SOURCES})
  sg_compile_options(${name} sg_test_headers)
  target_compile_options(${name} PRIVATE ${SG_TEST_OPTIONS})
  target_link_libraries(${name} PRIVATE ${ARG_LINKS} sg_schedule sg_process_tree rt GTest::gtest GTest::gmock GTest::gtest_main)
  target_compile_definitions(${name} PRIVATE SG_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  # The parts, which are told later, are not of the rest.
  cmake_language(EVAL CODE "cmake_language(DEFER CALL sg_add_runs [[${name}]] [[${name}]] [[${ARGN}]])")
endfunction()

# sg_test_part(name part CASES ... [run options]): these cases of the program run as the test `name.part`
# and not as `name`: `Suite`, or `Suite.Case`, whatever their parameters.
function(sg_test_part name part)
  cmake_parse_arguments(ARG "${SG_RUN_FLAGS}" "${SG_RUN_VALUES}" "${SG_RUN_LISTS}" ${ARGN})
  set_property(TARGET ${name} APPEND PROPERTY SG_PARTS ${ARG_CASES})
  cmake_language(EVAL CODE "cmake_language(DEFER CALL sg_add_runs [[${name}]] [[${name}.${part}]] [[${ARGN}]])")
endfunction()

# sg_command_test(test command... [run options but SHARDS, CASES]): a command of the build as a ctest test.
function(sg_command_test test)
  cmake_parse_arguments(ARG "${SG_RUN_FLAGS}" "${SG_RUN_VALUES}" "${SG_RUN_LISTS}" ${ARGN})
  add_test(NAME ${test} COMMAND ${ARG_UNPARSED_ARGUMENTS} WORKING_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
  sg_describe_test(${test} "${ARG_ENVIRONMENT}")
endfunction()

# Sets the properties of a test, by the run options that the caller has parsed into ARG_...
function(sg_describe_test test environment)
  set_tests_properties(${test} PROPERTIES ENVIRONMENT "${environment}" RUN_SERIAL "${ARG_ALONE}")
  if(ARG_SECONDS)
    set_tests_properties(${test} PROPERTIES COST ${ARG_SECONDS})
  endif()
  if(ARG_TIER)
    set_property(TEST ${test} APPEND PROPERTY LABELS ${ARG_TIER})
  endif()
endfunction()

# GoogleTest's patterns of cases, joined by colons.
function(sg_case_patterns variable)
  set(patterns "")
  foreach(case ${ARGN})
    if(case MATCHES "[*.]")
      list(APPEND patterns ${case} */${case}/*)
    else()
      list(APPEND patterns ${case}.* */${case}.*)
    endif()
  endforeach()
  list(JOIN patterns ":" joined)
  set(${variable} "${joined}" PARENT_SCOPE)
endfunction()

# Adds the run of a program, or of a part of it, to ctest.
function(sg_add_runs program run)
  cmake_parse_arguments(ARG "${SG_RUN_FLAGS}" "${SG_RUN_VALUES}" "SOURCES;EXCEPT;LINKS;${SG_RUN_LISTS}" ${ARGN})
  set(left_out "")
  if(run STREQUAL program)
    get_target_property(left_out ${program} SG_PARTS)
    if(NOT left_out)
      set(left_out "")
    endif()
  endif()
  sg_left_out_of_run(${run} ARG_CASES left_out)
  sg_case_patterns(cases ${ARG_CASES})
  sg_case_patterns(others ${left_out})
  set(filter "")
  if(others)
    set(filter "GTEST_FILTER=${cases}-${others}")
  elseif(cases)
    set(filter "GTEST_FILTER=${cases}")
  endif()
  if(NOT ARG_SHARDS)
    set(ARG_SHARDS 1)
  endif()
  foreach(number RANGE 1 ${ARG_SHARDS})
    set(test ${run})
    if(number GREATER 1)
      set(test ${run}.${number})
    endif()
    add_test(NAME ${test} COMMAND ${program})
    # Tests that run at the same time write files of the same names.
    set(folder ${CMAKE_BINARY_DIR}/tests/tmp/${test}/)
    file(MAKE_DIRECTORY ${folder})
    set(environment "TEST_TMPDIR=${folder}" ${filter} ${ARG_ENVIRONMENT})
    if(ARG_SHARDS GREATER 1)
      math(EXPR index "${number} - 1")
      list(APPEND environment "GTEST_TOTAL_SHARDS=${ARG_SHARDS}" "GTEST_SHARD_INDEX=${index}")
    endif()
    sg_describe_test(${test} "${environment}")
    sg_label_run(${program} ${run} ${test})
  endforeach()
endfunction()
