#include "agents/tree/greedy.h"

#include "agents/tree/beam_visitor.h"
#include "agents/tree/decision_options.h"

namespace schedulegym {

std::unique_ptr<Agent> MakeGreedyAgent(const AgentContext& context) {
  SpecReader reader(context.setup.agent, "agent");
  const DecisionOptions options = ReadDecisionOptions(reader, "agent greedy");
  reader.Finish();
  return MakeVisitingAgent(
      options,
      [](const SearchGround& ground, std::shared_ptr<const TreePlace> root) {
        return std::make_unique<BeamVisitor>(std::move(root), BeamWidth{1, 1}, ground.rng);
      },
      context);
}

}  // namespace schedulegym
