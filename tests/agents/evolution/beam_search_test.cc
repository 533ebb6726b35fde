#include "agents/evolution/beam_search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "env/search/factorization.h"
#include "spaces/ansor/sketch_space.h"
#include "spaces/schedulegym/schedulegym_space.h"
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

// A tiled product: two splits of three lengths, and one of one length.
class BeamSearchTest : public testing::Test {
 protected:
  BeamSearchTest() {
    const auto space = MakeAnsorSpace(ParseSpec("ansor(cache_write=false,rfactor=false)").value());
    sketches_ = space->Sketches(WorkloadTask("matmul(m=16,n=16,k=16)", Avx2Target(2)));
  }

  std::vector<ScheduleState> Run(const StateEvaluator& evaluator, const BeamOptions& options,
                                 uint64_t seed = 1) const {
    Rng rng(seed);
    return BeamSearch(sketches_, evaluator, options, rng);
  }

  static std::set<Lengths> Tiles(const std::vector<ScheduleState>& states) {
    std::set<Lengths> tiles;
    for (const ScheduleState& state : states) tiles.insert(SplitLengths(state));
    return tiles;
  }

  // All choices for each tile of the first sketch.
  std::vector<Lengths> Ways() const {
    std::vector<Lengths> ways;
    for (const KnobTile& tile : sketches_[0].knobs->tiles()) {
      Lengths& lengths = ways.emplace_back();
      for (const std::vector<int>& way : WaysOf(tile)) lengths.push_back(LengthsAt(tile, way));
    }
    return ways;
  }

  std::vector<Sketch> sketches_;
};

