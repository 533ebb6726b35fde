# The licences of what a wheel carries, linked in or beside it: the packages' own texts, and those that
# they refer to. Where a system keeps none, none are installed, and the wheel is not for others.
set(SG_CARRIED_PACKAGES libasio-dev libcli11-dev libdmlc0 libeigen3-dev libfmt-dev libgomp1 libseccomp-dev
                        libspdlog-dev libsqlite3-dev libxgboost-dev libzstd-dev llvm-19-dev
                        nlohmann-json3-dev zlib1g-dev)
set(SG_COMMON_LICENSES Apache-2.0 CC0-1.0 GPL-2 GPL-3 LGPL-2.1)

function(sg_install_licenses component destination)
  foreach(package ${SG_CARRIED_PACKAGES})
    sg_install_license(/usr/share/doc/${package}/copyright ${package} ${component} ${destination})
  endforeach()
  foreach(license ${SG_COMMON_LICENSES})
    sg_install_license(/usr/share/common-licenses/${license} ${license} ${component} ${destination})
  endforeach()
  # Comes from an index of Python packages, which keeps it beside the package.
  file(GLOB found ${pybind11_DIR}/../../../../pybind11-*.dist-info/licenses/LICENSE
                  ${pybind11_DIR}/../../../../pybind11-*.dist-info/LICENSE)
  foreach(license ${found})
    sg_install_license(${license} pybind11 ${component} ${destination})
  endforeach()
endfunction()

function(sg_install_license file name component destination)
  if(NOT EXISTS ${file})
    message(STATUS "no licence of ${name} to carry: ${file} does not exist")
    return()
  endif()
  file(REAL_PATH ${file} file)
  install(FILES ${file} RENAME ${name} DESTINATION ${destination} COMPONENT ${component})
endfunction()
