#include "assembly/processes/hosted_models.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "env/base/fault.h"
#include "env/base/model_state_file.h"
#include "env/base/output_file.h"
#include "tests/env/measure/temporary_folder.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;

template <typename Fault>
std::string Refusal(const std::string& model) {
  const SteadyClock clock;
  try {
    MakeHostedModelTrainer({.model = RequireSpec("model", model), .files = {"/nowhere.points.gz"}},
                           clock);
    return "";
  } catch (const Fault& fault) {
    return fault.what();
  }
}

template <typename Fault>
std::string RefusalOfModel(const Spec& model) {
  try {
    MakeAnyCostModel({model, Rng(0)});
    return "";
  } catch (const Fault& fault) {
    return fault.what();
  }
}

TEST(HostedModelsTest, WhatIsWrongIsRefusedBeforeAProcessStarts) {
  setenv("SCHEDULEGYM_AGENT", "/nowhere/schedulegym-agent", 1);
  EXPECT_THAT(Refusal<InputError>("boosted"), HasSubstr("unknown model 'boosted'"));
  EXPECT_THAT(Refusal<InputError>("mlp(width=0)"), HasSubstr("width=0"));
  EXPECT_THAT(Refusal<MachineError>("mlp"), HasSubstr("/nowhere/schedulegym-agent"));
}

TEST(HostedModelsTest, TheProcessReportsWhatItLacks) {
  setenv("SCHEDULEGYM_AGENT", SG_AGENT, 1);
  if (!SG_HAS_TORCH) {
    EXPECT_THAT(Refusal<MachineError>("mlp"), HasSubstr("libtorch-dev"));
  } else {
    EXPECT_THAT(Refusal<InputError>("mlp"), HasSubstr("/nowhere.points.gz"));
  }
}

TEST(HostedModelsTest, AModelIsAFileOrKnownByItsName) {
  setenv("SCHEDULEGYM_AGENT", SG_AGENT, 1);
  EXPECT_NE(MakeAnyCostModel({{"analytical", {}}, Rng(0)}), nullptr);
  EXPECT_THAT(RefusalOfModel<InputError>({"mlp", {}}), HasSubstr("expected the file of train mlp"));
  EXPECT_THAT(RefusalOfModel<InputError>(RequireSpec("model", "tlp(length=0)")),
              HasSubstr("length=0"));
  const TemporaryFolder folder;
  const std::string path = folder.Path("broken.model");
  WriteOutput(path, ToBytes(SavedModelState{"scorer 1", "text"}));
  if (!SG_HAS_TORCH) {
    EXPECT_THAT(RefusalOfModel<MachineError>({path, {}}), HasSubstr("libtorch-dev"));
  } else {
    EXPECT_THAT(RefusalOfModel<InputError>({path, {}}), HasSubstr(path));
  }
}

TEST(HostedModelsTest, ListsHaveEachNetwork) {
  std::vector<std::string> names;
  for (const auto& entry : NetworkEntries()) names.push_back(entry.name);
  EXPECT_THAT(names,
              testing::ElementsAre("mlp", "tlp", "pacm", "recursive", "stages", "oneshot_net"));
}

}  // namespace
}  // namespace schedulegym
