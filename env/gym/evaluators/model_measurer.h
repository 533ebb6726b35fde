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
  // A schedule's ratio is that of the model's speeds. For a model without speeds it is exp(score -
  // reference's score). Seconds are the model's, else the estimate's of the reference over the
  // ratio. The interval is one standard deviation to each side, or one point where the model has no
  // deviation. `name` is the spec of the model, which does not learn here. Throws InputError where
  // the model cannot score a reference.
  ModelMeasurer(const std::string& name, std::unique_ptr<CostModel> model,
                std::span<const ScheduleState> references);

  // A schedule that the model cannot score is an invalid schedule. The session is marked as not
  // measured.
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
