# find_package(schedulegym): the library that plugins link, and how a plugin is built.
include(${CMAKE_CURRENT_LIST_DIR}/schedulegymTargets.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/PublicHeaders.cmake)

# As they are here now: who changed one builds other plugins.
get_target_property(_schedulegym_include schedulegym::schedulegym INTERFACE_INCLUDE_DIRECTORIES)
file(GLOB_RECURSE _schedulegym_headers RELATIVE ${_schedulegym_include} ${_schedulegym_include}/*.h)
list(SORT _schedulegym_headers)
sg_hash_headers(SCHEDULEGYM_HEADERS ${_schedulegym_include} ${_schedulegym_headers})

# schedulegym_add_plugin(name files ...): name.so, for `schedulegym tune --plugin name.so`. One of the
# files holds SG_PLUGIN (agents/plugin.h).
function(schedulegym_add_plugin name)
  add_library(${name} MODULE ${ARGN})
  schedulegym_use(${name})
  set_target_properties(${name} PROPERTIES PREFIX "" SUFFIX .so)
endfunction()

# schedulegym_use(target): compiles and links it as a plugin is, such as a plugin's own test.
function(schedulegym_use target)
  target_link_libraries(${target} PRIVATE schedulegym::schedulegym)
  target_compile_features(${target} PRIVATE cxx_std_20)
  target_compile_definitions(${target} PRIVATE SG_PLUGIN_HEADERS="${SCHEDULEGYM_HEADERS}")
  target_link_options(${target} PRIVATE -Wl,-z,defs)
  set_target_properties(${target} PROPERTIES CXX_VISIBILITY_PRESET hidden
                                             VISIBILITY_INLINES_HIDDEN ON)
endfunction()
