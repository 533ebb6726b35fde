// WrongPart: a program with one partial sum made wrong, to see whether that is found.
#pragma once

#include <optional>

#include "env/base/rng.h"
#include "env/lower/loop_program.h"

namespace schedulegym {

// The program where a place of partial sums drawn at random (one cell of an rfactor's result) is
// read as `factor` times what it holds; none of a program without partial sums.
std::optional<LoopProgram> WithWrongPart(const LoopProgram& program, double factor, Rng& rng);

}  // namespace schedulegym
