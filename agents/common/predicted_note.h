// PredictedNote: the note of a proposal that keeps what a model said of it when it was made.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "agents/trial.h"
#include "env/search/cost_model.h"

namespace schedulegym {

// What a model says of schedules of one task, as CostModel::Predict.
using Predictor =
    std::function<std::vector<std::optional<Prediction>>(const std::vector<StateFeatures>& states)>;

// predicted(seconds=0.00011) on each proposal of which that many seconds are said; others keep
// what they have.
void NotePredictions(const Predictor& predict, std::vector<Proposal>& proposals);

}  // namespace schedulegym
