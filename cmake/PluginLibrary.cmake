# The shared library that plugins link, libschedulegym: the nouns of env and the ports of agents. What else
# it needs is in it, and hidden.
include(PublicHeaders)
set(SG_PUBLIC_ROOTS agents/plugin.h env/base/memory.h env/base/memory_file.h env/base/model_state_file.h env/program/task_list.h env/program/workloads/task_list.h spaces/builtin_spaces.h)
sg_public_headers(SG_PUBLIC_HEADERS ${CMAKE_SOURCE_DIR} ${SG_PUBLIC_ROOTS})
sg_hash_headers(SG_PUBLIC_HASH ${CMAKE_SOURCE_DIR} ${SG_PUBLIC_HEADERS})
list(TRANSFORM SG_PUBLIC_HEADERS PREPEND ${CMAKE_SOURCE_DIR}/ OUTPUT_VARIABLE headers)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${headers})
set_property(GLOBAL PROPERTY SG_PUBLIC_HEADERS ${SG_PUBLIC_HEADERS})
set_property(GLOBAL PROPERTY SG_PUBLIC_HASH ${SG_PUBLIC_HASH})

# Those sources that sg_export_library and sg_export_sources name.
add_library(schedulegym_shared SHARED
  $<TARGET_OBJECTS:sg_base> $<TARGET_OBJECTS:sg_program> $<TARGET_OBJECTS:sg_schedule> $<TARGET_OBJECTS:sg_search>
  "$<FILTER:$<TARGET_OBJECTS:sg_measure>,INCLUDE,/(measurement|outcome|record)[.]cc[.]o$>"
  "$<FILTER:$<TARGET_OBJECTS:sg_spaces>,INCLUDE,/builtin_spaces[.]cc[.]o$>"
  "$<FILTER:$<TARGET_OBJECTS:sg_agents>,INCLUDE,/(agent_maker|trial|fresh_schedules|task_search)[.]cc[.]o$>")
target_link_libraries(schedulegym_shared PRIVATE sg_agents sg_spaces sg_measure)
target_include_directories(schedulegym_shared INTERFACE $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}>
                                                        $<INSTALL_INTERFACE:include/schedulegym>)
set(map ${CMAKE_SOURCE_DIR}/cmake/exported.map)
target_link_options(schedulegym_shared PRIVATE -Wl,--version-script=${map} -Wl,-z,defs)
# The version is the number of the plugins' API.
set_target_properties(schedulegym_shared PROPERTIES
  OUTPUT_NAME schedulegym EXPORT_NAME schedulegym SOVERSION 1 LINKER_LANGUAGE CXX LINK_DEPENDS ${map}
  LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
