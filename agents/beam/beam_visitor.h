// BeamVisitor: visits places decision by decision, of which it keeps the best.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "agents/decisions/round_search.h"

namespace schedulegym {

struct BeamWidth {
  int width = 32;
  int passes = 5;
};

// From the root on, each place that is kept is left in all ways; each of these is judged by one
// completion, all at once, and the best go on until all is decided. Every pass completes anew.
class BeamVisitor : public PlaceVisitor {
 public:
  BeamVisitor(std::shared_ptr<const TreePlace> root, const BeamWidth& options, Rng rng)
      : root_(std::move(root)), options_(options), rng_(rng) {}

  void Visit(StateRollout& rollout) override;

 private:
  std::shared_ptr<const TreePlace> root_;
  BeamWidth options_;
  Rng rng_;
};

// All ways on from these places, each place once; what is decided whole stays as it is.
std::vector<std::shared_ptr<const TreePlace>> Expanded(
    const std::vector<std::shared_ptr<const TreePlace>>& places);
// Whether all is decided everywhere.
bool AreComplete(const std::vector<std::shared_ptr<const TreePlace>>& places);
// The `width` places of the highest values, best first, of equals those that came first; none of
// those without a value.
std::vector<std::shared_ptr<const TreePlace>> BestPlaces(
    const std::vector<std::shared_ptr<const TreePlace>>& places,
    const std::vector<std::optional<double>>& values, int width);

}  // namespace schedulegym
