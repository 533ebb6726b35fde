#include "spaces/ansor/sketch_space.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "spaces/ansor/ansor_rules.h"
#include "spaces/ansor/derive.h"
#include "spaces/ansor/stage_loops.h"
#include "tests/spaces/space_tasks.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;
using testing::Not;

OpenSketch FirstOf(const std::shared_ptr<const Task>& task) {
  return DeriveSketches(task, AnsorRules())[0];
}

// Three splits: of i and j into three lengths, of k into one.
OpenSketch Matmul() { return FirstOf(WorkloadTask("matmul(m=16,n=16,k=16)", Avx2Target(2))); }

// A stage that may be computed in its reader.
OpenSketch Chain() {
  return FirstOf(DagTask(
      "input X[8, 16]\nA[i:8, j:16] = exp(X[i, j])\nB[i:8, j:16] = A[i, j] * 2\n", Avx2Target(2)));
}

int AnnotationOf(const OpenSketch& sketch, KnobKind kind, const std::string& stage) {
  for (size_t i = 0; i < sketch.annotations.size(); ++i) {
    const OpenAnnotation& open = sketch.annotations[i];
    if (open.kind == kind && open.stage == sketch.state.Find(stage)) return static_cast<int>(i);
  }
  ADD_FAILURE() << "no such annotation";
  return 0;
}

GivenChoices Given(const OpenSketch& sketch, KnobKind kind, const std::string& stage, int choice) {
  GivenChoices given;
  given.annotations.resize(sketch.annotations.size());
  given.annotations[AnnotationOf(sketch, kind, stage)] = choice;
  return given;
}

// A has 16 elements in a row at the root, and one in B's inner loop.
TEST(CompleteTest, GivenVectorsAreLeftOutWhereThePlaceMakesThemLong) {
  const OpenSketch sketch = DeriveSketches(Chain().state.shared_task(), AnsorRules(), 8)[0];
  const int place = AnnotationOf(sketch, KnobKind::kLocation, "A");
  GivenChoices given = Given(sketch, KnobKind::kVector, "A", 1);
  const auto count = static_cast<int>(sketch.annotations[place].choices.size());
  std::set<bool> seen;
  for (int choice = 0; choice < count; ++choice) {
    given.annotations[place] = choice;
    Rng rng(1);
    const ScheduleState state = Complete(sketch, given, rng).value();
    const int stage = state.Find("A");
    const bool is_vector = state.stage(stage).loops.back().annotation == Annotation::kVectorize;
    EXPECT_EQ(is_vector, ExtentsOf(state, stage).back() <= 8) << state.TraceText();
    seen.insert(is_vector);
  }
  EXPECT_EQ(seen.size(), 2u);
}

TEST(CompleteTest, GivenLengthsStay) {
  const OpenSketch sketch = Matmul();
  GivenChoices given;
  given.lengths = {{2, std::nullopt, 4}, {}, {8}};
  Rng rng(1);
  std::set<int64_t> middle;
  for (int i = 0; i < 60; ++i) {
    const auto state = Complete(sketch, given, rng);
    ASSERT_TRUE(state.ok());
    const auto& first = std::get<Split>(state->step(sketch.splits[0].step)).lengths;
    EXPECT_EQ(first[0], 2);
    EXPECT_EQ(first[2], 4);
    middle.insert(first[1]);
    EXPECT_EQ(std::get<Split>(state->step(sketch.splits[2].step)).lengths[0], 8);
  }
  EXPECT_EQ(middle, (std::set<int64_t>{1, 2}));
}

TEST(CompleteTest, LengthsThatFitNoOthersAreAnAnswer) {
  GivenChoices given;
  given.lengths = {{8, 4, std::nullopt}, {}, {}};
  Rng rng(1);
  const auto state = Complete(Matmul(), given, rng);
  ASSERT_FALSE(state.ok());
  EXPECT_THAT(state.error().message, HasSubstr("a loop of 16"));
}

TEST(CompleteTest, GivenUnrollingStays) {
  const OpenSketch sketch = Matmul();
  Rng rng(1);
  for (int i = 0; i < 20; ++i) {
    const auto none = Complete(sketch, Given(sketch, KnobKind::kUnroll, "C", 0), rng);
    const auto some = Complete(sketch, Given(sketch, KnobKind::kUnroll, "C", 3), rng);
    EXPECT_EQ(none->stage(none->Find("C")).auto_unroll_max_step, 0);
    EXPECT_EQ(some->stage(some->Find("C")).auto_unroll_max_step, 512);
  }
}

// Choices for A: at the root, or at either loop of B.
TEST(CompleteTest, GivenPlacesStay) {
  const OpenSketch sketch = Chain();
  Rng rng(1);
  for (int i = 0; i < 20; ++i) {
    const auto at = Complete(sketch, Given(sketch, KnobKind::kLocation, "A", 1), rng);
    ASSERT_TRUE(at.ok());
    EXPECT_EQ(at->stage(at->Find("A")).location, Location::kAt);
    const auto root = Complete(sketch, Given(sketch, KnobKind::kLocation, "A", 0), rng);
    EXPECT_EQ(root->stage(root->Find("A")).location, Location::kRoot);
  }
}

// A may be drawn to be computed in the loop to be vectorised, which has no completion.
TEST(CompleteTest, GivenVectorsComeBeforeParallelLoops) {
  const OpenSketch sketch = Chain();
  Rng rng(1);
  int vectors = 0, nowhere = 0;
  for (int i = 0; i < 20; ++i) {
    const auto state = Complete(sketch, Given(sketch, KnobKind::kVector, "B", 1), rng);
    (state ? vectors : nowhere)++;
    if (state) {
      EXPECT_THAT(state->TraceText(), HasSubstr("vectorize(stage=B"));
    } else {
      EXPECT_THAT(state.error().message, HasSubstr("A is computed at this loop"));
    }
    const auto none = Complete(sketch, Given(sketch, KnobKind::kVector, "B", 0), rng);
    EXPECT_THAT(none->TraceText(), Not(HasSubstr("vectorize(stage=B")));
  }
  EXPECT_GT(vectors, 10);
  EXPECT_GT(nowhere, 0);
}

TEST(CompleteTest, GivenParallelLoopsStay) {
  const OpenSketch sketch = Matmul();
  Rng rng(1);
  for (int i = 0; i < 20; ++i) {
    const auto none = Complete(sketch, Given(sketch, KnobKind::kParallel, "C", 0), rng);
    EXPECT_EQ(Annotated(*none, Annotation::kParallel), "");
    const auto three = Complete(sketch, Given(sketch, KnobKind::kParallel, "C", 3), rng);
    EXPECT_THAT(three->TraceText(), HasSubstr("fuse(stage=C, loops=[0, 1, 2])\nparallel(stage=C"));
  }
}

}  // namespace
}  // namespace schedulegym
