#include "agents/learned/scorer/scorer_training.h"

// First include: torch_internal.h has the reason.
#include <ATen/core/ivalue.h>

#include <ATen/TensorOperators.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "env/base/fault.h"
#include "env/base/model_state_file.h"
#include "tests/agents/learned/scorer/known_rows.h"
#include "tests/agents/learned/scorer/program_samples.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;

constexpr char kSmall[] =
    "mlp(features=ansor,task=none,width=16,batch=128,list=32,epochs=30,rate=0.01,held_out=0.25)";

// Trains to the end; returns the last epoch.
TrainedEpoch Finish(ScorerTraining& training) {
  TrainedEpoch last;
  while (!training.is_over()) {
    if (const auto ended = training.Step()) last = *ended;
  }
  return last;
}

std::string BytesOf(ScorerTraining& training) { return ToBytes(training.State()); }

std::string Refusal(const std::function<void()>& act) {
  try {
    act();
    return "";
  } catch (const InputError& fault) {
    return fault.what();
  }
}

TEST(ScorerTrainingTest, AKnownFunctionIsLearned) {
  const Spec spec = ModelSpec(kSmall);
  ScorerTraining training(spec, KnownRows(spec, 8, 64), {.seed = 1});
  const TrainedEpoch last = Finish(training);
  ASSERT_TRUE(last.pairs);
  EXPECT_GT(*last.pairs, 0.95);
  EXPECT_FALSE(training.has_diverged());
}

TEST(ScorerTrainingTest, PermutedLabelsStayAtChance) {
  const Spec spec = ModelSpec(kSmall);
  ScorerTraining training(spec, KnownRows(spec, 8, 64, /*permuted=*/true), {.seed = 1});
  // Three standard deviations of random order: with two tasks of 64 programs it is 0.03.
  EXPECT_NEAR(*Finish(training).pairs, 0.5, 0.1);
}

class ScorerTrainingBitsTest : public testing::TestWithParam<const char*> {};

TEST_P(ScorerTrainingBitsTest, ThreadsChangeNoBit) {
  const Spec spec = ModelSpec(GetParam());
  ScorerTraining one(spec, KnownRows(spec, 4, 64), {.seed = 5, .threads = 1});
  ScorerTraining two(spec, KnownRows(spec, 4, 64), {.seed = 5, .threads = 2});
  ScorerTraining other(spec, KnownRows(spec, 4, 64), {.seed = 6, .threads = 1});
  for (ScorerTraining* training : {&one, &two, &other}) Finish(*training);
  EXPECT_TRUE(BytesOf(one) == BytesOf(two));
  EXPECT_FALSE(BytesOf(one) == BytesOf(other));
}

TEST_P(ScorerTrainingBitsTest, StoppedAndResumedIsAsGoneOn) {
  const Spec spec = ModelSpec(GetParam());
  const auto fresh = [&] { return ScorerTraining(spec, KnownRows(spec, 4, 64), {.seed = 5}); };
  ScorerTraining whole = fresh(), stopped = fresh(), resumed = fresh();
  for (int step = 0; step < 5; ++step) stopped.Step();
  resumed.Resume(ParseCheckpoint(BytesOf(stopped), "a"));
  EXPECT_EQ(resumed.batches_done(), 5);
  EXPECT_TRUE(BytesOf(resumed) == BytesOf(stopped));
  Finish(whole);
  Finish(resumed);
  EXPECT_TRUE(BytesOf(whole) == BytesOf(resumed));
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, ScorerTrainingBitsTest,
    testing::Values(
        "mlp(features=ansor,task=none,width=8,batch=128,epochs=3)",
        "mlp(mode=faithful,task=none,width=8,batch=100,epochs=3)",
        "mlp(features=ansor,task=none,width=8,batch=128,epochs=3,optimiser=sgd,loss=ranknet)",
        "tlp(task=none,width=8,attention_heads=2,length=4,batch=128,epochs=3)",
        "tlp(task=none,width=8,length=4,batch=128,epochs=3,mixing=lstm,choice=loss)",
        "stages(features=ansor,task=none,width=8,batch=128,epochs=3)",
        "recursive(mode=faithful,width=8,batch=100,epochs=3)",
        "oneshot_net(mode=faithful,task=none,width=8,batch=100,epochs=3)"));

