// SmallParts: parts of environments over small computations, measured by a known rule.
#pragma once

#include <atomic>
#include <cmath>
#include <memory>
#include <vector>

#include "env/gym/actions/construct_space.h"
#include "env/gym/environment.h"
#include "env/gym/observations/builtin_observations.h"
#include "tests/support/schedules.h"

namespace schedulegym {

// A schedule of n steps is 2^n times as fast as the reference; one that has a parallel loop fails.
class StepsMeasurer : public Measurer {
 public:
  explicit StepsMeasurer(bool shared = false) : Measurer(shared) {}

  std::vector<Measurement> Measure(std::span<const Candidate> candidates) override {
    ++calls_;
    std::vector<Measurement> measurements;
    for (const Candidate& candidate : candidates) {
      measurements.push_back(MeasurementOf(candidate.state.value()));
    }
    return measurements;
  }
  int calls() const { return calls_; }

 private:
  static Measurement MeasurementOf(const ScheduleState& state) {
    Measurement measurement;
    bool fails = false;
    for (const Primitive& step : state.trace()) fails = fails || NameOf(step) == "parallel";
    measurement.outcome = fails ? Outcome::kWrongOutput : Outcome::kOk;
    const double speed = std::pow(2, state.trace_size());
    if (!fails) measurement.timing = Timing{.seconds = 1, .ratio = {speed, speed, speed}};
    return measurement;
  }

  std::atomic<int> calls_ = 0;
};

inline std::shared_ptr<EnvironmentParts> SmallParts(RewardKind reward = RewardKind::kFinal,
                                                    bool shared_measurer = false) {
  auto parts = std::make_shared<EnvironmentParts>();
  parts->tasks = {TaskOf("input X[24]\nA[i:24] = X[i] + 1\n"),
                  TaskOf("input X[16, 8]\nS[i:16] = sum(k:8) X[i, k]\n")};
  parts->actions = MakeConstructSpace(ParseSpec("construct").value());
  parts->observations = {MakeLoopsObservation(ParseSpec("loops(rows=4)").value()),
                         MakeLoopsObservation(ParseSpec("loops(rows=2)").value())};
  parts->measurer = std::make_shared<StepsMeasurer>(shared_measurer);
  parts->reward.kind = reward;
  parts->horizon = 8;
  return parts;
}

// The action with this description in the environment's current place.
inline int ActionOf(const Environment& environment, std::string_view text) {
  return FindAction(*environment.parts().actions, environment.episode(), text).value();
}

}  // namespace schedulegym
