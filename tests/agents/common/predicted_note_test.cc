#include "agents/common/proposal_round.h"

#include <gtest/gtest.h>

#include "tests/agents/decisions/two_sketch_space.h"

namespace schedulegym {
namespace {

// `count` proposals of a naive schedule.
std::vector<Proposal> Some(int count) {
  const ScheduleState state = ScheduleState::Initial(TwoSketchSpace::SmallTask());
  return std::vector<Proposal>(count, ProposalOf(state));
}

TEST(PredictedNoteTest, KeepsTheSecondsThatAreSaid) {
  std::vector<Proposal> proposals = Some(3);
  for (Proposal& one : proposals) one.note = "drawn";
  NotePredictions(
      [](const std::vector<StateFeatures>& states) {
        EXPECT_EQ(states.size(), 3u);
        return std::vector<std::optional<Prediction>>{Prediction{4, 0.25}, std::nullopt,
                                                      Prediction{3}};
      },
      proposals);
  EXPECT_EQ(proposals[0].note, "predicted(seconds=0.25)");
  EXPECT_EQ(proposals[1].note, "drawn") << "of which nothing is said";
  EXPECT_EQ(proposals[2].note, "drawn") << "which has a score and no seconds";
}

TEST(PredictedNoteTest, NobodyIsAskedOfNothing) {
  std::vector<Proposal> none;
  NotePredictions(
      [](const std::vector<StateFeatures>&) {
        ADD_FAILURE();
        return std::vector<std::optional<Prediction>>();
      },
      none);
}

}  // namespace
}  // namespace schedulegym
