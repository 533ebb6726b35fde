#include "env/features/cost_terms.h"

#include <algorithm>

namespace schedulegym {
namespace {

enum Term : size_t { kArithmetic, kAccess, kChain, kSpill, kL2, kL3, kMemory, kParallel };

}  // namespace

const std::array<const char*, CostTerms::kCount>& CostTerms::Names() {
  static constexpr std::array<const char*, CostTerms::kCount> kNames = {
      "arithmetic", "access", "chain", "spill", "l2", "l3", "memory", "parallel"};
  return kNames;
}

CostTerms TermsOf(const AnalyticalCost& cost, bool roofline, const AnalyticalCostOptions& options) {
  CostTerms terms;
  for (const StageCost& stage : cost.stages) {
    const double blocks = stage.blocks / (stage.busy_cores * options.hertz);
    terms.seconds[kSpill] += blocks * stage.spill_cycles;
    terms.seconds[kParallel] += stage.parallel_seconds;
    if (roofline) {
      const double spilled = blocks * stage.spill_cycles;
      terms.seconds[kArithmetic] += std::max({stage.compute_seconds - spilled, stage.l2_seconds,
                                              stage.l3_seconds, stage.memory_seconds});
      continue;
    }
    terms.seconds[kArithmetic] += blocks * stage.arithmetic_cycles;
    terms.seconds[kAccess] += blocks * stage.access_cycles;
    terms.seconds[kChain] += blocks * stage.chain_cycles;
    terms.seconds[kL2] += stage.l2_seconds;
    terms.seconds[kL3] += stage.l3_seconds;
    terms.seconds[kMemory] += stage.memory_seconds;
  }
  return terms;
}

double SecondsBy(const std::array<double, CostTerms::kCount>& coefficients,
                 const CostTerms& terms) {
  double seconds = 0;
  for (size_t i = 0; i < CostTerms::kCount; ++i) seconds += coefficients[i] * terms.seconds[i];
  return seconds;
}

const TermCoefficients& CalibratedCoefficients() {
  static constexpr TermCoefficients kFitted = {
      0.3944760610222249, 0.4941842694847383, 0, 0.4192922218830537,
      0.3188991503273397, 0.1982256982796565, 0, 0.6643652265440458};
  return kFitted;
}

}  // namespace schedulegym
