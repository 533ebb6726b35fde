#include "agents/droplet/refiner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <set>

#include "agents/builtin_agents.h"
#include "agents/tuner/refinement_gain.h"
#include "env/base/fault.h"
#include "tests/agents/split_space.h"
#include "tests/agents/timed_record.h"
#include "tests/agents/vector_task.h"
#include "tests/env/measure/dag_of.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using Lengths = std::vector<int64_t>;
using Cost = std::function<std::optional<double>(const Lengths&)>;

// Rejects tiles of more than `most` elements.
class ModestSpace : public SplitSpace {
 public:
  explicit ModestSpace(int64_t most) : most_(most) {}

  Result<void> Admit(const ScheduleState& state) const override {
    int64_t product = 1;
    for (int64_t length : std::get<Split>(state.step(0)).lengths) product *= length;
    if (product <= most_) return {};
    return InvalidSchedule("too long");
  }

 private:
  int64_t most_;
};

ScheduleState Tiled(const std::shared_ptr<const Task>& task, const Lengths& lengths) {
  return Apply(ScheduleState::Initial(task), Split{{1}, 0, lengths}).value();
}

Lengths LengthsOf(const Proposal& proposal) {
  return std::get<Split>(proposal.state.step(0)).lengths;
}

// Fastest at [4, 8].
std::optional<double> Bowl(const Lengths& lengths) {
  return 1 + std::abs(std::log2(static_cast<double>(lengths[0])) - 2) +
         std::abs(std::log2(static_cast<double>(lengths[1])) - 3);
}

class RefinerTest : public testing::Test {
 protected:
  void Tell(Agent& refiner, const Lengths& lengths, std::optional<double> seconds) {
    Hear(refiner, {KnownTrial(Tiled(task_, lengths), seconds)});
  }

  // Runs to its end from the results reported so far.
  std::vector<Lengths> Exhaust(Agent& refiner, const Cost& cost, int batch = 8) {
    std::vector<Lengths> all;
    while (true) {
      const auto proposals = refiner.Propose(0, batch);
      if (proposals.empty()) return all;
      EXPECT_LE(std::ssize(proposals), batch);
      std::vector<Trial> trials;
      for (const Proposal& one : proposals) {
        all.push_back(LengthsOf(one));
        trials.push_back(TimedTrial(one, cost(all.back())));
      }
      Hear(refiner, trials);
    }
  }

  std::optional<RefinementGain> Gain() const { return reader_.Gain("before"); }

  Refiner Make(const RefinerOptions& options, const SearchSpace& space) {
    return {options, {setup_, space, Rng(1), maker_, clock_}};
  }

  void Hear(Agent& refiner, const std::vector<Trial>& trials) {
    refiner.Learn(trials);
    reader_.Hear(trials);
  }

  std::shared_ptr<const Task> task_ = VectorTask();
  std::shared_ptr<const Task> other_ = std::make_shared<const Task>(
      Task{DagOf("input X[48]\nY[i:48] = X[i] + 1\n"), Target{}, "other"});
  SplitSpace space_;
  const AgentSetup setup_ = {{"droplet", {}}, {"split", {}}, {{task_}, {other_}}};
  const AgentMaker maker_ = BuiltinAgentMaker();
  const SteadyClock clock_;
  Refiner fixed_ = Make(RefinerOptions(), space_);
  Refiner published_ = Make(RefinerOptions::Published(), space_);
  GainReader reader_;
};

TEST_F(RefinerTest, MeasuresTheBestAnewBeforeAllElse) {
  Tell(fixed_, {2, 2}, 3);
  Tell(fixed_, {2, 4}, 2);
  Tell(fixed_, {2, 8}, std::nullopt);
  const auto first = fixed_.Propose(0, 8);
  ASSERT_EQ(first.size(), 1u);
  EXPECT_THAT(LengthsOf(first[0]), ElementsAre(2, 4));
}

TEST_F(RefinerTest, FindsTheBottomAndRepeatsNothing) {
  Tell(fixed_, {1, 2}, *Bowl({1, 2}));
  const auto all = Exhaust(fixed_, Bowl);
  EXPECT_THAT(all, testing::Contains(Lengths{4, 8}));
  EXPECT_EQ(std::set(all.begin(), all.end()).size(), all.size());
  EXPECT_EQ(Gain()->speed, *Bowl({1, 2}) / *Bowl({4, 8}));
  EXPECT_EQ(Gain()->trials, std::ssize(all));
}

TEST_F(RefinerTest, ItsFirstStepsAreShort) {
  Tell(fixed_, {2, 4}, 1);
  fixed_.Learn(std::vector<Trial>{TimedTrial(fixed_.Propose(0, 4).at(0), 1)});
  std::vector<Lengths> steps;
  for (const Proposal& one : fixed_.Propose(0, 4)) steps.push_back(LengthsOf(one));
  EXPECT_THAT(steps, ElementsAre(Lengths{2, 8}, Lengths{2, 2}, Lengths{4, 4}, Lengths{1, 4}));
}

