// Measuring: the measurer of the command line, with the parts that it stands on.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "env/measure/measurer.h"
#include "env/measure/protocol.h"
#include "env/program/target.h"

namespace schedulegym {

// Throws MachineError when nothing can be measured on the target: this build lacks its backend, or
// this machine some of its features.
void CheckMeasurable(const Target& target);

// Against the reference schedule of each task, in processes of their own; what the interpreter
// runs, which checks every access, in this one.
std::unique_ptr<Measurer> MakeCommandMeasurer(const Target& target, const Protocol& protocol,
                                              uint64_t seed);

// What makes the machine code of such a measurer's candidates; "" where none is made.
// Throws MachineError as CheckMeasurable does.
std::string MeasuringToolchain(const Target& target);

}  // namespace schedulegym
