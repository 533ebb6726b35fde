#include "agents/cost/shipped_models.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "agents/cost/model_registry.h"
#include "agents/cost/network_model.h"
#include "agents/cost/tuna_cost_model.h"
#include "env/base/fault.h"
#include "env/base/output_file.h"
#include "env/base/text.h"
#include "spaces/ansor/sketch_space.h"
#include "tests/env/measure/temporary_folder.h"
#include "tests/spaces/space_tasks.h"
#include "tests/support/input_fault.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;

const std::vector<std::string> kKinds = {"boosted 1", "tuna 1", "scorer 1"};

std::string SavedModelFault(const std::string& word) {
  return InputFaultOf([&] { ReadSavedModel(word, kKinds); });
}

TEST(ShippedModelsTest, EachIsAFileOfAKindWithACard) {
  EXPECT_EQ(ShippedModelNames().front(), "pretrained");
  for (const std::string& name : ShippedModelNames()) {
    const SavedModelState saved = ReadSavedModel(name, kKinds);
    EXPECT_EQ(ShippedModelBytes(name), ToBytes(saved)) << name;
    EXPECT_EQ(HoldsNetwork(name), saved.kind == "scorer 1") << name;
    std::vector<std::string> keys;
    for (const std::string& line : SplitLines(ShippedModelCard(name).value())) {
      keys.emplace_back(Cut(line, ':').first);
    }
    EXPECT_THAT(keys, testing::ElementsAre("model", "data", "seed", "trained", "command", "bytes",
                                           "valid", "networks"))
        << name;
  }
}

TEST(ShippedModelsTest, ANameStandsForItsFile) {
  const TemporaryFolder folder;
  const std::string path = folder.Path("tuna.model");
  WriteOutput(path, ShippedModelBytes("pretrained_tuna").value());
  const auto space = MakeAnsorSpace(ParseSpec("ansor").value());
  const auto task = WorkloadTask("matmul(m=32,n=32,k=32)", Avx2Target(2));
  Rng rng(1);
  std::vector<StateFeatures> states;
  while (states.size() < 8) {
    if (Result<ScheduleState> state = space->Sample(task, rng)) states.emplace_back(*state);
  }
  const auto scores = [&](const Spec& spec) {
    return ScoresOf(MakeCostModel({spec, Rng(1)})->Predict(states));
  };
  EXPECT_EQ(scores({"pretrained_tuna", {}}), scores({path, {}}));
  EXPECT_EQ(scores({"pretrained_tuna", {}}),
            scores(ParseSpec("tuna(file=pretrained_tuna)").value()));
  EXPECT_NE(scores({"pretrained_tuna", {}}), scores({"pretrained", {}}));
  EXPECT_EQ(WordOf({"pretrained_mlp", {}}), ModelWord::kFile) << "as other files of networks";
}

TEST(ShippedModelsTest, AnotherNameListsThoseThatExist) {
  EXPECT_THAT(SavedModelFault("pretrained_forest"), HasSubstr("pretrained_forest"));
  EXPECT_THAT(SavedModelFault("pretrained_forest"), HasSubstr("pretrained_mlp, pretrained_tlp"));
  EXPECT_THAT(SavedModelFault("nowhere.model"), HasSubstr("cannot read 'nowhere.model'"));
  EXPECT_EQ(ShippedModelBytes("mlp"), std::nullopt);
  EXPECT_EQ(ShippedModelCard("mlp"), std::nullopt);
  try {
    ReadSavedModel("pretrained_mlp", {kTunaKind});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "model pretrained_mlp: found kind 'scorer 1', expected 'tuna 1'");
  }
}

TEST(ShippedModelsTest, AnAgentTakesTheNameAsItTakesAFile) {
  const auto model_of = [](const std::string& agent) {
    const Spec spec = ParseSpec(agent).value();
    SpecReader reader(spec, "agent");
    return ReadModelSpec(reader, spec, "boosted").ToText();
  };
  EXPECT_EQ(model_of("es(model=pretrained_tuna)"), "tuna(file=\"pretrained_tuna\")");
  EXPECT_EQ(model_of("es(model=pretrained_mlp)"), "pretrained_mlp");
  EXPECT_EQ(model_of("es(model=tuna(fitted=false))"), "tuna(fitted=false)");
  EXPECT_EQ(model_of("es"), "boosted");
}

// The first line of each model format; other file names pass.
TEST(ShippedModelsTest, ANetworkByItsNameIsRefused) {
  const std::string line =
      "a network is trained beforehand, expected the file of train tlp --data FILE -o MODEL, or "
      "pretrained_tlp";
  EXPECT_EQ(SavedModelFault("tlp"), "model tlp: " + line);
  for (const char* model : {"tlp", "tlp(width=8)"}) {
    const Spec agent = ParseSpec("es(model=" + std::string(model) + ")").value();
    const Spec spec = ParseSpec(model).value();
    EXPECT_EQ(InputFaultOf([&] { MakeModel({spec, Rng(1)}); }), "model tlp: " + line) << model;
    EXPECT_EQ(InputFaultOf([&] {
                SpecReader reader(agent, "agent");
                ReadModelSpec(reader, agent, "boosted");
              }),
              "model tlp: " + line)
        << model;
  }
  for (const char* other : {"tuna", "boosted", "", "pretrained_tlp", "nowhere.model"}) {
    EXPECT_EQ(InputFaultOf([&] { RefuseUntrainedNetwork({other, {}}); }), "") << other;
  }
}

TEST(ShippedModelsTest, WhatLearnsFirstIsNoTrainedModel) {
  for (const char* model : {"boosted", "tuna"}) {
    try {
      MakeTrainedCostModel({{model, {}}, Rng(1)});
      ADD_FAILURE() << model;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr("model " + std::string(model) + " is not trained"));
    }
  }
  for (const char* model : {"pretrained", "pretrained_tuna", "analytical", "random"}) {
    EXPECT_NE(MakeTrainedCostModel({{model, {}}, Rng(1)}), nullptr) << model;
  }
}

// A user's own file pretrained_mine.model is readable.
TEST(ShippedModelsTest, AFileMayBeginAsTheyDo) {
  const TemporaryFolder folder;
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(std::filesystem::path(folder.Path("a")).parent_path());
  WriteOutput("pretrained_mine", ShippedModelBytes("pretrained_tuna").value());
  EXPECT_EQ(ReadSavedModel("pretrained_mine", kKinds).kind, kTunaKind);
  std::filesystem::current_path(before);
}

}  // namespace
}  // namespace schedulegym
