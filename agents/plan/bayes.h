// The agent `bayes`: Bayesian optimisation by a Gaussian process over knobs.
#pragma once

#include <memory>

#include "agents/agent.h"

namespace schedulegym {

// Kernel Tuner's (Willemsen, van Nieuwpoort and van Werkhoven, "Bayesian optimization for
// auto-tuning GPU kernels", PMBS 2021; strategies/bayes_opt.py). Options: mode, `faithful` (times
// in milliseconds, a fixed length, one spacing for all knobs, one trial at a time) or `improved`
// (log seconds, a length by likelihood, noise of the measurements); kernel, length, noise of the
// process; first and design, the sample before it; acquire, factor, which place is next; pool,
// places that it looks at where there are too many; batch, trials at once; retries. Throws
// InputError.
std::unique_ptr<Agent> MakeBayesAgent(const AgentContext& context);

}  // namespace schedulegym
