#include "agents/mcts/search_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/agents/decisions/made_places.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;
using testing::UnorderedElementsAre;

// The choices in their order: the first has the highest prior.
std::vector<double> InOrder(const TreePlace& place) {
  std::vector<double> priors;
  for (int i = place.choices(); i > 0; --i) priors.push_back(i);
  return priors;
}

std::string TextOf(const TreePlace& place) {
  std::string text;
  for (int letter : WordOf(place)) text += static_cast<char>('a' + letter);
  return text;
}

std::string SortedName(std::vector<int> word) {
  std::ranges::sort(word);
  std::string name;
  for (int letter : word) name += std::to_string(letter) + ",";
  return name;
}

class SearchTreeTest : public testing::Test {
 protected:
  // Words of `length` over `letters` letters, opened in order.
  void Make(int letters, int length, const TreeOptions& options, WordPlace::NameOf name = nullptr) {
    tree_.emplace(std::make_shared<WordPlace>(letters, length, std::vector<int>(), std::move(name)),
                  options, Rng(1), InOrder);
  }

  // The next place to evaluate, after reporting `value` for it; "" if there is none.
  std::string Go(std::optional<double> value) {
    const auto descent = tree_->Select();
    if (!descent) return "";
    tree_->Tell(*descent, value, told_++);
    return TextOf(tree_->PlaceOf(*descent));
  }

  // The child of the root with this letter.
  const SearchTree::Node& Child(int letter) const {
    for (const SearchTree::Edge& edge : tree_->root().edges) {
      if (edge.choice == letter) return tree_->node(edge.child);
    }
    throw std::out_of_range("no such child");
  }

  std::optional<SearchTree> tree_;
  int told_ = 0;
};

const TreeOptions kGreedy = {.selection = {.constant = 0}};

// By hand; the numbers after each step are in its comment.
TEST_F(SearchTreeTest, CountsMeansAndBestsUpToTheRoot) {
  Make(2, 2, kGreedy);
  EXPECT_EQ(Go(1), "a");
  EXPECT_EQ(Go(3), "b");
  EXPECT_DOUBLE_EQ(tree_->root().mean, 2);
  EXPECT_EQ(Go(1), "ba");  // b: (3 + 1) / 2
  EXPECT_DOUBLE_EQ(Child(1).mean, 2);
  EXPECT_DOUBLE_EQ(tree_->root().mean, 5.0 / 3);
  EXPECT_EQ(Go(0), "bb");  // b: (3 + 1 + 0) / 3, and no place is left below
  EXPECT_DOUBLE_EQ(Child(1).mean, 4.0 / 3);
  EXPECT_TRUE(Child(1).is_closed);
  EXPECT_EQ(Child(1).visits, 3);
  EXPECT_DOUBLE_EQ(*Child(1).best, 3);
  EXPECT_EQ(Child(1).best_sample, 1);
  EXPECT_EQ(Go(5), "aa");
  EXPECT_DOUBLE_EQ(*tree_->root().best, 5);
  EXPECT_EQ(tree_->root().best_sample, 4);
  EXPECT_EQ(Go(2), "ab");
  EXPECT_EQ(tree_->root().visits, 6);
  EXPECT_DOUBLE_EQ(tree_->root().mean, 12.0 / 6);
  EXPECT_EQ(Go(9), "");
}

TEST_F(SearchTreeTest, GoesByTheBestWhereItIsAskedTo) {
  TreeOptions options = kGreedy;
  options.value = NodeValue::kBest;
  Make(2, 3, options);
  Go(2), Go(3);             // a, b
  EXPECT_EQ(Go(-9), "ba");  // b has mean -3 now, best 3
  EXPECT_EQ(Go(-9), "bb");
  options.value = NodeValue::kMixed;
  Make(2, 3, options);
  Go(2), Go(3);
  EXPECT_EQ(Go(-9), "ba");  // half of each: 0
  EXPECT_EQ(Go(-9), "aa");
}

