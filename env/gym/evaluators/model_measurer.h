// ModelMeasurer: a cost model that was trained before in place of a machine; nothing runs.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "env/measure/measurer.h"
#include "env/search/cost_model.h"

namespace schedulegym {

// Predicts a batch at once. Threads wait for one another.
class ModelMeasurer : public Measurer {
 public:
  // A schedule is as many times as fast as the reference as the model's speeds say. Of a model that
  // has no speeds scores have no unit, and it is exp(score - reference's score) times. It has
  // the seconds that the model says, else the estimate's of the reference over the ratio. Its
  // interval is a standard deviation of the model's doubt to each side, one point where it knows
  // none. `name` is the spec of the model; it learns nothing here. Throws InputError where the
  // model cannot score a reference.
  ModelMeasurer(const std::string& name, std::unique_ptr<CostModel> model,
                std::span<const ScheduleState> references);

  // What the model cannot score is an invalid schedule. The session says that nothing was measured.
  std::vector<Measurement> Measure(std::span<const Candidate> candidates) override;

 private:
  struct Reference {
    Prediction predicted;
    double seconds = 0;  // estimated
  };

  Measurement MeasurementOf(const std::optional<Prediction>& predicted,
                            const Reference& reference) const;

  std::mutex mutex_;
  std::unique_ptr<CostModel> model_;
  std::map<const Task*, Reference> references_;
  std::vector<std::shared_ptr<const Task>> tasks_;
  std::shared_ptr<const MeasuringSession> session_;
};

}  // namespace schedulegym
