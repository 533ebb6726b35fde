# What every folder's CMakeLists.txt uses: one rule for libraries, programs and tests.

# The compiler cache lives in the build's own parent, so that nothing outside the clone is touched. All
# builds of a clone share it: what a wheel compiles was compiled before, in another folder.
find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Without it ccache passes on everything that uses precompiled headers.
  set(CMAKE_CXX_COMPILER_LAUNCHER "CCACHE_SLOPPINESS=pch_defines,time_macros"
      "CCACHE_BASEDIR=${CMAKE_SOURCE_DIR}" CCACHE_NOHASHDIR=1
      sh ${CMAKE_SOURCE_DIR}/cmake/cached.sh ${CCACHE_PROGRAM})
  if(NOT DEFINED ENV{CCACHE_DIR})
    cmake_path(GET CMAKE_BINARY_DIR PARENT_PATH parent)
    list(PREPEND CMAKE_CXX_COMPILER_LAUNCHER "CCACHE_DIR=${parent}/.ccache")
  endif()
  list(PREPEND CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env)
endif()

# Links in a seventh of the time where it is found: the tests alone are some twenty programs.
include(CheckLinkerFlag)
check_linker_flag(CXX -fuse-ld=lld SCHEDULEGYM_LLD)
if(SCHEDULEGYM_LLD)
  add_link_options(-fuse-ld=lld)
endif()

if(SCHEDULEGYM_SANITIZERS)
  add_compile_options(-fsanitize=${SCHEDULEGYM_SANITIZERS} -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${SCHEDULEGYM_SANITIZERS})
endif()
include(Sanitizers)

# The standard headers that most files include, compiled once; the tests' with GoogleTest. They
# bring nothing that the tree may not include anyway: each header also stands alone (lint).
set(SG_COMMON_HEADERS <algorithm> <cstdint> <functional> <map> <memory> <optional> <span> <string>
                      <string_view> <utility> <variant> <vector>)

# sg_precompiled(name HEADERS ... [USES ...]): USES are the libraries that the headers belong to.
function(sg_precompiled name)
  cmake_parse_arguments(ARG "" "" "HEADERS;USES" ${ARGN})
  file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/precompiled/${name}.cc CONTENT "")
  add_library(${name} STATIC ${CMAKE_BINARY_DIR}/precompiled/${name}.cc)
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_compile_options(${name} PRIVATE -fPIC)
  target_precompile_headers(${name} PRIVATE ${ARG_HEADERS})
  target_link_libraries(${name} PRIVATE ${ARG_USES})
endfunction()

# Uses the headers of `precompiled` unless the target came to have its own.
function(sg_share_precompiled target precompiled)
  get_target_property(own ${target} PRECOMPILE_HEADERS)
  if(NOT own)
    target_precompile_headers(${target} REUSE_FROM ${precompiled})
  endif()
endfunction()

# sg_unite_sources(): the sources of all targets that sg_compile_options saw are compiled several at once:
# eight of a library take 7 s so, 16 s one by one. Whoever edits a file compiles a few more for it;
# -D SCHEDULEGYM_UNITY=OFF compiles each alone.
function(sg_unite_sources)
  find_program(SG_PYTHON python3)
  if(NOT SCHEDULEGYM_UNITY OR NOT SG_PYTHON)
    return()
  endif()
  get_property(targets GLOBAL PROPERTY SG_TARGETS)
  set(list "")
  foreach(target ${targets})
    get_target_property(sources ${target} SOURCES)
    get_target_property(folder ${target} SOURCE_DIR)
    list(FILTER sources INCLUDE REGEX "^[^$]*\\.cc$")
    foreach(source ${sources})
      cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${folder} NORMALIZE)
      cmake_path(IS_PREFIX CMAKE_BINARY_DIR ${source} made_here)
      if(NOT made_here)
        string(APPEND list "${target}\t${source}\n")
      endif()
    endforeach()
  endforeach()
  file(WRITE ${CMAKE_BINARY_DIR}/united.txt "${list}")
  set(program ${CMAKE_SOURCE_DIR}/cmake/unite.py)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${program})
  execute_process(COMMAND ${SG_PYTHON} ${program} united.txt united.cmake
                          ${CMAKE_SOURCE_DIR}
                  WORKING_DIRECTORY ${CMAKE_BINARY_DIR} COMMAND_ERROR_IS_FATAL ANY)
  include(${CMAKE_BINARY_DIR}/united.cmake)
endfunction()

function(sg_compile_options target precompiled)
  set_property(GLOBAL APPEND PROPERTY SG_TARGETS ${target})
  cmake_language(EVAL CODE "cmake_language(DEFER CALL sg_share_precompiled ${target} ${precompiled})")
  # Programs too are compiled as libraries are, so that all may use the same precompiled headers.
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  # GCC 12 takes "text" + std::string for an access beyond the string's own bytes (its bug 105651).
  set(old_gcc $<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>)
  target_compile_options(${target} PRIVATE -fPIC -Wall -Wextra -Wno-missing-field-initializers
                                           "$<${old_gcc}:-Wno-array-bounds;-Wno-restrict>"
                                           $<$<BOOL:${SCHEDULEGYM_WERROR}>:-Werror>)
  target_include_directories(${target} PUBLIC ${CMAKE_SOURCE_DIR})