TEST_F(SearchTreeTest, OpensEveryWayBeforeAnyIsGoneTwice) {
  SearchTree tree(std::make_shared<WordPlace>(5, 3), {}, Rng(3));
  std::vector<std::string> seen;
  for (int i = 0; i < 5; ++i) {
    const auto descent = tree.Select();
    seen.push_back(TextOf(tree.PlaceOf(*descent)));
    tree.Tell(*descent, i, i);
  }
  EXPECT_THAT(seen, UnorderedElementsAre("a", "b", "c", "d", "e"));
  EXPECT_NE(seen, (std::vector<std::string>{"a", "b", "c", "d", "e"}));  // drawn
}

// With factor 1 and exponent 1/2 the number of children is the square root of the visits.
TEST_F(SearchTreeTest, WidensWithTheVisits) {
  TreeOptions options = kGreedy;
  options.widening = Widening{1, 0.5};
  Make(8, 3, options);
  std::vector<int> open;
  for (int i = 0; i < 17; ++i) {
    Go(1.0 / (1 + i));
    open.push_back(static_cast<int>(tree_->root().edges.size()));
  }
  EXPECT_THAT(open, ElementsAre(1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 4));
}

TEST_F(SearchTreeTest, TheFirstOfEqualsIsGone) {
  Make(3, 2, kGreedy);
  EXPECT_EQ(Go(1), "a");
  EXPECT_EQ(Go(1), "b");
  EXPECT_EQ(Go(1), "c");
  EXPECT_EQ(Go(1), "aa");
}

TEST_F(SearchTreeTest, ASpaceOfOneIsSeenOnce) {
  Make(3, 0, kGreedy);
  EXPECT_EQ(tree_->root().is_terminal, true);
  EXPECT_EQ(Go(1), "");
  EXPECT_EQ(told_, 1);
  EXPECT_FALSE(tree_->Select());
  Make(1, 2, kGreedy);  // a root with one child
  EXPECT_EQ(Go(1), "a");
  EXPECT_EQ(Go(1), "aa");
  EXPECT_FALSE(tree_->Select());
}

TEST_F(SearchTreeTest, SeesWhatIsWholeAgainWhereNothingCloses) {
  TreeOptions options = kGreedy;
  options.closes = false;
  Make(1, 1, options);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(Go(2), "a");
  EXPECT_EQ(Child(0).own_samples.size(), 4u);
  EXPECT_DOUBLE_EQ(tree_->root().mean, 2);
}

TEST_F(SearchTreeTest, ADrawThatLedNowhereCountsAsTheLowest) {
  Make(3, 2, kGreedy);
  Go(4), Go(1), Go(std::nullopt);
  EXPECT_DOUBLE_EQ(tree_->root().mean, 2);
  EXPECT_FALSE(Child(2).best);
  EXPECT_EQ(Go(0), "aa");
  Go(std::nullopt);                          // below a, too
  EXPECT_DOUBLE_EQ(Child(0).mean, 4.0 / 3);  // the lowest is 0 now
}

TEST_F(SearchTreeTest, ATreeInWhichNothingHasAValueIsSeenWhole) {
  Make(2, 2, {});
  for (int i = 0; i < 6; ++i) Go(std::nullopt);
  EXPECT_EQ(told_, 6);
  EXPECT_FALSE(tree_->Select());
  EXPECT_FALSE(tree_->root().best);
}

TEST_F(SearchTreeTest, DescentsThatWaitCountAsLosses) {
  TreeOptions options;
  options.virtual_loss = 1;
  Make(2, 8, options);
  Go(1), Go(0.9);
  EXPECT_EQ(TextOf(tree_->PlaceOf(*tree_->Select())), "aa");
  EXPECT_EQ(TextOf(tree_->PlaceOf(*tree_->Select())), "ba");
  options.virtual_loss = 0;
  Make(2, 8, options);
  Go(1), Go(0.9);
  EXPECT_EQ(TextOf(tree_->PlaceOf(*tree_->Select())), "aa");
  EXPECT_EQ(TextOf(tree_->PlaceOf(*tree_->Select())), "ab");
}

