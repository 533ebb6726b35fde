// TreeRollout: what a tree search is told by: samples that complete its places, and their values.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "agents/decisions/tree_place.h"
#include "env/base/rng.h"

namespace schedulegym {

struct RolloutRequest {
  std::shared_ptr<const TreePlace> place;  // to be completed; null: a neighbour is asked for
  // Each open decision is the one whose completion has the highest value, instead of a draw.
  bool is_greedy = false;
  int neighbour = 0;  // sample of which one decision is drawn anew
};

struct Rolled {
  int sample = 0;    // its number
  double value = 0;  // the higher, the better
  int judged = 1;    // how many samples it took
};

class TreeRollout {
 public:
  virtual ~TreeRollout() = default;

  // One for each request, in their order; none where the draw led nowhere or has no value. All are
  // judged at once.
  virtual std::vector<std::optional<Rolled>> Roll(std::span<const RolloutRequest> requests,
                                                  Rng& rng) = 0;
};

}  // namespace schedulegym
