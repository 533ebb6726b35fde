#include "agents/learned/scorer/scorer_checkpoint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "env/base/fault.h"
#include "env/base/files.h"
#include "env/base/model_state_file.h"
#include "env/base/output_file.h"
#include "tests/agents/learned/scorer/known_rows.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;

constexpr char kModel[] = "mlp(features=ansor,task=none,width=8)";

ScorerModel Sample() {
  const Spec spec = ModelSpec(kModel);
  ScorerModel model = NewScorerModel(spec, KnownRows(spec, 1, 4), std::vector<int>{0, 1}, Rng(1));
  model.line = {0.5, -1};
  return model;
}

Checkpoint Kept(const ScorerModel& model) {
  Checkpoint checkpoint;
  PutScorer(checkpoint, model);
  return checkpoint;
}

// With the entry `name` replaced.
Checkpoint With(const std::string& name, const Checkpoint::Entry& entry) {
  Checkpoint changed;
  const Checkpoint kept = Kept(Sample());
  for (const auto& [key, value] : kept.entries()) {
    changed.Put(key, key == name ? entry : value);
  }
  return changed;
}

std::string Refusal(const Checkpoint& checkpoint) {
  try {
    ReadScorer(checkpoint);
    return "";
  } catch (const InputError& fault) {
    return fault.what();
  }
}

TEST(ScorerCheckpointTest, IsReadAsItWasKept) {
  const ScorerModel model = Sample();
  const ScorerModel read = ReadScorer(ParseCheckpoint(ToBytes(Kept(model)), "a"));
  EXPECT_EQ(ToBytes(Kept(read)), ToBytes(Kept(model)));
  EXPECT_EQ(read.spec, model.spec);
  EXPECT_EQ(read.line.slope, 0.5);
}

TEST(ScorerCheckpointTest, OtherFeaturesAndShapesAreRefusedInOneLine) {
  EXPECT_EQ(Refusal(With("none", "x")), "");
  EXPECT_EQ(Refusal(With("features", "ansor 0")),
            "the model's features: found 'ansor 0', expected 'ansor 1'");
  EXPECT_THAT(Refusal(With("model", "lstm")), HasSubstr("unknown model 'lstm'"));
  EXPECT_THAT(Refusal(With("shape", Checkpoint::Words{{3}, {10, 0, 1}})),
              HasSubstr("found 10 and 0, expected 164 and 0"));
  EXPECT_THAT(Refusal(With("shape", Checkpoint::Words{{3}, {164, 0, 99999}})), HasSubstr("heads"));
  EXPECT_THAT(Refusal(With("targets", "a\nb")), HasSubstr("targets: found 2, expected 1"));
  EXPECT_THAT(Refusal(With("weights.0", Checkpoint::Floats{{1}, {0}})), HasSubstr("weights.0"));
}

TEST(ScorerCheckpointTest, FilesOfOtherKindsAreRefused) {
  const std::string path = std::filesystem::temp_directory_path() / "scorer.model";
  WriteScorerFile(path, Kept(Sample()));
  EXPECT_EQ(ReadScorerFile(path), Kept(Sample()));
  std::filesystem::remove(path);
  WriteOutput(path, ToBytes(SavedModelState{"boosted 1", "{}"}));
  try {
    ReadScorerFile(path);
    FAIL();
  } catch (const InputError& fault) {
    EXPECT_THAT(fault.what(), HasSubstr("found kind 'boosted 1', expected 'scorer 1'"));
  }
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace schedulegym
