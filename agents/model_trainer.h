// ModelTrainer: trains a network to score schedules from measured programs, before any search.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "env/base/spec.h"
#include "env/search/search_space.h"

namespace schedulegym {

// The arguments of a training.
struct ModelTrainingRequest {
  Spec model;                      // mlp(...), tlp(...)
  std::vector<std::string> files;  // packs of programs (records pack)
  std::string split = "train";     // the split of the programs, or "all"
  std::string space;               // programs of this search space; "" for all
  std::string from;                // a file of the same training to continue; "" for none
  uint64_t seed = 0;
  int threads = 1;
  // Makes the spaces of the programs, for networks that read partial schedules.
  std::function<std::unique_ptr<SearchSpace>(const Spec& space)> spaces = {};
};

struct ModelEpoch {
  int epoch = 0;                // from 1
  double loss = 0;              // mean of its batches
  std::optional<double> pairs;  // share of held-out pairs in the right order
};

// The state after a slice of the work.
struct ModelTrainingReport {
  bool is_describing = false;      // true while programs are turned into features
  int64_t done = 0, total = 0;     // programs described, or batches trained on
  std::vector<ModelEpoch> epochs;  // finished epochs
  bool is_over = false;
  bool diverged = false;  // a loss was not finite: training ended with the last good weights
};

class ModelTrainer {
 public:
  virtual ~ModelTrainer() = default;

  // Trains for about `seconds` seconds, at least one step. Does nothing after the end.
  virtual ModelTrainingReport Train(double seconds) = 0;

  // Writes the model to a file, whole or not at all. Throws InputError before the first batch.
  virtual void Save(const std::string& path) = 0;
};

}  // namespace schedulegym
