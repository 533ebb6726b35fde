// BestStates: the best schedules that a search has judged so far; DrawStates: many drawn at once.
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

// A score for each state, higher is better; none for what cannot be judged.
using StateEvaluator =
    std::function<std::vector<std::optional<double>>(const std::vector<ScheduleState>& states)>;

// The best schedules that a search has judged so far, each once.
class BestStates {
 public:
  // Of what is offered, not yet copied.
  struct Offer {
    double score = 0;
    const ScheduleState* state = nullptr;
  };

  // At most so many, none of them among `seen`, which outlives this.
  BestStates(int most, const std::set<Key>& seen) : most_(most), seen_(&seen) {}

  // Of equal ones those that came first. To tell states apart costs as much as to judge them: those
  // that are not good enough are not asked for their keys.
  void Take(std::vector<Offer> offers);

  // Best first.
  const std::vector<ScoredState>& states() const& { return states_; }
  std::vector<ScoredState> states() && { return std::move(states_); }

 private:
  int most_;
  const std::set<Key>* seen_;
  std::vector<ScoredState> states_;
};

// Cheaper than StateKey, under which traces of one schedule are the same.
Key TraceKey(const ScheduleState& state);

struct DrawnState {
  ScheduleState state;
  Key trace;  // TraceKey
};

// What so many draws led to, whichever of the threads made them.
std::vector<DrawnState> DrawStates(const SearchSpace& space,
                                   const std::shared_ptr<const Task>& task, int draws, int threads,
                                   Rng& rng, const StopToken& stop = {});

}  // namespace schedulegym
