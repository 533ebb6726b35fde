#include "agents/beam/beam_visitor.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace schedulegym {

using Places = std::vector<std::shared_ptr<const TreePlace>>;

Places Expanded(const Places& places) {
  Places expanded;
  std::set<Key> known;
  const auto add = [&](std::shared_ptr<const TreePlace> place) {
    if (place && known.insert(place->key()).second) expanded.push_back(std::move(place));
  };
  for (const auto& place : places) {
    if (place->choices() == 0) add(place);
    for (int choice = 0; choice < place->choices(); ++choice) add(place->After(choice));
  }
  return expanded;
}

bool AreComplete(const Places& places) {
  return std::ranges::all_of(places, [](const auto& place) { return place->choices() == 0; });
}

Places BestPlaces(const Places& places, const std::vector<std::optional<double>>& values,
                  int width) {
  std::vector<int> order;
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i]) order.push_back(static_cast<int>(i));
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return *values[a] > *values[b]; });
  Places best;
  for (int i : order) {
    if (std::ssize(best) == width) break;
    best.push_back(places[i]);
  }
  return best;
}

void BeamVisitor::Visit(StateRollout& rollout) {
  for (int pass = 0; pass < options_.passes; ++pass) {
    Places beam = {root_};
    while (!AreComplete(beam)) {
      const Places places = Expanded(beam);
      std::vector<RolloutRequest> requests;
      for (const auto& place : places) requests.push_back({place});
      std::vector<std::optional<double>> values;
      for (const std::optional<Rolled>& one : rollout.Roll(requests, rng_)) {
        values.push_back(one ? std::optional(one->value) : std::nullopt);
      }
      rollout.Keep({});
      beam = BestPlaces(places, values, options_.width);
    }
  }
}

}  // namespace schedulegym
