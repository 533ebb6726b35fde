// ResidualModel: a trained model that stays as it is in a search, and trees that correct it.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "agents/cost/boosted_trees.h"
#include "agents/cost/row_group_sum.h"
#include "env/base/stop_token.h"
#include "env/search/cost_model.h"

namespace schedulegym {

// Predictions are the model's speed times the trees' factor, without a unit. Before the first
// training they are the model's. Only the trees are saved.
class ResidualModel : public LearningModel, private ModelState {
 public:
  // `base` predicts speeds; copies share it. Throws nothing.
  explicit ResidualModel(std::shared_ptr<CostModel> base, const StopToken& stop = {})
      : base_(std::move(base)), stop_(stop) {}

  std::vector<std::optional<Prediction>> Predict(std::span<const StateFeatures> states) override;
  void Learn(std::span<const MeasuredState> measured) override;
  ModelState* memory() override { return this; }
  TrainingProgress progress() const override { return {true, samples_, trainings_}; }
  void TrainNow() override;
  std::unique_ptr<LearningModel> JoinedWith(
      std::span<const LearningModel* const> others) const override;

 private:
  struct Sample {
    std::optional<double> seconds;
    std::optional<ScheduleState> state;  // until it is described
    std::vector<float> features;
    std::optional<double> speed;  // the base's, as a logarithm
  };
  using Samples = std::map<Key, Sample>;

  std::string Kind() const override { return "corrections 1"; }
  std::optional<std::string> Save() override;
  void Load(std::string_view text) override;

  void Describe(Samples& samples);
  void AddRows(const Samples& samples, FeatureMatrix& matrix, RowGroups& groups) const;
  void Train();

  std::shared_ptr<CostModel> base_;
  StopToken stop_;
  std::map<Key, Samples> tasks_;
  std::optional<BoostedTrees> trees_;
  int samples_ = 0, samples_at_training_ = 0, trainings_ = 0;
};

}  // namespace schedulegym
