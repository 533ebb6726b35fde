#include "agents/beam/guided_visitor.h"

#include <cmath>
#include <vector>

namespace schedulegym {
namespace {

using Place = std::shared_ptr<const TreePlace>;

// One of the ways on, in proportion to its predicted speed, of which values are logarithms; none
// where none has a value.
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

void GuidedVisitor::Visit(StateRollout& rollout) {
  std::vector<Place> walks(options_.samples, root_);
  for (int depth = 0; options_.depth == 0 || depth < options_.depth; ++depth) {
    std::vector<Place> places;
    std::vector<RolloutRequest> requests;
    std::vector<std::pair<size_t, size_t>> ways;  // of each walk: the first, and how many
    for (const Place& walk : walks) {
      ways.emplace_back(places.size(), 0);
      for (int choice = 0; walk && choice < walk->choices(); ++choice) {
        Place next = walk->After(choice);
        if (!next) continue;
        requests.push_back({next});
        places.push_back(std::move(next));
        ++ways.back().second;
      }
    }
    if (requests.empty()) return;
    const auto rolled = rollout.Roll(requests, rng_);
    rollout.Keep({});
    for (size_t i = 0; i < walks.size(); ++i) {
      walks[i] = Drawn(places, rolled, ways[i].first, ways[i].second, rng_);
    }
  }
}

}  // namespace schedulegym
