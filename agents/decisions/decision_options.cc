#include "agents/decisions/decision_options.h"

#include <utility>

#include "env/base/option_range.h"

namespace schedulegym {

StagedModelOptions ReadStagedModel(SpecReader& reader) {
  StagedModelOptions options;
  const std::string model = reader.Word("model", "boosted");
  if (model == "analytical") {
    options.kind = StagedModelOptions::Kind::kAnalytical;
  } else if (model == "random") {
    options.kind = StagedModelOptions::Kind::kRandom;
  } else if (model != "boosted") {
    options.file = model;
  }
  if (options.kind == StagedModelOptions::Kind::kBoosted &&
      reader.Choice("features", "estimated", {"estimated", "ansor"}) == "ansor") {
    options.features = ModelFeatures::kAnsor;
  }
  return options;
}

DecisionOrder ReadDecisionOrder(SpecReader& reader) {
  const std::string order = reader.Choice("order", "outputs", {"outputs", "structure"});
  return order == "outputs" ? DecisionOrder::kOutputsFirst : DecisionOrder::kStructureFirst;
}

DecisionOptions ReadDecisionOptions(SpecReader& reader, const std::string& who) {
  DecisionOptions options;
  options.who = who;
  options.model = ReadStagedModel(reader);
  options.order = ReadDecisionOrder(reader);
  options.round.round = RangedReader(reader, who).Integer("round", options.round.round, 1, 100'000);
  return options;
}

std::unique_ptr<Agent> MakeVisitingAgent(const DecisionOptions& options, PlaceVisitorMaker maker,
                                         const AgentContext& context) {
  return MakeDecisionAgent(
      {.who = options.who, .model = options.model},
      [options, maker = std::move(maker)](const SearchGround& ground) {
        SearchGround own = ground;
        auto root = FirstDecision(own.space.Sketches(own.task), options.order);
        auto visitor = maker(Forked(own), std::move(root));
        return std::make_unique<RoundSearch>(own, options.round, std::move(visitor));
      },
      context);
}

}  // namespace schedulegym
