// StateFeatures: a schedule with the numbers that models know it by, each computed once.
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "env/features/ansor_features.h"
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

// Places of the estimate's numbers, after Ansor's. Seconds are in nanoseconds; every number but the
// flag and the shares is log2(1 + x).
struct EstimatedLayout {
  static constexpr int kSeconds = AnsorLayout::kWidth;
  static constexpr int kCompute = kSeconds + 1;
  static constexpr int kSecondLevel = kSeconds + 2;
  static constexpr int kThirdLevel = kSeconds + 3;
  static constexpr int kMemory = kSeconds + 4;
  static constexpr int kParallel = kSeconds + 5;
  static constexpr int kBlocks = kSeconds + 6;
  static constexpr int kBlockVectors = kSeconds + 7;
  static constexpr int kArithmeticCycles = kSeconds + 8;
  static constexpr int kAccessCycles = kSeconds + 9;
  static constexpr int kChainCycles = kSeconds + 10;
  static constexpr int kSpillCycles = kSeconds + 11;
  static constexpr int kResults = kSeconds + 12;
  static constexpr int kKeepsResults = kSeconds + 13;  // 0 or 1
  static constexpr int kBusyShare = kSeconds + 14;     // of the cores
  static constexpr int kSteps = kSeconds + 15;    // for each that the computation itself asks for
  static constexpr int kShare = kSeconds + 16;    // of the whole program's seconds
  static constexpr int kProgram = kSeconds + 17;  // the whole program's seconds
  static constexpr int kWidth = kSeconds + 18;
};

inline constexpr int kEstimatedFeatureVersion = 2;

// Rows as AnsorFeatures', kWidth numbers each. Of packed weights, which run outside of the timed
// call, the estimate is all zeros.
std::vector<float> EstimatedFeatures(const ScheduleState& state);

// Of the places after Ansor's, in order.
std::vector<std::string> EstimatedFeatureNames();

}  // namespace schedulegym
