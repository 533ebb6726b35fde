// Objective: what becomes smaller when the tasks of one or several networks become faster.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace schedulegym {

// Seconds of one call of a task.
struct TaskLatency {
  double best = 0;       // of the best schedule so far
  double reference = 0;  // of the reference schedule, measured beside it
};

// Of Ansor's paper (Zheng et al., OSDI 2020, table 2), over networks with latencies L, each the sum
// of its tasks' latencies times their counts:
enum class ObjectiveKind : uint8_t {
  kLatency,      // f1: the sum of L
  kRequirement,  // f2: the sum of max(L, what is required)
  kSpeedup,      // f3: minus the geometric mean of B / L, B being L with reference schedules
};

// Tasks without a valid result, and networks of such tasks only, are left out. (TVM counts a
// latency of 1e10 seconds for them, whose rounding errors drown the others' gradients.)
class NetworkObjective {
 public:
  // `counts[i][n]`: how often network n runs task i. `requirements`: seconds of each network, for
  // kRequirement.
  NetworkObjective(ObjectiveKind kind, std::vector<std::vector<double>> counts,
                   std::vector<double> requirements);

  double Value(std::span<const std::optional<TaskLatency>> tasks) const;

  // Its derivative by the latency of a task that has one; never below 0. (TVM takes the difference
  // over 1e-4 seconds. For a sum that is the same; for kernels that take less it would leave
  // latencies below zero.)
  double Slope(std::span<const std::optional<TaskLatency>> tasks, int task) const;

 private:
  std::vector<TaskLatency> Networks(std::span<const std::optional<TaskLatency>> tasks) const;

  ObjectiveKind kind_;
  std::vector<std::vector<double>> counts_;
  std::vector<double> requirements_;
};

}  // namespace schedulegym
