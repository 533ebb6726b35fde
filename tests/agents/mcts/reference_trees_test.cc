// Compares small trees with tree_reference.py, which computes them by definition: selection,
// expansion and backup of each form, constructed directly and from the default options.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>

#include "agents/mcts/mcts_options.h"
#include "agents/mcts/search_tree.h"
#include "env/base/json.h"
#include "tests/agents/decisions/made_places.h"

namespace schedulegym {
namespace {

const Json& References() {
  static const Json all = [] {
    std::ifstream file(std::string(SG_SOURCE_DIR) + "/tests/agents/mcts/reference_trees.json");
    return ParseJson(std::string(std::istreambuf_iterator<char>(file), {})).value();
  }();
  return all;
}

std::string NameOf(const std::vector<int>& word, bool sorted) {
  std::string name;
  for (int letter : word) name += static_cast<char>('a' + letter);
  if (sorted) std::ranges::sort(name);
  return name;
}

template <typename Kind>
Kind KindOf(const Json& form, const char* key, const std::map<std::string, Kind>& kinds) {
  return kinds.at(form[key].Text());
}

TreeOptions OptionsByHand(const Json& form) {
  TreeOptions options;
  options.selection.kind =
      KindOf<SelectionKind>(form, "kind",
                            {{"additive", SelectionKind::kAdditive},
                             {"multiplicative", SelectionKind::kMultiplicative},
                             {"puct", SelectionKind::kPuct},
                             {"softmax", SelectionKind::kSoftmax}});
  options.selection.constant = form["constant"].As<double>();
  options.value = KindOf<NodeValue>(
      form, "value",
      {{"mean", NodeValue::kMean}, {"best", NodeValue::kBest}, {"mixed", NodeValue::kMixed}});
  options.scale = KindOf<ValueScale>(form, "scale",
                                     {{"none", ValueScale::kNone},
                                      {"range", ValueScale::kRange},
                                      {"highest", ValueScale::kHighest}});
  options.floor = form.ValueOr("floor", 0.0);
  options.joins = form.Has("joins");
  if (form.Has("widening")) {
    options.widening = Widening{form["widening"][0].As<double>(), form["widening"][1].As<double>()};
  }
  return options;
}

// The options of an agent's spec.
TreeOptions OptionsOfSpec(const std::string& spec) {
  const MctsOptions options = ReadMctsOptions(ParseSpec(spec).value());
  switch (options.form) {
    case MctsForm::kModel: return options.visitor.ensemble.tree;
    case MctsForm::kMeasured: return options.measured.tree;
    case MctsForm::kProtuner: return options.protuner.ensemble.tree;
  }
  return {};
}

TreeOptions OptionsOf(const Json& form) {
  TreeOptions options = form.Has("spec") ? OptionsOfSpec(form["spec"].Text()) : OptionsByHand(form);
  options.selection.temperature = 1e-9;  // the best one is drawn
  return options;
}

// 3, 2 and 1 of 6.
std::vector<double> FallingPriors(const TreePlace& place) {
  std::vector<double> priors;
  for (int i = place.choices(); i > 0; --i) {
    priors.push_back(i / (place.choices() * (place.choices() + 1) / 2.0));
  }
  return priors;
}

class ReferenceTreesTest : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    reference_ = References()[GetParam()];
    is_joined_ = reference_["form"].Has("joins");
    WordPlace::NameOf name;
    if (is_joined_ || reference_["form"].Has("drops"))
      name = [](const std::vector<int>& word) { return NameOf(word, true); };
    tree_.emplace(std::make_shared<WordPlace>(3, 3, std::vector<int>(), name),
                  OptionsOf(reference_["form"]), Rng(1), FallingPriors);
  }

  std::string NameAt(int node) const {
    return NameOf(WordOf(*tree_->node(node).place), is_joined_);
  }

  // Replays the descents of the reference, place by place.
  void Replay() {
    int sample = 0;
    for (const Json& step : reference_["steps"].elements()) {
      const auto descent = tree_->Select();
      ASSERT_TRUE(descent) << sample;
      ASSERT_EQ(NameAt(descent->leaf()), step["place"].Text()) << sample;
      const Json& value = step["value"];
      tree_->Tell(*descent, value.is_null() ? std::nullopt : std::optional(value.As<double>()),
                  sample++);
    }
    ASSERT_GE(sample, 19);
    if (reference_["is_whole"].As<bool>()) {
      ASSERT_FALSE(tree_->Select());
    }
  }

  Json reference_;
  bool is_joined_ = false;
  std::optional<SearchTree> tree_;
};

INSTANTIATE_TEST_SUITE_P(Forms, ReferenceTreesTest,
                         testing::Values("uct", "uct_widening", "improved", "floored", "protuner",
                                         "protuner_additive", "measured", "puct", "shipped_uct",
                                         "shipped_faithful", "shipped_told", "shipped_puct",
                                         "shipped_puct_faithful", "shipped_measured",
                                         "shipped_protuner", "shipped_protuner_additive"),
                         [](const auto& info) { return info.param; });

TEST_P(ReferenceTreesTest, AsksForTheSamePlaces) { Replay(); }

TEST_P(ReferenceTreesTest, CountsTheSameVisitsMeansAndBests) {
  ASSERT_NO_FATAL_FAILURE(Replay());
  std::map<std::string, int> nodes;
  for (int i = 0; i < tree_->size(); ++i) nodes[NameAt(i)] = i;
  ASSERT_EQ(nodes.size(), reference_["nodes"].size());
  for (const Json& expected : reference_["nodes"].elements()) {
    const std::string name = expected["place"].Text();
    const SearchTree::Node& node = tree_->node(nodes.at(name));
    EXPECT_EQ(node.visits, expected["visits"].As<int64_t>()) << name;
    EXPECT_NEAR(node.mean, expected["mean"].As<double>(), 1e-9) << name;
    ASSERT_EQ(node.best.has_value(), !expected["best"].is_null()) << name;
    if (!node.best) continue;
    EXPECT_EQ(*node.best, expected["best"].As<double>()) << name;
  }
}

TEST_P(ReferenceTreesTest, GoesTheSameWaysAsOften) {
  ASSERT_NO_FATAL_FAILURE(Replay());
  for (int i = 0; i < tree_->size(); ++i) {
    const auto expected =
        std::ranges::find_if(reference_["nodes"].elements(),
                             [&](const Json& node) { return node["place"].Text() == NameAt(i); });
    ASSERT_NE(expected, reference_["nodes"].elements().end()) << NameAt(i);
    std::vector<std::pair<std::string, int64_t>> ways, expected_ways;
    for (const SearchTree::Edge& edge : tree_->node(i).edges) {
      ways.emplace_back(NameAt(edge.child), edge.visits);
    }
    for (const Json& way : (*expected)["ways"].elements()) {
      expected_ways.emplace_back(way["place"].Text(), way["visits"].As<int64_t>());
    }
    EXPECT_EQ(ways, expected_ways) << NameAt(i);
  }
}

}  // namespace
}  // namespace schedulegym
