#include "agents/decisions/tree_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agents/mcts/shown_trees.h"
#include "tests/agents/decisions/made_places.h"
#include "tests/support/input_fault.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<double> InOrder(const TreePlace& place) {
  std::vector<double> priors;
  for (int i = place.choices(); i > 0; --i) priors.push_back(i);
  return priors;
}

// With results 1, 3, 2 and none: a, b, ba, bb.
SearchTree SmallTree() {
  SearchTree tree(std::make_shared<WordPlace>(2, 2), {.selection = {.constant = 0}}, Rng(1),
                  InOrder);
  int sample = 0;
  for (const std::optional<double>& value :
       std::vector<std::optional<double>>{1, 3, 2, std::nullopt}) {
    const auto descent = tree.Select();
    tree.Tell(*descent, value, sample++);
  }
  return tree;
}

std::optional<double> NoSeconds(int) { return std::nullopt; }

// The sample of ba takes a tenth of a second.
std::optional<double> SecondsOfBa(int sample) {
  return sample == 2 ? std::optional(0.1) : std::nullopt;
}

TEST(TreeViewTest, ShowsDecisionsVisitsValuesAndWhatWasMeasured) {
  const TreeView view = ViewOf(SmallTree(), SecondsOfBa, 100);
  const ViewNode root = {-1, "", 4, (1 + 3 + 2 + 1) / 4.0, 3, 0.1};
  const ViewNode b = {0, "b", 3, (3 + 2 + 1) / 3.0, 3, 0.1};
  const ViewNode a = {0, "a", 1, 1, 1, std::nullopt};
  const ViewNode ba = {1, "a", 1, 2, 2, 0.1};
  const ViewNode bb = {1, "b", 1, std::nullopt, std::nullopt, std::nullopt};
  EXPECT_THAT(view.nodes, ElementsAre(root, b, a, ba, bb));
  EXPECT_EQ(view.left_out, 0);
}

TEST(TreeViewTest, ShowsTheMostVisited) {
  const TreeView view = ViewOf(SmallTree(), SecondsOfBa, 2);
  ASSERT_EQ(view.nodes.size(), 2u);
  EXPECT_EQ(view.nodes[1].word, "b");
  EXPECT_EQ(view.nodes[1].seconds, 0.1);  // of a node that is not shown
  EXPECT_EQ(view.left_out, 3);
}

TEST(TreeViewTest, ThePrincipalVariationFollowsTheBestValue) {
  EXPECT_THAT(PrincipalVariation(ViewOf(SmallTree(), NoSeconds, 100)), ElementsAre(0, 1, 3));
  EXPECT_THAT(PrincipalVariation(ViewOf(SmallTree(), NoSeconds, 1)), ElementsAre(0));
}

TEST(TreeViewTest, APlaceReachedTwoWaysStandsTwiceAndGoesOnOnce) {
  TreeOptions options = {.selection = {.constant = 0}, .closes = false};
  options.joins = true;
  const auto sorted = [](std::vector<int> word) {
    std::sort(word.begin(), word.end());
    std::string name;
    for (int letter : word) name += std::to_string(letter) + ",";
    return name;
  };
  SearchTree tree(std::make_shared<WordPlace>(2, 3, std::vector<int>(), sorted), options, Rng(1),
                  InOrder);
  for (int i = 0; i < 60; ++i) {
    const auto descent = tree.Select();
    tree.Tell(*descent, -i % 7, i);
  }
  const TreeView view = ViewOf(tree, NoSeconds, 1000);
  int64_t edges = 0;
  for (int i = 0; i < tree.size(); ++i) edges += std::ssize(tree.node(i).edges);
  EXPECT_EQ(std::ssize(view.nodes), 1 + edges);
  EXPECT_EQ(view.left_out, 0);
}

TEST(TreeViewTest, TextReadsBackAsTheSame) {
  TreeView view = ViewOf(SmallTree(), SecondsOfBa, 100);
  view.task = "a \"task\"";
  view.values = "speed";
  view.trace = "trace 1\n";
  view.loops = "for i\n  \"x\"\n";
  view.left_out = 7;
  const std::vector<TreeView> trees = {view, ViewOf(SmallTree(), NoSeconds, 1)};
  EXPECT_EQ(ParseTreeViews(ToText(trees), "file"), trees);
  EXPECT_EQ(ParseTreeViews(ToText({}), "file"), std::vector<TreeView>());
}

TEST(TreeViewTest, ForeignTextIsBadInput) {
  const auto fault = [](const std::string& text) -> std::string {
    return InputFaultOf([&] { ParseTreeViews(text, "a.json"); });
  };
  for (const char* text : {"", "{", "[]", "{}", "{\"schedulegym_tree\": 1}",
                           "{\"schedulegym_tree\": 1, \"trees\": [{}]}"}) {
    EXPECT_EQ(fault(text), "a.json: found no search tree, expected a file of mcts(tree=FILE)")
        << text;
  }
  EXPECT_EQ(fault("{\"schedulegym_tree\": 2, \"trees\": []}"),
            "a.json: found version 2, expected 1");
  std::string text = ToText({ViewOf(SmallTree(), NoSeconds, 100)});
  text.replace(text.find("\"parent\":1"), 10, "\"parent\":9");
  EXPECT_THAT(fault(text), HasSubstr("has no parent before it"));
  EXPECT_THAT(fault("{\"schedulegym_tree\":1,\"trees\":[{\"task\":\"\",\"values\":\"\",\"trace\":"
                    "\"\",\"loops\":\"\",\"left_out\":0,"
                    "\"nodes\":[]}]}"),
              HasSubstr("a tree without nodes"));
}

}  // namespace
}  // namespace schedulegym
