// SpinLimit: how long a thread of a team stays awake while it waits for the others.
#pragma once

#include <cstdint>
#include <string>

#include "env/base/clock.h"

namespace schedulegym {

// The system's library turns 300,000 times: 16 milliseconds where a turn takes 140 cycles. While
// others compile, it so keeps a core from the very thread that it waits for: verifying took 29
// milliseconds a candidate (matmul 512, two cores) instead of 19. A quarter of a millisecond is
// more than passes between two calls of a sample, or between the ends of two balanced threads.
constexpr double kSpinSeconds = 250e-6;

// As many turns as take so long here.
int64_t SpinTurns(double seconds, const Clock& clock);

// "GOMP_SPINCOUNT=4600", for the environment of a process that calls kernels.
std::string SpinLimitVariable(const Clock& clock);

}  // namespace schedulegym
