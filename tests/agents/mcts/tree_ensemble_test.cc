#include "agents/mcts/tree_ensemble.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <set>
#include <string>

#include "agents/mcts/mcts_options.h"
#include "tests/agents/decisions/made_rollout.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;
using Word = std::vector<int>;

// The default trees of an agent.
TreeEnsembleOptions EnsembleOf(const std::string& spec) {
  const MctsOptions options = ReadMctsOptions(ParseSpec(spec).value());
  switch (options.form) {
    case MctsForm::kModel: return options.visitor.ensemble;
    case MctsForm::kMeasured: return {.tree = options.measured.tree};
    case MctsForm::kProtuner: return options.protuner.ensemble;
  }
  return {};
}

double SumOf(const Word& word) {
  double sum = 0;
  for (int letter : word) sum += letter;
  return sum;
}

TEST(TreeEnsembleTest, AllTreesShareOneBatch) {
  WordRollout rollout(4, SumOf);
  TreeEnsemble ensemble(std::make_shared<WordPlace>(4, 6), {.trees = 3, .leaves = 2}, rollout,
                        Rng(1));
  EXPECT_EQ(ensemble.Advance(10), 12);
  EXPECT_THAT(rollout.batches(), ElementsAre(6, 6));
  for (const SearchTree& tree : ensemble.trees()) EXPECT_EQ(tree.root().visits, 4);
  EXPECT_EQ(rollout.neighbours(), 0);
}

TEST(TreeEnsembleTest, TheLastTreesAreGreedy) {
  WordRollout rollout(4, SumOf);
  TreeEnsemble ensemble(std::make_shared<WordPlace>(4, 6), {.trees = 5, .greedy = 2}, rollout,
                        Rng(1));
  ensemble.Advance(15);
  EXPECT_EQ(rollout.greedy(), 6);
}

TEST(TreeEnsembleTest, AShareAreNeighboursOfTheBest) {
  WordRollout rollout(4, SumOf);
  TreeEnsemble ensemble(std::make_shared<WordPlace>(4, 6), {.leaves = 4, .near = 0.25}, rollout,
                        Rng(1));
  const int rolled = ensemble.Advance(400);
  EXPECT_NEAR(rollout.neighbours(), 0.25 * rolled, 2);
  // Neighbours do not count as visits.
  EXPECT_EQ(ensemble.trees()[0].root().visits, rolled - rollout.neighbours());
}

TEST(TreeEnsembleTest, TheEliteAreTheBestOfOneValueEach) {
  WordRollout rollout(3, SumOf);
  TreeEnsemble ensemble(std::make_shared<WordPlace>(3, 2), {}, rollout, Rng(1));
  ensemble.Advance(1000);
  std::vector<double> values;
  for (const Rolled& one : ensemble.elite()) {
    values.push_back(one.value);
    EXPECT_EQ(SumOf(rollout.words()[one.sample]), one.value);
  }
  EXPECT_THAT(values, ElementsAre(4, 3, 2, 1, 0));
}

TEST(TreeEnsembleTest, WhatIsWelcomedHasNeighbours) {
  // Only the given word and its neighbours have values.
  WordRollout rollout(3, [](const Word& word) -> std::optional<double> {
    return SumOf(word) < 8 ? std::nullopt : std::optional(SumOf(word));
  });
  Rng rng(3);
  const auto best = std::make_shared<WordPlace>(3, 5, Word{2, 2, 2, 2, 1});
  const std::vector<RolloutRequest> given = {{best}};
  const auto known = rollout.Roll(given, rng);
  TreeEnsemble ensemble(std::make_shared<WordPlace>(3, 5), {.near = 0.5}, rollout, Rng(1));
  ensemble.Welcome(known);
  ensemble.Welcome(std::vector<std::optional<Rolled>>{std::nullopt});
  ensemble.Advance(60);
  EXPECT_EQ(ensemble.elite().front().value, 10);
}

