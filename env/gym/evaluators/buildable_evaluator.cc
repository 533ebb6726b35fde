#include "env/gym/evaluators/buildable_evaluator.h"

#include "env/base/check.h"
#include "env/lower/code_size.h"

namespace schedulegym {
namespace {

// The quick estimate is off by a factor of ten or so either way.
constexpr double kQuickSlack = 16;

Outcome OutcomeOf(const Error& error) {
  return error.kind == ErrorKind::kCompile ? Outcome::kCompileError : Outcome::kInvalidSchedule;
}

}  // namespace

Outcome CodeLimits::OutcomeOf(const ScheduleState& state) const {
  const auto most = most_.find(state.shared_task());
  SG_CHECK(most != most_.end(), "a task that has a limit");
  if (kQuickSlack * QuickCodeSize(state) <= most->second) return Outcome::kOk;
  const Result<void> checked = CheckCodeSize(state, most->second);
  return checked ? Outcome::kOk : schedulegym::OutcomeOf(checked.error());
}

std::vector<EvaluationResult> BuildableEvaluator::Ask(std::span<const EpisodeState* const> places) {
  std::vector<EvaluationResult> evaluations(places.size());
  std::vector<const EpisodeState*> buildable;
  std::vector<size_t> positions;
  for (size_t i = 0; i < places.size(); ++i) {
    const Result<ScheduleState>& state = places[i]->state();
    const Outcome outcome = state ? limits_.OutcomeOf(*state) : Outcome::kInvalidSchedule;
    if (outcome != Outcome::kOk) {
      evaluations[i] = FailedEvaluationResult(outcome);
      continue;
    }
    buildable.push_back(places[i]);
    positions.push_back(i);
  }
  std::vector<EvaluationResult> answers = evaluator_->Ask(buildable);
  SG_CHECK(answers.size() == buildable.size(), "a judgement for each place");
  for (size_t i = 0; i < answers.size(); ++i) evaluations[positions[i]] = std::move(answers[i]);
  return evaluations;
}

}  // namespace schedulegym
