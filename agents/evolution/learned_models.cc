#include "agents/evolution/learned_models.h"

#include <algorithm>
#include <map>
#include <utility>

#include "agents/cost/boosted_cost_model.h"
#include "agents/cost/network_model.h"
#include "env/base/check.h"
#include "env/measure/record.h"
#include "env/program/workloads/task_family.h"

namespace schedulegym {
namespace {

// Returns null if the model does not learn.
std::unique_ptr<LearningModel> NewModel(const AnsorOptions& options, const Rng& rng,
                                        const StopToken& stop,
                                        const std::shared_ptr<CostModel>& network) {
  if (options.model_spec) {
    MadeModel made = MakeModel({*options.model_spec, rng, stop});
    auto* model = std::get_if<std::unique_ptr<LearningModel>>(&made);
    return model == nullptr ? nullptr : std::move(*model);
  }
  auto trees =
      std::make_unique<BoostedCostModel>(TreesOfSearch(options.fast, options.features), stop);
  if (network) return BeginWith(network, std::move(*trees));
  if (!options.model_file.empty()) trees->LoadFile(options.model_file);
  return trees;
}

}  // namespace

LearnedModels::LearnedModels(std::vector<std::unique_ptr<LearningModel>> models,
                             std::vector<int> model_of_task, std::vector<int> trusted_from,
                             const StopToken& stop)
    : models_(std::move(models)),
      model_of_task_(std::move(model_of_task)),
      trusted_from_(std::move(trusted_from)),
      stop_(stop) {
  SG_CHECK(!models_.empty() && models_.size() == trusted_from_.size(), "at least one model");
  begins_trained_ = models_.front()->progress().is_trained;
}

void LearnedModels::Learn(int task, const MeasuredState& measured) {
  ModelOf(task).Learn({&measured, 1});
}

void LearnedModels::TrainNow(int task) {
  if (IsTrusted(task)) ModelOf(task).TrainNow();
}

bool LearnedModels::IsTrusted(int task) const { return IsModelTrusted(model_of_task_[task]); }

bool LearnedModels::IsModelTrusted(int model) const {
  return begins_trained_ || models_[model]->progress().samples > trusted_from_[model];
}

std::vector<std::optional<Prediction>> LearnedModels::Predict(
    int task, std::span<const StateFeatures> states) {
  if (models_.size() > 1 && !states.empty()) {
    crew_.For(
        static_cast<int>(models_.size()), SearchThreads(states[0].task()),
        [&](int i) {
          // An empty prediction trains the model if that is due.
          if (IsModelTrusted(i)) models_[static_cast<size_t>(i)]->Predict({});
        },
        stop_);
  }
  return ModelOf(task).Predict(states);
}

// Saves a copy, which may have to be trained first; the search continues with the original.
std::optional<std::string> LearnedModels::Save() {
  std::vector<const LearningModel*> others;
  for (size_t i = 1; i < models_.size(); ++i) others.push_back(models_[i].get());
  return models_.front()->JoinedWith(others)->memory()->Save();
}

void LearnedModels::Load(std::string_view text) {
  for (const auto& model : models_) model->memory()->Load(text);
  begins_trained_ = true;
}

std::vector<int> ModelOfEachTask(AnsorModels models, std::span<const SearchTask> tasks) {
  std::vector<int> model_of_task;
  std::map<std::string, int> families;
  for (const SearchTask& task : tasks) {
    const auto next = static_cast<int>(model_of_task.size());
    if (models == AnsorModels::kFamily || models == AnsorModels::kForm) {
      const std::shared_ptr<const TaskInfo> info = DescribeTask(*task.task);
      const auto known = static_cast<int>(families.size());
      const bool by_name = models == AnsorModels::kFamily;
      const std::string family = FamilyOf(by_name ? info->workload : "", info->dag);
      model_of_task.push_back(families.try_emplace(family, known).first->second);
    } else {
      model_of_task.push_back(models == AnsorModels::kTask ? next : 0);
    }
  }
  return model_of_task;
}

std::optional<LearnedModels> MakeLearnedModels(const AnsorOptions& options,
                                               std::vector<int> model_of_task, Rng rng,
                                               const StopToken& stop,
                                               std::shared_ptr<CostModel> network) {
  int count = 1;
  for (int model : model_of_task) count = std::max(count, model + 1);
  std::vector<std::unique_ptr<LearningModel>> models;
  std::vector<int> trusted_from;
  for (int i = 0; i < count; ++i) {
    models.push_back(NewModel(options, rng.Split(), stop, network));
    if (models.back() == nullptr) return std::nullopt;
    const auto tasks = static_cast<int>(std::ranges::count(model_of_task, i));
    trusted_from.push_back(options.warm_up > 0 ? tasks * options.warm_up : TrustedFrom(options));
  }
  return LearnedModels(std::move(models), std::move(model_of_task), std::move(trusted_from), stop);
}

}  // namespace schedulegym
