#include "spaces/ansor/sketch_space.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "env/schedule/loop_structure.h"
#include "spaces/ansor/annotate.h"
#include "spaces/ansor/stage_loops.h"
#include "spaces/bind_threads.h"
#include "tests/spaces/space_tasks.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;

std::unique_ptr<SearchSpace> Ansor(const std::string& spec = "ansor") {
  return MakeAnsorSpace(ParseSpec(spec).value());
}

std::shared_ptr<const Task> Matmul() {
  return WorkloadTask("matmul(m=16,n=16,k=16)", Avx2Target(2));
}

// 16 has five divisors; the innermost length may be any of them.
TEST(SketchKnobsTest, LengthsAndAnnotationsAreKnobs) {
  const KnobSpace knobs = *Ansor()->Sketches(Matmul())[0].knobs;
  ASSERT_EQ(knobs.dimensions(), 3 + 3 + 1 + 3);
  EXPECT_EQ(knobs.tiles().size(), 3u);
  EXPECT_EQ(knobs.knob(0).name, "C: tile of loop 0, length 0");
  EXPECT_EQ(knobs.knob(6).name, "C: tile of loop 8, length 0");
  EXPECT_THAT(knobs.knob(6).meanings, ElementsAre("1", "2", "4", "8", "16"));
  EXPECT_EQ(knobs.knob(7).kind, KnobKind::kUnroll);
  EXPECT_THAT(knobs.knob(7).meanings, ElementsAre("none", "16", "64", "512"));
  EXPECT_EQ(knobs.knob(8).kind, KnobKind::kVector);
  EXPECT_THAT(knobs.knob(8).meanings, ElementsAre("none", "innermost loop"));
  EXPECT_EQ(knobs.knob(9).name, "C: parallel");
  EXPECT_THAT(knobs.knob(9).meanings,
              ElementsAre("none", "1 loop", "2 loops", "3 loops", "4 loops"));
}

// 900 rows in blocks of one to eight warps of 32; the device has 256 threads.
TEST(SketchKnobsTest, ThreadsOfBlocksAreKnobs) {
  const auto task = DagTask("input X[900, 8]\nS[i:900] = sum(k:8) X[i, k]\n",
                            MakeTarget(ParseSpec("opencl(threads=256)").value()));
  const KnobSpace knobs = *Ansor()->Sketches(task)[0].knobs;
  ASSERT_EQ(knobs.dimensions(), 2);
  EXPECT_EQ(knobs.knob(1).name, "S: threads");
  EXPECT_EQ(knobs.knob(1).kind, KnobKind::kParallel);
  EXPECT_THAT(knobs.knob(1).meanings, ElementsAre("32", "64", "128", "256"));
  for (KnobIndex i = 0; i < knobs.size(); ++i) {
    const ScheduleState state = knobs.At(knobs.PointOf(i)).value();
    EXPECT_EQ(BlocksOf(state).at(0).threads, 32 << knobs.PointOf(i)[1]);
    EXPECT_EQ(knobs.PointOf(state), knobs.PointOf(i)) << state.TraceText();
    EXPECT_EQ(Replay(task, state.trace())->TraceText(), state.TraceText());
  }
  EXPECT_EQ(Ansor("ansor(warps=1)")->Sketches(task)[0].knobs->dimensions(), 1);
}

// Fixed knobs are kept; the sampler draws the rest.
TEST(SketchKnobsTest, DrawsThreadsOfBlocks) {
  const auto task = DagTask("input X[900, 8]\nS[i:900] = sum(k:8) X[i, k]\n",
                            MakeTarget(ParseSpec("opencl(threads=256)").value()));
  const auto space = Ansor();
  const KnobSpace knobs = *space->Sketches(task)[0].knobs;
  std::set<int64_t> drawn, of_one_warp;
  Rng rng(3);
  for (int i = 0; i < 100; ++i) {
    const ScheduleState state = space->Sample(task, rng).value();
    drawn.insert(BlocksOf(state).at(0).threads);
    EXPECT_TRUE(knobs.PointOf(state)) << state.TraceText();
    of_one_warp.insert(BlocksOf(Ansor("ansor(warps=1)")->Sample(task, rng).value()).at(0).threads);
    EXPECT_EQ(BlocksOf(knobs.Complete({std::nullopt, 2}, rng).value()).at(0).threads, 128);
  }
  EXPECT_THAT(drawn, ElementsAre(32, 64, 128, 256));
  EXPECT_THAT(of_one_warp, ElementsAre(32));
}

