// BuildableEvaluator: has another evaluator answer, but for schedules that measuring could not
// compile.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "env/gym/evaluators/evaluator.h"
#include "env/measure/outcome.h"

namespace schedulegym {

// The most operations that code of each task may hold (env/lower/code_size.h).
class CodeLimits {
 public:
  void Set(const std::shared_ptr<const Task>& task, double most) { most_[task] = most; }
  // What measuring would make of a schedule of one of these tasks, before any compiler sees it:
  // kCompileError where its code is too long, kInvalidSchedule where that cannot be told because it
  // cannot be lowered. kOk of all others; where an estimate says that the code is far shorter than
  // it may be, of all: nothing is lowered then. Microseconds there, else what lowering costs.
  Outcome OutcomeOf(const ScheduleState& state) const;

 private:
  std::map<std::shared_ptr<const Task>, double> most_;
};

// For judges that compile nothing: what cannot be built has no speed, whatever a model says of it.
class BuildableEvaluator : public Evaluator {
 public:
  // The limits of all tasks that it will be asked about.
  BuildableEvaluator(std::unique_ptr<Evaluator> evaluator, CodeLimits limits)
      : evaluator_(std::move(evaluator)), limits_(std::move(limits)) {}

  std::string Name() const override { return evaluator_->Name(); }
  std::vector<EvaluationResult> Ask(std::span<const EpisodeState* const> places) override;
  bool is_shared() const override { return evaluator_->is_shared(); }
  int Width() override { return evaluator_->Width(); }
  void Expect(std::span<const EpisodeState* const> places) override { evaluator_->Expect(places); }

 private:
  std::unique_ptr<Evaluator> evaluator_;
  CodeLimits limits_;
};

}  // namespace schedulegym
