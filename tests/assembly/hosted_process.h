// HostedProcess: an agent in a `schedulegym-agent` and the same agent in this process, for tests.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "agents/builtin_agents.h"
#include "assembly/processes/process_agent.h"
#include "env/base/clock.h"
#include "env/base/spec.h"
#include "env/program/targets/target.h"
#include "env/program/workloads/task_list.h"
#include "spaces/builtin_spaces.h"
#include "tests/env/measure/fake_clock.h"

namespace schedulegym {

// Each call advances it by a second or more.
class SecondsClock : public Clock {
 public:
  explicit SecondsClock(double look = 1) : look_(look) {}
  double Now() const override { return now_ += look_; }

 private:
  double look_;
  mutable double now_ = 0;
};

class HostedRunParts {
 public:
  explicit HostedRunParts(const std::string& agent, const std::string& space = "ansor")
      : setup_({.agent = RequireSpec("agent", agent),
                .space = RequireSpec("space", space),
                .budget = Budget{64, std::nullopt},
                .seed = 7}),
        space_(MakeSpace(setup_.space)) {
    const Target target = MakeTarget({"llvm", {}});
    for (const char* workload : {"matmul(m=64,n=64,k=64)", "matmul(m=32,n=64,k=16)"}) {
      setup_.tasks.push_back({LoadTask(workload, target)});
    }
  }

  AgentContext Context() {
    Rng run(setup_.seed);
    return {.setup = setup_,
            .space = *space_,
            .rng = DrawAgentStream(2, run),
            .maker = maker_,
            .clock = *clock_,
            .stop = StopToken(&stop)};
  }
  // Starts the program of this build.
  static std::unique_ptr<WorkerProcess> Host();
  std::unique_ptr<Agent> Hosted() {
    return MakeProcessAgent({"the agent", true}, Host(), Context());
  }
  std::unique_ptr<Agent> Here() { return maker_.Make(Context()); }

  AgentSetup& setup() { return setup_; }
  void StopTime() { clock_ = std::make_unique<FakeClock>(); }
  void HurryUp(double look = 1) { clock_ = std::make_unique<SecondsClock>(look); }
  std::atomic<bool> stop = false;

 private:
  AgentSetup setup_;
  std::unique_ptr<SearchSpace> space_;
  AgentMaker maker_{BuiltinAgents()};
  std::unique_ptr<Clock> clock_ = std::make_unique<SteadyClock>();
};

}  // namespace schedulegym
