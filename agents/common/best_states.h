// BestStates: the best schedules that a search has scored so far; DrawStates: many random ones.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "env/base/hash.h"
#include "env/base/rng.h"
#include "env/base/stop_token.h"
#include "env/schedule/state.h"
#include "env/search/search_space.h"

namespace schedulegym {

struct ScoredState {
  double score = 0;
  Key key;
  ScheduleState state;
};

// Returns a score for each state, higher is better; nullopt for one that cannot be scored.
using StateEvaluator =
    std::function<std::vector<std::optional<double>>(const std::vector<ScheduleState>& states)>;

// The best schedules that a search has scored so far, each once.
class BestStates {
 public:
  // A candidate for the list. Refers to its state; Take copies it if it is good enough.
  struct Offer {
    double score = 0;
    const ScheduleState* state = nullptr;
  };

  // Keeps at most `most` schedules, none of them in `seen`, which outlives this object.
  BestStates(int most, const std::set<Key>& seen) : most_(most), seen_(&seen) {}

  // Merges offers into the list. Earlier schedules win ties. Computing a key costs as much as a
  // score, so Take computes keys only of offers that are good enough.
  void Take(std::vector<Offer> offers);

  // Best first.
  const std::vector<ScoredState>& states() const& { return states_; }
  std::vector<ScoredState> states() && { return std::move(states_); }

 private:
  int most_;
  const std::set<Key>* seen_;
  std::vector<ScoredState> states_;
};

// A hash of the trace. Cheaper than StateKey, which is equal for all traces of one schedule.
Key TraceKey(const ScheduleState& state);

struct DrawnState {
  ScheduleState state;
  Key trace;  // TraceKey
};

// Returns the successful ones of `draws` random draws. Independent of the number of threads.
std::vector<DrawnState> DrawStates(const SearchSpace& space,
                                   const std::shared_ptr<const Task>& task, int draws, int threads,
                                   Rng& rng, const StopToken& stop = {});

}  // namespace schedulegym
