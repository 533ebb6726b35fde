#include "backends/runner/timing_rules.h"

#include <algorithm>
#include <string>

#include "env/base/text.h"
#include "env/program/analysis.h"

namespace schedulegym {
namespace {

constexpr double kBusyShare = 0.75;
// A ratio whose interval is wider than this factor says nothing.
constexpr double kNoisyFactor = 2;
// No core does more than this: 6 GHz, four vector units, as ARM's largest have (x86 has two that
// multiply), a multiplication and an addition each, and 5 % for clocks that differ.
constexpr double kFlopsPerLane = 6e9 * 4 * 2 * 1.05;
// Two vectors of 64 bytes a cycle.
constexpr double kBytesPerSecond = 6e9 * 2 * 64;

double OutputBytes(const ComputeDag& dag) {
  double bytes = 0;
  for (int output : dag.outputs()) {
    const Tensor& tensor = dag.tensor(output);
    bytes += static_cast<double>(tensor.NumElements() * SizeInBytes(tensor.type));
  }
  return bytes;
}

}  // namespace

double LeastSeconds(const Task& task) {
  int64_t narrowest = 8;
  for (const Tensor& tensor : task.dag.tensors()) {
    narrowest = std::min(narrowest, SizeInBytes(tensor.type));
  }
  const double flops_per_second = kFlopsPerLane * task.target.VectorLanes(narrowest);
  const double of_one_core =
      std::max(CountFlops(task.dag) / flops_per_second, OutputBytes(task.dag) / kBytesPerSecond);
  return of_one_core / task.target.cores;
}

bool IsShortOfThreads(bool is_parallel, int cores, double cpu_per_wall) {
  return is_parallel && cores > 1 && cpu_per_wall < kBusyShare * cores;
}

bool IsNoisy(const Timing& timing, std::optional<double> best_ratio) {
  const bool may_be_best = timing.ratio.high >= best_ratio.value_or(0);
  return may_be_best && timing.ratio.high > kNoisyFactor * timing.ratio.low;
}

std::optional<Failure> CheckTiming(const Timing& timing, double least_seconds,
                                   std::optional<double> best_ratio) {
  if (!(timing.seconds > 0) || timing.seconds < least_seconds) {
    return Failure{Outcome::kImpossibleTime, "one call took " +
                                                 std::to_string(timing.seconds * 1e9) +
                                                 " ns, less than this machine can take"};
  }
  if (IsNoisy(timing, best_ratio)) {
    return Failure{Outcome::kNoisy, "the ratio lies between " + FormatDouble(timing.ratio.low) +
                                        " and " + FormatDouble(timing.ratio.high) +
                                        ", twice in a row"};
  }
  return std::nullopt;
}

}  // namespace schedulegym
