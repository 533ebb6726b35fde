// EstimatedSeconds: estimated seconds of a state, by the formula of its target.
#pragma once

#include <string>

#include "env/features/analytical_cost.h"

namespace schedulegym {

// CPUs: AnalyticalCost with these options, in the version that they give. GPUs: PrunerCost.
double EstimateSeconds(const ScheduleState& state, const AnalyticalCostOptions& options = {});

// The largest AnalyticalCostOptions::version.
inline constexpr int kLastEstimateVersion = 2;

// Returns the toolchain of records: "analytical", "analytical 2" or "analytical, pruner draft 1".
std::string FormulaName(const Target& target, int version = 1);

// Returns whether the target has the facts that ranking schedules needs: the bandwidth of a GPU.
bool CanEstimate(const Target& target);
// Throws InputError "`who` on target ...: key 'bandwidth' is missing, ..." if it lacks them.
void CheckCanEstimate(const Target& target, const std::string& who);

// Returns whether the seconds may replace measured ones. False for `opencl`: the speed of its units
// is unknown.
bool HasFormula(const Target& target);
// Throws InputError if HasFormula is false.
void CheckHasFormula(const Target& target);

}  // namespace schedulegym
