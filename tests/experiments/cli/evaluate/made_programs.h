// MadePrograms: programs of a matmul whose seconds are those of the analytical model.
#pragma once

#include <cstdint>
#include <string>

#include "assembly/program_data.h"

namespace schedulegym {

// `count` random schedules of a workload on a made-up CPU; they differ for other seeds.
TaskPrograms MadePrograms(const std::string& workload, int count, uint64_t seed);

}  // namespace schedulegym
