// RefinementGain: the speedup of a refinement over the search's best, from the notes of trials.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "agents/droplet/refiner.h"
#include "agents/trial.h"
#include "env/base/hash.h"

namespace schedulegym {

struct RefinementGain {
  // Speed of the final best over the best before; nullopt if the latter failed when measured again.
  std::optional<double> speed;
  int64_t trials = 0;  // of the refinement
  // The search before: its agent, a spec, and its trials of the task.
  std::string agent;
  int64_t after = 0;
};

// Takes an agent's trials of one task, and follows the last refinement (RefineNote) among them.
class GainReader {
 public:
  void Hear(std::span<const Trial> trials);

  // Returns nullopt without a refinement; `agent` is the run's.
  std::optional<RefinementGain> Gain(const std::string& agent) const;

 private:
  using RecordPointer = std::shared_ptr<const Record>;

  void Note(const Trial& trial);
  RecordPointer Find(const Key& state) const;

  std::unordered_map<Key, RecordPointer, KeyHash> known_;  // by state, the latest
  int64_t measured_ = 0;                                   // trials of the run
  std::optional<RefineNote> note_;                         // the last refinement's
  RecordPointer before_;  // the record of its seed when it began; may be null
  int64_t after_ = 0;
  int64_t trials_ = 0;       // of the refinement
  std::vector<Key> states_;  // measured by it, in order
};

// A task's share of the trials of a refinement.
struct RefineShare {
  int task = 0;
  int64_t trials = 0;
};

// Deals trials in proportion to `parts`, such as count times latency, the largest first; 0 for a
// task that cannot be refined. A share has at least 8 trials, or the rest, since fewer do not
// suffice for a task's best and a few steps from it. The smallest tasks may get none.
std::vector<RefineShare> DealTrials(std::span<const double> parts, int64_t trials);

}  // namespace schedulegym
