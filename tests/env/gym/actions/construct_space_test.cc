#include "env/gym/actions/construct_space.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "env/base/fault.h"
#include "env/gym/actions/construct_menu.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;

constexpr char kDag[] = "input A[64, 32]\nC[i:64] = sum(k:32) A[i, k]\nD[i:64] = max(C[i], 0)\n";

class ConstructSpaceTest : public testing::Test {
 protected:
  std::unique_ptr<EpisodeState> Start() const {
    Rng rng(0);
    return space_->Start(task_, rng);
  }
  int Split(int length) const { return menu_.group(MoveKind::kSplit).Action(0, length - 1); }
  std::string ResumeError(const std::string& text) const {
    const auto episode = space_->Resume(task_, text);
    return episode ? "" : episode.error().message;
  }
  // After one more split of the outermost loop by 2.
  std::string SplitAgain(const std::string& text) const {
    const auto episode = space_->Resume(task_, text).value()->Fork();
    EXPECT_TRUE(episode->Act(Split(2)).ok());
    return episode->state()->TraceText();
  }

  ConstructMenu menu_;
  std::unique_ptr<ActionSpace> space_ = MakeConstructSpace({"construct", {}});
  std::shared_ptr<const Task> task_ = TaskOf(kDag);
};

TEST_F(ConstructSpaceTest, HasTheMenusActionsAndNoOptions) {
  EXPECT_EQ(space_->Name(), "construct");
  EXPECT_EQ(space_->size(), menu_.size());
  EXPECT_EQ(space_->Menu(), menu_.ToText());
  EXPECT_THROW(MakeConstructSpace(ParseSpec("construct(x=1)").value()), InputError);
}

TEST_F(ConstructSpaceTest, BeginsAtTheNaiveProgram) {
  const auto episode = Start();
  EXPECT_EQ(episode->state()->trace_size(), 0);
  EXPECT_EQ(episode->stage_at_hand(), episode->state()->Find("D"));
  EXPECT_EQ(episode->ToText(), "construct stage=2 closed\ntrace 1\n");
}

TEST_F(ConstructSpaceTest, ActsAndTells) {
  const auto episode = Start();
  EXPECT_EQ(*episode->Describe(kStopAction), "stop");
  EXPECT_EQ(*episode->Describe(1), "next stage: C");
  EXPECT_EQ(*episode->Describe(Split(4)), "split(stage=D, loop=0, lengths=[4])");
  ASSERT_TRUE(episode->Act(Split(4)).ok());
  EXPECT_EQ(*episode->Describe(Split(2)), "split(stage=D, loop=0, lengths=[2, 4])");
  ASSERT_TRUE(episode->Act(1).ok());
  EXPECT_EQ(episode->stage_at_hand(), episode->state()->Find("C"));
  EXPECT_EQ(episode->ToText(),
            "construct stage=1 closed\ntrace 1\nsplit(stage=D, loop=0, lengths=[4])\n");
  EXPECT_EQ(episode->Describe(1).error().message, "found no further stage with loops");
}

TEST_F(ConstructSpaceTest, WhatIsIllegalChangesNothing) {
  const auto episode = Start();
  ASSERT_TRUE(episode->Act(Split(4)).ok());
  const std::string before = episode->ToText();
  const Result<void> done = episode->Act(menu_.group(MoveKind::kInline).first);
  ASSERT_FALSE(done.ok());
  EXPECT_EQ(done.error().kind, ErrorKind::kIllegal);
  EXPECT_EQ(episode->ToText(), before);
  EXPECT_THROW((void)episode->Act(kStopAction), std::logic_error);
}

TEST_F(ConstructSpaceTest, OpenStepsAreAddedToAfterAResumption) {
  const std::string trace = "trace 1\nsplit(stage=D, loop=0, lengths=[4])\n";
  EXPECT_EQ(SplitAgain("construct stage=2 open\n" + trace),
            "trace 1\nsplit(stage=D, loop=0, lengths=[2, 4])\n");
  EXPECT_EQ(SplitAgain("construct stage=2 closed\n" + trace),
            trace + "split(stage=D, loop=0, lengths=[2])\n");
}

TEST_F(ConstructSpaceTest, OtherTextsAreRefusedWithTheirReason) {
  EXPECT_THAT(ResumeError("construct stage=2 ajar\ntrace 1\n"),
              HasSubstr("expected 'construct stage=ID open' or '... closed'"));
  EXPECT_THAT(ResumeError("construct stage=-1 open\ntrace 1\n"), HasSubstr("stage=-1"));
  EXPECT_EQ(ResumeError("construct stage=0 closed\ntrace 1\n"),
            "found stage 0, expected a computed one");
  EXPECT_EQ(ResumeError("construct stage=3 closed\ntrace 1\n"),
            "found stage 3, expected a computed one");
  EXPECT_EQ(ResumeError("construct stage=2 open\ntrace 1\n"), "found no step that may be added to");
  EXPECT_THAT(ResumeError("construct stage=2 open\ntrace 1\nsplit(stage=E, loop=0)\n"),
              HasSubstr("unknown stage 'E'"));
}

}  // namespace
}  // namespace schedulegym
