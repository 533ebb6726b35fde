#include "agents/learned/scorer/scorer_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "env/base/fault.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;

ScorerOptions ReadScorer(const std::string& spec) {
  return ReadScorerOptions(RequireSpec("model", spec));
}

std::string Refusal(const std::string& spec) {
  try {
    ReadScorer(spec);
    return "";
  } catch (const InputError& fault) {
    return fault.what();
  }
}

TEST(ScorerOptionsTest, FaithfulIsAsPublished) {
  const ScorerOptions mlp = ReadScorer("mlp(mode=faithful)");
  EXPECT_EQ(mlp.inputs, ProgramInputs::kAnsor);
  EXPECT_EQ(mlp.task, TaskInputs::kWords);
  EXPECT_TRUE(mlp.normalised);
  EXPECT_FALSE(mlp.order.by_task);
  EXPECT_EQ(mlp.order.batch, 512);
  EXPECT_EQ(mlp.rate, 7e-4);
  EXPECT_EQ(mlp.decay, 1e-6);
  // TenSet's fine-tuning: ten steps of gradient descent.
  EXPECT_EQ(mlp.adaptation, NetworkAdaptation::kTune);
  EXPECT_EQ(mlp.tuning.steps, 10);
  EXPECT_EQ(mlp.tuning.method, TuningMethod::kSgd);
  EXPECT_EQ(mlp.tuning.rate, 4e-2);
  const ScorerOptions oneshot = ReadScorer("oneshot_net(mode=faithful)");
  EXPECT_EQ(oneshot.order.bins, 100);
  EXPECT_EQ(oneshot.order.batch, 4096);
  EXPECT_EQ(oneshot.blocks, 3);
  EXPECT_EQ(oneshot.rate, 1e-4);
  EXPECT_EQ(oneshot.decay, 2e-4);
  EXPECT_EQ(oneshot.rates, RatePlan::kCosine);
  EXPECT_EQ(oneshot.dropout, 0.25);
  EXPECT_EQ(oneshot.label, ProgramLabel::kAbsolute);
  EXPECT_EQ(oneshot.loss, LossKind::kPlainSquared);
  EXPECT_TRUE(oneshot.chooses_by_loss);
  EXPECT_EQ(oneshot.adaptation, NetworkAdaptation::kNone);
  EXPECT_EQ(ReadScorer("oneshot_net").dropout, 0);
  const ScorerOptions tlp = ReadScorer("tlp(mode=faithful)");
  EXPECT_EQ(tlp.width, 256);
  EXPECT_EQ(tlp.length, 25);
  EXPECT_EQ(tlp.scale, TokenScale::kPlain);
  EXPECT_FALSE(tlp.masked);
  EXPECT_FALSE(tlp.keeps_last);
  EXPECT_EQ(tlp.order.batch, 1024);
  EXPECT_FALSE(tlp.has_positions);
  EXPECT_EQ(tlp.adaptation, NetworkAdaptation::kNone) << "its search learns nothing";
}

TEST(ScorerOptionsTest, FaithfulPrunerAndTiramisuAreAsPublished) {
  const ScorerOptions pacm = ReadScorer("pacm(mode=faithful)");
  EXPECT_EQ(pacm.inputs, ProgramInputs::kAnsor);
  EXPECT_TRUE(pacm.normalised && pacm.sees_statements && pacm.sees_dataflow);
  EXPECT_EQ(pacm.width, 256);
  EXPECT_EQ(pacm.patience, 16);
  EXPECT_EQ(pacm.adaptation, NetworkAdaptation::kMomentum);
  EXPECT_EQ(pacm.momentum, 0.99);
  EXPECT_EQ(pacm.tuning.least_new, 40) << "four rounds of ten";
  EXPECT_EQ(pacm.tuning.part, 0);
  EXPECT_EQ(pacm.tuning.epochs, 10);
  EXPECT_EQ(pacm.tuning.method, TuningMethod::kSgd);
  EXPECT_EQ(pacm.tuning.rate, 7e-4);
  const ScorerOptions recursive = ReadScorer("recursive(mode=faithful)");
  EXPECT_EQ(recursive.width, 180);
  EXPECT_TRUE(recursive.zero_start);
  EXPECT_EQ(recursive.loss, LossKind::kRelative);
  EXPECT_EQ(recursive.order.batch, 2048);
  EXPECT_EQ(recursive.rates, RatePlan::kOneCycle);
  EXPECT_EQ(recursive.label, ProgramLabel::kReference);
  EXPECT_EQ(recursive.dropout, 0.05);
  EXPECT_EQ(recursive.loss_batch, 1024);
  EXPECT_TRUE(recursive.order.by_tree && recursive.chooses_by_loss && recursive.sees_accesses);
  EXPECT_EQ(recursive.adaptation, NetworkAdaptation::kNone);
  const ScorerOptions improved = ReadScorer("recursive");
  EXPECT_FALSE(improved.zero_start || improved.sees_accesses || improved.order.by_tree);
  EXPECT_EQ(improved.dropout, 0);
  EXPECT_EQ(improved.loss_batch, 0);
}

