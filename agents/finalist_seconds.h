// Finalist seconds: what measuring schedules again at the end of a search should take.
#pragma once

#include <span>

#include "env/measure/measurement.h"
#include "env/measure/protocol.h"

namespace schedulegym {

// Of a schedule that was measured once, with success: in each fresh process what that took beside
// its samples, and as many samples as the protocol has for finalists.
double FinalistSeconds(const Protocol& protocol, const Measurement& measurement);

// What a search of so many seconds keeps free for finalists, `most` of each task, whose cost `each`
// says: a tenth, less if they need less; for one alone up to a fifth; nothing where even that is
// too little.
double FinalistReserve(std::span<const double> each, int most, double seconds);

}  // namespace schedulegym
