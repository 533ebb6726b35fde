// ModelTrainer: a network that learns to score schedules from measured programs, before any search.
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

// What a training is asked for.
struct ModelTrainingRequest {
  Spec model;                      // mlp(...), tlp(...)
  std::vector<std::string> files;  // of programs (records pack)
  std::string split = "train";     // whose programs, or all
  std::string space;               // of one search space; "" for all
  std::string from;                // a file of the same training, to go on; "" for none
  uint64_t seed = 0;
  int threads = 1;
  // The spaces of the programs, for networks that read partial schedules.
  std::function<std::unique_ptr<SearchSpace>(const Spec& space)> spaces = {};
};

struct ModelEpoch {
  int epoch = 0;                // from 1
  double loss = 0;              // mean of its batches
  std::optional<double> pairs;  // share of held-out pairs in the right order
};

// Of a slice of the work.
struct ModelTrainingReport {
  bool is_describing = false;      // programs are turned into numbers still
  int64_t done = 0, total = 0;     // programs described, or batches learned from
  std::vector<ModelEpoch> epochs;  // that ended
  bool is_over = false;
  bool diverged = false;  // a loss was not finite: it ended with the last good weights
};

class ModelTrainer {
 public:
  virtual ~ModelTrainer() = default;

  // For about so many seconds, at least one step; nothing once it is over.
  virtual ModelTrainingReport Train(double seconds) = 0;

  // The model as a file, whole or not at all. Throws InputError before the first batch.
  virtual void Save(const std::string& path) = 0;
};

}  // namespace schedulegym