TEST_F(RefinerTest, WhatIsKnownAlreadyIsTakenAsItIs) {
  Tell(fixed_, {2, 4}, 1);
  Tell(fixed_, {2, 8}, 5);
  Tell(fixed_, {4, 4}, std::nullopt);
  const auto all = Exhaust(fixed_, [](const Lengths&) { return 2.0; });
  EXPECT_THAT(all.front(), ElementsAre(2, 4));
  EXPECT_THAT(all, testing::Not(testing::Contains(Lengths{2, 8})));
  EXPECT_THAT(all, testing::Not(testing::Contains(Lengths{4, 4})));
}

TEST_F(RefinerTest, LeavesOutWhatTheSpaceDoesNotAdmit) {
  const ModestSpace modest(16);
  Refiner refiner = Make(RefinerOptions(), modest);
  Tell(refiner, {2, 4}, 1);
  for (const Lengths& lengths : Exhaust(refiner, Bowl)) EXPECT_LE(lengths[0] * lengths[1], 16);
}

TEST_F(RefinerTest, ButNotTheBestItself) {
  const ModestSpace modest(4);
  Refiner refiner = Make(RefinerOptions(), modest);
  Tell(refiner, {2, 8}, 1);
  EXPECT_THAT(Exhaust(refiner, Bowl).front(), ElementsAre(2, 8));
}

TEST_F(RefinerTest, TakesNoMoreTrialsThanItMay) {
  RefinerOptions options;
  options.trials = 5;
  Refiner refiner = Make(options, space_);
  Tell(refiner, {1, 2}, 1);
  EXPECT_EQ(Exhaust(refiner, Bowl, 4).size(), 5u);
}

TEST_F(RefinerTest, WithoutASuccessThereIsNothingToRefine) {
  EXPECT_THAT(fixed_.Propose(0, 8), IsEmpty());
  Tell(fixed_, {2, 4}, std::nullopt);
  EXPECT_THAT(fixed_.Propose(0, 8), IsEmpty());
  EXPECT_EQ(Gain(), std::nullopt);
}

TEST_F(RefinerTest, WhatToldNothingIsTriedAgain) {
  Tell(fixed_, {2, 4}, 1);
  Trial trial = TimedTrial(fixed_.Propose(0, 8).at(0), 1);
  trial.told = TrialStatus::kSaysNothing;
  fixed_.Learn({&trial, 1});
  EXPECT_EQ(fixed_.Propose(0, 8).at(0).key, trial.key);
}

TEST_F(RefinerTest, AResultThatDidNotStandIsReplaced) {
  Tell(fixed_, {2, 4}, 1);
  Tell(fixed_, {2, 8}, 0.5);
  Tell(fixed_, {2, 8}, 2);
  Tell(fixed_, {4, 4}, 0.5);
  Tell(fixed_, {4, 4}, std::nullopt);
  EXPECT_THAT(Exhaust(fixed_, Bowl).front(), ElementsAre(2, 4));
}

TEST_F(RefinerTest, TheGainIsOverTheBestAsMeasuredAnew) {
  Tell(fixed_, {2, 4}, 1);  // a noisy measurement: 1 s instead of 2
  EXPECT_EQ(Gain(), std::nullopt);
  Exhaust(fixed_, [](const Lengths& lengths) { return lengths == Lengths{2, 8} ? 1.6 : 2; });
  EXPECT_DOUBLE_EQ(*Gain()->speed, 2 / 1.6);
}

TEST_F(RefinerTest, WhatIsWithinTheNoiseIsNoGain) {
  Tell(fixed_, {2, 4}, 1);
  Exhaust(fixed_, [](const Lengths& lengths) { return lengths == Lengths{2, 8} ? 0.9995 : 1; });
  EXPECT_EQ(Gain()->speed, 1);
}

TEST_F(RefinerTest, WhatDidNotStandIsNoGain) {
  Tell(fixed_, {2, 4}, 1);
  Exhaust(fixed_, [](const Lengths& lengths) { return lengths == Lengths{2, 8} ? 0.5 : 1; });
  EXPECT_EQ(Gain()->speed, 2);
  Tell(fixed_, {2, 8}, 1);
  EXPECT_EQ(Gain()->speed, 1);
}

TEST_F(RefinerTest, TheGainIsUnknownWhereTheBestFails) {
  Tell(fixed_, {2, 4}, 1);
  Exhaust(fixed_, [](const Lengths& lengths) {
    return lengths == Lengths{2, 4} ? std::nullopt : std::optional(2.0);
  });
  ASSERT_TRUE(Gain().has_value());
  EXPECT_EQ(Gain()->speed, std::nullopt);
  EXPECT_GT(Gain()->trials, 1);
}

