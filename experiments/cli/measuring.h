// Measuring: the measurer of the command line.
#pragma once

#include <cstdint>
#include <memory>

#include "env/measure/measurer.h"
#include "env/measure/protocol.h"
#include "env/program/target.h"

namespace schedulegym {

// The host's (host_measurer.h), against the reference schedule of each task.
std::unique_ptr<Measurer> MakeCommandMeasurer(const Target& target, const Protocol& protocol,
                                              uint64_t seed);

}  // namespace schedulegym
