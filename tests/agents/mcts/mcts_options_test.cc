#include "agents/mcts/mcts_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/input_fault.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;

MctsOptions ReadMcts(const std::string& text) { return ReadMctsOptions(ParseSpec(text).value()); }

std::string MctsFault(const std::string& text) {
  return InputFaultOf([&] { ReadMcts(text); });
}

TEST(MctsOptionsTest, ImprovesUctByDefault) {
  const MctsOptions options = ReadMcts("mcts");
  EXPECT_EQ(options.form, MctsForm::kModel);
  EXPECT_EQ(options.order, DecisionOrder::kOutputsFirst);
  const TreeEnsembleOptions& ensemble = options.visitor.ensemble;
  EXPECT_EQ(ensemble.tree.selection.kind, SelectionKind::kAdditive);
  EXPECT_EQ(ensemble.tree.selection.constant, 0.5);
  EXPECT_EQ(ensemble.tree.value, NodeValue::kMixed);
  EXPECT_EQ(ensemble.tree.scale, ValueScale::kRange);
  EXPECT_EQ(ensemble.tree.floor, 0.5);
  EXPECT_EQ(ensemble.trees, 2);
  EXPECT_EQ(ensemble.greedy, 1);
  EXPECT_TRUE(ensemble.tree.joins);
  EXPECT_FALSE(ensemble.tree.widening);
  EXPECT_EQ(ensemble.near, 0.25);
  EXPECT_EQ(options.round.local, 0.2);
  EXPECT_EQ(options.round.epsilon, 0.05);
  EXPECT_TRUE(options.round.waits);
  EXPECT_EQ(options.agent.model->kind, StagedModelOptions::Kind::kBoosted);
  EXPECT_EQ(options.agent.tree_file, "");
}

TEST(MctsOptionsTest, FaithfulUctIsThePublishedOne) {
  const MctsOptions options = ReadMcts("mcts(mode=faithful)");
  const TreeOptions& tree = options.visitor.ensemble.tree;
  EXPECT_DOUBLE_EQ(tree.selection.constant * tree.selection.constant, 2);
  EXPECT_EQ(tree.value, NodeValue::kMean);
  EXPECT_EQ(tree.floor, 0);
  EXPECT_EQ(options.visitor.ensemble.trees, 1);
  EXPECT_EQ(options.visitor.ensemble.greedy, 0);
  EXPECT_EQ(tree.widening->factor, 2);
  EXPECT_EQ(tree.widening->exponent, 0);
  EXPECT_EQ(options.order, DecisionOrder::kOutputsFirst);
  EXPECT_EQ(options.visitor.ensemble.near, 0);
  EXPECT_EQ(options.round.local, 0);
  EXPECT_EQ(options.round.epsilon, 0);
  EXPECT_FALSE(options.round.waits);
}

TEST(MctsOptionsTest, EachDifferenceIsASwitch) {
  const MctsOptions options = ReadMcts(
      "mcts(mode=faithful, constant=0.5, branching=0, value=mixed, floor=0.5, joins=true,"
      " trees=2, greedy=1, near=0.25, local=0.2, epsilon=0.05, waits=true)");
  const MctsOptions improved = ReadMcts("mcts");
  EXPECT_EQ(options.order, improved.order);
  EXPECT_EQ(options.round.local, improved.round.local);
  EXPECT_EQ(options.round.epsilon, improved.round.epsilon);
  EXPECT_EQ(options.visitor.ensemble.near, improved.visitor.ensemble.near);
  EXPECT_EQ(options.visitor.ensemble.tree.value, improved.visitor.ensemble.tree.value);
  EXPECT_EQ(options.visitor.ensemble.tree.floor, improved.visitor.ensemble.tree.floor);
  EXPECT_EQ(options.visitor.ensemble.greedy, improved.visitor.ensemble.greedy);
  EXPECT_EQ(options.visitor.ensemble.tree.widening.has_value(), false);
  EXPECT_TRUE(options.visitor.ensemble.tree.joins);
  EXPECT_EQ(ReadMcts("mcts(order=structure)").order, DecisionOrder::kStructureFirst);
}

