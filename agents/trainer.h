// Trainer: trains an agent's policy before any search.
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

// Statistics of a training round, by the cost model that computes its rewards.
struct TrainedRound {
  int64_t visits = 0;     // schedules
  double step = 0;        // mean gain of a step: ln of the speed over the one before
  double best = 0;        // ln of the best visited speed over the best start speed
  double entropy = 0;     // of the actions at the end, in nats; 0 without training
  bool diverged = false;  // a loss was not finite, and training stopped there
};

class Trainer {
 public:
  virtual ~Trainer() = default;

  // Trains one round on schedules of a task; nullopt if the task does not fit the policy.
  virtual std::optional<TrainedRound> Train(const std::shared_ptr<const Task>& task) = 0;

  // Writes the policy to a file, whole or not at all.
  virtual void Save(const std::string& path) = 0;
};

// The arguments of a trainer. References outlive it.
struct TrainerContext {
  const Spec& agent;
  const SearchSpace& space;
  std::vector<std::shared_ptr<const Task>> kinds;  // tasks like these fit the policy; one target
  Rng rng;
};

}  // namespace schedulegym
