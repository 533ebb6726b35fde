// Descent: a search over a knob space, whose points are told of by their schedules.
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

// Where to go next on a grid of knobs; ask and tell.
class KnobSearch {
 public:
  virtual ~KnobSearch() = default;

  // The next points to measure, about `count`; none when the search has ended.
  virtual std::vector<KnobPoint> Next(int count) = 0;
  // What measuring them gave, in order; none for a failure. As many as Next answered, or fewer
  // where the search was interrupted.
  virtual void Tell(std::span<const std::optional<Timing>> results) = 0;
};

// What is known of states, by key: a timing, or that measuring them gave none.
using KnownTimings = std::map<Key, std::optional<Timing>>;

class Descent {
 public:
  enum class Repeats : uint8_t {
    kNever,   // what is known is taken as it is
    kAlways,  // every point that the search names is measured, however often it names it
  };

  Descent(std::shared_ptr<const KnobSpace> space, std::unique_ptr<KnobSearch> search,
          Repeats repeats);

  // States to measure, at most `count`; none when it has ended. `known` says what became of those
  // before, and is told of these. A point that is no schedule counts as a failure.
  std::vector<Proposal> Propose(int count, KnownTimings& known);

  // Nothing was found out about a proposal: it is proposed again, a few times at most. Then the
  // search gets no result of it, and `known` forgets it.
  void TryAgain(const Trial& trial);

 private:
  void Enqueue(const std::vector<KnobPoint>& points, KnownTimings& known);
  void Conclude(KnownTimings& known);

  std::shared_ptr<const KnobSpace> space_;
  std::unique_ptr<KnobSearch> search_;
  Repeats repeats_;
  std::vector<std::optional<Key>> asked_;  // by point of the search's last answer
  std::deque<Proposal> waiting_;           // those of them that are still to be proposed
  std::map<Key, int> tries_;               // of them, that told nothing
};

// For each knob of a space how many values it has.
std::vector<int> SizesOf(const KnobSpace& space);

}  // namespace schedulegym
