// AgentMaker: agents by their specs.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "agents/agent.h"
#include "env/base/registry.h"

namespace schedulegym {

// Of a setup whose agent has its name. Throws InputError for a bad spec, and where its options or
// the space do not fit one of the tasks.
using AgentFactory = std::function<std::unique_ptr<Agent>(const AgentContext& context)>;

using AgentEntry = RegistryEntry<AgentFactory>;
using AgentRegistry = Registry<AgentFactory>;

class AgentMaker {
 public:
  // Refiners go on from the best of a search; names of the two need not differ.
  explicit AgentMaker(AgentRegistry agents, AgentRegistry refiners = AgentRegistry("refiner"))
      : agents_(std::move(agents)), refiners_(std::move(refiners)) {}
  // Of lists, as plugins make them.
  AgentMaker(std::vector<AgentEntry> agents, std::vector<AgentEntry> refiners)
      : agents_("agent", std::move(agents)), refiners_("refiner", std::move(refiners)) {}

  // The setup's agent. Whatever is wrong with it, or with it for one of the tasks, throws
  // InputError here, before anything is asked of it; an unknown name with those that exist.
  std::unique_ptr<Agent> Make(const AgentContext& context) const;
  // The same of a refiner.
  std::unique_ptr<Agent> MakeRefiner(const AgentContext& context) const;

 private:
  AgentRegistry agents_, refiners_;
};

// The same context with another setup, which outlives what is made of it: of an agent within one.
AgentContext WithSetup(const AgentContext& context, const AgentSetup& setup);

// Chance for an agent over so many tasks, of a run's: what the run draws afterwards does not depend
// on the agent.
Rng DrawAgentStream(int tasks, Rng& run);
// That of each task, out of an agent's, so that its proposals do not depend on what the others'
// turns drew.
std::vector<Rng> TaskStreams(const AgentContext& context);

}  // namespace schedulegym
