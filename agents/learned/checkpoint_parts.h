// Checkpoint parts: random states, normalisers and bandits in a checkpoint, restored to the bit.
#pragma once

#include <string>

#include "agents/learned/checkpoint.h"
#include "agents/learned/running_normaliser.h"
#include "agents/schedulers/sliding_window_bandit.h"
#include "env/base/rng.h"

namespace schedulegym {

// Entries have `name` or names that begin with it. Readers throw InputError, one line, if an entry
// is missing, has another size, or is not valid.

void PutRng(Checkpoint& checkpoint, const std::string& name, const Rng& rng);
Rng ReadRng(const Checkpoint& checkpoint, const std::string& name);

void PutNormaliser(Checkpoint& checkpoint, const std::string& name,
                   const RunningNormaliser& normaliser);
// The limit is an option, and is not saved.
RunningNormaliser ReadNormaliser(const Checkpoint& checkpoint, const std::string& name, int columns,
                                 double limit);

void PutBandit(Checkpoint& checkpoint, const std::string& name, const SlidingWindowBandit& bandit);
// If the window is smaller than the saved one, the oldest pulls are dropped.
SlidingWindowBandit ReadBandit(const Checkpoint& checkpoint, const std::string& name, int arms,
                               const SlidingWindowOptions& options);

}  // namespace schedulegym
