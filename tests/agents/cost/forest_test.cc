#include "agents/cost/forest.h"

#include <gtest/gtest.h>
#include <xgboost/c_api.h>

#include <cmath>
#include <limits>

#include "agents/cost/boosted_trees.h"
#include "env/base/rng.h"
#include "tests/support/input_fault.h"

namespace schedulegym {
namespace {

constexpr float kMissing = std::numeric_limits<float>::quiet_NaN();

// Base 0.5; column 1 below 2 adds 1, else column 0 below -1 adds 10 and the rest 20; missing values
// go right, then left. A second tree is a leaf of 100.
constexpr const char* kJson = R"({"learner": {
  "learner_model_param": {"base_score": "5E-1", "num_feature": "2"},
  "gradient_booster": {"model": {"trees": [
    {"left_children": [1, -1, 3, -1, -1], "right_children": [2, -1, 4, -1, -1],
     "split_indices": [1, 0, 0, 0, 0], "split_conditions": [2.0, 1.0, -1.0, 10.0, 20.0],
     "default_left": [0, 0, 1, 0, 0]},
    {"left_children": [-1], "right_children": [-1], "split_indices": [0],
     "split_conditions": [100.0], "default_left": [0]}]}}}})";

float Ask(float first, float second) {
  static const Forest forest = Forest::FromXgboost(kJson);
  return forest.Predict(std::vector<float>{first, second});
}

TEST(ForestTest, RowsFallToTheirLeaves) {
  EXPECT_EQ(Ask(0, 1.5), 101.5);
  EXPECT_EQ(Ask(-2, 3), 110.5);
  EXPECT_EQ(Ask(0, 3), 120.5);
}

TEST(ForestTest, WhatIsAtTheBorderGoesRight) {
  EXPECT_EQ(Ask(-1, 2), 120.5);
  EXPECT_EQ(Ask(std::nextafter(-1.0f, -2.0f), 2), 110.5);
}

TEST(ForestTest, WhatIsMissingGoesWhereTheTreeSays) {
  EXPECT_EQ(Ask(0, kMissing), 120.5);
  EXPECT_EQ(Ask(kMissing, kMissing), 110.5);
}

TEST(ForestTest, WithoutTreesThereIsNothingToAdd) {
  EXPECT_EQ(Forest().Predict(std::vector<float>{1, 2}), 0);
}

// The second tree has no split.
TEST(ForestTest, StagesEndWithWhatItSays) {
  const Forest forest = Forest::FromXgboost(kJson);
  std::vector<float> stages(4);
  forest.PredictStages(std::vector<float>{0, 3}, stages);
  EXPECT_EQ(stages, (std::vector<float>{0.5, 0.5, 0.5, 120.5}));
  Forest().PredictStages(std::vector<float>{1, 2}, stages);
  EXPECT_EQ(stages, std::vector<float>(4));
}

// The error for the model with one part replaced.
std::string ForestFault(const std::string& part, const std::string& other) {
  std::string json = kJson;
  const size_t at = json.find(part);
  EXPECT_NE(at, json.npos) << part;
  json.replace(at, part.size(), other);
  return InputFaultOf([&] { Forest::FromXgboost(json); });
}

TEST(ForestTest, SaysWhatItsRowsAre) {
  const Forest forest = Forest::FromXgboost(kJson);
  EXPECT_EQ(forest.trees(), 2);
  EXPECT_EQ(forest.columns(), 2);
  EXPECT_EQ(forest.meaning(), "");
}

// Prediction would loop forever or read out of bounds.
TEST(ForestTest, TreesThatLeadNowhereAreRefused) {
  EXPECT_EQ(ForestFault("[1, -1, 3, -1, -1]", "[0, -1, 3, -1, -1]"),
            "tree 0, node 0: its child is node 0, expected one of 1..4");
  EXPECT_EQ(ForestFault("[1, -1, 3, -1, -1]", "[1, -1, 2, -1, -1]"),
            "tree 0, node 2: two nodes lead to it, expected one: no tree");
  EXPECT_EQ(ForestFault("[1, -1, 3, -1, -1]", "[1, -1, 1, -1, -1]"),
            "tree 0, node 1: two nodes lead to it, expected one: no tree");
  EXPECT_EQ(ForestFault("[2, -1, 4, -1, -1]", "[2, -1, 1000000, -1, -1]"),
            "tree 0, node 2: its child is node 1000000, expected one of 1..4");
  EXPECT_EQ(ForestFault("[2, -1, 4, -1, -1]", "[2, -1, -1, -1, -1]"),
            "tree 0, node 2: its child is node -1, expected one of 1..4");
  EXPECT_EQ(ForestFault("[1, 0, 0, 0, 0]", "[1000000, 0, 0, 0, 0]"),
            "tree 0, node 0: it asks for column 1000000, expected one of 0..1");
  EXPECT_EQ(ForestFault("[1, 0, 0, 0, 0]", "[-1, 0, 0, 0, 0]"),
            "tree 0, node 0: it asks for column -1, expected one of 0..1");
}