TEST(ScorerOptionsTest, FaithfulStagesAreAsPublished) {
  const ScorerOptions stages = ReadScorer("stages(mode=faithful)");
  EXPECT_EQ(stages.inputs, ProgramInputs::kAnsor) << "no estimate";
  EXPECT_EQ(stages.label, ProgramLabel::kLogarithm);
  EXPECT_EQ(stages.loss, LossKind::kPlainSquared);
  EXPECT_TRUE(stages.sees_acquired && stages.sees_order && stages.cuts_stages);
  EXPECT_EQ(stages.targets, StageTargets::kBest);
  const ScorerOptions improved = ReadScorer("stages");
  EXPECT_EQ(improved.inputs, ProgramInputs::kEstimated);
  EXPECT_EQ(improved.label, ProgramLabel::kTask);
  EXPECT_EQ(improved.loss, LossKind::kLambdaRank);
}

TEST(ScorerOptionsTest, ImprovedLearnsInASearchAsBefore) {
  for (const char* model : {"mlp", "tlp", "pacm", "recursive", "oneshot_net"}) {
    const ScorerOptions options = ReadScorer(model);
    EXPECT_EQ(options.adaptation, NetworkAdaptation::kTrees) << model;
    EXPECT_EQ(options.tuning.epochs, 10) << model;
    EXPECT_EQ(options.tuning.least_new, 16) << model;
    EXPECT_EQ(options.tuning.part, 5) << model;
    EXPECT_EQ(options.tuning.method, TuningMethod::kSame) << model;
  }
}

TEST(ScorerOptionsTest, SwitchesAreReadOneByOne) {
  const ScorerOptions options = ReadScorer(
      "mlp(features=ansor,task=none,heads=target,width=8,loss=mse,lists=batch,optimiser=sgd,"
      "rate=0.04,held_out=0)");
  EXPECT_EQ(options.inputs, ProgramInputs::kAnsor);
  EXPECT_EQ(options.task, TaskInputs::kNone);
  EXPECT_TRUE(options.head_per_target);
  EXPECT_EQ(options.loss, LossKind::kSquared);
  EXPECT_FALSE(options.uses_adam);
  EXPECT_EQ(ReadScorer("tlp(mixing=none,kept=first)").mixing, TokenMixing::kNone);
  EXPECT_EQ(ReadScorer("mlp(rates=cosine)").rates, RatePlan::kCosine);
  EXPECT_EQ(ReadScorer("mlp(adapt=residual)").adaptation, NetworkAdaptation::kResidual);
  EXPECT_EQ(ReadScorer("stages").iterations, 0);
  EXPECT_EQ(ReadScorer("stages(mode=faithful)").iterations, 3);
  EXPECT_TRUE(ReadScorer("stages").by_decisions);
  EXPECT_FALSE(ReadScorer("stages(mode=faithful)").by_decisions);
  EXPECT_FALSE(ReadScorer("stages(mode=faithful)").order.by_task);
  EXPECT_FALSE(ReadScorer("stages(acquired=false)").sees_acquired);
  EXPECT_EQ(ReadScorer("tlp(mixing=lstm,positions=true)").mixing, TokenMixing::kLstm);
  EXPECT_EQ(ReadScorer("tlp(scale=log)").scale, TokenScale::kLog);
  EXPECT_EQ(ReadScorer("oneshot_net(mode=faithful,label=task)").label, ProgramLabel::kTask);
  EXPECT_EQ(ReadScorer("mlp(adapt=tune,tune_optimiser=adam)").tuning.method, TuningMethod::kAdam);
  EXPECT_FALSE(ReadScorer("stages(lists=task)").by_decisions);
  EXPECT_FALSE(ReadScorer("stages(lists=batch)").order.by_task);
  EXPECT_TRUE(ReadScorer("stages").cuts_stages);
  EXPECT_FALSE(ReadScorer("stages(cuts=decisions)").cuts_stages);
  EXPECT_EQ(ReadScorer("stages(evaluator=analytical)").evaluator, StageEvaluator::kAnalytical);
}

