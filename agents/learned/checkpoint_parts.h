// What agents learn by, kept in a checkpoint and taken from it again, to the bit.
#pragma once

#include <string>

#include "agents/learned/checkpoint.h"
#include "agents/learned/running_normaliser.h"
#include "agents/schedulers/sliding_window_bandit.h"
#include "env/base/rng.h"

namespace schedulegym {

// Each under `name` and names that begin so. What reads throws InputError, one line, for what is
// not there, is of another size, or can be no such thing.

void PutRng(Checkpoint& checkpoint, const std::string& name, const Rng& rng);
Rng ReadRng(const Checkpoint& checkpoint, const std::string& name);

void PutNormaliser(Checkpoint& checkpoint, const std::string& name,
                   const RunningNormaliser& normaliser);
// The limit is not kept: it is an option.
RunningNormaliser ReadNormaliser(const Checkpoint& checkpoint, const std::string& name, int columns,
                                 double limit);

void PutBandit(Checkpoint& checkpoint, const std::string& name, const SlidingWindowBandit& bandit);
// Pulls beyond a smaller window than it had are the oldest, and forgotten.
SlidingWindowBandit ReadBandit(const Checkpoint& checkpoint, const std::string& name, int arms,
                               const SlidingWindowOptions& options);

}  // namespace schedulegym
