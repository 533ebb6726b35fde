#include "env/gym/evaluators/analytical_speed.h"

#include "env/base/check.h"
#include "env/measure/measurement.h"

namespace schedulegym {
namespace {

std::shared_ptr<const MeasuringSession> MakeSession() {
  MeasuringSession session;
  session.protocol = session.toolchain = kAnalyticalName;
  return std::make_shared<const MeasuringSession>(std::move(session));
}

}  // namespace

AnalyticalSpeed::AnalyticalSpeed(std::span<const ScheduleState> references,
                                 const AnalyticalCostOptions& options)
    : options_(options) {
  for (const ScheduleState& reference : references) {
    references_[&reference.task()] = EstimateCost(reference, options_).Seconds();
    tasks_.push_back(reference.shared_task());
  }
}

AnalyticalSpeed::Answer AnalyticalSpeed::Of(const ScheduleState& state) const {
  const auto known = references_.find(&state.task());
  SG_CHECK(known != references_.end(), "a task that it was made for");
  const double seconds = EstimateCost(state, options_).Seconds();
  return {seconds, known->second / seconds};
}

std::vector<EvaluationResult> AnalyticalEvaluator::Ask(
    std::span<const EpisodeState* const> places) {
  std::vector<EvaluationResult> evaluations;
  evaluations.reserve(places.size());
  for (const EpisodeState* place : places) {
    const Result<ScheduleState>& state = place->state();
    if (!state) {
      evaluations.push_back(FailedEvaluationResult(Outcome::kInvalidSchedule));
      continue;
    }
    const AnalyticalSpeed::Answer answer = speed_.Of(*state);
    evaluations.push_back(ExactEvaluationResult(answer.speed, answer.seconds));
  }
  return evaluations;
}

AnalyticalMeasurer::AnalyticalMeasurer(std::span<const ScheduleState> references,
                                       const AnalyticalCostOptions& options)
    : speed_(references, options), session_(MakeSession()) {}

std::vector<Measurement> AnalyticalMeasurer::Measure(std::span<const Candidate> candidates) {
  std::vector<Measurement> measurements;
  measurements.reserve(candidates.size());
  for (const Candidate& candidate : candidates) {
    const auto [seconds, speed] = speed_.Of(candidate.state);
    Measurement& measurement = measurements.emplace_back();
    measurement.outcome = Outcome::kOk;
    measurement.session = session_;
    measurement.timing =
        Timing{.seconds = seconds, .ratio = {speed, speed, speed}, .first_call_seconds = seconds};
  }
  return measurements;
}

}  // namespace schedulegym
