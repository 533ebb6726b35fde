// Measuring: the measurer of the command line, with the parts that it stands on.
#pragma once

#include <cstdint>
#include <memory>

#include "env/measure/measurer.h"
#include "env/measure/protocol.h"

namespace schedulegym {

// Measures in this process, against the reference schedule of each task.
std::unique_ptr<Measurer> MakeCommandMeasurer(const Protocol& protocol, uint64_t seed);

}  // namespace schedulegym
