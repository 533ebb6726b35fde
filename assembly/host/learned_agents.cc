#include "assembly/host/learned_agents.h"

#include <dlfcn.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "agents/cost/network_model.h"
#include "agents/learned/harl/harl_options.h"
#include "agents/learned/tuners/tuner_options.h"
#include "agents/local/flextensor.h"
#include "agents/mcts/mcts.h"
#include "agents/mcts/mcts_options.h"
#include "assembly/host/learned_library.h"
#include "env/base/check.h"
#include "env/base/fault.h"
#include "spaces/builtin_spaces.h"

namespace schedulegym {
namespace {

// Beside the library that plugins link; "" in a build without LibTorch.
constexpr std::string_view kFile = SG_LEARNED_LIBRARY;

// Opened when it is first needed, and for good: half a second and much memory go into that.
const LearnedLibrary& LibraryFor(const std::string& user) {
  if (kFile.empty()) {
    throw MachineError(user +
                       ": this build has no LibTorch, expected the package libtorch-dev (Debian), "
                       "then a new build");
  }
  void* opened = dlopen(kFile.data(), RTLD_LAZY | RTLD_LOCAL);
  void* found = opened != nullptr ? dlsym(opened, kLearnedLibrary) : nullptr;
  if (found != nullptr) return *static_cast<const LearnedLibrary*>(found);
  const char* why = dlerror();
  throw MachineError(user + ": " + (why != nullptr ? why : "unknown"));
}

const LearnedLibrary& LibraryFor(const Spec& agent) { return LibraryFor("agent " + agent.name); }

// Of the library's makers that of the name.
std::unique_ptr<Agent> MakeLearned(const AgentContext& context) {
  const LearnedLibrary& library = LibraryFor(context.setup.agent);
  const auto found =
      std::ranges::find(library.agents, context.setup.agent.name,
                        [](const LearnedMaker& one) { return std::string(one.name); });
  SG_CHECK(found != library.agents.end(), "the library has the agents of the list");
  return found->make(context);
}

}  // namespace

std::vector<AgentEntry> LearnedAgents() {
  return {{"harl", kHarlParameters, kHarlDescription, MakeLearned},
          {"chameleon", kChameleonParameters, kChameleonDescription, MakeLearned},
          {"na2c", kNa2cParameters, kNa2cDescription, MakeLearned},
          {"value", kValueParameters, kValueDescription, MakeLearned}};
}

std::unique_ptr<Agent> MakeMctsWithPolicies(const AgentContext& context) {
  const Spec& agent = context.setup.agent;
  if (!ReadMctsOptions(agent).policy && !AsksForNetwork(agent)) return MakeMctsAgent(context);
  const LearnedLibrary& library = LibraryFor(agent);
  return MakeMctsAgent(context, library.read_harl_policy, library.read_scorer);
}

AgentFactory WithNetworks(ModelAgentMaker make) {
  return [make](const AgentContext& context) {
    const Spec& agent = context.setup.agent;
    return make(context, AsksForNetwork(agent) ? NetworkReader(LibraryFor(agent).read_scorer)
                                               : NetworkReader());
  };
}

std::unique_ptr<Agent> MakeFlextensorWithNetwork(const AgentContext& context) {
  if (!AsksForDirections(context)) return MakeFlextensorAgent(context);
  return MakeFlextensorAgent(context, LibraryFor(context.setup.agent).make_directions);
}

ModelMakers LearnedModelMakers() {
  return {.trainer =
              [](const ModelTrainingRequest& request) {
                return LibraryFor("model " + request.model.name).make_scorer_trainer(request);
              },
          .network =
              [](const std::string& path, std::span<const std::shared_ptr<const Task>>,
                 const StopToken& stop) {
                std::vector<std::shared_ptr<const SearchSpace>> spaces;
                for (const char* name : {"ansor", "schedulegym"}) {
                  spaces.push_back(MakeSpace(RequireSpec("space", name)));
                }
                return LibraryFor("model " + path).read_any_scorer(path, std::move(spaces), stop);
              }};
}

// The front takes no other name (MakeHostedTrainer).
std::unique_ptr<Trainer> MakeLearnedTrainer(const TrainerContext& context) {
  return LibraryFor(context.agent).make_harl_trainer(context);
}

}  // namespace schedulegym
