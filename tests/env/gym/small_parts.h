// SmallParts: parts of environments over small computations, judged by a rule that tests know.
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
class StepsEvaluator : public Evaluator {
 public:
  explicit StepsEvaluator(bool shared = false) : shared_(shared) {}

  std::string Name() const override { return "steps"; }
  std::vector<EvaluationResult> Ask(std::span<const EpisodeState* const> places) override {
    ++calls_;
    std::vector<EvaluationResult> evaluations;
    for (const EpisodeState* place : places) {
      const ScheduleState& state = place->state().value();
      bool fails = false;
      for (const Primitive& step : state.trace()) fails = fails || NameOf(step) == "parallel";
      evaluations.push_back(fails ? FailedEvaluationResult(Outcome::kWrongOutput)
                                  : ExactEvaluationResult(std::pow(2, state.trace_size()), 1.0));
    }
    return evaluations;
  }
  bool is_shared() const override { return shared_; }
  int calls() const { return calls_; }

 private:
  bool shared_;
  std::atomic<int> calls_ = 0;
};

inline std::shared_ptr<EnvironmentParts> SmallParts(RewardKind reward = RewardKind::kFinal,
                                                    bool shared_evaluator = false) {
  auto parts = std::make_shared<EnvironmentParts>();
  parts->tasks = {TaskOf("input X[24]\nA[i:24] = X[i] + 1\n"),
                  TaskOf("input X[16, 8]\nS[i:16] = sum(k:8) X[i, k]\n")};
  parts->actions = MakeConstructSpace(ParseSpec("construct").value());
  parts->observations = {MakeLoopsObservation(ParseSpec("loops(rows=4)").value()),
                         MakeLoopsObservation(ParseSpec("loops(rows=2)").value())};
  parts->evaluator = std::make_shared<StepsEvaluator>(shared_evaluator);
  parts->reward.kind = reward;
  parts->horizon = 8;
  return parts;
}

// The action that an environment's place describes so.
inline int ActionOf(const Environment& environment, std::string_view text) {
  return FindAction(*environment.parts().actions, environment.episode(), text).value();
}

}  // namespace schedulegym
