#include "agents/learned/scorer/scorer_trainer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "agents/learned/scorer/scorer_checkpoint.h"
#include "env/base/fault.h"
#include "env/base/gzip.h"
#include "env/base/output_file.h"
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

TEST_F(ScorerTrainerTest, WhatIsMissingIsRefused) {
  ModelTrainingRequest request = Request();
  request.split = "train";
  EXPECT_THROW(MakeScorerTrainer(request), InputError);
  request.files = {"/nowhere.points.gz"};
  EXPECT_THROW(MakeScorerTrainer(request), InputError);
}

}  // namespace
}  // namespace schedulegym
