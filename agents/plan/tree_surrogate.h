// TreeSurrogate: boosted trees over the knobs of a task's places, or over their loop features.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "agents/cost/boosted_trees.h"
#include "agents/cost/ranked_model.h"
#include "agents/parallel.h"
#include "agents/plan/plan_search.h"

namespace schedulegym {

// TVM's trees (autotvm/tuner/xgboost_cost_model.py), with pairwise rank loss or squared error.
BoostingOptions TvmTrees(bool ranks, int plan);

struct TreeSurrogateOptions {
  BoostingOptions trees;
  // For trees that do not rank: fits the logarithm of speed over the best speed, not the ratio.
  bool log_labels = false;
  // Uses rows of Ansor's features, for which each place is built and lowered, instead of knobs.
  bool has_loop_features = false;
  // Base trees over loop features; their weight falls with the measurements. nullptr: none.
  std::shared_ptr<const TransferredTrees> transferred = {};
};

// A feature row for each place, from its knobs alone.
FeatureMatrix KnobMatrix(const KnobField& field, std::span<const FieldPlace> places);

class TreeSurrogate : public Surrogate {
 public:
  explicit TreeSurrogate(const TreeSurrogateOptions& options) : options_(options) {}

  void Fit(const PlaceBook& book) override;
  std::vector<double> Score(const PlaceBook& book, std::span<const FieldPlace> places) override;
  // For trees over knobs: the number of splits by each column; empty before the first fit.
  std::vector<int> SplitCounts() const;

 private:
  // The rows of the places, and the count for each; none for a place that is not a schedule.
  FeatureMatrix Matrix(const PlaceBook& book, std::span<const FieldPlace> places,
                       std::vector<int>& rows);
  void Describe(const PlaceBook& book, std::span<const FieldPlace> places);

  // The current weight of the trees of earlier searches; 0 without any.
  double TransferWeightNow() const;

  TreeSurrogateOptions options_;
  std::optional<BoostedTrees> trees_;
  int measured_ = 0;  // at the last fit
  WaitingThreads threads_;
  std::map<FieldPlace, std::vector<float>> described_;  // loop features
};

}  // namespace schedulegym
