// FixedEpisode: a place that does not change, for tests of observations.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "env/gym/observations/observation.h"

namespace schedulegym {

class FixedEpisode : public EpisodeState {
 public:
  explicit FixedEpisode(Result<ScheduleState> state) : state_(std::move(state)) {}
  FixedEpisode(ScheduleState state, int stage_at_hand) : state_(std::move(state)) {
    stage_at_hand_ = stage_at_hand;
  }

  std::unique_ptr<EpisodeState> Fork() const override {
    return std::make_unique<FixedEpisode>(*this);
  }
  void WriteMask(std::span<int8_t> mask) const override { std::fill(mask.begin(), mask.end(), 0); }
  Result<void> Act(int) override { return Illegal("a fixed walk"); }
  const Result<ScheduleState>& state() const override { return state_; }
  Result<std::string> Describe(int) const override { return Illegal("a fixed walk"); }
  std::string ToText() const override { return "fixed\n"; }

 private:
  Result<ScheduleState> state_;
};

// After 2 of 8 actions: 5, then 3, of 11.
inline std::vector<float> SeenAt(const Observation& observation, const Task& task,
                                 const EpisodeState& episode) {
  const std::vector<int> actions = {5, 3};
  std::vector<float> numbers(observation.size(), -99);
  observation.Write({task, episode, actions, 11, 8}, numbers);
  return numbers;
}
inline std::vector<float> SeenOf(const Observation& observation, const ScheduleState& state) {
  return SeenAt(observation, state.task(), FixedEpisode(state));
}

}  // namespace schedulegym
