// AgentMaker: makes agents and refiners from their specs.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "agents/agent.h"
#include "env/base/registry.h"

namespace schedulegym {

// Makes the agent of a setup whose agent has the factory's name. Throws InputError for a bad spec,
// and if its options or the space do not fit one of the tasks.
using AgentFactory = std::function<std::unique_ptr<Agent>(const AgentContext& context)>;

using AgentEntry = RegistryEntry<AgentFactory>;
using AgentRegistry = Registry<AgentFactory>;

class AgentMaker {
 public:
  // A refiner continues from the best schedule of a search. The two registries may share names.
  explicit AgentMaker(AgentRegistry agents, AgentRegistry refiners = AgentRegistry("refiner"))
      : agents_(std::move(agents)), refiners_(std::move(refiners)) {}
  // Takes lists, such as plugins make.
  AgentMaker(std::vector<AgentEntry> agents, std::vector<AgentEntry> refiners)
      : agents_("agent", std::move(agents)), refiners_("refiner", std::move(refiners)) {}

  // Makes the setup's agent. Throws InputError for options that do not fit, in general or for one
  // of the tasks, and for an unknown name (the message lists those that exist).
  std::unique_ptr<Agent> Make(const AgentContext& context) const;
  // Makes a refiner in the same way.
  std::unique_ptr<Agent> MakeRefiner(const AgentContext& context) const;

 private:
  AgentRegistry agents_, refiners_;
};

// Returns the context with another setup, for an inner agent. `setup` outlives that agent.
AgentContext WithSetup(const AgentContext& context, const AgentSetup& setup);

// Returns the random stream of an agent over `tasks` of the run's tasks. The later draws of `run`
// do not depend on the agent.
Rng DrawAgentStream(int tasks, Rng& run);
// Splits an agent's stream into one for each task. The proposals of a task then do not depend on
// the draws of other tasks.
std::vector<Rng> TaskStreams(const AgentContext& context);

}  // namespace schedulegym
