// Evolution: breeds schedules over generations by the scores of a cost model.
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
  int generations = 4;  // one more is scored
  double mutation = 0.85;
  // Scores children equal to their parents once more, as published. This helps only if scores are
  // random.
  bool evaluates_copies = false;
  int draws = 20;   // for each child, at most; a mutation may fail
  int threads = 1;  // breed concurrently; the space must allow that
  StopToken stop = {};
};

// Returns a child of a schedule, or an error if the draw failed. Threads may call it concurrently.
using StateMutation = std::function<Result<ScheduleState>(const ScheduleState& state, Rng& rng)>;
// The space's mutation of one decision; the space outlives it.
StateMutation MutationOf(const SearchSpace& space);

// Returns the `kept` best states of all generations that are not in `seen`, each once, best first.
// Parents are drawn in proportion to their scores (negative ones count as zero). A child is a
// mutation, with probability `options.mutation`, or a copy.
std::vector<ScoredState> Evolve(std::vector<ScheduleState> population, const StateMutation& mutate,
                                const StateEvaluator& evaluator, const EvolutionOptions& options,
                                int kept, const std::set<Key>& seen, Rng& rng);

}  // namespace schedulegym