TEST(ScorerTrainingTest, ThePlanOfTheRateChangesTheWeights) {
  const auto bytes = [](const std::string& more) {
    const Spec spec =
        ModelSpec("mlp(features=ansor,task=none,width=8,batch=64,epochs=3" + more + ")");
    ScorerTraining training(spec, KnownRows(spec, 2, 64), {.seed = 1});
    Finish(training);
    return training.State().FloatsOf("training.weights.0", {8, AnsorLayout::kWidth}).values;
  };
  const std::vector<float> constant = bytes("");
  EXPECT_EQ(bytes(",rates=constant"), constant);
  EXPECT_NE(bytes(",rates=cosine"), constant);
  EXPECT_NE(bytes(",rates=onecycle"), bytes(",rates=cosine"));
}

TEST(ScorerTrainingTest, DropoutIsOfTrainingAlone) {
  const Spec spec = ModelSpec(
      "oneshot_net(task=none,width=16,attention_heads=2,blocks=1,dropout=0.25,batch=128,list=32,"
      "epochs=30,rate=0.003,held_out=0.25)");
  ScorerTraining training(spec, KnownRows(spec, 8, 64), {.seed = 1});
  EXPECT_GT(*Finish(training).pairs, 0.85) << "it learns all the same";
  ScorerModel model = ReadScorer(training.State());
  const ProgramRows rows = KnownRows(spec, 1, 8);
  const int all[] = {0, 1, 2, 3, 4, 5, 6, 7};
  EXPECT_EQ(ScorePrograms(*model.scorer, rows, all, model.scale, 1),
            ScorePrograms(*model.scorer, rows, all, model.scale, 2));
}

// One batch of 64 by plain gradient descent, whose step scales with the loss: half with 128.
TEST(ScorerTrainingTest, ABatchesLossCountsByItsSize) {
  const auto step = [](const std::string& more) {
    const Spec spec = ModelSpec(
        "recursive(features=ansor,task=none,width=9,lists=batch,loss=plain_mse,optimiser=sgd,"
        "rate=0.001,decay=0,longest_gradient=0,held_out=0,epochs=1" +
        more + ")");
    ScorerTraining training(spec, KnownRows(spec, 1, 64), {.seed = 1});
    const ScorerModel before = ReadScorer(training.State());
    training.Step();
    const ScorerModel after = ReadScorer(training.State());
    return (after.scorer->parameters().back() - before.scorer->parameters().back()).item<double>();
  };
  const double whole = step("");
  EXPECT_GT(std::abs(whole), 1e-5);
  EXPECT_NEAR(step(",loss_batch=128"), whole / 2, std::abs(whole) * 1e-2);
}

// The loss of held-out tasks if there are any, else of training, which the epochs report.
TEST(ScorerTrainingTest, TheEpochOfTheLeastLossIsTheBest) {
  const auto best = [](const std::string& held_out, double* least) {
    const Spec spec = ModelSpec(
        "mlp(features=ansor,task=none,width=8,batch=64,epochs=12,patience=12,loss=plain_mse,"
        "choice=loss,held_out=" +
        held_out + ")");
    ScorerTraining training(spec, KnownRows(spec, 4, 64), {.seed = 1});
    *least = std::numeric_limits<double>::max();
    while (!training.is_over()) {
      if (const auto ended = training.Step()) *least = std::min(*least, ended->loss);
    }
    return -training.State().DoublesOf("training.sums", {2}).values[1];
  };
  double least = 0;
  EXPECT_EQ(best("0", &least), least);
  EXPECT_NE(best("0.25", &least), least);
}

TEST(ScorerTrainingTest, PatienceEndsIt) {
  const Spec spec =
      ModelSpec("mlp(features=ansor,task=none,width=8,batch=128,epochs=1000,patience=2,rate=1e-8)");
  ScorerTraining training(spec, KnownRows(spec, 4, 64), {.seed = 1});
  EXPECT_LT(Finish(training).epoch, 100);
}