TEST(SketchKnobsTest, PlacesMeanTheLoopThatTheyAre) {
  const auto task = DagTask(
      "input X[8, 32]\nA[i:8, j:32] = exp(X[i, j])\nB[i:8, j:32] = A[i, j] * 2\n", Avx2Target(2));
  const Sketch sketch = Ansor()->Sketches(task)[0];
  const Knob& place = sketch.knobs->knob(0);
  EXPECT_EQ(place.kind, KnobKind::kLocation);
  EXPECT_EQ(place.stage, sketch.state.Find("A"));
  EXPECT_THAT(place.meanings, ElementsAre("none", "B, loop 0", "B, loop 1"));
}

// The padding P is as wide as the tile of C in which it is computed.
TEST(SketchKnobsTest, VectorsAreLeftOutWhereThePlaceMakesThemLong) {
  const auto task = WorkloadTask("depthwise(h=16,w=16,c=64,k=3,p=1)", Avx2Target(2));
  const Sketch sketch = Ansor()->Sketches(task)[0];
  const KnobSpace& knobs = *sketch.knobs;
  const int stage = sketch.state.Find("P");
  KnobPoint point = knobs.Origin();
  std::vector<bool> vectors;
  int place = -1;
  for (int i = 0; i < knobs.dimensions(); ++i) {
    if (knobs.knob(i).stage != stage) continue;
    if (knobs.knob(i).kind == KnobKind::kVector) point[i] = 1;
    if (knobs.knob(i).kind == KnobKind::kLocation) place = i;
  }
  ASSERT_GE(place, 0);
  for (int choice = 0; choice < knobs.size_of(place); ++choice) {
    point[place] = choice;
    const ScheduleState state = knobs.At(point).value();
    const int64_t inner = ExtentsOf(state, stage).back();
    const bool is_vector = state.stage(stage).loops.back().annotation == Annotation::kVectorize;
    EXPECT_EQ(is_vector, inner <= kMostVector) << state.TraceText();
    vectors.push_back(is_vector);
  }
  EXPECT_FALSE(vectors.front());  // 64 channels at the root
  EXPECT_THAT(vectors, testing::Contains(true));
}

// Many samples are points; their traces have another order.
TEST(SketchKnobsTest, SamplesAreReadWhereTheyArePoints) {
  const auto space = Ansor();
  const auto task = Matmul();
  const std::vector<Sketch> sketches = space->Sketches(task);
  Rng rng(1);
  int points = 0;
  for (int i = 0; i < 60; ++i) {
    const ScheduleState state = *space->Sample(task, rng);
    for (const Sketch& sketch : sketches) {
      const std::optional<KnobPoint> point = sketch.knobs->PointOf(state);
      if (!point) continue;
      ++points;
      const ScheduleState there = *sketch.knobs->At(*point);
      EXPECT_EQ(StateKey(there), StateKey(state));
    }
  }
  EXPECT_GT(points, 10);
}

// Some completions fuse loops as no knob does. They have a prefix and a schedule, but no point.
TEST(SketchKnobsTest, CompletionsNeedNotBePoints) {
  const auto task = DagTask(
      "input X[8, 32]\nA[i:8, j:32] = exp(X[i, j])\nB[i:8, j:32] = A[i, j] * 2\n", Avx2Target(2));
  const KnobSpace knobs = *Ansor()->Sketches(task)[0].knobs;
  Rng rng(1);
  int points = 0, others = 0;
  for (int i = 0; i < 50; ++i) {
    const auto state = knobs.Complete({}, rng);
    ASSERT_TRUE(state.ok());
    (knobs.PointOf(*state) ? points : others)++;
  }
  EXPECT_GT(others, 0);
}

TEST(SketchKnobsTest, WhatFollowsASchedulePointsHaveToo) {
  const auto task = WorkloadTask("conv2d(h=14,w=14,ci=16,co=32,k=3,p=1)", Avx2Target(2));
  Rng rng(5);
  int rewritten = 0;
  for (const Sketch& sketch : Ansor("ansor(layout=true)")->Sketches(task)) {
    for (int i = 0; i < 10; ++i) {
      const auto state = sketch.knobs->Complete({}, rng);
      ASSERT_TRUE(state.ok());
      rewritten += std::holds_alternative<Pack>(state->step(state->trace_size() - 1));
    }
  }
  EXPECT_GT(rewritten, 0);
}

}  // namespace
}  // namespace schedulegym
