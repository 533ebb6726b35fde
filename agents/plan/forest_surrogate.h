// ForestSurrogate: a random forest over knobs, and its expected improvement.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "agents/cost/boosted_trees.h"
#include "agents/plan/acquisition.h"
#include "agents/plan/plan_search.h"

namespace schedulegym {

enum class ForestScore : uint8_t { kImprovement, kMean, kUpperBound };

// AdaTune's (adatune/tuner): ten trees, ten features at each split, seed 2.
struct ForestOptions {
  int trees = 10;
  int columns = 10;  // tried at each split
  ForestScore score = ForestScore::kImprovement;
  // Trained on the logarithm of speed, not on GFLOP a second.
  bool has_log_labels = false;
  bool is_bounded = false;  // the random share is between 1 / plan and 0.3
  int plan = 32;
  bool is_contextual = true;  // whether its doubt decides the share by chance
};

class ForestSurrogate : public Surrogate {
 public:
  explicit ForestSurrogate(const ForestOptions& options) : options_(options) {}

  void Fit(const PlaceBook& book) override;
  std::vector<double> Score(const PlaceBook& book, std::span<const FieldPlace> places) override;
  // The mean deviation of 20 places by chance, in units of the best.
  std::optional<double> ShareByChance(const PlaceBook& book, Rng& rng) override;

  // Mean and deviation over the trees: the higher, the better.
  std::vector<Posterior> Predict(const PlaceBook& book, std::span<const FieldPlace> places) const;

 private:
  ForestOptions options_;
  std::vector<BoostedTrees> trees_;
  double best_ = 0;
};

}  // namespace schedulegym
