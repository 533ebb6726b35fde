// MadePrograms: programs of a matmul whose seconds are those of the analytical model.
#pragma once

#include <cstdint>
#include <string>

#include "assembly/program_data.h"

namespace schedulegym {

// `count` drawn schedules of a workload on a made-up processor; different ones for other seeds.
TaskPrograms MadePrograms(const std::string& workload, int count, uint64_t seed);

}  // namespace schedulegym
