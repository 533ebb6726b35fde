#include "agents/learned/stages/stage_beam.h"

// First include: torch_internal.h has the reason.
#include <ATen/core/ivalue.h>

#include <ATen/TensorOperators.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>

#include "agents/learned/scorer/scorer_training.h"
#include "agents/learned/scorer/stage_prefixes.h"
#include "env/base/fault.h"
#include "tests/agents/decisions/two_sketch_space.h"

namespace schedulegym {
namespace {

ScorerModel NewModel(const std::string& text) {
  const Spec spec = RequireSpec("model", text);
  ProgramRows none = EmptyRows(ReadScorerOptions(spec));
  none.targets = {""};
  return NewScorerModel(spec, none, {}, Rng(3));
}

class StageBeamTest : public testing::Test {
 protected:
  // Trained on 400 draws, some of them repeated.
  ScorerModel Trained(const std::string& cuts) const {
    const Spec spec = RequireSpec("model",
                                  "stages(task=none,width=32,prefixes=6,epochs=60,patience=60,"
                                  "held_out=0,rate=0.003,cuts=" +
                                      cuts + ")");
    const ScorerOptions options = ReadScorerOptions(spec);
    StagePrograms programs(options, [](const Spec&) { return std::make_unique<TwoSketchSpace>(); });
    programs.Open(0, task_, "two_sketches");
    ProgramRows rows = EmptyRows(options);
    rows.targets = {""};
    rows.heads = {0};
    Rng rng(1);
    for (uint64_t i = 0; i < 400; ++i) {
      const Result<ScheduleState> state = space_.Sample(task_, rng);
      if (!state) continue;
      const auto label = static_cast<float>(kBestTwoSketchSeconds / TwoSketchSeconds(*state));
      programs.Add(0, programs.Describe(0, "two_sketches", *state, i), label, &rows);
    }
    programs.Label(&rows);
    ScorerTraining training(spec, std::move(rows), {.seed = 1});
    while (!training.is_over()) training.Step();
    return ReadScorer(training.State());
  }

  const TwoSketchSpace space_;
  const std::shared_ptr<const Task> task_ = TwoSketchSpace::SmallTask();
  Rng rng_{7};
};

TEST_F(StageBeamTest, AWideOneValuesAllSchedulesBestFirst) {
  ScorerModel model = NewModel("stages(features=ansor,task=none,width=8)");
  StageBeam beam(model, space_, task_);
  const std::vector<ValuedPrefix> all = beam.Search(100'000, 0, rng_, 1);
  EXPECT_EQ(all.size(), TwoSketchSpace::kSchedules);
  for (size_t i = 1; i < all.size(); ++i) EXPECT_GE(all[i - 1].value, all[i].value);
  for (const ValuedPrefix& one : all) EXPECT_EQ(beam.prefixes().Ways(one.prefix), 0);
}

TEST_F(StageBeamTest, AGreedyOneEndsInTheWaysOfTheLastDecision) {
  ScorerModel model = NewModel("stages(features=ansor,task=none,width=8)");
  StageBeam beam(model, space_, task_);
  const std::vector<ValuedPrefix> greedy = beam.Search(1, 0, rng_, 1);
  EXPECT_GE(greedy.size(), 2U);
  EXPECT_LE(greedy.size(), 3U + 3U) << "A: unroll, and B: unroll";
  const std::vector<ValuedPrefix> again = beam.Search(1, 0, rng_, 2);
  ASSERT_EQ(again.size(), greedy.size());
  for (size_t i = 0; i < greedy.size(); ++i) {
    EXPECT_EQ(again[i].prefix.point, greedy[i].prefix.point);
    EXPECT_EQ(again[i].value, greedy[i].value);
  }
}

TEST_F(StageBeamTest, RefusesNetworksOfWholeSchedules) {
  ScorerModel model = NewModel("mlp(width=8)");
  try {
    const StageBeam beam(model, space_, task_);
    FAIL();
  } catch (const InputError& fault) {
    EXPECT_THAT(fault.what(), testing::HasSubstr("expected a file of train stages"));
  }
}

TEST_F(StageBeamTest, DecidesStagesAsDrawnSchedulesAndTheirMutationsDo) {
  ScorerModel model = NewModel("stages(features=ansor,task=none,width=8)");
  StageBeam beam(model, space_, task_);
  const std::vector<ValuedPrefix> found = beam.Search(2, 40, rng_, 1);
  ASSERT_FALSE(found.empty());
  std::set<Key> keys;
  for (size_t i = 0; i < found.size(); ++i) {
    const StagePrefix& prefix = found[i].prefix;
    EXPECT_EQ(beam.prefixes().Ways(prefix), 0) << "whole";
    EXPECT_TRUE(beam.prefixes().StateAt(prefix));
    EXPECT_TRUE(keys.insert(beam.prefixes().KeyOf(prefix)).second) << "once";
    EXPECT_TRUE(i == 0 || found[i - 1].value >= found[i].value);
  }
  Rng again(7), other(8);
  const std::vector<ValuedPrefix> same = beam.Search(2, 40, again, 2);
  ASSERT_EQ(same.size(), found.size());
  for (size_t i = 0; i < same.size(); ++i) EXPECT_EQ(same[i].prefix.point, found[i].prefix.point);
  const std::vector<ValuedPrefix> another = beam.Search(2, 40, other, 1);
  const auto point = [](const ValuedPrefix& one) { return one.prefix.point; };
  EXPECT_FALSE(std::ranges::equal(another, found, {}, point, point)) << "chance takes part";
  EXPECT_GT(beam.Search(2, 8, rng_, 1).size(), 8U) << "draws, and mutations of them";
}

// After training on the space it finds fast schedules: on prefixes of whole stages by draws, and on
// prefixes of any decision knob by knob.
TEST_F(StageBeamTest, GreedyEndsNearTheBestOnceItWasTrained) {
  for (const auto& [cuts, draws] : {std::pair("stages", 64), std::pair("decisions", 0)}) {
    ScorerModel model = Trained(cuts);
    StageBeam beam(model, space_, task_);
    const StagePrefix best = beam.Search(1, draws, rng_, 1).front().prefix;
    std::vector<double> drawn;
    while (drawn.size() < 100) {
      const Result<ScheduleState> one = space_.Sample(task_, rng_);
      if (one) drawn.push_back(TwoSketchSeconds(*one));
    }
    std::ranges::sort(drawn);
    // The order of float sums, and so the trained network, depends on the processor.
    const double seconds = TwoSketchSeconds(beam.prefixes().StateAt(best).value());
    EXPECT_LE(seconds, drawn[24]) << cuts << ": among the best quarter";
  }
}

}  // namespace
}  // namespace schedulegym