// All six places are selected before any result. A descent that finds no place to evaluate is no
// visit; otherwise visits would exceed results.
TEST_F(SearchTreeTest, WhatFindsNothingToAskForIsNoVisit) {
  for (const int virtual_loss : {0, 1}) {
    TreeOptions options;
    options.virtual_loss = virtual_loss;
    Make(2, 2, options);
    std::vector<SearchTree::Descent> batch;
    for (int i = 0; i < 20; ++i) {
      if (auto descent = tree_->Select()) batch.push_back(*std::move(descent));
    }
    ASSERT_EQ(batch.size(), 6u);
    EXPECT_EQ(tree_->root().visits, 0);
    for (const SearchTree::Descent& one : batch) tree_->Tell(one, 1, 0);
    EXPECT_EQ(tree_->root().visits, 6);
    EXPECT_EQ(Child(0).visits, 3);
    EXPECT_EQ(Child(1).visits, 3);
    EXPECT_DOUBLE_EQ(tree_->root().mean, 1);
    EXPECT_FALSE(tree_->Select());
    EXPECT_EQ(tree_->root().visits, 6);
  }
}

// All places below a are pending, and a has a far higher value: the descent selects from b.
TEST_F(SearchTreeTest, WhatIsStuckBarsNothingElse) {
  Make(2, 2, kGreedy);
  Go(9), Go(1);  // a, b
  std::string places;
  for (int i = 0; i < 4; ++i) {
    const auto descent = tree_->Select();
    ASSERT_TRUE(descent) << i;
    places += TextOf(tree_->PlaceOf(*descent)) + " ";
  }
  EXPECT_EQ(places, "aa ab ba bb ");
  EXPECT_FALSE(tree_->Select());
  EXPECT_EQ(tree_->root().visits, 2);
}

// Before any result, with factor 1 and exponent 1/2: the fifth descent opens a second child, the
// tenth a third.
TEST_F(SearchTreeTest, WidensWithWhatIsUnderWay) {
  TreeOptions options = kGreedy;
  options.widening = Widening{1, 0.5};
  options.virtual_loss = 1;
  Make(8, 6, options);
  std::vector<size_t> open;
  for (int i = 0; i < 10; ++i) {
    tree_->Select();
    open.push_back(tree_->root().edges.size());
  }
  EXPECT_THAT(open, ElementsAre(1, 1, 1, 1, 2, 2, 2, 2, 2, 3));
}

TEST_F(SearchTreeTest, WhatIsWithdrawnWasNeverThere) {
  TreeOptions options;
  options.virtual_loss = 1;
  Make(2, 1, options);
  const auto withdrawn = tree_->Select();
  EXPECT_EQ(tree_->root().edges[0].pending, 1);
  tree_->Withdraw(*withdrawn);
  EXPECT_EQ(tree_->root().edges[0].pending, 0);
  EXPECT_EQ(tree_->root().visits, 0);
  EXPECT_EQ(Go(1), "b");
  EXPECT_EQ(Go(1), "a");
  EXPECT_FALSE(tree_->Select());
}

