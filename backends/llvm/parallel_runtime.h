// ParallelRuntime: who gives a generated kernel the threads of its parallel loops.
#pragma once

#include <cstdint>

namespace schedulegym {

enum class ParallelRuntime : uint8_t {
  kOpenMp,  // the process's OpenMP library, one share for each thread
  kTeam,    // the team that exported kernels bring along (backends/team/team.h)
};

}  // namespace schedulegym
