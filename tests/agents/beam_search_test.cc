#include "agents/search/beam_search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "spaces/schedulegym_space.h"
#include "spaces/sketches/sketch_space.h"
#include "tests/spaces/space_tasks.h"

namespace schedulegym {
namespace {

using testing::Each;
using testing::Le;

using Lengths = std::vector<std::vector<int64_t>>;

Lengths SplitLengths(const ScheduleState& state) {
  Lengths lengths;
  for (const Primitive& step : state.trace()) {
    if (const auto* split = std::get_if<Split>(&step)) lengths.push_back(split->lengths);
  }
  return lengths;
}

// The longer its innermost loops, the better.
double LengthScore(const ScheduleState& state) {
  double score = 0;
  for (const auto& lengths : SplitLengths(state)) score += static_cast<double>(lengths.back());
  return score;
}

std::vector<std::optional<double>> LengthScores(const std::vector<ScheduleState>& states) {
  std::vector<std::optional<double>> scores;
  for (const ScheduleState& state : states) scores.emplace_back(LengthScore(state));
  return scores;
}

// A product in tiles: two splits of three lengths, and one of one.
class BeamSearchTest : public testing::Test {
 protected:
  BeamSearchTest() {
    const auto space = MakeAnsorSpace(ParseSpec("ansor(cache_write=false,rfactor=false)").value());
    sketches_ = space->Sketches(WorkloadTask("matmul(m=16,n=16,k=16)", Avx2Target(2)));
  }

  std::vector<ScheduleState> Run(const Judge& judge, const BeamOptions& options,
                                 uint64_t seed = 1) const {
    Rng rng(seed);
    return BeamSearch(sketches_, judge, options, rng);
  }

  static std::set<Lengths> Tiles(const std::vector<ScheduleState>& states) {
    std::set<Lengths> tiles;
    for (const ScheduleState& state : states) tiles.insert(SplitLengths(state));
    return tiles;
  }

