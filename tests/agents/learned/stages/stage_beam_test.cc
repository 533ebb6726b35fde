#include "agents/learned/stages/stage_beam.h"

// First: torch_internal.h says why.
#include <ATen/core/ivalue.h>

#include <ATen/TensorOperators.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
  const TwoSketchSpace space_;
  const std::shared_ptr<const Task> task_ = TwoSketchSpace::SmallTask();
};

TEST_F(StageBeamTest, AWideOneValuesAllSchedulesBestFirst) {
  ScorerModel model = NewModel("stages(features=ansor,task=none,width=8)");
  StageBeam beam(model, space_, task_);
  const std::vector<ValuedPrefix> all = beam.Search(100'000, 1);
  EXPECT_EQ(all.size(), TwoSketchSpace::kSchedules);
  for (size_t i = 1; i < all.size(); ++i) EXPECT_GE(all[i - 1].value, all[i].value);
  for (const ValuedPrefix& one : all) EXPECT_EQ(beam.prefixes().Ways(one.prefix), 0);
}

TEST_F(StageBeamTest, AGreedyOneEndsInTheWaysOfTheLastDecision) {
  ScorerModel model = NewModel("stages(features=ansor,task=none,width=8)");
  StageBeam beam(model, space_, task_);
  const std::vector<ValuedPrefix> greedy = beam.Search(1, 1);
  EXPECT_GE(greedy.size(), 2U);
  EXPECT_LE(greedy.size(), 3U + 3U) << "A: unroll, and B: unroll";
  const std::vector<ValuedPrefix> again = beam.Search(1, 2);
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

// Trained on all schedules of the space but for a share, it finds the fastest of them greedily.
TEST_F(StageBeamTest, GreedyEndsNearTheBestOnceItWasTrained) {
  const Spec spec = RequireSpec(
      "model", "stages(task=none,width=32,prefixes=6,epochs=60,patience=60,held_out=0,rate=0.003)");
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
  ScorerModel model = ReadScorer(training.State());
  StageBeam beam(model, space_, task_);
  const StagePrefix best = beam.Search(1, 1).front().prefix;
  const auto state =
      space_.Sketches(task_)[static_cast<size_t>(best.sketch)].knobs->At(best.point).value();
  std::vector<double> drawn;
  while (drawn.size() < 100) {
    const Result<ScheduleState> one = space_.Sample(task_, rng);
    if (one) drawn.push_back(TwoSketchSeconds(*one));
  }
  std::ranges::sort(drawn);
  // How floats are summed, and so what it learns, is the processor's matter.
  EXPECT_LE(TwoSketchSeconds(state), drawn[19]) << "among the best fifth";
}

}  // namespace
}  // namespace schedulegym
