// BuildableMeasurer: another measurer, but for schedules that measuring could not compile.
#pragma once

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "env/base/result.h"
#include "env/measure/forwarding_measurer.h"

namespace schedulegym {

// The most operations that code of each task may hold (env/lower/code_size.h).
class CodeLimits {
 public:
  void Set(const std::shared_ptr<const Task>& task, double most) { most_[task] = most; }
  // What measuring would find of a schedule of one of these tasks before any compiler sees it:
  // kCompile where its code is too long, another kind where it cannot be lowered. Where an estimate
  // finds the code far shorter than it may be, nothing is lowered: microseconds there, else what
  // lowering costs.
  Result<void> Check(const ScheduleState& state) const;

 private:
  std::map<std::shared_ptr<const Task>, double> most_;
};

// For measurers that compile nothing: what cannot be built has no speed, whatever a model says.
class BuildableMeasurer : public ForwardingMeasurer {
 public:
  // The limits of all tasks that it will be asked about.
  BuildableMeasurer(std::unique_ptr<Measurer> measurer, CodeLimits limits)
      : ForwardingMeasurer(std::move(measurer)), limits_(std::move(limits)) {}

  // kCompileError where the code is too long, kInvalidSchedule where it cannot be lowered; the
  // other measurer is asked about the rest at once.
  std::vector<Measurement> Measure(std::span<const Candidate> candidates) override;

 private:
  std::vector<Measurement> MeasureRest(std::span<const Candidate> candidates,
                                       std::map<size_t, Measurement> failed);

  CodeLimits limits_;
};

}  // namespace schedulegym
