// The program `schedulegym-agent`: started by schedulegym, never by hand.
#include <cstdio>
#include <exception>
#include <utility>
#include <vector>

#include "agents/builtin_agents.h"
#include "assembly/host/agent_host.h"
#include "assembly/host/learned_agents.h"
#include "backends/runner/process/worker_process.h"
#include "backends/runner/process/worker_side.h"

namespace schedulegym {
namespace {

void Run() {
  std::vector<AgentEntry> agents = BuiltinAgents();
  for (AgentEntry& agent : LearnedAgents()) agents.push_back(std::move(agent));
  RunAgentHost(Descriptor(WorkerProcess::kSocket), std::move(agents));
}

}  // namespace
}  // namespace schedulegym

int main(int argc, char** argv) {
  int exit_code = 0;
  if (!schedulegym::FollowParent(argc, argv, exit_code)) return exit_code;
  try {
    schedulegym::Run();
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 70;
  }
}
