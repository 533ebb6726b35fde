// BuildableMeasurer: another measurer that fails schedules that could not be compiled.
#pragma once

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "env/base/result.h"
#include "env/measure/forwarding_measurer.h"

namespace schedulegym {

// Maximum number of operations in the code of each task (env/lower/code_size.h).
class CodeLimits {
 public:
  void Set(const std::shared_ptr<const Task>& task, double most) { most_[task] = most; }
  // Returns the error that measuring a schedule of one of these tasks would find before compiling:
  // kCompile if its code is too long, another kind if it cannot be lowered. If a quick estimate is
  // far below the limit, nothing is lowered, and the check takes microseconds. Else it costs one
  // lowering.
  Result<void> Check(const ScheduleState& state) const;

 private:
  std::map<std::shared_ptr<const Task>, double> most_;
};

// For measurers that compile nothing: schedules that cannot be built fail, whatever a model says.
class BuildableMeasurer : public ForwardingMeasurer {
 public:
  // `limits` must cover all tasks of later candidates.
  BuildableMeasurer(std::unique_ptr<Measurer> measurer, CodeLimits limits)
      : ForwardingMeasurer(std::move(measurer)), limits_(std::move(limits)) {}

  // Returns kCompileError if the code is too long, kInvalidSchedule if it cannot be lowered. The
  // other measurer receives the rest in one call.
  std::vector<Measurement> Measure(std::span<const Candidate> candidates) override;

 private:
  std::vector<Measurement> MeasureRest(std::span<const Candidate> candidates,
                                       std::map<size_t, Measurement> failed);

  CodeLimits limits_;
};

}  // namespace schedulegym
