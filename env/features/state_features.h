// StateFeatures: a schedule with the features that models use, each computed once.
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "env/features/ansor_features.h"
#include "env/schedule/state.h"

namespace schedulegym {

// A value: copies share computed features. Features are computed on first use. Threads may call it
// concurrently.
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

// Wraps each state; computes nothing yet.
std::vector<StateFeatures> WithFeatures(std::span<const ScheduleState> states);

// Positions of the estimate's numbers, after Ansor's. Times are in nanoseconds. Every number except
// the flag and the shares is log2(1 + x).
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
  static constexpr int kSteps = kSeconds + 15;         // iterations per computed point
  static constexpr int kShare = kSeconds + 16;         // of the whole program's seconds
  static constexpr int kProgram = kSeconds + 17;       // the whole program's seconds
  static constexpr int kWidth = kSeconds + 18;
};

inline constexpr int kEstimatedFeatureVersion = 2;

// Returns the rows of AnsorFeatures, extended to kWidth numbers. The estimate of packed weights is
// all zeros, since they run outside of the timed call.
std::vector<float> EstimatedFeatures(const ScheduleState& state);

// Names of the features after Ansor's, in order.
std::vector<std::string> EstimatedFeatureNames();

}  // namespace schedulegym