endfunction()

sg_precompiled(sg_common_headers HEADERS ${SG_COMMON_HEADERS})

# What stands above env sees schedules nearly everywhere: a fifth less time to compile it and its tests.
# A folder that sets SG_PRECOMPILED to this has it for all below.
set(SG_STATE_HEADERS ${CMAKE_SOURCE_DIR}/env/base/fault.h ${CMAKE_SOURCE_DIR}/env/program/language/parser.h
                     ${CMAKE_SOURCE_DIR}/env/schedule/state.h)
sg_precompiled(sg_state_headers HEADERS ${SG_COMMON_HEADERS} ${SG_STATE_HEADERS})
target_include_directories(sg_state_headers PRIVATE ${CMAKE_SOURCE_DIR})
set(SG_PRECOMPILED sg_common_headers)

# sg_sources(variable SOURCES ... [EXCEPT ...]): each source may be a pattern, such as *.cc, which finds
# new files by itself; relative to the folder that asks.
function(sg_sources variable)
  cmake_parse_arguments(ARG "" "" "SOURCES;EXCEPT" ${ARGN})
  set(found "")
  foreach(source ${ARG_SOURCES})
    if(source MATCHES "\\*")
      file(GLOB matches RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} CONFIGURE_DEPENDS ${source})
      list(APPEND found ${matches})
    else()
      list(APPEND found ${source})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES found)
  if(ARG_EXCEPT)
    list(REMOVE_ITEM found ${ARG_EXCEPT})
  endif()
  set(${variable} ${found} PARENT_SCOPE)
endfunction()

# sg_embedded_files(variable patterns ...): a source with the text of every file, as
# env/program/workloads/builtin_files.h declares it; made anew when one changes.
function(sg_embedded_files variable)
  file(GLOB files CONFIGURE_DEPENDS ${ARGN})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${files})
  set(net "")
  set(dag "")
  set(tasks "")
  foreach(file ${files})
    cmake_path(GET file STEM name)
    cmake_path(GET file EXTENSION kind)
    string(SUBSTRING ${kind} 1 -1 kind)
    file(READ ${file} text)
    string(APPEND ${kind} "    {\"${name}\", R\"file(${text})file\"},\n")
  endforeach()
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${variable}.cc)
  file(CONFIGURE OUTPUT ${source} @ONLY CONTENT [[
#include "env/program/workloads/builtin_files.h"

namespace schedulegym {
namespace {

constexpr BuiltinFile kNetFiles[] = {
@net@};
constexpr BuiltinFile kDagFiles[] = {
@dag@};
constexpr BuiltinFile kTaskFiles[] = {
@tasks@};

}  // namespace

std::span<const BuiltinFile> BuiltinNetFiles() { return kNetFiles; }
std::span<const BuiltinFile> BuiltinDagFiles() { return kDagFiles; }
std::span<const BuiltinFile> BuiltinTaskFiles() { return kTaskFiles; }

}  // namespace schedulegym
]])
  set(${variable} ${source} PARENT_SCOPE)
endfunction()

# sg_library(name SOURCES ... [EXCEPT ...] [LINKS ...] [USES ...]): LINKS are the project's libraries,
# seen by users too; USES are outside libraries that only its own .cc files see.
function(sg_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;EXCEPT;LINKS;USES" ${ARGN})
  sg_sources(ARG_SOURCES SOURCES ${ARG_SOURCES} EXCEPT ${ARG_EXCEPT})
  add_library(${name} STATIC ${ARG_SOURCES})
  sg_compile_options(${name} ${SG_PRECOMPILED})
  sg_sanitize_library(${name})
  target_link_libraries(${name} PUBLIC ${ARG_LINKS} PRIVATE ${ARG_USES})
endfunction()

# What plugins call, and find in the shared library that they link: visible there, hidden in all else.
# Calls within it stay what they are, for nobody may replace its functions.
set(SG_EXPORTED_OPTIONS -fvisibility=default -fno-semantic-interposition)

# sg_export_library(name) all of a library, sg_export_sources(files ...) some of this folder's.
function(sg_export_library name)
  target_compile_options(${name} PRIVATE ${SG_EXPORTED_OPTIONS})
endfunction()
function(sg_export_sources)
  set_property(SOURCE ${ARGN} APPEND PROPERTY COMPILE_OPTIONS ${SG_EXPORTED_OPTIONS})
  # What was compiled before, as hidden, would stay so.
  set_property(SOURCE ${ARGN} PROPERTY SKIP_PRECOMPILE_HEADERS ON)
endfunction()

# sg_program(name SOURCES ... [LINKS ...]): an executable in the build's bin folder.
function(sg_program name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINKS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  sg_compile_options(${name} ${SG_PRECOMPILED})
  target_link_libraries(${name} PRIVATE ${ARG_LINKS})
endfunction()
