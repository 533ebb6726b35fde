// TreePlace: where a tree search stands: a schedule some of whose decisions are made.
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

// Never changes; the ways on from a place are numbered from 0.
class TreePlace {
 public:
  virtual ~TreePlace() = default;

  // How many ways lead on; 0 where everything is decided.
  virtual int choices() const = 0;
  // One decision further; null where that way leads nowhere.
  virtual std::shared_ptr<const TreePlace> After(int choice) const = 0;
  // A complete schedule in which what is open was drawn. An error means that this draw led nowhere.
  virtual Result<ScheduleState> Complete(Rng& rng) const = 0;
  // Equal for places from which the same schedules can be reached, however they were reached.
  virtual Key key() const = 0;
  // A way on in words, such as "C: tile of loop 0, 8".
  virtual std::string Word(int choice) const = 0;
  // The probability of each way on by a policy that the place has; empty where it has none.
  virtual std::vector<double> Prior() const { return {}; }
};

struct RolloutRequest {
  std::shared_ptr<const TreePlace> place;  // to be completed; null: a neighbour is asked for
  // Each open decision is the one whose completion has the highest value, instead of a draw.
  bool is_greedy = false;
  int neighbour = 0;  // sample of which one decision is drawn anew
};

struct Rolled {
  int sample = 0;     // its number
  double value = 0;   // the higher, the better
  int evaluated = 1;  // how many samples it took
};

// What a tree search is told by: samples that complete its places, and their values.
class TreeRollout {
 public:
  virtual ~TreeRollout() = default;

  // One for each request, in their order; none where the draw led nowhere or has no value. All are
  // judged at once.
  virtual std::vector<std::optional<Rolled>> Roll(std::span<const RolloutRequest> requests,
                                                  Rng& rng) = 0;
};

}  // namespace schedulegym