TEST(MctsOptionsTest, OneTreeOfSeveralIsGreedyWhereDecisionsAreMade) {
  EXPECT_EQ(ReadMcts("mcts(trees=1)").visitor.ensemble.greedy, 0);
  EXPECT_EQ(ReadMcts("mcts(trees=4)").visitor.ensemble.greedy, 1);
  EXPECT_EQ(ReadMcts("mcts(trees=4, greedy=4)").visitor.ensemble.greedy, 4);
  // Episodes of actions have far more choices.
  for (const char* text : {"mcts(actions=modify)", "mcts(actions=construct)"}) {
    EXPECT_EQ(ReadMcts(text).visitor.ensemble.trees, 1);
    EXPECT_EQ(ReadMcts(text).visitor.ensemble.greedy, 0);
  }
}

TEST(MctsOptionsTest, ProtunerIsThePublishedOne) {
  const MctsOptions options = ReadMcts("mcts(form=protuner)");
  EXPECT_EQ(options.form, MctsForm::kProtuner);
  EXPECT_EQ(options.order, DecisionOrder::kOutputsFirst);
  const ProtunerOptions& protuner = options.protuner;
  EXPECT_EQ(protuner.ensemble.trees, 16);
  EXPECT_EQ(protuner.ensemble.greedy, 1);
  EXPECT_EQ(protuner.ensemble.tree.selection.kind, SelectionKind::kMultiplicative);
  EXPECT_EQ(protuner.ensemble.tree.value, NodeValue::kMean);
  EXPECT_EQ(protuner.root, RootRule::kBest);
  EXPECT_EQ(protuner.measured, 16);
  const MctsOptions additive = ReadMcts(
      "mcts(form=protuner, selection=additive, constant=10, trees=4, greedy=4, root=visits)");
  EXPECT_EQ(additive.protuner.ensemble.tree.selection.kind, SelectionKind::kAdditive);
  EXPECT_EQ(additive.protuner.ensemble.tree.selection.constant, 10);
  EXPECT_EQ(additive.protuner.ensemble.greedy, 4);
  EXPECT_EQ(additive.protuner.root, RootRule::kVisits);
}

TEST(MctsOptionsTest, MeasuredIsTinygrads) {
  const MctsOptions options = ReadMcts("mcts(form=measured)");
  EXPECT_EQ(options.form, MctsForm::kMeasured);
  EXPECT_TRUE(options.measured.tree.drops);
  EXPECT_FALSE(options.agent.model);
  const TreeOptions& tree = options.measured.tree;
  EXPECT_EQ(tree.selection.kind, SelectionKind::kSoftmax);
  EXPECT_DOUBLE_EQ(tree.selection.constant * tree.selection.constant, 2);
  EXPECT_EQ(tree.selection.temperature, 0.5);
  EXPECT_EQ(tree.value, NodeValue::kBest);
  EXPECT_EQ(tree.scale, ValueScale::kHighest);
  EXPECT_TRUE(options.measured.takes_speeds);
}

TEST(MctsOptionsTest, PuctHasAPrior) {
  EXPECT_TRUE(ReadMcts("mcts(form=puct)").visitor.model_prior);
  EXPECT_TRUE(ReadMcts("mcts(prior=model)").visitor.model_prior);
  EXPECT_FALSE(ReadMcts("mcts").visitor.model_prior);
  EXPECT_FALSE(ReadMcts("mcts(form=puct, prior=uniform)").visitor.model_prior);
  EXPECT_EQ(ReadMcts("mcts(form=puct)").visitor.ensemble.tree.selection.kind, SelectionKind::kPuct);
  const MctsOptions measured = ReadMcts("mcts(form=puct, reward=measured)");
  EXPECT_EQ(measured.form, MctsForm::kMeasured);
  EXPECT_TRUE(measured.measured.model_prior);
  EXPECT_TRUE(measured.measured.waits);
  EXPECT_TRUE(measured.agent.model);
  EXPECT_FALSE(ReadMcts("mcts(form=puct, reward=measured, prior=uniform)").agent.model);
}

