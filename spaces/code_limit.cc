#include "spaces/code_limit.h"

#include <algorithm>
#include <limits>

#include "env/lower/code_size.h"
#include "env/lower/lower.h"
#include "spaces/builtin_spaces.h"
#include "spaces/schedulegym/reference.h"

namespace schedulegym {
namespace {

// Beyond the reference schedule, by this factor.
constexpr double kCodeSlack = 1.5;

}  // namespace

double MostCodeOf(const std::shared_ptr<const Task>& task, double most) {
  const Result<LoopProgram> reference = Lower(ReferenceSchedule(task));
  return reference ? std::max(most, kCodeSlack * CodeSize(*reference, task->target)) : most;
}

double MostCodeIn(const Spec& space, const std::shared_ptr<const Task>& task) {
  const auto entry = BuiltinSpaces().At(space.name);
  const Spec defaults = ParseSpec(entry.name + "(" + entry.parameters + ")").value();
  constexpr double kNone = std::numeric_limits<double>::infinity();
  const double most = SpecReader(defaults, "space").Number("code", kNone);
  return MostCodeOf(task, SpecReader(space, "space").Number("code", most));
}

}  // namespace schedulegym
