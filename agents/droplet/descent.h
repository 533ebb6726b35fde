// Descent: runs a search over a knob space as proposals and results of schedules.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "agents/trial.h"
#include "env/measure/measurement.h"
#include "env/search/knob_space.h"

namespace schedulegym {

// A search over a grid of knobs; ask and tell.
class KnobSearch {
 public:
  virtual ~KnobSearch() = default;

  // Returns about `count` points to measure next; empty if the search has ended.
  virtual std::vector<KnobPoint> Next(int count) = 0;
  // Takes the results of Next's points in order; nullopt for a failure. There are fewer than points
  // if the search was interrupted.
  virtual void Tell(std::span<const std::optional<Timing>> results) = 0;
};

// Timings by state key; nullopt if measuring gave none.
using KnownTimings = std::map<Key, std::optional<Timing>>;

class Descent {
 public:
  enum class Repeats : uint8_t {
    kNever,   // uses known results without measuring again
    kAlways,  // measures every point of the search, also repeated ones
  };

  Descent(std::shared_ptr<const KnobSpace> space, std::unique_ptr<KnobSearch> search,
          Repeats repeats);

  // Returns at most `count` states to measure; empty if the search has ended. `known` holds earlier
  // results; proposals are added to it. A point that is not a schedule counts as a failure.
  std::vector<Proposal> Propose(int count, KnownTimings& known);

  // Proposes a schedule without a result again, at most a few times. After that, the search gets no
  // result for it, and `known` drops it.
  void TryAgain(const Trial& trial);

 private:
  void Enqueue(const std::vector<KnobPoint>& points, KnownTimings& known);
  void Conclude(KnownTimings& known);

  std::shared_ptr<const KnobSpace> space_;
  std::unique_ptr<KnobSearch> search_;
  Repeats repeats_;
  std::vector<std::optional<Key>> asked_;  // by point of the search's last Next
  std::deque<Proposal> waiting_;           // of these, not proposed yet
  std::map<Key, int> tries_;               // without a result, of these
};

// The number of values of each knob.
std::vector<int> SizesOf(const KnobSpace& space);

}  // namespace schedulegym
