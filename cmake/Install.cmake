# An installed copy: the programs, and what plugins are built against. A wheel installs its own programs.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

if(NOT SCHEDULEGYM_WHEEL)
  set(programs schedulegym schedulegym-agent)
  foreach(program schedulegym-worker schedulegym-device schedulegym-confined)
    if(TARGET ${program})
      list(APPEND programs ${program})
    endif()
  endforeach()
  # From the build on: what is rewritten when installed has empty entries till then, for which the
  # loader looks into whatever folder the program is started from.
  set_target_properties(${programs} PROPERTIES INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}"
                                               INSTALL_RPATH_USE_LINK_PATH ON
                                               BUILD_WITH_INSTALL_RPATH ON)
  install(TARGETS ${programs} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  if(TARGET bench-worker)
    set_target_properties(bench-worker PROPERTIES INSTALL_RPATH "$ORIGIN/../../${CMAKE_INSTALL_LIBDIR}"
                                                  INSTALL_RPATH_USE_LINK_PATH ON
                                                  BUILD_WITH_INSTALL_RPATH ON)
    install(TARGETS bench-worker RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}/bench)
  endif()
  if(TARGET schedulegym_learned)
    set_target_properties(schedulegym_learned PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON
                                                         BUILD_WITH_INSTALL_RPATH ON)
    install(TARGETS schedulegym_learned LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  endif()
endif()

# What plugins are built against is a component of its own; in a wheel it lies in the package.
set(component plugins)
set(library_folder ${CMAKE_INSTALL_LIBDIR})
if(SCHEDULEGYM_WHEEL)
  set(component python)
  set(library_folder lib)
  set(without_link NAMELINK_SKIP)
endif()
install(TARGETS schedulegym_shared EXPORT schedulegymTargets
        LIBRARY DESTINATION ${library_folder} COMPONENT ${component} ${without_link})

get_property(headers GLOBAL PROPERTY SG_PUBLIC_HEADERS)
foreach(header ${headers})
  cmake_path(GET header PARENT_PATH folder)
  install(FILES ${header} DESTINATION include/schedulegym/${folder} COMPONENT ${component})
endforeach()

set(package ${library_folder}/cmake/schedulegym)
install(EXPORT schedulegymTargets NAMESPACE schedulegym:: DESTINATION ${package} COMPONENT ${component})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/schedulegymConfigVersion.cmake
                                 COMPATIBILITY ExactVersion)
install(FILES ${CMAKE_BINARY_DIR}/schedulegymConfigVersion.cmake cmake/PublicHeaders.cmake
              cmake/schedulegymConfig.cmake DESTINATION ${package} COMPONENT ${component})