TEST(ForestTest, NumbersThatCannotBeAddedAreRefused) {
  EXPECT_EQ(ForestFault("100.0", "1e300"),
            "tree 1, node 0: its value is no number that can be added up");
  EXPECT_EQ(ForestFault("5E-1", "1e300"), "base_score is '1e300', expected a number");
  EXPECT_EQ(ForestFault("5E-1", "half"), "base_score is 'half', expected a number");
  EXPECT_EQ(ForestFault("\"num_feature\": \"2\"", "\"num_feature\": \"0\""),
            "found 0.0 features, expected 1 to 1000000");
}

TEST(ForestTest, WhatIsNoModelIsRefused) {
  const std::string no_model = "it is no model, or a torn one";
  EXPECT_EQ(ForestFault("\"trees\"", "\"woods\""), no_model);
  EXPECT_EQ(ForestFault("[1, -1, 3, -1, -1]", "7"), no_model);
  EXPECT_EQ(ForestFault("[1, -1, 3, -1, -1]", "[1, -1, \"3\", -1, -1]"), no_model);
  EXPECT_EQ(ForestFault("[100.0]", std::string(100000, '[')), no_model);
  EXPECT_EQ(ForestFault("[1, -1, 3, -1, -1]", "[1, -1, 3, -1]"),
            "tree 0, node 0: found arrays of several lengths or none, expected equal ones");
  EXPECT_EQ(
      ForestFault("\"default_left\": [0]}", "\"default_left\": [0], \"categories_nodes\": [0]}"),
      "tree 1, node 0: found a split by categories, expected numbers");
}

// Predictions of the library itself for rows with some missing values.
std::vector<float> LibrarysWord(const std::string& json, const FeatureMatrix& features) {
  BoosterHandle booster = nullptr;
  DMatrixHandle data = nullptr;
  EXPECT_EQ(XGBoosterCreate(nullptr, 0, &booster), 0);
  EXPECT_EQ(XGBoosterLoadModelFromBuffer(booster, json.data(), json.size()), 0);
  EXPECT_EQ(XGDMatrixCreateFromMat(features.values.data(), features.rows(), features.columns,
                                   kMissing, &data),
            0);
  bst_ulong count = 0;
  const float* values = nullptr;
  EXPECT_EQ(XGBoosterPredict(booster, data, 0, 0, 0, &count, &values), 0);
  std::vector<float> word(values, values + count);
  XGDMatrixFree(data);
  XGBoosterFree(booster);
  return word;
}

TEST(ForestTest, SaysWhatTheLibrarySaysToTheBit) {
  constexpr int kColumns = 12;
  Rng rng(1);
  FeatureMatrix features{{}, kColumns, "test 1"};
  RowGroups row_groups;
  for (int i = 0; i < 400; ++i) {
    for (int column = 0; column < kColumns; ++column) {
      features.values.push_back(static_cast<float>(rng.Below(20)) / 3);
    }
    const float* row = &features.values[static_cast<size_t>(i) * kColumns];
    row_groups.Add(1, (row[0] + row[1] * row[2] + rng.Uniform()) / 60);
  }
  for (const bool bins : {false, true}) {
    const BoostedTrees trees = BoostedTrees::Train(
        features, row_groups, {.max_depth = bins ? 3 : 10, .bins = bins, .most_rounds = 60});
    FeatureMatrix asked = features;
    for (float& value : asked.values) {
      if (rng.Chance(0.1)) value = kMissing;
    }
    const std::vector<float> word = LibrarysWord(trees.ToText(), asked);
    ASSERT_EQ(word.size(), 400u);
    EXPECT_EQ(trees.Predict(asked), word) << bins;
    EXPECT_NE(trees.Predict(features), word) << bins;
  }
}

}  // namespace
}  // namespace schedulegym