// A revision equals reporting the new value from the start.
TEST_F(SearchTreeTest, WhatIsRevisedIsAsIfItHadBeenToldSo) {
  const auto tell = [](const std::vector<std::optional<double>>& values) {
    TreeOptions options;
    options.joins = true;
    options.closes = false;
    SearchTree tree(std::make_shared<WordPlace>(3, 2), options, Rng(1));
    // The descents do not depend on the reported values.
    std::vector<SearchTree::Descent> descents;
    for (size_t i = 0; i < values.size(); ++i) descents.push_back(*tree.Select());
    for (size_t i = 0; i < values.size(); ++i) {
      tree.Tell(descents[i], values[i], static_cast<int>(i));
    }
    return tree;
  };
  const std::vector<std::optional<double>> first = {3, 9, 1, std::nullopt, 2, 4};
  const std::vector<std::optional<double>> second = {0, 2, std::nullopt, 3, 2, 4};
  SearchTree revised = tell(first);
  EXPECT_EQ(revised.root().best, 9);
  EXPECT_EQ(revised.root().best_sample, 1);
  revised.Revise([&](int sample) { return second[sample]; });
  const SearchTree told = tell(second);
  ASSERT_EQ(revised.size(), told.size());
  EXPECT_EQ(revised.root().best, 4);
  for (int i = 0; i < told.size(); ++i) {
    EXPECT_EQ(revised.node(i).best, told.node(i).best) << i;
    EXPECT_EQ(revised.node(i).best_sample, told.node(i).best_sample) << i;
    EXPECT_EQ(revised.node(i).visits, told.node(i).visits) << i;
    EXPECT_DOUBLE_EQ(revised.node(i).mean, told.node(i).mean) << i;
  }
}

// At a temperature of 1/100 a value of 999.9 is hardly less than 1000, and a tenth is far less.
// Scaled to the range, the lower one is 0; unscaled, they differ by ten temperatures.
TEST_F(SearchTreeTest, ValuesAreSeenAsPartsOfTheHighest) {
  TreeOptions options = kGreedy;
  options.scale = ValueScale::kHighest;
  options.selection = {.kind = SelectionKind::kSoftmax, .constant = 0, .temperature = 0.01};
  const auto times_of_b = [&](ValueScale scale, double highest, double other) {
    options.scale = scale;
    options.closes = false;
    Make(2, 1, options);
    Go(highest), Go(other);
    for (int i = 0; i < 200; ++i) {
      const auto descent = tree_->Select();
      const bool is_b = WordOf(tree_->PlaceOf(*descent))[0] == 1;
      tree_->Tell(*descent, is_b ? other : highest, 0);
    }
    return Child(1).visits;
  };
  EXPECT_EQ(times_of_b(ValueScale::kHighest, 1000, 100), 1);
  EXPECT_GT(times_of_b(ValueScale::kHighest, 1000, 999.9), 60);
  EXPECT_EQ(times_of_b(ValueScale::kRange, 1000, 999.9), 1);
  EXPECT_EQ(times_of_b(ValueScale::kNone, 1000, 999.9), 1);
}

// Values of a, b and c: -100, 1 and 2. On the whole range b is 0.99 and c is 1: after two visits c
// has 1 + 0.2 sqrt(ln 4 / 2) = 1.17, b 0.99 + 0.2 sqrt(ln 4) = 1.23. Above the median b is 0 like
// a, and has 0.24.
TEST_F(SearchTreeTest, AFloorKeepsGoodValuesApart) {
  TreeOptions options;
  options.selection.constant = 0.2;
  options.scale = ValueScale::kRange;
  options.closes = false;
  const std::vector<double> worths = {-100, 1, 2};
  const auto ways_of = [&](double floor, int count) {
    options.floor = floor;
    Make(3, 1, options);
    std::string ways;
    for (int i = 0; i < count; ++i) {
      const auto descent = tree_->Select();
      const int letter = WordOf(tree_->PlaceOf(*descent))[0];
      tree_->Tell(*descent, worths[letter], i);
      ways += TextOf(tree_->PlaceOf(*descent));
    }
    return ways;
  };
  EXPECT_EQ(ways_of(0, 5), "abccb");
  EXPECT_EQ(ways_of(0.5, 5), "abccc");
  // The median is now the highest, so that the whole range is used again: c has
  // 1 + 0.2 sqrt(ln 5 / 3) = 1.15, b 1.24.
  EXPECT_EQ(ways_of(0.5, 6), "abcccb");
}

