// StateRollout: rollouts that are schedules of a space, judged by a model.
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
  // `judge` says what schedules are worth. The space outlives it; so many threads ask it at once.
  StateRollout(const SearchSpace& space, StateEvaluator evaluator, int threads,
               const StopToken& stop = {});

  std::vector<std::optional<Rolled>> Roll(std::span<const RolloutRequest> requests,
                                          Rng& rng) override;
  // Samples that are given.
  std::vector<std::optional<Rolled>> Evaluated(std::vector<ScheduleState> states);

  // From now on the best of what is judged is collected, at most so many and none among `seen`,
  // which outlives it; what was collected before is forgotten.
  void Collect(int most, const std::set<Key>& seen) { best_.emplace(most, seen); }
  // Best first; none where nothing is collected.
  std::vector<ScoredState> best() const;

  // One that is kept.
  const ScheduleState& state(int sample) const { return samples_.at(sample); }
  bool IsKept(int sample) const { return samples_.contains(sample); }
  // Forgets the schedules of all samples but these; their neighbours cannot be asked for any more.
  void Keep(const std::set<int>& samples);
  // What became of a schedule; samples of the same trace are known by it.
  void Note(const Trial& trial);
  // What measuring it gave; none where it was not measured, or failed.
  std::optional<double> SecondsOf(int sample) const;
  // How many schedules were judged so far, those of greedy choices included.
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
  std::vector<Key> traces_;         // of each sample ever made (TraceKey)
  std::map<Key, double> measured_;  // seconds, by trace
  std::optional<BestStates> best_;
  int64_t evaluated_ = 0;
};

// A place completed by the best way on at each decision.
struct GreedyCompletion {
  std::shared_ptr<const TreePlace> place;
  Rng rng;  // of its completions
  // The schedule that came of it; none where no draw led anywhere.
  std::optional<ScheduleState> state;
  int evaluated = 0;  // schedules on the way
};

// At each place a completion of each way on is judged, and the one of the highest value is gone,
// until all is decided or nothing has a value. All advance in lock step, on so many threads, and
// share one batch for the evaluator at each step.
void CompleteGreedily(std::vector<GreedyCompletion>& completions, const StateEvaluator& evaluator,
                      int threads, const StopToken& stop = {});

}  // namespace schedulegym
