#include "agents/cost/boosted_trees.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "env/base/fault.h"
#include "env/base/model_state_file.h"
#include "env/base/rng.h"
#include "tests/env/measure/temporary_folder.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;

constexpr int kColumns = 3;
constexpr const char* kMeaning = "test 1";

// Programs of one or two rows. A row's contribution to the label depends on two of its columns, in
// steps and by a product; the third column is noise.
struct Data {
  FeatureMatrix features{{}, kColumns, kMeaning};
  RowGroups row_groups;

  Data(int programs, uint64_t seed) {
    Rng rng(seed);
    for (int i = 0; i < programs; ++i) {
      const int rows = 1 + static_cast<int>(rng.Below(2));
      double label = 0;
      for (int row = 0; row < rows; ++row) {
        const double a = rng.Uniform(), b = rng.Uniform(), c = rng.Uniform();
        label += ((a > 0.5 ? 0.4 : 0.1) + 0.5 * a * b) / 2;
        for (double value : {a, b, c}) features.values.push_back(static_cast<float>(value));
      }
      row_groups.Add(rows, label);
    }
  }

  double ErrorOf(const BoostedTrees& trees) const {
    return RootMeanSquare(row_groups, trees.Predict(features));
  }
};

TEST(BoostedTreesTest, LearnWhatSumsOverRows) {
  const Data training(600, 1), unseen(200, 2);
  const BoostedTrees trees = BoostedTrees::Train(training.features, training.row_groups, {});
  double mean = 0;
  for (double label : unseen.row_groups.labels) mean += label / unseen.row_groups.size();
  double spread = 0;
  for (double label : unseen.row_groups.labels) {
    spread += std::pow(label - mean, 2) / unseen.row_groups.size();
  }
  EXPECT_LT(training.ErrorOf(trees), 0.02);
  // Far better than the mean, on unseen programs.
  EXPECT_LT(unseen.ErrorOf(trees), 0.3 * std::sqrt(spread));
  EXPECT_GT(AveragePeak(unseen.row_groups, trees.Predict(unseen.features), 16), 0.9);
}

TEST(BoostedTreesTest, AreTheSameEachTime) {
  const Data data(100, 3);
  const auto one = BoostedTrees::Train(data.features, data.row_groups, {});
  const auto two = BoostedTrees::Train(data.features, data.row_groups, {});
  EXPECT_EQ(one.Predict(data.features), two.Predict(data.features));
}

TEST(BoostedTreesTest, ScoresAreSumsOverRowsWithASpread) {
  const Data data(100, 3);
  const auto trees = BoostedTrees::Train(data.features, data.row_groups, BoostingOptions::Quick());
  const auto scored = trees.Score(data.features, data.row_groups);
  const std::vector<double> scores = ScoresOf(data.row_groups, trees.Predict(data.features));
  ASSERT_EQ(scored.size(), scores.size());
  int unsure = 0;
  for (size_t i = 0; i < scores.size(); ++i) {
    EXPECT_EQ(scored[i].score, scores[i]);
    EXPECT_GE(scored[i].spread, 0);
    EXPECT_LT(scored[i].spread, 0.2);
    unsure += scored[i].spread > 1e-4 ? 1 : 0;
  }
  EXPECT_GT(unsure, 90);
}

// With noisy labels later trees still change the prediction; with a single label they do not.
TEST(BoostedTreesTest, TheSpreadIsLargerWhereLabelsDisagree) {
  FeatureMatrix features{{}, kColumns, kMeaning};
  RowGroups row_groups;
  Rng rng(1);
  for (int i = 0; i < 400; ++i) {
    const double a = rng.Uniform(), b = rng.Uniform();
    for (double value : {a, b, 0.0}) features.values.push_back(static_cast<float>(value));
    row_groups.Add(1, a < 0.5 ? 0.5 : rng.Uniform());
  }
  const auto scored = BoostedTrees::Train(features, row_groups, BoostingOptions::Quick())
                          .Score(features, row_groups);
  double calm = 0, noisy = 0;
  for (int i = 0; i < row_groups.size(); ++i) {
    (features.values[static_cast<size_t>(i) * kColumns] < 0.5f ? calm : noisy) += scored[i].spread;
  }
  EXPECT_GT(noisy, 3 * calm);
}

TEST(BoostedTreesTest, ASumPredictsWhatTheTwoDoTogether) {
  const Data data(100, 3), other(80, 4);
  const auto one = BoostedTrees::Train(data.features, data.row_groups, BoostingOptions::Quick());
  const auto two = BoostedTrees::Train(other.features, other.row_groups, BoostingOptions::Gentle());
  const BoostedTrees sum = BoostedTrees::Sum(one, two);
  EXPECT_EQ(sum.rounds(), one.rounds() + two.rounds());
  const std::vector<float> a = one.Predict(data.features), b = two.Predict(data.features);
  const std::vector<float> both = sum.Predict(data.features);
  for (size_t i = 0; i < both.size(); ++i) EXPECT_NEAR(both[i], a[i] + b[i], 1e-5);
  const BoostedTrees again = BoostedTrees::Parse(sum.ToText(), "sum", kColumns, kMeaning);
  EXPECT_EQ(again.Predict(data.features), both);
}