TEST_F(SearchTreeTest, WayAndPriorOfPuct) {
  TreeOptions options;
  options.selection = {.kind = SelectionKind::kPuct, .constant = 1};
  const PriorOf prior = [](const TreePlace&) { return std::vector<double>{0.1, 0.6, 0.3}; };
  SearchTree tree(std::make_shared<WordPlace>(3, 1), options, Rng(1), prior);
  const auto go = [&](double value) {
    const auto descent = tree.Select();
    tree.Tell(*descent, value, 0);
    return TextOf(tree.PlaceOf(*descent));
  };
  EXPECT_EQ(go(0), "b");
  EXPECT_EQ(go(0), "c");
  EXPECT_EQ(go(0), "a");
}

// ab and ba are one place, visited three times through a. That b reaches it, too, is one visit of
// b. Counted as three, b would seem to have been tried as often by choices it never made.
TEST_F(SearchTreeTest, APlaceReachedTwoWaysCountsForEachByItsOwnVisits) {
  TreeOptions options = kGreedy;
  options.joins = true;
  options.closes = false;
  Make(2, 2, options, SortedName);
  EXPECT_EQ(Go(1), "a");
  EXPECT_EQ(Go(0), "b");
  EXPECT_EQ(Go(-1), "aa");  // a: 0
  EXPECT_EQ(Go(6), "ab");   // a: (1 - 1 + 6) / 3
  EXPECT_EQ(Go(6), "ab");
  EXPECT_EQ(Go(6), "ab");
  const int before = tree_->size();
  EXPECT_EQ(Child(1).visits, 1);
  // Lower than b, so that b is next, whose first way on is ab again.
  for (int i = 0; i < 30 && Child(1).visits == 1; ++i) Go(-40);
  EXPECT_EQ(tree_->size(), before + (Child(1).edges.size() > 1 ? 1 : 0));
  ASSERT_FALSE(Child(1).edges.empty());
  EXPECT_EQ(Child(1).edges[0].visits, 1);
  EXPECT_EQ(Child(1).edges[0].child, Child(0).edges[1].child);
  EXPECT_GT(tree_->node(Child(1).edges[0].child).visits, 3);
  int64_t through = 0;
  for (const SearchTree::Edge& edge : tree_->root().edges) through += edge.visits;
  EXPECT_EQ(tree_->root().visits, through);
}

// A parent's mean if each parent counted all visits of a shared place.
double NaiveMean(const SearchTree& tree, const SearchTree::Node& node) {
  double sum = node.own_sum;
  auto visits = static_cast<double>(node.own_samples.size());
  for (const SearchTree::Edge& edge : node.edges) {
    const SearchTree::Node& child = tree.node(edge.child);
    visits += static_cast<double>(child.visits);
    sum += static_cast<double>(child.visits) * child.mean;
  }
  return sum / visits;
}

// a has 1, aa with -1 and ab with 6 four times: 24 / 6. b has -1 and, visited once, the same ab:
// 5 / 2. By its own visits a is better. With ab's four visits counted for b, too, b would be at
// 23 / 5 and be selected next because of a's visits.
TEST_F(SearchTreeTest, TheNaiveCountOfAGraphGoesTheOtherWay) {
  TreeOptions options = kGreedy;
  options.joins = true;
  options.closes = false;
  Make(2, 2, options, SortedName);
  for (const double value : {1, 0, -1, 6, 6, 6, -200}) Go(value);
  const auto descent = tree_->Select();  // through b, which joins ab, to bb
  ASSERT_EQ(TextOf(tree_->PlaceOf(*descent)), "bb");
  tree_->Withdraw(*descent);
  const std::vector<double> worths = {1, -1, -1, 6, 6, 6, 6};
  tree_->Revise([&](int sample) { return worths[sample]; });
  EXPECT_DOUBLE_EQ(Child(0).mean, 4);
  EXPECT_DOUBLE_EQ(Child(1).mean, 2.5);
  EXPECT_DOUBLE_EQ(NaiveMean(*tree_, Child(0)), 4);
  EXPECT_DOUBLE_EQ(NaiveMean(*tree_, Child(1)), 4.6);
  EXPECT_EQ(Go(6), "ab");
  EXPECT_EQ(Child(1).visits, 2);
}

