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
      0.3828631544972639, 0.5073985964646471, 0, 0.4115602946321299,
      0.3292459409760197, 0.2213197312289939, 0, 0.6384133486301617};
  return kFitted;
}

}  // namespace schedulegym
