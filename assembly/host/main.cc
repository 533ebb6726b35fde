// The program `schedulegym-agent`: started by schedulegym, never by hand.
#include <signal.h>
#include <sys/resource.h>

#include <atomic>
#include <cstdio>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "agents/builtin_agents.h"
#include "assembly/host/agent_host.h"
#include "assembly/host/learned_agents.h"
#include "assembly/host/model_host.h"
#include "assembly/processes/agent_process.h"
#include "assembly/processes/hosted_agents.h"
#include "assembly/processes/hosted_models.h"
#include "backends/runner/confinement/confined_program.h"
#include "env/ipc/worker_process.h"
#include "env/program/targets/host.h"

namespace schedulegym {
namespace {

// Set by the signal handler, which can reach only a global.
std::atomic<bool> stop_asked = false;

void HeedStopSignal() {
  struct sigaction action {};
  action.sa_handler = [](int) { stop_asked = true; };
  action.sa_flags = SA_RESTART;
  sigaction(kStopSignal, &action, nullptr);
}

// Limits memory to half of the machine's, so that an agent that allocates without end fails before
// the machine runs out.
void LimitMemory() {
  const int64_t bytes = ReadHost().memory_bytes;
  if (bytes > 0) LimitResource(RLIMIT_DATA, bytes / 2);
}

void Run(const std::string& role) {
  LimitMemory();
  if (role == kTrainingRole) {
    return RunTrainingHost(Descriptor(WorkerProcess::kSocket), MakeLearnedTrainer);
  }
  if (role == kModelRole) {
    return RunModelHost(Descriptor(WorkerProcess::kSocket), LearnedModelMakers());
  }
  HeedStopSignal();
  AgentRegistry agents =
      BuiltinAgents({MakeMctsWithPolicies, MakeFlextensorWithNetwork, WithNetworks});
  for (AgentEntry& agent : LearnedAgents()) agents.Add(std::move(agent));
  RunAgentHost(Descriptor(WorkerProcess::kSocket), std::move(agents), stop_asked);
}

}  // namespace
}  // namespace schedulegym

int main(int argc, char** argv) {
  int exit_code = 0;
  if (!schedulegym::FollowParent(argc, argv, exit_code)) return exit_code;
  try {
    schedulegym::Run(argv[1]);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 70;
  }
}
