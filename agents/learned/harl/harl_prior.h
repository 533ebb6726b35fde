// HarlPrior: scores of schedules before a search's own trees, by the option `model`.
#pragma once

#include <memory>

#include "agents/learned/harl/harl_options.h"
#include "env/base/stop_token.h"
#include "env/search/cost_model.h"

namespace schedulegym {

// A network of the options' file, or the model that their spec names; null where they name neither.
// It learns nothing from the search. Throws InputError.
std::unique_ptr<CostModel> PriorOf(const HarlOptions& options, const StopToken& stop = {});

// Whether the options' file has trees, or the whole state of another search.
bool HasTreesFile(const HarlOptions& options);

}  // namespace schedulegym
