// Scorer cost model: a trained network as the cost model of a search.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "agents/learned/scorer/scorer_checkpoint.h"
#include "env/base/stop_token.h"
#include "env/program/task.h"
#include "env/search/cost_model.h"

namespace schedulegym {

// Converts a score by its label, or by the line that was fitted to the network; nullopt if the
// score is not finite.
std::optional<Prediction> PredictionOf(const ScorerModel& model, float score);

// Scores are speeds above 0, as shares of the speed of the task's best training program. With
// kReference and kLogarithm they are shares of the reference schedule's speed, whose seconds are
// not available. The model does not learn.
std::unique_ptr<CostModel> MakeScorerCostModel(ScorerModel model, const StopToken& stop = {});

// Reads a file of kScorerKind; a LearningModel unless adapt=trees. Throws InputError for any other
// file, for a network `stages`, and for a task of a target without a head.
std::unique_ptr<CostModel> ReadScorerCostModel(const std::string& path,
                                               std::span<const std::shared_ptr<const Task>> tasks,
                                               const StopToken& stop);

}  // namespace schedulegym
