// Scorer cost model: a trained network as the model of a search.
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

// What a score means: by its label, or by the line that was fitted to the network; none of what is
// not finite.
std::optional<Prediction> PredictionOf(const ScorerModel& model, float score);

// Scores are speeds, above 0: parts of that of the task's best as the training programs had it, or
// with SpeedsAreOverReference of the reference schedule's, whose seconds the model does not know.
// It learns nothing more.
std::unique_ptr<CostModel> MakeScorerCostModel(ScorerModel model, const StopToken& stop = {});

// Of a file of kind kScorerKind; a LearningModel but with adapt=trees. Throws InputError for what
// is none, and for tasks of a target for which it has no head.
std::unique_ptr<CostModel> ReadScorerCostModel(const std::string& path,
                                               std::span<const std::shared_ptr<const Task>> tasks,
                                               const StopToken& stop);

}  // namespace schedulegym