TEST(ScorerOptionsTest, WhatIsWrongIsRefusedInOneLine) {
  EXPECT_THAT(Refusal("mpl"), HasSubstr("unknown model 'mpl'"));
  EXPECT_THAT(Refusal("mlp(width=0)"), HasSubstr("model mlp: width=0, expected 1 to 4096"));
  EXPECT_THAT(Refusal("mlp(length=25)"), HasSubstr("length"));
  EXPECT_THAT(Refusal("mlp(loss=l1)"), HasSubstr("lambdarank"));
  EXPECT_THAT(Refusal("mlp(rates=step)"), HasSubstr("onecycle"));
  EXPECT_THAT(Refusal("mlp(dropout=0.1)"), HasSubstr("dropout"));
  EXPECT_THAT(Refusal("mlp(iterations=1)"), HasSubstr("iterations"));
  EXPECT_THAT(Refusal("oneshot_net(dropout=1)"), HasSubstr("dropout"));
  EXPECT_THAT(Refusal("tlp(features=ansor)"), HasSubstr("features"));
  EXPECT_THAT(Refusal("tlp(width=60,attention_heads=8)"), HasSubstr("divisor of width=60"));
  EXPECT_THAT(Refusal("pacm(statements=false,dataflow=false)"), HasSubstr("one of the two"));
  EXPECT_THAT(Refusal("recursive(blocks=2)"), HasSubstr("blocks"));
  EXPECT_THAT(Refusal("stages(blocks=2)"), HasSubstr("blocks"));
  EXPECT_THAT(Refusal("mlp(lists=decisions)"), HasSubstr("lists"));
  EXPECT_THAT(Refusal("mlp(lists=tree)"), HasSubstr("lists"));
  EXPECT_THAT(Refusal("mlp(label=reference)"), HasSubstr("expected loss=plain_mse"));
  EXPECT_THAT(Refusal("mlp(label=absolute,loss=mape)"), HasSubstr("expected loss=plain_mse"));
  EXPECT_THAT(Refusal("recursive(mode=faithful,adapt=tune)"), HasSubstr("expected label=task"));
  EXPECT_THAT(Refusal("stages(adapt=tune)"), HasSubstr("adapt"));
  EXPECT_THAT(Refusal("stages(label=absolute,loss=plain_mse,iterations=1)"),
              HasSubstr("expected iterations=0"));
  EXPECT_THAT(Refusal("oneshot_net(features=ansor)"), HasSubstr("features"));
  EXPECT_THAT(Refusal("oneshot_net(bins=100)"), HasSubstr("expected lists=batch"));
  EXPECT_TRUE(IsScorer("mlp") && IsScorer("tlp") && !IsScorer("harl"));
}

TEST(ScorerOptionsTest, TheMeaningNamesFeaturesAndVersions) {
  EXPECT_EQ(MeaningOf(ReadScorer("mlp")), "ansor 1, estimate 2, task 1");
  EXPECT_EQ(MeaningOf(ReadScorer("mlp(mode=faithful)")), "ansor 1, words 1");
  EXPECT_EQ(MeaningOf(ReadScorer("tlp(task=none)")), "tokens 1");
  EXPECT_EQ(MeaningOf(ReadScorer("pacm(task=none)")), "ansor 1, estimate 2, dataflow 1");
  EXPECT_EQ(MeaningOf(ReadScorer("recursive(mode=faithful)")), "ansor 1, tree 1, accesses 1");
  EXPECT_EQ(MeaningOf(ReadScorer("recursive(features=ansor,task=none)")), "ansor 1, tree 1");
  EXPECT_EQ(MeaningOf(ReadScorer("stages(task=none,features=ansor)")), "ansor 1, stages 1");
  EXPECT_EQ(MeaningOf(ReadScorer("oneshot_net")), "curves 1, task 1");
}

}  // namespace
}  // namespace schedulegym
