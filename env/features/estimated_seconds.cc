#include "env/features/estimated_seconds.h"

#include "env/base/fault.h"
#include "env/features/cost_terms.h"
#include "env/features/pruner_cost.h"

namespace schedulegym {

double EstimateSeconds(const ScheduleState& state, const AnalyticalCostOptions& options) {
  if (state.task().target.IsGpu()) return EstimatePrunerSeconds(state);
  const AnalyticalCost cost = EstimateCost(state, options);
  if (options.version == 1) return cost.Seconds();
  return SecondsBy(CalibratedCoefficients(), TermsOf(cost, /*roofline=*/false, options));
}

std::string FormulaName(const Target& target, int version) {
  if (target.IsGpu()) return "analytical, pruner draft 1";
  return version == 1 ? "analytical" : "analytical " + std::to_string(version);
}

bool CanEstimate(const Target& target) { return !target.IsGpu() || target.gpu.bandwidth > 0; }

void CheckCanEstimate(const Target& target, const std::string& who) {
  if (CanEstimate(target)) return;
  const std::string name = target.BackendName();
  throw InputError(who + " on target '" + name +
                   "': key 'bandwidth' is missing, which the analytical estimate needs, expected "
                   "bytes a second of the device's memory, such as " +
                   name + "(bandwidth=1e11)");
}

bool HasFormula(const Target& target) {
  return CanEstimate(target) && target.backend != BackendKind::kOpenCl;
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
