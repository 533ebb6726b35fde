#include "spaces/ansor/open_sketch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "env/program/language/parser.h"
#include "env/search/factorization.h"

namespace schedulegym {
namespace {

// B follows A: it has A's loop.
OpenSketch TwoStages() {
  const auto task = std::make_shared<const Task>(
      Task{*ParseDag("input X[24]\nA[i:24] = X[i] + 1\nB[i:24] = A[i] * 2\n", "test"), Target(),
           "test"});
  ScheduleState state = *ReplayText(task, R"(trace 1
split(stage=A, loop=0, lengths=[1, 1])
follow_split(stage=B, loop=0, source=0, count=1)
)");
  return {state, {{0, 24, Factorizations(24, 2)}}, {}, {"A: tile"}, {}};
}

int ChoiceOf(const OpenSketch& sketch, const std::vector<int64_t>& lengths) {
  const auto& choices = sketch.splits[0].choices;
  const auto found = std::find(choices.begin(), choices.end(), lengths);
  return static_cast<int>(found - choices.begin());
}

TEST(OpenSketchTest, LengthsAreFilledIn) {
  const OpenSketch sketch = TwoStages();
  const int chosen[] = {ChoiceOf(sketch, {3, 4})};
  const Result<ScheduleState> state = FillLengths(sketch, chosen);
  ASSERT_TRUE(state.ok()) << state.error().message;
  EXPECT_EQ(state->TraceText(),
            "trace 1\n"
            "split(stage=A, loop=0, lengths=[3, 4])\n"
            "follow_split(stage=B, loop=0, source=0, count=1)\n");
}

TEST(OpenSketchTest, WhatFollowsKeepsInStep) {
  const OpenSketch sketch = TwoStages();
  const int chosen[] = {ChoiceOf(sketch, {3, 4})};
  const ScheduleState state = *FillLengths(sketch, chosen);
  const Stage& reader = state.stage(state.Find("B"));
  ASSERT_EQ(reader.loops.size(), 2u);
  EXPECT_EQ(reader.nodes[reader.loops[0].node].extent, 2);
  EXPECT_EQ(reader.nodes[reader.loops[1].node].extent, 12);
}

TEST(OpenSketchTest, TheFirstChoiceIsTheSketchItself) {
  const OpenSketch sketch = TwoStages();
  const int chosen[] = {0};
  EXPECT_EQ(FillLengths(sketch, chosen)->TraceText(), sketch.state.TraceText());
}

TEST(OpenSketchTest, TextMarksWhatIsOpen) {
  EXPECT_EQ(ToText(TwoStages()),
            "trace 1\n"
            "split(stage=A, loop=0, lengths=[?, ?])\n"
            "follow_split(stage=B, loop=0, source=0, count=1)\n");
}

}  // namespace
}  // namespace schedulegym