TEST(TreeEnsembleTest, EndsWhereNothingIsLeft) {
  for (int leaves : {1, 7}) {
    WordRollout rollout(2, SumOf);
    TreeEnsembleOptions options = EnsembleOf("mcts");
    options.leaves = leaves;
    TreeEnsemble ensemble(std::make_shared<WordPlace>(2, 3), options, rollout, Rng(1));
    EXPECT_LT(ensemble.Advance(10'000), 100) << leaves;
    EXPECT_EQ(ensemble.Advance(10'000), 0) << leaves;
    EXPECT_EQ(ensemble.elite().front().value, 3) << leaves;
  }
}

TEST(TreeEnsembleTest, SurvivesThatNothingHasAValue) {
  WordRollout rollout(3, [](const Word&) { return std::nullopt; });
  TreeEnsemble ensemble(std::make_shared<WordPlace>(3, 4), EnsembleOf("mcts"), rollout, Rng(1));
  ensemble.Advance(500);
  EXPECT_TRUE(ensemble.elite().empty());
}

TEST(TreeEnsembleTest, EqualSeedsRollOutEqually) {
  const auto words = [](uint64_t seed) {
    WordRollout rollout(4, SumOf);
    TreeEnsemble ensemble(std::make_shared<WordPlace>(4, 6), EnsembleOf("mcts"), rollout,
                          Rng(seed));
    ensemble.Advance(300);
    return rollout.words();
  };
  EXPECT_EQ(words(5), words(5));
  EXPECT_NE(words(5), words(6));
}

// --- optima found by the default ---

constexpr int kLetters = 4;
constexpr int kLength = 8;
constexpr int kLeaves = 4096;  // of 65,536
constexpr int kSeeds = 100;

double Chance(uint64_t seed, uint64_t place, int letter) {
  return Rng(seed * 1'000'003 + place * 31 + static_cast<uint64_t>(letter)).Uniform();
}

// Values of all words of `length`, by their numbers (NumberOf).
using Worths = std::vector<double>;

// Each letter contributes independently.
Worths Sums(uint64_t seed, int length) {
  Worths worths = {0};
  for (int i = 0; i < length; ++i) {
    Worths longer;
    for (int letter = 0; letter < kLetters; ++letter) {
      const double chance = Chance(seed, i, letter);
      for (double worth : worths) longer.push_back(worth + chance);
    }
    worths = std::move(longer);
  }
  return worths;
}
Worths Additive(uint64_t seed) { return Sums(seed, kLength); }

// A letter's contribution depends on all before it, and is smaller at later positions.
Worths Nested(uint64_t seed) {
  Worths worths = {0};
  std::vector<uint64_t> befores = {seed};
  double weight = 1;
  for (int i = 0; i < kLength; ++i, weight *= 0.7) {
    Worths longer;
    std::vector<uint64_t> afters;
    for (int letter = 0; letter < kLetters; ++letter) {
      for (size_t word = 0; word < worths.size(); ++word) {
        afters.push_back(befores[word] * 7 + static_cast<uint64_t>(letter) + 1);
        longer.push_back(worths[word] + weight * Chance(seed, afters.back(), letter));
      }
    }
    worths = std::move(longer);
    befores = std::move(afters);
  }
  return worths;
}

// One first letter leads to the best words and to the worst mean.
Worths Trap(uint64_t seed) {
  Worths worths;
  for (double sum : Sums(seed, kLength - 1)) {
    const double rest = sum / (kLength - 1);
    for (int first = 0; first < kLetters; ++first) {
      const bool leads_to_best = first == static_cast<int>(seed % kLetters);
      worths.push_back(leads_to_best ? 1.6 * rest * rest * rest
                                     : 0.35 + 0.15 * rest + 0.01 * first);
    }
  }
  return worths;
}

int NumberOf(const Word& word) {
  int number = 0;
  for (size_t i = word.size(); i-- > 0;) number = number * kLetters + word[i];
  return number;
}

struct Landscape {
  const char* name;
  Worths (*worths)(uint64_t seed);
  int least;  // least number of optima found in 100 runs
};

class LandscapeTest : public testing::TestWithParam<Landscape> {};

INSTANTIATE_TEST_SUITE_P(Landscapes, LandscapeTest,
                         testing::Values(Landscape{"additive", Additive, 95},
                                         Landscape{"nested", Nested, 95},
                                         Landscape{"trap", Trap, 80}));

double BestBySearch(const TreeEnsembleOptions& options, const Worths& worths, uint64_t seed) {
  int seen = 0;
  double best = 0;
  const bool is_cost = options.tree.selection.kind == SelectionKind::kMultiplicative;
  const auto worth_of = [&](const Word& word) {
    ++seen;
    const double worth = worths[NumberOf(word)];
    best = std::max(best, worth);
    return is_cost ? -1 / worth : worth;
  };
  WordRollout rollout(kLetters, worth_of, true);
  TreeEnsemble ensemble(std::make_shared<WordPlace>(kLetters, kLength), options, rollout,
                        Rng(seed));
  ensemble.Advance(kLeaves - 300);
  EXPECT_LE(seen, kLeaves);
  return best;
}

double BestByChance(const Worths& worths, uint64_t seed) {
  Rng rng(seed);
  double best = 0;
  for (int i = 0; i < kLeaves; ++i) best = std::max(best, worths[rng.Below(std::ssize(worths))]);
  return best;
}

TEST_P(LandscapeTest, TheOptimumIsFoundAndNotByChance) {
  int found = 0, by_chance = 0;
  for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const Worths worths = GetParam().worths(seed);
    ASSERT_EQ(worths.size(), 65'536u);
    const double best = *std::ranges::max_element(worths);
    found += BestBySearch(EnsembleOf("mcts"), worths, seed) == best;
    by_chance += BestByChance(worths, seed) == best;
  }
  EXPECT_GE(found, GetParam().least);
  EXPECT_LE(by_chance, 10);
  std::cout << GetParam().name << ": mcts " << found << ", chance " << by_chance << "\n";
}

int FoundBy(const std::string& form, const Landscape& landscape, int seeds) {
  int found = 0;
  for (int seed = 1; seed <= seeds; ++seed) {
    const Worths worths = landscape.worths(seed);
    found += BestBySearch(EnsembleOf(form), worths, seed) == *std::ranges::max_element(worths);
  }
  std::cout << landscape.name << ": " << form << " " << found << " of " << seeds << "\n";
  return found;
}

TEST_P(LandscapeTest, PuctFindsTheOptimum) {
  EXPECT_GE(FoundBy("mcts(form=puct)", GetParam(), kSeeds), GetParam().least);
}

// It opens two of four choices and never evaluates words behind the others.
TEST_P(LandscapeTest, TheFaithfulFormSeldomDoes) {
  EXPECT_LE(FoundBy("mcts(mode=faithful)", GetParam(), 20), 5);
}

// It draws choices almost uniformly: it learns little in so few descents.
TEST_P(LandscapeTest, TreesThatMeasureSeldomDo) {
  EXPECT_LE(FoundBy("mcts(form=measured)", GetParam(), 20), 5);
}

// Trees of one decision, by costs. They beat random search only if early letters count most.
TEST_P(LandscapeTest, CostsLeadToTheOptimumWhereEarlyLettersCountMost) {
  const int found = FoundBy("mcts(form=protuner)", GetParam(), 20);
  if (GetParam().worths == Nested) {
    EXPECT_GE(found, 6) << "chance has it in 2 of 20 at most";
  }
}

}  // namespace
}  // namespace schedulegym
