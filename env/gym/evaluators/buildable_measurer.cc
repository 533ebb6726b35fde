#include "env/gym/evaluators/buildable_measurer.h"

#include "env/base/check.h"
#include "env/lower/code_size.h"

namespace schedulegym {
namespace {

// The quick estimate is off by a factor of ten or so either way.
constexpr double kQuickSlack = 16;

Measurement FailureOf(const Error& error) {
  Measurement measurement;
  measurement.outcome =
      error.kind == ErrorKind::kCompile ? Outcome::kCompileError : Outcome::kInvalidSchedule;
  measurement.message = error.message;
  return measurement;
}

}  // namespace

Result<void> CodeLimits::Check(const ScheduleState& state) const {
  const auto most = most_.find(state.shared_task());
  SG_CHECK(most != most_.end(), "a task that has a limit");
  if (kQuickSlack * QuickCodeSize(state) <= most->second) return {};
  return CheckCodeSize(state, most->second);
}

std::vector<Measurement> BuildableMeasurer::Measure(std::span<const Candidate> candidates) {
  std::map<size_t, Measurement> failed;  // by position
  for (size_t i = 0; i < candidates.size(); ++i) {
    const Result<void> checked = limits_.Check(candidates[i].state.value());
    if (!checked) failed.emplace(i, FailureOf(checked.error()));
  }
  if (failed.empty()) return measurer().Measure(candidates);
  return MeasureRest(candidates, std::move(failed));
}

std::vector<Measurement> BuildableMeasurer::MeasureRest(std::span<const Candidate> candidates,
                                                        std::map<size_t, Measurement> failed) {
  std::vector<Candidate> rest;
  for (size_t i = 0; i < candidates.size(); ++i) {
    if (!failed.contains(i)) rest.push_back(candidates[i]);
  }
  std::vector<Measurement> answers = measurer().Measure(rest);
  SG_CHECK(answers.size() == rest.size(), "a measurement for each candidate");
  std::vector<Measurement> measurements;
  auto answer = answers.begin();
  for (size_t i = 0; i < candidates.size(); ++i) {
    const auto failure = failed.find(i);
    measurements.push_back(std::move(failure != failed.end() ? failure->second : *answer++));
  }
  return measurements;
}

}  // namespace schedulegym