TEST_F(RefinerTest, TasksAreRefinedOnTheirOwn) {
  Tell(fixed_, {2, 4}, 1);
  EXPECT_THAT(fixed_.Propose(1, 8), IsEmpty());
  fixed_.Learn(std::vector<Trial>{KnownTrial(Tiled(other_, {2, 2}), 1, 1)});
  EXPECT_THAT(LengthsOf(fixed_.Propose(1, 8).at(0)), ElementsAre(2, 2));
  EXPECT_THAT(LengthsOf(fixed_.Propose(0, 8).at(0)), ElementsAre(2, 4));
}

// --- the published form ---

TEST_F(RefinerTest, ThePublishedOneMeasuresTheBestAmongTheFirst) {
  Tell(published_, {2, 4}, 1);
  const auto first = published_.Propose(0, 8);
  ASSERT_GT(first.size(), 1u);
  EXPECT_THAT(LengthsOf(first[0]), ElementsAre(2, 4));
  // Strides of 2 and more of [4, 8, 16, 24, 32, 48, 64].
  EXPECT_THAT(LengthsOf(first[1]), ElementsAre(2, 16));
}

TEST_F(RefinerTest, ThePublishedOneHoldsTheBestToItsFirstReading) {
  Tell(published_, {2, 4}, 1);  // a noisy measurement: 1 s instead of 2
  Exhaust(published_, [](const Lengths& lengths) { return lengths == Lengths{2, 4} ? 2 : 1.5; });
  EXPECT_EQ(Gain()->speed, 1);
}

TEST_F(RefinerTest, ThePublishedOneMeasuresOneLessThanItsTrials) {
  RefinerOptions options = RefinerOptions::Published();
  options.trials = 6;
  Refiner refiner = Make(options, space_);
  Tell(refiner, {2, 4}, 1);
  EXPECT_EQ(Exhaust(refiner, Bowl).size(), 5u);
}

TEST_F(RefinerTest, ThePublishedOneAsksNobodyWhetherAPointIsLegal) {
  const ModestSpace modest(16);
  Refiner refiner = Make(RefinerOptions::Published(), modest);
  Tell(refiner, {2, 4}, 1);
  EXPECT_THAT(Exhaust(refiner, Bowl), testing::Contains(Lengths{2, 16}));
}

// --- options ---

RefinerOptions RefinerFrom(const std::string& text) {
  const Spec spec = ParseSpec(text).value();
  SpecReader reader(spec, "thing");
  RefinerOptions options;
  ReadRefinerOptions(reader, "thing x", options);
  return options;
}

TEST(RefinerOptionsTest, AreRead) {
  EXPECT_EQ(RefinerFrom("x").trials, 100);
  EXPECT_EQ(RefinerFrom("x(trials=7)").trials, 7);
  EXPECT_EQ(RefinerFrom("x(p=1)").better.test, BetterTest::kNone);
  EXPECT_EQ(RefinerOptions::Published().trials, 100);
  EXPECT_EQ(RefinerOptions::Published().better.test, BetterTest::kStudent);
}

TEST(ReadRefinerTest, ReadsAWholeSpec) {
  const RefinerOptions options = ReadRefiner(ParseSpec("droplet(trials=9, p=0.2)").value());
  EXPECT_EQ(options.mode, RefinerMode::kFixed);
  EXPECT_EQ(options.trials, 9);
  EXPECT_EQ(options.better.p, 0.2);
}

TEST(ReadRefinerTest, MetaschedulesTestsNothing) {
  const RefinerOptions options =
      ReadRefiner(ParseSpec("droplet(mode=metaschedule, trials=9)").value());
  EXPECT_EQ(options.mode, RefinerMode::kMetaschedule);
  EXPECT_EQ(options.trials, 9);
  EXPECT_EQ(options.better.test, BetterTest::kNone);
}

void ExpectRefused(const std::function<void()>& act, const std::string& text) {
  try {
    act();
    ADD_FAILURE() << "expected: " << text;
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr(text));
  }
}

TEST(RefinerOptionsTest, BadOnesAreRefused) {
  ExpectRefused([] { RefinerFrom("x(trials=0)"); }, "thing x: trials=0, expected at least 1");
  ExpectRefused([] { RefinerFrom("x(p=2)"); }, "thing x: p=2");
  for (const auto& [text, expected] :
       {std::pair{"droplet(trials=-1)", "refiner droplet: trials=-1"},
        {"droplet(mode=faithful)", "metaschedule"}}) {
    ExpectRefused([&] { ReadRefiner(ParseSpec(text).value()); }, expected);
  }
}

}  // namespace
}  // namespace schedulegym
