#include "env/gym/actions/construct_menu.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "env/base/text.h"
#include "env/gym/actions/action_space.h"

namespace schedulegym {
namespace {

TEST(ConstructMenuTest, ActionsAndMovesAreABijection) {
  const ConstructMenu menu;
  std::vector<Move> moves;
  for (int action = 0; action < menu.size(); ++action) {
    const Move move = menu.MoveOf(action);
    EXPECT_EQ(menu.group(move.kind).Action(move.a, move.b, move.c), action);
    moves.push_back(move);
  }
  for (size_t i = 1; i < moves.size(); ++i) EXPECT_FALSE(moves[i] == moves[i - 1]) << i;
}

TEST(ConstructMenuTest, GroupsStandByKindOneAfterAnother) {
  const ConstructMenu menu;
  int next = 0;
  for (size_t i = 0; i < menu.groups().size(); ++i) {
    const MenuGroup& group = menu.groups()[i];
    EXPECT_EQ(static_cast<size_t>(group.kind), i);
    EXPECT_EQ(group.first, next);
    next += group.size();
  }
  EXPECT_EQ(next, menu.size());
  EXPECT_EQ(menu.groups().back().kind, MoveKind::kRfactor);
}

TEST(ConstructMenuTest, TheFirstNumberIsTheSlowest) {
  const ConstructMenu menu;
  EXPECT_EQ(menu.MoveOf(kStopAction), Move{});
  EXPECT_EQ(menu.MoveOf(1), (Move{MoveKind::kNextStage}));
  EXPECT_EQ(menu.MoveOf(2), (Move{MoveKind::kSplit, 0, 0}));
  EXPECT_EQ(menu.MoveOf(2 + 16), (Move{MoveKind::kSplit, 0, 16}));
  EXPECT_EQ(menu.MoveOf(2 + 17), (Move{MoveKind::kSplit, 1, 0}));
  const int pack = menu.group(MoveKind::kPack).first;
  EXPECT_EQ(menu.MoveOf(pack + 1), (Move{MoveKind::kPack, 0, 0, 1}));
  EXPECT_EQ(menu.MoveOf(pack + 5), (Move{MoveKind::kPack, 0, 1, 0}));
  EXPECT_EQ(menu.MoveOf(pack + 5 * kMenuDimensions), (Move{MoveKind::kPack, 1, 0, 0}));
}

TEST(ConstructMenuTest, OtherNumbersAreBugs) {
  const ConstructMenu menu;
  EXPECT_THROW(menu.MoveOf(-1), std::logic_error);
  EXPECT_THROW(menu.MoveOf(menu.size()), std::logic_error);
}

// 14 loops in 17 lengths.
TEST(ConstructMenuTest, PrintsALineForEachGroup) {
  const ConstructMenu menu;
  const std::vector<std::string> lines = SplitLines(menu.ToText());
  ASSERT_EQ(lines.size(), menu.groups().size());
  EXPECT_EQ(lines[0], "0: stop: the schedule is as it is");
  EXPECT_THAT(lines[1], testing::StartsWith("1: go on"));
  EXPECT_THAT(lines[2], testing::StartsWith("2..239: split a loop"));
  EXPECT_THAT(lines[3], testing::StartsWith("240.."));
  EXPECT_THAT(lines.back(), testing::HasSubstr(".." + std::to_string(menu.size() - 1) + ": "));
}

}  // namespace
}  // namespace schedulegym
