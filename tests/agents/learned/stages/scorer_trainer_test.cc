#include "agents/learned/stages/scorer_trainer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "agents/learned/scorer/scorer_checkpoint.h"
#include "env/base/fault.h"
#include "env/base/gzip.h"
#include "env/base/output_file.h"
#include "spaces/builtin_spaces.h"
#include "tests/agents/learned/scorer/known_rows.h"
#include "tests/agents/learned/scorer/program_samples.h"

namespace schedulegym {
namespace {

class ScorerTrainerTest : public testing::Test {
 protected:
  ScorerTrainerTest() { WriteOutput(data_, Gzip(ProgramsToText(SamplePrograms(3, {4, 2, 1})))); }
  ~ScorerTrainerTest() override {
    std::filesystem::remove(data_);
    std::filesystem::remove(file_);
  }

  ModelTrainingRequest Request() const {
    return {.model = ModelSpec("mlp(width=8,epochs=3)"), .files = {data_}, .split = "other"};
  }

  std::string data_ = std::filesystem::temp_directory_path() / "trainer.points.gz";
  std::string file_ = std::filesystem::temp_directory_path() / "trainer.model";
};

TEST_F(ScorerTrainerTest, DescribesThenLearnsSliceBySlice) {
  const auto trainer = MakeScorerTrainer(Request());
  EXPECT_THROW(trainer->Save(file_), InputError);
  size_t epochs = 0;
  ModelTrainingReport report;
  for (int slice = 0; slice < 100 && !report.is_over; ++slice) {
    report = trainer->Train(0);
    epochs += report.epochs.size();
  }
  EXPECT_TRUE(report.is_over);
  EXPECT_FALSE(report.diverged);
  EXPECT_EQ(epochs, 3);
  EXPECT_EQ(report.done, report.total);
  trainer->Save(file_);
  EXPECT_EQ(ReadScorer(ReadScorerFile(file_)).options.width, 8);
}

TEST_F(ScorerTrainerTest, GoesOnFromAFile) {
  const auto first = MakeScorerTrainer(Request());
  while (first->Train(0).is_describing) {
  }
  first->Train(0);
  first->Save(file_);
  const Checkpoint stopped = ReadScorerFile(file_);
  ModelTrainingRequest request = Request();
  request.from = file_;
  const auto second = MakeScorerTrainer(request);
  while (!second->Train(1).is_over) {
  }
  second->Save(file_);
  while (!first->Train(1).is_over) {
  }
  const std::string other = file_ + "2";
  first->Save(other);
  EXPECT_EQ(ReadScorerFile(file_), ReadScorerFile(other));
  EXPECT_NE(ReadScorerFile(file_), stopped);
  std::filesystem::remove(other);
}

TEST_F(ScorerTrainerTest, IteratesValuesAfterTheFirstTraining) {
  // Points of the space; later ones are slower.
  ProgramSet set = SamplePrograms(1, {});
  const auto space = MakeSpace(ParseSpec("ansor").value());
  const auto task = TaskOf(set.tasks[0].info);
  const std::vector<Sketch> sketches = space->Sketches(task);
  Rng rng(1);
  for (int i = 0; i < 24; ++i) {
    const Sketch& sketch = sketches[static_cast<size_t>(i) % sketches.size()];
    const auto state = sketch.knobs->Complete(OpenPoint(sketch.knobs->Origin().size()), rng);
    if (!state) continue;
    MeasuredProgram program;
    program.trace = state->TraceText();
    program.space = "ansor";
    program.seconds = 1 + i;
    set.programs.push_back(program);
  }
  WriteOutput(data_, Gzip(ProgramsToText(set)));
  ModelTrainingRequest request = Request();
  request.model = ModelSpec(
      "stages(features=ansor,width=8,epochs=2,held_out=0,iterations=2,evaluator=analytical)");
  request.spaces = [](const Spec& space) { return MakeSpace(space); };
  const auto trainer = MakeScorerTrainer(request);
  std::vector<int> epochs;
  ModelTrainingReport report;
  while (!report.is_over) {
    report = trainer->Train(0);
    for (const ModelEpoch& one : report.epochs) epochs.push_back(one.epoch);
  }
  EXPECT_THAT(epochs, testing::ElementsAre(1, 2, 3, 4, 5, 6)) << "of three trainings";
  trainer->Save(file_);
  EXPECT_EQ(ReadScorer(ReadScorerFile(file_)).options.iterations, 2);
  request.from = file_;
  EXPECT_THROW(MakeScorerTrainer(request), InputError);
}

// Before training starts. The formula of a GPU needs its bandwidth.
TEST_F(ScorerTrainerTest, RefusesAnEvaluatorWithoutEstimates) {
  const auto refusal = [&](const std::string& evaluator, const std::string& target) {
    ProgramSet set = SamplePrograms(1, {});
    set.tasks[0].info.target = MakeTarget(ParseSpec(target).value()).ToText();
    MeasuredProgram program;
    program.space = "ansor";
    program.trace = "trace 1\n";
    program.seconds = 1;
    set.programs.push_back(program);
    WriteOutput(data_, Gzip(ProgramsToText(set)));
    ModelTrainingRequest request = Request();
    request.model =
        ModelSpec("stages(features=ansor,heads=target,iterations=1,evaluator=" + evaluator + ")");
    request.spaces = [](const Spec& space) { return MakeSpace(space); };
    try {
      MakeScorerTrainer(request);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(refusal("analytical", "opencl"),
              testing::StartsWith("model stages: evaluator=analytical on target 'opencl': key "
                                  "'bandwidth' is missing"));
  EXPECT_EQ(refusal("analytical", "opencl(bandwidth=1e11)"), "");
  EXPECT_EQ(refusal("analytical", "cuda(card=a100)"), "");
  EXPECT_EQ(refusal("pretrained", "cuda(card=a100)"),
            "model stages: evaluator=pretrained on target 'cuda': it learned from processors, "
            "expected evaluator=analytical or iterations=0");
}

TEST_F(ScorerTrainerTest, WhatIsMissingIsRefused) {
  ModelTrainingRequest request = Request();
  request.split = "train";
  EXPECT_THROW(MakeScorerTrainer(request), InputError);
  request.files = {"/nowhere.points.gz"};
  EXPECT_THROW(MakeScorerTrainer(request), InputError);
}

}  // namespace
}  // namespace schedulegym
