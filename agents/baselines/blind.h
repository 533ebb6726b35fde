// The agent `blind`: another agent that is given shuffled measurements, a control for learning.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <vector>

#include "agents/agent.h"
#include "agents/trial.h"
#include "env/base/rng.h"

namespace schedulegym {

// A control: it can only gain from prior knowledge and random draws, as it gets other schedules'
// measurements. The run keeps the true ones. Option: agent. Throws InputError.
std::unique_ptr<Agent> MakeBlindAgent(const AgentContext& context);

// Exchanges measurements (outcome, timing with samples, resources) between records. State, key and
// everything else of a record stay, including the number of its attempt, which its id contains. At
// any time each latest measurement belongs to exactly one schedule.
class SwappedMeasurements {
 public:
  struct Heard {
    // Those that were given, in order.
    std::vector<Trial> trials;
    // Trials of earlier calls whose measurement is another one now.
    std::vector<Trial> revised;
  };
  // Permutes the measurements of new schedules among each other. A single new schedule swaps with a
  // random earlier one, or keeps its own, each with equal probability. A repeated measurement goes
  // to the schedule that has the earlier one. Trials without a result are unchanged.
  Heard Swap(std::span<const Trial> trials, Rng& rng);

 private:
  struct Slot {
    Trial trial;        // with its own measurement
    size_t holds = 0;   // the slot whose measurement is told of this schedule
    size_t holder = 0;  // the slot that is told this one's measurement
  };
  void Shuffle(size_t first_new, std::vector<size_t>& changed, Rng& rng);
  void Trade(size_t a, size_t b);
  Trial HeardOf(size_t slot, TrialStatus told) const;

  std::vector<Slot> slots_;  // by schedule, in order of their first trials
  std::map<Key, size_t> slot_of_;
};

}  // namespace schedulegym