  std::vector<Sketch> sketches_;
};

TEST_F(BeamSearchTest, FillsEachSplitWithWhatIsBest) {
  ASSERT_EQ(sketches_.size(), 1u);
  Lengths best;
  for (const OpenSplit& open : sketches_[0].splits) {
    best.push_back(
        *std::max_element(open.choices.begin(), open.choices.end(),
                          [](const auto& a, const auto& b) { return a.back() < b.back(); }));
  }
  const auto states = Run(LengthScores, {.width = 1, .population = 100});
  EXPECT_EQ(states.size(), 100u);
  EXPECT_EQ(Tiles(states), std::set<Lengths>{best});
}

TEST_F(BeamSearchTest, KeepsAsManyAsItIsWide) {
  const auto constant = [](const std::vector<ScheduleState>& states) {
    return std::vector<std::optional<double>>(states.size(), 1.0);
  };
  for (int width : {1, 3, 8}) {
    EXPECT_EQ(Tiles(Run(constant, {.width = width, .population = 200})).size(),
              static_cast<size_t>(width));
  }
}

TEST_F(BeamSearchTest, JudgesUnfinishedSchedules) {
  std::vector<size_t> judged;
  const Judge judge = [&](const std::vector<ScheduleState>& states) {
    const size_t step = judged.size();
    judged.push_back(states.size());
    for (const ScheduleState& state : states) {
      EXPECT_EQ(state.trace_size(), sketches_[0].state.trace_size());
      const Lengths lengths = SplitLengths(state);
      for (size_t i = step + 1; i < lengths.size(); ++i) EXPECT_THAT(lengths[i], Each(1));
    }
    return LengthScores(states);
  };
  Run(judge, {.width = 2, .population = 1000});
  const std::vector<OpenSplit>& splits = sketches_[0].splits;
  ASSERT_EQ(splits.size(), 3u);
  EXPECT_EQ(judged, (std::vector<size_t>{splits[0].choices.size(), 2 * splits[1].choices.size(),
                                         2 * splits[2].choices.size()}));
}

TEST_F(BeamSearchTest, JudgesNoMoreThanThePopulation) {
  std::vector<size_t> judged;
  const Judge judge = [&](const std::vector<ScheduleState>& states) {
    judged.push_back(states.size());
    return LengthScores(states);
  };
  EXPECT_EQ(Run(judge, {.width = 4, .population = 10}).size(), 10u);
  EXPECT_EQ(judged.size(), 3u);
  EXPECT_THAT(judged, Each(Le(10u)));
}

TEST_F(BeamSearchTest, WaysAreDrawnWhereThereAreManyOfThem) {
  const BeamOptions narrow = {.width = 2, .population = 8};
  EXPECT_EQ(Tiles(Run(LengthScores, narrow, 3)), Tiles(Run(LengthScores, narrow, 3)));
  EXPECT_NE(Tiles(Run(LengthScores, narrow, 3)), Tiles(Run(LengthScores, narrow, 4)));
}

TEST_F(BeamSearchTest, AnnotatesByChance) {
  int vectors = 0, parallels = 0, unrolled = 0, all = 0;
  for (const ScheduleState& state : Run(LengthScores, {.width = 1, .population = 400})) {
    ++all;
    vectors += !Annotated(state, Annotation::kVectorize).empty();
    parallels += !Annotated(state, Annotation::kParallel).empty();
    unrolled += state.stage(state.Find("C")).auto_unroll_max_step > 0;
  }
  for (int some : {vectors, parallels, unrolled}) {
    EXPECT_GT(some, all / 10);
    EXPECT_LT(some, all);
  }
}

TEST_F(BeamSearchTest, WhatCannotBeJudgedDoesNotGoOn) {
  const Judge even = [](const std::vector<ScheduleState>& states) {
    auto scores = LengthScores(states);
    for (auto& score : scores) {
      if (*score > 20) score.reset();
    }
    return scores;
  };
  for (const ScheduleState& state : Run(even, {.width = 4, .population = 200})) {
    EXPECT_LE(LengthScore(state), 20);
  }
  const Judge nothing = [](const std::vector<ScheduleState>& states) {
    return std::vector<std::optional<double>>(states.size());
  };
  EXPECT_TRUE(Run(nothing, {}).empty());
}

// One that has all its tiles waits for the others.
TEST_F(BeamSearchTest, SketchesCompete) {
  const auto space = MakeAnsorSpace(ParseSpec("ansor(rfactor=false)").value());
  sketches_ = space->Sketches(WorkloadTask("matmul(m=16,n=16,k=16)", Avx2Target(2)));
  const auto plain = std::min_element(
      sketches_.begin(), sketches_.end(),
      [](const Sketch& a, const Sketch& b) { return a.state.size() < b.state.size(); });
  const int fewest = plain->state.size();
  ASSERT_GT(sketches_.size(), 1u);
  plain->splits.resize(1);
  int steps = 0;
  const Judge few_stages = [&](const std::vector<ScheduleState>& states) {
    ++steps;
    std::vector<std::optional<double>> scores;
    for (const ScheduleState& state : states) scores.emplace_back(-state.size());
    return scores;
  };
  // Wider than it has tiles: others stay in the beam, too.
  const int width = static_cast<int>(plain->splits[0].choices.size()) + 5;
  const auto states = Run(few_stages, {.width = width, .population = 20 * width});
  EXPECT_EQ(steps, 3);
  const auto is_plain = [&](const ScheduleState& state) { return state.size() == fewest; };
  EXPECT_EQ(std::count_if(states.begin(), states.end(), is_plain), 20 * (width - 5));
}

TEST_F(BeamSearchTest, OfNoSketchesNothingComes) {
  sketches_.clear();
  EXPECT_TRUE(Run(LengthScores, {}).empty());
}

// Sketches whose choices are knobs are filled knob by knob; the end varies one of them.
TEST(KnobBeamTest, FillsEachKnobWithWhatIsBest) {
  const auto space = MakeSchedulegymSpace(ParseSpec("schedulegym(pack=false)").value());
  const auto task = WorkloadTask("matmul(m=16,n=16,k=16)", Avx2Target(2));
  Rng rng(1);
  const std::vector<ScheduleState> states =
      BeamSearch(space->Sketches(task), LengthScores, {.width = 4, .population = 64}, rng);
  ASSERT_EQ(states.size(), 64u);
  double best = 0, worst = 1e9;
  for (const ScheduleState& state : states) {
    best = std::max(best, LengthScore(state));
    worst = std::min(worst, LengthScore(state));
  }
  // Tiles of 16 rows and of two vectors of 8, and the whole reduction in one block.
  EXPECT_EQ(best, 16 + 8 + 16);
  EXPECT_LT(worst, best);
}

}  // namespace
}  // namespace schedulegym