TEST(MctsOptionsTest, APolicyMayBeThePrior) {
  const MctsOptions options =
      ReadMcts("mcts(form=puct, actions=modify, prior=policy(file=a.sgp, hidden=8))");
  ASSERT_TRUE(options.policy);
  EXPECT_EQ(options.policy->path, "a.sgp");
  EXPECT_EQ(options.policy->hidden, 8);
  EXPECT_FALSE(options.visitor.model_prior);
  EXPECT_EQ(ReadMcts("mcts(actions=modify, prior=policy(file=a.sgp))").policy->hidden, 128);
  EXPECT_FALSE(ReadMcts("mcts(form=puct)").policy);
  EXPECT_THAT(MctsFault("mcts(prior=policy(file=a.sgp))"), HasSubstr("expected actions=modify"));
  EXPECT_THAT(MctsFault("mcts(actions=modify, prior=policy)"), HasSubstr("file=FILE"));
  EXPECT_THAT(MctsFault("mcts(actions=modify, prior=policy(file=a, hidden=0))"),
              HasSubstr("hidden"));
  EXPECT_THAT(MctsFault("mcts(prior=expert)"), HasSubstr("uniform, model, policy(file=FILE)"));
  EXPECT_THAT(MctsFault("mcts(form=protuner, prior=policy(file=a))"), HasSubstr("prior"));
}

TEST(MctsOptionsTest, TreesMayBeToldWhatIsMeasured) {
  const MctsOptions options = ReadMcts("mcts(reward=measured, constant=0.5)");
  EXPECT_EQ(options.form, MctsForm::kMeasured);
  EXPECT_FALSE(options.agent.model);
  EXPECT_FALSE(options.measured.takes_speeds);
  EXPECT_EQ(options.measured.tree.selection.constant, 0.5);
  EXPECT_EQ(options.measured.tree.virtual_loss, 1);
  EXPECT_EQ(options.measured.local, 0.2);
}

TEST(MctsOptionsTest, ModelsAreNamedOrFiles) {
  EXPECT_EQ(ReadMcts("mcts(model=analytical)").agent.model->kind,
            StagedModelOptions::Kind::kAnalytical);
  EXPECT_EQ(ReadMcts("mcts(form=protuner, model=random)").agent.model->kind,
            StagedModelOptions::Kind::kRandom);
  EXPECT_EQ(ReadMcts("mcts(model=\"a/b.json\")").agent.model->file, "a/b.json");
  EXPECT_EQ(ReadMcts("mcts(tree=\"t.json\")").agent.tree_file, "t.json");
}

TEST(MctsOptionsTest, WaysOnMayBeActionsOfTheGym) {
  EXPECT_EQ(ReadMcts("mcts").actions, TreeActions::kDecisions);
  for (const char* form : {"uct", "puct", "measured", "protuner"}) {
    const std::string start = std::string("mcts(form=") + form + ", ";
    EXPECT_EQ(ReadMcts(start + "actions=modify)").actions, TreeActions::kModify);
    EXPECT_EQ(ReadMcts(start + "actions=modify)").depth, 8);
    EXPECT_EQ(ReadMcts(start + "actions=construct)").actions, TreeActions::kConstruct);
    EXPECT_EQ(ReadMcts(start + "actions=construct)").depth, 100);
    EXPECT_EQ(ReadMcts(start + "actions=modify, depth=3)").depth, 3);
  }
  // For decisions, only uct and puct have a depth.
  for (const char* form : {"measured", "protuner"}) {
    const std::string text = std::string("mcts(form=") + form + ", depth=3)";
    EXPECT_THAT(MctsFault(text), HasSubstr("unknown key 'depth'"));
  }
  EXPECT_THAT(MctsFault("mcts(actions=modify, order=structure)"), HasSubstr("order"));
  EXPECT_EQ(MctsFault("mcts(actions=modify, depth=0)"), "agent mcts: depth=0, expected 1 to 1000");
  EXPECT_THAT(MctsFault("mcts(actions=other)"), HasSubstr("construct"));
}

