// EstimatedSeconds: how long a state should take, by the formula of its target.
#pragma once

#include <string>

#include "env/features/analytical_cost.h"

namespace schedulegym {

// Of a processor AnalyticalCost with the options, in their version; of a GPU PrunerCost.
double EstimateSeconds(const ScheduleState& state, const AnalyticalCostOptions& options = {});

// Of AnalyticalCostOptions::version.
inline constexpr int kLastEstimateVersion = 2;

// What records name as their toolchain: "analytical", "analytical 2", or "analytical, pruner draft
// 1".
std::string FormulaName(const Target& target, int version = 1);

// Whether the formula has the facts that it needs to order schedules: of a GPU the bandwidth.
bool CanEstimate(const Target& target);
// Throws InputError "`who` on target ...: key 'bandwidth' is missing, ..." where it lacks them.
void CheckCanEstimate(const Target& target, const std::string& who);

// Whether its seconds stand for measured ones: not of `opencl`, whose speed of units is unknown.
bool HasFormula(const Target& target);
// Throws InputError for a target whose formula lacks facts.
void CheckHasFormula(const Target& target);

}  // namespace schedulegym
