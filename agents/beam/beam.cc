#include "agents/beam/beam.h"

#include "agents/beam/beam_visitor.h"
#include "agents/decisions/decision_options.h"
#include "env/base/option_range.h"

namespace schedulegym {
namespace {

constexpr const char* kWho = "agent beam";
// With measured values each decision costs one trial for each child of each of these places.
constexpr int kMeasuredWidth = 4;

}  // namespace

std::unique_ptr<Agent> MakeBeamAgent(const AgentContext& context, const NetworkReader& networks) {
  SpecReader reader(context.setup.agent, "agent");
  RangedReader ranged(reader, kWho);
  const bool by_model = reader.Choice("reward", "model", {"model", "measured"}) == "model";
  BeamWidth beam;
  beam.width = ranged.Integer("width", by_model ? beam.width : kMeasuredWidth, 1, 100'000);
  if (!by_model) {
    const DecisionOrder order = ReadDecisionOrder(reader);
    reader.Finish();
    return MakeDecisionAgent(
        {.who = kWho},
        [width = beam.width, order](const DecisionSearchContext& ground) {
          return std::make_unique<MeasuredBeam>(
              ground, FirstDecision(ground.space.Sketches(ground.task), order), width);
        },
        context);
  }
  beam.passes = ranged.Integer("passes", beam.passes, 1, 1000);
  DecisionOptions options = ReadDecisionOptions(reader, context.setup.agent, kWho);
  options.model.network = networks;
  reader.Finish();
  return MakeVisitingAgent(
      options,
      [beam](const DecisionSearchContext& ground, std::shared_ptr<const TreePlace> root) {
        return std::make_unique<BeamVisitor>(std::move(root), beam, ground.rng);
      },
      context);
}

std::unique_ptr<Agent> MakeGreedyAgent(const AgentContext& context, const NetworkReader& networks) {
  SpecReader reader(context.setup.agent, "agent");
  DecisionOptions options = ReadDecisionOptions(reader, context.setup.agent, "agent greedy");
  options.model.network = networks;
  reader.Finish();
  return MakeVisitingAgent(
      options,
      [](const DecisionSearchContext& ground, std::shared_ptr<const TreePlace> root) {
        return std::make_unique<BeamVisitor>(std::move(root), BeamWidth{1, 1}, ground.rng);
      },
      context);
}

}  // namespace schedulegym
