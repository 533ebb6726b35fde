// The agents that come with the project.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "agents/agent_maker.h"
#include "agents/cost/network_model.h"

namespace schedulegym {

AgentRegistry BuiltinAgents();
// Other makers for the agents that can use a network.
using ModelAgentMaker = std::unique_ptr<Agent> (*)(const AgentContext& context,
                                                   const NetworkReader& networks);
struct NetworkMakers {
  AgentFactory mcts;        // with a trained policy as its prior, or a network as its model
  AgentFactory flextensor;  // method=q
  // Makes the factory of an agent whose model may be a trained network.
  std::function<AgentFactory(ModelAgentMaker make)> by_model;
};
AgentRegistry BuiltinAgents(NetworkMakers makers);
// The refiners that `--refine` accepts.
AgentRegistry BuiltinRefiners();

// Makes the built-in agents and refiners, and `others`.
AgentMaker BuiltinAgentMaker(std::vector<AgentEntry> others = {});

// A built-in agent outside of a run. It owns its setup.
class SingleTaskAgent : public Agent {
 public:
  // Inner agents may be built-in ones or `others`. The space outlives this object. Throws
  // InputError as AgentMaker does.
  SingleTaskAgent(Spec agent, const SearchSpace& space,
                  const std::vector<std::shared_ptr<const Task>>& tasks, Rng rng,
                  std::optional<Budget> budget = {}, std::vector<AgentEntry> others = {});
  // The same, from a setup.
  SingleTaskAgent(AgentSetup setup, const SearchSpace& space, Rng rng,
                  std::vector<AgentEntry> others = {});
  SingleTaskAgent(const SingleTaskAgent&) = delete;
  SingleTaskAgent& operator=(const SingleTaskAgent&) = delete;

  std::vector<Proposal> Propose(int task, int count) override;
  void Learn(std::span<const Trial> trials) override;
  ModelState* memory() override;

 private:
  AgentSetup setup_;
  AgentMaker maker_;
  SteadyClock clock_;
  std::unique_ptr<Agent> agent_;
};

}  // namespace schedulegym
