# An installed copy: the programs, and what plugins are built against. A wheel installs its own parts.
if(SCHEDULEGYM_WHEEL)
  return()
endif()
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(programs schedulegym schedulegym-agent)
foreach(program schedulegym-worker schedulegym-confined)
  if(TARGET ${program})
    list(APPEND programs ${program})
  endif()
endforeach()
set_target_properties(${programs} PROPERTIES INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}"
                                             INSTALL_RPATH_USE_LINK_PATH ON)
install(TARGETS ${programs} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
if(TARGET schedulegym_learned)
  set_target_properties(schedulegym_learned PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
  install(TARGETS schedulegym_learned LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
# What plugins are built against is a component of its own.
install(TARGETS schedulegym_shared EXPORT schedulegymTargets
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT plugins)

get_property(headers GLOBAL PROPERTY SG_PUBLIC_HEADERS)
foreach(header ${headers})
  cmake_path(GET header PARENT_PATH folder)
  install(FILES ${header} DESTINATION include/schedulegym/${folder} COMPONENT plugins)
endforeach()

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/schedulegym)
install(EXPORT schedulegymTargets NAMESPACE schedulegym:: DESTINATION ${package} COMPONENT plugins)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/schedulegymConfigVersion.cmake
                                 COMPATIBILITY ExactVersion)
install(FILES ${CMAKE_BINARY_DIR}/schedulegymConfigVersion.cmake cmake/PublicHeaders.cmake
              cmake/schedulegymConfig.cmake DESTINATION ${package} COMPONENT plugins)
