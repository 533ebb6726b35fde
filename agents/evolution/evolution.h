// Evolution: schedules bred over generations for what a cost model says of them.
#pragma once

#include <functional>
#include <set>
#include <vector>

#include "agents/common/best_states.h"
#include "env/base/hash.h"
#include "env/base/result.h"
#include "env/base/rng.h"
#include "env/base/stop_token.h"
#include "env/schedule/state.h"
#include "env/search/search_space.h"

namespace schedulegym {

// Ansor's (TVM 0.16, sketch_policy.cc).
struct EvolutionOptions {
  int population = 2048;
  int generations = 4;  // one more are judged
  double mutation = 0.85;
  // Whether children that are as their parents are judged once more, as published: worth it only
  // where scores are drawn by chance.
  bool evaluates_copies = false;
  int draws = 20;   // for each child, at most, as mutations fail
  int threads = 1;  // that breed at once; the space must allow that
  StopToken stop = {};
};

// A child of a schedule; an error means that this draw led nowhere. Threads may ask at once.
using StateMutation = std::function<Result<ScheduleState>(const ScheduleState& state, Rng& rng)>;
// The space's own, of one decision; the space outlives it.
StateMutation MutationOf(const SearchSpace& space);

// The `kept` best states of all generations that are not among `seen`, each once, best first. The
// next generation descends from parents drawn in proportion to their scores (below zero counts as
// zero), each mutated or, with the rest of the chance, as it is.
std::vector<ScoredState> Evolve(std::vector<ScheduleState> population, const StateMutation& mutate,
                                const StateEvaluator& evaluator, const EvolutionOptions& options,
                                int kept, const std::set<Key>& seen, Rng& rng);

}  // namespace schedulegym
