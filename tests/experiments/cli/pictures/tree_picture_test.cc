#include "experiments/cli/pictures/tree_picture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace schedulegym {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

// Two sketches; the first has a decided tile, which was measured.
TreeView SmallView() {
  TreeView view;
  view.task = "matmul(m=8,n=8,k=8)";
  view.values = "log of predicted speed";
  view.nodes = {{-1, "", 9, 1.5, 3.0, 0.002},
                {0, "sketch 0: a < b", 6, 1.75, 3.0, 0.002},
                {0, "sketch 1", 3, 1.0, 1.25, std::nullopt},
                {1, "C: tile, 4", 4, 2.0, 3.0, 0.002},
                {1, "C: tile, 8", 1, std::nullopt, std::nullopt, std::nullopt}};
  view.left_out = 2;
  return view;
}

int Count(const std::string& text, const std::string& part) {
  int count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

// The number after the `which`th occurrence of a mark.
double NumberAfter(const std::string& text, const std::string& mark, int which) {
  size_t at = 0;
  for (int i = 0; i <= which; ++i) at = text.find(mark, at) + mark.size();
  return std::stod(text.substr(at));
}

TEST(TreePictureTest, EachPlaceHasAMarkAndEachDecisionALine) {
  const std::string picture = TreePicture(SmallView(), 100);
  EXPECT_THAT(picture, testing::StartsWith("<svg xmlns=\"http://www.w3.org/2000/svg\""));
  EXPECT_THAT(picture, testing::EndsWith("</svg>\n"));
  EXPECT_EQ(Count(picture, "<circle"), 5);
  EXPECT_EQ(Count(picture, "<path"), 4);
  EXPECT_EQ(Count(picture, "<g>"), Count(picture, "</g>"));
  EXPECT_THAT(picture, HasSubstr("matmul(m=8,n=8,k=8); values: log of predicted speed; 5 of 7"));
}

TEST(TreePictureTest, FiguresStandBesideADecision) {
  const std::string picture = TreePicture(SmallView(), 100);
  EXPECT_THAT(picture, HasSubstr("9 visits, best 3, 2.000 ms"));
  EXPECT_THAT(picture, HasSubstr(">3 visits, best 1.25<"));
  EXPECT_THAT(picture, HasSubstr(">1 visit<"));
  EXPECT_THAT(picture, HasSubstr("all schedules"));
}

TEST(TreePictureTest, WordsCannotBreakThePicture) {
  TreeView view = SmallView();
  view.task = "a\n\"b\" <script>&";
  const std::string picture = TreePicture(view, 100);
  EXPECT_THAT(picture, HasSubstr("sketch 0: a &lt; b"));
  EXPECT_THAT(picture, HasSubstr("a &quot;b&quot; &lt;script&gt;&amp;"));
  EXPECT_THAT(picture, Not(HasSubstr("<script>")));
}

TEST(TreePictureTest, LongWordsAreShortenedAndWholeInTheHint) {
  TreeView view = SmallView();
  view.nodes[2].word = std::string(34, 'x') + "\u00e9" + std::string(34, 'y');
  const std::string picture = TreePicture(view, 100);
  EXPECT_THAT(picture, HasSubstr("<title>" + view.nodes[2].word + ": 3 visits"));
  // The text is not cut inside a character.
  EXPECT_THAT(picture, HasSubstr(">" + std::string(34, 'x') + "\u2026<"));
}

TEST(TreePictureTest, ThePrincipalVariationIsShownWhateverElseIs) {
  const std::string picture = TreePicture(SmallView(), 1);
  EXPECT_EQ(Count(picture, "<circle"), 3);
  EXPECT_EQ(Count(picture, "#c8501e"), 3 + 2);
  EXPECT_THAT(picture, HasSubstr("C: tile, 4"));
  EXPECT_THAT(picture, Not(HasSubstr("sketch 1")));
  EXPECT_EQ(Count(TreePicture(SmallView(), 100), "#c8501e"), 3 + 2);
}

// Leaves from the top: tile 4, tile 8, sketch 1.
TEST(TreePictureTest, NodesStandInTheMiddleOfTheirChildren) {
  const std::string picture = TreePicture(SmallView(), 100);
  const auto x = [&](int node) { return NumberAfter(picture, "<circle cx=\"", node); };
  const auto y = [&](int node) { return NumberAfter(picture, "cy=\"", node); };
  // Marks are drawn depth first: root, sketch 0, tile 4, tile 8, sketch 1.
  EXPECT_LT(y(2), y(3));
  EXPECT_LT(y(3), y(4));
  EXPECT_DOUBLE_EQ(y(1), (y(2) + y(3)) / 2);
  EXPECT_DOUBLE_EQ(y(0), (y(1) + y(4)) / 2);
  EXPECT_EQ(x(1), x(4));
  EXPECT_EQ(x(2), x(3));
  EXPECT_EQ(x(1) - x(0), x(2) - x(1));
}

TEST(TreePictureTest, LinesAreTheThickerTheMoreVisits) {
  const std::string picture = TreePicture(SmallView(), 100);
  const auto width = [&](int line) { return NumberAfter(picture, "stroke-width=\"", line); };
  // 1 and 5 sqrt(share): the other sketch, and the principal variation after it.
  EXPECT_NEAR(width(0), 1 + 5 * std::sqrt(3.0 / 9), 1e-3);
  EXPECT_NEAR(width(1), 1 + 5 * std::sqrt(6.0 / 9), 1e-3);
}

TEST(TreePictureTest, ATreeOfARootAlone) {
  TreeView view;
  view.nodes = {{}};
  const std::string picture = TreePicture(view, 10);
  EXPECT_EQ(Count(picture, "<circle"), 1);
  EXPECT_THAT(picture, HasSubstr(">0 visits<"));
  EXPECT_TRUE(VariationWords(view).empty());
}

TEST(TreePictureTest, WordsOfThePrincipalVariation) {
  EXPECT_THAT(VariationWords(SmallView()), ElementsAre("sketch 0: a < b", "C: tile, 4"));
}

TEST(TreePictureTest, TheFullestTreeHasMostVisitsAndOfThoseTheBestValue) {
  std::vector<TreeView> trees(5, SmallView());
  trees[0].nodes[0].best = std::nullopt;
  trees[2].nodes[0].best = 4;
  trees[3].nodes[0].best = 4;
  trees[4].nodes[0].best = 5;  // not visited further yet
  trees[4].nodes[0].visits = 1;
  EXPECT_EQ(FullestTree(trees), 2u);
  EXPECT_EQ(FullestTree({SmallView(), SmallView()}), 0u);
}

}  // namespace
}  // namespace schedulegym
