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
  for (const TrialStatus told :
       {TrialStatus::kMeasured, TrialStatus::kKnown, TrialStatus::kRevised}) {
    trial.told = told;
    EXPECT_EQ(RecordToLearnFrom(trial), trial.record.get());
  }
  trial.told = TrialStatus::kSaysNothing;
  EXPECT_EQ(RecordToLearnFrom(trial), nullptr);
  trial.told = TrialStatus::kNotReached;
  trial.record.reset();
  EXPECT_EQ(RecordToLearnFrom(trial), nullptr);
}

TEST(TrialStatusTest, NamesReadBack) {
  EXPECT_STREQ(TrialStatusName(TrialStatus::kMeasured), "measured");
  EXPECT_STREQ(TrialStatusName(TrialStatus::kSaysNothing), "says_nothing");
  EXPECT_STREQ(TrialStatusName(TrialStatus::kNotReached), "not_reached");
  EXPECT_STREQ(TrialStatusName(TrialStatus::kKnown), "known");
  EXPECT_STREQ(TrialStatusName(TrialStatus::kRevised), "revised");
  EXPECT_EQ(ParseTrialStatus("not_reached"), TrialStatus::kNotReached);
  EXPECT_EQ(ParseTrialStatus("revised"), TrialStatus::kRevised);
  EXPECT_EQ(ParseTrialStatus("unknown"), std::nullopt);
}

}  // namespace
}  // namespace schedulegym
