// StateRollout: rollouts that complete places to schedules and evaluate them by a model.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "agents/common/best_states.h"
#include "agents/decisions/tree_place.h"
#include "agents/trial.h"
#include "env/base/rng.h"
#include "env/base/stop_token.h"
#include "env/search/search_space.h"

namespace schedulegym {

class StateRollout : public TreeRollout {
 public:
  // `evaluator` returns values. The space outlives this; `threads` threads call it concurrently.
  StateRollout(const SearchSpace& space, StateEvaluator evaluator, int threads,
               const StopToken& stop = {});

  std::vector<std::optional<Rolled>> Roll(std::span<const RolloutRequest> requests,
                                          Rng& rng) override;
  // Evaluates given schedules; each one with a value becomes a sample.
  std::vector<std::optional<Rolled>> Evaluated(std::vector<ScheduleState> states);

  // Starts a new collection of the best evaluated schedules, at most `most` and none in `seen`,
  // which outlives the rollout.
  void Collect(int most, const std::set<Key>& seen) { best_.emplace(most, seen); }
  // The collection, best first; empty without one.
  std::vector<ScoredState> best() const;

  // The schedule of a kept sample.
  const ScheduleState& state(int sample) const { return samples_.at(sample); }
  bool IsKept(int sample) const { return samples_.contains(sample); }
  // Drops the schedules of all other samples; their neighbours can no longer be requested.
  void Keep(const std::set<int>& samples);
  // Stores the result of a schedule for all samples with the same trace.
  void Note(const Trial& trial);
  // Measured seconds of a sample; nullopt if it was not measured, or failed.
  std::optional<double> SecondsOf(int sample) const;
  // Number of schedules evaluated so far, including those of greedy completions.
  int64_t evaluated() const { return evaluated_; }

 private:
  Result<ScheduleState> Make(const RolloutRequest& request, Rng& rng) const;
  std::vector<int> MakeGreedily(std::span<const RolloutRequest> requests,
                                const std::vector<Rng>& streams,
                                std::vector<std::optional<ScheduleState>>& made);
  std::vector<std::optional<double>> ValuesOf(const std::vector<ScheduleState>& states);

  const SearchSpace& space_;
  StateEvaluator evaluator_;
  int threads_;
  StopToken stop_;
  std::map<int, ScheduleState> samples_;
  std::vector<Key> traces_;         // of all samples (TraceKey)
  std::map<Key, double> measured_;  // seconds, by trace
  std::optional<BestStates> best_;
  int64_t evaluated_ = 0;
};

// A place that is completed by the best choice at each decision.
struct GreedyCompletion {
  std::shared_ptr<const TreePlace> place;
  Rng rng;  // of its completions
  // The resulting schedule; nullopt if no draw gave one.
  std::optional<ScheduleState> state;
  int evaluated = 0;  // schedules evaluated for it
};

// At each place evaluates one completion for each choice, and takes the choice of the highest
// value, until everything is decided or none has a value. All completions advance in lock step, on
// `threads` threads and with one evaluator batch per step.
void CompleteGreedily(std::vector<GreedyCompletion>& completions, const StateEvaluator& evaluator,
                      int threads, const StopToken& stop = {});

}  // namespace schedulegym