TEST(ScorerTrainingTest, ALossThatIsNotFiniteEndsWithTheLastGoodWeights) {
  const Spec spec = ModelSpec(
      "mlp(features=ansor,task=none,width=8,batch=64,epochs=50,optimiser=sgd,rate=1.0,loss=mape,"
      "longest_gradient=0)");
  ProgramRows rows = KnownRows(spec, 4, 64);
  rows.values[0] = std::numeric_limits<float>::max();
  rows.values[1] = std::numeric_limits<float>::infinity();
  ScorerTraining training(spec, std::move(rows), {.seed = 1});
  Finish(training);
  EXPECT_TRUE(training.has_diverged());
  EXPECT_NO_THROW(training.State());
}

TEST(ScorerTrainingTest, HeadsWithoutProgramsLearnNothing) {
  const Spec spec = ModelSpec("mlp(features=ansor,task=none,heads=target,width=8,epochs=2)");
  ProgramRows rows = KnownRows(spec, 2, 32);
  rows.targets = {"a", "b"};
  ScorerTraining training(spec, rows, {.seed = 1});
  const Checkpoint before = training.State();
  Finish(training);
  const Checkpoint after = training.State();
  // The last two tensors: weights and biases of the output heads.
  const auto head = [](const Checkpoint& checkpoint, size_t which) {
    const auto& values = checkpoint.FloatsOf("training.weights.8", {2, 8}).values;
    return std::vector<float>(values.begin() + static_cast<std::ptrdiff_t>(8 * which),
                              values.begin() + static_cast<std::ptrdiff_t>(8 * which + 8));
  };
  EXPECT_NE(head(before, 0), head(after, 0));
  // Only L2 decay changes it, by less than the rate each step.
  for (size_t i = 0; i < 8; ++i) EXPECT_NEAR(head(before, 1)[i], head(after, 1)[i], 5e-3);
}

TEST(ScorerTrainingTest, WhatCannotBeLearnedFromIsRefused) {
  const Spec spec = ModelSpec(kSmall);
  ProgramRows equal = KnownRows(spec, 2, 8);
  std::ranges::fill(equal.labels, 1.0F);
  EXPECT_THAT(Refusal([&] { ScorerTraining(spec, equal, {}); }), HasSubstr("equal labels"));
  EXPECT_THAT(Refusal([&] { ScorerTraining(spec, KnownRows(spec, 0, 0), {}); }),
              HasSubstr("found 0 programs"));
}

TEST(ScorerTrainingTest, AnotherTrainingsCheckpointIsRefused) {
  const Spec spec = ModelSpec(kSmall);
  ScorerTraining training(spec, KnownRows(spec, 2, 32), {.seed = 1});
  const Checkpoint state = training.State();
  const auto resume = [&](const Spec& model, int programs, uint64_t seed) {
    return Refusal([&] {
      ScorerTraining(model, KnownRows(model, 2, programs), {.seed = seed}).Resume(state);
    });
  };
  EXPECT_EQ(resume(spec, 32, 1), "");
  EXPECT_THAT(resume(spec, 33, 1), HasSubstr("found 64 programs"));
  EXPECT_THAT(resume(spec, 32, 2), HasSubstr("seed 2"));
  EXPECT_THAT(resume(ModelSpec("mlp(features=ansor,task=none)"), 32, 1), HasSubstr("model"));
}

TEST(TrainScorerTest, MakesAFileOfItsKind) {
  const ProgramSet programs = SamplePrograms(3, {4, 2, 1, 3});
  const std::string bytes = TrainScorer(ModelSpec("mlp(width=8,epochs=2)"), programs, {.seed = 1});
  const SavedModelState saved = ParseModelState(bytes, "a");
  EXPECT_EQ(saved.kind, kScorerKind);
  EXPECT_EQ(ReadScorer(ParseCheckpoint(saved.text, "a")).options.width, 8);
  int asked = 0;
  TrainScorer(ModelSpec("mlp(width=8,epochs=2)"), programs, {.seed = 1}, {},
              [&](const ScorerTraining&) { return ++asked < 2; });
  EXPECT_EQ(asked, 2);
}

}  // namespace
}  // namespace schedulegym