TEST(MctsOptionsTest, DescentsGoToTheEndOrToADepth) {
  EXPECT_EQ(ReadMcts("mcts").visitor.ensemble.tree.depth, 0);
  EXPECT_EQ(ReadMcts("mcts(depth=3)").visitor.ensemble.tree.depth, 3);
  EXPECT_EQ(ReadMcts("mcts(form=puct, depth=3)").visitor.ensemble.tree.depth, 3);
  EXPECT_EQ(ReadMcts("mcts(reward=measured, depth=3)").measured.tree.depth, 3);
  EXPECT_EQ(ReadMcts("mcts(actions=modify, depth=3)").visitor.ensemble.tree.depth, 0);
  EXPECT_EQ(MctsFault("mcts(depth=-1)"), "agent mcts: depth=-1, expected 0 to 1000");
}

// For protuner: by time alone, by rollouts, or by the first limit reached.
TEST(MctsOptionsTest, ADecisionHasABudget) {
  EXPECT_EQ(ReadMcts("mcts(form=protuner)").protuner.seconds, 0);
  EXPECT_EQ(ReadMcts("mcts(form=protuner)").protuner.iterations, 8000);
  EXPECT_EQ(ReadMcts("mcts(form=protuner, seconds=30)").protuner.seconds, 30);
  EXPECT_EQ(ReadMcts("mcts(form=protuner, seconds=30)").protuner.iterations, 100'000'000);
  EXPECT_EQ(ReadMcts("mcts(form=protuner, seconds=30, iterations=500)").protuner.iterations, 500);
  EXPECT_EQ(MctsFault("mcts(form=protuner, seconds=-1)"),
            "agent mcts: seconds=-1.0, expected 0.0 to 86400.0");
  EXPECT_THAT(MctsFault("mcts(seconds=1)"), HasSubstr("unknown key 'seconds'"));
}

TEST(MctsOptionsTest, CostsOfProtunerAreFittedAsLogSeconds) {
  EXPECT_EQ(ReadMcts("mcts(form=protuner)").agent.model->label, BoostedLabel::kLogSeconds);
  EXPECT_EQ(ReadMcts("mcts").agent.model->label, BoostedLabel::kSpeed);
  EXPECT_EQ(ReadMcts("mcts(form=puct)").agent.model->label, BoostedLabel::kSpeed);
}

TEST(MctsOptionsTest, BadOptionsSayWhatIsExpected) {
  EXPECT_EQ(MctsFault("mcts(constant=-1)"), "agent mcts: constant=-1.0, expected 0.0 to 1000.0");
  EXPECT_EQ(MctsFault("mcts(near=1)"), "agent mcts: near=1.0, expected 0.0 to 0.9");
  EXPECT_EQ(MctsFault("mcts(iterations=0)"), "agent mcts: iterations=0, expected 1 to 100000000");
  EXPECT_EQ(MctsFault("mcts(form=protuner,trees=4,greedy=5)"),
            "agent mcts: greedy=5, expected 0 to 4");
  EXPECT_EQ(MctsFault("mcts(greedy=3)"), "agent mcts: greedy=3, expected 0 to 2");
  EXPECT_EQ(MctsFault("mcts(floor=1)"), "agent mcts: floor=1.0, expected 0.0 to 0.99");
  EXPECT_THAT(MctsFault("mcts(form=alpha)"), HasSubstr("protuner"));
  // Options of another form.
  for (const char* text :
       {"mcts(measure=3)", "mcts(form=measured, model=boosted)", "mcts(form=protuner, near=0.1)",
        "mcts(form=measured, prior=model)", "mcts(reward=measured, iterations=7)",
        "mcts(form=protuner, constant=10)", "mcts(form=protuner, floor=0.5)",
        "mcts(scaled=false, floor=0.5)", "mcts(reward=measured, greedy=1)"}) {
    EXPECT_THAT(MctsFault(text), HasSubstr("mcts")) << text;
  }
}

}  // namespace
}  // namespace schedulegym
