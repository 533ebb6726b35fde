#include "agents/beam/guided.h"

#include "agents/beam/guided_visitor.h"
#include "agents/decisions/decision_options.h"
#include "env/base/option_range.h"

namespace schedulegym {

std::unique_ptr<Agent> MakeGuidedAgent(const AgentContext& context) {
  const std::string who = "agent guided";
  SpecReader reader(context.setup.agent, "agent");
  RangedReader ranged(reader, who);
  GuidedWalks walks;
  walks.samples = ranged.Integer("samples", walks.samples, 1, 1'000'000);
  walks.depth = ranged.Integer("depth", walks.depth, 0, 1000);
  DecisionOptions options;
  options.who = who;
  options.model = ReadStagedModel(reader);
  options.order = ReadDecisionOrder(reader);
  options.round.round = ranged.Integer("k", 10, 1, 100'000);
  reader.Finish();
  return MakeVisitingAgent(
      options,
      [walks](const SearchGround& ground, std::shared_ptr<const TreePlace> root) {
        return std::make_unique<GuidedVisitor>(std::move(root), walks, ground.rng);
      },
      context);
}

}  // namespace schedulegym