TEST_F(BeamSearchTest, FillsEachSplitWithWhatIsBest) {
  ASSERT_EQ(sketches_.size(), 1u);
  Lengths best;
  for (const Lengths& ways : Ways()) {
    best.push_back(*std::max_element(ways.begin(), ways.end(), [](const auto& a, const auto& b) {
      return a.back() < b.back();
    }));
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
  std::vector<size_t> evaluated;
  const StateEvaluator evaluator = [&](const std::vector<ScheduleState>& states) {
    const size_t step = evaluated.size();
    evaluated.push_back(states.size());
    for (const ScheduleState& state : states) {
      EXPECT_EQ(state.trace_size(), sketches_[0].state.trace_size());
      const Lengths lengths = SplitLengths(state);
      for (size_t i = step + 1; i < lengths.size(); ++i) EXPECT_THAT(lengths[i], Each(1));
    }
    return LengthScores(states);
  };
  Run(evaluator, {.width = 2, .population = 1000});
  const std::vector<Lengths> ways = Ways();
  ASSERT_EQ(ways.size(), 3u);
  EXPECT_EQ(evaluated,
            (std::vector<size_t>{ways[0].size(), 2 * ways[1].size(), 2 * ways[2].size()}));
}

TEST_F(BeamSearchTest, JudgesNoMoreThanThePopulation) {
  std::vector<size_t> evaluated;
  const StateEvaluator evaluator = [&](const std::vector<ScheduleState>& states) {
    evaluated.push_back(states.size());
    return LengthScores(states);
  };
  EXPECT_EQ(Run(evaluator, {.width = 4, .population = 10}).size(), 10u);
  EXPECT_EQ(evaluated.size(), 3u);
  EXPECT_THAT(evaluated, Each(Le(10u)));
}

TEST_F(BeamSearchTest, WaysAreDrawnWhereThereAreManyOfThem) {
  const BeamOptions narrow = {.width = 2, .population = 8};
  EXPECT_EQ(Tiles(Run(LengthScores, narrow, 3)), Tiles(Run(LengthScores, narrow, 3)));
  EXPECT_NE(Tiles(Run(LengthScores, narrow, 3)), Tiles(Run(LengthScores, narrow, 4)));
}

// Ansor's sampler vectorises whole tiles and unrolls at random.
TEST_F(BeamSearchTest, CompletesAsTheSpaceDraws) {
  int vectors = 0, unrolled = 0, all = 0;
  for (const ScheduleState& state : Run(LengthScores, {.width = 1, .population = 400})) {
    ++all;
    vectors += !Annotated(state, Annotation::kVectorize).empty();
    unrolled += state.stage(state.Find("C")).auto_unroll_max_step > 0;
  }
  EXPECT_EQ(vectors, all);
  EXPECT_GT(unrolled, all / 2);
  EXPECT_LT(unrolled, all);
}

TEST_F(BeamSearchTest, WhatCannotBeJudgedDoesNotGoOn) {
  const StateEvaluator even = [](const std::vector<ScheduleState>& states) {
    auto scores = LengthScores(states);
    for (auto& score : scores) {
      if (*score > 20) score.reset();
    }
    return scores;
  };
  for (const ScheduleState& state : Run(even, {.width = 4, .population = 200})) {
    EXPECT_LE(LengthScore(state), 20);
  }
  const StateEvaluator nothing = [](const std::vector<ScheduleState>& states) {
    return std::vector<std::optional<double>>(states.size());
  };
  EXPECT_TRUE(Run(nothing, {}).empty());
}

// A sketch with all tiles filled waits for the others.
TEST_F(BeamSearchTest, SketchesCompete) {
  const auto space = MakeAnsorSpace(ParseSpec("ansor(rfactor=false)").value());
  sketches_ = space->Sketches(WorkloadTask("matmul(m=16,n=16,k=16)", Avx2Target(2)));
  ASSERT_GT(sketches_.size(), 1u);
  const std::shared_ptr<const Task>& task = sketches_[0].knobs->task();
  const ScheduleState naive = ScheduleState::Initial(task);
  const int fewest = naive.size();
  const std::vector<std::vector<int64_t>> any(3, Divisors(16));
  const OpenLengths open = {"C", Split{{naive.Find("C")}, 0, {1, 1, 1}}, 16, LengthsFit::kDivide,
                            any};
  auto knobs = std::make_shared<const KnobSpace>(task, std::vector<TraceSegment>{open});
  const auto count = WaysOf(knobs->tiles()[0]).size();
  std::erase_if(sketches_, [&](const Sketch& sketch) { return sketch.state.size() == fewest; });
  sketches_.push_back({knobs->At(knobs->Origin()).value(), {}, knobs});
  int steps = 0;
  const StateEvaluator few_stages = [&](const std::vector<ScheduleState>& states) {
    ++steps;
    std::vector<std::optional<double>> scores;
    for (const ScheduleState& state : states) scores.emplace_back(-state.size());
    return scores;
  };
  // Wider than the number of tiles: other states stay in the beam, too.
  const int width = static_cast<int>(count) + 5;
  const auto states = Run(few_stages, {.width = width, .population = 20 * width});
  EXPECT_EQ(steps, 3);
  const auto is_plain = [&](const ScheduleState& state) { return state.size() == fewest; };
  EXPECT_EQ(std::count_if(states.begin(), states.end(), is_plain), 20 * (width - 5));
}

TEST_F(BeamSearchTest, OfNoSketchesNothingComes) {
  sketches_.clear();
  EXPECT_TRUE(Run(LengthScores, {}).empty());
}

// With any other sampler's space the tiles are filled, too, and the rest is drawn.
TEST(KnobBeamTest, FillsEachTileWithWhatIsBest) {
  const auto space = MakeSchedulegymSpace(ParseSpec("schedulegym(pack=false)").value());
  const auto task = WorkloadTask("matmul(m=16,n=16,k=16)", Avx2Target(2));
  Rng rng(1);
  const std::vector<ScheduleState> states =
      BeamSearch(space->Sketches(task), LengthScores, {.width = 4, .population = 64}, rng);
  ASSERT_EQ(states.size(), 64u);
  std::set<std::string> traces;
  for (const ScheduleState& state : states) {
    // Tiles of 16 rows and of vectors of 8, and the reduction in blocks of 8.
    EXPECT_EQ(LengthScore(state), 16 + 8 + 8);
    traces.insert(state.TraceText());
  }
  EXPECT_GT(traces.size(), 4u);
}

}  // namespace
}  // namespace schedulegym
