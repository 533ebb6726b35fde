#include "agents/beam/guided.h"

#include <cmath>
#include <vector>

#include "agents/decisions/decision_options.h"
#include "env/base/option_range.h"

namespace schedulegym {
namespace {

using Place = std::shared_ptr<const TreePlace>;

// Draws one of the children in proportion to its predicted speed; values are logarithms. Null if
// none has a value.
Place Drawn(const std::vector<Place>& places, const std::vector<std::optional<Rolled>>& rolled,
            size_t first, size_t count, Rng& rng) {
  std::vector<double> weights;
  double sum = 0;
  for (size_t i = first; i < first + count; ++i) {
    weights.push_back(rolled[i] ? std::exp(rolled[i]->value) : 0);
    sum += weights.back();
  }
  double left = rng.Uniform() * sum;
  Place drawn;
  for (size_t i = 0; i < count && left >= 0; ++i) {
    if (weights[i] == 0) continue;
    drawn = places[first + i];
    left -= weights[i];
  }
  return drawn;
}

}  // namespace

std::unique_ptr<Agent> MakeGuidedAgent(const AgentContext& context, const NetworkReader& networks) {
  const std::string who = "agent guided";
  SpecReader reader(context.setup.agent, "agent");
  RangedReader ranged(reader, who);
  GuidedEpisodes episodes;
  episodes.samples = ranged.Integer("samples", episodes.samples, 1, 1'000'000);
  episodes.depth = ranged.Integer("depth", episodes.depth, 0, 1000);
  DecisionOptions options;
  options.who = who;
  options.model = ReadStagedModel(reader, context.setup.agent);
  options.model.network = networks;
  options.order = ReadDecisionOrder(reader);
  options.round.round = ranged.Integer("k", 10, 1, 100'000);
  reader.Finish();
  return MakeVisitingAgent(
      options,
      [episodes](const DecisionSearchContext& ground, std::shared_ptr<const TreePlace> root) {
        return std::make_unique<GuidedVisitor>(std::move(root), episodes, ground.rng);
      },
      context);
}

void GuidedVisitor::Visit(StateRollout& rollout) {
  std::vector<Place> episodes(options_.samples, root_);
  for (int depth = 0; options_.depth == 0 || depth < options_.depth; ++depth) {
    std::vector<Place> places;
    std::vector<RolloutRequest> requests;
    std::vector<std::pair<size_t, size_t>> ways;  // of each walk: the first, and how many
    for (const Place& episode : episodes) {
      ways.emplace_back(places.size(), 0);
      for (int choice = 0; episode && choice < episode->choices(); ++choice) {
        Place next = episode->After(choice);
        if (!next) continue;
        requests.push_back({next});
        places.push_back(std::move(next));
        ++ways.back().second;
      }
    }
    if (requests.empty()) return;
    const auto rolled = rollout.Roll(requests, rng_);
    rollout.Keep({});
    for (size_t i = 0; i < episodes.size(); ++i) {
      episodes[i] = Drawn(places, rolled, ways[i].first, ways[i].second, rng_);
    }
  }
}

}  // namespace schedulegym
