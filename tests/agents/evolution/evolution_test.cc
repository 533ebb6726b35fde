#include "agents/evolution/evolution.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>

#include "env/schedule/loop_structure.h"
#include "tests/agents/split_space.h"
#include "tests/agents/vector_task.h"

namespace schedulegym {
namespace {

constexpr int kExtent = 4096;

int64_t FactorOf(const ScheduleState& state) {
  return std::get<Split>(state.step(0)).lengths.back();
}

// One step up or down from the parent's factor.
class StepSpace : public SplitSpace {
 public:
  Result<ScheduleState> Mutate(const ScheduleState& state, Rng& rng) const override {
    ++mutations_;
    const int64_t factor = FactorOf(state) + (rng.Chance(0.5) ? 1 : -1);
    if (factor < 1 || factor > kExtent) return Illegal("out of range");
    return With(state.shared_task(), factor);
  }

  static ScheduleState With(const std::shared_ptr<const Task>& task, int64_t factor) {
    return *Apply(ScheduleState::Initial(task), Split{{task->dag.outputs().back()}, 0, {factor}});
  }

  int mutations() const { return mutations_; }

 private:
  mutable std::atomic<int> mutations_ = 0;  // threads may call at once
};

// The larger the factor, the better.
std::vector<std::optional<double>> Larger(const std::vector<ScheduleState>& states) {
  std::vector<std::optional<double>> scores;
  for (const ScheduleState& state : states) {
    scores.emplace_back(static_cast<double>(FactorOf(state)));
  }
  return scores;
}

std::vector<ScheduleState> Start(const std::vector<int64_t>& factors) {
  std::vector<ScheduleState> states;
  for (int64_t factor : factors) states.push_back(StepSpace::With(VectorTask(kExtent), factor));
  return states;
}

TEST(EvolutionTest, WithoutGenerationsTakesTheBestOfTheStart) {
  const StepSpace space;
  Rng rng(1);
  const auto best = Evolve(Start({5, 9, 2, 7}), MutationOf(space), Larger,
                           {.population = 8, .generations = 0}, 2, {}, rng);
  ASSERT_EQ(best.size(), 2u);
  EXPECT_EQ(FactorOf(best[0].state), 9);
  EXPECT_EQ(FactorOf(best[1].state), 7);
  EXPECT_EQ(best[0].score, 9);
  EXPECT_EQ(space.mutations(), 0);
}

TEST(EvolutionTest, DescendsTowardsWhatIsBetter) {
  const StepSpace space;
  Rng rng(1);
  const auto best = Evolve(Start({10, 11, 12}), MutationOf(space), Larger,
                           {.population = 64, .generations = 20}, 4, {}, rng);
  // Twelve and twenty steps up, if every step were upwards.
  EXPECT_GT(FactorOf(best[0].state), 20);
  EXPECT_LE(FactorOf(best[0].state), 32);
}

TEST(EvolutionTest, EachStateStandsOnceAndBestFirst) {
  const StepSpace space;
  Rng rng(1);
  const auto best = Evolve(Start({10, 10, 10}), MutationOf(space), Larger,
                           {.population = 64, .generations = 4}, 16, {}, rng);
  for (size_t i = 1; i < best.size(); ++i) EXPECT_LT(best[i].score, best[i - 1].score);
}

TEST(EvolutionTest, WhatWasSeenIsLeftOut) {
  const StepSpace space;
  Rng rng(1);
  const auto start = Start({5, 9});
  const std::set<Key> seen = {StateKey(start[1])};
  const auto best =
      Evolve(start, MutationOf(space), Larger, {.population = 8, .generations = 0}, 4, seen, rng);
  ASSERT_EQ(best.size(), 1u);
  EXPECT_EQ(FactorOf(best[0].state), 5);
}

TEST(EvolutionTest, WhatCannotBeJudgedIsNotTakenAndHasNoChildren) {
  const StepSpace space;
  Rng rng(1);
  const StateEvaluator evaluator = [](const std::vector<ScheduleState>& states) {
    auto scores = Larger(states);
    for (auto& score : scores) {
      if (*score > 100) score.reset();
    }
    return scores;
  };
  const auto best = Evolve(Start({50, 3000}), MutationOf(space), evaluator,
                           {.population = 32, .generations = 5}, 64, {}, rng);
  for (const ScoredState& one : best) EXPECT_LT(FactorOf(one.state), 60);
}

TEST(EvolutionTest, SameSeedSameResult) {
  const StepSpace space;
  Rng one(4), two(4);
  const EvolutionOptions options = {.population = 32, .generations = 5};
  const auto a = Evolve(Start({10, 20}), MutationOf(space), Larger, options, 8, {}, one);
  const auto b = Evolve(Start({10, 20}), MutationOf(space), Larger, options, 8, {}, two);
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) EXPECT_EQ(a[i].key, b[i].key);
}

TEST(EvolutionTest, ThreadsChangeNothing) {
  const StepSpace space;
  std::vector<std::vector<Key>> results;
  for (int threads : {1, 4}) {
    Rng rng(4);
    results.emplace_back();
    const EvolutionOptions options = {.population = 300, .generations = 4, .threads = threads};
    for (const ScoredState& one :
         Evolve(Start({10, 20}), MutationOf(space), Larger, options, 50, {}, rng)) {
      results.back().push_back(one.key);
    }
  }
  EXPECT_GT(results[0].size(), 10u);
  EXPECT_EQ(results[0], results[1]);
}

// Number of states evaluated after the first generation with 10 % of the children mutated.
size_t EvaluatedLater(bool evaluates_copies) {
  const StepSpace space;
  Rng rng(1);
  std::vector<size_t> evaluated;
  const StateEvaluator evaluator = [&](const std::vector<ScheduleState>& states) {
    evaluated.push_back(states.size());
    return Larger(states);
  };
  const EvolutionOptions options = {
      .population = 100, .generations = 1, .mutation = 0.1, .evaluates_copies = evaluates_copies};
  Evolve(Start({10, 20}), MutationOf(space), evaluator, options, 4, {}, rng);
  EXPECT_EQ(evaluated.size(), 2u);
  return evaluated.at(1);
}

TEST(EvolutionTest, CopiesKeepTheirScores) {
  EXPECT_EQ(EvaluatedLater(true), 100u);
  EXPECT_GT(EvaluatedLater(false), 0u);
  EXPECT_LT(EvaluatedLater(false), 30u);
}

// Parents of the fourth generation are copies of copies, and are still drawn by their scores.
TEST(EvolutionTest, CopiesBreedByTheirScores) {
  const StepSpace space;
  Rng rng(1);
  const EvolutionOptions options = {.population = 64, .generations = 4, .mutation = 0.05};
  const auto best = Evolve(Start({1, 4000}), MutationOf(space), Larger, options, 64, {}, rng);
  const auto of_worse = std::count_if(best.begin(), best.end(),
                                      [](const ScoredState& one) { return one.score < 100; });
  EXPECT_LE(of_worse, 2);
}

TEST(EvolutionTest, ASpaceWithoutMutationsEnds) {
  class Still : public StepSpace {
   public:
    Result<ScheduleState> Mutate(const ScheduleState&, Rng&) const override {
      return Illegal("nothing moves");
    }
  };
  const Still space;
  Rng rng(1);
  const auto best = Evolve(Start({5}), MutationOf(space), Larger,
                           {.population = 8, .generations = 3, .mutation = 1}, 4, {}, rng);
  EXPECT_EQ(best.size(), 1u);
  EXPECT_TRUE(Evolve({}, MutationOf(space), Larger, {}, 4, {}, rng).empty());
}

}  // namespace
}  // namespace schedulegym
