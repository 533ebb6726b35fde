// Episodes of `construct` on trees.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <thread>

#include "env/gym/actions/construct_menu.h"
#include "env/gym/tables/table_space.h"
#include "tests/env/gym/tables/made_tables.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;

constexpr const char* kLine = "input X[32]\nA[i:32] = X[i] + 1\nB[i:32] = A[i] * 2\n";

std::shared_ptr<const Table> SmallTree() {
  const TreeRows rows = {{-1, 0, 1, 0, 0},
                         {"", "split(stage=B, loop=0, lengths=[4])", "vectorize(stage=B, loop=1)",
                          "split(stage=B, loop=0, lengths=[2, 4])", "unroll(stage=A, loop=0)"}};
  std::vector<TableRow> answers;
  for (int i = 0; i < 5; ++i) answers.push_back(MadeRow(i));
  return std::make_shared<const Table>(TaskOf(kLine), TableFacts(), answers, rows);
}

class TreeTest : public testing::Test {
 protected:
  void Take(std::string_view what) {
    const std::optional<int> action = FindAction(*space_, *episode_, what);
    ASSERT_TRUE(action.has_value()) << what;
    ASSERT_TRUE(episode_->Act(*action).ok());
  }

  std::vector<std::string> Legal() const {
    std::vector<std::string> texts;
    for (int action : LegalActions(*space_, *episode_))
      texts.push_back(*episode_->Describe(action));
    return texts;
  }

  std::shared_ptr<const Table> table_ = SmallTree();
  std::unique_ptr<ActionSpace> space_ = MakeTableConstructSpace(table_);
  Rng rng_{1};
  std::unique_ptr<EpisodeState> episode_ = space_->Start(table_->task(), rng_);
};

TEST_F(TreeTest, ActionsFollowTheTree) {
  EXPECT_EQ(episode_->row(), 0);
  EXPECT_THAT(Legal(),
              testing::ElementsAre("stop", "next stage: A", "split(stage=B, loop=0, lengths=[4])"));
  Take("split(stage=B, loop=0, lengths=[4])");
  EXPECT_EQ(episode_->row(), 1);
  Take("vectorize(stage=B, loop=1)");
  EXPECT_EQ(episode_->row(), 2);
  EXPECT_THAT(Legal(), testing::ElementsAre("stop", "next stage: A"));
  EXPECT_EQ(episode_->state()->TraceText(), table_->TraceText(2));
}

TEST_F(TreeTest, AStepThatAddsToTheLastOneLeadsToItsSibling) {
  Take("split(stage=B, loop=0, lengths=[4])");
  Take("split(stage=B, loop=0, lengths=[2, 4])");
  EXPECT_EQ(episode_->row(), 3);
  EXPECT_EQ(episode_->state()->TraceText(), table_->TraceText(3));
}

TEST_F(TreeTest, TheNextStageStaysAtItsRow) {
  Take("next stage: A");
  EXPECT_EQ(episode_->row(), 0);
  EXPECT_THAT(Legal(), testing::ElementsAre("stop", "unroll(stage=A, loop=0)"));
  Take("unroll(stage=A, loop=0)");
  EXPECT_EQ(episode_->row(), 4);
}

TEST_F(TreeTest, WhatIsNotRecordedIsIllegal) {
  const int parallel = ConstructMenu().group(MoveKind::kParallel).first;
  EXPECT_THAT(episode_->Act(parallel).error().message, HasSubstr("does not record"));
  EXPECT_THAT(episode_->Describe(parallel).error().message, HasSubstr("does not record"));
  EXPECT_EQ(episode_->row(), 0);
  const std::string text = "construct stage=2 closed\ntrace 1\nparallel(stage=B, loop=0)\n";
  EXPECT_THAT(space_->Resume(table_->task(), text).error().message, HasSubstr("does not record"));
}

TEST_F(TreeTest, TextsLeadBackToTheirRow) {
  Take("split(stage=B, loop=0, lengths=[4])");
  const auto again = space_->Resume(table_->task(), episode_->ToText());
  ASSERT_TRUE(again.ok()) << again.error().message;
  EXPECT_EQ((*again)->row(), 1);
  EXPECT_EQ((*again)->stage_at_hand(), episode_->stage_at_hand());
}

TEST_F(TreeTest, ThreadsMayWalkAtOnce) {
  const auto table = MadeTree(TaskOf(kLine), 60);
  const auto space = MakeTableConstructSpace(table);
  std::vector<std::set<int64_t>> rows(2);
  std::vector<std::thread> threads;
  for (std::set<int64_t>& own : rows) {
    threads.emplace_back([&] {
      Rng rng(4);
      for (int i = 0; i < 20; ++i) {
        const auto episode = space->Start(table->task(), rng);
        for (int step = 0; step < 8; ++step) {
          own.insert(*episode->row());
          const std::vector<int> legal = LegalActions(*space, *episode);
          if (legal.size() < 2) break;
          (void)episode->Act(legal[1 + rng.Below(static_cast<int64_t>(legal.size()) - 1)]);
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(rows[0], rows[1]);
  EXPECT_GT(rows[0].size(), 10u);
}

}  // namespace
}  // namespace schedulegym
