// Every state with a reward compiles: compares states of random episodes in every action space with
// the measuring worker's compiler. SCHEDULEGYM_WALKS: episodes per space, default one.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <set>
#include <string>

#include "backends/runner/compile_pool.h"
#include "backends/runner/wire/task_text.h"
#include "env/gym/evaluators/buildable_measurer.h"
#include "env/gym/evaluators/evaluate.h"
#include "env/measure/timing/clocks.h"
#include "env/schedule/loop_structure.h"
#include "spaces/code_limit.h"
#include "tests/conformance/action_walks.h"

namespace schedulegym {
namespace {

constexpr int kSteps = 64;  // of an episode

int Walks() {
  const char* said = std::getenv("SCHEDULEGYM_WALKS");
  return said == nullptr ? 1 : std::atoi(said);
}

// Every schedule is as fast as the reference.
class GenerousMeasurer : public Measurer {
 public:
  std::vector<Measurement> Measure(std::span<const Candidate> candidates) override {
    Measurement measurement;
    measurement.outcome = Outcome::kOk;
    measurement.timing.emplace();
    return std::vector<Measurement>(candidates.size(), measurement);
  }
};

class ModelPlacesTest : public testing::TestWithParam<ActionCase> {
 protected:
  ModelPlacesTest() : pool_(loop_, Options(), clock_) {
    CodeLimits limits;
    const Spec space = ParseSpec(GetParam().code_as).value();
    limits.Set(GetParam().task, MostCodeIn(space, GetParam().task));
    measurer_ = std::make_unique<BuildableMeasurer>(std::make_unique<GenerousMeasurer>(),
                                                    std::move(limits));
  }

  static CompilePoolOptions Options() {
    CompilePoolOptions options;
    options.program = SG_WORKER;
    return options;
  }

  // The failure found by a measurer's workers; nullopt if it compiles.
  std::optional<Failure> CompiledOf(const ScheduleState& state) {
    const uint64_t id = ++last_id_;
    pool_.Submit(id, {TextOf(state.task()), state.TraceText(), 0});
    while (true) {
      if (const std::optional<Compiled> compiled = pool_.Take(id)) return compiled->failure;
      loop_.Wait(0.1);
      pool_.Attend();
    }
  }

  void Compare(const EpisodeState& episode) {
    const ScheduleState& state = episode.state().value();
    if (!seen_.insert(StateKey(state)).second) return;
    const Outcome evaluated = Evaluate(episode, *measurer_).outcome;
    ++(evaluated == Outcome::kOk ? paid_ : refused_);
    if (evaluated == Outcome::kCompileError) return;  // too long to wait for
    const std::optional<Failure> failure = CompiledOf(state);
    EXPECT_EQ(failure ? failure->outcome : Outcome::kOk, evaluated)
        << (failure ? failure->message : "") << " at\n"
        << state.TraceText();
  }

  EventLoop loop_;
  SteadyClock clock_;
  CompilePool pool_;
  std::unique_ptr<Measurer> measurer_;
  uint64_t last_id_ = 0;
  std::set<Key> seen_;
  int paid_ = 0, refused_ = 0;
};

TEST_P(ModelPlacesTest, WhatIsPaidForCanBeBuilt) {
  Rng rng(5);
  const int episodes = Walks();
  for (int i = 0; i < episodes && !HasFailure(); ++i) {
    const auto episode = GetParam().space->Start(GetParam().task, rng);
    Compare(*episode);
    for (int step = 0; step < kSteps; ++step) {
      const std::vector<int> legal = LegalActions(*GetParam().space, *episode);
      if (legal.size() < 2) break;
      ASSERT_TRUE(episode->Act(legal[1 + rng.Below(static_cast<int64_t>(legal.size()) - 1)]).ok());
      Compare(*episode);
    }
  }
  EXPECT_GT(paid_, 0);
  std::cout << GetParam().name << ": " << paid_ << " places paid for, " << refused_ << " refused\n";
}

std::vector<ActionCase> EvaluatedByModels() {
  std::vector<ActionCase> cases = ActionCases();
  std::erase_if(cases, [](const ActionCase& one) { return one.code_as.empty(); });
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Every, ModelPlacesTest, testing::ValuesIn(EvaluatedByModels()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace schedulegym
