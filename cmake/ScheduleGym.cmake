# What every folder's CMakeLists.txt uses: one rule for libraries, programs and tests.

# The compiler cache lives in the build's own parent, so that nothing outside the clone is touched.
find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
  if(NOT DEFINED ENV{CCACHE_DIR})
    cmake_path(GET CMAKE_BINARY_DIR PARENT_PATH parent)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env "CCACHE_DIR=${parent}/.ccache"
                                    ${CCACHE_PROGRAM})
  endif()
endif()

if(SCHEDULEGYM_SANITIZERS)
  add_compile_options(-fsanitize=${SCHEDULEGYM_SANITIZERS} -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${SCHEDULEGYM_SANITIZERS})
endif()

function(sg_compile_options target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wno-missing-field-initializers
                                           $<$<BOOL:${SCHEDULEGYM_WERROR}>:-Werror>)
  target_include_directories(${target} PUBLIC ${CMAKE_SOURCE_DIR})
endfunction()

# sg_library(name SOURCES ... [LINKS ...] [USES ...]): LINKS are the project's libraries, seen by
# users too; USES are outside libraries that only its own .cc files see.
function(sg_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINKS;USES" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  sg_compile_options(${name})
  target_link_libraries(${name} PUBLIC ${ARG_LINKS} PRIVATE ${ARG_USES})
endfunction()

# sg_program(name SOURCES ... [LINKS ...]): an executable in the build's bin folder.
function(sg_program name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINKS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  sg_compile_options(${name})
  target_link_libraries(${name} PRIVATE ${ARG_LINKS})
endfunction()

# sg_test(name SOURCES ... [LINKS ...]): one GoogleTest program.
function(sg_test name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINKS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  sg_compile_options(${name})
  target_link_libraries(${name} PRIVATE ${ARG_LINKS} GTest::gtest GTest::gmock GTest::gtest_main)
  target_compile_definitions(${name} PRIVATE SG_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  add_test(NAME ${name} COMMAND ${name})
endfunction()
