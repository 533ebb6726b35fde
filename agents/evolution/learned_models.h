// LearnedModels: the boosted trees of a search, for all tasks together or for each.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "agents/evolution/ansor.h"
#include "env/base/model_state_file.h"
#include "env/base/stop_token.h"

namespace schedulegym {

class LearnedModels : public ModelState {
 public:
  // Over so many tasks. Throws InputError where the options' file holds no such trees.
  LearnedModels(const AnsorOptions& options, int tasks, const StopToken& stop);

  // What is learned of a schedule again takes the place of what was.
  void Learn(int task, const MeasuredState& measured);
  // Trains those that speak of a task on whatever is new, which they else do now and then.
  void TrainNow(int task);
  // Whether what they say of a task is better than chance.
  bool IsTrusted(int task) const;
  std::vector<std::optional<Prediction>> Predict(int task, std::span<const StateFeatures> states);
  // Of the trees of all tasks together.
  std::optional<BoostedCostModel::Trained> trained() const { return ModelOf(0).trained(); }
  void GoOn(const BoostedCostModel::Trained& trained) { ModelOf(0).GoOn(trained); }
  // The trees that speak of a task.
  const BoostedCostModel& trees(int task) const { return ModelOf(task); }

  std::string Kind() const override { return kBoostedKind; }
  // Of several one that knows what all of them do.
  std::optional<std::string> Save() override;
  void Load(std::string_view text) override;

 private:
  BoostedCostModel& ModelOf(int task) { return models_[models_.size() == 1 ? 0 : task]; }
  const BoostedCostModel& ModelOf(int task) const {
    return models_[models_.size() == 1 ? 0 : task];
  }

  bool begins_trained_;
  int least_samples_;  // of the training that replaces what they begin with
  int trusted_from_;   // samples above which they are
  std::vector<BoostedCostModel> models_;
};

}  // namespace schedulegym
