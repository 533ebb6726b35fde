// WrongPart: makes one partial sum of a program wrong, to test whether this is detected.
#pragma once

#include <optional>

#include "env/base/rng.h"
#include "env/lower/loop_program.h"

namespace schedulegym {

// Draws a cell of an rfactor's result; reads of it return `factor` times its value. nullopt for a
// program without partial sums.
std::optional<LoopProgram> WithWrongPart(const LoopProgram& program, double factor, Rng& rng);

}  // namespace schedulegym
