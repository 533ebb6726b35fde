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

// A control: it finds what the other agent finds by what that knows beforehand, and by chance. The
// run keeps what was measured as it is. Option: agent. Throws InputError.
std::unique_ptr<Agent> MakeBlindAgent(const AgentContext& context);

// State, key and all else of a record stay, the number of its attempt too, which its id holds; its
// measurement (outcome, timing with samples, and what it took) is another's. At any time the latest
// measurement of each schedule is told of exactly one.
class SwappedMeasurements {
 public:
  struct Heard {
    // Those that were given, in order.
    std::vector<Trial> trials;
    // Others, told of before, whose measurement is another now.
    std::vector<Trial> revised;
  };
  // Trials of the task that were told at once. Measurements of schedules that are new are drawn
  // anew among these; one that is alone trades with any schedule told of before, or keeps its own,
  // each alike in chance. What is measured again stays with whoever had the measurement before.
  // Trials without a lesson are as they were.
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
