#include "env/features/estimated_seconds.h"

#include "env/base/fault.h"
#include "env/features/pruner_cost.h"

namespace schedulegym {

double EstimateSeconds(const ScheduleState& state, const AnalyticalCostOptions& options) {
  if (state.task().target.IsGpu()) return EstimatePrunerSeconds(state);
  return EstimateCost(state, options).Seconds();
}

std::string FormulaName(const Target& target) {
  return target.IsGpu() ? "analytical, pruner draft 1" : "analytical";
}

bool HasFormula(const Target& target) {
  return !target.IsGpu() || (target.backend == BackendKind::kCuda && target.gpu.bandwidth > 0);
}

void CheckHasFormula(const Target& target) {
  if (HasFormula(target)) return;
  if (target.backend == BackendKind::kOpenCl) {
    throw InputError(
        "target: found 'opencl', for which the analytical estimate has no formula yet, expected "
        "llvm or cuda");
  }
  throw InputError(
      "target 'cuda': key 'bandwidth' is missing, which the analytical estimate needs, expected "
      "bytes a second of the card's memory");
}

}  // namespace schedulegym
