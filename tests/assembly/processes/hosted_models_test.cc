#include "assembly/processes/hosted_models.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <signal.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <thread>

#include "agents/cost/network_model.h"
#include "agents/cost/shipped_models.h"
#include "env/base/fault.h"
#include "env/base/model_state_file.h"
#include "env/base/output_file.h"
#include "env/measure/store/program_set.h"
#include "env/program/targets/target.h"
#include "env/program/task.h"
#include "env/program/workloads/workload.h"
#include "spaces/builtin_spaces.h"
#include "tests/env/measure/temporary_folder.h"
#include "tests/support/process_tree.h"

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

std::vector<StateFeatures> DrawnStates(int count) {
  const auto space = MakeSpace(RequireSpec("space", "ansor"));
  const auto task = std::make_shared<const Task>(
      Task{MakeWorkload(RequireSpec("workload", "matmul(m=32,n=32,k=32)")),
           MakeTarget(RequireSpec("target", "llvm(cores=2)")), "test"});
  Rng rng(1);
  std::vector<StateFeatures> states;
  while (std::ssize(states) < count) {
    if (Result<ScheduleState> state = space->Sample(task, rng)) states.emplace_back(*state);
  }
  return states;
}

// Programs of one task; half of them are twice as slow.
std::string PointsFile(const TemporaryFolder& folder) {
  ProgramSet set;
  for (const StateFeatures& one : DrawnStates(16)) {
    if (set.tasks.empty()) set.tasks.push_back({*DescribeTask(one.state().task()), ""});
    MeasuredProgram program;
    program.trace = one.state().TraceText();
    program.space = "ansor";
    program.host = "host";
    program.ratio = {set.programs.size() % 2 == 0 ? 1.0 : 0.5, 0.4, 1.1};
    program.seconds = 1e-3 / program.ratio.median;
    set.programs.push_back(std::move(program));
  }
  const std::string path = folder.Path("set.points.gz");
  WriteOutput(path, ProgramsToText(set));
  return path;
}

TEST(HostedModelsTest, AProcessThatDiesInTheMidstOfTrainingEndsIt) {
  setenv("SCHEDULEGYM_AGENT", SG_AGENT, 1);
  if (!SG_HAS_TORCH) GTEST_SKIP() << "no networks";
  const TemporaryFolder folder;
  const SteadyClock clock;
  const std::vector<pid_t> before = ChildrenOf(getpid());
  const auto trainer = MakeHostedModelTrainer(
      {.model = RequireSpec("model", "mlp(width=8,epochs=100000,patience=100000,held_out=0)"),
       .files = {PointsFile(folder)},
       .split = "all"},
      clock);
  std::vector<pid_t> hosts = ChildrenOf(getpid());
  std::erase_if(hosts, [&](pid_t one) { return std::ranges::count(before, one) > 0; });
  ASSERT_EQ(hosts.size(), 1U);
  ModelTrainingReport report;
  while (report.is_describing || report.done == 0) report = trainer->Train(0.01);
  ASSERT_FALSE(report.is_over);
  const std::jthread killer([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    kill(hosts[0], SIGKILL);
  });
  try {
    while (!trainer->Train(60).is_over) {
    }
    ADD_FAILURE() << "it ended before it was killed";
  } catch (const MachineError& fault) {
    EXPECT_STREQ(fault.what(), "training of mlp ended: SIGKILL");
  }
  // The training state is lost; nothing waits for it.
  const std::string file = folder.Path("late.model");
  EXPECT_THROW(trainer->Save(file), MachineError);
  EXPECT_FALSE(std::filesystem::exists(file));
}

// A name predicts as a file with the same bytes does, networks in the other process included.
TEST(HostedModelsTest, EachShippedModelPredictsAsItsFile) {
  setenv("SCHEDULEGYM_AGENT", SG_AGENT, 1);
  const TemporaryFolder folder;
  const std::vector<StateFeatures> states = DrawnStates(12);
  for (const std::string& name : ShippedModelNames()) {
    if (HoldsNetwork(name) && !SG_HAS_TORCH) {
      EXPECT_THAT(RefusalOfModel<MachineError>({name, {}}), HasSubstr("libtorch-dev"));
      continue;
    }
    const std::string path = folder.Path(name + ".model");
    WriteOutput(path, ShippedModelBytes(name).value());
    const auto model = MakeAnyCostModel({{name, {}}, Rng(1)});
    const auto scores = ScoresOf(model->Predict(states));
    EXPECT_EQ(scores, ScoresOf(MakeAnyCostModel({{path, {}}, Rng(1)})->Predict(states))) << name;
    EXPECT_TRUE(std::ranges::all_of(scores, [](const auto& one) { return one.has_value(); }))
        << name;
    EXPECT_GT(std::set(scores.begin(), scores.end()).size(), 3) << name;
  }
}

TEST(HostedModelsTest, ListsHaveEachShippedModelOnce) {
  std::vector<std::string> names = {"pretrained"};
  for (const auto& entry : ShippedEntries()) {
    EXPECT_THAT(entry.description, HasSubstr("model: ")) << entry.name;
    names.push_back(entry.name);
  }
  EXPECT_EQ(names, ShippedModelNames());
}

TEST(HostedModelsTest, ListsHaveEachNetwork) {
  std::vector<std::string> names;
  for (const auto& entry : NetworkEntries()) names.push_back(entry.name);
  EXPECT_THAT(names,
              testing::ElementsAre("mlp", "tlp", "pacm", "recursive", "stages", "oneshot_net"));
}

}  // namespace
}  // namespace schedulegym
