#include "assembly/host/learned_agents.h"

#include <dlfcn.h>

#include <string>
#include <string_view>

#include "agents/learned/harl/harl_options.h"
#include "agents/mcts/mcts.h"
#include "agents/mcts/mcts_options.h"
#include "assembly/host/learned_library.h"
#include "env/base/fault.h"

namespace schedulegym {
namespace {

// Beside the library that plugins link; "" in a build without LibTorch.
constexpr std::string_view kFile = SG_LEARNED_LIBRARY;

// Opened when it is first needed, and for good: half a second and much memory go into that.
const LearnedLibrary& LibraryFor(const Spec& agent) {
  if (kFile.empty()) {
    throw MachineError("agent " + agent.name +
                       ": this build has no LibTorch, expected the package libtorch-dev (Debian), "
                       "then a new build");
  }
  void* opened = dlopen(kFile.data(), RTLD_LAZY | RTLD_LOCAL);
  void* found = opened != nullptr ? dlsym(opened, kLearnedLibrary) : nullptr;
  if (found != nullptr) return *static_cast<const LearnedLibrary*>(found);
  const char* why = dlerror();
  throw MachineError("agent " + agent.name + ": " + (why != nullptr ? why : "unknown"));
}

std::unique_ptr<Agent> MakeHarl(const AgentContext& context) {
  return LibraryFor(context.setup.agent).make_harl(context);
}

}  // namespace

std::vector<AgentEntry> LearnedAgents() {
  return {{"harl", kHarlParameters, kHarlDescription, MakeHarl}};
}

std::unique_ptr<Agent> MakeMctsWithPolicies(const AgentContext& context) {
  if (!ReadMctsOptions(context.setup.agent).policy) return MakeMctsAgent(context);
  return MakeMctsAgent(context, LibraryFor(context.setup.agent).read_harl_policy);
}

// The front takes no other name (MakeHostedTrainer).
std::unique_ptr<Trainer> MakeLearnedTrainer(const TrainerContext& context) {
  return LibraryFor(context.agent).make_harl_trainer(context);
}

}  // namespace schedulegym
