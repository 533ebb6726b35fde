// LearnedModels: the cost models that a search trains, each of some of its tasks.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "agents/agent.h"
#include "agents/cost/model_registry.h"
#include "agents/evolution/ansor.h"
#include "agents/parallel.h"
#include "env/base/model_state_file.h"
#include "env/base/stop_token.h"

namespace schedulegym {

class LearnedModels : public ModelState {
 public:
  // `models` are of one kind, at least one; `model_of_task` is the position of each task's model.
  // Models without earlier training are trusted with more samples than a limit.
  LearnedModels(std::vector<std::unique_ptr<LearningModel>> models, std::vector<int> model_of_task,
                std::vector<int> trusted_from, const StopToken& stop = {});

  // A new measurement of a schedule replaces the old one.
  void Learn(int task, const MeasuredState& measured);
  // Trains the task's models on all new samples now, rather than when they are due.
  void TrainNow(int task);
  // Whether the task's model is better than random scores.
  bool IsTrusted(int task) const;
  // All trusted models that are due are trained first, each by a thread; threads change no weight.
  std::vector<std::optional<Prediction>> Predict(int task, std::span<const StateFeatures> states);
  TrainingProgress progress(int task) const { return ModelOf(task).progress(); }

  std::string Kind() const override { return models_.front()->memory()->Kind(); }
  // Saves a single model that learns from the samples of all of them.
  std::optional<std::string> Save() override;
  void Load(std::string_view text) override;

 private:
  bool IsModelTrusted(int model) const;
  LearningModel& ModelOf(int task) const { return *models_[model_of_task_[task]]; }

  std::vector<std::unique_ptr<LearningModel>> models_;
  std::vector<int> model_of_task_;
  std::vector<int> trusted_from_;  // by model
  bool begins_trained_;
  StopToken stop_;
  WaitingThreads crew_;
};

// The number of each task's model, from 0 on: as the options have it, one for the run, for each
// family (FamilyOf), or for each task.
std::vector<int> ModelOfEachTask(AnsorModels models, std::span<const SearchTask> tasks);

// Makes the models of the options, as many as `model_of_task` names, at least one; null where the
// options' model does not learn. Throws InputError where their file has no such model. With a
// `network` the file holds a network.
std::optional<LearnedModels> MakeLearnedModels(const AnsorOptions& options,
                                               std::vector<int> model_of_task, Rng rng,
                                               const StopToken& stop,
                                               std::shared_ptr<CostModel> network = nullptr);

}  // namespace schedulegym
