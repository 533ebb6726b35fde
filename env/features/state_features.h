// StateFeatures: a schedule with the numbers that models know it by, each computed once.
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "env/schedule/state.h"

namespace schedulegym {

// A value: copies share what was computed for one of them. Numbers are computed when they are first
// asked for; threads may ask at once.
class StateFeatures {
 public:
  explicit StateFeatures(ScheduleState state);

  const ScheduleState& state() const { return parts_->state; }
  const Task& task() const { return state().task(); }

  // AnsorFeatures' rows, one after another.
  const std::vector<float>& ansor() const;
  // EstimatedFeatures.
  const std::vector<float>& estimated() const;

 private:
  struct Parts {
    explicit Parts(ScheduleState one) : state(std::move(one)) {}

    ScheduleState state;
    std::once_flag has_ansor, has_estimated;
    std::vector<float> ansor, estimated;
  };

  std::shared_ptr<Parts> parts_;
};

// Of each; nothing is computed yet.
std::vector<StateFeatures> WithFeatures(std::span<const ScheduleState> states);

}  // namespace schedulegym
