#include "env/program/workloads/drawn_task.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "env/base/fault.h"
#include "env/program/workloads/task_list.h"
#include "env/program/workloads/workload.h"

namespace schedulegym {
namespace {

constexpr int64_t kLeast = 8;
constexpr double kMostTimes = 4;
constexpr int kDraws = 50;

// The nearest on a scale of logarithms.
int64_t Rounded(double size) {
  int64_t nearest = 1;
  for (const int64_t odd : {1, 3, 5, 7}) {
    const double doublings = std::max(0.0, std::round(std::log2(size / static_cast<double>(odd))));
    const int64_t rounded = odd << static_cast<int>(doublings);
    const auto distance = [&](int64_t to) {
      return std::abs(std::log(size / static_cast<double>(to)));
    };
    if (distance(rounded) < distance(nearest)) nearest = rounded;
  }
  return nearest;
}

// False where there is nothing to draw.
bool Draw(Spec& workload, Rng& rng) {
  bool has_drawn = false;
  for (SpecOption& option : workload.options) {
    auto* size = std::get_if<int64_t>(&option.value.value);
    if (size == nullptr || *size < kLeast) continue;
    const double times = std::pow(kMostTimes, 2 * rng.Uniform() - 1);
    *size = Rounded(static_cast<double>(*size) * times);
    has_drawn = true;
  }
  return has_drawn;
}

}  // namespace

std::shared_ptr<const Task> DrawTask(const std::shared_ptr<const Task>& task, Rng& rng) {
  const Result<Spec> workload = ParseWorkload(task->name);
  if (!workload) return task;
  for (int draw = 0; draw < kDraws; ++draw) {
    Spec drawn = *workload;
    if (!Draw(drawn, rng)) break;
    try {
      return MakeTask(drawn, task->target);
    } catch (const InputError&) {
      continue;  // sizes that do not go together
    }
  }
  return task;
}

}  // namespace schedulegym
