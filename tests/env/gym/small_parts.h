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
class StepsJudge : public Judge {
 public:
  explicit StepsJudge(bool shared = false) : shared_(shared) {}

  std::string Name() const override { return "steps"; }
  std::vector<Judgement> Ask(std::span<const Walk* const> places) override {
    ++calls_;
    std::vector<Judgement> judgements;
    for (const Walk* place : places) {
      const ScheduleState& state = place->state().value();
      bool fails = false;
      for (const Primitive& step : state.trace()) fails = fails || NameOf(step) == "parallel";
      judgements.push_back(fails ? FailedJudgement(Outcome::kWrongOutput)
                                 : ExactJudgement(std::pow(2, state.trace_size()), 1.0));
    }
    return judgements;
  }
  bool is_shared() const override { return shared_; }
  int calls() const { return calls_; }

 private:
  bool shared_;
  std::atomic<int> calls_ = 0;
};

inline std::shared_ptr<EnvironmentParts> SmallParts(RewardKind reward = RewardKind::kFinal,
                                                    bool shared_judge = false) {
  auto parts = std::make_shared<EnvironmentParts>();
  parts->tasks = {TaskOf("input X[24]\nA[i:24] = X[i] + 1\n"),
                  TaskOf("input X[16, 8]\nS[i:16] = sum(k:8) X[i, k]\n")};
  parts->actions = MakeConstructSpace(ParseSpec("construct").value());
  parts->observations = {MakeLoopsObservation(ParseSpec("loops(rows=4)").value()),
                         MakeLoopsObservation(ParseSpec("loops(rows=2)").value())};
  parts->judge = std::make_shared<StepsJudge>(shared_judge);
  parts->reward.kind = reward;
  parts->horizon = 8;
  return parts;
}

// The action that an environment's place describes so.
inline int ActionOf(const Environment& environment, std::string_view text) {
  return FindAction(*environment.parts().actions, environment.walk(), text).value();
}

}  // namespace schedulegym
