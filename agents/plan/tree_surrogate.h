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

// TVM's trees (autotvm/tuner/xgboost_cost_model.py), by the loss of all pairs or squared error.
BoostingOptions TvmTrees(bool ranks, int plan);

struct TreeSurrogateOptions {
  BoostingOptions trees;
  // Of trees that do not rank: trained on the logarithms of parts of the best speed, not on these.
  bool log_labels = false;
  // Rows of Ansor's features, for which each place is built and lowered, instead of its knobs'.
  bool has_loop_features = false;
  // Of loop features, what the trees add to, the less the more is measured; null: nothing.
  std::shared_ptr<const TransferredTrees> transferred = {};
};

// A row of numbers for each place, of its knobs alone.
FeatureMatrix KnobMatrix(const KnobField& field, std::span<const FieldPlace> places);

class TreeSurrogate : public Surrogate {
 public:
  explicit TreeSurrogate(const TreeSurrogateOptions& options) : options_(options) {}

  void Fit(const PlaceBook& book) override;
  std::vector<double> Score(const PlaceBook& book, std::span<const FieldPlace> places) override;
  // Of trees over knobs: how often they split by each column of a row; empty before the first.
  std::vector<int> SplitCounts() const;

 private:
  // The rows of the places, and how many each has; none of what is no schedule.
  FeatureMatrix Matrix(const PlaceBook& book, std::span<const FieldPlace> places,
                       std::vector<int>& rows);
  void Describe(const PlaceBook& book, std::span<const FieldPlace> places);

  // How much the trees of earlier searches count now; 0 where there are none.
  double TransferWeightNow() const;

  TreeSurrogateOptions options_;
  std::optional<BoostedTrees> trees_;
  int measured_ = 0;  // at the last fit
  WaitingThreads threads_;
  std::map<FieldPlace, std::vector<float>> described_;  // loop features
};

}  // namespace schedulegym
