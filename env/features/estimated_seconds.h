// EstimatedSeconds: how long a state should take, by the formula of its target.
#pragma once

#include <string>

#include "env/features/analytical_cost.h"

namespace schedulegym {

// Of a processor AnalyticalCost with the options, of a GPU PrunerCost.
double EstimateSeconds(const ScheduleState& state, const AnalyticalCostOptions& options = {});

// What records name as their toolchain: "analytical", or "analytical, pruner draft 1".
std::string FormulaName(const Target& target);

bool HasFormula(const Target& target);
// Throws InputError for a target whose formula lacks facts.
void CheckHasFormula(const Target& target);

}  // namespace schedulegym