TEST(BoostedTreesTest, EndWhenNothingImproves) {
  // Equal rows: after some rounds every leaf holds the single label.
  FeatureMatrix features{std::vector<float>(size_t{20} * kColumns, 1), kColumns, kMeaning};
  RowGroups row_groups;
  for (int i = 0; i < 20; ++i) row_groups.Add(1, 0.7);
  const auto trees = BoostedTrees::Train(features, row_groups, {});
  EXPECT_LT(trees.rounds(), 300);
  EXPECT_NEAR(trees.Predict(features)[0], 0.7, 1e-3);
  BoostingOptions few;
  few.most_rounds = 7;
  EXPECT_EQ(BoostedTrees::Train(features, row_groups, few).rounds(), 7);
}

TEST(BoostedTreesTest, FailuresHaveNoSay) {
  Data data(100, 4);
  const auto before = BoostedTrees::Train(data.features, data.row_groups, {});
  // A failed program with the rows of the best one would lower the prediction if it had weight.
  FeatureMatrix features = data.features;
  RowGroups row_groups = data.row_groups;
  for (int column = 0; column < kColumns; ++column) features.values.push_back(0.99f);
  row_groups.Add(1, 0);
  const auto after = BoostedTrees::Train(features, row_groups, {});
  EXPECT_LT(data.ErrorOf(after), 0.05);
}

void Write(const std::string& path, const std::string& text) { std::ofstream(path) << text; }

TEST(BoostedTreesTest, AreSavedAndLoaded) {
  const TemporaryFolder folder;
  const Data data(100, 5);
  const auto trees = BoostedTrees::Train(data.features, data.row_groups, {});
  const std::string path = folder.Path("model.json");
  Write(path, trees.ToText());
  const auto loaded = BoostedTrees::Load(path, kColumns, kMeaning);
  EXPECT_EQ(loaded.Predict(data.features), trees.Predict(data.features));
  EXPECT_EQ(loaded.rounds(), trees.rounds());
  Write(path, ToBytes({kBoostedKind, trees.ToText()}));
  EXPECT_EQ(BoostedTrees::Load(path, kColumns, kMeaning).ToText(), trees.ToText());
}

void ExpectRefused(const std::function<void()>& act, const std::string& text) {
  try {
    act();
    FAIL() << "expected an InputError";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr(text));
    EXPECT_THAT(error.what(), testing::Not(HasSubstr("\n")));
  }
}

TEST(BoostedTreesTest, WhatIsNoModelIsRefused) {
  const TemporaryFolder folder;
  const Data data(50, 6);
  const std::string path = folder.Path("model.json");
  const std::string text = BoostedTrees::Train(data.features, data.row_groups, {}).ToText();
  Write(path, text);
  ExpectRefused([&] { BoostedTrees::Load(path, 164, kMeaning); },
                "is of 3 features 'test 1', expected 164 features 'test 1'");
  ExpectRefused([&] { BoostedTrees::Load(path, kColumns, "test 2"); },
                "expected 3 features 'test 2'");
  for (const std::string& wrong :
       {std::string("{}"), std::string("{\"learner\": {}}"), text.substr(0, text.size() / 2),
        text.substr(0, text.size() - 1)}) {
    Write(path, wrong);
    ExpectRefused([&] { BoostedTrees::Load(path, kColumns, kMeaning); },
                  "cost model '" + path + "': it is no model, or a torn one");
  }
  for (const auto& [wrong, said] :
       {std::pair("", "found no file of tune --save-model"),
        {"no model", "found no file"},
        {"schedulegym checkpoint 1\n", "found kind 'harl 1', expected 'boosted 1'"},
        {"schedulegym memory: boosted 0\n{}", "found kind 'boosted 0', expected 'boosted 1'"}}) {
    Write(path, wrong);
    ExpectRefused([&] { BoostedTrees::Load(path, kColumns, kMeaning); },
                  "cannot read '" + path + "' as a cost model: " + said);
  }
  ExpectRefused([&] { BoostedTrees::Load(folder.Path("none.json"), kColumns, kMeaning); },
                "none.json': No such file");
  ExpectRefused([&] { BoostedTrees::Load(folder.Path("."), kColumns, kMeaning); },
                "Is a directory");
}

// The error names the tree.
TEST(BoostedTreesTest, ATreeThatGoesRoundIsRefused) {
  const TemporaryFolder folder;
  const Data data(50, 6);
  std::string text = BoostedTrees::Train(data.features, data.row_groups, {}).ToText();
  const std::string lefts = "\"left_children\":[";
  const size_t at = text.find(lefts);
  ASSERT_NE(at, text.npos);
  text.replace(at + lefts.size(), 1, "0");  // of the root node
  const std::string path = folder.Path("model.json");
  Write(path, text);
  ExpectRefused(
      [&] { BoostedTrees::Load(path, kColumns, kMeaning); },
      "cost model '" + path + "': tree 0, node 0: its child is node 0, expected one of 1..");
}

TEST(BoostedTreesTest, NothingIsPredictedForNothing) {
  const Data data(50, 7);
  EXPECT_TRUE(BoostedTrees::Train(data.features, data.row_groups, {})
                  .Predict({{}, kColumns, kMeaning})
                  .empty());
}

}  // namespace
}  // namespace schedulegym
