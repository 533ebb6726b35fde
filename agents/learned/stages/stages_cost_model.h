// Stages cost model: a network of partial schedules as a model of whole ones.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "agents/learned/scorer/scorer_checkpoint.h"
#include "env/base/stop_token.h"
#include "env/search/cost_model.h"
#include "env/search/search_space.h"

namespace schedulegym {

// A schedule is read in the first of these spaces in which it is a point of a sketch; of one that
// is none of any nothing is predicted. Else as MakeScorerCostModel's predictions.
std::unique_ptr<CostModel> MakeStagesCostModel(
    ScorerModel model, std::vector<std::shared_ptr<const SearchSpace>> spaces,
    const StopToken& stop = {});

// Reads a file of any network; `stages` only for these spaces. Throws InputError for other files.
std::unique_ptr<CostModel> ReadAnyScorerCostModel(
    const std::string& path, std::vector<std::shared_ptr<const SearchSpace>> spaces,
    const StopToken& stop);

}  // namespace schedulegym
