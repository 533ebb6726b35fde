// Tests the defaults of every built-in agent with small and large budgets.
#include <gtest/gtest.h>

#include "agents/builtin_agents.h"
#include "spaces/builtin_spaces.h"
#include "tests/conformance/agent_cases.h"
#include "tests/conformance/searches.h"

namespace schedulegym {
namespace {

TEST(AgentBudgetTest, DefaultsFitAnyBudget) {
  const auto space = MakeSpace(Spec{"ansor", {}});
  for (const std::string& name : AgentNames()) {
    // Trials, tasks.
    for (const auto& [trials, tasks] : {std::pair(1, 3), {2, 1}, {10, 3}, {200, 1}, {1000, 3}}) {
      AgentSetup setup;
      setup.agent.name = name;
      for (int i = 0; i < tasks; ++i) {
        setup.tasks.push_back({SmallTask("softmax(n=16,m=" + std::to_string(16 + i) + ")")});
      }
      setup.budget = Budget{trials};
      SingleTaskAgent agent(setup, *space, Rng(1), OtherAgents());
      EXPECT_EQ(agent.Propose(tasks - 1, 1).size(), 1u) << name << " of " << trials;
    }
  }
}

}  // namespace
}  // namespace schedulegym
