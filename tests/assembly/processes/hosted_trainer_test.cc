#include "assembly/processes/hosted_agents.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "env/base/fault.h"
#include "env/base/spec.h"
#include "env/program/targets/target.h"
#include "env/program/workloads/task_list.h"
#include "spaces/builtin_spaces.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;

class HostedTrainerTest : public testing::Test {
 protected:
  std::unique_ptr<Trainer> Make(const std::string& agent) {
    agent_ = RequireSpec("agent", agent);
    return MakeHostedTrainer({agent_, *space_, {task_}, Rng(1)}, clock_);
  }
  template <typename Fault>
  std::string Refusal(const std::string& agent) {
    try {
      Make(agent);
      return "";
    } catch (const Fault& fault) {
      return fault.what();
    }
  }

  Spec agent_;
  SteadyClock clock_;
  std::unique_ptr<SearchSpace> space_ = MakeSpace({"ansor", {}});
  std::shared_ptr<const Task> task_ = LoadTask("matmul(m=64,n=64,k=64)", MakeTarget({"llvm", {}}));
};

TEST_F(HostedTrainerTest, WhatIsWrongIsRefusedBeforeAProcessStarts) {
  setenv("SCHEDULEGYM_AGENT", "/nowhere/schedulegym-agent", 1);
  EXPECT_THAT(Refusal<InputError>("ansor"), HasSubstr("unknown agent that can be trained 'ansor'"));
  EXPECT_THAT(Refusal<InputError>("harl(window=0)"), HasSubstr("window"));
  EXPECT_THAT(Refusal<MachineError>("harl"), HasSubstr("/nowhere/schedulegym-agent"));
}

TEST_F(HostedTrainerTest, TrainsThereOrSaysWhatIsMissing) {
  setenv("SCHEDULEGYM_AGENT", SG_AGENT, 1);
  const std::string small = "harl(visits=100,stop_every=2,stop_least=5,hidden=8)";
  if (!SG_HAS_TORCH) {
    EXPECT_THAT(Refusal<MachineError>(small), HasSubstr("libtorch-dev"));
    return;
  }
  const auto trainer = Make(small);
  const auto round = trainer->Train(task_);
  ASSERT_TRUE(round);
  EXPECT_EQ(round->visits, 100);
  EXPECT_GT(round->entropy, 0);
  EXPECT_THROW(trainer->Save("/nowhere/policy.sgp"), InputError);
  EXPECT_THAT(Refusal<InputError>("harl(checkpoint=on.sgp)"), HasSubstr("checkpoint="));
}

}  // namespace
}  // namespace schedulegym
