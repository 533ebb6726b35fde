#include "agents/lone_agent.h"

#include <utility>

#include "agents/builtin_agents.h"

namespace schedulegym {
namespace {

AgentSetup SetupOf(Spec agent, const SearchSpace& space,
                   const std::vector<std::shared_ptr<const Task>>& tasks,
                   std::optional<Budget> budget) {
  AgentSetup setup;
  setup.agent = std::move(agent);
  setup.space = ParseSpec(space.Name()).value();
  for (const auto& task : tasks) setup.tasks.push_back({task});
  setup.budget = budget;
  return setup;
}

}  // namespace

LoneAgent::LoneAgent(Spec agent, const SearchSpace& space,
                     const std::vector<std::shared_ptr<const Task>>& tasks, Rng rng,
                     std::optional<Budget> budget, std::vector<AgentEntry> others)
    : LoneAgent(SetupOf(std::move(agent), space, tasks, budget), space, rng, std::move(others)) {}

LoneAgent::LoneAgent(AgentSetup setup, const SearchSpace& space, Rng rng,
                     std::vector<AgentEntry> others)
    : setup_(std::move(setup)),
      maker_(BuiltinAgentMaker(std::move(others))),
      agent_(maker_.Make({setup_, space, rng, maker_, clock_})) {}

std::vector<Proposal> LoneAgent::Propose(int task, int count) {
  return agent_->Propose(task, count);
}

void LoneAgent::Learn(std::span<const Trial> trials) { agent_->Learn(trials); }

Memory* LoneAgent::memory() { return agent_->memory(); }

}  // namespace schedulegym
