#include "env/measure/outcome.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace schedulegym {
namespace {

TEST(OutcomeTest, NamesAreDistinctAndReadBack) {
  std::set<std::string> names;
  for (Outcome outcome : AllOutcomes()) {
    EXPECT_TRUE(names.insert(OutcomeName(outcome)).second) << OutcomeName(outcome);
    EXPECT_EQ(ParseOutcome(OutcomeName(outcome)), outcome);
  }
  EXPECT_EQ(names.size(), 18u);
  EXPECT_EQ(ParseOutcome("OK"), std::nullopt);
  EXPECT_EQ(ParseOutcome(""), std::nullopt);
}

TEST(OutcomeTest, OnlyWhatIsAboutTheCandidateMayBeLearnedFrom) {
  EXPECT_TRUE(MayLearnFrom(Outcome::kOk));
  EXPECT_TRUE(MayLearnFrom(Outcome::kWrongOutput));
  EXPECT_TRUE(MayLearnFrom(Outcome::kNondeterministic));
  EXPECT_FALSE(MayLearnFrom(Outcome::kNoisy));
  EXPECT_FALSE(MayLearnFrom(Outcome::kInfra));
  EXPECT_FALSE(MayLearnFrom(Outcome::kCutOff));
  EXPECT_EQ(GroupOf(Outcome::kCorruptResult), OutcomeGroup::kRepeat);
  EXPECT_EQ(GroupOf(Outcome::kDeviceLost), OutcomeGroup::kNotAboutCandidate);
}

}  // namespace
}  // namespace schedulegym
