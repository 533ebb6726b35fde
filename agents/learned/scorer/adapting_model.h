// AdaptingModel: a trained network as the model of a search, which learns from measurements.
#pragma once

#include <memory>
#include <vector>

#include "agents/learned/scorer/scorer_checkpoint.h"
#include "env/base/stop_token.h"
#include "env/search/cost_model.h"

namespace schedulegym {

// Sets `slow` to kept * slow + (1 - kept) * fast, in place.
void MoveTowards(const std::vector<at::Tensor>& slow, const std::vector<at::Tensor>& fast,
                 double kept);

// As the model's options say: adapt=none never learns; tune trains the weights further; momentum
// trains copies of slow weights, which follow them. Predictions are as MakeScorerCostModel's.
std::unique_ptr<LearningModel> MakeAdaptingModel(ScorerModel model, const StopToken& stop = {});

}  // namespace schedulegym
