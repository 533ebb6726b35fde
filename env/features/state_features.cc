#include "env/features/state_features.h"

#include <utility>

#include "env/features/ansor_features.h"
#include "env/features/estimated_features.h"

namespace schedulegym {

StateFeatures::StateFeatures(ScheduleState state)
    : parts_(std::make_shared<Parts>(std::move(state))) {}

const std::vector<float>& StateFeatures::ansor() const {
  std::call_once(parts_->has_ansor,
                 [this] { parts_->ansor = AnsorFeatures(parts_->state).values; });
  return parts_->ansor;
}

const std::vector<float>& StateFeatures::estimated() const {
  std::call_once(parts_->has_estimated,
                 [this] { parts_->estimated = EstimatedFeatures(parts_->state); });
  return parts_->estimated;
}

std::vector<StateFeatures> WithFeatures(std::span<const ScheduleState> states) {
  std::vector<StateFeatures> all;
  all.reserve(states.size());
  for (const ScheduleState& state : states) all.emplace_back(state);
  return all;
}

}  // namespace schedulegym