// ba is ab: it is evaluated once, counts for b, and is not visited again.
TEST_F(SearchTreeTest, APlaceThatStandsElsewhereLeavesTheTreeAndCounts) {
  TreeOptions options = kGreedy;
  options.closes = false;
  options.drops = true;
  Make(2, 2, options, SortedName);
  EXPECT_EQ(Go(1), "a");
  EXPECT_EQ(Go(2), "b");
  EXPECT_EQ(Go(9), "ba");  // first here, so that ab is the one removed
  EXPECT_EQ(Go(-90), "bb");
  EXPECT_EQ(Go(0), "aa");
  EXPECT_EQ(Go(40), "ab");
  EXPECT_EQ(Child(0).visits, 3);
  EXPECT_DOUBLE_EQ(Child(0).mean, (1 + 0 + 40) / 3.0);
  for (int i = 0; i < 20; ++i) EXPECT_NE(Go(40), "ab");
  EXPECT_EQ(Child(0).edges[1].visits, 1);
}

// Deeper choices are left to completions, which may be many.
TEST_F(SearchTreeTest, DescentsHaveADepth) {
  TreeOptions options;
  options.depth = 2;
  Make(2, 4, options);
  for (int i = 0; i < 100; ++i) EXPECT_LE(Go(1).size(), 2u);
  EXPECT_EQ(tree_->size(), 1 + 2 + 4);
  EXPECT_EQ(tree_->root().visits, 100);
}

TEST_F(SearchTreeTest, NeverStepsBackOntoItsPath) {
  TreeOptions options = kGreedy;
  options.joins = true;
  // One place for each parity: the second letter returns to the root.
  Make(2, 4, options, [](const std::vector<int>& word) { return std::to_string(word.size() % 2); });
  EXPECT_EQ(Go(1), "a");
  EXPECT_FALSE(tree_->Select());  // b is a, whose only choice returns to the root
  EXPECT_EQ(tree_->size(), 2);
  EXPECT_EQ(tree_->root().visits, 2);  // a, and b joining a
}

// Visits are equal except for the last, which goes to the higher mean: a is always 1, b 0, 9 and
// -9.
TEST_F(SearchTreeTest, TheRootsChoiceFollowsTheRule) {
  TreeOptions options;
  options.selection.constant = 100;
  Make(2, 5, options);
  const std::vector<double> of_b = {0, 9, -9, -9};
  size_t next = 0;
  for (int i = 0; i < 9; ++i) {
    const auto descent = tree_->Select();
    const bool is_b = WordOf(tree_->PlaceOf(*descent))[0] == 1;
    tree_->Tell(*descent, is_b ? of_b.at(next++) : 1, i);
  }
  EXPECT_EQ(next, 4u);
  EXPECT_EQ(ChooseAtRoot(*tree_, RootRule::kBest), 1);
  EXPECT_EQ(ChooseAtRoot(*tree_, RootRule::kMean), 0);
  EXPECT_EQ(ChooseAtRoot(*tree_, RootRule::kVisits), 0);
  EXPECT_STREQ(RootRuleName(RootRule::kVisits), "visits");
}

TEST_F(SearchTreeTest, EqualSeedsDescendEqually) {
  const auto run = [] {
    TreeOptions options;
    options.selection.kind = SelectionKind::kSoftmax;
    SearchTree tree(std::make_shared<WordPlace>(3, 6), options, Rng(11));
    std::string all;
    for (int i = 0; i < 200; ++i) {
      const auto descent = tree.Select();
      all += TextOf(tree.PlaceOf(*descent)) + " ";
      tree.Tell(*descent, (i * 7919 % 101) / 100.0, i);
    }
    return all;
  };
  EXPECT_EQ(run(), run());
}

}  // namespace
}  // namespace schedulegym
