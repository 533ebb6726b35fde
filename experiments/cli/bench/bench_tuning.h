// Bench tuning: the cases of a bench searched one after the other, each until the store has enough.
#pragma once

#include <vector>

#include "experiments/bench/bench.h"
#include "experiments/cli/common/interrupt.h"
#include "experiments/cli/common/session.h"
#include "experiments/cli/tune/search.h"

namespace schedulegym {

// Searches each case without a schedule of its own for what the store lacks of the trials asked
// for, fewer where the case takes fewer: only trials by this agent in this space count, and with
// this toolchain, since results of another do not compare. Ends with the case that an interrupt
// meets. Cases that were searched know their effort then.
void TuneCases(Session& session, const SearchOptions& typed, const InterruptScope& interrupt,
               std::vector<BenchCase>& cases);

// Gives each case without a schedule the store's best one, whoever found it, or the reference where
// that is faster or the store has none; and its effort as far as records tell it.
void ChooseSchedules(const Session& session, std::vector<BenchCase>& cases);

}  // namespace schedulegym
