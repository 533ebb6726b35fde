#include "agents/decisions/decision_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "env/base/fault.h"

namespace schedulegym {
namespace {

DecisionOptions ReadDecisions(const std::string& text) {
  const Spec spec = ParseSpec(text).value();
  SpecReader reader(spec, "agent");
  DecisionOptions options = ReadDecisionOptions(reader, spec, "agent some");
  reader.Finish();
  return options;
}

TEST(DecisionOptionsTest, AModelMayHaveOptionsOrBeAFile) {
  const DecisionOptions named = ReadDecisions("some(model=boosted(label=log-seconds))");
  EXPECT_EQ(named.model.kind, StagedModelOptions::Kind::kNamed);
  EXPECT_EQ(named.model.spec->ToText(), "boosted(label=log-seconds)");
  EXPECT_EQ(ReadDecisions("some(model=pretrained)").model.spec->ToText(), "pretrained");
  EXPECT_EQ(ReadDecisions("some(model=trees.model)").model.file, "trees.model");
}

TEST(DecisionOptionsTest, HasDefaults) {
  const DecisionOptions options = ReadDecisions("some");
  EXPECT_EQ(options.model.kind, StagedModelOptions::Kind::kBoosted);
  EXPECT_EQ(options.model.file, "");
  EXPECT_EQ(options.order, DecisionOrder::kOutputsFirst);
  EXPECT_EQ(options.round.round, 64);
  EXPECT_EQ(options.round.local, 0);
  EXPECT_EQ(options.who, "agent some");
}

TEST(DecisionOptionsTest, ReadsWhatIsSaid) {
  EXPECT_EQ(ReadDecisions("some(model=analytical)").model.kind,
            StagedModelOptions::Kind::kAnalytical);
  EXPECT_EQ(ReadDecisions("some(model=random)").model.kind, StagedModelOptions::Kind::kRandom);
  EXPECT_EQ(ReadDecisions("some(model=trees.json)").model.file, "trees.json");
  EXPECT_EQ(ReadDecisions("some").model.features, ModelFeatures::kEstimated);
  EXPECT_EQ(ReadDecisions("some(features=ansor)").model.features, ModelFeatures::kAnsor);
  EXPECT_EQ(ReadDecisions("some(order=structure)").order, DecisionOrder::kStructureFirst);
  EXPECT_EQ(ReadDecisions("some(round=7)").round.round, 7);
}

TEST(DecisionOptionsTest, RefusesWhatIsOutOfRange) {
  EXPECT_THROW(ReadDecisions("some(round=0)"), InputError);
  EXPECT_THROW(ReadDecisions("some(order=up)"), InputError);
  EXPECT_THROW(ReadDecisions("some(model=3)"), InputError);
  EXPECT_THROW(ReadDecisions("some(features=some)"), InputError);
  EXPECT_THROW(ReadDecisions("some(model=analytical, features=ansor)"), InputError);
}

}  // namespace
}  // namespace schedulegym
