// Trainer: an agent's policy that learns before any search.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "env/base/rng.h"
#include "env/base/spec.h"
#include "env/program/task.h"
#include "env/search/search_space.h"

namespace schedulegym {

// What a round of learning was like, in the eyes of the model that pays for it.
struct TrainedRound {
  int64_t visits = 0;     // schedules
  double step = 0;        // mean gain of one step: ln of a speed over the one before
  double best = 0;        // of the best visited over the best of the start: ln
  double entropy = 0;     // of its actions at the end, in nats; 0 where nothing was learned
  bool diverged = false;  // a loss was not finite, and nothing was learned from then on
};

class Trainer {
 public:
  virtual ~Trainer() = default;

  // One round on the schedules of a task; none where the policy has no room for it.
  virtual std::optional<TrainedRound> Train(const std::shared_ptr<const Task>& task) = 0;

  // The policy as a file, whole or not at all.
  virtual void Save(const std::string& path) = 0;
};

// What a trainer is made from. What is referred to outlives it.
struct TrainerContext {
  const Spec& agent;
  const SearchSpace& space;
  std::vector<std::shared_ptr<const Task>> kinds;  // for the like of which it has room; all of one
                                                   // target
  Rng rng;
};

}  // namespace schedulegym
