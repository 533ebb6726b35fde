// ModelEvaluator: judges schedules by a cost model that was trained before.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "env/gym/evaluators/evaluator.h"
#include "env/search/cost_model.h"

namespace schedulegym {

class ModelEvaluator : public Evaluator {
 public:
  // A model's scores have no unit: a schedule is said to be exp(score - reference's score) times as
  // fast as the reference. `name` is the spec of the model; it learns nothing here.
  ModelEvaluator(std::string name, std::unique_ptr<CostModel> model,
                 std::span<const ScheduleState> references);

  std::string Name() const override { return name_; }
  // What the model cannot judge is an invalid schedule.
  std::vector<EvaluationResult> Ask(std::span<const EpisodeState* const> places) override;
  bool is_shared() const override { return true; }

 private:
  std::string name_;
  std::mutex mutex_;
  std::unique_ptr<CostModel> model_;
  std::map<const Task*, double> references_;
  std::vector<std::shared_ptr<const Task>> tasks_;
};

}  // namespace schedulegym
