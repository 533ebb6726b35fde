// TreePlace: a node of a tree search: a schedule some of whose decisions are made.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "env/base/hash.h"
#include "env/base/result.h"
#include "env/base/rng.h"
#include "env/schedule/state.h"

namespace schedulegym {

// Immutable. The choices at a place are numbered from 0.
class TreePlace {
 public:
  virtual ~TreePlace() = default;

  // Number of choices; 0 if everything is decided.
  virtual int choices() const = 0;
  // The place after this choice; null if the choice is illegal.
  virtual std::shared_ptr<const TreePlace> After(int choice) const = 0;
  // Draws the open decisions. Returns the complete schedule, or an error if this draw gave none.
  virtual Result<ScheduleState> Complete(Rng& rng) const = 0;
  // Equal for places from which the same schedules can be reached, whatever the path to them.
  virtual Key key() const = 0;
  // Description of a choice, such as "C: tile of loop 0, 8".
  virtual std::string Word(int choice) const = 0;
  // Probabilities of the choices by the policy of the place; empty without a policy.
  virtual std::vector<double> Prior() const { return {}; }
};

struct RolloutRequest {
  std::shared_ptr<const TreePlace> place;  // to complete; null: make a neighbour instead
  // Decides by the highest value of a completion, instead of by a draw.
  bool is_greedy = false;
  int neighbour = 0;  // sample in which one decision is drawn again
};

struct Rolled {
  int sample = 0;     // its number
  double value = 0;   // the higher, the better
  int evaluated = 1;  // number of schedules evaluated for it
};

// Completes places of a tree search to samples, and evaluates these.
class TreeRollout {
 public:
  virtual ~TreeRollout() = default;

  // Returns one result per request, in order; nullopt if the draw gave no schedule or it has no
  // value. All samples are evaluated together.
  virtual std::vector<std::optional<Rolled>> Roll(std::span<const RolloutRequest> requests,
                                                  Rng& rng) = 0;
};

}  // namespace schedulegym
