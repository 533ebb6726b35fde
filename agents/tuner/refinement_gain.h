// RefinementGain: what going on from the best schedule of a search gave, as notes of trials tell.
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
  // Of what it ended at over that of the best before; none where the latter, measured anew, failed.
  std::optional<double> speed;
  int64_t trials = 0;  // that it took
  // The search before: by whom, a spec, and how many trials of the task.
  std::string agent;
  int64_t after = 0;
};

// Hears what an agent hears of one task, and follows the last refinement (RefineNote) in it.
class GainReader {
 public:
  void Hear(std::span<const Trial> trials);

  // None without a refinement; `agent` is the run's.
  std::optional<RefinementGain> Gain(const std::string& agent) const;

 private:
  using RecordPointer = std::shared_ptr<const Record>;

  void Note(const Trial& trial);
  RecordPointer Find(const Key& state) const;

  std::unordered_map<Key, RecordPointer, KeyHash> known_;  // by state, the latest
  int64_t measured_ = 0;                                   // trials of the run
  std::optional<RefineNote> note_;                         // of the refinement
  RecordPointer before_;  // what was known of its seed when it began; may be null
  int64_t after_ = 0;
  int64_t trials_ = 0;       // that it took
  std::vector<Key> states_;  // measured by it, in order
};

// How the trials of a refinement are dealt out to tasks.
struct RefineShare {
  int task = 0;
  int64_t trials = 0;
};

// By what each task takes of the whole, such as its count times its latency, the largest first; 0
// for one that cannot be refined. Too little to measure a task's best and a few steps from it is
// worth nothing: a share has at least 8 trials, or what is left, and the smallest tasks may get
// none.
std::vector<RefineShare> DealTrials(std::span<const double> parts, int64_t trials);

}  // namespace schedulegym
