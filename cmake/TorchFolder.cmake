# LibTorch by the folder that holds it, SCHEDULEGYM_TORCH, such as site-packages/torch of a wheel. Its own
# package asks for all of CUDA where it was built with that; nothing here needs more than the CPU's part.
# Sets what find_package(Torch) would.
set(torch_header "${SCHEDULEGYM_TORCH}/include/ATen/ATen.h")
set(torch_libraries "")
foreach(name torch_cpu c10)
  list(APPEND torch_libraries "${SCHEDULEGYM_TORCH}/lib/lib${name}.so")
endforeach()
foreach(file ${torch_header} ${torch_libraries})
  if(NOT EXISTS "${file}")
    message(FATAL_ERROR "SCHEDULEGYM_TORCH is '${SCHEDULEGYM_TORCH}', where there is no '${file}': "
                        "expected the folder of a LibTorch")
  endif()
endforeach()
add_library(torch INTERFACE IMPORTED GLOBAL)
target_include_directories(torch SYSTEM INTERFACE "${SCHEDULEGYM_TORCH}/include"
                                                  "${SCHEDULEGYM_TORCH}/include/torch/csrc/api/include")
# A wheel's libraries find those of other wheels by themselves.
target_link_libraries(torch INTERFACE ${torch_libraries})
target_link_options(torch INTERFACE "LINKER:--allow-shlib-undefined")
set(TORCH_LIBRARIES torch)
set(Torch_FOUND TRUE)
set(Torch_VERSION "of ${SCHEDULEGYM_TORCH}")
