#include "agents/trial.h"

#include <gtest/gtest.h>

#include "tests/agents/scripted_measurer.h"
#include "tests/agents/timed_record.h"

namespace schedulegym {
namespace {

TEST(ProposalTest, KnowsItsKeyAndHasNoNote) {
  const ScheduleState state = ScheduleState::Initial(VectorTask(8));
  const Proposal proposal = ProposalOf(state);
  EXPECT_EQ(proposal.key, StateKey(state));
  EXPECT_EQ(proposal.note, "");
}

TEST(TrialTest, TheRecordIsALessonUnlessItTellsOfTheMachineAlone) {
  Trial trial = KnownTrial(ScheduleState::Initial(VectorTask(8)), std::nullopt);
  for (const Told told : {Told::kMeasured, Told::kKnown, Told::kRevised}) {
    trial.told = told;
    EXPECT_EQ(LessonOf(trial), trial.record.get());
  }
  trial.told = Told::kSaysNothing;
  EXPECT_EQ(LessonOf(trial), nullptr);
  trial.told = Told::kNotReached;
  trial.record.reset();
  EXPECT_EQ(LessonOf(trial), nullptr);
}

TEST(ToldTest, NamesReadBack) {
  EXPECT_STREQ(ToldName(Told::kMeasured), "measured");
  EXPECT_STREQ(ToldName(Told::kSaysNothing), "says_nothing");
  EXPECT_STREQ(ToldName(Told::kNotReached), "not_reached");
  EXPECT_STREQ(ToldName(Told::kKnown), "known");
  EXPECT_STREQ(ToldName(Told::kRevised), "revised");
  EXPECT_EQ(ParseTold("not_reached"), Told::kNotReached);
  EXPECT_EQ(ParseTold("revised"), Told::kRevised);
  EXPECT_EQ(ParseTold("unknown"), std::nullopt);
}

}  // namespace
}  // namespace schedulegym
