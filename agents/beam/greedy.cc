#include "agents/beam/greedy.h"

#include "agents/beam/beam_visitor.h"
#include "agents/decisions/decision_options.h"

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
