// Finalist seconds: what measuring schedules again at the end of a search should take.
#pragma once

#include <span>

#include "env/measure/measurement.h"
#include "env/measure/protocol.h"

namespace schedulegym {

// Of a schedule that was measured once, with success: in each fresh process what that took beside
// its samples, and as many samples as the protocol has for finalists; in each no less than a trial
// takes by the clock, `trial_seconds`, which tells of whoever else has the machine.
double FinalistSeconds(const Protocol& protocol, const Measurement& measurement,
                       double trial_seconds = 0);

// What a search of so many seconds keeps free for finalists, `most` of each task, whose cost `each`
// says: a tenth, less if they need less; for one alone up to a fifth; nothing where even that is
// too little.
double FinalistReserve(std::span<const double> each, int most, double seconds);

}  // namespace schedulegym
