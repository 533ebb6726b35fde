// Evolution: schedules bred over generations for what a cost model says of them.
#pragma once

#include <set>
#include <vector>

#include "agents/common/best_states.h"
#include "env/base/hash.h"
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
  int threads = 1;  // that breed at once; the space must allow that
  StopToken stop = {};
};

// The `kept` best states of all generations that are not among `seen`, each once, best first. The
// next generation descends from parents drawn in proportion to their scores (below zero counts as
// zero), each mutated or, with the rest of the chance, as it is.
std::vector<ScoredState> Evolve(std::vector<ScheduleState> population, const SearchSpace& space,
                                const StateEvaluator& evaluator, const EvolutionOptions& options,
                                int kept, const std::set<Key>& seen, Rng& rng);

}  // namespace schedulegym
